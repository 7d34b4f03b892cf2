"""Pages, ranges of sheets and contact sheets as pictures."""

from __future__ import annotations

from pathlib import Path

from yardkit.kit.pages import libreoffice, raster
from yardkit.servers.render.engine import drawing
from yardkit.servers.render.engine.results import PageImages
from yardkit.servers.render.engine.selection import pages_of
from yardkit.servers.render.engine.sources import open_source
from yardkit.world import Problem
from yardkit.world.boxes import Box

MAX_PAGES = 12
MAX_SHEET_PAGES = 60


def render_pages(
    path: Path, root: Path, pages: str, *, dpi: float, box: Box | None = None, kind: raster.Format = "png"
) -> PageImages:
    """Pages as pictures, or the part `box` (in points) of one page.

    Raises:
        Problem: no such page, the box lies outside it, or the file cannot be shown.
    """
    source = open_source(path, root)
    numbers = pages_of(pages, source.count, MAX_PAGES)
    if box is not None and len(numbers) != 1:
        raise Problem(f"a box needs exactly one page; {pages!r} is {len(numbers)} pages")
    images = raster.run_picture_call(drawing.draw_pages, source.parts(numbers), dpi, kind, box)
    return PageImages(source.count, numbers, images, source.fonts())


def render_range(path: Path, sheet: str, reference: str, *, dpi: float, headings: bool) -> PageImages:
    """A range of a sheet as one picture, however large its cells, with letters and numbers at the edges.

    Raises:
        Problem: no workbook, no such sheet or range, or the picture would be too large.
    """
    pdf = libreoffice.pdf_range(path, sheet or _first_sheet(path), reference, headings=headings)
    return PageImages(1, [1], [raster.run_picture_call(drawing.draw_trimmed, pdf, dpi)], [])


def _first_sheet(path: Path) -> str:
    names = libreoffice.sheet_names(path)
    if not names:
        raise Problem(f"{path.name!r} has no sheets; use render_pages")
    return names[0]


def contact_sheet(path: Path, root: Path, pages: str, *, columns: int, width_px: int) -> PageImages:
    """Small pictures of many pages, numbered, on one picture; at most `MAX_SHEET_PAGES`, the first of them.

    Raises:
        Problem: no such pages, or the file cannot be shown.
    """
    source = open_source(path, root)
    numbers = pages_of(pages, source.count, source.count)[:MAX_SHEET_PAGES]
    labels = [str(number) for number in numbers]
    sheet = raster.run_picture_call(drawing.draw_contact_sheet, source.parts(numbers), labels, columns, width_px)
    return PageImages(source.count, numbers, [sheet], source.fonts())
