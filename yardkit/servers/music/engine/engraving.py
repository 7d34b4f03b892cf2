"""A score as one sees it on paper: engraved by verovio, painted by resvg.

verovio (LGPL-3, one wheel of 12 MB, no dependencies) engraves MusicXML to SVG and needs no program; resvg (MIT or
Apache-2.0, 3 MB) paints SVG with the fonts that are bundled here, so that a picture is the same on every machine.
"""

import io
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.programs.bounded import run_bounded
from yardkit.world import FileRef, Problem, save_atomically
from yardkit.world.fonts import CJK_FAMILY, font_file

PRELOAD = ("verovio", "resvg_py", "PIL.Image")
SUFFIXES = (".png", ".pdf", ".svg")
MAX_XML_BYTES = 20_000_000
_SECONDS, _MEMORY_BYTES = 120.0, 3_000_000_000
_MAX_PAGES = 60
_PAGE = (2100, 2970)
_DPI = 150
_TEXT_SIGNS = {
    "\ueca3": "\U0001d15e",
    "\ueca5": "\u2669",
    "\ueca7": "\u266a",
    "\uea64": "\u266d",
    "\uea65": "\u266e",
    "\uea66": "\u266f",
}
"""Notes and accidentals in text as Unicode has them: verovio writes them in a font that resvg cannot read."""


@dataclass(frozen=True)
class DrawnScore:
    """An engraved score.

    Attributes:
        score: where it is.
        page: that it shows; 0 for all.
        pages: how many there are.
        notes: what to know of it.
    """

    score: FileRef
    page: int
    pages: int
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        page_text = f"page {self.page} of {self.pages}" if self.page else f"{self.pages} pages"
        return "\n".join([f"Saved {self.score}: {page_text}", *self.notes])


def draw_score(xml: str, target: Path, page: int, width_px: int, notes: tuple[str, ...]) -> DrawnScore:
    """Engrave MusicXML. A .png or .svg shows one page, cut to what is on it; a .pdf has all pages.

    Raises:
        Problem: the name is not one of these, it cannot be engraved, or there is no such page.
    """
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise Problem(f"{target.name!r} must end with .png, .pdf or .svg")
    data, pages = run_bounded(
        _draw_score, xml, suffix, page, width_px, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True
    )
    with save_atomically(target) as draft:
        draft.write_bytes(data)
    return DrawnScore(FileRef.from_path(target), 0 if suffix == ".pdf" else page, pages, notes)


def _load_toolkit(xml: str, **options: object) -> Any:
    import verovio

    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    toolkit.setOptions({"inputFrom": "musicxml", "xmlIdSeed": 1, **options})
    if not toolkit.loadData(xml):
        raise Problem("the score cannot be engraved; its MusicXML is damaged or has no notes")
    return toolkit


def _draw_score(xml: str, suffix: str, page: int, width_px: int) -> tuple[bytes, int]:
    all_pages = suffix == ".pdf"
    toolkit = _load_toolkit(
        xml,
        pageWidth=_PAGE[0],
        pageHeight=_PAGE[1],
        scale=100,
        unit=9,
        adjustPageHeight=not all_pages,
        breaks="auto",
        header="auto",
        footer="none",
        font="Leland",
        svgViewBox=True,
        svgFormatRaw=True,
    )
    pages = toolkit.getPageCount()
    if not pages:
        raise Problem("the score has no pages, so there is nothing to engrave")
    if page > pages or (all_pages and pages > _MAX_PAGES):
        raise Problem(f"page {page} does not exist; the score has {pages} pages (a .pdf has at most {_MAX_PAGES})")
    if suffix == ".svg":
        return toolkit.renderToSVG(page).encode(), pages
    if suffix == ".png":
        return _paint_svg(toolkit.renderToSVG(page), width_px), pages
    return _bind_pages(
        [_paint_svg(toolkit.renderToSVG(number), _PAGE[0] * _DPI // 254) for number in range(1, pages + 1)]
    ), pages


def _paint_svg(svg: str, width_px: int) -> bytes:
    import resvg_py

    for sign, replacement in _TEXT_SIGNS.items():
        svg = re.sub(rf'font-size="720px">{sign}', f'font-size="420px">{replacement}', svg).replace(sign, replacement)
    faces = [(False, False), (True, False), (False, True)]
    fonts = [str(font_file("Liberation Serif", bold, italic)) for bold, italic in faces]
    data: bytes = resvg_py.svg_to_bytes(
        svg_string=svg,
        background="#ffffff",
        width=width_px,
        skip_system_fonts=True,
        font_files=[*fonts, str(font_file("DejaVu Sans")), str(font_file(CJK_FAMILY))],
        font_family="Liberation Serif",
        serif_family="Liberation Serif",
    )
    return bytes(data)


def _bind_pages(pages: list[bytes]) -> bytes:
    from PIL import Image

    first, *others = [Image.open(io.BytesIO(page)).convert("L") for page in pages]
    packed = io.BytesIO()
    first.save(packed, "PDF", save_all=True, append_images=others, resolution=_DPI)
    return packed.getvalue()
