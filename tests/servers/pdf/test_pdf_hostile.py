"""Bad input: a clear error in bounded time, and the file as it was."""

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from reportlab.pdfgen.canvas import Canvas

Ok = Callable[..., dict[str, Any]]
READERS = ("inspect_pdf", "read_pdf_text", "read_pdf_tables", "read_pdf_form", "show_pdf_page")


def raw_pdf(*objects: bytes) -> bytes:
    """A file of hand-written objects; the first is the catalog."""
    out = b"%PDF-1.7\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    tail = b"trailer\n<</Root 1 0 R /Size %d>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, len(out))
    return out + head + table + tail


@pytest.mark.parametrize("tool", READERS)
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.pdf", b"", "is empty"),
        ("text.pdf", b"hello, this is text", "is not a PDF"),
        ("zip.pdf", b"PK\x03\x04" + bytes(2000), "is not a PDF"),
        ("head.pdf", b"%PDF-1.7\n", "is damaged"),
    ],
)
def test_what_is_no_pdf_is_refused(
    refused: Callable[..., str], files: Path, tool: str, name: str, data: bytes, words: str
) -> None:
    (files / name).write_bytes(data)
    message = refused(tool, path=name)
    assert words in message
    assert str(files) not in message


def test_an_edit_refuses_a_truncated_file_and_repair_opens_it(
    ok: Ok, refused: Callable[..., str], letter: Path
) -> None:
    original = letter.read_bytes()
    letter.write_bytes(original[: int(len(original) * 0.9)])
    broken = letter.read_bytes()
    assert "rewrite_pdf repairs" in refused("stamp_pdf", path="letter.pdf", stamps=[{"text": "x"}])
    assert letter.read_bytes() == broken
    done = ok("rewrite_pdf", path="letter.pdf", action="repair", target="fixed.pdf")
    assert done["warnings"]
    assert "office" in ok("read_pdf_text", path="fixed.pdf")["pages"][0]["text"]
    ok("stamp_pdf", path="fixed.pdf", stamps=[{"text": "x"}])


def test_a_page_tree_in_a_circle_ends(refused: Callable[..., str], files: Path) -> None:
    data = raw_pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1000000000/Kids[2 0 R 2 0 R]>>")
    (files / "circle.pdf").write_bytes(data)
    for tool in ("inspect_pdf", "show_pdf_page"):
        assert "circle.pdf" in refused(tool, path="circle.pdf")


@pytest.mark.drill
def test_forms_that_paint_each_other_harm_nobody_else(ok: Ok, refused: Callable[..., str], files: Path) -> None:
    resources = b"/Resources<</XObject<</A 4 0 R/B 5 0 R>>>>"
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]" + resources + b"/Length %d>>stream\n%s\nendstream"
    draw = b"/A Do /B Do /A Do /B Do"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 6 0 R/Resources<</XObject<</A 4 0 R>>>>>>"
    content = b"<</Length 5>>stream\n/A Do\nendstream"
    catalog, pages = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    both = form % (len(draw), draw)
    (files / "nest.pdf").write_bytes(raw_pdf(catalog, pages, page, both, both, content))
    before = (files / "nest.pdf").read_bytes()
    assert "crashed" in refused("show_pdf_page", path="nest.pdf")  # PDFium, in a process of its own
    refused("redact_pdf", path="nest.pdf", areas=[{"page": 1, "box": [1, 1, 50, 50]}])
    assert (files / "nest.pdf").read_bytes() == before
    assert ok("read_pdf_form", path="nest.pdf")["total"] == 0


@pytest.mark.drill
def test_a_stream_that_unpacks_to_gigabytes_is_bounded(call: Callable[..., Any], files: Path) -> None:
    squeezed = zlib.compress(zlib.compress(bytes(400_000_000), 9), 9)
    length = len(squeezed)
    content = b"<</Length %d/Filter[/FlateDecode/FlateDecode]>>stream\n%s\nendstream" % (length, squeezed)
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<<>>>>"
    catalog, pages = b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    (files / "bomb.pdf").write_bytes(raw_pdf(catalog, pages, page, content))
    before = (files / "bomb.pdf").read_bytes()
    for tool, more in (("read_pdf_text", {}), ("redact_pdf", {"areas": [{"page": 1, "box": [1, 1, 9, 9]}]})):
        result = call(tool, path="bomb.pdf", **more)
        assert not result.is_error or "masked" not in result.content[0].text
        assert not result.is_error or "failed unexpectedly" not in result.content[0].text
    assert before[:9] == (files / "bomb.pdf").read_bytes()[:9]


def test_an_enormous_page_is_not_painted(refused: Callable[..., str], files: Path) -> None:
    canvas = Canvas(str(files / "wall.pdf"), pagesize=(14_000, 14_000))
    canvas.drawString(10, 10, "x")
    canvas.save()
    assert "use dpi <=" in refused("show_pdf_page", path="wall.pdf", dpi=300)


def test_an_owner_password_alone_opens_for_reading(ok: Ok, letter: Path) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        pdf.save(
            letter, encryption=pikepdf.Encryption(owner="o", user="", R=4, allow=pikepdf.Permissions(extract=False))
        )
    info = ok("inspect_pdf", path="letter.pdf")
    assert "copy" in info["denied"]


def test_old_encryption_is_read(ok: Ok, letter: Path) -> None:
    with pikepdf.open(letter, allow_overwriting_input=True) as pdf:
        pdf.save(letter, encryption=pikepdf.Encryption(owner="o", user="u", R=3, aes=False, metadata=False))
    assert "office" in ok("read_pdf_text", path="letter.pdf", password="u")["pages"][0]["text"]


@pytest.mark.parametrize(
    ("pages", "words"), [("0", "page 0"), ("3", "pages 1 to 2"), ("a-b", "not a valid page expression"), ("1,,2", "''")]
)
def test_wrong_page_expressions_are_explained(
    refused: Callable[..., str], letter: Path, pages: str, words: str
) -> None:
    assert words in refused("read_pdf_text", path="letter.pdf", pages=pages)
