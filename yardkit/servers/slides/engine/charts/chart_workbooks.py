"""The workbook that lies inside a chart: its values, and the same bytes for the same data."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import UTC, datetime
from typing import Any

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_STAMP = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*")


def stamp_workbook(blob: bytes, now: datetime) -> bytes:
    """The workbook with `now` as the time it was made, so that the same data give the same bytes."""
    stamp = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(blob)) as source, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for info in source.infolist():
            data = source.read(info)
            if info.filename == "docProps/core.xml":
                data = _STAMP.sub(rb"\g<1>" + stamp, data)
            target.writestr(zipfile.ZipInfo(info.filename), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def list_numbers(sheet: Any) -> list[float]:
    """Every number on a sheet, row by row."""
    cells = [cell for cell in sheet.iter(f"{_MAIN}c") if cell.get("t", "n") == "n"]
    return [in_15_digits(cell.findtext(f"{_MAIN}v")) for cell in cells if cell.findtext(f"{_MAIN}v")]


def in_15_digits(number: Any) -> float:
    """A number to the 15 digits that spreadsheets keep."""
    return float(f"{float(number):.15g}")
