"""MCP surface of the rendering server."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.pages.fonts import Font, list_installed_fonts
from yardkit.kit.pages.raster import PageImage
from yardkit.kit.surface import FileRef, Picture, make_server, tool
from yardkit.servers.render import engine
from yardkit.servers.render.engine.results import Finding, PageChange, PageImages, PageInfo, TextHit
from yardkit.world import InFile, OutDir, OutFile, current_world, lock_file
from yardkit.world.wording import format_count

mcp = make_server(
    "render",
    "Render files as pages: Word, Excel, PowerPoint, OpenDocument, RTF, PDF, CSV, Markdown, HTML, SVG, "
    "text, pictures. Look at a page after each change to see what a reader sees. Pages count from 1; boxes "
    "are in points (1/72 inch) from the top left corner of a page.",
)

Shows = Annotated[InFile, Field(description="File to render.")]
Pages = Annotated[str, Field(description="Pages, such as '3', '2-4,7', '5-', 'last', 'all'.")]
Dpi = Annotated[float, Field(description="Pixels per inch.", ge=30, le=400)]
Sheet = Annotated[str, Field(description="Sheet name; empty: the first.")]
BoxPt = Annotated[
    list[float] | None,
    Field(
        description="[x_min, y_min, x_max, y_max] in points: only this part of one page.", min_length=4, max_length=4
    ),
]


@dataclass(frozen=True)
class PagePictures:
    """Pictures of pages.

    Attributes:
        page_count: of the whole file.
        pages: the pages shown, in the order of the pictures.
        fonts_replaced: fonts of the file that are not installed, with those that are shown instead.
    """

    path: str
    page_count: int
    pages: list[int]
    pictures: list[Picture]
    fonts_replaced: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PageList:
    """The pages of a file, `next_offset` where there are more, and the sheets of a workbook."""

    page_count: int
    pages: list[PageInfo]
    sheets: list[str] = field(default_factory=list)
    next_offset: int | None = None


@dataclass(frozen=True)
class FontList:
    """The fonts that an office file asks for."""

    fonts: list[Font]


@dataclass(frozen=True)
class TextPlaces:
    """Where a text stands on the pages; `total` counts all places."""

    total: int
    places: list[TextHit] = field(default_factory=list)


@dataclass(frozen=True)
class PageFindings:
    """What looks wrong on the pages that were checked."""

    page_count: int
    checked: int
    findings: list[Finding] = field(default_factory=list)
    fonts_replaced: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PageComparison:
    """How the pages of two files differ; the pictures show the first changed pages side by side."""

    pages_before: int
    pages_after: int
    compared: int
    changes: list[PageChange]
    pictures: list[Picture]


@dataclass(frozen=True)
class Converted:
    """Files that were written."""

    done: str
    files: list[FileRef]
    fonts_replaced: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ExportedPages:
    """Picture files that were written."""

    done: str
    paths: list[str]


def _list_replaced_fonts(fonts: list[Font]) -> list[str]:
    return [str(font) for font in fonts if font.replaced]


def _build_picture(image: PageImage) -> Picture:
    return Picture(image.data, image.media_type, image.width_px, image.height_px)


def _build_page_pictures(path: InFile, page_images: PageImages) -> PagePictures:
    name = current_world().to_relative(path)
    return PagePictures(
        name,
        page_images.count,
        page_images.numbers,
        list(map(_build_picture, page_images.images)),
        _list_replaced_fonts(page_images.fonts),
    )


@tool(mcp, bulk=True)
def render_pages(
    path: Shows,
    pages: Pages = "1",
    dpi: Dpi = 100,
    box: BoxPt = None,
    format: Annotated[Literal["png", "jpeg", "grey"], Field(description="Picture format.")] = "png",  # noqa: A002
) -> PagePictures:
    """Render pages of any file as pictures, at most 12 at once."""
    part = (box[0], box[1], box[2], box[3]) if box else None
    return _build_page_pictures(
        path, engine.render_pages(path, current_world().files, pages, dpi=dpi, box=part, kind=format)
    )


@tool(mcp, bulk=True)
def render_range(
    path: Shows,
    sheet: Sheet = "",
    range: Annotated[str, Field(description="Range, such as A1:F30; empty: all used cells.")] = "",  # noqa: A002
    dpi: Dpi = 110,
    headings: Annotated[bool, Field(description="Show column letters and row numbers.")] = True,
) -> PagePictures:
    """Render a range of a sheet as one picture, regardless of its print settings."""
    return _build_page_pictures(path, engine.render_range(path, sheet, range, dpi=dpi, headings=headings))


@tool(mcp, bulk=True)
def render_contact_sheet(
    path: Shows,
    pages: Pages = "all",
    per_row: Annotated[int, Field(description="Thumbnails per row.", ge=1, le=10)] = 4,
    width_px: Annotated[int, Field(description="Picture width.", ge=300, le=3000)] = 1400,
) -> PagePictures:
    """Render up to 60 pages as small numbered thumbnails on one picture."""
    return _build_page_pictures(
        path, engine.contact_sheet(path, current_world().files, pages, columns=per_row, width_px=width_px)
    )


@tool(mcp, bulk=True)
def list_pages(
    path: Shows,
    offset: Annotated[int, Field(description="Pages to skip.", ge=0)] = 0,
    limit: Annotated[int, Field(description="At most this many pages.", ge=1, le=500)] = 50,
) -> PageList:
    """List the pages of a file with their sizes in mm and first words, and the sheets of a workbook."""
    count, pages, sheets = engine.list_pages(path, current_world().files, offset, limit)
    next_offset = offset + len(pages)
    return PageList(count, pages, sheets, next_offset if next_offset < count else None)


@tool(mcp, bulk=True)
def list_fonts(path: Shows) -> FontList:
    """List the fonts that an office file asks for, and the installed font shown for each."""
    return FontList(list_installed_fonts(path))


@tool(mcp, bulk=True)
def find_on_pages(
    path: Shows,
    query: Annotated[str, Field(description="Text to look for.", min_length=1)],
    match_case: Annotated[bool, Field(description="Match case.")] = False,
    limit: Annotated[int, Field(description="At most this many matches.", ge=1, le=500)] = 50,
) -> TextPlaces:
    """Find the pages and boxes (in points) where a text occurs."""
    matches, total = engine.find_text(path, current_world().files, query, match_case=match_case, limit=limit)
    return TextPlaces(total, matches)


@tool(mcp, bulk=True)
def check_pages(path: Shows, pages: Pages = "all") -> PageFindings:
    """Find layout problems: text over the edge, overlapping or tiny text, ### cells, empty pages, missing glyphs."""
    count, checked, findings = engine.check_pages(path, current_world().files, pages, 200)
    replaced = _list_replaced_fonts(list_installed_fonts(path)) if path.suffix.lower() in _WITH_FONTS else []
    return PageFindings(count, len(checked), findings, replaced)


@tool(mcp, bulk=True)
def compare_pages(
    path: Annotated[InFile, Field(description="First file.")],
    other: Annotated[InFile, Field(description="Second file, possibly of another type.")],
    pages: Pages = "all",
    tolerance: Annotated[int, Field(description="Colour difference (0-255) to ignore.", ge=0, le=254)] = 24,
) -> PageComparison:
    """Compare the appearance of two files page by page, with boxes around what changed."""
    page_comparison = engine.compare_pages(path, other, current_world().files, pages, tolerance=tolerance)
    pictures = list(map(_build_picture, page_comparison.pictures))
    return PageComparison(*page_comparison.counts, len(page_comparison.compared), page_comparison.changes, pictures)


@tool(mcp, bulk=True, writes=True, destructive=True)
def convert_to_pdf(
    path: Shows,
    target: Annotated[OutFile, Field(description="PDF file to write.")],
    pages: Pages = "all",
    whole_sheets: Annotated[
        bool, Field(description="Workbooks only: fit each visible sheet on one page, however large.")
    ] = False,
) -> Converted:
    """Save a file, or some of its pages, as PDF."""
    with lock_file(target, current_world().locks):
        count, fonts = engine.to_pdf(path, target, current_world().files, pages, whole_sheets=whole_sheets)
    return Converted(f"Wrote {format_count(count, 'page')}", [FileRef.from_path(target)], _list_replaced_fonts(fonts))


@tool(mcp, bulk=True, writes=True, destructive=True)
def convert_file(
    path: Shows,
    target: Annotated[
        OutFile,
        Field(
            description="File to write; its suffix is the format: pdf, docx, odt, doc, rtf, txt, html, xlsx, ods, xls, "
            "csv, pptx, odp, ppt, png, jpg, webp, tiff, as far as it suits the file."
        ),
    ],
) -> Converted:
    """Convert a file to another format."""
    with lock_file(target, current_world().locks):
        note = engine.convert_file(path, target, current_world().files)
    return Converted(f"Converted {path.name!r}" + (f" ({note})" if note else ""), [FileRef.from_path(target)])


@tool(mcp, bulk=True, writes=True, destructive=True)
def export_pages(
    path: Shows,
    folder: Annotated[
        OutDir, Field(description="Folder for the pictures, which are named after the file and page number.")
    ],
    pages: Pages = "all",
    dpi: Dpi = 150,
    format: Annotated[Literal["png", "jpeg", "grey"], Field(description="Picture format.")] = "png",  # noqa: A002
) -> ExportedPages:
    """Save pages as picture files, at most 200."""
    written, count = engine.export_pages(path, folder, current_world().files, pages, dpi=dpi, kind=format)
    return ExportedPages(
        f"Wrote {len(written)} of {format_count(count, 'page')}", list(map(current_world().to_relative, written))
    )


_WITH_FONTS = (
    ".docx",
    ".docm",
    ".doc",
    ".rtf",
    ".xlsx",
    ".xlsm",
    ".xls",
    ".pptx",
    ".pptm",
    ".ppt",
    ".odt",
    ".ods",
    ".odp",
)
