"""Reading: order of columns, boxes on turned pages, search over line ends, tables, lists, pictures."""

import base64
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph, Table

from yardkit.kit.pages.space import Space
from yardkit.servers.pdf.engine.package.pages import expression_of, select_pages

Ok = Callable[..., dict[str, Any]]


@pytest.fixture
def columns(files: Path) -> Path:
    """A title over two columns of text, and a ruled table at the end of the second."""
    path = files / "columns.pdf"
    document = BaseDocTemplate(str(path), pagesize=(595, 842), invariant=1)
    frames = [Frame(50, 50, 230, 642), Frame(310, 50, 230, 642)]

    def title(canvas: Canvas, _: Any) -> None:
        canvas.setFont("Helvetica-Bold", 20)
        canvas.drawCentredString(297, 762, "A title over both columns of the page")

    document.addPageTemplates(PageTemplate(frames=frames, onPage=title))
    normal = getSampleStyleSheet()["Normal"]
    words = "with ordinary words that fill the line and wrap around until the end " * 3
    story: list[Any] = [Paragraph(f"Paragraph {number} {words}", normal) for number in range(16)]
    grid = [("GRID", (0, 0), (-1, -1), 1, "black")]
    document.build([*story, Table([["Item", "Qty"], ["Pen", "3"], ["Book", "12"]], style=grid)])
    return path


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_that_lies_on_its_side_is_read_as_the_upright_one(ok: Ok, columns: Path, rotation: int) -> None:
    with pikepdf.open(columns) as pdf:
        for page in pdf.pages:
            page.Rotate = rotation
        pdf.save(columns.with_name("turned.pdf"))
    upright, turned = (ok("read_pdf_text", path=name)["pages"] for name in ("columns.pdf", "turned.pdf"))
    assert [page["text"] for page in turned] == [page["text"] for page in upright]


def test_columns_are_read_one_after_the_other(ok: Ok, columns: Path) -> None:
    text = ok("read_pdf_text", path="columns.pdf")["pages"][0]["text"]
    places = [text.index(f"Paragraph {number} ") for number in range(16)]
    assert places == sorted(places)
    assert text.startswith("A title over both columns of the page\n")
    assert text.endswith("Item\tQty\nPen\t3\nBook\t12")


def test_a_form_of_labels_and_values_is_read_row_by_row(ok: Ok, files: Path) -> None:
    canvas = Canvas(str(files / "rows.pdf"), pagesize=(595, 842))
    for number, (label, value) in enumerate([("Name", "Ann"), ("City", "Rome"), ("Year", "1999"), ("Sum", "12")]):
        canvas.drawString(72, 700 - 20 * number, label)
        canvas.drawString(300, 700 - 20 * number, value)
    canvas.save()
    text = ok("read_pdf_text", path="rows.pdf")["pages"][0]["text"]
    assert text == "Name\tAnn\nCity\tRome\nYear\t1999\nSum\t12"
    rows = [row for row in ok("read_pdf_text", path="rows.pdf", format="layout")["pages"][0]["text"].split("\n") if row]
    assert len({row.index(value) for row, value in zip(rows, ["Ann", "Rome", "1999", "12"], strict=True)}) == 1


def test_words_have_boxes_in_points_from_the_top_left(ok: Ok, letter: Path) -> None:
    words = ok("read_pdf_text", path="letter.pdf", pages="1", format="words")["pages"][0]["pieces"]
    assert words[0]["text"] == "Dear"
    x0, y0, x1, y1 = words[0]["box"]
    assert abs(x0 - 72) < 1
    assert y0 < 842 - 720 < y1
    assert 20 < x1 - x0 < 30


def test_boxes_on_a_turned_page_are_those_of_the_page_as_shown(ok: Ok, letter: Path) -> None:
    box = ok("search_pdf", path="letter.pdf", query="turned page")["matches"][0]["boxes"][0]
    assert box[3] - box[1] > 3 * (box[2] - box[0])
    assert abs(box[1] - 100) < 2
    picture = ok("show_pdf_page", path="letter.pdf", page=2, dpi=72, box=box)
    assert picture["picture"]["height_px"] > picture["picture"]["width_px"]


def test_a_text_is_found_over_the_end_of_a_line(ok: Ok, letter: Path) -> None:
    matches = ok("search_pdf", path="letter.pdf", query="jane roe")
    assert matches["total"] == 2
    assert [len(match["boxes"]) for match in matches["matches"]] == [1, 2]
    assert ok("search_pdf", path="letter.pdf", query="jane roe", match_case=True)["total"] == 0
    assert ok("search_pdf", path="letter.pdf", query=r"\d{4}-\d\d", regex=True)["matches"][0]["text"] == "4711-22"
    assert ok("search_pdf", path="letter.pdf", query="Fri", whole_words=True)["total"] == 0


def test_a_wrong_expression_is_said(refused: Callable[..., str], letter: Path) -> None:
    assert "missing )" in refused("search_pdf", path="letter.pdf", query="(a", regex=True)


def test_a_long_text_is_read_in_parts_without_loss(ok: Ok, files: Path) -> None:
    canvas = Canvas(str(files / "long.pdf"), pagesize=(595, 842))
    for page in range(24):
        for line in range(70):
            canvas.drawString(20, 820 - 11 * line, f"p{page} l{line} " + "word " * 14)
        canvas.showPage()
    canvas.save()
    parts, pages, offset = [], None, 0
    for _ in range(10):
        answer = ok("read_pdf_text", path="long.pdf", pages=pages, offset=offset)
        parts += [page["text"] for page in answer["pages"]]
        pages, offset = answer.get("next_pages"), answer.get("next_offset", 0)
        if not pages:
            break
    assert len(parts) > 24
    joined = "".join(parts)
    assert all(f"p{page} l{line} " in joined for page in range(24) for line in range(70))


def test_tables_come_as_rows(ok: Ok, columns: Path) -> None:
    table = ok("read_pdf_tables", path="columns.pdf")["tables"][0]
    assert table["rows"] == [["Item", "Qty"], ["Pen", "3"], ["Book", "12"]]
    assert 300 < table["box"][0] < table["box"][2] < 545


def test_info_says_what_is_in_the_file(ok: Ok, letter: Path, scan: Path, form: Path) -> None:
    info = ok("inspect_pdf", path="letter.pdf")
    assert info["pages"] == 2
    assert info["page_sizes"] == {"595 x 842": "1", "842 x 595": "2"}
    assert info["metadata"]["Title"] == "Letter about Jane Roe"
    assert info["outline_items"] == 1
    assert ok("inspect_pdf", path="scan.pdf")["scanned_pages"] == "1"
    assert ok("inspect_pdf", path="form.pdf")["form_fields"] == 8


def test_lists_of_links_images_and_bookmarks(ok: Ok, letter: Path, scan: Path) -> None:
    link = ok("list_pdf_items", path="letter.pdf", what="links")["items"][0]
    assert (link["uri"], link["page"]) == ("https://example.org/", 1)
    assert link["box"] == [72.0, 187.0, 200.0, 202.0]
    assert ok("list_pdf_items", path="letter.pdf", what="outline")["items"] == [
        {"text": "Case of Jane Roe", "to_page": 1, "level": 1}
    ]
    image = ok("list_pdf_items", path="scan.pdf", what="images")["items"][0]
    assert (image["width_px"], image["height_px"], image["dpi"]) == (1240, 900, 150)


def test_images_are_saved_as_they_are(ok: Ok, scan: Path, files: Path) -> None:
    extracted_files = ok("extract_pdf_files", path="scan.pdf", folder="out")["files"]
    assert [saved_image["path"] for saved_image in extracted_files] == ["out/page001-image01.png"]
    with Image.open(files / extracted_files[0]["path"]) as image, Image.open(files / "scan.png") as source:
        assert image.convert("RGB").tobytes() == source.tobytes()


def test_a_page_comes_as_a_picture(call: Callable[..., Any], letter: Path) -> None:
    result = call("show_pdf_page", path="letter.pdf", dpi=72, box=[60, 100, 260, 150])
    image = Image.open(io.BytesIO(base64.b64decode(result.content[1].data)))
    assert image.size == (200, 50)
    assert image.convert("L").getextrema()[0] < 60


def test_a_part_of_a_page_is_the_same_part_at_any_resolution(call: Callable[..., Any], letter: Path) -> None:
    def show_page(**arguments: Any) -> Image.Image:
        result = call("show_pdf_page", path="letter.pdf", dpi=216, **arguments)
        return Image.open(io.BytesIO(base64.b64decode(result.content[1].data))).convert("L")

    assert show_page(box=[60, 100, 260, 150]).tobytes() == show_page().crop((180, 300, 780, 450)).tobytes()


def test_a_table_with_rules_between_its_rows_alone_is_read_in_columns(ok: Ok, files: Path) -> None:
    row = "<tr><td>Crane {0}</td><td>{0}</td><td>€ {0}.50</td></tr>"
    rows = row.format(1) + row.format(2) + row.format(3)
    look = (
        "table { border-collapse: collapse; width: 100% } td, th { border-bottom: 1px solid } th { background: #def }"
    )
    head = "<thead><tr><th>Service</th><th>Hours</th><th>Amount</th></tr></thead>"
    ok("create_pdf", path="bill.pdf", html=f"<p>Dear all,</p><table>{head}{rows}</table><p>Thanks</p>", css=look)
    (table,) = ok("read_pdf_tables", path="bill.pdf")["tables"]
    assert table["rows"] == [
        ["Service", "Hours", "Amount"], *([f"Crane {n}", str(n), f"€ {n}.50"] for n in (1, 2, 3))
    ]  # fmt: skip


def test_signature_fields_are_listed_without_a_verdict(ok: Ok, letter: Path) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        value = pikepdf.Dictionary(Type=pikepdf.Name.Sig, SubFilter=pikepdf.Name("/adbe.pkcs7.detached"), Name="Signer")
        value.ByteRange = [0, 10, 20, 30]
        field = pikepdf.Dictionary(
            FT=pikepdf.Name.Sig, T="sig1", V=value, Subtype=pikepdf.Name.Widget, Rect=[0, 0, 0, 0]
        )
        field = pdf.make_indirect(field)
        pdf.pages[0].Annots.append(field)
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=[field])
        pdf.save(letter)
    item = ok("list_pdf_items", path="letter.pdf", what="signatures")["items"][0]
    assert (item["text"], item["author"], item["signed"], item["covers_file"]) == ("sig1", "Signer", True, False)
    stamped = ok("stamp_pdf", path="letter.pdf", stamps=[{"text": "x"}])
    assert "no longer valid" in stamped["warnings"][0]


@given(st.lists(st.integers(1, 40), min_size=1, max_size=30))
def test_an_expression_selects_the_pages_it_was_made_of(numbers: list[int]) -> None:
    assert select_pages(expression_of(numbers), 40) == numbers


@given(st.sampled_from([0, 90, 180, 270]), st.floats(0, 500), st.floats(0, 700))
def test_a_point_comes_back_from_the_shown_page(rotation: int, x: float, y: float) -> None:
    space = Space(10, 20, 510, 720, rotation)
    back = space.point_in_user(*space.convert_point(x, y))
    assert back == pytest.approx((x, y), abs=1e-6)


def test_cells_are_read_in_fonts_whose_encoding_stands_in_the_file(ok: Ok, files: Path) -> None:
    rows = "".join(f"<tr><td>{number}<td>Work for Müller {number}<td>{number * 12.5:.2f}" for number in (1, 2))
    style = "<style>td, th { border: 1px solid }</style>"
    html = f"{style}<table><tr><th>No<th>Text<th>Sum{rows}</table><p>ไทย"
    ok("create_pdf", path="thai.pdf", html=html)
    with pikepdf.open(files / "thai.pdf") as pdf:
        fonts = pdf.pages[0].Resources.Font
        assert any(isinstance(fonts[name].Encoding, pikepdf.Stream) for name in fonts)
    assert ok("read_pdf_tables", path="thai.pdf")["tables"][0]["rows"] == [
        ["No", "Text", "Sum"],
        ["1", "Work for Müller 1", "12.50"],
        ["2", "Work for Müller 2", "25.00"],
    ]
