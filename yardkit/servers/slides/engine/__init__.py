"""Presentations without MCP: read, build, edit, check and compare decks."""

from yardkit.servers.slides.engine.charts.charts import add as add_chart
from yardkit.servers.slides.engine.charts.charts import edit as edit_chart
from yardkit.servers.slides.engine.contents.checks import check
from yardkit.servers.slides.engine.contents.comparison import compare
from yardkit.servers.slides.engine.contents.deck_reader import inspect, read_slides
from yardkit.servers.slides.engine.contents.deck_text import read as read_text
from yardkit.servers.slides.engine.contents.speaker_notes import set_notes
from yardkit.servers.slides.engine.contents.text_replacement import format_text, left_in_charts, pattern, replace
from yardkit.servers.slides.engine.shapes.new_shapes import add_shapes, box_of
from yardkit.servers.slides.engine.shapes.pictures import export as export_picture
from yardkit.servers.slides.engine.shapes.pictures import place_picture
from yardkit.servers.slides.engine.shapes.shape_edits import edit as edit_shapes
from yardkit.servers.slides.engine.shapes.shape_text import set_text
from yardkit.servers.slides.engine.shapes.tables import add as add_table
from yardkit.servers.slides.engine.shapes.tables import edit as edit_table
from yardkit.servers.slides.engine.slides.deck_settings import ThemeChange, configure
from yardkit.servers.slides.engine.slides.new_slides import add as add_slides
from yardkit.servers.slides.engine.slides.new_slides import arrange, copy_slides, create
from yardkit.servers.slides.engine.slides.slide_look import SlideLook
from yardkit.servers.slides.engine.slides.slide_look import change as change_slides
from yardkit.servers.slides.engine.text.paragraphs import Format

__all__ = [
    "Format",
    "SlideLook",
    "ThemeChange",
    "add_chart",
    "add_shapes",
    "add_slides",
    "add_table",
    "arrange",
    "box_of",
    "change_slides",
    "check",
    "compare",
    "configure",
    "copy_slides",
    "create",
    "edit_chart",
    "edit_shapes",
    "edit_table",
    "export_picture",
    "format_text",
    "inspect",
    "left_in_charts",
    "pattern",
    "place_picture",
    "read_slides",
    "read_text",
    "replace",
    "set_notes",
    "set_text",
]
