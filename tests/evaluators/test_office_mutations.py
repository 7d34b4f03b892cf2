"""Mutants of office files: each changes what it names and nothing of the file's soundness; readers notice it."""

import io
import random
import shutil
import zipfile
from collections import Counter
from pathlib import Path

import docx
import openpyxl
import pikepdf
import pptx
import pytest
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import PatternFill
from support import office

from yardkit.evaluators import mutations
from yardkit.evaluators.mutations import Mutant, generate_mutants
from yardkit.evaluators.side_effects import find_differences
from yardkit.evaluators.submission import Submission, build_manifest

OWN = {
    "a.docx": """body_filler paragraph_filler paragraph_dropped paragraph_number paragraph_word table_row_dropped
        heading_style_lost comment_dropped comment_state change_accepted change_rejected footnote_dropped header_changed
        footer_changed picture_dropped""",
    "a.pptx": """slide_dropped slide_doubled slides_swapped title_replaced slide_filler slide_number notes_dropped
        chart_value picture_dropped shape_off_slide""",
    "a.pdf": "page_dropped page_turned page_filler pages_swapped field_cleared field_changed",
    "a.xlsx": """formula_pasted number_format_lost formats_lost charts_dropped rules_dropped sheet_hidden cell_changed
        sheet_dropped""",
    "a.html": """heading_demoted link_changed alt_dropped picture_dropped html_row_dropped text_word html_word
        html_number""",
}
HTML = b"""<h1>Top title</h1><p>Some words <a href="a.html">here</a><img src="a.png" alt="A"></p>
<table><tr><td>1<td>2</tr><tr><td>3<td>4</tr></table>"""


def build_book() -> bytes:
    workbook = openpyxl.load_workbook(io.BytesIO(office.make_book()))
    rule = CellIsRule(operator="lessThan", formula=["0"], fill=PatternFill("solid", bgColor="FFFF0000"))
    workbook["Plan"].conditional_formatting.add("B5:C6", rule)
    workbook["Old"].sheet_state = "visible"
    workbook["Old"]["B1"] = "x"
    buffer = io.BytesIO()
    workbook.save(buffer)
    # Libraries write formulas without their values; an office program stores them.
    target = io.BytesIO()
    with zipfile.ZipFile(buffer) as source, zipfile.ZipFile(target, "w") as stored:
        for name in source.namelist():
            stored.writestr(name, source.read(name).replace(b"<f>B4</f><v></v>", b"<f>B4</f><v>10</v>"))
    return target.getvalue()


MAKERS = {
    "a.docx": office.make_paper,
    "a.pptx": office.make_deck,
    "a.pdf": office.make_sheet,
    "a.xlsx": build_book,
    "a.html": lambda: HTML,
}


def make_world(folder: Path, name: str) -> Path:
    (folder / "files").mkdir(parents=True)
    (folder / "files" / name).write_bytes(MAKERS[name]())
    return folder


def list_mutants(root: Path, name: str, seed: str = "s") -> list[Mutant]:
    candidate_mutants = generate_mutants(root / "files", "", {name: "added"}, {}, random.Random(seed))
    return [mutant for mutant in candidate_mutants if not mutant.operator.startswith(("file_", "stray"))]


@pytest.mark.parametrize("name", MAKERS)
def test_every_mutant_is_a_sound_file_that_readers_can_tell_from_the_solved_one(name: str, tmp_path: Path) -> None:
    root = make_world(tmp_path / "solved", name)
    before = build_manifest(root / "files")
    operators = Counter(change.operator for seed in "ab" for change in list_mutants(root, name, seed))
    assert operators.keys() >= set(OWN[name].split())
    for number, mutant in enumerate(list_mutants(root, name)):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(root, copy)
        mutant.apply(copy / "files", "")
        path = copy / "files" / name
        assert build_manifest(copy / "files") != before, mutant
        assert mutant.target.partition(":")[2].partition("#")[0] == name, mutant.target
        assert f"``{mutant.target.partition(':')[0]}:" in str(mutations.__doc__), mutant.target
        open_file(path)
        if name != "a.html":
            submission = Submission(copy, before=lambda: root)
            assert find_differences(submission, name), mutant
    assert build_manifest(root / "files") == before


def open_file(path: Path) -> None:
    """Another library, stricter than ours, opens it."""
    if path.suffix == ".docx":
        docx.Document(str(path))
    elif path.suffix == ".pptx":
        assert len(pptx.Presentation(str(path)).slides) >= 4
    elif path.suffix == ".xlsx":
        openpyxl.load_workbook(path)
    elif path.suffix == ".pdf":
        with pikepdf.open(path) as opened:
            assert len(opened.pages) >= 2


@pytest.mark.parametrize("name", MAKERS)
def test_the_same_seed_gives_the_same_mutants_and_the_same_bytes(name: str, tmp_path: Path) -> None:
    root = make_world(tmp_path / "solved", name)
    assert [candidate.says for candidate in list_mutants(root, name)] == [
        candidate.says for candidate in list_mutants(root, name)
    ]
    if name == "a.xlsx":  # The library that changes cells writes the time into the file.
        return
    for number, mutant in enumerate(list_mutants(root, name)):
        copies = [tmp_path / f"{letter}{number}" for letter in "xy"]
        for copy in copies:
            shutil.copytree(root, copy)
            mutant.apply(copy / "files", "")
        assert build_manifest(copies[0] / "files") == build_manifest(copies[1] / "files"), mutant


def test_what_a_mutant_does_not_name_stays_byte_for_byte(tmp_path: Path) -> None:
    root = make_world(tmp_path / "solved", "a.docx")
    original_archive = zipfile.ZipFile(io.BytesIO((root / "files" / "a.docx").read_bytes()))
    mutant = next(candidate for candidate in list_mutants(root, "a.docx") if candidate.operator == "header_changed")
    mutant.apply(root / "files", "")
    changed_archive = zipfile.ZipFile(root / "files" / "a.docx")
    changed = [
        name for name in original_archive.namelist() if original_archive.read(name) != changed_archive.read(name)
    ]
    assert [name.rsplit("/", 1)[-1][:6] for name in changed] == ["header"]
