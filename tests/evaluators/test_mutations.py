import random
import shutil
from pathlib import Path

import openpyxl
import PIL.Image
from hypothesis import given
from hypothesis import strategies as st

from yardkit.evaluators.mutations import generate_mutants, matches_target
from yardkit.evaluators.mutations.answers import changed_number, changed_word
from yardkit.evaluators.submission import build_manifest


def solve_workspace(folder: Path) -> Path:
    workspace = folder / "solved"
    workspace.mkdir()
    (workspace / "report.md").write_text("# Report\n\nRevenue was 1,250.50 in March.\n")
    (workspace / "input.csv").write_text("a,b\n1,2\n")
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [["item", "total"], ["tea", 3], ["milk", 4], ["bread", "=B2+B3"]]:
        sheet.append(row)
    book.create_sheet("Notes")["A1"] = "made by hand"
    book.save(workspace / "out.xlsx")
    PIL.Image.linear_gradient("L").resize((64, 48)).save(workspace / "chart.png")
    return workspace


def test_every_mutant_changes_the_world_or_the_answer_and_names_where(tmp_path: Path) -> None:
    workspace = solve_workspace(tmp_path)
    changed = {"report.md": "added", "out.xlsx": "added", "chart.png": "added"}
    initial = {"input.csv": build_manifest(workspace)["input.csv"]}
    world_mutants = list(generate_mutants(workspace, "The total is 7.00", changed, initial, random.Random(1)))
    before = build_manifest(workspace)
    for number, mutant in enumerate(world_mutants):
        copy = tmp_path / f"copy{number}"
        shutil.copytree(workspace, copy)
        answer = mutant.apply(copy, "The total is 7.00")
        assert (answer != "The total is 7.00") == (mutant.target == "answer"), mutant
        assert (build_manifest(copy) != before) == (mutant.target != "answer"), mutant
    operators = {mutant.operator for mutant in world_mutants}
    expected_operators = """answer_number answer_dropped answer_filler file_missing file_renamed file_elsewhere
        text_number text_word text_filler line_dropped cell_changed cell_emptied row_dropped sheet_renamed
        sheet_dropped image_blank image_flipped image_shrunk image_halved input_changed input_deleted stray_added"""
    assert operators >= set(expected_operators.split())
    assert build_manifest(workspace) == before


def test_mutants_are_the_same_for_the_same_seed(tmp_path: Path) -> None:
    workspace = solve_workspace(tmp_path)
    runs = [
        [mutant.says for mutant in generate_mutants(workspace, "7", {"out.xlsx": "added"}, {}, random.Random("s"))]
        for _ in "ab"
    ]
    assert runs[0] == runs[1]


def test_the_only_visible_sheet_is_not_dropped_since_no_workbook_is_without_one(tmp_path: Path) -> None:
    workspace = solve_workspace(tmp_path)
    book = openpyxl.load_workbook(workspace / "out.xlsx")
    book["Notes"].sheet_state = "hidden"
    book.save(workspace / "out.xlsx")
    world_mutants = list(generate_mutants(workspace, "7", {"out.xlsx": "added"}, {}, random.Random(1)))
    for number, mutant in enumerate(world_mutants):
        shutil.copytree(workspace, copy := tmp_path / f"copy{number}")
        mutant.apply(copy, "7")
    assert [change.target for change in world_mutants if change.operator == "sheet_dropped"] == ["sheet:out.xlsx#Notes"]


def test_a_leaf_is_named_by_the_file_the_kind_or_the_detail_it_looks_at() -> None:
    assert matches_target("answer", "answer")
    assert matches_target("cells:out.xlsx#Plan!B*", "cells:out.xlsx#Plan!B7")
    assert not matches_target("cells:out.xlsx#Plan!B*", "cells:out.xlsx#Plan!C7")
    assert matches_target("cells:out.xlsx", "cells:out.xlsx#Plan!C7")
    assert matches_target("cells:out.xlsx#Plan!B*", "file:out.xlsx")
    assert matches_target("image:*.png", "file:chart.png")
    assert not matches_target("text:a.md", "file:b.md")
    assert not matches_target("answer", "file:answer")


@given(st.decimals(min_value=0, max_value=10**6, places=2), st.integers())
def test_a_changed_number_is_another_number(number: object, seed: int) -> None:
    text = f"{number:,}"
    other = changed_number(text, random.Random(seed))
    assert len(other) == len(text)
    assert abs(float(other.replace(",", "")) - float(text.replace(",", ""))) >= 0.999


@given(st.from_regex(r"[A-Za-zéß]{2,20}", fullmatch=True))
def test_a_changed_word_is_another_word(word: str) -> None:
    assert changed_word(word) != word
