"""Reading a workbook as it would be after a correction."""

import datetime
import os
import re
import signal
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from yardkit.evaluators.checkpoints import EnvironmentInvalid, InvalidArtifact
from yardkit.evaluators.readers.engines import libreoffice, time_limits
from yardkit.evaluators.readers.engines.calculation import compute_formula_over
from yardkit.evaluators.readers.engines.formula_tokens import move_formula
from yardkit.evaluators.readers.tables import read_sheets, recompute_sheets
from yardkit.evaluators.submission import Submission
from yardkit.programs.command import Ended


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    book = openpyxl.Workbook()
    data, sums = book["Sheet"], book.create_sheet("Sums")
    data.title = "Data"
    for row in ([1, 10], [2, 20]):
        data.append(row)
    sums.append(["=SUM(Data!B1:B2)", "=A1*2", 30])
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    return Submission(tmp_path)


def test_formulas_follow_a_change_through_other_formulas(submission: Submission) -> None:
    after = recompute_sheets(submission, "a.xlsx", {("Data", 1, 1): 25.5})
    assert after["Sums"].values == [[35.5, 71, 30]]
    assert after["Data"].values == [[1, 10], [2, 25.5]]


def test_the_workbook_itself_stays_as_it_was(submission: Submission) -> None:
    before = (submission.files / "a.xlsx").read_bytes()
    recompute_sheets(submission, "a.xlsx", {("Data", 0, 1): 99})
    assert (submission.files / "a.xlsx").read_bytes() == before
    assert read_sheets(submission, "a.xlsx")["Sums"].values == [[30, 60, 30]]


def test_a_workbook_that_was_saved_again_is_read_again(submission: Submission) -> None:
    assert read_sheets(submission, "a.xlsx")["Data"].values[0] == [1, 10]
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    book["Data"]["B1"] = 11
    book.save(submission.files / "a.xlsx")
    assert read_sheets(submission, "a.xlsx")["Data"].values[0] == [1, 11]


def test_what_a_reader_does_to_the_values_does_not_reach_the_next(submission: Submission) -> None:
    read_sheets(submission, "a.xlsx")["Data"].values[0][0] = "spoiled"
    assert read_sheets(submission, "a.xlsx")["Data"].values[0][0] == 1


@pytest.mark.drill
def test_cells_without_text_are_unequal_to_a_text_and_empty_texts_are_not_joined(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Paid", 10], [None, 20], ["Open", 30], [5, 40], ['=""', 50]):
        book["Sheet"].append(row)
    formulas = ['=SUMIFS(B1:B5,A1:A5,"<>Paid")', '=COUNTIF(A1:A5,"<>"&A3)', '=_xlfn.TEXTJOIN("-",TRUE,A1:A5)']
    for column, formula in enumerate(formulas, start=4):
        book["Sheet"].cell(1, column, formula)
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    after = recompute_sheets(Submission(tmp_path), "a.xlsx", {("Sheet", 0, 1): 11})
    assert after["Sheet"].values[0][3:] == [140, 4, "Paid-Open-5"]


@pytest.mark.drill
def test_texts_of_numbers_and_times_and_dates_in_texts_are_what_spreadsheets_give(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book["Sheet"].append([-1, datetime.datetime(2026, 1, 1, 7, 0), "31-Mar-2026", 5])  # noqa: DTZ001 - a cell has no zone
    formulas = ['=TEXT(A1,"0")', '=TEXT(B1,"hh:mm")', "=HOUR(B1)", '=IFERROR(DATEVALUE(C1),"none")', "=D1*2"]
    for column, formula in enumerate(formulas, start=5):
        book["Sheet"].cell(1, column, formula)
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    after = recompute_sheets(Submission(tmp_path), "a.xlsx", {("Sheet", 0, 3): 6})
    assert after["Sheet"].values[0][4:] == ["-1", "07:00", 7, 46112, 12]


def test_brackets_that_ironcalc_loses_count(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book["Sheet"].append([2, 3, 5])
    formulas = ["=(A1&B1)*C1", "=A1&(B1<C1)", "=(A1=B1)=(B1=C1)", "=(A1+B1)%", '=IF((A1=B1)&""="FALSE",1,2)']
    formulas += ["=((A1+B1))%", "=A1/(-(B1*C1))", "=C1/-((B1)/A1)", "=-((B1^A1)/A1)", "=(-(A1*B1))^2"]
    for column, formula in enumerate(formulas, start=4):
        book["Sheet"].cell(1, column, formula)
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    after = recompute_sheets(Submission(tmp_path), "a.xlsx", {("Sheet", 0, 2): 4})
    assert after["Sheet"].values[0][3:] == [
        *(92, "2TRUE", True, 0.05, 1),
        *(0.05, pytest.approx(-1 / 6), pytest.approx(-8 / 3), -4.5, 36),
    ]


def test_numbers_in_joined_texts_have_the_fifteen_figures_that_a_spreadsheet_shows(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book["Sheet"].append([0.1, 0.2, '=A1+B1&" kg"', '="a third: "&1/3', '="1.5 and "&A1'])
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    row_texts = read_sheets(Submission(tmp_path), "a.xlsx")["Sheet"].values[0][2:]
    assert row_texts == ["0.3 kg", "a third: 0.333333333333333", "1.5 and 0.1"]


def test_a_change_to_a_missing_sheet_is_named(submission: Submission) -> None:
    with pytest.raises(InvalidArtifact, match=r"no sheet Plan; it has Data, Sums"):
        recompute_sheets(submission, "a.xlsx", {("Plan", 0, 0): 1})


def test_a_cell_with_a_format_and_no_value_is_empty_to_formulas(submission: Submission) -> None:
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    book["Sums"]["D1"].number_format = "0.00"
    book["Sums"]["E1"] = '=IF(D1="","empty",D1)'
    book.save(submission.files / "a.xlsx")
    assert read_sheets(submission, "a.xlsx")["Sums"].values[0][3:] == [None, "empty"]
    assert recompute_sheets(submission, "a.xlsx", {("Sums", 0, 3): 7})["Sums"].values[0][3:] == [7, 7]


TABLE = [["Day", "Code", "Amount"], ["2026-01-05", "ab x", -2.6], ["2026-02-06", "Cd", 3.4], ["2026-01-07", " x ", 4.5]]
OVER_ARRAYS = {
    "=SUMPRODUCT((MONTH(A2:A4)=1)*C2:C4)": 1.9,
    '=SUMPRODUCT(--(TEXT(A2:A4,"yyyy-mm")="2026-01"),C2:C4)': 1.9,
    '=SUMPRODUCT(--ISNUMBER(SEARCH("x",B2:B4)))': 2,
    '=SUMPRODUCT((UPPER(B2:B4)="CD")*C2:C4)': 3.4,
    '=SUMPRODUCT(--(TRIM(B2:B4)="x"))': 1,
    "=SUMPRODUCT(ROUND(C2:C4*1.5,2))": 7.95,
    '=SUM(COUNTIFS(B2:B4,{"Cd","ab x"}))': 2,
    '=SUM(SUMIFS(C2:C4,B2:B4,{"Cd","ab x"}))': 0.8,
    '=SUMIF(B2:B4,"Cd",C2)': 3.4,
}


@pytest.fixture
def months(tmp_path: Path) -> Submission:
    """A table, in E formulas over it, in F one that uses the formula beside it."""
    book = openpyxl.Workbook()
    sheet = book.active
    for row in TABLE:
        sheet.append([datetime.date.fromisoformat(str(row[0])), *row[1:]] if row[0] != "Day" else row)
    for number, formula in enumerate(OVER_ARRAYS, 1):
        sheet.cell(number, 5).value, sheet.cell(number, 6).value = formula, f"=E{number}+100"
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    return Submission(tmp_path)


def test_functions_over_arrays_have_the_values_that_spreadsheets_give(months: Submission) -> None:
    rows = read_sheets(months, "a.xlsx")["Sheet"].values
    assert {formula: row[4] for formula, row in zip(OVER_ARRAYS, rows, strict=True)} == pytest.approx(OVER_ARRAYS)
    assert [row[5] for row in rows] == pytest.approx([value + 100 for value in OVER_ARRAYS.values()])


@pytest.mark.drill
def test_functions_over_arrays_follow_a_change(months: Submission) -> None:
    changes: dict[tuple[str, int, int], float | str] = {("Sheet", 1, 2): 10.0, ("Sheet", 3, 1): "'Cd"}
    rows = recompute_sheets(months, "a.xlsx", changes)["Sheet"].values
    assert [row[4] for row in rows] == pytest.approx([14.5, 14.5, 1, 7.9, 0, 26.85, 3, 17.9, 7.9])
    assert rows[0][5] == pytest.approx(114.5)


def test_a_function_over_an_array_that_libreoffice_lacks_has_no_value_rather_than_a_stale_one(
    months: Submission,
) -> None:
    book = openpyxl.load_workbook(months.files / "a.xlsx")
    book["Sheet"]["E1"] = "=SUMPRODUCT(NOSUCH(C2:C4))"
    book.save(months.files / "a.xlsx")
    assert recompute_sheets(months, "a.xlsx", {("Sheet", 1, 2): 10.0})["Sheet"].values[0][4] is None


def test_a_machine_without_libreoffice_is_not_the_fault_of_the_file(
    months: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(EnvironmentInvalid, match="LibreOffice is not installed"):
        recompute_sheets(months, "a.xlsx", {("Sheet", 1, 2): 11.0})


def test_a_stored_value_that_its_formula_does_not_give_is_found_out(submission: Submission) -> None:
    path = submission.files / "a.xlsx"
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    sums = "xl/worksheets/sheet2.xml"
    parts[sums] = re.sub(rb"<f>A1\*2</f><v ?/?>(</v>)?", b"<f>A1*2</f><v>999</v>", parts[sums])
    assert b"<v>999</v>" in parts[sums]
    with zipfile.ZipFile(path, "w") as package:
        for name, data in parts.items():
            package.writestr(name, data)
    assert read_sheets(submission, "a.xlsx")["Sums"].values == [[30, 999, 30]]
    assert recompute_sheets(submission, "a.xlsx", {})["Sums"].values == [[30, 60, 30]]


@pytest.mark.drill
def test_lookups_in_whole_columns_are_computed_in_no_time(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet, items = book.active, book.create_sheet("Items")
    for number in range(2000):
        sheet.append([number, f'=VLOOKUP("AK-"&A{number + 1},Items!A:$B,2,FALSE)', "=SUM(A:A)+ROWS(A:A)"])
        items.append([f"AK-{number}", number * 10])
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    submission, started = Submission(tmp_path), time.process_time()
    assert [row[1] for row in read_sheets(submission, "a.xlsx")["Sheet"].values] == [
        10 * row_number for row_number in range(2000)
    ]
    after = recompute_sheets(submission, "a.xlsx", {("Items", 1999, 1): 7.0})["Sheet"].values
    assert after[1999] == [1999, 7, 1999000 + 1_048_576]
    assert time.process_time() - started < 20


@pytest.mark.drill
def test_a_lookup_of_what_comes_nearest_is_right_over_empty_cells(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in ([0, "low", "=VLOOKUP(B9,A1:B8,2)"], [10, "mid", "=MATCH(15,A:A)"], [20, "high", "=LOOKUP(15,A:A,B:B)"]):
        book.active.append(row)
    book.active["B9"] = 15
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    rows = read_sheets(Submission(tmp_path), "a.xlsx")["Sheet"].values
    assert [row[2] for row in rows[:3]] == ["mid", 2, "mid"]
    after = recompute_sheets(Submission(tmp_path), "a.xlsx", {("Sheet", 8, 1): 25.0})["Sheet"].values
    assert [row[2] for row in after[:3]] == ["high", 2, "mid"]


DECIDING = {
    "=OR(TRUE,1/0)": "#DIV/0!",
    "=AND(FALSE,A1/0>1)": "#DIV/0!",
    "=NOT(OR(TRUE,A1:A2))": "#DIV/0!",
    '=IFERROR(IF(OR(A1>0,AND(FALSE,1/0)),1,2),"lost")': "lost",
    '=IF(OR(A1=1,B1="x, (y"),"yes","no")': "yes",
    "=and(A1>0,A1<2,OR(B1=0,TRUE))": True,
    "=XOR(TRUE,FALSE)+SUM(A1)": 2,
}


def test_an_error_is_not_passed_by_where_another_argument_decides(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"], sheet["A2"] = 1, "=1/0"
    for number, formula in enumerate(DECIDING, 1):
        sheet.cell(number, 4).value, sheet.cell(number, 5).value = formula, f'=IF(ISERROR(D{number}),"error",D{number})'
    (tmp_path / "files").mkdir()
    book.save(tmp_path / "files" / "a.xlsx")
    rows = read_sheets(Submission(tmp_path), "a.xlsx")["Sheet"].values
    assert [row[3] for row in rows] == list(DECIDING.values())
    assert [row[4] for row in rows][:4] == ["error", "error", "error", "lost"]
    changed = recompute_sheets(Submission(tmp_path), "a.xlsx", {("Sheet", 0, 0): 5.0})["Sheet"].values
    assert [row[3] for row in changed][4:6] == ["no", False]


def test_a_rule_that_is_an_error_for_a_value_says_nothing_about_it() -> None:
    assert compute_formula_over({(1, 1): 5.0}, "=OR(A1>1,A1/0>1)", (1, 1)) is None
    assert compute_formula_over({(1, 1): 5.0}, "=OR(A1>1,A1<0)", (1, 1)) is True


BUSY = "=REDUCE(0,SEQUENCE(1000000),LAMBDA(a,b,a+SUM(SEQUENCE(1000))))"
STORED_BUSY = "=_xlfn.REDUCE(0,_xlfn.SEQUENCE(1000000),_xlfn.LAMBDA(_xlpm.a,_xlpm.b,_xlpm.a+SUM(_xlfn.SEQUENCE(1000))))"


@pytest.mark.parametrize(
    ("formula", "reason"),
    [
        (STORED_BUSY, "it takes more than 0.5 s"),
        ("=EDATE(1,1E12)", "it cannot be computed"),
        ("=" + "(" * 3000 + "1" + ")" * 3000, "comput"),
    ],
)
def test_formulas_that_keep_the_engine_busy_or_crash_it_are_the_fault_of_the_file(
    submission: Submission, monkeypatch: pytest.MonkeyPatch, formula: str, reason: str
) -> None:
    monkeypatch.setattr(time_limits, "LIMIT_S", 0.5)
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    book["Data"]["D1"] = formula
    book.save(submission.files / "hostile.xlsx")
    with pytest.raises(InvalidArtifact, match=reason):
        recompute_sheets(submission, "hostile.xlsx", {("Data", 0, 1): 11})
    monkeypatch.undo()
    assert recompute_sheets(submission, "a.xlsx", {("Data", 0, 1): 11})["Sums"].values == [[31, 62, 30]]


@pytest.fixture(autouse=True)
def _patience() -> Iterator[None]:
    yield
    time_limits.reset_time_limits()


@pytest.mark.parametrize(
    "formula", ['=OR(1,"x', "=OR(1))", "=OR((1)", '=(1)%"', "=OR(#BAD!,1)", "=(A1)&[a", "=" + "OR(1)+" * 2000 + "1"]
)
def test_a_formula_that_is_none_is_the_fault_of_the_file(submission: Submission, formula: str) -> None:
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    book["Data"]["D1"] = formula
    book.save(submission.files / "hostile.xlsx")
    with pytest.raises(InvalidArtifact):
        recompute_sheets(submission, "hostile.xlsx", {("Data", 0, 1): 11})
    with pytest.raises(InvalidArtifact, match=r"is not a valid formula|more than 8,192"):
        move_formula(formula, "A1", "B1")


@pytest.mark.drill
def test_many_formulas_keep_the_time_limit_of_a_reader(submission: Submission) -> None:
    criteria = '=CONCAT("' + "COUNTIF(" * 900 + '"' + ',"<>1"' * 100 + ")"
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    for row in range(1, 300):
        book["Data"].cell(row, 5, criteria)
        book["Data"].cell(row, 6, '=REPT("1",32000)')
    book.save(submission.files / "many.xlsx")
    recompute_sheets(submission, "many.xlsx", {("Data", 0, 1): 11})


def test_a_workbook_that_keeps_libreoffice_busy_is_asked_of_it_for_less_time_each_time(
    submission: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def busy(*_: Any, limit_s: float, **__: Any) -> Ended:
        asked.append(limit_s)
        return Ended(-9, timed_out=True, stdout="", stderr="")

    monkeypatch.setattr(libreoffice, "run_program", busy)
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    book["Data"]["D1"] = '=TEXT(A1,"0")'
    book.save(submission.files / "busy.xlsx")
    for price in (11, 12, 13):
        after = recompute_sheets(submission, "busy.xlsx", {("Data", 0, 1): price})
        assert after["Data"].values[0][3] is None
    assert asked == [60, 15, 3.75, 0.9375]


@pytest.mark.drill
def test_a_rule_that_keeps_the_engine_busy_gets_less_time_with_each_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time_limits, "LIMIT_S", 2.0)
    for limit in ("2", "0.5", "0.3", "0.3"):
        with pytest.raises(InvalidArtifact, match=rf"more than {re.escape(limit)} s"):
            compute_formula_over({(1, 1): 1.0}, BUSY, (1, 1))
    assert compute_formula_over({(1, 1): 1.0}, "=A1*2", (1, 1)) == 2


def test_a_fault_of_our_own_in_the_fork_is_no_fault_of_the_file() -> None:
    with pytest.raises(RuntimeError, match="ZeroDivisionError: division by zero"):
        time_limits.compute_in_fork(lambda _: 1 / 0)
    with pytest.raises(InvalidArtifact, match="cannot be computed: division by zero"):
        time_limits.compute_in_fork(lambda _: 1 / 0, ("ZeroDivisionError",))


def test_a_fork_that_dies_is_told_apart_from_an_answer() -> None:
    with pytest.raises(InvalidArtifact, match=r"fails \(SIGKILL\)"):
        time_limits.compute_in_fork(lambda _: os.kill(os.getpid(), signal.SIGKILL))
    assert time_limits.compute_in_fork(lambda _: b"x" * 3_000_000) == b"x" * 3_000_000
