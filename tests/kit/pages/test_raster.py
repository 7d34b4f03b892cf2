"""Pages of PDFs as pictures."""

import io
from pathlib import Path

import PIL.Image
import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from yardkit.kit.pages import raster
from yardkit.world import Problem


def make_pdf(pages: int = 2, size: tuple[float, float] = A4, password: str | None = None) -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size, encrypt=password)
    for number in range(pages):
        canvas.setFillColorRGB(1, 0, 0)
        canvas.rect(0, 0, size[0] / 2, size[1], stroke=0, fill=number % 2 == 0)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def test_a_page_has_the_size_that_its_dpi_gives() -> None:
    rendered = raster.render_page(make_pdf(), 1, dpi=72)
    image = PIL.Image.open(io.BytesIO(rendered.data))
    assert image.size == (rendered.width_px, rendered.height_px)
    assert image.size == (596, 842)
    assert image.getpixel((100, 400)) == (255, 0, 0)
    assert image.getpixel((500, 400)) == (255, 255, 255)


@pytest.mark.parametrize(
    ("kind", "mode", "packed"), [("png", "RGB", "PNG"), ("grey", "L", "PNG"), ("jpeg", "RGB", "JPEG")]
)
def test_pictures_come_in_three_kinds(kind: raster.Format, mode: str, packed: str) -> None:
    image = PIL.Image.open(io.BytesIO(raster.render_page(make_pdf(), 2, kind=kind).data))
    assert (image.mode, image.format) == (mode, packed)


def test_a_page_of_too_many_pixels_is_refused() -> None:
    with pytest.raises(Problem, match=r"page 1 at 400 dpi would have .* Ask for fewer dpi"):
        raster.render_page(make_pdf(1, (5000, 5000)), 1, dpi=400)


def test_a_page_that_is_not_there_is_refused() -> None:
    with pytest.raises(Problem, match=r"there is no page 3; the document has 2 pages"):
        raster.render_page(make_pdf(), 3)


def test_a_protected_pdf_opens_with_its_password_only(tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(make_pdf(password="secret"))
    with pytest.raises(Problem, match=r"'p.pdf' is protected with a password"):
        raster.page_sizes(path)
    assert len(raster.page_sizes(path, "secret")) == 2


def test_what_is_no_pdf_says_so(tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    path.write_bytes(make_pdf()[:200])
    with pytest.raises(Problem, match=r"'p.pdf' cannot be read as a PDF"):
        raster.page_sizes(path)


def test_a_contact_sheet_holds_all_pages_in_rows() -> None:
    pages = [(str(number), raster.page_image(make_pdf(5), number, dpi=20)) for number in range(1, 6)]
    sheet = raster.contact_sheet(pages, columns=2, width_px=400)
    assert sheet.width == 400
    assert sheet.height > 3 * 250
    reds = [sheet.getpixel((40, y)) for y in (150, 430, 710)]
    assert reds == [(255, 0, 0)] * 3


def test_a_page_shows_the_values_of_its_form_fields() -> None:
    def page(value: str) -> PIL.Image.Image:
        buffer = io.BytesIO()
        canvas = Canvas(buffer, pagesize=(300, 100), invariant=1)
        canvas.acroForm.textfield(name="town", value=value, x=20, y=30, width=260, height=30, borderWidth=0)
        canvas.showPage()
        canvas.save()
        return PIL.Image.open(io.BytesIO(raster.render_page(buffer.getvalue(), 1, dpi=72, kind="grey").data))

    empty, filled = page(""), page("Gdansk")
    assert sum(filled.histogram()[:100]) > sum(empty.histogram()[:100]) + 30
