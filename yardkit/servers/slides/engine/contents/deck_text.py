"""The text of a deck, as Markdown or as a bare outline, in reading order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

from yardkit.servers.slides.engine.charts import charts
from yardkit.servers.slides.engine.contents.deck_reader import (
    PAGE_CHARS,
    beside_notes,
    comments_of,
    link_of,
    notes_of,
    title_of,
)
from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import (
    A,
    Placed,
    alt_text,
    find_placeholder,
    get_kind,
    get_role,
    text_body,
    title_shape,
    walk_shapes,
)
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.results import ChartSeries, DeckText
from yardkit.servers.slides.engine.shapes import tables
from yardkit.servers.slides.engine.shapes.drawn_lines import drawn_lines
from yardkit.servers.slides.engine.text.bullets import is_marked
from yardkit.servers.slides.engine.text.paragraphs import paragraph_text, read_text, run_text

_EDGE_ROLES = ("number", "date", "footer", "header")


def read_deck_text(
    path: Path, slides: list[int] | None, form: Literal["markdown", "outline"], *, notes: bool
) -> DeckText:
    """The text of slides; stops when a page is full."""
    deck = Deck.open(path)
    slide_texts: list[str] = []
    repeated: dict[str, list[int]] = {}
    write: Callable[[Any, int, bool], str] = _format_markdown if form == "markdown" else _format_outline
    for number in deck.numbers(slides):
        slide = deck.get_slide(number)
        text = write(slide, number, notes)
        if slide_texts and sum(map(len, slide_texts)) + len(text) > PAGE_CHARS:
            return DeckText("\n\n".join(slide_texts), number, repeated)
        slide_texts.append(text)
        for line in dict.fromkeys([*_at_the_edge(slide), *_read_background_texts(slide)]):
            repeated.setdefault(line, []).append(number)
    return DeckText("\n\n".join(slide_texts), repeated=repeated)


def _at_the_edge(slide: Any) -> Iterator[str]:
    """The footer and the date of a slide."""
    for shape in (placed.shape for placed in walk_shapes(slide.shapes)):
        if get_role(shape) in _EDGE_ROLES and (body := text_body(shape)) is not None:
            fields = {field for field in body.iter(f"{A}fld") if field.get("type") == "slidenum"}
            text = "".join(run_text(run) for paragraph in body.iter(f"{A}p") for run in paragraph if run not in fields)
            yield from filter(None, [" ".join(text.split())])


def _read_background_texts(slide: Any) -> Iterator[str]:
    """What the layout and the master of a slide say, which stands behind its own shapes."""
    layout = slide.slide_layout
    above = [page for page in (slide, layout) if page._element.get("showMasterSp") in ("0", "false")]
    visible_sheets = [] if slide in above else [layout] if above else [layout, layout.slide_master]
    for shape in (placed.shape for page in visible_sheets for placed in walk_shapes(page.shapes)):
        body = text_body(shape)
        if body is not None and find_placeholder(shape) is None and (text := " ".join(read_text(body).split())):
            yield text


def in_reading_order(slide: Any) -> list[Placed]:
    """Shapes without groups: the title, then row by row; the placeholders of a layout stay together, in their order."""
    placed = [candidate for candidate in walk_shapes(slide.shapes) if get_kind(candidate.shape) != "group"]
    title = _title_element(slide)
    sortable_shapes = [
        placed_shape.box.top
        for placed_shape in placed
        if find_placeholder(placed_shape.shape) is not None
        and placed_shape.shape._element is not title
        and placed_shape.box
    ]

    def key(placed_shape: Placed) -> tuple[bool, int, float]:
        ph, box = find_placeholder(placed_shape.shape), placed_shape.box
        top, left = (box.top, box.left) if box else (0.0, 0.0)
        if ph is not None and sortable_shapes:
            top, left = min(sortable_shapes), float(ph.get("idx", "0")) - 1e9
        return placed_shape.shape._element is not title, round(top / 540_000), left

    return sorted(placed, key=key)


def _format_outline(slide: Any, number: int, notes: bool) -> str:
    lines = [f"{number}. {title_of(slide) or '(no title)'}"]
    for shape in _list_content_shapes(slide):
        body = text_body(shape)
        lines += ["   " + "  " * level + "- " + text for level, text in ([] if body is None else _list_lines(body))]
        lines += [f"   - {text}" for text in drawn_lines(shape)]
    return "\n".join([*lines, *(f"   {side_text}" for side_text in _list_side_texts(slide, notes=notes))])


def _list_content_shapes(slide: Any) -> list[Any]:
    """The shapes of a slide in reading order, without its title and what stands on every slide."""
    title = _title_element(slide)
    shapes = [placed.shape for placed in in_reading_order(slide)]
    return [shape for shape in shapes if shape._element is not title and get_role(shape) not in _EDGE_ROLES]


def _title_element(slide: Any) -> Any:
    title = title_shape(slide)
    return None if title is None else title._element


def _list_side_texts(slide: Any, *, notes: bool) -> list[str]:
    """The speaker notes and comments, if they are wanted."""
    notes_text = "\n".join(filter(None, [notes_of(slide), *beside_notes(slide)])) if notes else ""
    comments = comments_of(slide) if notes else []
    return [*([f"Notes: {notes_text}"] if notes_text else []), *(f"Comment: {comment}" for comment in comments)]


def _list_lines(body: Any) -> list[tuple[int, str]]:
    level_texts = [
        (_get_level(element), " ".join(paragraph_text(element).split())) for element in body.iterfind(f"{A}p")
    ]
    return [(level, text) for level, text in level_texts if text]


def _get_level(paragraph: Any) -> int:
    properties = paragraph.find(f"{A}pPr")
    return int(properties.get("lvl", "0")) if properties is not None else 0


def _format_markdown(slide: Any, number: int, notes: bool) -> str:
    hidden = " (hidden)" if slide._element.get("show") in ("0", "false") else ""
    blocks = [f"<!-- slide {number}{hidden} -->\n# {title_of(slide) or '(no title)'}"]
    for shape in _list_content_shapes(slide):
        described = alt_text(shape) if get_kind(shape) not in ("picture", "media") else ""
        blocks += [_format_block(slide, shape), *([f"({described})"] if described else [])]
    blocks += [
        "\n".join(f"> {line}".rstrip() for line in side_text.split("\n"))
        for side_text in _list_side_texts(slide, notes=notes)
    ]
    return "\n\n".join(block for block in blocks if block)


def _format_block(slide: Any, shape: Any) -> str:
    name = get_kind(shape)
    if name == "table":
        return _format_grid(tables.read_texts(shape))
    if getattr(shape, "has_chart", False):
        data = charts.read_chart(shape)
        head = ["", *(chart_series.name for chart_series in data.series)]
        rows = [
            [label, *(_format_value(chart_series.values, at) for chart_series in data.series)]
            for at, label in enumerate(data.categories)
        ]
        if not rows:
            rows = [[chart_series.name, "; ".join(_list_points(chart_series))] for chart_series in data.series]
            head = ["series", "(x, y)" if any(chart_series.x for chart_series in data.series) else "values"]
        named = [f"Axes: {', '.join(data.axis_titles)}"] if any(data.axis_titles) else []
        grid = _format_grid([head, *rows])
        return "\n\n".join([f"*Chart ({data.kind}): {data.title or shape.name}*", grid, *named, *data.texts])
    if name in ("picture", "media"):
        return f"![{alt_text(shape)}]({shape.name})"
    body = text_body(shape)
    lines = [f"- {line}" for line in drawn_lines(shape)]
    return "\n".join(lines) if body is None else _format_text(slide, shape, body)


def _list_points(series: ChartSeries) -> list[str]:
    values = [_format_value(series.values, at) for at in range(len(series.values))]
    if not series.x:
        return values
    return [f"({', '.join([_format_value(series.x, at), value])})" for at, value in enumerate(values)]


def _format_value(values: Sequence[float | None], at: int) -> str:
    value = values[at] if at < len(values) else None
    return "" if value is None else f"{value:.12g}"


def _format_grid(rows: list[list[str]]) -> str:
    lines = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", "<br>") for cell in row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + "---|" * len(rows[0]), *lines[1:]])


def _format_text(slide: Any, shape: Any, body: Any) -> str:
    look = Look(slide)
    lines = [line for paragraph in body.iterfind(f"{A}p") if (line := _text_line(slide, look, shape, paragraph))]
    glue = "\n" if any(line.lstrip().startswith("- ") for line in lines) else "\n\n"
    return glue.join(lines)


def _text_line(slide: Any, look: Look, shape: Any, paragraph: Any) -> str:
    """A paragraph as a line of Markdown."""
    text = "".join(_format_inline(slide, run) for run in paragraph).strip()
    properties = paragraph.find(f"{A}pPr")
    level = _get_level(paragraph)
    marked = is_marked([*([] if properties is None else [properties]), *look.levels(shape, level)])
    return "  " * level + "- " + text if marked and text else text


def _format_inline(slide: Any, run: Any) -> str:
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
