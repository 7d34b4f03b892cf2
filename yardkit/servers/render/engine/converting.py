"""Files in other formats."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from yardkit.kit.pages import browser, libreoffice, raster
from yardkit.kit.pages.fonts import Font
from yardkit.servers.render.engine import drawing, pictures
from yardkit.servers.render.engine.pictures import IMAGES
from yardkit.servers.render.engine.selection import pages_of
from yardkit.servers.render.engine.sources import open_source, read_text, web_content
from yardkit.world import Problem, save_atomically, save_bytes

MAX_PAGES = 2000
_TOGETHER = 10
"""Pages that are drawn together."""
_MARKDOWN = (".md", ".markdown")
# LibreOffice knows no rules and no shades of tables in CSS, lets no heading inherit a font, and writes a list of fonts
# as the name of one, which Word does not have
_RULED = '<table border="1" cellpadding="4" style="border-collapse: collapse">'
_LOOK = """\
body, p, h1, h2, h3, h4, h5, h6, th, td, li, blockquote { font-family: Arial; }
code, pre { font-family: "Courier New"; }
"""
_FORMULA = re.compile(r'<img class="formula[^"]*" alt="([^"]*)"[^>]*>')
"""LibreOffice shows nothing of the drawing."""
_HTML = (".html", ".htm")
_PICTURE_FORMATS = {
    ".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP", ".gif": "GIF", ".tif": "TIFF", ".tiff": "TIFF",
    ".bmp": "BMP",
}  # fmt: skip
"""What a picture, and a page, can become."""


def to_pdf(path: Path, target: Path, root: Path, pages: str, *, whole_sheets: bool = False) -> tuple[int, list[Font]]:
    """Write pages of a file as PDF; how many, and the fonts that others stand in for.

    With `whole_sheets`, each sheet of a workbook that is not hidden is on one page, however large.

    Raises:
        Problem: the file cannot be shown, or there are no such pages.
    """
    if path == target:
        raise Problem(f"{path.name!r} would overwrite itself; choose another target")
    source = open_source(path, root)
    if whole_sheets:
        if source.program != "office" or not libreoffice.sheet_names(path):
            raise Problem(f"{path.name!r} is not a workbook; leave out whole_sheets")
        data: bytes | Path = _extract_pages(libreoffice.pdf_sheets(path), libreoffice.visible_sheets(path))
    else:
        numbers = pages_of(pages, source.count, MAX_PAGES)
        everything = len(numbers) == source.count
        data = source.make_full_pdf() if everything else _extract_pages(source.make_full_pdf(), numbers)
    save_bytes(target, data if isinstance(data, bytes) else data.read_bytes())
    return raster.run_picture_call(raster.page_count, target), source.fonts()


def _extract_pages(pdf: bytes | Path, numbers: list[int]) -> bytes:
    return raster.run_picture_call(raster.chosen_pages, pdf, numbers)


def convert_file(path: Path, target: Path, root: Path) -> str:
    """Write a file in the format that the suffix of `target` names; returns a note on what was lost, or nothing.

    Raises:
        Problem: it cannot be opened, or it cannot become that format.
    """
    suffix = target.suffix.lower()
    if path == target:
        raise Problem(f"{path.name!r} would overwrite itself; choose another target")
    if suffix == ".pdf":
        to_pdf(path, target, root, "all")
        return ""
    if path.suffix.lower() in IMAGES:
        return _convert_picture(path, target)
    if suffix in _PICTURE_FORMATS:
        return _page_picture(path, target, root)
    if path.suffix.lower() == ".pdf":
        raise _not_possible(path, target)
    if path.suffix.lower() in _MARKDOWN:
        return _convert_markdown(path, target)
    with save_atomically(target) as draft, tempfile.TemporaryDirectory(prefix="yardkit-convert-") as directory:
        converted_path = Path(directory) / f"made{suffix}"
        libreoffice.convert_file(path, converted_path, also=_PICTURE_FORMATS)
        draft.write_bytes(converted_path.read_bytes())
    return _describe_loss(path, suffix)


def _describe_loss(path: Path, suffix: str) -> str:
    names = libreoffice.sheet_names(path) if suffix in (".csv", ".txt") else []
    if len(names) > 1:
        return f"through LibreOffice; only the first sheet {names[0]!r} of {len(names)} is in the file"
    return f"through LibreOffice; {libreoffice.describe_loss(path)}"


def _convert_markdown(path: Path, target: Path) -> str:
    content = web_content(path) or read_text(path)
    if target.suffix.lower() in _HTML:
        save_bytes(target, content.encode())
        return ""
    content, formulas = _FORMULA.subn(r"<code>\1</code>", content)
    content = re.sub(r"<th\b", '<th bgcolor="#f3f4f6"', content.replace("th { background: #f3f4f6; }", ""))
    content = content.replace("<table>", _RULED).replace("</style>", f"{_LOOK}</style>", 1)
    with save_atomically(target) as draft, tempfile.TemporaryDirectory(prefix="yardkit-convert-") as directory:
        page, converted_path = Path(directory) / "page.html", Path(directory) / f"made{target.suffix.lower()}"
        page.write_text(content, "utf-8")
        libreoffice.convert_file(page, converted_path, named=path.name, also=(*_PICTURE_FORMATS, *_HTML))
        draft.write_bytes(converted_path.read_bytes())
    note = "made with the look of a web page; the documents server makes Markdown into Word with styles"
    return note + " and formulas; here they are LaTeX" * bool(formulas)


def _convert_picture(path: Path, target: Path) -> str:
    kind = _PICTURE_FORMATS.get(target.suffix.lower())
    if kind is None:
        raise _not_possible(path, target)
    data, losses = raster.run_picture_call(pictures.convert_picture, path, kind)
    save_bytes(target, data)
    return losses


def _not_possible(path: Path, target: Path) -> Problem:
    """Of what no office program opens."""
    possible = ", ".join(suffix[1:] for suffix in (".pdf", *_PICTURE_FORMATS))
    target_format = target.suffix or "a file without suffix"
    return Problem(f"{path.name!r} cannot be converted to {target_format}; use one of {possible}")


def _page_picture(path: Path, target: Path, root: Path) -> str:
    """The first page at 150 dpi; of a web page all of it, 1280 pixels wide."""
    kind = _PICTURE_FORMATS[target.suffix.lower()]
    if path.suffix.lower() in (".html", ".htm", ".xhtml"):
        picture = browser.visit_page(path, root, content=web_content(path), shot=browser.Shot()).picture
        assert picture is not None  # noqa: S101 - asked for
        save_bytes(target, raster.run_picture_call(pictures.repack_picture, picture.data, kind))
        return ""
    source = open_source(path, root)
    save_bytes(target, raster.run_picture_call(drawing.draw_packed, source.parts([1])[0], 150, kind))
    return f"only page 1 of {source.count}; render_pages and export_pages give the others" * (source.count > 1)


def export_pages(
    path: Path, folder: Path, root: Path, pages: str, *, dpi: float, kind: raster.Format
) -> tuple[list[Path], int]:
    """Write each page as a picture ``<name>-<page>.png`` into a folder; the files, and how many pages there are.

    Raises:
        Problem: the file cannot be shown, or there are no such pages.
    """
    source = open_source(path, root)
    numbers = pages_of(pages, source.count, 200)
    digits = len(str(source.count))
    suffix = "jpg" if kind == "jpeg" else "png"
    written = []
    for first in range(0, len(numbers), _TOGETHER):
        some = numbers[first : first + _TOGETHER]
        images = raster.run_picture_call(drawing.draw_pages, source.parts(some), dpi, kind, None, False)  # noqa: FBT003
        for number, image in zip(some, images, strict=True):
            target = folder / f"{path.stem}-{number:0{digits}}.{suffix}"
            save_bytes(target, image.data)
            written.append(target)
    return written, source.count
