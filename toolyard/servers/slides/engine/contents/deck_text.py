"""The text of a deck, as Markdown or as a bare outline, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from toolyard.servers.slides.engine.charts import charts
from toolyard.servers.slides.engine.contents.deck_reader import PAGE_CHARS, link_of, notes_of, title_of
from toolyard.servers.slides.engine.package.deck import Deck
from toolyard.servers.slides.engine.package.shape_tree import (
    A,
    Placed,
    alt_text,
    kind,
    placeholder,
    role,
    text_body,
    walk,
)
from toolyard.servers.slides.engine.package.theme import Look
from toolyard.servers.slides.engine.results import ChartSeries, DeckText
from toolyard.servers.slides.engine.shapes import tables
from toolyard.servers.slides.engine.text.bullets import is_marked
from toolyard.servers.slides.engine.text.paragraphs import paragraph_text, run_text


def read(path: Path, slides: list[int] | None, form: Literal["markdown", "outline"], *, notes: bool) -> DeckText:
    """The text of slides; stops when a page is full."""
    deck = Deck.open(path)
    found: list[str] = []
    write: Callable[[Any, int, bool], str] = _markdown if form == "markdown" else _outline
    for number in deck.numbers(slides):
        text = write(deck.slide(number), number, notes)
        if found and sum(map(len, found)) + len(text) > PAGE_CHARS:
            return DeckText("\n\n".join(found), number)
        found.append(text)
    return DeckText("\n\n".join(found))


def in_reading_order(slide: Any) -> list[Placed]:
    """Shapes without groups: the title, then row by row; the placeholders of a layout stay together, in their order."""
    placed = [candidate for candidate in walk(slide.shapes) if kind(candidate.shape) != "group"]
    held = [
        placed_shape.box.top
        for placed_shape in placed
        if placeholder(placed_shape.shape) is not None and role(placed_shape.shape) != "title" and placed_shape.box
    ]

    def key(placed_shape: Placed) -> tuple[bool, int, float]:
        ph, box = placeholder(placed_shape.shape), placed_shape.box
        top, left = (box.top, box.left) if box else (0.0, 0.0)
        if ph is not None and held:
            top, left = min(held), float(ph.get("idx", "0")) - 1e9
        return role(placed_shape.shape) != "title", round(top / 540_000), left

    return sorted(placed, key=key)


def _outline(slide: Any, number: int, notes: bool) -> str:
    lines = [f"{number}. {title_of(slide) or '(no title)'}"]
    for placed in in_reading_order(slide):
        body = text_body(placed.shape)
        if body is None or role(placed.shape) in ("title", "number", "date", "footer"):
            continue
        lines += ["   " + "  " * level + "- " + text for level, text in _lines(body)]
    told = notes_of(slide) if notes else ""
    return "\n".join([*lines, *([f"   Notes: {told}"] if told else [])])


def _lines(body: Any) -> list[tuple[int, str]]:
    found = [(_level(element), " ".join(paragraph_text(element).split())) for element in body.iterfind(f"{A}p")]
    return [(level, text) for level, text in found if text]


def _level(paragraph: Any) -> int:
    properties = paragraph.find(f"{A}pPr")
    return int(properties.get("lvl", "0")) if properties is not None else 0


def _markdown(slide: Any, number: int, notes: bool) -> str:
    hidden = " (hidden)" if slide._element.get("show") in ("0", "false") else ""
    blocks = [f"<!-- slide {number}{hidden} -->\n# {title_of(slide) or '(no title)'}"]
    shapes = [placed.shape for placed in in_reading_order(slide)]
    blocks += [_block(slide, shape) for shape in shapes if role(shape) not in ("title", "number", "date", "footer")]
    told = notes_of(slide) if notes else ""
    if told:
        blocks.append("\n".join(f"> {line}".rstrip() for line in f"Notes: {told}".split("\n")))
    return "\n\n".join(block for block in blocks if block)


def _block(slide: Any, shape: Any) -> str:
    name = kind(shape)
    if name == "table":
        return _grid(tables.texts(shape))
    if getattr(shape, "has_chart", False):
        data = charts.read(shape)
        head = ["", *(chart_series.name for chart_series in data.series)]
        rows = [
            [label, *(_value(chart_series.values, at) for chart_series in data.series)]
            for at, label in enumerate(data.categories)
        ]
        if not rows:
            rows = [[chart_series.name, "; ".join(_points(chart_series))] for chart_series in data.series]
            head = ["series", "(x, y)" if any(chart_series.x for chart_series in data.series) else "values"]
        return f"*Chart ({data.kind}): {data.title or shape.name}*\n\n{_grid([head, *rows])}"
    if name in ("picture", "media"):
        return f"![{alt_text(shape)}]({shape.name})"
    body = text_body(shape)
    return "" if body is None else _text(slide, shape, body)


def _points(series: ChartSeries) -> list[str]:
    values = [_value(series.values, at) for at in range(len(series.values))]
    if not series.x:
        return values
    return [f"({', '.join([_value(series.x, at), value])})" for at, value in enumerate(values)]


def _value(values: Sequence[float | None], at: int) -> str:
    value = values[at] if at < len(values) else None
    return "" if value is None else f"{value:.12g}"


def _grid(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", "<br>") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _text(slide: Any, shape: Any, body: Any) -> str:
    look = Look(slide)
    lines = [line for paragraph in body.iterfind(f"{A}p") if (line := _text_line(slide, look, shape, paragraph))]
    glue = "\n" if any(line.lstrip().startswith("- ") for line in lines) else "\n\n"
    return glue.join(lines)


def _text_line(slide: Any, look: Look, shape: Any, paragraph: Any) -> str:
    """A paragraph as a line of Markdown."""
    text = "".join(_inline(slide, run) for run in paragraph).strip()
    properties = paragraph.find(f"{A}pPr")
    level = _level(paragraph)
    marked = is_marked([*([] if properties is None else [properties]), *look.levels(shape, level)])
    return "  " * level + "- " + text if marked and text else text


def _inline(slide: Any, run: Any) -> str:
    if run.tag == f"{A}br":
        return " "
    text = run_text(run)
    properties = run.find(f"{A}rPr")
    if not text.strip() or properties is None:
        return text
    lead, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    inner = text.strip()
    for key, mark in (("i", "*"), ("b", "**")):
        if properties.get(key) in ("1", "true"):
            inner = f"{mark}{inner}{mark}"
    link = link_of(slide, properties)
    return f"{lead}[{inner}]({link}){tail}" if link else f"{lead}{inner}{tail}"
