"""Workbooks for seeded worlds: the same bytes for the same content."""

import datetime
import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from toolyard.world import save_bytes

_STAMP = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def save_workbook(path: Path, sheets: Mapping[str, Sequence[Sequence[Any]]], now: datetime.datetime) -> None:
    """Write rows of values and formulas as an .xlsx file, the first row of each sheet bold, made at `now` (UTC)."""
    import openpyxl
    from openpyxl.styles import Font

    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
        for column, cell in enumerate(sheet[1], 1):
            cell.font = Font(bold=True)
            longest = max(len(str(row[column - 1])) for row in rows if len(row) >= column)
            sheet.column_dimensions[cell.column_letter].width = min(48, longest + 3)
        sheet.freeze_panes = "A2"
    buffer = io.BytesIO()
    book.save(buffer)
    save_bytes(path, _without_clock(buffer.getvalue(), now))


def _without_clock(package: bytes, now: datetime.datetime) -> bytes:
    """The package with `now` in place of the machine's time, which the library writes into it."""
    stamp = f"{now:%Y-%m-%dT%H:%M:%SZ}".encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(buffer, "w") as target:
        for name in source.namelist():
            content = source.read(name)
            if name == "docProps/core.xml":
                content = _STAMP.sub(stamp, content)
            info = zipfile.ZipInfo(name, (now.year, now.month, now.day, now.hour, now.minute, 0))
            target.writestr(info, content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
