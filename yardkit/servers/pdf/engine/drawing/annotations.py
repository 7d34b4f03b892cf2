"""Annotations: highlights, notes, free text, stamps, shapes; each with an appearance that every viewer shows."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.pages.space import Space
from yardkit.servers.pdf.engine.drawing import fonts
from yardkit.servers.pdf.engine.drawing.colors import parse_rgb
from yardkit.servers.pdf.engine.drawing.overlay import Sheets, sheets_in
from yardkit.servers.pdf.engine.package.document import make_stream, open_pdf, render_pdf, save_pdf, warnings_of
from yardkit.servers.pdf.engine.package.pages import check_on_page, has_overlap, space_of
from yardkit.servers.pdf.engine.reading.page_text import search_text
from yardkit.servers.pdf.engine.reading.words import turn_at, turn_upright, turned_back, words_of
from yardkit.world import Problem
from yardkit.world.boxes import Box
from yardkit.world.wording import format_count

PRELOAD = ("pikepdf", "pypdfium2", "pypdfium2.raw", "re2", "reportlab.pdfgen.canvas", "reportlab.pdfbase.ttfonts")
MAX_MARKS = 5_000

Kind = Literal["highlight", "underline", "strike", "note", "free_text", "stamp", "rect", "ink"]
_SUBTYPES = {
    "highlight": "Highlight",
    "underline": "Underline",
    "strike": "StrikeOut",
    "note": "Text",
    "free_text": "FreeText",
    "stamp": "Stamp",
    "rect": "Square",
    "ink": "Ink",
}
_COLORS = {"highlight": "#ffe14d", "note": "#ffe14d", "free_text": "#000000"}
_NOTE = 20.0


@dataclass(frozen=True)
class Mark:
    """An annotation to add.

    Attributes:
        kind: what it is.
        page: from 1; without, `find` looks on all pages.
        find: put it on each place of this text (instead of `boxes`).
        boxes: [[x0, y0, x1, y1], ...] in points as displayed; a note stands at the first corner.
        text: of the comment, the free text or the stamp.
        color: #RRGGBB.
        strokes: ink: lines of points [[[x, y], ...], ...].
        font_size: of free text.
    """

    kind: Kind
    page: int | None = None
    find: str | None = None
    boxes: list[list[float]] = field(default_factory=list)
    text: str = ""
    author: str = ""
    color: str | None = None
    strokes: list[list[list[float]]] = field(default_factory=list)
    font_size: float = 11
    line_width: float = 1.5


@dataclass(frozen=True)
class _Placed:
    mark: Mark
    page: int
    boxes: list[list[float]]
    turns: list[int | None] = field(default_factory=list)


def annotate_pdf(
    source: Path, target: Path, password: str, marks: list[Mark], delete: list[str], now: datetime
) -> tuple[int, int, list[str]]:
    """Add annotations and delete others by id ("page.number" of the list, or "all", "all:Highlight").

    Returns how many were added and deleted, and warnings.

    Raises:
        Problem: the file cannot be read, a text is not found, a mark lacks something, or an id does not exist.
    """
    asked = [placed_mark for mark in marks for placed_mark in _locate_mark(source, password, mark)]
    placed = _turn_marks(source, password, _filter_visible(source, password, asked))
    if len(placed) > MAX_MARKS:
        raise Problem(f"that makes {len(placed):,} annotations; the limit is {MAX_MARKS:,}")
    with open_pdf(source, password, strict=True) as pdf:
        warnings = warnings_of(pdf, "annotate")
        if len(placed) < len(asked):
            places = format_count(len(asked) - len(placed), "place")
            warnings.append(f"not marked: {places} where the text lies off the page as shown (cropped away)")
        drawn = (mark.text for mark in marks if mark.kind in ("free_text", "stamp"))
        warnings += [unseen for text in drawn if (unseen := fonts.explain_missing_letters(text))]
        removed = _delete_annotations(pdf, delete)
        _add(pdf, placed, now)
        save_pdf(pdf, target)
    _read_back(target, password, placed)
    return len(placed), removed, warnings


def _locate_mark(source: Path, password: str, mark: Mark) -> list[_Placed]:
    if mark.find:
        expression = str(mark.page) if mark.page else None
        text_matches = search_text(source, mark.find, password, expression, limit=MAX_MARKS + 1).matches
        if not text_matches:
            where = f"page {mark.page}" if mark.page else "any page"
            raise Problem(f"{mark.find!r} was not found on {where}; use search_pdf to find the exact text")
        return [_Placed(mark, match.page, match.boxes) for match in text_matches]
    if mark.page is None:
        raise Problem(f"a {mark.kind} needs `page` with `boxes` (or `strokes`), or `find`")
    boxes = mark.boxes or _around_strokes(mark)
    if not boxes or any(len(box) not in ((2, 4) if mark.kind == "note" else (4,)) for box in boxes):
        raise Problem(f"a {mark.kind} needs `boxes`: [[x0, y0, x1, y1], ...] in points from the top left, or `find`")
    if mark.kind in ("free_text", "stamp") and not mark.text:
        raise Problem(f"a {mark.kind} needs `text`")
    return [_Placed(mark, mark.page, boxes)]


def _filter_visible(source: Path, password: str, asked: list[_Placed]) -> list[_Placed]:
    """The marks without those on text that was looked for and lies off its page."""
    text_marks = [placed for placed in asked if placed.mark.find]
    if not text_marks:
        return asked
    with render_pdf(source, password) as document:
        sizes = {number: document[number - 1].get_size() for number in {placed.page for placed in text_marks}}
    visible_marks = [
        placed
        for placed in asked
        if not placed.mark.find or all(has_overlap(box, (0, 0, *sizes[placed.page])) for box in placed.boxes)
    ]
    for mark in {id(placed.mark): placed.mark for placed in text_marks}.values():
        if not any(placed.mark is mark for placed in visible_marks):
            raise Problem(f"{mark.find!r} is only on cropped parts of the pages; an annotation would not be visible")
    return visible_marks


def _turn_marks(source: Path, password: str, placed: list[_Placed]) -> list[_Placed]:
    """The marks with how far the words in their boxes are turned: a line under or through words runs along them."""
    pages = {placed_mark.page for placed_mark in placed if placed_mark.mark.kind in ("underline", "strike")}
    if not pages:
        return placed
    with render_pdf(source, password) as document:
        words = {number: words_of(document[number - 1]) for number in pages if 1 <= number <= len(document)}
    return [
        replace(placed_mark, turns=[turn_at(words.get(placed_mark.page, []), box) for box in placed_mark.boxes])
        if placed_mark.page in pages
        else placed_mark
        for placed_mark in placed
    ]


def _around_strokes(mark: Mark) -> list[list[float]]:
    points = [point for stroke in mark.strokes for point in stroke]
    if mark.kind != "ink" or not points or any(len(point) != 2 for point in points):
        return []
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    pad = mark.line_width
    return [[min(xs) - pad, min(ys) - pad, max(xs) + pad, max(ys) + pad]]


def _add(pdf: Any, placed: list[_Placed], now: datetime) -> None:
    import pikepdf

    sheets = Sheets()
    drawn: list[tuple[Any, int]] = []
    for number, placed_mark in enumerate(placed):
        if not 1 <= placed_mark.page <= len(pdf.pages):
            raise Problem(f"page {placed_mark.page} does not exist; the document has pages 1 to {len(pdf.pages)}")
        page = pdf.pages[placed_mark.page - 1]
        _check_place(placed_mark, space_of(page))
        new_annotation = _build_annotation(page, placed_mark, number, now)
        if placed_mark.mark.kind in ("note", "free_text", "stamp"):
            box = _surround_boxes(placed_mark)
            with sheets.sheet(box[2] - box[0], box[3] - box[1]) as canvas:
                _draw_sheet(canvas, placed_mark.mark, box[2] - box[0], box[3] - box[1])
            drawn.append((new_annotation, sheets.count - 1))
            new_annotation["/Turn"] = pikepdf.Array(space_of(page).turn)
        else:
            new_annotation["/AP"] = pikepdf.Dictionary(
                N=_draw_lines(pdf, placed_mark, space_of(page), new_annotation["/Rect"])
            )
        page.obj["/Annots"] = pikepdf.Array([*page.obj.get("/Annots", []), pdf.make_indirect(new_annotation)])
        drawn = [
            (page.obj["/Annots"][-1] if added_annotation is new_annotation else added_annotation, at)
            for added_annotation, at in drawn
        ]
    with sheets_in(pdf, sheets) as forms:
        for new_annotation, at in drawn:
            forms[at]["/Matrix"] = new_annotation["/Turn"]
            del new_annotation["/Turn"]
            new_annotation["/AP"] = pikepdf.Dictionary(N=forms[at])


def _check_place(placed: _Placed, space: Space) -> None:
    """A mark that lies off the page, or has no extent, is seen by nobody."""
    for box in [list(_surround_boxes(placed))] if placed.mark.kind == "note" else placed.boxes:
        check_on_page(box, space)


def _surround_boxes(placed: _Placed) -> Box:
    if placed.mark.kind == "note":
        x, y = placed.boxes[0][:2]
        return x, y, x + _NOTE, y + _NOTE
    boxes = placed.boxes
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def _build_annotation(page: Any, placed: _Placed, number: int, now: datetime) -> Any:
    import pikepdf

    mark = placed.mark
    space = space_of(page)
    color = parse_rgb(mark.color or _COLORS.get(mark.kind, "#d00000"))
    stamp = now.strftime("D:%Y%m%d%H%M%S+00'00'")
    new_annotation = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot,
        Subtype=pikepdf.Name("/" + _SUBTYPES[mark.kind]),
        Rect=pikepdf.Array([round(value, 3) for value in space.in_user(_surround_boxes(placed))]),
        Contents=pikepdf.String(mark.text),
        C=pikepdf.Array(color),
        F=4,
        P=page.obj,
        M=pikepdf.String(stamp),
        CreationDate=pikepdf.String(stamp),
        NM=pikepdf.String(f"yardkit-{placed.page}-{len(page.obj.get('/Annots', [])) + 1}-{number + 1}"),
    )
    if mark.author:
        new_annotation["/T"] = pikepdf.String(mark.author)
    _add_specific_entries(new_annotation, placed, space, color)
    return new_annotation


def _add_specific_entries(
    new_annotation: Any, placed: _Placed, space: Space, color: tuple[float, float, float]
) -> None:
    """What only annotations of a kind have."""
    import pikepdf

    mark = placed.mark
    if mark.kind in ("highlight", "underline", "strike"):
        new_annotation["/QuadPoints"] = pikepdf.Array([value for box in placed.boxes for value in _to_quad(space, box)])
    elif mark.kind == "note":
        new_annotation["/Name"] = pikepdf.Name.Comment
        new_annotation["/F"] = (
            12 if space.rotation else 28
        )  # its appearance is upright: a viewer would turn it once more
    elif mark.kind == "free_text":
        new_annotation["/DA"] = pikepdf.String(f"/Helv {mark.font_size:g} Tf {color[0]:g} {color[1]:g} {color[2]:g} rg")
        del new_annotation["/C"]
    elif mark.kind == "stamp":
        new_annotation["/Name"] = pikepdf.Name("/Custom")
    elif mark.kind == "ink":
        lines = [[value for point in stroke for value in space.point_in_user(*point)] for stroke in mark.strokes]
        new_annotation["/InkList"] = pikepdf.Array([pikepdf.Array(line) for line in lines])
    if mark.kind in ("rect", "ink"):
        new_annotation["/BS"] = pikepdf.Dictionary(W=mark.line_width)


def _to_quad(space: Space, box: list[float]) -> list[float]:
    """Top left, top right, bottom left, bottom right of a box as shown, in user space."""
    corners = [(box[0], box[1]), (box[2], box[1]), (box[0], box[3]), (box[2], box[3])]
    return [round(value, 3) for x, y in corners for value in space.point_in_user(x, y)]


def _draw_lines(pdf: Any, placed: _Placed, space: Space, rect: Any) -> Any:
    """The appearance of marks that are drawn right in user space."""
    import pikepdf

    mark = placed.mark
    red, green, blue = parse_rgb(mark.color or _COLORS.get(mark.kind, "#d00000"))
    color = f"{red:g} {green:g} {blue:g} {'rg' if mark.kind == 'highlight' else 'RG'}\n"
    turns = placed.turns or [0 for _ in placed.boxes]
    paths = (_build_path(mark, space, box, turn) for box, turn in zip(placed.boxes, turns, strict=True))
    body = "".join(paths) if mark.kind != "ink" else _build_ink(mark, space)
    state = pikepdf.Dictionary(BM=pikepdf.Name.Multiply) if mark.kind == "highlight" else pikepdf.Dictionary(CA=1)
    resources = pikepdf.Dictionary(ExtGState=pikepdf.Dictionary(G0=state))
    return make_stream(
        pdf,
        f"/G0 gs\n{color}{body}".encode(),
        Type=pikepdf.Name.XObject,
        Subtype=pikepdf.Name.Form,
        BBox=pikepdf.Array(list(rect)),
        Resources=resources,
    )


def _build_path(mark: Mark, space: Space, box: list[float], turn: int | None) -> str:
    if mark.kind in ("highlight", "rect"):
        inset = 0 if mark.kind == "highlight" else mark.line_width / 2
        x0, y0, x1, y1 = space.in_user((box[0] + inset, box[1] + inset, box[2] - inset, box[3] - inset))
        paint = "f" if mark.kind == "highlight" else "S"
        return f"{mark.line_width:g} w {x0:.3f} {y0:.3f} {x1 - x0:.3f} {y1 - y0:.3f} re {paint}\n"
    x0, y0, x1, y1 = turn_upright((box[0], box[1], box[2], box[3]), turn)
    tall = y1 - y0
    y = y0 + tall * (0.55 if mark.kind == "strike" else 0.93)
    start, end = (space.point_in_user(*turned_back((x, y), turn)) for x in (x0, x1))
    wide = max(0.06 * tall, 0.5)
    return f"{wide:.2f} w {start[0]:.3f} {start[1]:.3f} m {end[0]:.3f} {end[1]:.3f} l S\n"


def _build_ink(mark: Mark, space: Space) -> str:
    out = f"1 J 1 j {mark.line_width:g} w\n"
    for stroke in mark.strokes:
        points = [space.point_in_user(*point) for point in stroke]
        out += " ".join(f"{x:.3f} {y:.3f} {'l' if at else 'm'}" for at, (x, y) in enumerate(points)) + " S\n"
    return out


def _draw_sheet(canvas: Any, mark: Mark, width: float, height: float) -> None:
    color = parse_rgb(mark.color or _COLORS.get(mark.kind, "#d00000"))
    if mark.kind == "note":
        _draw_note(canvas, color)
    elif mark.kind == "stamp":
        _draw_stamp(canvas, mark, color, width, height)
    else:
        _draw_free_text(canvas, mark, color, width, height)


def _draw_note(canvas: Any, color: tuple[float, float, float]) -> None:
    canvas.setFillColorRGB(*color)
    canvas.setStrokeGray(0.25)
    canvas.setLineWidth(0.8)
    canvas.roundRect(1, 4, 18, 14, 3, stroke=1, fill=1)
    tail = canvas.beginPath()
    tail.moveTo(5, 4)
    tail.lineTo(5, 0.8)
    tail.lineTo(9, 4)
    canvas.drawPath(tail, stroke=1, fill=1)
    for y in (14, 11, 8):
        canvas.line(4.5, y, 15.5, y)


def _draw_stamp(canvas: Any, mark: Mark, color: tuple[float, float, float], width: float, height: float) -> None:
    style = fonts.Style("sans", bold=True)
    canvas.setFillColorRGB(*color)
    canvas.setStrokeColorRGB(*color)
    canvas.setLineWidth(2)
    canvas.roundRect(1.5, 1.5, width - 3, height - 3, min(6, height / 4), stroke=1, fill=0)
    size = min((height - 6) * 0.75, (width - 14) / max(fonts.measure_width(mark.text, style, 1), 0.01))
    x = (width - fonts.measure_width(mark.text, style, size)) / 2
    fonts.draw_line(canvas, x, (height - 0.72 * size) / 2, mark.text, style, size)


def _draw_free_text(canvas: Any, mark: Mark, color: tuple[float, float, float], width: float, height: float) -> None:
    style = fonts.Style()
    lines = fonts.wrap_text(mark.text, style, mark.font_size, width - 4)
    step = mark.font_size * 1.2
    if len(lines) * step - 0.2 * mark.font_size > height:
        raise Problem(
            f"the free text needs {len(lines)} lines, {len(lines) * step:.0f} points, but its box is "
            f"{height:.0f} high: make the box larger or font_size smaller"
        )
    canvas.setFillColorRGB(*color)
    for number, line in enumerate(lines):
        x = 2 + fonts.compute_indent(line, style, mark.font_size, width - 4)
        fonts.draw_line(canvas, x, height - 0.95 * mark.font_size - number * step, line, style, mark.font_size)


def _delete_annotations(pdf: Any, ids: list[str]) -> int:
    """Remove annotations by id; fields of forms and links only when named one by one or by kind."""
    import pikepdf

    marked_positions: set[tuple[int, int]] = set()
    for identifier in ids:
        named_positions = set(_list_named(pdf, identifier))
        if not named_positions:
            raise Problem(
                f"the annotation {identifier!r} does not exist; use list_pdf_items what='annotations' to see the ids"
            )
        marked_positions |= named_positions
    for page_number in {page for page, _ in marked_positions}:
        page = pdf.pages[page_number - 1].obj
        gone = {page["/Annots"][at - 1].objgen for number, at in marked_positions if number == page_number}
        left = [
            annotation
            for at, annotation in enumerate(page["/Annots"], start=1)
            if (page_number, at) not in marked_positions
        ]
        left = [
            annotation
            for annotation in left
            if not (annotation.get("/Subtype") == "/Popup" and _get_parent_id(annotation) in gone)
        ]
        page["/Annots"] = pikepdf.Array(left)
    return len(marked_positions)


def _get_parent_id(annotation: Any) -> Any:
    parent = annotation.get("/Parent")
    return parent.objgen if parent is not None else None


def _list_named(pdf: Any, identifier: str) -> list[tuple[int, int]]:
    word, _, kind = identifier.partition(":")
    places = [
        (number, at, str(annotation.get("/Subtype", "/"))[1:])
        for number, page in enumerate(pdf.pages, start=1)
        for at, annotation in enumerate(page.obj.get("/Annots", []), start=1)
    ]
    if word == "all":
        protected_kinds = {"Widget", "Link", "Popup"}
        return [
            (p, at) for p, at, sub in places if (sub.lower() == kind.lower() if kind else sub not in protected_kinds)
        ]
    return [(p, at) for p, at, sub in places if f"{p}.{at}" == identifier and sub != "Widget"]


def _read_back(target: Path, password: str, placed: list[_Placed]) -> None:
    with open_pdf(target, password) as pdf:
        for placed_mark in placed:
            kinds = [
                str(annotation.get("/Subtype"))
                for annotation in pdf.pages[placed_mark.page - 1].obj.get("/Annots", [])
                if "/AP" in annotation
            ]
            if "/" + _SUBTYPES[placed_mark.mark.kind] not in kinds:
                where = f"the {placed_mark.mark.kind} on page {placed_mark.page}"
                raise Problem(f"{where} is not in the saved file; nothing was changed")
