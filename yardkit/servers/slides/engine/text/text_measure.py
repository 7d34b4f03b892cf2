"""How much room text needs: lines broken as a presentation program breaks them, with inherited sizes and spacing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from yardkit.servers.slides.engine.package.shape_tree import A, Placed, text_body
from yardkit.servers.slides.engine.package.theme import Look
from yardkit.servers.slides.engine.text.fonts import line_pt, width_pt

EMU_PER_PT = 12_700
_WORD = re.compile(r"[\u2e80-\uffff]|[^\s\u2e80-\uffff]+-?|\s+")
_UPRIGHT = ("vert", "vert270", "eaVert", "wordArtVert")


@dataclass(frozen=True)
class Letters:
    """Resolved properties of a run."""

    text: str
    size_pt: float
    font: str
    bold: bool
    italic: bool
    color: str | None


@dataclass(frozen=True)
class Spacing:
    """Resolved properties of a paragraph, in points; line is a factor, or points where it is negative."""

    left: float
    indent: float
    before: float
    after: float
    line: float


@dataclass(frozen=True)
class Room:
    """What text needs and has, in points."""

    need_height: float
    need_width: float
    height: float
    width: float
    lines: int

    @property
    def over(self) -> float:
        """How many points the text is too high, or a word too wide."""
        return max(self.need_height - self.height, self.need_width - self.width)


def get_letters(look: Look, shape: Any, paragraph: Any, run: Any) -> Letters:
    """What a run looks like, with all that it inherits."""
    level = _get_level(paragraph)
    own = run.find(f"{A}rPr")
    chain = [own] if own is not None else []
    properties = paragraph.find(f"{A}pPr")
    chain += (
        [] if properties is None else [defaults for defaults in [properties.find(f"{A}defRPr")] if defaults is not None]
    )
    chain += [
        defaults
        for defaults in (source.find(f"{A}defRPr") for source in look.levels(shape, level))
        if defaults is not None
    ]
    latin = _find_first(
        chain, lambda source: None if source.find(f"{A}latin") is None else source.find(f"{A}latin").get("typeface")
    )
    styled = shape._element.find(f".//{{*}}style/{A}fontRef")
    color = None if own is None else look.color(own.find(f"{A}solidFill"))
    color = color or (look.color(styled) if styled is not None else None)
    color = color or next((c for source in chain if (c := look.color(source.find(f"{A}solidFill")))), None)
    return Letters(
        run.findtext(f"{A}t") or "",
        float(_find_first(chain, lambda source: source.get("sz")) or 1800) / 100,
        look.font(latin or "+mn-lt"),
        _find_first(chain, lambda source: source.get("b")) in ("1", "true"),
        _find_first(chain, lambda source: source.get("i")) in ("1", "true"),
        color or look.colors.get(look.map.get("tx1", "dk1")),
    )


def _find_first(chain: list[Any], get: Any) -> Any:
    return next((value for value in map(get, chain) if value is not None), None)


def _get_level(paragraph: Any) -> int:
    properties = paragraph.find(f"{A}pPr")
    return int(properties.get("lvl", "0")) if properties is not None else 0


def get_spacing(look: Look, shape: Any, paragraph: Any, size_pt: float) -> Spacing:
    own = paragraph.find(f"{A}pPr")
    chain = [*([] if own is None else [own]), *look.levels(shape, _get_level(paragraph))]
    points = [_find_first(chain, lambda source, key=key: source.get(key)) for key in ("marL", "indent")]
    before, after, line = (
        _find_first(chain, lambda source, tag=tag: source.find(f"{A}{tag}")) for tag in ("spcBef", "spcAft", "lnSpc")
    )
    left, indent = (float(value or 0) / EMU_PER_PT for value in points)
    return Spacing(
        left, indent, _measure_space(before, size_pt), _measure_space(after, size_pt), _get_line_factor(line)
    )


def _measure_space(element: Any, size_pt: float) -> float:
    if element is None or not len(element):
        return 0.0
    value = float(element[0].get("val", "0").rstrip("%"))
    return value / 100 if element[0].tag == f"{A}spcPts" else value / 100_000 * size_pt * 1.2


def _get_line_factor(element: Any) -> float:
    if element is None or not len(element):
        return 1.0
    value = float(element[0].get("val", "100000").rstrip("%"))
    return -value / 100 if element[0].tag == f"{A}spcPts" else value / 100_000


def list_frames(look: Look, shape: Any) -> Any:
    """The `a:bodyPr` elements that apply, nearest first."""
    bodies = [text_body(ancestor) for ancestor in [shape, *look.list_ancestors(shape)]]
    return [
        body_properties
        for body in bodies
        if body is not None and (body_properties := body.find(f"{A}bodyPr")) is not None
    ]


def get_attribute(frames: list[Any], key: str, default: str) -> str:
    return str(_find_first(frames, lambda body: body.get(key)) or default)


def find_autofit(frames: list[Any]) -> Any:
    """The autofit element that applies: normAutofit, spAutoFit, noAutofit, or None."""
    tags = (f"{A}normAutofit", f"{A}spAutoFit", f"{A}noAutofit")
    return next((child for body in frames for child in body if child.tag in tags), None)


def measure_room(look: Look, placed: Placed, scale: float | None = None) -> Room | None:
    """The room that the text of a shape needs and has; None where there is no text or no box."""
    shape, box, body = placed.shape, placed.box, text_body(placed.shape)
    if body is None or box is None or not "".join(body.itertext()).strip():
        return None
    frames = list_frames(look, shape)
    insets = [float(get_attribute(frames, key, default)) / EMU_PER_PT for key, default in _INSETS]
    width, height = box.width / EMU_PER_PT, box.height / EMU_PER_PT
    if get_attribute(frames, "vert", "horz") in _UPRIGHT:
        width, height = height, width
    width, height = width - insets[0] - insets[2], height - insets[1] - insets[3]
    fit = find_autofit(frames)
    factor, tighter = _get_shrink_factors(fit) if scale is None else (scale, min(0.2, 1 - scale))
    wraps = get_attribute(frames, "wrap", "square") != "none"
    need_height = need_width = 0.0
    count = 0
    columns = max(int(get_attribute(frames, "numCol", "1")), 1)
    for number, paragraph in enumerate(body.iterfind(f"{A}p")):
        runs = [
            get_letters(look, shape, paragraph, run) for run in paragraph if run.tag in (f"{A}r", f"{A}fld", f"{A}br")
        ]
        size = max((run.size_pt for run in runs), default=_empty_size(look, shape, paragraph)) * factor
        space = get_spacing(look, shape, paragraph, size)
        lines, widest = broken_lines(runs, width / columns - space.left if wraps else 1e9, factor, min(space.indent, 0))
        single = line_pt(runs[0].font if runs else look.fonts[1]) * size
        step = -space.line if space.line < 0 else single * max(space.line - tighter, 0.3)
        need_height += lines * step + (space.before * factor if number else 0) + space.after * factor
        need_width = max(need_width, widest + space.left)
        count += lines
    return Room(need_height / columns, need_width, height, width if wraps else 1e9, count)


def line_without_wrapping(look: Look, shape: Any) -> float:
    """The length in points of the longest line of text set not to wrap; 0 where text wraps or stands upright."""
    frames, body = list_frames(look, shape), text_body(shape)
    if (
        body is None
        or get_attribute(frames, "wrap", "square") != "none"
        or get_attribute(frames, "vert", "horz") in _UPRIGHT
    ):
        return 0.0
    lines = [0.0]
    for paragraph in body.iterfind(f"{A}p"):
        lines.append(0.0)
        for run in (piece for piece in paragraph if piece.tag in (f"{A}r", f"{A}fld", f"{A}br")):
            run_letters = get_letters(look, shape, paragraph, run)
            if run.tag == f"{A}br":
                lines.append(0.0)
            lines[-1] += width_pt(
                run_letters.text, run_letters.font, run_letters.size_pt, run_letters.bold, run_letters.italic
            )
    return max(lines)


_INSETS = (("lIns", "91440"), ("tIns", "45720"), ("rIns", "91440"), ("bIns", "45720"))


def _get_shrink_factors(fit: Any) -> tuple[float, float]:
    if fit is None or fit.tag != f"{A}normAutofit":
        return 1.0, 0.0
    values = [fit.get(key, default).rstrip("%") for key, default in (("fontScale", "100000"), ("lnSpcReduction", "0"))]
    return float(values[0]) / 100_000, float(values[1]) / 100_000


def _empty_size(look: Look, shape: Any, paragraph: Any) -> float:
    end = paragraph.find(f"{A}endParaRPr")
    if end is not None and end.get("sz"):
        return float(end.get("sz")) / 100
    chain = (level.find(f"{A}defRPr") for level in look.levels(shape, _get_level(paragraph)))
    return float(next((source.get("sz") for source in chain if source is not None and source.get("sz")), "1800")) / 100


def broken_lines(runs: list[Letters], width: float, factor: float, indent: float) -> tuple[int, float]:
    """Lines that runs take at a width in points, and the widest piece that cannot be broken."""
    lines, at, widest, started = 1, indent, 0.0, False
    for run in runs:
        if not run.text and run.font:
            lines, at, started = lines + 1, 0.0, False  # a line break
            continue
        for piece in _WORD.findall(run.text):
            wide = width_pt(piece, run.font, round(run.size_pt * factor, 2), run.bold, run.italic)
            blank = piece.isspace()
            if not blank and started and at + wide > width + 0.5:
                lines, at, started = lines + 1, 0.0, False
            at += wide
            started = started or not blank
            widest = max(widest, 0.0 if blank else wide)
    return lines, widest


def fitting_scale(look: Look, placed: Placed, floor: float = 0.5) -> float:
    """The largest scale of the text, in steps of 5 %, at which it fits; `floor` where none does."""
    for step in range(20, round(floor * 20) - 1, -1):
        text_room = measure_room(look, placed, step / 20)
        if text_room is None or text_room.over <= 0.5:
            return step / 20
    return floor
