"""Workbooks of seeded worlds."""

import datetime
import time
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from yardkit.state_init.workbooks import save_workbook

NOW = datetime.datetime(2026, 3, 16, 9, 0, tzinfo=datetime.UTC)
SHEETS: dict[str, list[list[Any]]] = {
    "Orders": [["Order", "Sum", "Day"], ["A-1", 12.5, datetime.date(2026, 3, 1)], ["A-2", "=B2*2", None]],
    "Empty": [["Only a header"]],
}


def test_the_same_content_gives_the_same_bytes_at_another_hour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_workbook(tmp_path / "a.xlsx", SHEETS, NOW)
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        save_workbook(tmp_path / "b.xlsx", SHEETS, NOW)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_values_types_formulas_and_the_given_time_are_kept(tmp_path: Path) -> None:
    save_workbook(tmp_path / "a.xlsx", SHEETS, NOW)
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    assert book.sheetnames == ["Orders", "Empty"]
    assert [cell.value for cell in book["Orders"][2]] == ["A-1", 12.5, datetime.datetime(2026, 3, 1)]  # noqa: DTZ001
    assert book["Orders"]["B3"].value == "=B2*2"
    assert book.properties.modified == NOW.replace(tzinfo=None)


def test_another_time_gives_other_bytes(tmp_path: Path) -> None:
    save_workbook(tmp_path / "a.xlsx", SHEETS, NOW)
    save_workbook(tmp_path / "b.xlsx", SHEETS, NOW + datetime.timedelta(days=1))
    assert (tmp_path / "a.xlsx").read_bytes() != (tmp_path / "b.xlsx").read_bytes()
