"""Files of every kind."""

import shutil
from pathlib import Path

import docx
import openpyxl
import PIL.Image
import pptx
import pytest

from yardkit.kit.pages import libreoffice


@pytest.fixture(scope="session")
def one_of_each(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one small file of each kind, all saying Quarterly."""
    files = tmp_path_factory.mktemp("one-of-each")
    document = docx.Document()
    document.add_heading("Quarterly", 1)
    document.add_page_break()
    document.add_paragraph("Second page")
    document.save(str(files / "a.docx"))
    book = openpyxl.Workbook()
    book.active.append(["Quarterly", 1])
    book.active.column_dimensions["B"].width = 4
    book.active["B2"] = 123456789
    book.save(files / "a.xlsx")
    deck = pptx.Presentation()
    for number in range(1, 4):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.shapes.title.text = f"Quarterly {number}"
    deck.save(str(files / "a.pptx"))
    (files / "a.csv").write_text("Quarterly,1\n")
    (files / "a.md").write_text("# Quarterly\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")
    (files / "a.html").write_text('<!DOCTYPE html><meta charset="utf-8"><h1>Quarterly</h1>')
    (files / "a.txt").write_text("Quarterly\n")
    (files / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="100"><rect width="300" height="100" fill="teal"/>'
        '<text x="10" y="60" font-size="30">Quarterly</text></svg>'
    )
    PIL.Image.new("RGBA", (120, 80), (255, 0, 0, 128)).save(files / "a.png")
    libreoffice.convert_file(files / "a.docx", files / "a.pdf")
    return files


@pytest.fixture
def everything(files: Path, one_of_each: Path) -> Path:
    """The workspace with a copy of one file of each kind."""
    shutil.copytree(one_of_each, files, dirs_exist_ok=True)
    return files
