"""How near misses change the solved dossier and its log."""

import io
from collections.abc import Callable, Sequence
from typing import Any

from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Solved

_MM = 72 / 25.4
WHOLE_PAGE = (0.0, 0.0, 595.28, 841.89)
Box = tuple[float, float, float, float]


def edit_dossier(work: Solved, change: Callable[[Any, Any], object]) -> None:
    import pikepdf

    dossier, public = work.files / work.facts["file"], work.files / work.facts["public"]
    with pikepdf.open(dossier) as original, open_edited(public) as opened:
        change(opened, original)


def find_field(fields: Any, name: str) -> Any:
    return next(field for field in fields if str(field.get("/T", "")) == name)


def place_of_field(opened: Any, name: str) -> tuple[int, Box]:
    """On which page, from 0, a field is, and its box."""
    pages = ((number, page.obj.get("/Annots", [])) for number, page in enumerate(opened.pages))
    number, field = next((n, field) for n, fields in pages for field in fields if str(field.get("/T", "")) == name)
    left, bottom, right, top = (float(side) for side in field.Rect)
    return number, (left, bottom, right, top)


def places_of(work: Solved, number: int) -> list[list[float]]:
    """The boxes of the private terms on a page of the dossier, in millimetres from its upper left corner."""
    import pypdfium2

    opened = pypdfium2.PdfDocument((work.files / work.facts["file"]).read_bytes())
    page = opened[number]
    text, boxes, tall = page.get_textpage(), [], page.get_height()
    for term in work.facts["terms"]:
        search = text.search(term)
        while (match := search.get_next()) is not None:
            for place in range(text.count_rects(*match)):
                left, bottom, right, top = text.get_rect(place)
                boxes.append([side / _MM for side in (left - 1, tall - top - 2, right + 1, tall - bottom + 2)])
    opened.close()
    return boxes


def paint_original_part(work: Solved, opened: Any, number: int, box: Box) -> None:
    """Lay a picture of a part of a page, as the dossier shows it, over that part."""
    import pikepdf
    import pypdfium2

    left, bottom, right, top = box
    original = pypdfium2.PdfDocument((work.files / work.facts["file"]).read_bytes())
    original.init_forms()
    picture, buffer = original[number].render(scale=2).to_pil().convert("RGB"), io.BytesIO()
    sides = (2 * left, picture.height - 2 * top, 2 * right, picture.height - 2 * bottom)
    part = picture.crop(tuple(map(round, sides)))
    part.save(buffer, "JPEG", quality=85)
    original.close()
    kind = {"Type": pikepdf.Name.XObject, "Subtype": pikepdf.Name.Image, "ColorSpace": pikepdf.Name.DeviceRGB}
    size = {"Width": part.width, "Height": part.height, "BitsPerComponent": 8, "Filter": pikepdf.Name.DCTDecode}
    page = opened.pages[number]
    name = page.add_resource(opened.make_stream(buffer.getvalue(), **kind, **size), pikepdf.Name.XObject)
    drawn = f"q {right - left:.2f} 0 0 {top - bottom:.2f} {left:.2f} {bottom:.2f} cm {name} Do Q"
    page.contents_add(drawn.encode(), prepend=False)


def put_original(opened: Any, original: Any, number: int) -> None:
    """Put the dossier's page, counted from 1, in place of the redacted one."""
    opened.pages[number - 1] = original.pages[number - 1]


def cover_boxes(opened: Any, number: int, boxes_mm: Sequence[Sequence[float]]) -> None:
    """Lay black boxes over a page, counted from 1; in millimetres from its upper left corner."""
    boxes = ((x0 * _MM, (297 - y1) * _MM, (x1 - x0) * _MM, (y1 - y0) * _MM) for x0, y0, x1, y1 in boxes_mm)
    drawn = " ".join("{:.1f} {:.1f} {:.1f} {:.1f} re f".format(*box) for box in boxes)
    opened.pages[number - 1].contents_add(f"q 0 g {drawn} Q".encode(), prepend=False)
