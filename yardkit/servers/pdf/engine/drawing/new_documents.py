"""New PDFs from Markdown, HTML and pictures; nothing is fetched from outside the workspace."""

from __future__ import annotations

import io
import logging
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from yardkit.kit.markdown.front_matter import front_language
from yardkit.kit.markdown.html_page import NOTATION, to_html
from yardkit.servers.pdf.engine.drawing import table_fitting
from yardkit.servers.pdf.engine.drawing.cjk_bold import thicken_letters
from yardkit.servers.pdf.engine.drawing.overlay import canvas_on
from yardkit.servers.pdf.engine.drawing.page_stamps import opened_image
from yardkit.servers.pdf.engine.package.document import save_pdf
from yardkit.world import Problem
from yardkit.world.decoding import decode_file
from yardkit.world.fonts import CJK_FAMILY, FONT_DIR, font_file
from yardkit.world.limits import check_bytes
from yardkit.world.pictures import READ_SUFFIXES, PictureContents, describe_page, read_contents

PRELOAD = (
    "weasyprint",
    "yardkit.servers.pdf.engine.drawing.truncated_pictures",
    "markdown_it",
    "mdit_py_plugins.dollarmath",
    "ziamath",
    "pikepdf",
    "reportlab.pdfgen.canvas",
    "PIL.Image",
    "pypdfium2",
)
MAX_SOURCE = 5_000_000
_MAX_MISSING = 60
MAX_IMAGES = 500
SIZES = {"A3": (297, 420), "A4": (210, 297), "A5": (148, 210), "letter": (215.9, 279.4), "legal": (215.9, 355.6)}
_UNSAID = ("anonymous", "unspecified", "untitled", "")
"""What ReportLab states where nobody said anything."""
_MM = 72 / 25.4
_FACES = (
    ("Liberation Sans", False, False),
    ("Liberation Sans", True, False),
    ("Liberation Sans", False, True),
    ("Liberation Serif", False, False),
    ("Liberation Serif", True, False),
    ("Liberation Serif", False, True),
    ("Liberation Mono", False, False),
    ("Liberation Mono", True, False),
    ("DejaVu Sans", False, False),
    ("DejaVu Sans", True, False),
    (CJK_FAMILY, False, False),
)
_LOOK = """
html { font: 10.5pt/1.45 "Liberation Sans", "DejaVu Sans", "Droid Sans Fallback", sans-serif; color: #1a1a1a;
  overflow-wrap: break-word }
h1, h2, h3, h4 { line-height: 1.2; margin: 1.3em 0 0.5em; break-after: avoid } h1 { font-size: 20pt; margin-top: 0 }
h2 { font-size: 15pt } h3 { font-size: 12.5pt } p, ul, ol, pre, table, blockquote { margin: 0 0 0.8em }
code, pre { font-family: "Liberation Mono", "DejaVu Sans", "Droid Sans Fallback", monospace; font-size: 9pt }
pre { background: #f4f4f4; padding: 6pt 8pt; white-space: pre-wrap; border-radius: 3pt }
table { border-collapse: collapse; width: 100% }
th, td { border: 0.6pt solid #aaa; padding: 3pt 6pt; text-align: start }
table:has(tr > :nth-child(9)) { font-size: 8pt } table:has(tr > :nth-child(12)) { font-size: 6.5pt }
table:has(tr > :nth-child(16)) { font-size: 5pt }
table:has(tr > :nth-child(9)) :is(th, td) { padding: 2pt 3pt }
th { background: #eee } thead { display: table-header-group } tr, img { break-inside: avoid } img { max-width: 100% }
li > :is(ul, ol) { margin-bottom: 0 } hr { border: 0; border-top: 0.6pt solid #aaa; margin: 1.2em 0 }
blockquote { border-left: 3pt solid #ccc; padding-left: 10pt; color: #444 } a { color: #0b57d0 }
"""


@dataclass(frozen=True)
class Sheet:
    """Paper of a new document: a name of `SIZES`, and margins in millimetres."""

    size: str = "A4"
    landscape: bool = False
    margin_mm: float = 20

    @property
    def points(self) -> tuple[float, float]:
        """Width and height."""
        wide, tall = (side * _MM for side in SIZES[self.size])
        return (tall, wide) if self.landscape else (wide, tall)


@dataclass(frozen=True)
class Created:
    """How many pages were made, and what could not be loaded."""

    pages: int
    warnings: list[str] = field(default_factory=list)


def source_of(markdown: str | None, html: str | None, source: Path | None, root: Path) -> tuple[str, bool, Path]:
    """The text to lay out, whether it is Markdown, and the folder its links are relative to.

    Raises:
        Problem: the file is neither, or no text.
    """
    if source is None:
        return markdown or html or "", markdown is not None, root
    kind = source.suffix.lower()
    if kind not in (".md", ".markdown", ".txt", ".html", ".htm", ".xhtml"):
        raise Problem(
            f"{source.name!r} is neither Markdown nor HTML (.md, .html); convert it first, or use the render server"
        )
    check_bytes(source, MAX_SOURCE)
    is_html = kind.startswith((".h", ".x"))
    return decode_file(source.read_bytes(), source.name, html=is_html).text, not is_html, source.parent


def from_text(
    target: Path, text: str, markdown: bool, css: str, sheet: Sheet, base: Path, root: Path, title: str, now: datetime
) -> Created:
    """Lay out Markdown (CommonMark with tables, strike-through, footnotes and LaTeX formulas) or HTML.

    Args:
        target: where to write.
        text: the source.
        markdown: whether it is Markdown.
        css: further styles, after ours.
        sheet: the paper; an ``@page`` rule of the source wins.
        base: the folder that relative links are relative to.
        root: nothing outside this folder is read.
        title: of the document.
        now: the time it states.

    Raises:
        Problem: the source is too long, or makes no page.
    """
    import weasyprint
    from weasyprint.text.fonts import FontConfiguration

    if len(text) > MAX_SOURCE:
        raise Problem(f"the source has {len(text):,} characters; the limit is {MAX_SOURCE:,}")
    logging.getLogger("weasyprint").addFilter(_is_of_use)
    html, notes = to_html(text, html=True) if markdown else (text, [])
    if markdown and (language := front_language(text)):
        html = f'<html lang="{language}"><body>{html}</body></html>'
    fetcher = _make_fetcher(root)
    fonts = FontConfiguration()
    styles = [
        _build_stylesheet(weasyprint, name, fetcher, fonts, base)
        for name in (
            _write_font_faces(),
            _write_page_rule(sheet) + (_LOOK + table_fitting.STYLE + NOTATION if markdown else ""),
            css,
        )
    ]
    page = weasyprint.HTML(string=html, base_url=base.as_uri() + "/", url_fetcher=fetcher)
    options = weasyprint.DEFAULT_OPTIONS | {
        "stylesheets": styles,
        "presentational_hints": True,  # <img width=...>, <td align=...>: as browsers do
        "pdf_tags": True,
        "pdf_identifier": b"yardkit",
    }

    def laid_out() -> Any:
        return page.render(font_config=fonts, **options)

    if markdown and (css or next(page.etree_element.iter("style"), None) is not None):
        document, fitting_notes = table_fitting.fit_document(page.etree_element, laid_out)
    else:
        room_pt = sheet.points[0] - 2 * sheet.margin_mm * _MM
        fitting_notes = table_fitting.fit_tables(page.etree_element, room_pt) if markdown else []
        document = laid_out()
    notes = [*notes, *fitting_notes]
    data = document.write_pdf(**options)
    all_notes = dict.fromkeys(
        [*notes, *_list_undrawable(document), *fetcher.refused, *fetcher.left_out, *_dead_links(page.etree_element)]
    )
    return Created(_finish_document(data, target, title, now), list(all_notes)[:20])


def _list_undrawable(document: Any) -> list[str]:
    """What is said of letters that no font has."""
    missing_characters = {chr(code) for font in document.fonts.values() for code in font.missing if chr(code) > " "}
    displayed_characters = "".join(sorted(missing_characters)[:_MAX_MISSING])
    more = f" and {len(missing_characters) - _MAX_MISSING} more" * (len(missing_characters) > _MAX_MISSING)
    return (
        [f"no installed font has {displayed_characters!r}{more}; empty boxes are shown"] if missing_characters else []
    )


def _dead_links(root: Any) -> list[str]:
    """What is said of links within the page to an anchor that is nowhere on it."""
    linked = [link.get("href", "") for link in root.iter("a")]
    names = {element.get("id") for element in root.iter()} | {link.get("name") for link in root.iter("a")}
    dead = (href for href in linked if len(href) > 1 and href.startswith("#") and unquote(href[1:]) not in names)
    return [f"leads nowhere: a link to {unquote(href)[:100]!r}, which no heading or id is" for href in dead]


def _is_of_use(record: logging.LogRecord) -> bool:
    """Nobody reads the log, which goes to stderr once a library (ziafont) has logged through the root: what a caller
    can mend is in the answer, and only whoever wrote a text knows its language.
    """
    return not record.getMessage().startswith('Missing required "lang"')


def _build_stylesheet(weasyprint: Any, css: str, fetcher: Any, fonts: Any, base: Path) -> Any:
    return weasyprint.CSS(string=css, url_fetcher=fetcher, font_config=fonts, base_url=base.as_uri() + "/")


def _write_font_faces() -> str:
    """The bundled fonts as @font-face rules: the same letters on every machine."""
    rules = []
    for family, bold, italic in _FACES:
        face = font_file(family, bold, italic).as_uri()
        weight, slant = ("bold" if bold else "normal"), ("italic" if italic else "normal")
        rules.append(
            f'@font-face {{ font-family: "{family}"; src: url({face}); font-weight: {weight}; font-style: {slant} }}'
        )
    return "\n".join(rules)


def _write_page_rule(sheet: Sheet) -> str:
    wide, tall = sheet.points
    return f"@page {{ size: {wide:.3f}pt {tall:.3f}pt; margin: {sheet.margin_mm:g}mm }}\n"


def _make_fetcher(root: Path) -> Any:
    """A fetcher for files of the workspace, the bundled fonts and data: URLs; all else is refused and noted."""
    from weasyprint.urls import URLFetcher

    class Local(URLFetcher):  # type: ignore[misc]
        refused: list[str]
        left_out: list[str]

        def fetch(self, url: str, headers: Any = None) -> Any:
            parts = urlsplit(url)
            if parts.scheme == "data":
                return super().fetch(url, headers)
            path = Path(unquote(parts.path)).resolve()
            inside = path.is_relative_to(root.resolve()) or path.is_relative_to(FONT_DIR.resolve())
            if parts.scheme != "file" or parts.netloc or not inside or not path.is_file():
                display_address = (
                    path.relative_to(root.resolve()).as_posix() if parts.scheme == "file" and inside else url[:150]
                )
                why = "does not exist" if parts.scheme == "file" and inside else "is outside the workspace"
                self.refused.append(
                    f"not loaded: {display_address} {why}"
                    if parts.scheme == "file"
                    else f"not loaded (no network): {url[:150]}"
                )
                raise ValueError("refused")
            self.left_out += _note_pages(path)
            return super().fetch(path.as_uri(), headers)

    new_fetcher = Local(allowed_protocols=("file", "data"), allow_redirects=False)
    new_fetcher.refused, new_fetcher.left_out = [], []
    return new_fetcher


def _note_pages(path: Path) -> list[str]:
    """That a picture on a page has more pages or frames than are drawn."""
    if path.suffix.lower() not in READ_SUFFIXES:
        return []
    try:
        return [note for note in [describe_page(read_contents(path), path.name)] if note]
    except Problem:
        return []  # it is named among what cannot be drawn


def _finish_document(data: bytes, target: Path, title: str, now: datetime) -> int:
    import pikepdf

    with pikepdf.open(io.BytesIO(data)) as pdf:
        thicken_letters(pdf)
        for key in [key for key, value in pdf.docinfo.items() if str(value) in _UNSAID]:
            del pdf.docinfo[key]
        stamp = now.strftime("D:%Y%m%d%H%M%S+00'00'")
        if title:
            pdf.docinfo["/Title"] = title
        pdf.docinfo["/CreationDate"] = pdf.docinfo["/ModDate"] = stamp
        save_pdf(pdf, target)
        return len(pdf.pages)


def from_images(target: Path, paths: list[Path], sheet: Sheet | None, title: str, now: datetime) -> Created:
    """A page per picture: on paper inside its margins, or without `sheet` as large as the picture itself.

    A TIFF may hold many pages; of an animation the first picture is taken, and the result says so.

    Raises:
        Problem: a picture cannot be read, or there are too many.
    """
    from reportlab.lib.utils import ImageReader

    if not 1 <= len(paths) <= MAX_IMAGES:
        raise Problem(f"give 1 to {MAX_IMAGES} pictures, not {len(paths)}")
    buffer = io.BytesIO()
    canvas = canvas_on(buffer)
    notes: list[str] = []
    contents = {path: read_contents(path) for path in paths}
    frames = [(path, page) for path in paths for page in range(_count_pages(path, contents[path], notes))]
    if len(frames) > MAX_IMAGES:
        raise Problem(f"the files contain {len(frames):,} pictures; the limit is {MAX_IMAGES}")
    for path, frame in frames:
        picture = opened_image(path, frame)
        # Faxes have other resolutions across than down.
        dpi = [round(dots) if 30 <= dots <= 2400 else 96 for dots in contents[path].dpi or (96, 96)]
        wide, tall = picture.width * 72 / dpi[0], picture.height * 72 / dpi[1]
        page, place = _position_picture(wide, tall, sheet)
        canvas.setPageSize(page)
        is_whole = contents[path].is_simple and contents[path].format == "JPEG"
        canvas.drawImage(str(path) if is_whole else ImageReader(picture), *place, mask="auto")
        canvas.showPage()
    canvas.save()
    return Created(_finish_document(buffer.getvalue(), target, title, now), notes)


def _count_pages(path: Path, contents: PictureContents, notes: list[str]) -> int:
    """How many pages a file of pictures makes."""
    if contents.moves:
        notes.append(f"of the {contents.pages} pictures in {path.name!r} only the first is shown")
        return 1
    return contents.pages


def _position_picture(
    wide: float, tall: float, sheet: Sheet | None
) -> tuple[tuple[float, float], tuple[float, float, float, float]]:
    if sheet is None:
        scale = min(1.0, 14_400 / max(wide, tall))
        return (wide * scale, tall * scale), (0, 0, wide * scale, tall * scale)
    page = sheet.points
    margin = sheet.margin_mm * _MM
    scale = min((page[0] - 2 * margin) / wide, (page[1] - 2 * margin) / tall, 1.0 if sheet.margin_mm else 1e9)
    wide, tall = wide * scale, tall * scale
    return page, ((page[0] - wide) / 2, (page[1] - tall) / 2, wide, tall)
