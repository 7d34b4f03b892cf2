from yardkit.evaluators.leaves.announcements import check_announcement
from yardkit.evaluators.leaves.answers import answer_name, answer_number, answer_whitelisted
from yardkit.evaluators.leaves.collages import Collage
from yardkit.evaluators.leaves.column_kinds import Code, Date, Exact, FileName, Kind, Names, Number, Text
from yardkit.evaluators.leaves.combinations import all_of
from yardkit.evaluators.leaves.compositions import (
    Logo,
    changed_only_at,
    describe_distortion,
    find_photograph,
    list_observed,
    picture_size,
)
from yardkit.evaluators.leaves.conditional_formats import ABOVE, BELOW, check_coloring
from yardkit.evaluators.leaves.deck_charts import DeckChart
from yardkit.evaluators.leaves.deck_pictures import check_complete_pictures
from yardkit.evaluators.leaves.drafts import drafts_open
from yardkit.evaluators.leaves.drawn_boxes import DrawnBoxes
from yardkit.evaluators.leaves.drawn_charts import DrawnBars, answer_picture, delivered_picture
from yardkit.evaluators.leaves.drop_downs import check_drop_downs
from yardkit.evaluators.leaves.events import check_events
from yardkit.evaluators.leaves.films import check_film_playback, film_length
from yardkit.evaluators.leaves.frames import check_framed_text
from yardkit.evaluators.leaves.guardrails import check_inspected, check_looked_at, check_unchanged, nothing_else
from yardkit.evaluators.leaves.lettering import Lettering
from yardkit.evaluators.leaves.live_formulas import Trial, check_formulas, check_live_formulas, make_change_trial
from yardkit.evaluators.leaves.mails import Mails, check_filed, check_marked
from yardkit.evaluators.leaves.notes import note_block, note_grid, note_rest, note_title, note_versions
from yardkit.evaluators.leaves.number_formats import check_decimals, number_format
from yardkit.evaluators.leaves.page_pictures import check_alternative_text, links_to, page_shows
from yardkit.evaluators.leaves.records import Records, check_records, check_unchanged_records
from yardkit.evaluators.leaves.redacted_pictures import RedactedPicture
from yardkit.evaluators.leaves.reports import (
    ExpectedFinding,
    check_headlines,
    check_neatness,
    check_outline,
    check_report_findings,
    contains_picture,
    printed_table,
)
from yardkit.evaluators.leaves.rows import (
    check_agreement,
    check_cells,
    check_exact_rows,
    check_headers,
    check_list_items,
    check_rows,
    check_types,
    in_order,
)
from yardkit.evaluators.leaves.sheet_charts import ChartSheet, SheetChart
from yardkit.evaluators.leaves.slide_pictures import ColumnChart, slide_photograph
from yardkit.evaluators.leaves.sounds import sound_form, sound_length, sound_levels, sound_tags, sound_targets
from yardkit.evaluators.leaves.tables import Line, Row, Sheets, Table
from yardkit.evaluators.leaves.texts import check_headings, check_numbers, check_texts
from yardkit.evaluators.leaves.warehouse import (
    check_unchanged_tables,
    warehouse_changes,
    warehouse_rows,
    warehouse_types,
)

__all__ = [
    "ABOVE",
    "BELOW",
    "ChartSheet",
    "Code",
    "Collage",
    "ColumnChart",
    "Date",
    "DeckChart",
    "DrawnBars",
    "DrawnBoxes",
    "Exact",
    "ExpectedFinding",
    "FileName",
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
    "SheetChart",
    "Sheets",
    "Table",
    "Text",
    "Trial",
    "all_of",
    "answer_name",
    "answer_number",
    "answer_picture",
    "answer_whitelisted",
    "changed_only_at",
    "check_agreement",
    "check_alternative_text",
    "check_announcement",
    "check_cells",
    "check_coloring",
    "check_complete_pictures",
    "check_decimals",
    "check_drop_downs",
    "check_events",
    "check_exact_rows",
    "check_filed",
    "check_film_playback",
    "check_formulas",
    "check_framed_text",
    "check_headers",
    "check_headings",
    "check_headlines",
    "check_inspected",
    "check_list_items",
    "check_live_formulas",
    "check_looked_at",
    "check_marked",
    "check_neatness",
    "check_numbers",
    "check_outline",
    "check_records",
    "check_report_findings",
    "check_rows",
    "check_texts",
    "check_types",
    "check_unchanged",
    "check_unchanged_records",
    "check_unchanged_tables",
    "contains_picture",
    "delivered_picture",
    "describe_distortion",
    "drafts_open",
    "film_length",
    "find_photograph",
    "in_order",
    "links_to",
    "list_observed",
    "make_change_trial",
    "note_block",
    "note_grid",
    "note_rest",
    "note_title",
    "note_versions",
    "nothing_else",
    "number_format",
    "page_shows",
    "picture_size",
    "printed_table",
    "slide_photograph",
    "sound_form",
    "sound_length",
    "sound_levels",
    "sound_tags",
    "sound_targets",
    "warehouse_changes",
    "warehouse_rows",
    "warehouse_types",
]
