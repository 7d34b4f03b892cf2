"""Tables in the dialect of GTA: CSV files and workbooks from JSON, and both as CSV text."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from yardkit.kit.dialect import Delivered, OutputDir, choose_deliverable
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import FileRef, InFile, Problem, current_world, save_bytes, save_text


def CsvFileGenerator(filename: str, data_str: str, output_dir: OutputDir = None) -> Delivered:
    path = choose_deliverable(filename, ".csv", output_dir)
    save_text(path, engine.csv_text(_parse_rows(data_str)))
    return Delivered(FileRef.from_path(path))


def XlsxFileGenerator(filename: str, data_str: str, output_dir: OutputDir = None) -> Delivered:
    path = choose_deliverable(filename, ".xlsx", output_dir)
    rows = [[_keep_verbatim(value) for value in row] for row in _parse_rows(data_str)]
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.xlsx"
        engine.write_cells(book, "Sheet", "A1", rows, now=current_world().now, dates=False)
        save_bytes(path, book.read_bytes())
    return Delivered(FileRef.from_path(path))


def ReadCSV(csv_file: InFile) -> str:
    return engine.read_csv(csv_file).replace("\r\n", "\n")


def ReadXLSX(file: InFile, sheet: str | None = None) -> str:
    summary = engine.inspect_workbook(file)
    with _compute_copy(file, any(sheet.uncomputed for sheet in summary.sheets)) as book:
        text = engine.csv_text(engine.read_all_values(book, sheet), line_end="\n")
    names = [sheet.name for sheet in summary.sheets if sheet.kind == "worksheet"]
    if sheet is None and len(names) > 1:
        text += f"[this is the sheet {names[0]!r}; others, by sheet=: {', '.join(map(repr, names[1:]))}]\n"
    return text


def _parse_rows(text: str) -> list[list[Scalar]]:
    try:
        rows = TypeAdapter(list[list[Scalar]]).validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = "".join(f"[{part}]" for part in first["loc"][:2])
        wrong = "a value is text, a number, true, false or null" if len(first["loc"]) > 1 else first["msg"]
        raise Problem(
            f"data_str{place} is not right: {wrong}; give a JSON list of rows, such as "
            '\'[["name", "price"], ["tea", 3.5]]\''
        ) from None
    if not any(rows):
        raise Problem("data_str holds no values; give at least one row with one value")
    return rows


def _keep_verbatim(value: Scalar) -> Scalar:
    """The value for a cell; here an apostrophe at the beginning is a part of the text."""
    return f"'{value}" if isinstance(value, str) and value.startswith("'") else value


@contextmanager
def _compute_copy(path: Path, needed: bool) -> Iterator[Path]:
    """The workbook, or a copy of it with its formulas computed."""
    if not needed:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / f"book{path.suffix}"
        shutil.copyfile(path, copy)
        engine.recalculate_workbook(copy, now=current_world().now)
        yield copy
