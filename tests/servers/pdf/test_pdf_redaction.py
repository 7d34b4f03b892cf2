"""Redaction: nothing of it in text, decoded streams, strings, pixels; the rest stays in its place."""

import base64
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest
from conftest_pdf import assert_gone, dark_share, everything_decoded, pixels_of, text_of
from PIL import Image
from reportlab.pdfgen.canvas import Canvas
from support.packages import pack_members

Ok = Callable[..., dict[str, Any]]


def test_a_term_leaves_text_bookmarks_and_metadata(ok: Ok, letter: Path) -> None:
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"], patterns=[r"\d{4}-\d{2}"])
    assert done["matches"] == {"Jane Roe": 2, r"\d{4}-\d{2}": 1}
    assert done["elsewhere"] == {"titles and bookmarks": 2}
    assert done.get("rasterised", {}) == {}
    assert_gone(letter, "Jane", "Roe", "4711")
    assert text_of(letter).split()[:4] == ["Dear", ",", "your", "number"]


def test_pages_that_are_pictures_are_told_as_not_searched(
    ok: Ok, refused: Callable[..., str], letter: Path, scan: Path
) -> None:
    message = (
        "pages 1 have no text but pictures, perhaps scans, which were not searched: let add_pdf_text_layer read them"
    )
    assert message in refused("redact_pdf", path="scan.pdf", terms=["Jane Roe"])
    ok("merge_pdfs", sources=[{"path": "letter.pdf"}, {"path": "scan.pdf"}], target="both.pdf")
    (warning,) = ok("redact_pdf", path="both.pdf", terms=["Jane Roe"], target="a.pdf")["warnings"]
    assert warning.startswith("pages 3 have no text but pictures")
    area = {"page": 3, "box": [0, 0, 500, 300]}
    assert "warnings" not in ok("redact_pdf", path="both.pdf", terms=["Jane Roe"], areas=[area], target="b.pdf")


def test_the_picture_that_was_changed_is_not_told_as_removed(ok: Ok, files: Path) -> None:
    Image.effect_noise((600, 400), 60).convert("RGB").save(files / "photo.jpg")
    canvas = Canvas(str(files / "photo.pdf"), pagesize=(600, 400), invariant=1)
    canvas.drawImage(str(files / "photo.jpg"), 0, 0)
    canvas.drawString(100, 200, "Jane Roe was here")
    canvas.save()
    done = ok("redact_pdf", path="photo.pdf", terms=["Jane Roe"])
    assert "warnings" not in done
    assert "elsewhere" not in done
    assert pixels_of(files / "photo.pdf").getpixel((104, 197)) == (0, 0, 0)


def test_redaction_does_not_store_the_page_plain(ok: Ok, files: Path) -> None:
    canvas = Canvas(str(files / "long.pdf"), pagesize=(595, 842), invariant=1, pageCompression=1)
    for line in range(60):
        canvas.drawString(30, 820 - 13 * line, f"Line {line} " + "of a text that is long and repeats itself " * 2)
    canvas.save()
    before = (files / "long.pdf").stat().st_size
    ok("redact_pdf", path="long.pdf", terms=["Line 7"])
    assert (files / "long.pdf").stat().st_size < 2 * before


def test_what_stays_does_not_move(ok: Ok, letter: Path) -> None:
    def boxes() -> dict[str, Any]:
        words = ok("read_pdf_text", path="letter.pdf", format="words", pages="1")["pages"][0]["pieces"]
        return {word["text"]: word["box"][0] for word in words}

    before = boxes()
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    after = boxes()
    common_words = set(before) & set(after)
    assert {"number", "office", "answer", "Friday."} <= common_words
    assert all(abs(before[word] - after[word]) < 0.2 for word in common_words)


def test_the_boxes_are_black(ok: Ok, letter: Path) -> None:
    box = ok("search_pdf", path="letter.pdf", query="Jane Roe")["matches"][0]["boxes"][0]
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert dark_share(pixels_of(letter), tuple(round(value) for value in box)) > 0.9


def test_spaced_kerned_and_nested_text_goes(ok: Ok, files: Path) -> None:
    canvas = Canvas(str(files / "hard.pdf"), pagesize=(595, 842), invariant=1)
    text = canvas.beginText(72, 690)
    text.setFont("Helvetica", 12)
    text.setCharSpace(1.5)
    text.setWordSpace(3)
    text.textOut("Kerned Jane ")
    text.setFont("Times-Bold", 16)
    text.setHorizScale(80)
    text.textOut("Roe end")
    text.setHorizScale(100)
    canvas.drawText(text)
    canvas.beginForm("inner")
    canvas.drawString(72, 600, "inside a form: Jane Roe too")
    canvas.endForm()
    canvas.saveState()
    canvas.rotate(30)
    canvas.doForm("inner")
    canvas.restoreState()
    canvas.saveState()
    canvas.translate(300, 300)
    canvas.rotate(90)
    canvas.drawString(0, 0, "turned Jane Roe here")
    canvas.restoreState()
    canvas.showPage()
    canvas.save()
    with pikepdf.open(files / "hard.pdf", allow_overwriting_input=True) as pdf:
        page = pdf.pages[0]
        more = b"BT /F1 12 Tf 1 0 0 1 72 500 Tm [(J) -30 (a) 20 (n) (e R) 15 (oe)] TJ 0 -20 Td 15 TL (hidden) ' ET"
        hidden = b" BT 3 Tr /F1 12 Tf 1 0 0 1 72 440 Tm (Jane Roe invisible) Tj ET"
        span = b" /Span <</ActualText (Jane Roe)>> BDC BT /F1 12 Tf 1 0 0 1 72 400 Tm (Jane Roe) Tj ET EMC"
        page.contents_add(more + hidden + span)
        pdf.save(files / "hard.pdf")
    done = ok("redact_pdf", path="hard.pdf", terms=["Jane Roe"])
    assert done["matches"]["Jane Roe"] == 6
    assert done.get("rasterised", {}) == {}
    assert_gone(files / "hard.pdf", "Jane", "Roe")
    left = text_of(files / "hard.pdf")
    assert all(
        word in left for word in ("Kerned", "end", "inside a form:", "too", "turned", "here", "hidden", "invisible")
    )


def test_subset_fonts_of_office_programs(ok: Ok, files: Path, office: Path) -> None:
    path = files / "memo.pdf"
    path.write_bytes(office.read_bytes())
    assert ok("search_pdf", path="memo.pdf", query="Jane Roe")["total"] == 7
    done = ok("redact_pdf", path="memo.pdf", terms=["Jane Roe", "Kraków"])
    assert done["matches"] == {"Jane Roe": 7, "Kraków": 1}
    assert done.get("rasterised", {}) == {}
    assert_gone(path, "Jane Roe", "Kraków")
    assert " ".join(text_of(path, 2).split()).count("many words") == 6


def test_pixels_of_images_go(ok: Ok, scan: Path) -> None:
    ok("redact_pdf", path="scan.pdf", areas=[{"page": 1, "box": [50, 150, 400, 185]}])
    with pikepdf.open(scan) as pdf:
        images = [
            thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
        ]
        assert len(images) == 1
        picture = pikepdf.PdfImage(images[0]).as_pil_image().convert("L")
    assert picture.crop((110, 318, 820, 380)).getextrema() == (0, 0)
    assert picture.crop((110, 150, 820, 210)).getextrema() == (0, 255)


def test_the_letters_of_a_scan_go_though_the_text_over_them_stands_a_little_aside(
    ok: Ok, scan: Path, files: Path
) -> None:
    layer = Canvas(str(files / "layer.pdf"), pagesize=(595.2, 432), invariant=1)
    layer.drawImage(str(files / "scan.png"), 0, 0, 595.2, 432)
    text = layer.beginText(177, 255)  # the name begins at 173 points
    text.setTextRenderMode(3)
    text.setFont("Helvetica", 23)
    text.textOut("Jane Roe")
    layer.drawText(text)
    layer.save()
    ok("redact_pdf", path="layer.pdf", terms=["Jane Roe"])
    line = pixels_of(files / "layer.pdf").convert("L").crop((168, 162, 400, 172))
    columns = [line.crop((x, 0, x + 1, line.height)).getextrema() for x in range(line.width)]
    assert [(least, most) for least, most in columns if least < 128 <= most] == []


def test_pixels_of_images_get_the_color_of_the_boxes(ok: Ok, scan: Path) -> None:
    ok("redact_pdf", path="scan.pdf", areas=[{"page": 1, "box": [50.3, 20.3, 400.3, 50.3]}], color="#b0c0ff")
    assert pixels_of(scan).crop((48, 18, 403, 53)).getextrema() == ((176, 255), (192, 255), (255, 255))


def test_a_place_within_another_leaves_no_trace_in_its_box(ok: Ok, letter: Path, files: Path) -> None:
    ok("redact_pdf", path="letter.pdf", terms=["Jane"], patterns=[r"Dear Jane Roe"], target="both.pdf")
    assert everything_decoded(files / "both.pdf").count(b" re\n") == 2


def test_fields_comments_links_and_attachments_go(ok: Ok, form: Path, files: Path) -> None:
    (files / "data.csv").write_text("name\nJane Roe\n", "utf-8")
    (files / "other.csv").write_text("name\nAnn\n", "utf-8")
    ok("fill_pdf_form", path="form.pdf", values={"full": "Jane Roe", "notes": "by Jane Roe"})
    ok(
        "annotate_pdf",
        path="form.pdf",
        add=[{"kind": "note", "page": 1, "boxes": [[400, 400, 420, 420]], "text": "Jane Roe?"}],
    )
    ok("attach_pdf_files", path="form.pdf", files=["data.csv", "other.csv"])
    done = ok("redact_pdf", path="form.pdf", terms=["Jane Roe"])
    assert_gone(form, "Jane Roe")
    assert done["done"] == f"Redacted 0 places on 0 pages and {sum(done['elsewhere'].values())} elsewhere"
    assert done["elsewhere"]["attachments removed"] == 1
    assert [item["text"] for item in ok("list_pdf_items", path="form.pdf", what="attachments")["items"]] == [
        "other.csv"
    ]


def test_a_field_shows_what_is_left_of_its_value(ok: Ok, form: Path) -> None:
    ok("fill_pdf_form", path="form.pdf", values={"full": "Jane Roe", "notes": "seen by Jane Roe"})
    ok("redact_pdf", path="form.pdf", terms=["Jane Roe"])
    assert_gone(form, "Jane", "Roe")
    document = pypdfium2.PdfDocument(form)
    document.init_forms()
    document[0].flatten()
    field_text = document[0].get_textpage().get_text_range()
    document.close()
    assert "seen by ████████" in field_text
    assert field_text.count("████████") == 2


def test_a_page_that_cannot_be_followed_becomes_a_picture(ok: Ok, letter: Path) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        glyph = pdf.make_stream(b"500 0 d0 0 0 400 700 re f")
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type3,
            FontBBox=[0, 0, 500, 700],
            FontMatrix=[0.001, 0, 0, 0.001, 0, 0],
            CharProcs=pikepdf.Dictionary(a=glyph),
            Encoding=pikepdf.Dictionary(Differences=[97, pikepdf.Name("/a")]),
            FirstChar=97,
            LastChar=97,
            Widths=["broken"],
        )
        pdf.pages[0].Resources.Font["/Odd"] = font
        pdf.pages[0].contents_add(b"BT /Odd 12 Tf 72 300 Td (aaa) Tj ET")
        pdf.save(letter)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert list(done["rasterised"]) == ["1"]
    assert_gone(letter, "Jane", "Dear")
    page = pixels_of(letter)
    assert page.size == (595, 842)
    assert dark_share(page, (102, 112, 150, 122)) > 0.9  # the name
    assert 0.02 < dark_share(page, (72, 110, 100, 126)) < 0.5  # the salutation, still to be seen


def test_what_is_not_there_is_said_and_nothing_changes(refused: Callable[..., str], letter: Path) -> None:
    before = letter.read_bytes()
    assert "nothing to redact was found: 'John'" in refused("redact_pdf", path="letter.pdf", terms=["John"])
    assert "give `terms`" in refused("redact_pdf", path="letter.pdf")
    assert letter.read_bytes() == before


def test_pages_without_the_term_keep_their_bytes(ok: Ok, letter: Path) -> None:
    with pikepdf.open(letter) as pdf:
        before = pdf.pages[1].Contents.read_raw_bytes()
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    with pikepdf.open(letter) as pdf:
        assert pdf.pages[1].Contents.read_raw_bytes() == before


@pytest.mark.parametrize("mode", ["L", "P", "1"])
def test_inline_and_odd_images_in_the_area(ok: Ok, files: Path, mode: str) -> None:
    buffer = io.BytesIO()
    Image.effect_noise((200, 200), 80).convert(mode).save(buffer, "PNG")
    (files / "noise.png").write_bytes(buffer.getvalue())
    canvas = Canvas(str(files / "odd.pdf"), pagesize=(300, 300), invariant=1)
    canvas.drawInlineImage(str(files / "noise.png"), 50, 50, 200, 200)
    canvas.save()
    done = ok("redact_pdf", path="odd.pdf", areas=[{"page": 1, "box": [100, 100, 200, 200]}])
    assert done["pages"] == [1]
    page = pixels_of(files / "odd.pdf")
    assert dark_share(page, (102, 102, 198, 198)) == 1
    assert 0.1 < dark_share(page, (55, 55, 95, 95)) < 0.9


def make_broken_zip(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    data = bytearray(pack_members(members, method))
    data[46:52] = b"\xff" * 6
    return bytes(data)


def make_locked_zip(members: dict[str, bytes]) -> bytes:
    """The flag of encryption set in the local header and in the directory."""
    data = bytearray(pack_members(members))
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + place] |= 1
    return bytes(data)


def pdf_with(text: str, password: str = "") -> bytes:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setAuthor(text)
    canvas.save()
    with pikepdf.open(io.BytesIO(buffer.getvalue())) as pdf:
        out = io.BytesIO()
        lock = pikepdf.Encryption(user=password, owner=password) if password else False
        pdf.save(out, object_stream_mode=pikepdf.ObjectStreamMode.generate, encryption=lock)
    return out.getvalue()


def inner_pdf(attached: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf_with("Ann"))) as pdf:
        for name, data in attached.items():
            pdf.attachments[name] = data
        pdf.save(buffer)
    return buffer.getvalue()


SPLIT = b"<w:p><w:r><w:t>Jane</w:t></w:r><w:r><w:t xml:space='preserve'> Roe</w:t></w:r></w:p>"
BOOK = "<a><b>Jane </b><b>Roe</b></a>"
HIDDEN = {
    "bom.docx": pack_members({"word/document.xml": b"\xef\xbb\xbf" + BOOK.encode()}),
    "utf16.docx": pack_members({"word/document.xml": BOOK.encode("utf-16")}),
    "escaped.xml": b"<a>J&#97;ne Roe</a>",
    "late.html": b"Report: <p>Jane <b>Roe</b></p>",
    "spanned.zip": b"PK00" + pack_members({"word/document.xml": SPLIT}),
    "prefixed.exe": b"MZ" + bytes(200) + pack_members({"word/document.xml": SPLIT}),
    "letter.docx": pack_members({"word/document.xml": SPLIT}),
    "nested.zip": pack_members({"in/letter.docx": pack_members({"word/document.xml": SPLIT})}),
    "named.zip": pack_members({"Jane Roe.txt": b"x"}),
    "author.pdf": pdf_with("Jane Roe"),
}


def build_mistyped_pdf(key: str, value: Any) -> bytes:
    """A PDF in which something is not of its type."""
    buffer = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf_with("Ann"))) as pdf:
        pdf.add_blank_page().obj[key] = value
        pdf.save(buffer)
    return buffer.getvalue()


def make_tar(name: str, data: bytes) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    return buffer.getvalue()


UNSEARCHABLE = {
    "broken_lzma.zip": make_broken_zip({"a.txt": b"some words" * 99}, zipfile.ZIP_LZMA),
    "files.tar": make_tar("a.docx", pack_members({"word/document.xml": SPLIT})),
    "locked.docx": b"\xd0\xcf\x11\xe0" + bytes(60) + "EncryptedPackage".encode("utf-16-le"),
    "letter.rtf": b"{\\rtf1 J\\'61ne {\\b Roe}}",
    "mail.eml": b"Subject: x\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(b"Jane Roe"),
    "inner.pdf": inner_pdf({"x.gz": gzip.compress(b"Jane Roe" * 99, mtime=0)}),
    "broken.zip": make_broken_zip({"a.txt": b"some words, some words, some words" * 9}),
    "cut.zip": pack_members({"a.txt": b"words"})[:40],
    "locked.zip": make_locked_zip({"a.txt": b"words"}),
    "packed.gz": gzip.compress(b"Jane Roe" * 99, mtime=0),
    "packed.zip": pack_members({"a.xz": lzma.compress(b"Jane Roe" * 99)}),
    "locked.pdf": pdf_with("Ann", "secret"),
    "broken.pdf": b"%PDF-1.7\nno more",
}


@pytest.mark.parametrize("name", [*HIDDEN, *UNSEARCHABLE])
def test_attached_files_that_hold_a_term_or_cannot_be_searched_go(ok: Ok, letter: Path, files: Path, name: str) -> None:
    (files / name).write_bytes((HIDDEN | UNSEARCHABLE)[name])
    (files / "clean.docx").write_bytes(pack_members({"word/document.xml": b"<w:t>Jane</w:t><w:t>Smith</w:t>"}))
    ok("attach_pdf_files", path="letter.pdf", files=[name, "clean.docx"])
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["elsewhere"]["attachments removed"] == 1
    assert any(name in warning and "cannot be searched" in warning for warning in done["warnings"]) == (
        name in UNSEARCHABLE
    )
    assert [item["text"] for item in ok("list_pdf_items", path="letter.pdf", what="attachments")["items"]] == [
        "clean.docx"
    ]


@pytest.mark.parametrize("key", ["/Annots", "/Contents"])
@pytest.mark.parametrize("value", [5, pikepdf.Array([5, 6]), pikepdf.Dictionary()])
def test_odd_pages_of_an_attached_pdf_are_no_crash(ok: Ok, letter: Path, files: Path, key: str, value: Any) -> None:
    (files / "odd.pdf").write_bytes(build_mistyped_pdf(key, value))
    ok("attach_pdf_files", path="letter.pdf", files=["odd.pdf"])
    assert "Jane Roe" in ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])["matches"]


def test_related_files_and_deep_ones_go_too(ok: Ok, letter: Path) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        clean, bad = (pdf.make_stream(data) for data in (b"clean", HIDDEN["letter.docx"]))
        related = pikepdf.Dictionary(F="a.txt", EF=pikepdf.Dictionary(F=clean))
        related.RF = pikepdf.Dictionary(F=pikepdf.Array(["x", bad]))
        deep: Any = pikepdf.Dictionary(F="b.docx", EF=pikepdf.Dictionary(F=pdf.make_stream(HIDDEN["letter.docx"])))
        for _ in range(9):
            deep = pikepdf.Dictionary(Next=deep)
        pdf.Root.AF, pdf.Root.Deep = pikepdf.Array([related]), deep
        pdf.save(letter)
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])["elsewhere"]["attachments removed"] == 2
    with pikepdf.open(letter) as pdf:
        assert not [
            thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream) and b"PK" in thing.read_bytes()[:2]
        ]


@pytest.mark.parametrize(("how", "removed_text"), [({"terms": ["700"]}, "700"), ({"patterns": [r"\d{3}"]}, "700")])
def test_terms_that_are_coordinates_leave_the_page_in_its_place(
    ok: Ok, files: Path, how: dict[str, Any], removed_text: str
) -> None:
    canvas = Canvas(str(files / "phone.pdf"), pagesize=(595, 842), invariant=1)
    canvas.drawString(100, 700, "Phone 700")
    canvas.drawString(100, 600, "Keep this line")
    canvas.save()
    before = pixels_of(files / "phone.pdf")
    done = ok("redact_pdf", path="phone.pdf", **how)
    assert "metadata, scripts and other streams" not in done.get("elsewhere", {})
    assert text_of(files / "phone.pdf").split() == ["Phone", "Keep", "this", "line"]
    after = pixels_of(files / "phone.pdf")
    assert after.crop((0, 220, 595, 260)).tobytes() == before.crop((0, 220, 595, 260)).tobytes()
    assert removed_text not in text_of(files / "phone.pdf")


def test_a_file_that_a_comment_carries_goes_too(ok: Ok, letter: Path) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        embedded = pdf.make_stream(HIDDEN["letter.docx"], Type=pikepdf.Name.EmbeddedFile)
        carrier = pikepdf.Dictionary(Type=pikepdf.Name.Filespec, F="a.docx", EF=pikepdf.Dictionary(F=embedded))
        note = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.FileAttachment, Rect=[9, 9, 20, 20], FS=carrier
        )
        pdf.pages[0].obj.Annots = pikepdf.Array([*pdf.pages[0].obj.get("/Annots", []), pdf.make_indirect(note)])
        pdf.save(letter)
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])["elsewhere"]["attachments removed"] == 1
    with pikepdf.open(letter) as pdf:
        assert not [
            thing for thing in pdf.objects if isinstance(thing, pikepdf.Stream) and b"PK" in thing.read_bytes()[:2]
        ]


def test_an_attached_picture_stays_and_it_is_said_that_it_was_not_searched(ok: Ok, letter: Path, scan: Path) -> None:
    ok("attach_pdf_files", path="letter.pdf", files=["scan.png"])
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert "attachments removed" not in done["elsewhere"]
    assert "'scan.png' stays" in " ".join(done["warnings"])


def test_boxes_are_right_where_pages_inherit_their_size(ok: Ok, letter: Path) -> None:
    """PDFium alone would take such a page for US Letter: boxes 50 points too low, and a black box beside the name."""
    before = ok("read_pdf_text", path="letter.pdf", pages="1", format="words")["pages"]
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        pdf.Root.Pages.MediaBox = pdf.pages[0].obj.MediaBox
        for page in pdf.pages:
            del page.obj["/MediaBox"]
        pdf.save(letter)
    assert ok("read_pdf_text", path="letter.pdf", pages="1", format="words")["pages"] == before


MISTYPED_BOXES: dict[str, Any] = {
    "outside": {"/CropBox": pikepdf.Array([1000, 1000, 2000, 2000])},
    "empty": {"/MediaBox": pikepdf.Array([0, 0, 0, 0])},
    "no box": {"/CropBox": 5},
    "turned by a name": {"/Rotate": pikepdf.Name("/X")},
}


@pytest.mark.parametrize("name", MISTYPED_BOXES)
def test_a_page_with_odd_boxes_stays_text(ok: Ok, letter: Path, name: str) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        for key, value in MISTYPED_BOXES[name].items():
            pdf.pages[0].obj[key] = value
        pdf.save(letter)
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["matches"] == {"Jane Roe": 2}
    assert done.get("rasterised", {}) == {}
    assert b"Friday" in everything_decoded(letter)


def test_a_page_that_must_become_a_picture_but_cannot_be_drawn_is_refused(
    refused: Callable[..., str], letter: Path
) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        pdf.Root.Pages.MediaBox = pdf.pages[0].obj.MediaBox
        del pdf.pages[0].obj["/MediaBox"]
        pdf.pages[0].obj.CropBox = pikepdf.Array([1000, 1000, 2000, 2000])
        pdf.save(letter)
    assert "page 1 must become a picture, but cannot be drawn" in refused(
        "redact_pdf", path="letter.pdf", terms=["Jane Roe"]
    )
