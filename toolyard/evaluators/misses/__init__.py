"""Ready near misses: each spoils a copy of the solved world in one way and names the leaves that must notice.

A proof module gives them names: ``miss_row_left_out = row_gone("plan.xlsx", "Plan", kills="each_once")``.
"""

from toolyard.evaluators.misses.answers import answered, never_looked
from toolyard.evaluators.misses.documents import picture_gone, style_lost, text_changed
from toolyard.evaluators.misses.edits import edited, opened
from toolyard.evaluators.misses.files import deleted, moved, overwritten
from toolyard.evaluators.misses.pdf_pages import page_gone, pages_swapped
from toolyard.evaluators.misses.pictures import picture_changed, picture_shrunk
from toolyard.evaluators.misses.records import records
from toolyard.evaluators.misses.workbooks import (
    column,
    frozen,
    number_format_lost,
    row_added,
    row_doubled,
    row_gone,
    rows_sorted,
    rule,
    sheet,
)

__all__ = [
    "answered",
    "column",
    "deleted",
    "edited",
    "frozen",
    "moved",
    "never_looked",
    "number_format_lost",
    "opened",
    "overwritten",
    "page_gone",
    "pages_swapped",
    "picture_changed",
    "picture_gone",
    "picture_shrunk",
    "records",
    "row_added",
    "row_doubled",
    "row_gone",
    "rows_sorted",
    "rule",
    "sheet",
    "style_lost",
    "text_changed",
]
