import datetime
import os
from pathlib import Path

import openpyxl
import pytest

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.readers import files, tables
from yardkit.evaluators.readers.pages import pictures
from yardkit.evaluators.submission import Submission, build_manifest


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    return Submission(tmp_path)


def test_formulas_without_stored_values_are_computed(submission: Submission) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["qty", "price", "total"])
    sheet.append([3, 2.5, "=A2*B2"])
    book.save(submission.files / "a.xlsx")
    read = tables.read_sheets(submission, "a.xlsx")["Sheet"]
    assert read.formulas[1][2] == "=A2*B2"
    assert tables.is_near(read.values[1][2], 7.5)


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04rubbish", b"a,b\n1,2\n"])
def test_a_damaged_workbook_is_an_invalid_artifact(submission: Submission, data: bytes) -> None:
    (submission.files / "a.xlsx").write_bytes(data)
    with pytest.raises(InvalidArtifact):
        tables.read_sheets(submission, "a.xlsx")


def test_a_missing_file_is_no_evidence(submission: Submission) -> None:
    with pytest.raises(InsufficientEvidence):
        files.read_text(submission, "a.txt")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_a_text_is_read_whatever_program_saved_it(submission: Submission, encoding: str) -> None:
    rows = [
        ["Name", "Preis"],
        ["M\u00fcller & S\u00f6hne, K\u00f6ln", "9,50 \u20ac"],
        ["B\u00e4ckerei Stra\u00dfer", "3"],
    ]
    text = "".join(f"{name};{price}\n" for name, price in rows)
    (submission.files / "a.csv").write_bytes(text.encode(encoding))
    assert tables.read_csv_rows(submission, "a.csv") == rows


def test_a_picture_is_no_text(submission: Submission) -> None:
    (submission.files / "a.txt").write_bytes(bytes(range(256)) * 4)
    with pytest.raises(InvalidArtifact, match="is not text"):
        files.read_text(submission, "a.txt")


def test_what_lies_behind_a_symlink_or_is_no_regular_file_is_not_read(submission: Submission, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("key")
    (submission.files / "a.txt").symlink_to(tmp_path / "secret.txt")
    (submission.files / "folder").symlink_to(tmp_path)
    (submission.files / "b.txt").symlink_to("b.txt")
    os.mkfifo(submission.files / "pipe")
    for name in ("a.txt", "folder/secret.txt", "b.txt", "pipe"):
        with pytest.raises(InvalidArtifact):
            files.read_text(submission, name)


def test_records_are_found_below_a_title_whatever_the_case_of_the_headers(submission: Submission) -> None:
    (submission.files / "a.csv").write_text("Report;;\nName; Total ;Note\nAda;3;x\n;;\nBo;4;\n", "utf-8")
    rows = tables.find_records(tables.read_csv_rows(submission, "a.csv"), ["total", "name"], "a.csv")
    assert rows == [{"total": "3", "name": "Ada"}, {"total": "4", "name": "Bo"}]


def test_numbers_and_dates_are_read_in_any_usual_form() -> None:
    assert tables.is_near("1,250.50 €", 1250.5)
    assert not tables.is_near("1250.52", 1250.5)
    assert not tables.is_near(value=True, expected=1)
    day = datetime.date(2026, 3, 16)
    assert [tables.to_date(written) for written in (day, "2026-03-16T10:00", 46097)] == [day, day, day]


def test_changes_are_told_apart(tmp_path: Path) -> None:
    workspace = tmp_path / "files"
    workspace.mkdir()
    for name in ("kept", "edited", "gone"):
        (workspace / name).write_text(name)
    initial = build_manifest(workspace)
    (workspace / "edited").write_text("other")
    (workspace / "gone").unlink()
    (workspace / "out").mkdir()
    (workspace / "out" / "new").write_text("new")
    submission = Submission(tmp_path, initial=initial)
    assert submission.list_changed() == {"edited": "changed", "gone": "deleted", "out/new": "added"}
    assert files.only_changed(submission, "edited", "gone", "out/").outcome == "pass"
    assert files.only_changed(submission, "edited", "out").outcome == "fail"


def test_a_picture_that_states_a_monstrous_size_is_not_decoded(submission: Submission) -> None:
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0))
    (submission.files / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", b"") + chunk(b"IEND", b""))
    with pytest.raises(InvalidArtifact, match=r"30,000|900000000"):
        pictures.read_picture(submission, "a.png")


def test_a_stored_value_stays_and_one_that_is_missing_is_computed(submission: Submission) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(submission.files / "a.xlsx") as book:
        sheet = book.add_worksheet("S")
        sheet.write_row(0, 0, [10, 20, 30])
        sheet.write_formula("A2", "=SUMPRODUCT(MOD(A1:C1,20))", value=21)
    stored = tables.read_sheets(submission, "a.xlsx")["S"]
    assert stored.values[1][0] == 21
    openpyxl.load_workbook(submission.files / "a.xlsx").save(submission.files / "b.xlsx")
    assert tables.read_sheets(submission, "b.xlsx")["S"].values[1][0] == 20
