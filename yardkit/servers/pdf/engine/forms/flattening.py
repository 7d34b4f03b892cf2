"""Make what stands on top of pages (fields, annotations) part of them (PDF 32000-1, 12.5.5, algorithm 8.1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.kit.pages.space import Matrix
from yardkit.servers.pdf.engine.drawing.overlay import add_content, name_for, own_resources
from yardkit.servers.pdf.engine.forms.widget_appearances import draw_missing_appearances
from yardkit.servers.pdf.engine.package.document import open_pdf, save_pdf, warnings_of
from yardkit.servers.pdf.engine.package.pages import (
    compute_bounds,
    expression_of,
    list_dictionaries,
    multiply_matrices,
    select_pages,
    space_of,
)
from yardkit.world import Problem
from yardkit.world.wording import format_count

PRELOAD = ("pikepdf", "reportlab.pdfgen.canvas", "reportlab.pdfbase.ttfonts")
_HIDDEN, _NO_ROTATE, _NO_VIEW = 2, 16, 32
_PRESERVED_SUBTYPES = ("/Link", "/Popup")


@dataclass
class _Tally:
    """What became of the annotations: how many were drawn, and the pages of the others, one entry each."""

    drawn: int = 0
    unchanged: list[int] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    bare: list[int] = field(default_factory=list)
    notes: list[int] = field(default_factory=list)

    def count_gone(self) -> int:
        return self.drawn + len(self.hidden) + len(self.bare)

    def list_warnings(self) -> list[str]:
        message = (
            (self.unchanged, "annotation", "without an appearance to draw stayed as before"),
            (self.hidden, "hidden item", "removed, not drawn"),
            (self.bare, "field", "without an appearance removed, not drawn"),
            (self.notes, "note", "drawn as an icon: the text of the comment is no longer in the file"),
        )
        return [
            f"{format_count(len(pages), what)} {done} (pages {expression_of(sorted(set(pages)))})"
            for pages, what, done in message
            if pages
        ]


def flatten_pdf(
    source: Path, target: Path, password: str, pages: str | None = None, fields: bool = True, annotations: bool = True
) -> tuple[int, list[str]]:
    """Draw fields and annotations into the pages and remove them; returns how many were drawn, and warnings.

    Links stay links, and annotations that have no appearance, which each viewer draws in its way, stay what they are.
    What is hidden disappears.

    Raises:
        Problem: the file cannot be read, a page does not exist, or there is nothing to flatten.
    """
    with open_pdf(source, password, strict=True) as pdf:
        numbers = set(select_pages(pages, len(pdf.pages)))
        warnings = warnings_of(pdf)
        if fields:
            draw_missing_appearances(pdf)

        def is_selected(annotation: Any) -> bool:
            return fields if annotation.get("/Subtype") == "/Widget" else annotations

        tally = _Tally()
        for number in sorted(numbers):
            _flatten_page(pdf, number, is_selected, tally)
        if not tally.count_gone():
            message = "; ".join(["list_pdf_items shows the annotations", *tally.list_warnings()])
            raise Problem(f"nothing to flatten on {f'the pages {pages}' if pages else 'any page'}; {message}")
        drop_fields(pdf)
        save_pdf(pdf, target)
        return tally.drawn, warnings + tally.list_warnings()


def flatten_widgets(pdf: Any) -> None:
    """Flatten every field of an open document."""
    draw_missing_appearances(pdf)
    for number in range(1, len(pdf.pages) + 1):
        _flatten_page(pdf, number, lambda annotation: bool(annotation.get("/Subtype") == "/Widget"), _Tally())
    drop_fields(pdf)


def _flatten_page(pdf: Any, number: int, is_selected: Callable[[Any], bool], tally: _Tally) -> None:
    import pikepdf

    page = pdf.pages[number - 1]
    annotations = page.obj.get("/Annots")
    if annotations is None:
        return
    chosen = [
        annotation
        for annotation in annotations
        if annotation.get("/Subtype") not in _PRESERVED_SUBTYPES
        and is_selected(annotation)
        and _count_annotation(annotation, number, tally)
    ]
    if not chosen:
        return
    object_resources = own_resources(page, "XObject")
    turn = space_of(page).turn
    painted = b"".join(_paint_annotation(annotation, object_resources, turn) for annotation in chosen)
    if painted:
        add_content(pdf, page, painted)
    gone = {annotation.objgen for annotation in chosen}
    left = [annotation for annotation in annotations if annotation not in chosen and not _popup_of(annotation, gone)]
    if left:
        page.obj["/Annots"] = pikepdf.Array(left)
    else:
        del page.obj["/Annots"]


def _count_annotation(annotation: Any, number: int, tally: _Tally) -> bool:
    """Enter into the tally what becomes of an annotation; whether it goes."""
    is_field = annotation.get("/Subtype") == "/Widget"
    if _is_hidden(annotation):
        tally.hidden.append(number)
    elif is_field and "/N" not in annotation.get("/AP", {}):
        tally.bare.append(number)
    elif is_field or _position_appearance(annotation) is not None:
        tally.drawn += 1
        if annotation.get("/Subtype") == "/Text" and str(annotation.get("/Contents", "")):
            tally.notes.append(number)
    else:
        tally.unchanged.append(number)
        return False
    return True


def _is_hidden(annotation: Any) -> bool:
    return bool(int(annotation.get("/F", 0)) & (_HIDDEN | _NO_VIEW))


def _popup_of(annotation: Any, gone: set[Any]) -> bool:
    parent = annotation.get("/Parent")
    return bool(annotation.get("/Subtype") == "/Popup" and parent is not None and parent.objgen in gone)


def appearance_of(annotation: Any) -> Any:
    """The stream that shows an annotation in its present state, or nothing."""
    import pikepdf

    face = annotation.get("/AP", {}).get("/N")
    if face is not None and not isinstance(face, pikepdf.Stream):
        face = face.get(str(annotation.get("/AS", "/Off")))
    return face if isinstance(face, pikepdf.Stream) else None


def _position_appearance(annotation: Any) -> tuple[Any, tuple[float, float, float, float]] | None:
    """The appearance of an annotation, and the scales and offsets that put it into its rectangle; if it has any."""
    face = appearance_of(annotation)
    if face is None or "/BBox" not in face:
        return None
    matrix = tuple(float(value) for value in face.get("/Matrix", [1, 0, 0, 1, 0, 0]))
    box = compute_bounds(matrix, [float(value) for value in face["/BBox"]])  # type: ignore[arg-type]
    x0, y0, x1, y1 = (float(value) for value in annotation["/Rect"])
    x0, y0, x1, y1 = min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)
    wide, tall = box[2] - box[0], box[3] - box[1]
    if not wide or not tall:
        return None
    sx, sy = (x1 - x0) / wide, (y1 - y0) / tall
    return face, (sx, sy, x0 - box[0] * sx, y0 - box[1] * sy)


def _paint_annotation(annotation: Any, object_resources: Any, turn: Matrix) -> bytes:
    placed = _position_appearance(annotation)
    if placed is None or _is_hidden(annotation):
        return b""
    face, (sx, sy, x, y) = placed
    name = name_for(object_resources, "Flat")
    if "/Subtype" not in face:
        face["/Subtype"] = _make_name("/Form")
    object_resources[name] = face
    matrix = (sx, 0.0, 0.0, sy, x, y)
    if int(annotation.get("/F", 0)) & _NO_ROTATE:
        matrix = multiply_matrices(matrix, _about_corner(annotation["/Rect"], turn))
    numbers = " ".join(f"{value:.6g}" for value in matrix)
    return f"q {numbers} cm {name} Do Q\n".encode()


def _about_corner(rect: Any, turn: Matrix) -> Matrix:
    """A turn about the upper left corner of a rectangle, where what does not rotate with its page is held (12.5.3)."""
    left, top = min(float(rect[0]), float(rect[2])), max(float(rect[1]), float(rect[3]))
    return multiply_matrices(multiply_matrices((1, 0, 0, 1, -left, -top), turn), (1, 0, 0, 1, left, top))


def _make_name(text: str) -> Any:
    import pikepdf

    return pikepdf.Name(text)


def drop_fields(pdf: Any) -> None:
    """Remove the fields that have no widget on any page any more, and the form when none is left."""
    import pikepdf

    form = pdf.Root.get("/AcroForm")
    if form is None:
        return
    every = [dictionary for page in pdf.pages for dictionary in list_dictionaries(page.obj, "/Annots")]
    alive = {annotation.objgen for annotation in every if annotation.get("/Subtype") == "/Widget"}
    left = [dictionary for dictionary in list_dictionaries(form, "/Fields") if _is_alive(dictionary, alive, 0)]
    if left:
        form["/Fields"] = pikepdf.Array(left)
    else:
        del pdf.Root["/AcroForm"]


def _is_alive(field: Any, alive: set[Any], depth: int) -> bool:
    import pikepdf

    if field.objgen in alive:
        return True
    kids = [kid for kid in list_dictionaries(field, "/Kids") if depth < 30 and _is_alive(kid, alive, depth + 1)]
    if kids:
        field["/Kids"] = pikepdf.Array(kids)
    return bool(kids)
