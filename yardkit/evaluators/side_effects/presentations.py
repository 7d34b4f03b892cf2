"""What a presentation holds."""

from collections.abc import Hashable, Iterator

from yardkit.evaluators.readers.office.charts import Chart
from yardkit.evaluators.readers.office.presentations import Shape, Slide, read_deck
from yardkit.evaluators.side_effects.inventory import Inventory, Item, make_name
from yardkit.evaluators.submission import Submission

_FOOTERS = {"footer", "slide_number", "date"}


def take_inventory(submission: Submission, relative: str) -> Inventory:
    """The inventory of a presentation."""
    read = read_deck(submission, relative)
    inventory = Inventory()
    inventory.ordered["slides"] = [
        Item((*_list_slide_names(slide), make_name("title", slide.title)), (slide.title, slide.hidden))
        for slide in read.slides
    ]
    inventory.ordered["content"] = [item for slide in read.slides for item in _list_slide_items(slide)]
    for key, color in read.colors.items():
        inventory.key(make_name("theme", key), color)
    for key, font in read.fonts.items():
        inventory.key(make_name("theme", key), font)
    inventory.key("size", "slides", measures=(read.width_mm, read.height_mm))
    for key in ("title", "creator", "subject", "keywords"):
        inventory.key(make_name("property", key), read.properties.get(key, ""))
    return inventory


def _list_slide_names(slide: Slide) -> tuple[str, str]:
    return make_name("slide", slide.title), make_name("slide", slide.number)


def _list_slide_items(slide: Slide) -> Iterator[Item]:
    """What is on a slide, its title too, which keeps it apart from the one before; another title changes only that."""
    yield from (_describe_shape(slide, shape) for shape in slide.shapes if _is_visible(shape))
    if slide.notes.strip():
        yield Item(
            (make_name("notes", slide.title), *_list_slide_names(slide)), ("notes", " ".join(slide.notes.split()))
        )


def _is_visible(shape: Shape) -> bool:
    """An empty placeholder shows nothing when the slides are shown."""
    return shape.role not in _FOOTERS and not (shape.kind == "placeholder" and not shape.text.strip())


def _describe_shape(slide: Slide, shape: Shape) -> Item:
    names = (make_name("shape", slide.title, shape.name), *_list_slide_names(slide))
    lines = tuple((" ".join(line.text.split()), line.level, line.link) for line in shape.lines if line.text.strip())
    kind = "text" if shape.kind in ("text", "placeholder", "shape") else shape.kind
    value = (kind, lines, shape.table, _describe_chart(shape.chart), shape.digest, round(shape.rotation))
    return Item(names, value, shape.box_mm, 1.5)


def _describe_chart(chart: Chart | None) -> Hashable:
    if chart is None:
        return None
    series = tuple(
        (
            data_series.name,
            tuple(None if value is None else float(f"{value:.9g}") for value in data_series.values),
            data_series.categories,
        )
        for data_series in chart.series
    )
    return (chart.kind, chart.title, series)
