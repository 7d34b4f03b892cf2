"""Office files as pages and in other formats, through one LibreOffice of this process for all servers.

It is started at the first call, works on one job at a time (another one is started if a job takes long), is killed at
the time limit, restarted after a crash or many jobs, and ended when idle. A document is opened from a private copy and
stays open for the next page.
"""

import atexit
import itertools
import tempfile
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.kit.pages import kinds
from yardkit.kit.pages.office import start_office
from yardkit.kit.pages.rtf_bullets import readable_bullets
from yardkit.kit.pages.text_tables import as_utf8, csv_options
from yardkit.kit.pages.undated import strip_dates
from yardkit.programs.keeper import Keeper, take_free_turn
from yardkit.programs.worker import Gone, Overrun, WorkerProcess
from yardkit.world import Problem
from yardkit.world.printing import drop_comment_marks, mixes_up_notes
from yardkit.world.tree import clone_file, remove_tree
from yardkit.world.wording import format_count

JOB_S = 120.0
"""Time that one job may take."""
MAX_OPEN = 6

_STORE_FILTERS = {
    "writer": {
        ".docx": "MS Word 2007 XML",
        ".odt": "writer8",
        ".doc": "MS Word 97",
        ".rtf": "Rich Text Format",
        ".html": "HTML (StarWriter)",
        ".txt": "Text (encoded)",
    },
    "calc": {
        ".xlsx": "Calc MS Excel 2007 XML",
        ".ods": "calc8",
        ".xls": "MS Excel 97",
        ".html": "HTML (StarCalc)",
        ".csv": "Text - txt - csv (StarCalc)",
        ".txt": "Text - txt - csv (StarCalc)",
    },
    "impress": {".pptx": "Impress MS PowerPoint 2007 XML", ".odp": "impress8", ".ppt": "MS PowerPoint 97"},
    "draw": {".odg": "draw8", ".svg": "draw_svg_Export"},
}
_STORE_OPTIONS = {
    ("writer", ".html"): "EmbedImages",
    ("writer", ".txt"): "UTF8,LF",
    ("calc", ".csv"): "44,34,76,1,,0,false,true,false",
    ("calc", ".txt"): "9,34,76,1,,0,false,true,false",
}
_LOAD_FILTERS = {
    ".txt": ("Text (encoded)", "UTF8,LF"),
    ".html": ("HTML (StarWriter)", ""),
    ".htm": ("HTML (StarWriter)", ""),
}
"""Formats that LibreOffice would guess wrongly: filter and its options."""
CONVERTIBLE = (".pdf", ".png", *dict.fromkeys(suffix for family in _STORE_FILTERS.values() for suffix in family))
_LASTING = ("kind", "count", "sheets")
"""Jobs whose answers stay as they are while a document is open, and are wanted with nearly every page."""
_STORING = ("store", "calculate")
"""Jobs for which the fields of a .csv file are numbers where they can be; the others show them as they are written."""
_Key = tuple[int, ...]


@dataclass(frozen=True)
class _Document:
    copy: Path
    suffix: str
    load: tuple[str, str]
    known: dict[str, Any] = field(default_factory=dict)

    def build_job(self, do: str, **values: Any) -> dict[str, Any]:
        name, options = self.load
        return {"do": do, "path": str(self.copy), "filter": name, "options": options, **values}


class _Office:
    """A LibreOffice of this process and its open documents."""

    def __init__(self) -> None:
        self.kept = Keeper("LibreOffice", start_office, wait_s=180, max_jobs=300, max_idle_bytes=1_200_000_000)
        self.open: OrderedDict[_Key, _Document] = OrderedDict()
        self.numbers = itertools.count()
        self._opener: WorkerProcess | None = None

    def run(self, source: Path, do: str, seconds: float, **values: Any) -> Any:
        """Run a job on `source`, and repeat it once on a new LibreOffice if the first one died."""
        try:
            return self._run_once(source, do, seconds, values)
        except Gone:
            self.kept.stop()
        try:
            return self._run_once(source, do, seconds, values)
        except Gone:
            self.kept.stop()
            raise Problem(f"LibreOffice crashes on {source.name!r}; the file is damaged or too unusual") from None

    def _run_once(self, source: Path, do: str, seconds: float, values: dict[str, Any]) -> Any:
        process = self.kept.get_worker()
        target = values.get("target")
        inside = process.base / f"out{next(self.numbers)}{Path(target).suffix}" if target else None
        if inside:
            values = {**values, "target": str(inside)}
        try:
            document = self._open_document(source, process, as_written=do not in _STORING)
            if do in document.known:
                return document.known[do]
            answer = process.ask(document.build_job(do, **values), seconds)
            if "failed" in answer:
                raise _make_problem(source, answer)
            if do in _LASTING:
                document.known[do] = answer["result"]
            elif do == "calculate":
                document.known.pop("count", None)  # new values may change the number of pages
            if inside and target:
                _take_result(inside, Path(target), source)
            return answer["result"]
        except Overrun as error:
            self.kept.stop()
            raise Problem(
                f"{source.name!r} needed more than {error} in LibreOffice and was given up; "
                "ask for fewer pages, or make the file smaller"
            ) from None
        finally:
            if inside:
                inside.unlink(missing_ok=True)

    def _open_document(self, source: Path, process: WorkerProcess, *, as_written: bool) -> _Document:
        if process is not self._opener:
            self.open.clear()
            self._opener = process
        status = source.stat()
        key = (as_written, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        if key in self.open:
            self.open.move_to_end(key)
            return self.open[key]
        suffix = kinds.office_suffix(source)
        # Keep the file's own name, which headers and the sheets of CSV files show.
        copy = process.base / "documents" / str(next(self.numbers)) / f"{source.stem}{suffix}"
        copy.parent.mkdir()
        clone_file(source, copy)
        copy.chmod(0o600)
        drop_comment_marks(copy)
        is_table = suffix in (".csv", ".tsv")
        if is_table or suffix == ".txt":
            as_utf8(copy)
        table = (_STORE_FILTERS["calc"][".csv"], csv_options(copy, as_written=as_written)) if is_table else None
        self.open[key] = _Document(copy, suffix, table or _LOAD_FILTERS.get(suffix, ("", "")))
        while len(self.open) > MAX_OPEN:
            old = self.open.popitem(last=False)[1]
            process.ask(old.build_job("close"), 20)
            remove_tree(old.copy.parent)
        return self.open[key]


def _take_result(inside: Path, target: Path, source: Path) -> None:
    # A link could lead out of the jail.
    if inside.is_symlink() or not inside.is_file() or not inside.stat().st_size:
        raise Problem(f"LibreOffice produced nothing from {source.name!r}; the file may be empty")
    result_bytes = inside.read_bytes()
    target.write_bytes(strip_dates(result_bytes) if inside.suffix.lower() == ".pdf" else result_bytes)


def _make_problem(source: Path, answer: dict[str, Any]) -> Problem:
    kind, words = answer["failed"], answer["message"]
    if kind == "sheet":
        sheet, _, names = words.partition("|")
        return Problem(f"{source.name!r} has no sheet {sheet!r}; its sheets: {names}")
    if kind == "range":
        return Problem(f"{words!r} is not a range of {source.name!r}; write one such as A1:F30, or the name of a range")
    if kind in ("empty", "hidden"):
        sheet, _, area = words.rpartition("|")
        why = (
            "is empty: no values, colours, borders or drawings"
            if kind == "empty"
            else "consists of hidden rows or columns"
        )
        return Problem(f"nothing is visible in {area} of sheet {sheet!r}, which {why}; list_pages shows the sheets")
    if kind == "load":
        return Problem(f"{source.name!r} cannot be opened; it is damaged or of another type{words and f' ({words})'}")
    return Problem(f"LibreOffice could not do this with {source.name!r} ({words})")


_MOST = 3
"""LibreOffices that work at a time; the second is started where a file keeps the first busy."""
_offices = tuple(_Office() for _ in range(_MOST))
_office = _offices[0]


@atexit.register
def stop_office() -> None:
    """End LibreOffice; the next call starts it again."""
    for office in _offices:
        office.kept.stop()


def _run(source: Path, do: str, seconds: float = JOB_S, **values: Any) -> Any:
    with take_free_turn([office.kept for office in _offices]) as keeper:
        office = next(office for office in _offices if office.kept is keeper)
        return office.run(source, do, seconds, **values)


def warm_office() -> None:
    """Start LibreOffice now, so that the first call does not wait for it."""
    with _office.kept.take_turn():
        _office.kept.get_worker()


def convert_file(
    source: Path, target: Path, *, seconds: float = JOB_S, named: str = "", also: Iterable[str] = ()
) -> None:
    """Convert `source` to the format of `target`'s suffix; ``png`` is the first page at 150 dpi.

    If that is not possible, the error names the file `named` and lists the additional suffixes `also` of the caller.

    Raises:
        Problem: the file cannot be opened, the format is not possible for it, or it takes too long.
        Unavailable: LibreOffice is not installed.
    """
    suffix = target.suffix.lower()
    if suffix == ".pdf":
        _run(source, "pdf", seconds, target=str(target))
        return
    if suffix == ".png":
        from yardkit.kit.pages import raster

        target.write_bytes(raster.run_picture_call(raster.first_page, pdf_pages(source, 1, 1)))
        return
    kind = kind_of(source)
    if suffix not in _STORE_FILTERS[kind]:
        possible = ", ".join(name[1:] for name in dict.fromkeys((".pdf", ".png", *_STORE_FILTERS[kind], *also)))
        raise Problem(
            f"{named or source.name!r} cannot be converted to {suffix or 'a file without suffix'}; use one of "
            f"{possible}"
        )
    options = _STORE_OPTIONS.get((kind, suffix), "")
    _run(source, "store", seconds, target=str(target), store_filter=_STORE_FILTERS[kind][suffix], store_options=options)
    if suffix == ".rtf":
        target.write_bytes(readable_bullets(target.read_bytes()))


def describe_loss(source: Path) -> str:
    """Describe, for the user, what a file loses when LibreOffice converts it to a format other than PDF."""
    lost = "; without the comments, with which LibreOffice mixes up notes" if mixes_up_notes(source) else ""
    return f"look at the result{lost}"


def kind_of(source: Path) -> str:
    """Return the application that opens a file: writer, calc, impress or draw."""
    return str(_run(source, "kind"))


def sheet_names(source: Path) -> list[str]:
    """List the sheets of a workbook; none for other documents."""
    return [str(name) for name in _run(source, "sheets")]


def visible_sheets(source: Path) -> list[int]:
    """List the numbers (from 1) of the visible sheets of a workbook."""
    return [int(number) for number in _run(source, "visible")]


def page_count(source: Path) -> int:
    """Count the pages, slides or printed pages of a document.

    Raises:
        Problem: it cannot be opened.
    """
    return int(_run(source, "count"))


def pdf_pages(source: Path, first: int, last: int, *, seconds: float = JOB_S) -> bytes:
    """Export pages `first` to `last` (from 1, inclusive) as PDF; fast for a few pages of a large open document.

    Raises:
        Problem: there is no such page, or the file cannot be opened.
    """
    total = page_count(source)
    if not 1 <= first <= last <= total:
        raise Problem(f"{source.name!r} has {format_count(total, 'page')}; there are no pages {first}-{last}")
    return _make_pdf(source, "pdf", seconds, pages=f"{first}-{last}")


def pdf_sheets(source: Path, *, seconds: float = JOB_S) -> bytes:
    """Export a workbook as PDF with each sheet, including hidden ones, on one page of any size."""
    return _make_pdf(source, "pdf", seconds, whole_sheets=True)


def pdf_range(source: Path, sheet: str, reference: str, *, headings: bool = True, seconds: float = JOB_S) -> bytes:
    """Export a range of a sheet (all used cells if empty) as one PDF page of its size, with row and column headers.

    Raises:
        Problem: the sheet or range does not exist.
    """
    return _make_pdf(source, "range", seconds, sheet=sheet, range=reference, headings=headings)


def _make_pdf(source: Path, do: str, seconds: float, **values: Any) -> bytes:
    with tempfile.TemporaryDirectory(prefix="yardkit-page-") as directory:
        target = Path(directory) / "pages.pdf"
        _run(source, do, seconds, target=str(target), **values)
        return target.read_bytes()


@dataclass(frozen=True)
class Calculated:
    """The value of a cell after all formulas were computed; `error` such as ``#DIV/0!`` instead of a value."""

    value: float | str | bool | None = None
    error: str = ""


def calculate_cells(source: Path, cells: list[tuple[str, str]], *, seconds: float = JOB_S) -> list[Calculated]:
    """Recompute all formulas and return the values of `cells`, pairs of sheet and A1 reference.

    Raises:
        Problem: it is not a spreadsheet, a sheet does not exist, or it takes too long.
    """
    calculated_rows = _run(source, "calculate", seconds, cells=[list(cell) for cell in cells])
    return [Calculated(value.get("value"), value.get("error", "")) for value in calculated_rows]


def probe_fonts(families: list[tuple[str, str]]) -> bytes:
    """Make a PDF with a line of text in each family, which shows the fonts that LibreOffice really uses."""
    with tempfile.TemporaryDirectory(prefix="yardkit-page-") as directory:
        seed = Path(directory) / "seed.txt"
        seed.write_text("fonts", "utf-8")
        return _make_pdf(seed, "probe", JOB_S, families=families)
