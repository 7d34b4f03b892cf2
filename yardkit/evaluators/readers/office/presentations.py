"""Reading delivered presentations (pptx): slides, shapes with their geometry, texts, tables, charts, notes, theme.

Lengths are millimetres from the top left corner of the slide.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.office.charts import Chart, read_chart
from yardkit.evaluators.readers.office.packages import Parts, open_parts, parse_file, read_core_properties
from yardkit.evaluators.submission import Submission

__all__ = ["Deck", "Line", "Shape", "Slide", "read_deck"]

# ECMA-376: 914,400 English Metric Units to an inch.
_EMU_PER_MM = 36_000
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MAX_DEPTH = 20


@dataclass(frozen=True)
class Line:
    """A paragraph of a shape: text, level (0 is outermost), size and font if set, address of its link."""

    text: str
    level: int = 0
    size_pt: float | None = None
    bold: bool | None = None
    font: str = ""
    color: str = ""
    link: str = ""


@dataclass(frozen=True)
class Shape:
    """A shape; members of groups are listed with the others, with their place on the slide.

    Attributes:
        kind: text, picture, chart, table, placeholder, line, group, media or shape.
        role: the role of a placeholder: title, body, subtitle, footer, slide_number, date, picture ...; else empty.
        box_mm: left, top, width, height; from the layout if the slide has none.
        digest: the digest of a picture's bytes.
    """

    id: int
    name: str
    kind: str
    role: str
    box_mm: tuple[float, float, float, float]
    lines: tuple[Line, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()
    chart: Chart | None = None
    alt: str = ""
    digest: str = ""
    rotation: float = 0.0
    fill: str = ""
    autofit: str = ""

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def right_mm(self) -> float:
        return self.box_mm[0] + self.box_mm[2]

    @property
    def bottom_mm(self) -> float:
        return self.box_mm[1] + self.box_mm[3]

    def overlap_mm2(self, other: "Shape") -> float:
        """The area of the overlap of two shapes."""
        wide = min(self.right_mm, other.right_mm) - max(self.box_mm[0], other.box_mm[0])
        tall = min(self.bottom_mm, other.bottom_mm) - max(self.box_mm[1], other.box_mm[1])
        return max(0.0, wide) * max(0.0, tall)


@dataclass(frozen=True)
class Slide:
    """A slide: layout's name, title, shapes from back to front, speaker notes, whether it is hidden."""

    number: int
    id: int
    layout: str
    title: str
    shapes: tuple[Shape, ...] = field(repr=False)
    notes: str
    hidden: bool
    transition: bool = False

    @property
    def text(self) -> str:
        """All texts on the slide, shape by shape, including the cells of tables."""
        pieces = []
        for shape in self.shapes:
            pieces += [shape.text] if shape.text else []
            pieces += ["\t".join(row) for row in shape.table]
        return "\n".join(pieces)

    @property
    def body(self) -> list[Line]:
        """The lines of its body placeholders and text boxes, without titles and footers."""
        skipped = {"title", "footer", "slide_number", "date"}
        return [line for shape in self.shapes if shape.role not in skipped for line in shape.lines if line.text.strip()]

    def of_kind(self, kind: str) -> list[Shape]:
        """Return the shapes of a kind."""
        return [shape for shape in self.shapes if shape.kind == kind]


@dataclass(frozen=True)
class Deck:
    """A presentation; `fonts` are the theme's ``major`` and ``minor``, `colors` its RRGGBB by name (accent1 ...)."""

    slides: tuple[Slide, ...]
    width_mm: float
    height_mm: float
    layouts: tuple[str, ...]
    fonts: Mapping[str, str]
    colors: Mapping[str, str]
    properties: Mapping[str, str]

    @property
    def titles(self) -> list[str]:
        return [slide.title for slide in self.slides]

    def off_slide(self, slide: Slide, tolerance_mm: float = 1.0) -> list[Shape]:
        """The shapes of a slide that reach beyond its edges."""
        return [
            shape
            for shape in slide.shapes
            if min(shape.box_mm[:2]) < -tolerance_mm
            or shape.right_mm > self.width_mm + tolerance_mm
            or shape.bottom_mm > self.height_mm + tolerance_mm
        ]


def read_deck(submission: Submission, relative: str) -> Deck:
    """Read a delivered presentation.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable presentation.
    """
    return parse_file(submission, relative, parse_deck, "presentation")


def parse_deck(path: Path) -> Deck:
    """Parse the presentation at `path`; it may raise any exception."""
    import pptx

    parts = open_parts(path)
    opened = pptx.Presentation(str(path))
    fonts, colors = _read_theme(parts)
    return Deck(
        tuple(_make_slide(slide, number) for number, slide in enumerate(opened.slides, 1)),
        _to_mm(opened.slide_width),
        _to_mm(opened.slide_height),
        tuple(layout.name for master in opened.slide_masters for layout in master.slide_layouts),
        fonts,
        colors,
        read_core_properties(parts),
    )


def _make_slide(slide: Any, number: int) -> Slide:
    shapes = tuple(_list_shapes(slide.shapes, (0.0, 0.0, 1.0, 1.0), 0))
    title = next((shape.text for shape in shapes if shape.role == "title"), "")
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    return Slide(
        number,
        slide.slide_id,
        slide.slide_layout.name,
        " ".join(title.split()),
        shapes,
        notes.text if notes is not None else "",
        hidden=slide._element.get("show", "1") in ("0", "false"),
        transition=any(str(element.tag).endswith("}transition") for element in slide._element.iter()),
    )


def _list_shapes(shapes: Any, frame: tuple[float, float, float, float], depth: int) -> Iterator[Shape]:
    """List the shapes and the members of groups, with their places on the slide.

    `frame` is the left, top and scales of the group's coordinates.
    """
    for shape in shapes:
        if str(shape._element.tag).endswith("}grpSp") and depth < _MAX_DEPTH:
            yield from _list_shapes(shape.shapes, _compute_inner_frame(shape, frame), depth + 1)
        else:
            yield _make_shape(shape, frame)


def _compute_inner_frame(group: Any, frame: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    place = group._element.grpSpPr.find(f"{_A}xfrm")
    if place is None or place.find(f"{_A}chExt") is None:
        return frame
    sizes = {name: place.find(f"{_A}{name}") for name in ("off", "ext", "chOff", "chExt")}
    x, y = (int(sizes["off"].get(side)) for side in ("x", "y"))
    inner_x, inner_y = (int(sizes["chOff"].get(side)) for side in ("x", "y"))
    wide, tall = (int(sizes["ext"].get(side)) / max(1, int(sizes["chExt"].get(side))) for side in ("cx", "cy"))
    left, top, across, down = frame
    return (
        left + across * (x - inner_x * wide) / _EMU_PER_MM,
        top + down * (y - inner_y * tall) / _EMU_PER_MM,
        across * wide,
        down * tall,
    )


def _make_shape(shape: Any, frame: tuple[float, float, float, float]) -> Shape:
    left, top, across, down = frame
    box = (
        round(left + across * _to_mm(shape.left), 2),
        round(top + down * _to_mm(shape.top), 2),
        round(across * _to_mm(shape.width), 2),
        round(down * _to_mm(shape.height), 2),
    )
    role = _find_role(shape)
    about = next((element for element in shape._element.iter() if str(element.tag).endswith("}cNvPr")), None)
    blob = _read_picture(shape)
    framed = shape.text_frame if getattr(shape, "has_text_frame", False) else None
    return Shape(
        id=shape.shape_id,
        name=shape.name,
        kind=_find_kind(shape, role, blob),
        role=role,
        box_mm=box,
        lines=tuple(_make_line(paragraph) for paragraph in framed.paragraphs) if framed is not None else (),
        table=_read_table(shape),
        chart=read_chart(shape.chart.part._element) if getattr(shape, "has_chart", False) else None,
        alt=(about.get("descr", "") if about is not None else ""),
        digest=hashlib.sha256(blob).hexdigest() if blob else "",
        rotation=float(getattr(shape, "rotation", 0.0) or 0.0),
        fill=_read_fill(shape),
        autofit=_read_autofit(framed),
    )


def _find_role(shape: Any) -> str:
    if not shape.is_placeholder:
        return ""
    kind = shape.placeholder_format.type
    name = kind.name.lower() if kind is not None else "body"
    return {"center_title": "title", "vertical_title": "title", "object": "body", "vertical_body": "body"}.get(
        name, name
    )


def _find_kind(shape: Any, role: str, blob: bytes | None) -> str:
    for kind, here in (("chart", "has_chart"), ("table", "has_table")):
        if getattr(shape, here, False):
            return kind
    tag = str(shape._element.tag).rsplit("}", 1)[-1]
    if blob is not None or tag == "pic":
        return "media" if next(shape._element.iter(f"{_A}videoFile"), None) is not None else "picture"
    if tag == "cxnSp":
        return "line"
    if role:
        return "placeholder"
    return "text" if getattr(shape, "has_text_frame", False) and shape.text_frame.text.strip() else "shape"


def _read_picture(shape: Any) -> bytes | None:
    try:
        blob: bytes = shape.image.blob
    except (AttributeError, ValueError, KeyError):
        return None
    return blob


def _read_table(shape: Any) -> tuple[tuple[str, ...], ...]:
    if not getattr(shape, "has_table", False):
        return ()
    return tuple(tuple(cell.text for cell in row.cells) for row in shape.table.rows)


def _make_line(paragraph: Any) -> Line:
    runs = [run for run in paragraph.runs if run.text]
    sizes = {run.font.size.pt if run.font.size else None for run in runs}
    bolds, fonts = {run.font.bold for run in runs}, {run.font.name for run in runs}
    return Line(
        text=paragraph.text.replace("\v", "\n"),
        level=paragraph.level,
        size_pt=max((size for size in sizes if size), default=None),
        bold=bolds.pop() if len(bolds) == 1 else None,
        font=(fonts.pop() or "") if len(fonts) == 1 else "",
        color=_run_color(runs[0]) if runs else "",
        link=next((run.hyperlink.address for run in runs if run.hyperlink.address), ""),
    )


def _run_color(run: Any) -> str:
    color = run._r.find(f"{_A}rPr/{_A}solidFill")
    return _read_solid_color(color)


def _read_fill(shape: Any) -> str:
    properties = getattr(shape._element, "spPr", None)
    return _read_solid_color(properties.find(f"{_A}solidFill")) if properties is not None else ""


def _read_solid_color(fill: Any) -> str:
    if fill is None or not len(fill):
        return ""
    return (
        str(fill[0].get("val", "")).upper() if str(fill[0].tag).endswith("srgbClr") else f"theme:{fill[0].get('val')}"
    )


def _read_autofit(frame: Any) -> str:
    body = frame._txBody.find(f"{_A}bodyPr") if frame is not None else None
    for name in ("normAutofit", "spAutoFit", "noAutofit"):
        if body is not None and body.find(f"{_A}{name}") is not None:
            return name
    return ""


def _read_theme(parts: Parts) -> tuple[dict[str, str], dict[str, str]]:
    masters = parts.list_related(parts.find_main(), "slideMaster")
    themes = parts.list_related(masters[0], "theme") if masters else []
    if not themes:
        return {}, {}
    root = parts.xml(themes[0])
    fonts = {
        kind: font.get("typeface", "")
        for kind in ("major", "minor")
        if (font := root.find(f".//{_A}{kind}Font/{_A}latin")) is not None
    }
    scheme = root.find(f".//{_A}clrScheme")
    colors = {
        str(slot.tag).rsplit("}", 1)[-1]: str(slot[0].get("lastClr") or slot[0].get("val", "")).upper()
        for slot in (scheme if scheme is not None else ())
        if len(slot)
    }
    return fonts, colors


def _to_mm(emu: Any) -> float:
    return round(int(emu or 0) / _EMU_PER_MM, 3)
