"""What stands where on pages: sizes, words, texts that are looked for, things that look wrong."""

from __future__ import annotations

from pathlib import Path

from yardkit.kit.pages import libreoffice, raster
from yardkit.servers.render.engine import page_contents, pictures
from yardkit.servers.render.engine.page_contents import MM_PER_POINT
from yardkit.servers.render.engine.results import Finding, PageInfo, TextHit
from yardkit.servers.render.engine.selection import pages_of
from yardkit.servers.render.engine.sources import open_source
from yardkit.world import Problem

_MM_PER_PX = MM_PER_POINT * raster.POINTS_PER_INCH / pictures.SCREEN_DPI


def list_pages(path: Path, root: Path, offset: int, limit: int) -> tuple[int, list[PageInfo], list[str]]:
    """How many pages a file has, `limit` of them with size and first words, and the sheets of a workbook.

    Raises:
        Problem: the file cannot be shown.
    """
    source = open_source(path, root)
    numbers = list(range(offset + 1, min(source.count, offset + limit) + 1))
    if source.program == "image":
        sizes = raster.run_picture_call(pictures.page_pixels, path, numbers)
        infos = [
            PageInfo(number, round(width * _MM_PER_PX, 1), round(height * _MM_PER_PX, 1))
            for number, (width, height) in zip(numbers, sizes, strict=True)
        ]
        return source.count, infos, []
    sheets = libreoffice.sheet_names(path) if source.program == "office" else []
    if not numbers:
        return source.count, [], sheets
    pdf, shift = source.pages_pdf(numbers[0], numbers[-1])
    return source.count, raster.run_picture_call(page_contents.describe_pages, pdf, numbers, shift), sheets


def find_text(path: Path, root: Path, text: str, *, match_case: bool, limit: int) -> tuple[list[TextHit], int]:
    """The places where a text stands on the pages, at most `limit`, and how many there are in all.

    Raises:
        Problem: the file cannot be shown, or it is a picture; or the text is empty for PDFium, which ends it at a NUL.
    """
    if not text.strip() or "\0" in text:
        raise Problem(f"{text!r} has no visible characters to search for; give a word or symbol")
    source = open_source(path, root)
    if source.program == "image":
        raise Problem(f"{path.name!r} is a picture without text to search; read it with the ocr server")
    return raster.run_picture_call(page_contents.find_places, source.make_full_pdf(), text, match_case, limit)


def check_pages(path: Path, root: Path, pages: str, most: int) -> tuple[int, list[int], list[Finding]]:
    """Things that look wrong: pages without anything, text over the edge, tiny text, signs that no font has.

    Raises:
        Problem: the file cannot be shown, or there are no such pages.
    """
    source = open_source(path, root)
    numbers = pages_of(pages, source.count, 100_000)[:most]
    if source.program == "image":
        raise Problem(f"{path.name!r} is a picture; look at it with render_pages")
    return source.count, numbers, raster.run_picture_call(page_contents.find_faults, source.make_full_pdf(), numbers)
