"""Workbooks as packages and as another library reads them."""

import warnings
import zipfile
from pathlib import Path

import openpyxl


def drop_recalculation_wish(path: Path) -> None:
    """Take out the wish to be recalculated that XlsxWriter puts into each workbook: its values here are right."""
    members = read_parts(path)
    members["xl/workbook.xml"] = members["xl/workbook.xml"].replace(b' fullCalcOnLoad="1"', b"")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def read_parts(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def open_book(path: Path, *, data_only: bool = False) -> openpyxl.Workbook:
    """The workbook as openpyxl reads it, which warns of what it would lose on saving."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return openpyxl.load_workbook(path, data_only=data_only)
