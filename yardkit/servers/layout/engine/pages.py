"""What stands where on the picture of a page, or on a page of a PDF."""

from dataclasses import dataclass, replace
from pathlib import Path

from yardkit.kit.boxes_picture import Mark, draw_marks, picture_kind
from yardkit.kit.pages import raster
from yardkit.kit.pictures import encode_image
from yardkit.models.embedded.page_layout import LAYOUT, ORIENTATION, Region, page_regions, page_turn
from yardkit.models.embedded.running import load_rgb, origin_of, run_in_process
from yardkit.models.embedded.store import require_model
from yardkit.servers.layout.engine.reading_order import in_order
from yardkit.servers.layout.engine.ruled_tables import RuledTable, move_table, ruled_tables
from yardkit.servers.layout.engine.upright import Turn, upright_page
from yardkit.world import FileRef, Problem, save_bytes
from yardkit.world.boxes import Box
from yardkit.world.pictures import flatten_with_contrast, load_picture
from yardkit.world.wording import format_count

PRELOAD = ("numpy", "cv2", "PIL.Image", "PIL.ImageOps", "PIL.ImageDraw", "PIL.ImageFont", "onnxruntime")
_SURE = 0.8
_ALONE = ("title", "header", "footer")
"""What stands above or below all columns where nothing is beside it."""
_TURNS: tuple[Turn, ...] = (0, 90, 180, 270)


@dataclass(frozen=True)
class PageRegion:
    """A region.

    Attributes:
        number: its place in the reading order, from 1.
        label: text, title, figure, figure caption, table, table caption, header, footer, reference or equation.
        score: how sure the model is, in [0, 1].
        box: [x_min, y_min, x_max, y_max] in pixels, origin top left.
    """

    number: int
    label: str
    score: float
    box: Box

    def __str__(self) -> str:
        return f"{self.number} {self.label} {self.score:.2f} at [{', '.join(f'{edge:.0f}' for edge in self.box)}]"


@dataclass(frozen=True)
class PageLayout:
    """The regions of a page in reading order.

    Attributes:
        regions: of it.
        width_px, height_px: of its picture, to which boxes refer.
        dpi: at which a page of a PDF was drawn; null for a picture.
        note: what to know of the answer.
        model: with the tier and the quality.
        picture: the page with the regions, if it was wanted.
    """

    regions: tuple[PageRegion, ...]
    width_px: int
    height_px: int
    dpi: int | None
    note: str
    model: str
    picture: FileRef | None = None

    def __str__(self) -> str:
        drawn = f" (drawn at {self.dpi} dpi)" if self.dpi else ""
        head = (
            f"{format_count(len(self.regions), 'region')} on {self.width_px} x {self.height_px} px{drawn}, by"
            f" {self.model}"
        )
        saved = [f"regions drawn in {self.picture.path}"] if self.picture else []
        return "\n".join([head, *map(str, self.regions), self.note, *saved])


@dataclass(frozen=True)
class PageTurn:
    """How a page is turned.

    Attributes:
        turned_deg: clockwise, 0, 90, 180 or 270; null where the model is not sure.
        turn_back_deg: by which it must be turned clockwise to stand upright; null where that is not known.
        scores: of the four, in their order.
        model: with the tier and the quality.
    """

    turned_deg: Turn | None
    turn_back_deg: Turn | None
    scores: tuple[float, float, float, float]
    model: str

    def __str__(self) -> str:
        scores = ", ".join(f"{turn}: {score:.2f}" for turn, score in zip(_TURNS, self.scores, strict=True))
        if self.turned_deg is None:
            return f"cannot determine the page's orientation ({scores}), by {self.model}"
        back = f"; turn it clockwise by {self.turn_back_deg} degrees" if self.turn_back_deg else ", upright"
        return f"turned clockwise by {self.turned_deg} degrees{back} ({scores}), by {self.model}"


@dataclass(frozen=True)
class PageTables:
    """The tables of a page.

    Attributes:
        tables: with ruled lines, from top to bottom, each with its cells.
        unruled: boxes of what the model takes for tables and whose cells no lines part.
        width_px, height_px, dpi: as those of `PageLayout`.
        note: what to know of the answer.
        picture: the page with the cells, if it was wanted.
    """

    tables: tuple[RuledTable, ...]
    unruled: tuple[Box, ...]
    width_px: int
    height_px: int
    dpi: int | None
    note: str = ""
    picture: FileRef | None = None

    def __str__(self) -> str:
        head = f"{format_count(len(self.tables), 'ruled table')} on {self.width_px} x {self.height_px} px"
        lines = [
            f"{number} at {list(table.box)}: {table.rows} rows, {table.columns} columns, {len(table.cells)} cells"
            for number, table in enumerate(self.tables, start=1)
        ]
        lines += [f"a table without ruled cells at {[round(edge) for edge in box]}" for box in self.unruled]
        if not self.tables and not self.unruled:
            lines.append("a table whose cells are not ruled may still be there")
        lines += [self.note] if self.note else []
        return "\n".join([head, *lines] + ([f"cells drawn in {self.picture.path}"] if self.picture else []))


_NOTE = (
    "A small model for printed pages: captions are found poorly, and a cut-out or a photograph of a page is read badly."
)


def read_layout(
    path: Path, *, page: int = 1, dpi: int = 110, min_score: float = 0.4, picture: Path | None = None
) -> PageLayout:
    """The regions of a page in reading order.

    Args:
        path: of a picture, or of a PDF.
        page: of a PDF, from 1.
        dpi: at which a page of a PDF is drawn.
        min_score: below which a region is left out.
        picture: where the page is written with its regions.

    Raises:
        Problem: the file cannot be read, or has no such page.
        ModelUnavailable: the model is not set up.
    """
    kind = picture_kind(picture) if picture else ""
    chosen_page = page_picture(path, page, dpi)
    turner = require_model(ORIENTATION)
    detected_regions, size, turn = run_in_process(regions_of, require_model(LAYOUT), turner, chosen_page, min_score)
    regions = tuple(
        PageRegion(number, region.label, region.score, region.box)
        for number, region in enumerate(detected_regions, start=1)
    )
    drawn = dpi if _is_pdf(path) else None
    note = " ".join(filter(None, [_note_turn(turn), _NOTE]))
    result = PageLayout(regions, *size, drawn, note, str(origin_of(LAYOUT)))
    if picture is None:
        return result
    marks = [Mark(f"{region.number} {region.label}", region.box, region.label) for region in regions]
    save_bytes(picture, run_in_process(marked_page, chosen_page, kind, marks))
    return replace(result, picture=FileRef.from_path(picture))


def find_orientation(path: Path, *, page: int = 1) -> PageTurn:
    """By which quarter turn a page is turned. Raises what `read_layout` raises."""
    picture = page_picture(path, page, 110)
    scores = run_in_process(turn_of, require_model(ORIENTATION), picture)
    best = max(range(len(_TURNS)), key=lambda place: scores[place])
    sure = scores[best] >= _SURE
    back = _TURNS[-best % len(_TURNS)] if sure else None
    four = (scores[0], scores[1], scores[2], scores[3])
    return PageTurn(_TURNS[best] if sure else None, back, four, str(origin_of(ORIENTATION)))


def find_tables(path: Path, *, page: int = 1, dpi: int = 150, picture: Path | None = None) -> PageTables:
    """The tables of a page: cells where lines part them, else the box alone. Raises what `read_layout` raises."""
    kind = picture_kind(picture) if picture else ""
    chosen_page = page_picture(path, page, dpi)
    page_tables = run_in_process(tables_of, require_model(LAYOUT), require_model(ORIENTATION), chosen_page)
    tables, unruled = page_tables.tables, page_tables.unruled
    note = " ".join(filter(None, [_note_turn(page_tables.turn), _note_skew(page_tables.skew)]))
    result = PageTables(tuple(tables), tuple(unruled), *page_tables.size, dpi if _is_pdf(path) else None, note)
    if picture is None:
        return result
    marks = [
        Mark(f"{number}" if place == 0 else "", cell.box, str(number))
        for number, table in enumerate(tables, start=1)
        for place, cell in enumerate(table.cells)
    ]
    marks += [Mark("no lines", box, "unruled") for box in unruled]
    save_bytes(picture, run_in_process(marked_page, chosen_page, kind, marks))
    return replace(result, picture=FileRef.from_path(picture))


def page_picture(path: Path, page: int, dpi: int) -> Path | bytes:
    """What is looked at: the picture itself, or a page of a PDF or of a later picture of a file, as PNG.

    Raises:
        Problem: the file cannot be read or has no such page.
    """
    if not _is_pdf(path):
        return path if page == 1 else raster.run_picture_call(page_of_picture, path, page)
    pages = raster.run_picture_call(raster.page_count, path)
    if page > pages:
        raise Problem(f"page {page} does not exist in {path.name!r}; it has {format_count(pages, 'page')}")
    return raster.run_picture_call(drawn_page, path, page, dpi)


def _is_pdf(path: Path) -> bool:
    with path.open("rb") as file:
        return b"%PDF-" in file.read(1024)


def page_of_picture(path: Path, page: int) -> bytes:
    """A page of a TIFF as PNG. To be called in `raster.run_picture_call`."""
    return encode_image(flatten_with_contrast(load_picture(path, page).image)).data


def drawn_page(path: Path, page: int, dpi: int) -> bytes:
    """A page of a PDF as PNG. To be called in `raster.apart`."""
    return raster.render_page(path, page, dpi=dpi).data


def regions_of(
    model: Path, turner: Path, picture: Path | bytes, min_score: float
) -> tuple[list[Region], tuple[int, int], Turn]:
    """Regions of a page in reading order, its size, and how it is turned. To be called in `run_in_process`."""
    page = upright_page(turner, load_rgb(picture))
    regions = in_order(
        page_regions(model, page.pixels, min_score),
        lambda region: region.box,
        lambda region: region.label in _ALONE,
    )
    return [replace(region, box=page.to_source(region.box)) for region in regions], page.size, page.turn


def turn_of(model: Path, picture: Path | bytes) -> list[float]:
    """As `page_turn`, of a file. To be called in `run_in_process`."""
    return page_turn(model, load_rgb(picture))


@dataclass(frozen=True)
class FoundTables:
    """Ruled tables, boxes of others, the page's size, and how far it is turned and skewed, in degrees."""

    tables: list[RuledTable]
    unruled: list[Box]
    size: tuple[int, int]
    turn: Turn
    skew: float


def tables_of(model: Path, turner: Path, picture: Path | bytes) -> FoundTables:
    """Tables of a page as it is read, with boxes as it is displayed. To be called in `run_in_process`."""
    page = upright_page(turner, load_rgb(picture))
    tables, skew = ruled_tables(page.pixels)
    others = [
        page.to_source(region.box)
        for region in page_regions(model, page.pixels, 0.5)
        if region.label == "table" and not any(_is_overlapping(region.box, table.box) for table in tables)
    ]
    return FoundTables([move_table(table, page.to_source) for table in tables], others, page.size, page.turn, skew)


def _note_turn(turn: Turn) -> str:
    return f"The page is turned clockwise by {turn} degrees; it was read upright, and boxes are as displayed." * bool(
        turn
    )


def _note_skew(skew: float) -> str:
    if not skew:
        return ""
    return (
        f"The lines are skewed by {abs(skew):.1f} degrees: each box encloses its cell and a little of its neighbours."
    )


def _is_overlapping(first_box: Box, other: Box) -> bool:
    return first_box[0] < other[2] and other[0] < first_box[2] and first_box[1] < other[3] and other[1] < first_box[3]


def marked_page(page_picture: Path | bytes, kind: str, marks: list[Mark]) -> bytes:
    """A page with marks as a file. To be called in `run_in_process`."""
    from PIL import Image

    picture = Image.fromarray(load_rgb(page_picture))
    return draw_marks(picture, kind, marks)
