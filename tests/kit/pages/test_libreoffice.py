"""Office files as pages, in other formats, with computed values."""

import hashlib
import io
import shutil
import threading
import zipfile
from pathlib import Path

import docx
import openpyxl
import pptx
import pypdfium2
import pytest
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from support.papers import write_commented_notes

from yardkit.kit.pages import fonts, libreoffice
from yardkit.kit.pages.libreoffice import Calculated
from yardkit.world import Problem

PROTECTED = sorted((Path(__file__).parent / "files").glob("protected.*"))


def read_page_texts(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    page_texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return page_texts


def test_only_the_pages_that_are_asked_for_are_made(report: Path) -> None:
    assert libreoffice.page_count(report) == 3
    (second,) = read_page_texts(libreoffice.pdf_pages(report, 2, 2))
    assert "Chapter 2" in second
    assert len(read_page_texts(libreoffice.pdf_pages(report, 1, 3))) == 3


def test_notes_keep_their_texts_beside_comments(tmp_path: Path) -> None:
    write_commented_notes(tmp_path / "a.docx")
    before = (tmp_path / "a.docx").read_bytes()
    (page,) = read_page_texts(libreoffice.pdf_pages(tmp_path / "a.docx", 1, 1))
    assert page.index("Note 1") < page.index("Note 2")
    assert (tmp_path / "a.docx").read_bytes() == before


def test_a_damaged_member_beside_comments_and_notes_is_left_to_libreoffice(tmp_path: Path) -> None:
    path = tmp_path / f"{'a' * 240}.docx"
    write_commented_notes(path)
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("docProps/thumbnail.jpeg").header_offset
    data = bytearray(path.read_bytes())
    data[at + 200] ^= 0xFF
    path.write_bytes(data)
    assert "Paragraph 1" in read_page_texts(libreoffice.pdf_pages(path, 1, 1))[0]


def test_empty_pages_between_sections_that_count_anew_are_no_pages(tmp_path: Path) -> None:
    read = docx.Document()
    read.add_paragraph("front")
    read.add_section()
    read.add_paragraph("main")
    for section in read.sections:
        numbers = OxmlElement("w:pgNumType")
        numbers.set(qn("w:start"), "1")
        section._sectPr.append(numbers)
    read.save(str(tmp_path / "numbered.docx"))
    assert libreoffice.page_count(tmp_path / "numbered.docx") == 2
    assert "main" in read_page_texts(libreoffice.pdf_pages(tmp_path / "numbered.docx", 2, 2))[0]


def test_a_page_that_does_not_exist_is_refused_with_the_count(report: Path) -> None:
    with pytest.raises(Problem, match=r"'report.docx' has 3 pages; there are no pages 4-4"):
        libreoffice.pdf_pages(report, 4, 4)


def test_a_document_that_changed_is_loaded_anew(report: Path) -> None:
    assert "Chapter 1" in read_page_texts(libreoffice.pdf_pages(report, 1, 1))[0]
    document = docx.Document(str(report))
    document.paragraphs[0].text = "Another title"
    document.save(str(report))
    assert "Another title" in read_page_texts(libreoffice.pdf_pages(report, 1, 1))[0]


def test_nothing_is_written_beside_the_document(report: Path) -> None:
    before = hashlib.sha256(report.read_bytes()).hexdigest()
    libreoffice.pdf_pages(report, 1, 1)
    assert [path.name for path in report.parent.iterdir()] == ["report.docx"]
    assert hashlib.sha256(report.read_bytes()).hexdigest() == before


def test_more_documents_than_stay_open_are_all_answered(report: Path) -> None:
    copies = [report.with_name(f"copy{number}.docx") for number in range(libreoffice.MAX_OPEN + 3)]
    for copy in copies:
        shutil.copyfile(report, copy)
    assert {libreoffice.page_count(copy) for copy in [*copies, *copies]} == {3}


def test_slides_and_printed_pages_of_sheets_are_pages(deck: Path, book: Path) -> None:
    assert libreoffice.page_count(deck) == 4
    assert "Slide 3 标题" in read_page_texts(libreoffice.pdf_pages(deck, 3, 3))[0]
    assert libreoffice.page_count(book) == 2
    assert libreoffice.sheet_names(book) == ["Data", "Second sheet"]
    assert libreoffice.sheet_names(deck) == []


def test_formulas_are_computed_with_errors_and_kinds(book: Path) -> None:
    cells = [("Data", "C1"), ("Data", "A2"), ("Data", "B2"), ("Data", "C2"), ("Second sheet", "B2"), ("Data", "Z9")]
    assert libreoffice.calculate_cells(book, cells) == [
        Calculated(3.0),
        Calculated(error="#DIV/0!"),
        Calculated(value=True),
        Calculated("ab"),
        Calculated(30.0),
        Calculated(),
    ]


def test_a_stale_stored_value_is_not_believed(tmp_path: Path, book: Path) -> None:
    with zipfile.ZipFile(book) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    sheet = members["xl/worksheets/sheet1.xml"].replace(b"<f>A1+B1</f><v></v>", b"<f>A1+B1</f><v>999</v>")
    assert b"999" in sheet
    with zipfile.ZipFile(book, "w") as archive:
        for name, data in (members | {"xl/worksheets/sheet1.xml": sheet}).items():
            archive.writestr(name, data)
    assert "999" not in read_page_texts(libreoffice.pdf_pages(book, 1, 1))[0]
    assert libreoffice.calculate_cells(book, [("Data", "C1")]) == [Calculated(3.0)]


def test_an_unknown_sheet_names_the_known_ones(book: Path) -> None:
    with pytest.raises(Problem, match=r"no sheet 'Nope'; its sheets: Data, Second sheet"):
        libreoffice.calculate_cells(book, [("Nope", "A1")])


def test_a_range_of_a_sheet_is_one_page_of_its_size(book: Path) -> None:
    pdf = libreoffice.pdf_range(book, "Data", "A1:C1", headings=True)
    document = pypdfium2.PdfDocument(pdf)
    assert len(document) == 1
    assert document.get_page_size(0)[1] < 150
    text = document[0].get_textpage().get_text_range()
    assert {"A", "B", "C"} <= set(text.split())
    assert libreoffice.page_count(book) == 2  # the open document was not changed by it


@pytest.mark.parametrize("suffix", ["docx", "odt", "doc", "rtf", "txt", "html", "pdf", "png"])
def test_a_text_document_becomes_other_formats_with_its_text(report: Path, suffix: str) -> None:
    target = report.with_name(f"out.{suffix}")
    libreoffice.convert_file(report, target)
    if suffix == "docx":
        assert docx.Document(str(target)).paragraphs[0].text == "Chapter 1"
    elif suffix == "pdf":
        assert "Chapter 3" in read_page_texts(target.read_bytes())[2]
    elif suffix == "png":
        assert target.read_bytes().startswith(b"\x89PNG")
    elif suffix in ("txt", "html", "rtf"):
        assert "Chapter 3" in target.read_text("utf-8")
    else:
        assert libreoffice.page_count(target) == 3


def test_bullets_of_a_text_are_no_boxes_once_it_became_rtf(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Passport", style="List Bullet")
    document.save(str(tmp_path / "list.docx"))
    libreoffice.convert_file(tmp_path / "list.docx", tmp_path / "list.rtf")
    (page,) = read_page_texts(libreoffice.pdf_pages(tmp_path / "list.rtf", 1, 1))
    assert page.split() == ["•", "Passport"]


@pytest.mark.parametrize("suffix", ["xlsx", "ods", "xls", "csv", "html"])
def test_a_workbook_becomes_other_formats_with_computed_values(book: Path, suffix: str) -> None:
    target = book.with_name(f"out.{suffix}")
    libreoffice.convert_file(book, target)
    if suffix == "csv":
        assert target.read_text("utf-8").splitlines()[0] == "1,2,3"
    elif suffix == "xlsx":
        assert openpyxl.load_workbook(target, data_only=True)["Second sheet"]["B2"].value == 30
    elif suffix != "html":
        assert libreoffice.calculate_cells(target, [("Second sheet", "B2")]) == [Calculated(30.0)]
    else:
        assert "ab" in target.read_text("utf-8")


@pytest.mark.parametrize("suffix", ["pptx", "odp", "ppt"])
def test_slides_become_other_formats(deck: Path, suffix: str) -> None:
    target = deck.with_name(f"out.{suffix}")
    libreoffice.convert_file(deck, target)
    assert libreoffice.page_count(target) == 4
    if suffix == "pptx":
        assert pptx.Presentation(str(target)).slides[0].shapes.title.text == "Slide 1 标题"


def test_a_format_that_does_not_suit_is_refused_with_those_that_do(deck: Path) -> None:
    with pytest.raises(Problem, match=r"'deck.pptx' cannot be converted to .csv; use one of pdf, png, pptx, odp, ppt"):
        libreoffice.convert_file(deck, deck.with_name("out.csv"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.csv", "Name;PLZ;Betrag\nMüller, Ä.;01067;1,5\n".encode()),
        ("a.csv", "Name;PLZ;Betrag\r\nMüller, Ä.;01067;1,5\r\n".encode("cp1252")),
        ("a.csv", 'Name,PLZ,Betrag\n"Müller, Ä.",01067,"1,5"\n'.encode("utf-16")),
        ("a.tsv", "Name\tPLZ\tBetrag\nMüller, Ä.\t01067\t1,5\n".encode()),
        ("a.csv", "Name|PLZ|Betrag\nMüller, Ä.|01067|1,5\n".encode("utf-8-sig")),
    ],
)
def test_a_text_file_of_a_table_is_shown_as_its_table(tmp_path: Path, name: str, data: bytes) -> None:
    path, workbook_path = tmp_path / name, tmp_path / "made.xlsx"
    path.write_bytes(data)
    libreoffice.convert_file(path, workbook_path)
    rows = list(openpyxl.load_workbook(workbook_path).active.iter_rows(values_only=True))
    assert rows[0] == ("Name", "PLZ", "Betrag")
    assert rows[1][:2] == ("Müller, Ä.", "01067")


def test_a_csv_file_shows_its_own_name_and_letters(tmp_path: Path) -> None:
    path = tmp_path / "Zahlen 中.csv"
    path.write_text("Name,Wert\nGrün 中文,1\n", "utf-8")
    (text,) = read_page_texts(libreoffice.pdf_pages(path, 1, 1))
    assert "Grün 中文" in text
    assert "Zahlen 中" in text


@pytest.mark.parametrize("path", PROTECTED, ids=lambda path: path.name)
def test_a_protected_file_says_so(path: Path) -> None:
    with pytest.raises(Problem, match=f"'{path.name}' is protected with a password"):
        libreoffice.page_count(path)


def test_seven_kinds_of_protected_files_are_tried() -> None:
    assert len(PROTECTED) == 7


def make_corrupt(name: str, report: Path) -> bytes:
    data = report.read_bytes()
    if name == "broken-xml.docx":
        buffer = io.BytesIO()
        with zipfile.ZipFile(report) as archive, zipfile.ZipFile(buffer, "w") as target:
            for member in archive.namelist():
                target.writestr(member, b"<w:document" if member == "word/document.xml" else archive.read(member))
        return buffer.getvalue()
    return {
        "cut.docx": data[: len(data) // 2],
        "text.docx": b"hello",
        "empty.xlsx": b"",
        "zip.pptx": b"PK\x03\x04" + b"x" * 100,
        "unknown.foo": b"abc",
        "ole.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4000),
    }[name]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("cut.docx", "not a readable package"),
        ("text.docx", "is not a valid .docx file"),
        ("empty.xlsx", "is empty"),
        ("zip.pptx", "not a readable package"),
        ("unknown.foo", "cannot be shown as pages"),
        ("ole.doc", "cannot be opened"),
        ("broken-xml.docx", "cannot be opened"),
    ],
)
def test_a_damaged_file_is_named_with_the_reason(report: Path, name: str, words: str) -> None:
    path = report.with_name(name)
    path.write_bytes(make_corrupt(name, report))
    with pytest.raises(Problem, match=f"'{name}' .*{words}|'{name}' {words}"):
        libreoffice.page_count(path)
    assert libreoffice.page_count(report) == 3


def test_a_zip_bomb_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", b" " * 300_000_000)
    with pytest.raises(Problem, match="zip bomb"):
        libreoffice.page_count(path)


def test_a_file_with_the_wrong_suffix_is_opened_as_what_it_is(report: Path) -> None:
    wrong = report.rename(report.with_suffix(".xlsx"))
    assert libreoffice.page_count(wrong) == 3


def test_a_linked_picture_of_the_machine_is_not_shown(report: Path, tmp_path: Path) -> None:
    """A document cannot look at files outside itself."""
    from PIL import Image

    secret = tmp_path / "secret.png"
    Image.new("RGB", (200, 200), (255, 0, 0)).save(secret)
    document = docx.Document()
    document.add_picture(str(secret))
    document.save(str(report))
    with zipfile.ZipFile(report) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    relations = members["word/_rels/document.xml.rels"].decode()
    linked = relations.replace('Target="media/image1.png"', f'TargetMode="External" Target="{secret.as_uri()}"')
    assert linked != relations
    members["word/_rels/document.xml.rels"] = linked.encode()
    members["word/document.xml"] = members["word/document.xml"].replace(b"r:embed=", b"r:link=")
    with zipfile.ZipFile(report, "w") as archive:
        for name, data in members.items():
            if "media/" not in name:
                archive.writestr(name, data)
    from yardkit.kit.pages import raster

    image = raster.page_image(libreoffice.pdf_pages(report, 1, 1), 1, dpi=50)
    red = sum(count for count, (r, g, b) in image.getcolors(1 << 20) if r > 200 and g < 60 and b < 60)  # type: ignore[misc]
    assert red == 0


def test_fonts_that_are_missing_are_named_with_what_is_shown(report: Path, book: Path) -> None:
    fonts_by_name = {font.asked: font for font in fonts.list_installed_fonts(report)}
    assert (fonts_by_name["Calibri"].used, fonts_by_name["Calibri"].same_widths) == ("Carlito", True)
    assert fonts_by_name["Nobody Has This"].replaced
    assert not fonts_by_name["Nobody Has This"].same_widths
    assert fonts.find_substitutes(["Liberation Sans"]) == {"Liberation Sans": "Liberation Sans"}


def test_fonts_for_chinese_are_probed_with_chinese() -> None:
    used = fonts.find_substitutes(["Source Han Sans CJK Nobody", "宋体 Nobody", "Nobody Latin"])
    assert used["Source Han Sans CJK Nobody"] == used["宋体 Nobody"] != used["Nobody Latin"]
    assert "CJK" in used["宋体 Nobody"] or "Fallback" in used["宋体 Nobody"]


@pytest.mark.parametrize("suffix", ["doc", "rtf", "odt"])
def test_fonts_of_a_document_in_an_older_format_are_named_one_by_one(report: Path, suffix: str) -> None:
    older = report.with_name(f"older.{suffix}")
    libreoffice.convert_file(report, older)
    fonts_by_name = {font.asked: font.used for font in fonts.list_installed_fonts(older)}
    assert fonts_by_name["Calibri"] == "Carlito"
    assert "Nobody Has This" in fonts_by_name
    assert not [name for name in fonts_by_name if set(name) & set("'\",;")]


def test_many_threads_get_their_own_answers(report: Path, deck: Path, book: Path) -> None:
    answers: list[tuple[str, int]] = []
    expected_pages = [(report, 3), (deck, 4), (book, 2)] * 4
    threads = [
        threading.Thread(target=lambda path=path: answers.append((path.name, libreoffice.page_count(path))))
        for path, _ in expected_pages
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == sorted((path.name, count) for path, count in expected_pages)


def test_the_pdf_of_a_document_says_nothing_of_when_it_was_made(report: Path) -> None:
    first, second = libreoffice.pdf_pages(report, 1, 1), libreoffice.pdf_pages(report, 1, 1)
    assert first == second
    assert b"CreationDate" not in first
    assert b"/ID [ <" in first
    assert "Chapter 1" in read_page_texts(first)[0]


def test_a_csv_file_is_shown_as_it_is_written_and_converted_with_its_numbers(tmp_path: Path) -> None:
    path = tmp_path / "parts.csv"
    fields = ["1E5", "-5%", "=1+1", "2.50", "2026-03-14", "007", "12345678901234567", "TRUE", "+49"]
    path.write_text("A;B;C;D;E;F;G;H;I\n" + ";".join(fields) + "\n", "utf-8")
    libreoffice.convert_file(path, tmp_path / "parts.pdf")
    page_words = pypdfium2.PdfDocument(tmp_path / "parts.pdf")[0].get_textpage().get_text_range().split()
    assert [field for field in fields if field not in page_words] == []
    libreoffice.convert_file(path, tmp_path / "parts.xlsx")
    row = [cell.value for cell in openpyxl.load_workbook(tmp_path / "parts.xlsx").active[2]]
    assert (row[0], row[1], row[3], row[5]) == (100000, -0.05, 2.5, "007")
