"""Presentations without MCP: read, build, edit, check and compare decks."""

from toolyard.servers.slides.engine.adding import add_shapes, box_of
from toolyard.servers.slides.engine.building import add as add_slides
from toolyard.servers.slides.engine.building import arrange, bring, create
from toolyard.servers.slides.engine.charts import add as add_chart
from toolyard.servers.slides.engine.charts import edit as edit_chart
from toolyard.servers.slides.engine.checking import check
from toolyard.servers.slides.engine.comparing import compare
from toolyard.servers.slides.engine.frames import set_text
from toolyard.servers.slides.engine.notes import set_notes
from toolyard.servers.slides.engine.operations import edit as edit_shapes
from toolyard.servers.slides.engine.outline import read as read_text
from toolyard.servers.slides.engine.pictures import export as export_picture
from toolyard.servers.slides.engine.pictures import place_picture
from toolyard.servers.slides.engine.reading import inspect, read_slides
from toolyard.servers.slides.engine.replace import format_text, left_in_charts, pattern, replace
from toolyard.servers.slides.engine.settings import ThemeChange, configure
from toolyard.servers.slides.engine.slidelook import SlideLook
from toolyard.servers.slides.engine.slidelook import change as change_slides
from toolyard.servers.slides.engine.tables import add as add_table
from toolyard.servers.slides.engine.tables import edit as edit_table
from toolyard.servers.slides.engine.text import Format

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
    "bring",
    "change_slides",
    "check",
    "compare",
    "configure",
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
