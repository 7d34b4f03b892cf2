"""The driver of one LibreOffice: a separate program, run by a Python that can ``import uno``, never imported.

    python worker.py DIRECTORY SOFFICE    (JSON lines: a job on stdin, its answer on stdout)

When stdin closes, its parent is gone: LibreOffice is killed and the program ends.
"""

import ctypes
import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_START_S = 60
_RESTARTS = (79, 81)
"""Exit codes by which LibreOffice asks to be started again, after it has made its profile."""
_HUNDREDTH_MM = 2540 / 72
_VALUE, _TEXT, _FORMULA = "VALUE", "TEXT", "FORMULA"
_CONTENT = 1 | 2 | 4 | 16
"""com.sun.star.sheet.CellFlags: values, dates, texts, formulas."""
_MARGIN = 1500
_FAR = 200
_Job = dict[str, Any]
_LOAD_ERRORS = ("io.IOException", "lang.IllegalArgumentException")
_NO_SHEETS = SimpleNamespace(ElementNames=())


def main() -> None:
    base, soffice = Path(sys.argv[1]), sys.argv[2]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    jobs: queue.Queue[str] = queue.Queue()
    # LibreOffice dies with this process (_die_with_parent), which ends when its stdin does.
    threading.Thread(target=_read_jobs, args=(jobs,), daemon=True).start()
    office = Driver(_launch_office(base, soffice))
    print("{}", file=answers, flush=True)
    while True:
        job = json.loads(jobs.get())
        print(json.dumps(office.answer(job)), file=answers, flush=True)


def _read_jobs(jobs: "queue.Queue[str]") -> None:
    for line in sys.stdin:
        jobs.put(line)
    # Called in a thread, where sys.exit would not end the process while the main thread is busy.
    os._exit(0)


def _launch_office(base: Path, soffice: str) -> Any:
    """Start LibreOffice, and restart it as often as it requests, and return its context once it listens."""
    connect = _make_connector(base.name)
    deadline = time.monotonic() + _START_S
    process = _start_office(base, soffice)
    while time.monotonic() < deadline:
        context = connect()
        if context is not None:
            return context
        code = process.poll()  # poll once: it may end between two polls
        if code in _RESTARTS:
            process = _start_office(base, soffice)
        elif code is not None:
            raise SystemExit(f"LibreOffice ended at once with exit code {process.returncode}")
        time.sleep(0.01)
    raise SystemExit(f"LibreOffice did not listen within {_START_S} s")


def _start_office(base: Path, soffice: str) -> "subprocess.Popen[bytes]":
    options = ["--headless", "--norestore", "--invisible", "--nologo", "--nodefault", "--nolockcheck"]
    command = [
        *(soffice, *options, f"-env:UserInstallation={(base / 'profile').as_uri()}"),
        f"--accept=pipe,name={base.name};urp;StarOffice.ComponentContext",
    ]
    return subprocess.Popen(  # noqa: S603 - our own command
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=_die_with_parent,  # noqa: PLW1509 - nothing else in this process is busy yet
    )


def _die_with_parent() -> None:
    # PR_SET_PDEATHSIG: Linux kills LibreOffice when this process dies.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _make_connector(name: str) -> Callable[[], Any]:
    uno = importlib.import_module("uno")
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    no_connection = uno.getClass("com.sun.star.connection.NoConnectException")

    def connect() -> Any:
        try:
            return resolver.resolve(f"uno:pipe,name={name};urp;StarOffice.ComponentContext")
        except no_connection:
            return None

    return connect


class Refused(Exception):
    """A job that cannot be done, with the kind of failure for the caller."""


class Driver:
    """The jobs. A document stays open until it is closed by name."""

    def __init__(self, context: Any) -> None:
        self.uno = importlib.import_module("uno")
        self.desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
        self.open: dict[str, Any] = {}
        self.jobs: dict[str, Callable[[_Job], Any]] = {
            "close": self.close,
            "kind": lambda job: _detect_kind(self.document(job)),
            "count": self.count,
            "visible": self.list_visible,
            "sheets": lambda job: list(getattr(self.document(job), "Sheets", _NO_SHEETS).ElementNames),
            "pdf": self.pdf,
            "range": self.range_pdf,
            "store": self.store,
            "calculate": self.calculate,
            "probe": self.probe_fonts,
        }

    def answer(self, job: _Job) -> _Job:
        """Answer a job; if LibreOffice has died, end the program."""
        gone = self.uno.getClass("com.sun.star.lang.DisposedException")
        try:
            return {"result": self.jobs[job["do"]](job)}
        except Refused as error:
            return {"failed": error.args[0], "message": error.args[1]}
        except gone:
            raise SystemExit("LibreOffice is gone") from None
        except self.uno.getClass("com.sun.star.uno.Exception") as error:
            return {"failed": "job", "message": f"{type(error).__name__}: {getattr(error, 'Message', '')}"[:300]}

    def close(self, job: _Job) -> None:
        document = self.open.pop(job["path"], None)
        if document is not None:
            document.close(True)  # noqa: FBT003 - UNO has no keywords

    def document(self, job: _Job) -> Any:
        path = job["path"]
        if path not in self.open:
            self.open[path] = self.load(path, job.get("filter", ""), job.get("options", ""))
        return self.open[path]

    def load(self, path: str, name: str = "", options: str = "") -> Any:
        values = {
            "Hidden": True,
            "ReadOnly": True,
            "UpdateDocMode": 0,
            "MacroExecutionMode": 0,
            **({"FilterName": name} if name else {}),
            **({"FilterOptions": options} if options else {}),
        }
        url = path if path.startswith("private:") else Path(path).as_uri()
        broken = tuple(self.uno.getClass(f"com.sun.star.{name}") for name in _LOAD_ERRORS)
        try:
            document = self.desktop.loadComponentFromURL(url, "_blank", 0, self.properties(values))
        except broken as error:
            raise Refused("load", str(error.Message)[:200]) from None
        if document is None:
            raise Refused("load", "")
        return document

    def properties(self, values: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(self.make_property(name, value) for name, value in values.items())

    def make_property(self, name: str, value: Any) -> Any:
        property_value = self.uno.createUnoStruct("com.sun.star.beans.PropertyValue")
        property_value.Name = name
        if isinstance(value, dict):
            value = self.uno.Any("[]com.sun.star.beans.PropertyValue", self.properties(value))
        property_value.Value = value
        return property_value

    def count(self, job: _Job) -> int:
        document = self.document(job)
        kind = _detect_kind(document)
        if kind == "writer":
            # As in the export: without the empty pages that Writer inserts where page numbers restart on a right page.
            view = self.properties({"View": document.CurrentController})
            return int(document.getRendererCount(document, view)) or int(document.CurrentController.PageCount)
        if kind == "calc":
            return int(document.getRendererCount(document, self.properties({"IsPrinter": True})))
        return int(document.DrawPages.Count)

    def list_visible(self, job: _Job) -> list[int]:
        """List the numbers of the visible sheets."""
        sheets = self.document(job).Sheets
        return [at + 1 for at in range(sheets.Count) if sheets.getByIndex(at).IsVisible]

    def pdf(self, job: _Job) -> None:
        document = self.document(job)
        data: dict[str, Any] = {"ReduceImageResolution": False, "UseLosslessCompression": True}
        data["ExportHiddenSlides"] = True  # so that page numbers equal slide numbers
        if job.get("pages"):
            data["PageRange"] = job["pages"]
        if job.get("whole_sheets"):
            data["SinglePageSheets"] = True
        self._export_document(document, job["target"], f"{_detect_kind(document)}_pdf_Export", data)

    def _export_document(self, document: Any, target: str, name: str, data: dict[str, Any]) -> None:
        data["ExportNotes"] = False  # their icons would cover text
        values = {"FilterName": name, "FilterData": data, "Overwrite": True}
        document.storeToURL(Path(target).as_uri(), self.properties(values))

    def store(self, job: _Job) -> None:
        document = self.document(job)
        values = {"FilterName": job["store_filter"], "FilterOptions": job.get("store_options", ""), "Overwrite": True}
        try:
            document.storeToURL(Path(job["target"]).as_uri(), self.properties(values))
        except self.uno.getClass("com.sun.star.io.IOException") as error:
            raise Refused("store", str(error.Message)[:200]) from None

    def calculate(self, job: _Job) -> list[_Job]:
        document = self.document(job)
        if _detect_kind(document) != "calc":
            raise Refused("load", "it is not a spreadsheet")
        document.calculateAll()
        sheets = document.Sheets
        values = []
        for sheet, reference in job["cells"]:
            if not sheets.hasByName(sheet):
                raise Refused("sheet", f"{sheet}|{', '.join(sheets.ElementNames[:20])}")
            values.append(self._read_cell(document, sheets.getByName(sheet).getCellRangeByName(reference)))
        return values

    def _read_cell(self, document: Any, cell: Any) -> _Job:
        if cell.getError():
            return {"error": cell.String}
        kind = cell.Type.value if cell.Type.value != _FORMULA else _result_type(cell)
        if kind == _VALUE:
            form = document.NumberFormats.getByKey(cell.NumberFormat).Type
            # com.sun.star.util.NumberFormat.LOGICAL: LibreOffice has no type for true and false.
            return {"value": bool(cell.Value) if form & 1024 else cell.Value}
        return {"value": cell.String if kind == _TEXT or cell.String else None}

    def range_pdf(self, job: _Job) -> None:
        """Export one page as large as the range, from a document loaded for this purpose and closed again."""
        document = self.load(job["path"], job.get("filter", ""), job.get("options", ""))
        try:
            sheets = document.Sheets
            if not sheets.hasByName(job["sheet"]):
                raise Refused("sheet", f"{job['sheet']}|{', '.join(sheets.ElementNames[:20])}")
            area = self._find_area(sheets.getByName(job["sheet"]), job["range"])
            _fill_visible(area, job["sheet"])
            _fit_page(document, area, headings=job["headings"])
            self._export_document(document, job["target"], "calc_pdf_Export", {"Selection": area})
        finally:
            document.close(True)  # noqa: FBT003 - UNO has no keywords

    def _find_area(self, sheet: Any, reference: str) -> Any:
        try:
            return _find_area(sheet, reference)
        except self.uno.getClass("com.sun.star.lang.DisposedException"):
            raise
        except self.uno.getClass("com.sun.star.uno.RuntimeException") as error:
            raise Refused("range", reference) from error

    def probe_fonts(self, job: _Job) -> None:
        """Make a PDF with one line of text in each family, given as pairs of family and text."""
        document = self.load("private:factory/swriter")
        try:
            text, cursor = document.Text, document.Text.createTextCursor()
            for family, sample in job["families"]:
                cursor.CharFontName = cursor.CharFontNameAsian = family
                text.insertString(cursor, sample, False)  # noqa: FBT003 - UNO has no keywords
                text.insertControlCharacter(cursor, 0, False)  # noqa: FBT003
            self._export_document(document, job["target"], "writer_pdf_Export", {})
        finally:
            document.close(True)  # noqa: FBT003


def _result_type(cell: Any) -> str:
    # com.sun.star.sheet.FormulaResult: VALUE 1, STRING 2, ERROR 4.
    return _VALUE if cell.FormulaResultType2 == 1 else _TEXT


def _find_area(sheet: Any, reference: str) -> Any:
    """Find the range of a sheet, by default all used cells and those under charts and pictures."""
    if reference:
        return sheet.getCellRangeByName(reference)
    cursor = sheet.createCursor()
    cursor.gotoStartOfUsedArea(False)  # noqa: FBT003 - UNO has no keywords
    cursor.gotoEndOfUsedArea(True)  # noqa: FBT003
    return _with_drawings(sheet, cursor.RangeAddress)


def _fill_visible(area: Any, sheet: str) -> None:
    """Refuse a range without visible content; make one with only colours printable, which would be omitted."""
    address = area.AbsoluteName.rsplit(".", 1)[-1].replace("$", "")
    if not area.queryVisibleCells().Count:
        raise Refused("hidden", f"{sheet}|{address}")
    if area.queryContentCells(_CONTENT).Count or _has_drawing(area):
        return
    if not any(map(_is_dressed, _iterate_elements(area.CellFormatRanges))):
        raise Refused("empty", f"{sheet}|{address}")
    last = area.RangeAddress
    area.Spreadsheet.getCellByPosition(last.EndColumn, last.EndRow).String = "\u00a0"


def _iterate_elements(collection: Any) -> Iterator[Any]:
    return (collection.getByIndex(number) for number in range(collection.Count))


def _is_dressed(cells: Any) -> bool:
    """Whether cells have a fill, a border, or conditional formats."""
    border = cells.TableBorder2
    sides = (border.TopLine, border.BottomLine, border.LeftLine, border.RightLine)
    return cells.CellBackColor >= 0 or any(side.LineWidth for side in sides) or cells.ConditionalFormat.Count > 0


def _has_drawing(area: Any) -> bool:
    left, top, right, bottom = _read_edges(area)
    boxes = map(_read_edges, _iterate_elements(area.Spreadsheet.DrawPage))
    return any(box[0] < right and left < box[2] and box[1] < bottom and top < box[3] for box in boxes)


def _read_edges(thing: Any) -> tuple[int, int, int, int]:
    place, size = thing.Position, thing.Size
    return place.X, place.Y, place.X + size.Width, place.Y + size.Height


def _with_drawings(sheet: Any, used: Any) -> Any:
    """Extend the used cells to include charts and pictures that are not far away."""
    column, row = used.EndColumn, used.EndRow
    for number in range(sheet.DrawPage.Count):
        place, size = sheet.DrawPage.getByIndex(number).Position, sheet.DrawPage.getByIndex(number).Size
        ends = place.X + size.Width, place.Y + size.Height
        column = _find_reaching(
            lambda n: sheet.getCellByPosition(n, 0).Position.X, column, ends[0], sheet.Columns.Count
        )
        row = _find_reaching(lambda n: sheet.getCellByPosition(0, n).Position.Y, row, ends[1], sheet.Rows.Count)
    start = (0, 0) if sheet.DrawPage.Count else (used.StartColumn, used.StartRow)
    return sheet.getCellRangeByPosition(*start, column, row)


def _find_reaching(start_of: Callable[[int], int], last: int, end: int, count: int) -> int:
    """Find the column or row of `count` that ends at or after `end`; `last` if that is far away."""
    for number in range(last, min(last + _FAR, count - 1)):
        if start_of(number + 1) >= end:
            return number
    return last


def _fit_page(document: Any, area: Any, *, headings: bool) -> None:
    style = document.StyleFamilies.getByName("PageStyles").getByName(area.Spreadsheet.PageStyle)
    style.HeaderIsOn = style.FooterIsOn = False
    for side in ("Left", "Right", "Top", "Bottom"):
        setattr(style, f"{side}Margin", 100)
    style.PrintHeaders, style.CenterHorizontally, style.CenterVertically = headings, False, False
    style.IsLandscape = False
    extra = _MARGIN if headings else 300
    style.Width, style.Height = area.Size.Width + 2 * extra, area.Size.Height + extra
    style.ScaleToPages = 1


def _detect_kind(document: Any) -> str:
    for service, kind in (
        ("com.sun.star.sheet.SpreadsheetDocument", "calc"),
        ("com.sun.star.presentation.PresentationDocument", "impress"),
        ("com.sun.star.drawing.DrawingDocument", "draw"),
    ):
        if document.supportsService(service):
            return kind
    return "writer"


if __name__ == "__main__":
    main()
