"""Ready checkpoints: each is a leaf that brings its check, its evidence and the targets that it observes.

A task states its tables (`Table`: where, which columns of which kind, what tells rows apart, the true rows) and puts
leaves together. By hand it writes only the leaf that is its point.
"""

from yardkit.evaluators.leaves.announcements import announced
from yardkit.evaluators.leaves.answers import answer_name, answer_number, answer_whitelisted
from yardkit.evaluators.leaves.collages import Collage
from yardkit.evaluators.leaves.column_kinds import Code, Date, Exact, FileName, Kind, Names, Number, Text
from yardkit.evaluators.leaves.combinations import all_of
from yardkit.evaluators.leaves.compositions import (
    Logo,
    changed_only_at,
    distortion,
    find_photograph,
    observed,
    picture_size,
)
from yardkit.evaluators.leaves.conditional_formats import ABOVE, BELOW, coloured
from yardkit.evaluators.leaves.deck_pictures import pictures_whole
from yardkit.evaluators.leaves.drafts import drafts_open
from yardkit.evaluators.leaves.drawn_boxes import DrawnBoxes
from yardkit.evaluators.leaves.drawn_charts import DrawnBars, answer_picture, delivered_picture
from yardkit.evaluators.leaves.drop_downs import drop_downs
from yardkit.evaluators.leaves.events import events
from yardkit.evaluators.leaves.films import film_length, plays
from yardkit.evaluators.leaves.frames import framed
from yardkit.evaluators.leaves.guardrails import inspected, kept, looked, nothing_else
from yardkit.evaluators.leaves.lettering import Lettering
from yardkit.evaluators.leaves.live_formulas import Trial, changed, formulas, live
from yardkit.evaluators.leaves.mails import Mails, filed, marked
from yardkit.evaluators.leaves.notes import note_block, note_grid, note_rest, note_title, note_versions
from yardkit.evaluators.leaves.number_formats import decimals, number_format
from yardkit.evaluators.leaves.page_pictures import alternative, links_to, page_shows
from yardkit.evaluators.leaves.records import Records, kept_records, records
from yardkit.evaluators.leaves.redacted_pictures import RedactedPicture
from yardkit.evaluators.leaves.reports import (
    Found,
    contains_picture,
    findings,
    headlines,
    neat,
    outline,
    printed_table,
)
from yardkit.evaluators.leaves.rows import agrees, cells, headers, in_order, items, just, rows, typed
from yardkit.evaluators.leaves.slide_pictures import ColumnChart, slide_photograph
from yardkit.evaluators.leaves.sounds import sound_form, sound_length, sound_levels, sound_tags, sound_targets
from yardkit.evaluators.leaves.tables import Line, Row, Sheets, Table
from yardkit.evaluators.leaves.texts import figures, headings, says
from yardkit.evaluators.leaves.warehouse import kept_tables, warehouse_changes, warehouse_rows, warehouse_types

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
    "coloured",
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
