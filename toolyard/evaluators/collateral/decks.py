"""What a presentation holds."""

from collections.abc import Hashable

from toolyard.evaluators.collateral.inventory import Inventory, Item, name
from toolyard.evaluators.readers.drawings import Chart
from toolyard.evaluators.readers.slides import Shape, Slide, deck
from toolyard.evaluators.submission import Submission

_FOOTERS = {"footer", "slide_number", "date"}


def take(submission: Submission, relative: str) -> Inventory:
    """The inventory of a presentation."""
    read = deck(submission, relative)
    found = Inventory()
    found.ordered["slides"] = [
        Item((name("slide", slide.title), name("slide", slide.number)), (slide.title, slide.hidden))
        for slide in read.slides
    ]
    found.ordered["shapes"] = [
        _shape(slide, shape) for slide in read.slides for shape in slide.shapes if _counts(shape)
    ]
    found.ordered["notes"] = [
        Item((name("notes", slide.title), name("slide", slide.title)), (slide.title, " ".join(slide.notes.split())))
        for slide in read.slides
        if slide.notes.strip()
    ]
    for key, color in read.colors.items():
        found.key(name("theme", key), color)
    for key, font in read.fonts.items():
        found.key(name("theme", key), font)
    found.key("size", "slides", measures=(read.width_mm, read.height_mm))
    for key in ("title", "creator", "subject", "keywords"):
        found.key(name("property", key), read.properties.get(key, ""))
    return found


def _counts(shape: Shape) -> bool:
    """An empty placeholder shows nothing when the slides are shown."""
    return shape.role not in _FOOTERS and not (shape.kind == "placeholder" and not shape.text.strip())


def _shape(slide: Slide, shape: Shape) -> Item:
    names = (name("shape", slide.title, shape.name), name("slide", slide.title), name("slide", slide.number))
    lines = tuple((" ".join(line.text.split()), line.level, line.link) for line in shape.lines if line.text.strip())
    kind = "text" if shape.kind in ("text", "placeholder", "shape") else shape.kind
    value = (slide.title, kind, lines, shape.table, _chart(shape.chart), shape.digest, round(shape.rotation))
    return Item(names, value, shape.box_mm, 1.5)


def _chart(chart: Chart | None) -> Hashable:
    if chart is None:
        return None
    series = tuple(
        (each.name, tuple(None if value is None else float(f"{value:.9g}") for value in each.values), each.categories)
        for each in chart.series
    )
    return (chart.kind, chart.title, series)
