"""Annotations, stamps, and the text layer of scans: in place, to be seen, and found again."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pdfplumber
import pikepdf
import pytest
from conftest_pdf import change_pdf, dark_share, pixels_of, raw_streams, text_of
from PIL import Image, ImageChops, ImageDraw, ImageFont
from reportlab.pdfgen.canvas import Canvas

from yardkit.world.fonts import font_file

Ok = Callable[..., dict[str, Any]]


def test_marks_stand_on_found_text_and_in_boxes(ok: Ok, letter: Path) -> None:
    add = [
        {"kind": "highlight", "find": "Jane Roe", "text": "who?", "author": "Ann"},
        {"kind": "rect", "page": 1, "boxes": [[300, 300, 400, 340]], "color": "#0000ff"},
        {"kind": "stamp", "page": 1, "boxes": [[400, 30, 560, 80]], "text": "APPROVED"},
        {"kind": "free_text", "page": 2, "boxes": [[300, 20, 500, 60]], "text": "Upright Ł text"},
        {"kind": "ink", "page": 1, "strokes": [[[100, 500], [150, 550], [200, 500]]]},
        {"kind": "note", "page": 1, "boxes": [[20, 20]], "text": "Mind this"},
    ]
    assert "Added 7" in ok("annotate_pdf", path="letter.pdf", add=add)["done"]
    items = ok("list_pdf_items", path="letter.pdf", what="annotations")["items"]
    assert [item["kind"] for item in items] == ["Highlight", "Highlight", "Square", "Stamp", "Ink", "Text", "FreeText"]
    assert (items[0]["text"], items[0]["author"]) == ("who?", "Ann")
    page = pixels_of(letter)
    assert page.getpixel((301, 301))[2] > 200 > page.getpixel((301, 301))[0] + 60
    assert page.getpixel((350, 320)) == (255, 255, 255)
    yellow = page.getpixel((103, 113))
    assert yellow[0] > 200 > yellow[2]
    assert dark_share(pixels_of(letter, 2), (300, 20, 500, 60)) > 0.01
    with pikepdf.open(letter) as pdf:
        quads = pdf.pages[0].Annots[2].QuadPoints
        assert len(quads) == 16  # two lines


def test_annotations_are_deleted_by_id_and_kind(ok: Ok, refused: Callable[..., str], letter: Path) -> None:
    add = [
        {"kind": "highlight", "find": "office"},
        {"kind": "underline", "find": "office"},
        {"kind": "strike", "find": "river"},
    ]
    ok("annotate_pdf", path="letter.pdf", add=add)
    items = ok("list_pdf_items", path="letter.pdf", what="annotations")["items"]
    assert "the annotation '9.9' does not exist" in refused(
        "annotate_pdf", path="letter.pdf", delete=[items[0]["id"], "9.9"]
    )
    ok("annotate_pdf", path="letter.pdf", delete=[items[0]["id"], "all:Underline"])
    left = ok("list_pdf_items", path="letter.pdf", what="annotations")["items"]
    assert [item["kind"] for item in left] == ["StrikeOut"]
    assert ok("list_pdf_items", path="letter.pdf", what="links")["total"] == 1


def test_a_mark_that_cannot_be_placed_changes_nothing(refused: Callable[..., str], letter: Path) -> None:
    before = letter.read_bytes()
    good = {"kind": "highlight", "find": "office"}
    assert "was not found on any page" in refused(
        "annotate_pdf", path="letter.pdf", add=[good, {"kind": "strike", "find": "xyz"}]
    )
    assert "needs `boxes`" in refused("annotate_pdf", path="letter.pdf", add=[good, {"kind": "rect", "page": 1}])
    assert "needs `text`" in refused(
        "annotate_pdf", path="letter.pdf", add=[{"kind": "stamp", "page": 1, "boxes": [[1, 1, 50, 50]]}]
    )
    assert letter.read_bytes() == before


@pytest.mark.parametrize("box", [[700, 900, 800, 950], [100, 100, 50, 120]])
def test_marks_and_areas_that_no_page_shows_are_refused(
    refused: Callable[..., str], letter: Path, box: list[float]
) -> None:
    why = "is not on the page" if box[0] == 700 else "is not a valid box"
    assert why in refused("annotate_pdf", path="letter.pdf", add=[{"kind": "highlight", "page": 1, "boxes": [box]}])
    assert why in refused("redact_pdf", path="letter.pdf", terms=["Jane Roe"], areas=[{"page": 1, "box": box}])


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_line_under_turned_words_runs_along_them(ok: Ok, files: Path, rotation: int) -> None:
    canvas = Canvas(str(files / "a.pdf"), pagesize=(300, 300), invariant=1)
    canvas.setFillGray(1)
    canvas.drawString(100, 150, "A line of words")
    canvas.save()
    change_pdf(files / "a.pdf", lambda pdf: setattr(pdf.pages[0].obj, "Rotate", rotation))
    ok("annotate_pdf", path="a.pdf", add=[{"kind": "underline", "find": "line of words", "color": "#000000"}])
    left, top, right, bottom = ImageChops.invert(pixels_of(files / "a.pdf")).getbbox() or (0, 0, 0, 0)
    along, across = (right - left, bottom - top) if rotation % 180 == 0 else (bottom - top, right - left)
    assert along > 60
    assert across < 4
    assert abs({0: bottom - 152, 90: left - 148, 180: top - 148, 270: right - 152}[rotation]) < 4


def test_stamps_number_pages_and_stand_upright_on_turned_ones(ok: Ok, letter: Path) -> None:
    stamps = [
        {"text": "Page {page} of {pages}"},
        {"text": "ACME-{number:06}", "position": "top-right", "number_start": 41},
        {"text": "{date} {file}", "position": "bottom-left", "pages": "1"},
        {"text": "in a box that wraps its text", "box": [300, 300, 380, 360], "pages": "1"},
    ]
    assert ok("stamp_pdf", path="letter.pdf", stamps=stamps)["done"] == "Stamped 2 pages"
    assert "Page 1 of 2" in text_of(letter, 1)
    assert "2026-03-16 letter.pdf" in text_of(letter, 1)
    for page, number in ((1, "ACME-000041"), (2, "ACME-000042")):
        box = ok("search_pdf", path="letter.pdf", query=number, pages=str(page))["matches"][0]["boxes"][0]
        width = 595 if page == 1 else 842
        assert abs(box[2] - (width - 30)) < 2
        assert 25 < box[1] < 45
        assert box[2] - box[0] > 3 * (box[3] - box[1])


def edges_of(path: Path, page: int = 1) -> tuple[float, float, float]:
    """The leftmost and the rightmost place of letters, and the largest size."""
    with pdfplumber.open(path) as pdf:
        chars = pdf.pages[page - 1].chars
        return min(char["x0"] for char in chars), max(char["x1"] for char in chars), max(c["size"] for c in chars)


def make_blank(path: Path, *sizes: tuple[float, float]) -> Path:
    with pikepdf.new() as pdf:
        for size in sizes:
            pdf.add_blank_page(page_size=size)
        pdf.save(path)
    return path


@pytest.mark.parametrize("position", ["top-left", "bottom-center", "bottom-right", "center"])
def test_a_long_header_without_a_size_is_shrunk_to_the_margins(ok: Ok, files: Path, position: str) -> None:
    path = make_blank(files / "a.pdf", (595, 842))
    text = "Confidential - property of the Example Company - do not copy or pass on without a written permission of it"
    assert "warnings" not in ok(
        "stamp_pdf", path="a.pdf", stamps=[{"text": text + " {page}" * 20, "position": position}]
    )
    left, right, size = edges_of(path)
    assert left >= 29.9
    assert right <= 565.1
    assert 5 <= size < 10


def test_a_stamp_that_runs_off_some_pages_is_told_with_them(ok: Ok, files: Path) -> None:
    path = make_blank(files / "a.pdf", (595, 842), (842, 595), (200, 200), (200, 200))
    Image.new("RGB", (100, 50), "green").save(files / "logo.png")
    stamps: list[dict[str, Any]] = [
        {"text": "CONFIDENTIAL COPY", "position": "center", "font_size": 70},
        {"text": "fits", "font_size": 12},
        {"image": "logo.png", "width": 300},
        {"text": "beyond", "box": [650, 10, 720, 40]},
        {"text": "word " * 60, "position": "top-left"},
    ]
    warnings = ok("stamp_pdf", path="a.pdf", stamps=stamps)["warnings"]
    assert [(warning[:7], warning[warning.index("(pages") :].split(")")[0]) for warning in warnings] == [
        ("stamp 1", "(pages 1,3-4"),
        ("stamp 3", "(pages 3-4"),
        ("stamp 4", "(pages 1,3-4"),
        ("stamp 5", "(pages 1,3-4"),
    ]
    assert edges_of(path, 2)[2] == 70


def test_a_large_margin_moves_a_stamp_and_does_not_shrink_it(ok: Ok, files: Path) -> None:
    path = make_blank(files / "a.pdf", (595, 842))
    Image.new("RGB", (100, 50), "green").save(files / "logo.png")
    stamps: list[dict[str, Any]] = [{"text": "low"}, {"image": "logo.png"}]
    assert "warnings" not in ok("stamp_pdf", path="a.pdf", stamps=[{**stamp, "margin": 500} for stamp in stamps])
    assert edges_of(path)[2] == 10
    assert pixels_of(path).getpixel((297, 842 - 510)) == (0, 128, 0)


def test_a_stamp_with_a_field_that_is_none_is_told(ok: Ok, letter: Path) -> None:
    reply = ok("stamp_pdf", path="letter.pdf", stamps=[{"text": "{page:03} of {pages:03} by {author}", "pages": "2"}])
    assert "002 of 002 by {author}" in text_of(letter, 2)
    assert [warning for warning in reply["warnings"] if warning.startswith("{author} is printed as it stands")]


def test_a_watermark_lies_behind_and_the_content_keeps_its_bytes(ok: Ok, letter: Path) -> None:
    before = raw_streams(letter)
    mark = {"text": "DRAFT", "position": "center", "angle": 45, "opacity": 0.2, "behind": True, "color": "#ff0000"}
    ok("stamp_pdf", path="letter.pdf", stamps=[mark])
    after = raw_streams(letter)
    assert all(after.get(data, 0) >= count for data, count in before.items())
    page = pixels_of(letter)
    pink = [color for _, color in page.getcolors(100_000) or [] if color[0] > 240 and 150 < color[1] < 230]
    assert pink
    assert dark_share(page, (72, 110, 300, 124)) > 0.05


def test_a_watermark_behind_a_scan_is_told_as_covered(ok: Ok, letter: Path, scan: Path) -> None:
    ok("merge_pdfs", sources=[{"path": "letter.pdf"}, {"path": "scan.pdf"}], target="both.pdf")
    mark = {"text": "DRAFT", "position": "center", "angle": 45, "opacity": 0.2, "behind": True}
    warnings = ok("stamp_pdf", path="both.pdf", stamps=[mark, {"text": "Page {page}"}])["warnings"]
    assert warnings == ["the stamp is hidden behind the content of pages 3; leave out `behind`"]


def test_a_picture_is_stamped(ok: Ok, letter: Path, files: Path) -> None:
    Image.new("RGB", (100, 50), "green").save(files / "logo.png")
    ok(
        "stamp_pdf",
        path="letter.pdf",
        stamps=[{"image": "logo.png", "position": "top-left", "width": 200, "margin": 10}],
    )
    page = pixels_of(letter)
    assert page.getpixel((12, 12)) == (0, 128, 0)
    assert page.getpixel((208, 108)) == (0, 128, 0)
    assert page.getpixel((214, 114)) == (255, 255, 255)


def test_text_too_long_for_its_box_is_refused(refused: Callable[..., str], letter: Path) -> None:
    stamp = {"text": "word " * 100, "box": [10, 10, 60, 30], "font_size": 12}
    assert "make the box larger" in refused("stamp_pdf", path="letter.pdf", stamps=[stamp])


def test_a_scan_becomes_searchable_and_looks_the_same(ok: Ok, refused: Callable[..., str], scan: Path) -> None:
    before = pixels_of(scan)
    ok("add_pdf_text_layer", path="scan.pdf")
    assert pixels_of(scan).tobytes() == before.tobytes()
    match = ok("search_pdf", path="scan.pdf", query="Jane Roe")["matches"][0]
    x0, y0, x1, y1 = match["boxes"][0]
    assert x0 > 150
    assert abs((y0 + y1) / 2 - 167) < 8
    assert 60 < x1 - x0 < 140
    assert "2026" in text_of(scan)
    assert "already have text" in refused("add_pdf_text_layer", path="scan.pdf")


@pytest.mark.drill
def test_the_words_of_a_scan_stay_apart_in_its_text_layer(ok: Ok, files: Path) -> None:
    lines = [
        "117 Park Avenue, 8010 Graz",
        "Erik Martin, Purchasing",
        "Dear Sir or Madam,",
        "thank you for your letter of last week. We have looked into the matter and will let you",
    ]
    image = Image.new("RGB", (1240, 500), "white")
    font = ImageFont.truetype(font_file("Liberation Serif"), 28)
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text((120, 80 + 90 * number), line, fill="black", font=font)
    image.save(files / "letter_scan.pdf", resolution=200)
    ok("add_pdf_text_layer", path="letter_scan.pdf", dpi=110)
    assert text_of(files / "letter_scan.pdf").splitlines() == lines


@pytest.mark.parametrize("turn", [90, 180, 270])
@pytest.mark.drill
def test_a_scan_on_its_side_is_read_in_its_lines(ok: Ok, files: Path, turn: int) -> None:
    image = Image.new("RGB", (1240, 900), "white")
    font = ImageFont.truetype(font_file("Liberation Sans"), 40)
    lines = ["Invoice 2024 for Jane Roe", "Amount due: 1,234.50 EUR", "Please pay until 30 June"]
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text((120, 150 + 120 * number), line, fill="black", font=font)
    image.rotate(turn, expand=True).save(files / "side.pdf", resolution=150)
    ok("add_pdf_text_layer", path="side.pdf")
    text = ok("read_pdf_text", path="side.pdf")["pages"][0]["text"]
    assert text.split("\n\n") == lines
    x0, y0, x1, y1 = ok("search_pdf", path="side.pdf", query="Jane Roe")["matches"][0]["boxes"][0]
    assert (y1 - y0 > 2 * (x1 - x0)) == (turn != 180)
    assert dark_share(pixels_of(files / "side.pdf"), (int(x0), int(y0), int(x1) + 1, int(y1) + 1)) > 0.1


@pytest.mark.drill
def test_a_text_layer_puts_no_spaces_into_chinese(ok: Ok, files: Path) -> None:
    image = Image.new("RGB", (1240, 300), "white")
    font = ImageFont.truetype(font_file("Droid Sans Fallback"), 44)
    ImageDraw.Draw(image).text((80, 100), "我们提供完整的解决方案", fill="black", font=font)
    image.save(files / "chinese.pdf", resolution=150)
    ok("add_pdf_text_layer", path="chinese.pdf")
    assert text_of(files / "chinese.pdf").strip() == "我们提供完整的解决方案"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_note_stands_upright_where_it_was_put_and_stays_there_when_flattened(
    ok: Ok, files: Path, rotation: int
) -> None:
    path = make_blank(files / "a.pdf", (300, 200))
    change_pdf(path, lambda pdf: setattr(pdf.pages[0].obj, "Rotate", rotation))
    ok("annotate_pdf", path="a.pdf", add=[{"kind": "note", "page": 1, "boxes": [[50, 20]], "text": "Mind"}])
    before = pixels_of(path)
    assert before.getpixel((53, 24))[2] < 200  # of the yellow icon
    assert before.getpixel((67, 39)) == (255, 255, 255)  # right of its tail
    ok("flatten_pdf", path="a.pdf")
    assert pixels_of(path).tobytes() == before.tobytes()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_an_icon_that_does_not_rotate_with_its_page_is_flattened_as_it_was_shown(
    ok: Ok, files: Path, rotation: int
) -> None:
    def put(pdf: pikepdf.Pdf) -> None:
        face = pdf.make_stream(b"0 0 9 20 re f", Type=pikepdf.Name.XObject, Subtype=pikepdf.Name.Form)
        face.BBox = pikepdf.Array([0, 0, 20, 20])
        note = pikepdf.Dictionary(Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Text, Rect=[100, 80, 120, 100], F=28)
        note.AP = pikepdf.Dictionary(N=face)
        pdf.pages[0].obj.Annots = pikepdf.Array([pdf.make_indirect(note)])
        pdf.pages[0].obj.Rotate = rotation

    path = make_blank(files / "a.pdf", (300, 200))
    change_pdf(path, put)
    before = pixels_of(path)
    ok("flatten_pdf", path="a.pdf")
    assert ok("list_pdf_items", path="a.pdf", what="annotations")["total"] == 0
    assert pixels_of(path).tobytes() == before.tobytes()


def test_flattening_loses_no_comment_unsaid_and_counts_what_was_drawn(
    ok: Ok, refused: Callable[..., str], files: Path
) -> None:
    canvas = Canvas(str(files / "notes.pdf"), pagesize=(300, 400), invariant=1)
    for number in (1, 2):
        canvas.textAnnotation(f"remember {number}", Rect=[100, 100, 120, 120])
        canvas.showPage()
    canvas.save()
    before = (files / "notes.pdf").read_bytes()
    assert "2 annotations without an appearance" in refused("flatten_pdf", path="notes.pdf")
    assert (files / "notes.pdf").read_bytes() == before
    add = [
        {"kind": "rect", "page": 1, "boxes": [[30, 30, 90, 60]]},
        {"kind": "note", "page": 2, "boxes": [[200, 20]], "text": "drawn"},
    ]
    ok("annotate_pdf", path="notes.pdf", add=add)
    done = ok("flatten_pdf", path="notes.pdf")
    assert done["done"] == "Flattened 2 fields and annotations"
    assert done["warnings"] == [
        "2 annotations without an appearance to draw stayed as before (pages 1-2)",
        "1 note drawn as an icon: the text of the comment is no longer in the file (pages 2)",
    ]
    items = ok("list_pdf_items", path="notes.pdf", what="annotations")["items"]
    assert [(item["page"], item["text"]) for item in items] == [(1, "remember 1"), (2, "remember 2")]


def test_text_that_a_crop_hides_is_told_when_read_and_not_marked_unseen(
    ok: Ok, refused: Callable[..., str], files: Path
) -> None:
    canvas = Canvas(str(files / "c.pdf"), pagesize=(400, 400), invariant=1)
    for height in (380, 200):
        canvas.drawString(60, height, "Ann Lee signs")
    canvas.drawString(60, 20, "Footer of all")
    canvas.save()
    assert "note" not in ok("read_pdf_text", path="c.pdf")["pages"][0]
    ok("arrange_pdf_pages", path="c.pdf", edits=[{"op": "crop", "box": [20, 50, 380, 350]}])
    [page] = ok("read_pdf_text", path="c.pdf")["pages"]
    assert page["note"].endswith("lies off the page as shown (cropped away); box=[0, 0, 360, 300] leaves that out")
    [page] = ok("read_pdf_text", path="c.pdf", box=[0, 0, 360, 300])["pages"]
    assert (page["text"], page.get("note")) == ("Ann Lee signs", None)
    marked = ok("annotate_pdf", path="c.pdf", add=[{"kind": "highlight", "find": "Ann Lee"}])
    assert marked["done"] == "Added 1 and deleted 0 annotations"
    assert marked["warnings"] == ["not marked: 1 place where the text lies off the page as shown (cropped away)"]
    message = refused("annotate_pdf", path="c.pdf", add=[{"kind": "highlight", "find": "Footer"}])
    assert "'Footer' is only on cropped parts of the pages" in message
