"""What changed outside of what was asked for, in meaning."""

import io
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pikepdf
import pptx
import pytest
from support import office
from support.scale import select_drills

from yardkit.evaluators.checkpoints import InsufficientEvidence
from yardkit.evaluators.side_effects import check_unchanged_outside, find_differences
from yardkit.evaluators.submission import Submission

MAKERS = {
    "a.docx": office.make_paper,
    "a.xlsx": office.make_book,
    "a.pptx": office.make_deck,
    "a.pdf": office.make_sheet,
}


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    for root in ("before", "after"):
        (tmp_path / root / "files").mkdir(parents=True)
        for name, make in MAKERS.items():
            (tmp_path / root / "files" / name).write_bytes(make())
    return Submission(tmp_path / "after", before=lambda: tmp_path / "before")


def edit_docx(submission: Submission, change: Callable[[Any], object]) -> None:
    read = docx.Document(str(submission.files / "a.docx"))
    change(read)
    read.save(str(submission.files / "a.docx"))


def edit_xlsx(submission: Submission, change: Callable[[Any], object]) -> None:
    read = openpyxl.load_workbook(submission.files / "a.xlsx")
    change(read)
    read.save(submission.files / "a.xlsx")


def edit_pptx(submission: Submission, change: Callable[[Any], object]) -> None:
    read = pptx.Presentation(str(submission.files / "a.pptx"))
    change(read)
    read.save(str(submission.files / "a.pptx"))


def edit_pdf(submission: Submission, change: Callable[[Any], object]) -> None:
    with pikepdf.open(io.BytesIO((submission.files / "a.pdf").read_bytes())) as read:
        change(read)
        read.save(submission.files / "a.pdf")


def list_differences(submission: Submission, name: str) -> list[str]:
    return [str(difference) for difference in find_differences(submission, name)]


@pytest.mark.parametrize("name", MAKERS)
def test_what_a_library_saves_again_shows_no_differences(submission: Submission, name: str) -> None:
    edit = {"a.docx": edit_docx, "a.xlsx": edit_xlsx, "a.pptx": edit_pptx, "a.pdf": edit_pdf}[name]
    before = (submission.files / name).read_bytes()
    edit(submission, lambda read: None)
    assert (submission.files / name).read_bytes() != before
    assert list_differences(submission, name) == []


@pytest.mark.parametrize("name", ["a.docx", *select_drills("a.xlsx", "a.pptx")])
def test_what_libreoffice_saves_again_keeps_every_text_and_value(submission: Submission, name: str) -> None:
    target = submission.root / "saved"
    command = ["soffice", f"-env:UserInstallation=file://{submission.root}/profile", "--headless", "--convert-to"]
    command += [name.split(".")[1], "--outdir", str(target), str(submission.files / name)]
    subprocess.run(command, check=True, capture_output=True, timeout=240)
    shutil.copyfile(target / name, submission.files / name)
    kinds = {str(difference).partition("#")[0] for difference in find_differences(submission, name)}
    assert not kinds & {"paragraph", "row", "change", "comment", "note", "cells", "formats", "slide", "notes", "charts"}


def test_a_changed_paragraph_is_named_by_its_text_and_its_heading(submission: Submission) -> None:
    def change(read: Any) -> None:
        paragraph = next(candidate for candidate in read.paragraphs if candidate.text == "one")
        paragraph.runs[0].text = "uno"

    edit_docx(submission, change)
    (difference,) = find_differences(submission, "a.docx")
    assert (difference.how, str(difference)) == ("changed", "paragraph#one changed")
    assert check_unchanged_outside(submission, "a.docx").outcome == "fail"
    for allowed in ("paragraph#one", "under#decisions", "paragraph#*"):
        assert check_unchanged_outside(submission, "a.docx", allowed).outcome == "pass", allowed
    assert check_unchanged_outside(submission, "a.docx", "paragraph#uno", "under#Money", "table#*").outcome == "fail"


def test_where_a_run_ends_beside_a_space_is_no_matter(submission: Submission) -> None:
    def add(read: Any, *texts: str) -> None:
        paragraph = read.add_paragraph()
        for text in texts:
            paragraph.add_run(text)

    original = (submission.files / "a.docx").read_bytes()
    edit_docx(submission, lambda read: add(read, "On the spot.", " ", "Nobody", " objected."))
    (submission.untouched.files / "a.docx").write_bytes((submission.files / "a.docx").read_bytes())
    (submission.files / "a.docx").write_bytes(original)
    edit_docx(submission, lambda read: add(read, "On the spot. Nobody objected."))
    assert find_differences(submission, "a.docx") == []


def test_fields_that_come_and_go_are_not_taken_for_one_another(submission: Submission) -> None:
    def with_field(code: str) -> Callable[[Any], None]:
        def change(read: Any) -> None:
            field = docx.oxml.OxmlElement("w:fldSimple")
            field.set(docx.oxml.ns.qn("w:instr"), code)
            read.paragraphs[1]._p.append(field)

        return change

    edit_docx(submission, with_field(" REF budget "))
    before = submission.files / "a.docx"
    shutil.copyfile(before, submission.root.parent / "before" / "files" / "a.docx")
    before.write_bytes(office.make_paper())
    edit_docx(submission, with_field(" AUTHOR "))
    difference_texts = list_differences(submission, "a.docx")
    assert {"field#REF budget removed", "field#AUTHOR added"} <= set(difference_texts)
    assert not any(name.endswith("changed") and name.startswith("field") for name in difference_texts)
    assert check_unchanged_outside(submission, "a.docx", "field#REF*").outcome == "fail"
    assert check_unchanged_outside(submission, "a.docx", "field#REF*", "field#AUTHOR").outcome == "pass"


def test_a_heading_that_becomes_text_does_not_fall_into_the_area_above_it(submission: Submission) -> None:
    def add(read: Any) -> None:
        read.add_heading("Next", 1)
        read.add_paragraph("Words")

    edit_docx(submission, add)
    (submission.untouched.files / "a.docx").write_bytes((submission.files / "a.docx").read_bytes())

    def change(read: Any) -> None:
        next(paragraph for paragraph in read.paragraphs if paragraph.text == "Next").style = "Normal"

    edit_docx(submission, change)
    assert check_unchanged_outside(submission, "a.docx", "under#Decisions").outcome == "fail"
    assert check_unchanged_outside(submission, "a.docx", "paragraph#Next").outcome == "pass"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda read: read.tables[0].rows[1]._tr.getparent().remove(read.tables[0].rows[1]._tr), "row#1!Rent removed"),
        (lambda read: setattr(read.sections[0].header.paragraphs[0], "text", "Public"), "header#default!1 changed"),
        (lambda read: read.add_paragraph("New words"), "paragraph#New words added"),
        (lambda read: setattr(read.styles["Heading 1"].font, "bold", False), "style#Heading 1 changed"),
        (lambda read: setattr(read.core_properties, "title", "Other"), "property#title changed"),
        (lambda read: read.paragraphs[-1].add_run("x") and None, "paragraph#x added"),
    ],
)
def test_other_parts_of_documents_are_compared_too(
    submission: Submission, change: Callable[[Any], object], expected: str
) -> None:
    edit_docx(submission, change)
    assert expected in list_differences(submission, "a.docx")


def test_hidden_letters_and_a_paragraph_in_the_middle_are_seen(submission: Submission) -> None:
    def change(read: Any) -> None:
        line = next(paragraph for paragraph in read.paragraphs if paragraph.text == "one")
        line.runs[0].font.hidden = True
        next(paragraph for paragraph in read.paragraphs if paragraph.text == "eins").alignment = 1

    edit_docx(submission, change)
    assert list_differences(submission, "a.docx") == ["paragraph#one changed", "paragraph#eins changed"]


def test_an_accepted_change_and_a_format_lost_are_seen(submission: Submission) -> None:
    w = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

    def change(read: Any) -> None:
        mark = next(read.element.iter(f"{w}ins"))
        mark.addprevious(mark[0])
        mark.getparent().remove(mark)
        bold = next(run for paragraph in read.paragraphs for run in paragraph.runs if run.text == " for good")
        bold.bold = None

    edit_docx(submission, change)
    assert list_differences(submission, "a.docx") == ["paragraph#As agreed for good changed", "change#Bo Lind removed"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda read: setattr(read["Plan"]["B5"], "value", 11), ["cells#Plan!B5 changed"]),
        (lambda read: setattr(read["Plan"]["B6"], "value", 10), ["cells#Plan!B6 changed"]),
        (lambda read: setattr(read["Plan"]["B5"], "number_format", "General"), ["formats#Plan!B5 changed"]),
        (lambda read: read["Plan"]._charts.clear(), ["charts#Plan!1 removed"]),
        (lambda read: setattr(read["Old"], "sheet_state", "visible"), ["sheet#Old changed"]),
        (lambda read: setattr(read["Plan"], "freeze_panes", None), ["layout#Plan!freeze changed"]),
        (lambda read: read["Plan"].unmerge_cells("B3:C3"), ["layout#Plan!merged changed"]),
        (
            lambda read: setattr(read["Plan"].column_dimensions["A"], "width", 40),
            ["layout#Plan!width A changed", "layout#Plan!width B changed"],
        ),
    ],
)
def test_cells_formats_and_layout_are_compared(
    submission: Submission, change: Callable[[Any], object], expected: list[str]
) -> None:
    edit_xlsx(submission, change)
    assert list_differences(submission, "a.xlsx") == expected


def test_a_task_allows_an_area_of_cells(submission: Submission) -> None:
    edit_xlsx(submission, lambda read: setattr(read["Plan"]["D5"], "value", "new"))
    assert check_unchanged_outside(submission, "a.xlsx", "*#Plan!D*").outcome == "pass"
    assert check_unchanged_outside(submission, "a.xlsx", "*#Plan!E*").outcome == "fail"


def test_moved_dropped_and_changed_slides_are_seen(submission: Submission) -> None:
    def change(read: Any) -> None:
        read.slides[1].notes_slide.notes_text_frame.text = "Silence."
        read.slides[4].shapes[1].left = 0
        entries = read.slides._sldIdLst
        entries.remove(entries[3])

    edit_pptx(submission, change)
    difference_texts = list_differences(submission, "a.pptx")
    assert "slide#Regions removed" in difference_texts
    assert "notes#Highlights changed" in difference_texts
    assert "shape#Site!Picture 2 changed" in difference_texts
    assert (
        check_unchanged_outside(submission, "a.pptx", "*#Regions*", "notes#Highlights", "slide#site").outcome == "pass"
    )


def test_another_title_changes_nothing_but_the_title(submission: Submission) -> None:
    def change(read: Any) -> None:
        read.slides[2].shapes.title.text_frame.paragraphs[0].runs[0].text = "Revenue in March"

    edit_pptx(submission, change)
    assert sorted(list_differences(submission, "a.pptx")) == ["shape#Revenue!Title 1 changed", "slide#Revenue changed"]
    assert check_unchanged_outside(submission, "a.pptx", "title#Revenue", "shape#Revenue!Title*").outcome == "pass"


def test_a_shape_on_another_slide_is_seen(submission: Submission) -> None:
    def change(read: Any) -> None:
        picture = read.slides[4].shapes[1]._element
        read.slides[3].shapes._spTree.append(picture)

    edit_pptx(submission, change)
    assert "shape#Site!Picture 2 removed" in list_differences(submission, "a.pptx")


def test_a_number_in_a_chart_is_seen(submission: Submission) -> None:
    def change(read: Any) -> None:
        chart = next(shape.chart for shape in read.slides[2].shapes if shape.has_chart)
        next(element for element in chart._chartSpace.iter() if element.text == "4.4").text = "9.9"

    edit_pptx(submission, change)
    assert [name.partition(" changed")[0] for name in list_differences(submission, "a.pptx")] == [
        "shape#Revenue!Chart 2"
    ]


def test_pages_fields_and_what_is_painted_over_are_seen(submission: Submission) -> None:
    def change(read: Any) -> None:
        page = read.pages[0]
        page.contents_add(b"q 0 0 0 rg 60 500 200 60 re f Q")
        next(field for field in read.Root.AcroForm.Fields if str(field.T) == "name").V = pikepdf.String("Al")
        del read.pages[1]

    edit_pdf(submission, change)
    difference_texts = list_differences(submission, "a.pdf")
    assert "page#1 changed" in difference_texts
    assert "page#2 removed" in difference_texts
    assert "field#name changed" in difference_texts


def test_a_file_may_have_been_made_from_another(submission: Submission) -> None:
    (submission.files / "a.docx").rename(submission.files / "b.docx")
    assert check_unchanged_outside(submission, "b.docx", was="a.docx").outcome == "pass"
    with pytest.raises(InsufficientEvidence):
        check_unchanged_outside(submission, "a.docx")


def test_truth_values_as_libreoffice_writes_them_and_a_scrolled_view_are_no_differences(submission: Submission) -> None:
    def write(root: Path, formula: str, top: str) -> None:
        read = openpyxl.load_workbook(root / "a.xlsx")
        sheet = read.worksheets[0]
        sheet["Z1"], sheet.freeze_panes = formula, "A2"
        sheet.sheet_view.pane.topLeftCell = top
        read.save(root / "a.xlsx")

    write(submission.untouched.files, "=IF(A1=1,TRUE,FALSE)", "A2")
    write(submission.files, "=IF(A1=1,TRUE(),FALSE())", "A9")
    assert list_differences(submission, "a.xlsx") == []
