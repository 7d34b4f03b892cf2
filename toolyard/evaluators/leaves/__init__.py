"""Ready checkpoints: each is a leaf that brings its check, its evidence and the targets that it observes.

A task states its tables (`Table`: where, which columns of which kind, what tells rows apart, the true rows) and puts
leaves together. By hand it writes only the leaf that is its point.
"""

from toolyard.evaluators.leaves.announcements import announced
from toolyard.evaluators.leaves.answers import answer_name, answer_number, answer_whitelisted
from toolyard.evaluators.leaves.charts import chart
from toolyard.evaluators.leaves.collages import Collage
from toolyard.evaluators.leaves.column_kinds import Code, Date, Exact, FileName, Kind, Names, Number, Text
from toolyard.evaluators.leaves.combinations import all_of
from toolyard.evaluators.leaves.compositions import (
    Logo,
    changed_only_at,
    distortion,
    find_photograph,
    observed,
    picture_size,
)
from toolyard.evaluators.leaves.conditional_formats import ABOVE, BELOW, coloured
from toolyard.evaluators.leaves.contacts import contacts
from toolyard.evaluators.leaves.deck_pictures import pictures_whole
from toolyard.evaluators.leaves.drafts import drafts_open
from toolyard.evaluators.leaves.drawn_boxes import DrawnBoxes
from toolyard.evaluators.leaves.drawn_charts import DrawnBars, answer_picture, delivered_picture
from toolyard.evaluators.leaves.drop_downs import drop_downs
from toolyard.evaluators.leaves.events import events
from toolyard.evaluators.leaves.films import film_length, plays
from toolyard.evaluators.leaves.frames import framed
from toolyard.evaluators.leaves.guardrails import inspected, kept, looked, nothing_else
from toolyard.evaluators.leaves.lettering import Lettering
from toolyard.evaluators.leaves.live_formulas import Trial, changed, formulas, live
from toolyard.evaluators.leaves.mails import Mails, filed, marked
from toolyard.evaluators.leaves.notes import note_block, note_grid, note_rest, note_title, note_versions
from toolyard.evaluators.leaves.number_formats import decimals, number_format
from toolyard.evaluators.leaves.page_pictures import alternative, links_to, page_shows
from toolyard.evaluators.leaves.records import Records, kept_records, records
from toolyard.evaluators.leaves.redacted_pictures import RedactedPicture
from toolyard.evaluators.leaves.reports import (
    Found,
    contains_picture,
    findings,
    headlines,
    neat,
    outline,
    printed_table,
)
from toolyard.evaluators.leaves.rows import agrees, cells, headers, in_order, items, just, rows, typed
from toolyard.evaluators.leaves.slide_pictures import ColumnChart, slide_photograph
from toolyard.evaluators.leaves.sounds import sound_form, sound_length, sound_levels, sound_tags, sound_targets
from toolyard.evaluators.leaves.tables import Line, Row, Sheets, Table
from toolyard.evaluators.leaves.texts import figures, headings, says
from toolyard.evaluators.leaves.warehouse import kept_tables, warehouse_changes, warehouse_rows, warehouse_types

__all__ = [
    "ABOVE",
    "BELOW",
    "Code",
    "Collage",
    "ColumnChart",
    "Date",
    "DrawnBars",
    "DrawnBoxes",
    "Exact",
    "FileName",
    "Found",
    "Kind",
    "Lettering",
    "Line",
    "Logo",
    "Mails",
    "Names",
    "Number",
    "Records",
    "RedactedPicture",
    "Row",
    "Sheets",
    "Table",
    "Text",
    "Trial",
    "agrees",
    "all_of",
    "alternative",
    "announced",
    "answer_name",
    "answer_number",
    "answer_picture",
    "answer_whitelisted",
    "cells",
    "changed",
    "changed_only_at",
    "chart",
    "coloured",
    "contacts",
    "contains_picture",
    "decimals",
    "delivered_picture",
    "distortion",
    "drafts_open",
    "drop_downs",
    "events",
    "figures",
    "filed",
    "film_length",
    "find_photograph",
    "findings",
    "formulas",
    "framed",
    "headers",
    "headings",
    "headlines",
    "in_order",
    "inspected",
    "items",
    "just",
    "kept",
    "kept_records",
    "kept_tables",
    "links_to",
    "live",
    "looked",
    "marked",
    "neat",
    "note_block",
    "note_grid",
    "note_rest",
    "note_title",
    "note_versions",
    "nothing_else",
    "number_format",
    "observed",
    "outline",
    "page_shows",
    "picture_size",
    "pictures_whole",
    "plays",
    "printed_table",
    "records",
    "rows",
    "says",
    "slide_photograph",
    "sound_form",
    "sound_length",
    "sound_levels",
    "sound_tags",
    "sound_targets",
    "typed",
    "warehouse_changes",
    "warehouse_rows",
    "warehouse_types",
]
