"""Presentations without MCP: read, build, edit, check and compare decks."""

from yardkit.servers.slides.engine.charts.charts import add as add_chart
from yardkit.servers.slides.engine.charts.charts import edit_chart as edit_chart
from yardkit.servers.slides.engine.contents.checks import check_deck
from yardkit.servers.slides.engine.contents.comparison import compare_decks
from yardkit.servers.slides.engine.contents.deck_reader import inspect_deck, read_slides
from yardkit.servers.slides.engine.contents.deck_text import read_deck_text as read_text
from yardkit.servers.slides.engine.contents.speaker_notes import set_notes
from yardkit.servers.slides.engine.contents.text_matches import Search as Search
from yardkit.servers.slides.engine.contents.text_replacement import (
    format_text,
    left_in_charts,
    replace_matches,
)
from yardkit.servers.slides.engine.shapes.new_shapes import add_shapes, box_of
from yardkit.servers.slides.engine.shapes.pictures import export_picture as export_picture
from yardkit.servers.slides.engine.shapes.pictures import place_picture
from yardkit.servers.slides.engine.shapes.shape_edits import edit_shapes as edit_shapes
from yardkit.servers.slides.engine.shapes.shape_text import set_text
from yardkit.servers.slides.engine.shapes.tables import add as add_table
from yardkit.servers.slides.engine.shapes.tables import edit_table as edit_table
from yardkit.servers.slides.engine.slides.deck_settings import ThemeChange, configure_deck
from yardkit.servers.slides.engine.slides.new_slides import add as add_slides
from yardkit.servers.slides.engine.slides.new_slides import arrange_slides, copy_slides, create_deck
from yardkit.servers.slides.engine.slides.slide_look import SlideLook
from yardkit.servers.slides.engine.slides.slide_look import change_slides as change_slides
from yardkit.servers.slides.engine.text.paragraphs import Format

__all__ = [
    "Format",
    "SlideLook",
    "ThemeChange",
    "add_chart",
    "add_shapes",
    "add_slides",
    "add_table",
    "arrange_slides",
    "box_of",
    "change_slides",
    "check_deck",
    "compare_decks",
    "configure_deck",
    "copy_slides",
    "create_deck",
    "edit_chart",
    "edit_shapes",
    "edit_table",
    "export_picture",
    "format_text",
    "inspect_deck",
    "left_in_charts",
    "place_picture",
    "read_slides",
    "read_text",
    "replace_matches",
    "set_notes",
    "set_text",
]
