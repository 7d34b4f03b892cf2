"""Drawing with ReportLab, and laying what was drawn on pages: page content that is there keeps its bytes."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from yardkit.kit.pages.space import Matrix, Space
from yardkit.servers.pdf.engine.package.document import make_stream

_FAR = re.compile(rb"(?<=<)([0-9A-F]{5,6})(?=>)")


def canvas_on(buffer: io.BytesIO) -> Any:
    """A ReportLab canvas that writes streams as bytes, not as letters that take a quarter more."""
    from reportlab import rl_config
    from reportlab.pdfgen.canvas import Canvas

    rl_config.useA85 = 0
    return Canvas(buffer, invariant=1, pageCompression=1)


class Sheets:
    """Transparent sheets, one after the other, origin bottom left; they share fonts and pictures."""

    def __init__(self) -> None:
        self._buffer = io.BytesIO()
        self.canvas = canvas_on(self._buffer)
        self.count = 0

    @contextmanager
    def sheet(self, width: float, height: float) -> Iterator[Any]:
        """Draw on a new sheet; yields the ReportLab canvas."""
        self.canvas.setPageSize((width, height))
        yield self.canvas
        self.canvas.showPage()
        self.count += 1

    def bytes(self) -> bytes:
        """The sheets as a PDF."""
        self.canvas.save()
        return self._buffer.getvalue()


@contextmanager
def sheets_in(pdf: Any, sheets: Sheets) -> Iterator[list[Any]]:
    """The sheets as form XObjects of `pdf`."""
    import pikepdf

    if not sheets.count:
        yield []
        return
    with pikepdf.open(io.BytesIO(sheets.bytes())) as drawn:
        _name_far_characters(drawn)
        yield [_compress_form(pdf.copy_foreign(page.as_form_xobject())) for page in drawn.pages]


def _name_far_characters(drawn: Any) -> None:
    """Write characters beyond the first plane as pairs, as a map to Unicode has them and ReportLab has not."""
    import pikepdf

    for font in drawn.objects:
        if isinstance(font, pikepdf.Dictionary) and "/ToUnicode" in font:
            named = font.ToUnicode.read_bytes()
            paired = _FAR.sub(lambda match: chr(int(match[1], 16)).encode("utf-16-be").hex().upper().encode(), named)
            if paired != named:
                font.ToUnicode.write(paired)


def _compress_form(form: Any) -> Any:
    import pikepdf

    form.write(zlib.compress(form.read_bytes(), 9), filter=pikepdf.Name.FlateDecode)
    return form


def own_resources(page: Any, kind: str) -> Any:
    """The page's dictionary of resources of a kind, made its own so that no other page sees the change."""
    import pikepdf

    resources = pikepdf.Dictionary(dict(page.obj.get("/Resources", pikepdf.Dictionary()).items()))
    resources["/" + kind] = pikepdf.Dictionary(dict(resources.get("/" + kind, pikepdf.Dictionary()).items()))
    page.obj["/Resources"] = resources
    return page.obj["/Resources"]["/" + kind]


def name_for(used_names: Any, prefix: str) -> str:
    """A name that the dictionary does not use yet."""
    return next(name for number in range(1, 1_000_000) if (name := f"/{prefix}{number}") not in used_names)


def put_form(pdf: Any, page: Any, form: Any, matrix: Matrix, *, behind: bool = False, prefix: str = "Tyd") -> None:
    """Paint a form XObject on a page."""
    object_resources = own_resources(page, "XObject")
    name = name_for(object_resources, prefix)
    object_resources[name] = form
    numbers = " ".join(f"{value:.6g}" for value in matrix)
    add_content(pdf, page, f"q {numbers} cm {name} Do Q\n".encode(), behind=behind)


def put_sheet(pdf: Any, page: Any, form: Any, space: Space, *, behind: bool = False) -> None:
    """Lay a sheet of the size of the shown page on the page."""
    put_form(pdf, page, form, space.matrix, behind=behind)


def add_content(pdf: Any, page: Any, data: bytes, *, behind: bool = False) -> None:
    """Add operators before or after the content of a page, which is kept as it is and cannot disturb them."""
    import pikepdf

    contents = page.obj.get("/Contents")
    old = [] if contents is None else list(contents) if isinstance(contents, pikepdf.Array) else [contents]
    if behind:
        page.obj["/Contents"] = pikepdf.Array([make_stream(pdf, data), *old])
        return
    opened = open_states(page) if old else 0
    closing = b"\n" + b"Q " * (1 + opened) + b"\n"
    page.obj["/Contents"] = pikepdf.Array([make_stream(pdf, b"q\n"), *old, make_stream(pdf, closing + data)])


def open_states(page: Any) -> int:
    """How many ``q`` the content leaves open."""
    import pikepdf

    depth = 0
    for instruction in pikepdf.parse_content_stream(page, "q Q"):
        depth = max(depth + (1 if str(instruction.operator) == "q" else -1), 0)
    return depth
