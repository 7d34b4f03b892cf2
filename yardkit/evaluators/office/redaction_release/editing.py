"""How near misses change the solved dossier and its log."""

from collections.abc import Callable
from typing import Any

from yardkit.evaluators.proof import Solved

LIST = "release/private_persons.xlsx"
LOG = "release/redaction_log.xlsx"


def edit_dossier(work: Solved, change: Callable[[Any, Any], object]) -> None:
    import pikepdf

    path = work.files / work.facts["public"]
    with pikepdf.open(work.files / work.facts["file"]) as original:
        opened = pikepdf.open(path, allow_overwriting_input=True)
        change(opened, original)
        opened.save(path)
        opened.close()


def field_of(opened: Any, name: str) -> tuple[int, tuple[float, float, float, float]]:
    """On which page, from 0, a field is, and its box."""
    matching_fields = (
        (number, tuple(float(side) for side in annot.Rect))
        for number, page in enumerate(opened.pages)
        for annot in page.obj.get("/Annots", [])
        if str(annot.get("/T", "")) == name
    )
    number, (left, bottom, right, top) = next(matching_fields)
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
                boxes.append([side * 25.4 / 72 for side in (left - 1, tall - top - 2, right + 1, tall - bottom + 2)])
    opened.close()
    return boxes


def paint_original_part(work: Solved, opened: Any, number: int, box: tuple[float, float, float, float]) -> None:
    """Lay a picture of a part of a page, as the dossier shows it, over that part."""
    import io

    import pikepdf
    import pypdfium2

    left, bottom, right, top = box
    original = pypdfium2.PdfDocument((work.files / work.facts["file"]).read_bytes())
    original.init_forms()
    page_picture, buffer = original[number].render(scale=2).to_pil().convert("RGB"), io.BytesIO()
    cropped_picture = page_picture.crop(
        (
            round(2 * left),
            round(page_picture.height - 2 * top),
            round(2 * right),
            round(page_picture.height - 2 * bottom),
        )
    )
    cropped_picture.save(buffer, "JPEG", quality=85)
    original.close()
    kind = {"Type": pikepdf.Name.XObject, "Subtype": pikepdf.Name.Image, "ColorSpace": pikepdf.Name.DeviceRGB}
    size = {
        "Width": cropped_picture.width,
        "Height": cropped_picture.height,
        "BitsPerComponent": 8,
        "Filter": pikepdf.Name.DCTDecode,
    }
    page = opened.pages[number]
    name = page.add_resource(opened.make_stream(buffer.getvalue(), **kind, **size), pikepdf.Name.XObject)
    drawn = f"q {right - left:.2f} 0 0 {top - bottom:.2f} {left:.2f} {bottom:.2f} cm {name} Do Q"
    page.contents_add(drawn.encode(), prepend=False)


def put_original(opened: Any, original: Any, number: int) -> Any:
    opened.pages[number - 1] = original.pages[number - 1]
    return opened.pages[number - 1]


def boxes_of(boxes_mm: list[list[float]]) -> bytes:
    point = 72 / 25.4
    rows = [
        f"{x0 * point:.1f} {(297 - y1) * point:.1f} {(x1 - x0) * point:.1f} {(y1 - y0) * point:.1f} re f"
        for x0, y0, x1, y1 in boxes_mm
    ]
    return ("q 0 g " + " ".join(rows) + " Q").encode()


def edit_log(work: Solved, change: Callable[[Any], object]) -> None:
    import openpyxl

    book = openpyxl.load_workbook(work.files / LOG)
    change(book["Log"])
    book.save(work.files / LOG)
