"""Reading a workbook as it would be after a correction."""

from pathlib import Path

import openpyxl
import pytest

from toolyard.evaluators.checkpoints import InvalidArtifact
from toolyard.evaluators.readers.tables import recomputed, workbook
from toolyard.evaluators.submission import Submission


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
    after = recomputed(submission, "a.xlsx", {("Data", 1, 1): 25.5})
    assert after["Sums"].values == [[35.5, 71, 30]]
    assert after["Data"].values == [[1, 10], [2, 25.5]]


def test_the_workbook_itself_stays_as_it_was(submission: Submission) -> None:
    before = (submission.files / "a.xlsx").read_bytes()
    recomputed(submission, "a.xlsx", {("Data", 0, 1): 99})
    assert (submission.files / "a.xlsx").read_bytes() == before
    assert workbook(submission, "a.xlsx")["Sums"].values == [[30, 60, 30]]


def test_a_workbook_that_was_saved_again_is_read_again(submission: Submission) -> None:
    assert workbook(submission, "a.xlsx")["Data"].values[0] == [1, 10]
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    book["Data"]["B1"] = 11
    book.save(submission.files / "a.xlsx")
    assert workbook(submission, "a.xlsx")["Data"].values[0] == [1, 11]


def test_what_a_reader_does_to_the_values_does_not_reach_the_next(submission: Submission) -> None:
    workbook(submission, "a.xlsx")["Data"].values[0][0] = "spoiled"
    assert workbook(submission, "a.xlsx")["Data"].values[0][0] == 1


def test_a_change_to_a_missing_sheet_is_named(submission: Submission) -> None:
    with pytest.raises(InvalidArtifact, match=r"no sheet Plan; it has Data, Sums"):
        recomputed(submission, "a.xlsx", {("Plan", 0, 0): 1})


def test_a_cell_with_a_format_and_no_value_is_empty_to_formulas(submission: Submission) -> None:
    book = openpyxl.load_workbook(submission.files / "a.xlsx")
    book["Sums"]["D1"].number_format = "0.00"
    book["Sums"]["E1"] = '=IF(D1="","empty",D1)'
    book.save(submission.files / "a.xlsx")
    assert workbook(submission, "a.xlsx")["Sums"].values[0][3:] == [None, "empty"]
    assert recomputed(submission, "a.xlsx", {("Sums", 0, 3): 7})["Sums"].values[0][3:] == [7, 7]
