"""What a deck holds: slides, layouts, theme; the inventory of shapes; text as Markdown or outline."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from yardkit.kit.ooxml.xml import parse_part
from yardkit.servers.slides.engine.charts import charts
from yardkit.servers.slides.engine.looks import look_reader
from yardkit.servers.slides.engine.package import slide_copies
from yardkit.servers.slides.engine.package.deck import Deck
from yardkit.servers.slides.engine.package.shape_tree import (
    A,
    P,
    Placed,
    R,
    alt_text,
    get_kind,
    get_preset,
    get_role,
    non_visual,
    own_box,
    text_body,
    title_shape,
    walk_shapes,
)
from yardkit.servers.slides.engine.package.theme import SLOTS, theme_colors, theme_fonts, theme_root
from yardkit.servers.slides.engine.results import (
    DeckInfo,
    LayoutInfo,
    ParagraphInfo,
    PlaceholderInfo,
    RunInfo,
    ShapeInfo,
    SlideContent,
    SlideInfo,
    SlidePage,
    ThemeInfo,
)
from yardkit.servers.slides.engine.shapes import tables
from yardkit.servers.slides.engine.shapes.drawn_lines import drawn_lines
from yardkit.servers.slides.engine.slides.deck_settings import PROPERTIES
from yardkit.servers.slides.engine.slides.slide_look import get_transition
from yardkit.servers.slides.engine.text.paragraphs import paragraph_text, read_text

PAGE_CHARS = 40_000
_SHAPES_CHARS = 24_000
_PAGE_ROLES = ("date", "footer", "number", "header", "sldImg")
"""Placeholders of what stands on every page."""
_COMMENT_TEXTS = (f"{P}text", "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}txBody")


def inspect_deck(path: Path, offset: int, limit: int, *, details: bool) -> DeckInfo:
    """The slides in short, layouts (in `details` with boxes of placeholders), themes, sections and properties."""
    deck = Deck.open(path)
    count = len(deck.slides)
    parts = slide_copies.list_sections(deck)
    of_slide = {number: name for name, numbers in parts for number in numbers}
    chosen = list(enumerate(deck.slides, 1))[offset : offset + limit]
    following = offset + limit if offset + limit < count else None
    slides = [_slide_info(slide, number, of_slide.get(number, "")) for number, slide in chosen]
    if offset:
        return DeckInfo(size_cm(deck.width), size_cm(deck.height), count, slides, following)
    core = (
        deck.opened.core_properties
        if any("core-properties" in rel.reltype for rel in deck.opened._rels.values())
        else None
    )
    deck_properties = (
        {} if core is None else {name: str(getattr(core, name) or "") for name in (*PROPERTIES, "created", "modified")}
    )
    return DeckInfo(
        size_cm(deck.width),
        size_cm(deck.height),
        count,
        slides,
        following,
        layouts=_list_layouts(deck, details=details),
        themes=[_read_theme(master) for master in deck.presentation.slide_masters],
        sections=dict(parts),
        properties={name: value for name, value in deck_properties.items() if value},
        macros=any("vbaProject" in str(part.partname) for part in deck.opened.iter_parts()),
    )


def size_cm(value: int) -> float:
    return round(value / 360_000, 2)


def _list_layouts(deck: Deck, *, details: bool) -> list[LayoutInfo]:
    layouts = []
    for number, master in enumerate(deck.presentation.slide_masters, 1):
        for layout in master.slide_layouts:
            holders = [shape for shape in layout.placeholders if get_role(shape) not in ("date", "footer", "number")]
            infos = (
                [PlaceholderInfo(shape.name, get_role(shape), _get_box(shape)) for shape in holders] if details else []
            )
            layouts.append(LayoutInfo(layout.name or "", number, [get_role(shape) for shape in holders], infos))
    return layouts


def _get_box(shape: Any) -> list[float] | None:
    box = own_box(shape)
    return None if box is None else box.cm()


def _read_theme(master: Any) -> ThemeInfo:
    root = theme_root(master)
    names = {slot: name for name, slot in SLOTS.items()}
    colors = {names.get(slot, slot): value for slot, value in theme_colors(root).items()}
    return ThemeInfo(colors, *theme_fonts(root))


def title_of(slide: Any) -> str:
    title = title_shape(slide)
    return "" if title is None else " ".join(read_text(text_body(title)).split())


def notes_of(slide: Any) -> str:
    """The speaker notes."""
    holder = slide.notes_slide.notes_placeholder if slide.has_notes_slide else None
    body = None if holder is None else text_body(holder)
    return "" if body is None else read_text(body).strip()


def beside_notes(slide: Any) -> list[str]:
    """What else was written onto the page of notes, in boxes of its own."""
    if not slide.has_notes_slide:
        return []
    notes_placeholder = slide.notes_slide.notes_placeholder
    own = None if notes_placeholder is None else notes_placeholder._element
    shapes = [placed.shape for placed in walk_shapes(slide.notes_slide.shapes)]
    bodies = [text_body(shape) for shape in shapes if shape._element is not own and get_role(shape) not in _PAGE_ROLES]
    return [text for body in bodies if body is not None and (text := read_text(body).strip())]


def comments_of(slide: Any) -> list[str]:
    """The comments on a slide and their answers, of both kinds that PowerPoint writes."""
    comments = []
    for relation in slide.part.rels.values():
        if not relation.is_external and relation.reltype.endswith("/comments"):
            root = parse_part(relation.target_part.blob, str(relation.target_part.partname))
            texts = (
                read_text(node) if node.tag.endswith("}txBody") else node.text for node in root.iter(*_COMMENT_TEXTS)
            )
            comments += [text.strip() for text in texts if text]
    return comments


def _slide_info(slide: Any, number: int, section: str) -> SlideInfo:
    shapes = Counter(get_kind(placed.shape) for placed in walk_shapes(slide.shapes))
    hidden = slide._element.get("show") in ("0", "false")
    name = slide.slide_layout.name or ""
    return SlideInfo(
        number, title_of(slide), name, section, hidden, dict(shapes), bool(notes_of(slide)), get_transition(slide)
    )


def read_slides(path: Path, slides: list[int] | None, *, details: bool) -> SlidePage:
    """The shapes of slides; runs, fills and lines with `details`. Stops when a page is full."""
    deck = Deck.open(path)
    numbers = deck.numbers(slides)
    slide_contents: list[SlideContent] = []
    size = 0
    for number in numbers:
        content = _read_content(deck.get_slide(number), number, details=details)
        size += len(repr(content)) // (3 if not details else 2)
        if slide_contents and size > _SHAPES_CHARS:
            return SlidePage(slide_contents, number)
        slide_contents.append(content)
    return SlidePage(slide_contents)


def _read_content(slide: Any, number: int, *, details: bool) -> SlideContent:
    background = slide._element.find(f"{P}cSld/{P}bg/{P}bgPr")
    return SlideContent(
        number,
        slide.slide_layout.name or "",
        [shape_info(slide, placed, details=details) for placed in walk_shapes(slide.shapes)],
        background="" if background is None else look_reader.read_fill(background),
        notes="\n".join(filter(None, [notes_of(slide), *beside_notes(slide)])),
        hidden=slide._element.get("show") in ("0", "false"),
        animated=slide._element.find(f"{P}timing") is not None,
        comments=comments_of(slide),
    )


def shape_info(slide: Any, placed: Placed, *, details: bool = True) -> ShapeInfo:
    shape = placed.shape
    name, box = get_kind(shape), placed.box
    body = text_body(shape)
    properties = shape._element.find(f"{P}spPr")
    elements = [] if body is None else list(body.iterfind(f"{A}p"))
    paragraphs = [_describe_paragraph(slide, element, details=details) for element in elements]
    paragraphs += [ParagraphInfo(text) for text in drawn_lines(shape)]
    line = None if properties is None else properties.find(f"{A}ln")
    return ShapeInfo(
        shape.shape_id,
        shape.name,
        name,
        None if box is None else box.cm(),
        get_role(shape),
        get_preset(shape) if name in ("shape", "connector") and not get_role(shape) else "",
        round(float(getattr(shape, "rotation", 0) or 0), 2),
        list(placed.groups),
        paragraphs if any(paragraph.text for paragraph in paragraphs) else [],
        tables.read_texts(shape) if name == "table" else [],
        _list_merges(shape) if name == "table" else [],
        charts.read_chart(shape) if getattr(shape, "has_chart", False) else None,
        alt_text(shape),
        look_reader.read_fill(properties) if details and properties is not None else "",
        look_reader.read_stroke(line) if details and line is not None else "",
        link_of(slide, non_visual(shape)),
        _describe_picture(shape) if name == "picture" else "",
        _get_crop(shape) if name == "picture" else [],
        _list_glued_shapes(shape) if name == "connector" else [],
        _get_autofit(body),
        non_visual(shape).get("hidden") in ("1", "true"),
        _read_look(shape, properties, body) if details else {},
        look_reader.cell_looks(shape) if details and name == "table" else [],
    )


def _read_look(shape: Any, properties: Any, body: Any) -> dict[str, object]:
    return look_reader.table_look(shape) if get_kind(shape) == "table" else look_reader.shape_look(properties, body)


def _list_merges(shape: Any) -> list[str]:
    areas = tables._find_merged_ranges(shape)
    return [f"{_format_span('row', a.top, a.bottom)}, {_format_span('column', a.left, a.right)}" for a in areas]


def _format_span(what: str, first: int, last: int) -> str:
    return f"{what} {first + 1}" if first == last else f"{what}s {first + 1}-{last + 1}"


def _describe_picture(shape: Any) -> str:
    blip = shape._element.find(f".//{A}blip")
    identity = None if blip is None else blip.get(f"{R}embed")
    if not identity or identity not in shape.part.rels or shape.part.rels[identity].is_external:
        return "linked"
    part = shape.part.related_part(identity)
    return f"{part.content_type}, {len(part.blob):,} bytes"


def _get_crop(shape: Any) -> list[float]:
    sides = [round(float(value), 4) for value in (shape.crop_left, shape.crop_top, shape.crop_right, shape.crop_bottom)]
    return sides if any(sides) else []


def _list_glued_shapes(shape: Any) -> list[int]:
    holder = shape._element.find(f"{P}nvCxnSpPr/{P}cNvCxnSpPr")
    ends = [] if holder is None else [holder.find(f"{A}{tag}") for tag in ("stCxn", "endCxn")]
    return [int(end.get("id", "0")) for end in ends if end is not None]


def _get_autofit(body: Any) -> str:
    frame = None if body is None else body.find(f"{A}bodyPr")
    names = {"normAutofit": "shrink", "spAutoFit": "resize", "noAutofit": "none"}
    return (
        "" if frame is None else next((name for tag, name in names.items() if frame.find(f"{A}{tag}") is not None), "")
    )


def _describe_paragraph(slide: Any, element: Any, *, details: bool) -> ParagraphInfo:
    properties = element.find(f"{A}pPr")
    values = {} if properties is None else properties.attrib
    marks = {"buNone": "none", "buChar": "bullet", "buAutoNum": "number", "buBlip": "picture"}
    bullet = (
        ""
        if properties is None
        else next((n for tag, n in marks.items() if properties.find(f"{A}{tag}") is not None), "")
    )
    runs = [_run(slide, run) for run in element if run.tag in (f"{A}r", f"{A}fld")] if details else []
    align = look_reader.ALIGN.get(values.get("algn", ""), "")
    space = look_reader.read_spacing(properties) if details else {}
    return ParagraphInfo(paragraph_text(element), int(values.get("lvl", "0")), align, bullet, runs, space)


def _run(slide: Any, run: Any) -> RunInfo:
    properties = run.find(f"{A}rPr")
    text = run.findtext(f"{A}t") or ""
    if properties is None:
        return RunInfo(text)
    bold, italic = (None if (v := properties.get(key)) is None else v in ("1", "true") for key in ("b", "i"))
    underline, size, latin = properties.get("u"), properties.get("sz"), properties.find(f"{A}latin")
    return RunInfo(
        text,
        bold,
        italic,
        None if underline is None else underline != "none",
        None if size is None else int(size) / 100,
        look_reader.read_fill(properties),
        "" if latin is None else latin.get("typeface", ""),
        link_of(slide, properties),
    )


def link_of(slide: Any, holder: Any) -> str:
    """The URL of a link, or #3 for slide 3."""
    link = holder.find(f"{A}hlinkClick")
    identity = None if link is None else link.get(f"{R}id")
    if link is None:
        return ""
    if not identity or identity not in slide.part.rels:
        return str(link.get("action", ""))
    relation = slide.part.rels[identity]
    if relation.is_external:
        return str(relation.target_ref)
    slides = [other.part for other in slide.part.package.presentation_part.presentation.slides]
    return f"#{slides.index(relation.target_part) + 1}" if relation.target_part in slides else str(relation.target_ref)
