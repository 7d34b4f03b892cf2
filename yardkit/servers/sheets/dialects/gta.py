"""Tables in the dialect of GTA: CSV files and workbooks from JSON, and both as CSV text."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from yardkit.kit.dialect import Delivered, FileName, Offset, OutputDir, TextPage, choose_deliverable, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.sheets import engine
from yardkit.servers.sheets.engine.notation.values import Scalar
from yardkit.world import FileRef, InFile, Problem, current_world, save_bytes, save_text

mcp = make_server("sheets", "Writes and reads tables as CSV files and Excel workbooks.")

Table = Annotated[
    str,
    Field(description='JSON list of rows, each a list of values: \'[["name", "price"], ["tea", 3.5]]\'.', min_length=1),
]


@tool(mcp, name="CsvFileGenerator", writes=True, destructive=True)
def generate_csv(filename: FileName, data_str: Table, output_dir: OutputDir = None) -> Delivered:
    """Write rows as a CSV file."""
    path = choose_deliverable(filename, ".csv", output_dir)
    save_text(path, engine.csv_text(_parse_rows(data_str)))
    return Delivered(FileRef.from_path(path))


@tool(mcp, name="XlsxFileGenerator", writes=True, destructive=True)
def generate_xlsx(filename: FileName, data_str: Table, output_dir: OutputDir = None) -> Delivered:
    """Write rows as an Excel workbook with one sheet; a text that begins with '=' is a formula."""
    path = choose_deliverable(filename, ".xlsx", output_dir)
    rows = [[_keep_verbatim(value) for value in row] for row in _parse_rows(data_str)]
    with tempfile.TemporaryDirectory() as folder:
        book = Path(folder) / "book.xlsx"
        engine.write_cells(book, "Sheet", "A1", rows, now=current_world().now, dates=False)
        save_bytes(path, book.read_bytes())
    return Delivered(FileRef.from_path(path))


@tool(mcp, name="ReadCSV")
def read_csv(csv_file: Annotated[InFile, Field(description="CSV file.")], offset: Offset = 0) -> TextPage:
    """Read a CSV file: its text as it stands in the file."""
    return cut_page(engine.read_csv(csv_file).replace("\r\n", "\n"), offset)


@tool(mcp, name="ReadXLSX")
def read_xlsx(
    file: Annotated[InFile, Field(description="Excel workbook.")],
    sheet: Annotated[str | None, Field(description="Sheet name, by default the first one.")] = None,
    offset: Offset = 0,
) -> TextPage:
    """Read a sheet of a workbook as CSV text; further sheets are named at its end."""
    summary = engine.inspect_workbook(file)
    with _compute_copy(file, any(sheet.uncomputed for sheet in summary.sheets)) as book:
        text = engine.csv_text(engine.read_all_values(book, sheet), line_end="\n")
    names = [sheet.name for sheet in summary.sheets if sheet.kind == "worksheet"]
    if sheet is None and len(names) > 1:
        text += f"[this is the sheet {names[0]!r}; others, by sheet=: {', '.join(map(repr, names[1:]))}]\n"
    return cut_page(text, offset)


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
