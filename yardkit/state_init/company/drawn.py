"""Files that go with letters, drawn: the same bytes for the same content on every Python."""

import csv
import io
import struct
import zlib
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from yardkit.state_init.company.letters import Cell, File
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.rendering.code_39 import draw_code_39
from yardkit.state_init.workbooks import make_single_sheet

_TABLE_MM = 166.0


def draw_file(file: File, moment: datetime) -> bytes:
    """The bytes of a file that was made at a moment."""
    return _FORMS[PurePosixPath(file.name).suffix](file, moment)


def _draw_pdf(file: File, _moment: datetime) -> bytes:
    sheet = Sheet(file.title)
    sheet.add_heading(file.title)
    for line in file.lines:
        sheet.line(line)
    if file.rows:
        cells = [[_format_cell(cell) for cell in row] for row in file.rows]
        numbers = [at for at, cell in enumerate(file.rows[-1]) if not isinstance(cell, str)]
        sheet.table(cells, _compute_widths(cells), right=numbers)
    for line in file.below:
        sheet.line(line)
    return sheet.bytes()


def _compute_widths(cells: Sequence[Sequence[str]]) -> list[float]:
    """Of the columns in mm, by their longest text."""
    longest = [max(len(row[at]) for row in cells) + 3 for at in range(len(cells[0]))]
    return [_TABLE_MM * width / sum(longest) for width in longest]


def _draw_xlsx(file: File, moment: datetime) -> bytes:
    return make_single_sheet(file.title[:31].replace("/", "-"), file.rows, moment, title=file.title).bytes()


def _draw_csv(file: File, _moment: datetime) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\r\n").writerows(file.rows)
    return buffer.getvalue().encode()


def _draw_png(file: File, _moment: datetime) -> bytes:
    bars = _Bars(40 + 16 * 3 * (len(file.title) + 2), 140)
    draw_code_39(bars, (20, 20), file.title, height_px=100)
    return bars.to_png()


class _Bars:
    """A picture of bars, in grey. Pillow has other builds on other Pythons, and these are the same everywhere."""

    def __init__(self, width: int, height: int) -> None:
        self.rows = [bytearray(b"\xff" * width) for _ in range(height)]

    def rectangle(self, box: Sequence[float], fill: Sequence[int]) -> None:
        """As Pillow draws it: the corners belong to it."""
        left, top, right, bottom = map(int, box)
        for row in self.rows[top : bottom + 1]:
            row[left : right + 1] = bytes([fill[0]]) * (right - left + 1)

    def to_png(self) -> bytes:
        """The picture. Source: RFC 2083."""
        head = struct.pack(">IIBBBBB", len(self.rows[0]), len(self.rows), 8, 0, 0, 0, 0)
        pixels = zlib.compress(b"".join(b"\0" + row for row in self.rows), 9)
        parts = ((b"IHDR", head), (b"IDAT", pixels), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_build_png_chunk(name, data) for name, data in parts)


def _build_png_chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _format_cell(cell: Cell) -> str:
    return f"{cell:,.2f}" if isinstance(cell, float) else str(cell)


_FORMS: dict[str, Callable[[File, datetime], bytes]] = {
    ".pdf": _draw_pdf,
    ".xlsx": _draw_xlsx,
    ".csv": _draw_csv,
    ".png": _draw_png,
}
