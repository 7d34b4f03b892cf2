# ruff: noqa: RUF001 - letters of Hebrew are what is tested
"""Hebrew and Arabic: how they are drawn in fields, stamps and new documents, and the order in which they are read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas
from support.answers import Call

from yardkit.servers.pdf.engine.drawing import fonts

Ok = Callable[..., dict[str, Any]]
LINES = (
    "דוח שלום עולם 2026",
    "التقرير السنوي لعام 2026",
    "הדפסה של דוח 2026 (טיוטה) לפי PDF שנמסר לנו: 10 20 30, 12.5% בסך 1,250.50.",
    "السلام عليكم: هذا نص (تجريبي) مع ABC-12 و 3.5% في الوسط.",
    'The word שלום עולם means "hello world", and مرحبا بالعالم too.',
    "Plain words of English.",
)


@pytest.fixture
def fields(files: Path) -> Path:
    """A form of three text fields: one, two and a comb."""
    path = files / "fields.pdf"
    canvas = Canvas(str(path))
    canvas.drawString(40, 780, "Form")
    canvas.acroForm.textfield(name="one", x=150, y=760, width=250, height=20)
    canvas.acroForm.textfield(name="two", x=150, y=720, width=250, height=20)
    canvas.acroForm.textfield(name="comb", x=150, y=680, width=250, height=20, fieldFlags="comb", maxlen=10)
    canvas.save()
    return path


def letters_by_place(path: Path) -> str:
    """The letters of a page from left to right."""
    page = pypdfium2.PdfDocument(path)[0]
    text = page.get_textpage()
    placed = [(text.get_charbox(at)[0], text.get_text_range(at, 1)) for at in range(text.count_chars())]
    return "".join(char for _, char in sorted(placed) if char.strip())


@pytest.mark.parametrize(
    ("value", "drawn"), [("שלום עולם 12", "12םלועםולש"), ("مرحبا", "ابحرم"), ("ab שלום, c", "abםולש,c")]
)
def test_a_field_shows_text_from_right_to_left_as_it_runs(fields: Path, ok: Ok, value: str, drawn: str) -> None:
    done = ok("fill_pdf_form", path="fields.pdf", values={"one": value}, flatten=True, target="flat.pdf")
    assert "warnings" not in done
    ok("arrange_pdf_pages", path="flat.pdf", edits=[{"op": "crop", "pages": "1", "box": [140, 50, 420, 90]}])
    assert letters_by_place(fields.with_name("flat.pdf")).replace("Form", "") == drawn
    assert value in ok("read_pdf_text", path="flat.pdf")["pages"][0]["text"]


def test_arabic_letters_are_joined_and_marks_stand_at_their_letters() -> None:
    ((_, word),) = fonts.split_runs("مرحبا", fonts.Style())
    assert word == "\ufe8e\ufe92\ufea3\ufeae\ufee3"  # final alef, medial beh, initial hah, final reh, initial meem
    assert fonts.measure_width("שָׁלוֹם", fonts.Style(), 10) == pytest.approx(
        fonts.measure_width("שלום", fonts.Style(), 10), abs=0.01
    )


def test_a_sign_that_no_font_has_is_named_with_a_way_out_and_a_tab_is_a_space(
    fields: Path, refused: Call, ok: Ok
) -> None:
    before = fields.read_bytes()
    for sign, name in (("\u0e2a", "THAI CHARACTER SO SUA"), ("\U0001f389", "PARTY POPPER"), ("\u0915", "DEVANAGARI")):
        answer = refused("fill_pdf_form", path="fields.pdf", values={"one": f"Ann {sign}"})
        assert all(word in answer for word in ("'one'", sign, name, "leave it out", "fonts-noto-core"))
    assert fields.read_bytes() == before
    filled = ok("fill_pdf_form", path="fields.pdf", values={"one": "a\tb \U0001f600 \u2764\ufe0f", "comb": "שלום 12"})
    assert filled["values"]["one"] == "a\tb \U0001f600 \u2764\ufe0f"


def test_lines_are_read_in_the_order_in_which_they_were_written(files: Path, ok: Ok) -> None:
    (files / "rtl.md").write_text("\n\n".join(LINES), "utf-8")
    ok("create_pdf", path="rtl.pdf", source="rtl.md")
    (page,) = ok("read_pdf_text", path="rtl.pdf")["pages"]
    assert page["text"].split("\n\n") == list(LINES)
    assert ok("search_pdf", path="rtl.pdf", query="עולם 2026")["total"] == 1
    stamps = [{"text": line, "box": [30, 160 + 40 * at, 560, 190 + 40 * at]} for at, line in enumerate(LINES)]
    ok("create_pdf", path="stamped.pdf", markdown="x")
    ok("stamp_pdf", path="stamped.pdf", stamps=stamps)
    (page,) = ok("read_pdf_text", path="stamped.pdf", box=[20, 150, 570, 500])["pages"]
    assert page["text"].split("\n\n") == list(LINES)


def test_a_table_of_hebrew_is_laid_out_and_read_from_right_to_left(files: Path, ok: Ok) -> None:
    ok("create_pdf", path="t.pdf", markdown="| שם | כמות |\n|---|---|\n| תפוחים (אדומים) | 12 |\n| pear | 3.5 |\n")
    (page,) = ok("read_pdf_text", path="t.pdf")["pages"]
    assert page["text"].split("\n\n") == ["שם\tכמות", "תפוחים (אדומים)\t12", "pear\t3.5"]
    words = {
        word["text"]: word["box"] for word in ok("read_pdf_text", path="t.pdf", format="words")["pages"][0]["pieces"]
    }
    assert words["שם"][0] > words["כמות"][2]
