"""Documents made by other libraries, and the processes that ours start."""

from collections.abc import Iterator
from pathlib import Path

import docx
import openpyxl
import pptx
import pytest
from support.papers import LOREM

from yardkit.kit.pages import browser, libreoffice


@pytest.fixture
def report(tmp_path: Path) -> Path:
    """A document of three pages in Calibri and in a font that nobody has."""
    document = docx.Document()
    document.styles["Normal"].font.name = "Calibri"
    for number in range(1, 4):
        document.add_heading(f"Chapter {number}", 1)
        document.add_paragraph(LOREM * 4).runs[0].font.name = "Calibri" if number < 3 else "Nobody Has This"
        if number < 3:
            document.add_page_break()
    path = tmp_path / "report.docx"
    document.save(path)
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook whose formulas have no stored values."""
    workbook = openpyxl.Workbook()
    sheet = workbook.active
    sheet.title = "Data"
    for row in ([1, 2, "=A1+B1"], ["=1/0", "=A1>0", '="a"&"b"']):
        sheet.append(row)
    workbook.create_sheet("Second sheet")["B2"] = "=Data!C1*10"
    path = tmp_path / "book.xlsx"
    workbook.save(path)
    return path


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    """Four slides."""
    presentation = pptx.Presentation()
    for number in range(1, 5):
        slide = presentation.slides.add_slide(presentation.slide_layouts[1])
        slide.shapes.title.text = f"Slide {number} 标题"
        slide.placeholders[1].text = "One\nTwo"
    path = tmp_path / "deck.pptx"
    presentation.save(path)
    return path


@pytest.fixture(autouse=True, scope="module")
def _end_workers() -> Iterator[None]:
    yield
    libreoffice.stop_office()
    browser.stop_browser()
