"""A table that a task asks for: its place, the kinds of its columns, the key of its rows, and the truth."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from yardkit.evaluators.checkpoints import Facts, InvalidArtifact
from yardkit.evaluators.leaves.column_kinds import Kind
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.tables import Rows, Sheet, find_records, read_csv_rows, read_sheets
from yardkit.evaluators.submission import Submission

_OBSERVED_KINDS = {".docx": ("body", "rows"), ".html": ("text", "words", "rows")}
Row = Mapping[str, Any]
Sheets = Mapping[str, Sheet]
Place = tuple[str, int, int]
"""A sheet, a row and a column, both counted from 0."""
Truth = Callable[[Facts], Iterable[Row]]


@dataclass(frozen=True, eq=False)
class Table:
    """A sheet of a workbook, a CSV file, or the first table with these headers in a document or web page.

    Attributes:
        path: the delivered file, ``.xlsx``, ``.csv``, ``.docx`` or ``.html``.
        sheet: the name of the sheet, ``*`` for the first one with any name; empty for other types than workbooks.
        columns: the headers in order, each with its kind.
        key: the columns that identify a row.
        truth: the true rows, by header, from the facts; columns that a row leaves out are not compared.
    """

    path: str
    sheet: str
    columns: Mapping[str, Kind]
    key: tuple[str, ...]
    truth: Truth

    @property
    def covers(self) -> tuple[str, ...]:
        """The targets of mutants that change its contents."""
        if not self.sheet:
            kinds = _OBSERVED_KINDS.get(PurePosixPath(self.path).suffix, ("text",))
            return (f"file:{self.path}", *(f"{kind}:{self.path}" for kind in kinds))
        return tuple(
            f"{kind}:{self.path}#{self.sheet}{rest}" for kind, rest in (("cells", "!*"), ("rows", ""), ("sheet", ""))
        )

    @property
    def formats(self) -> tuple[str, ...]:
        """The targets of mutants that change the formats of its cells; none for CSV."""
        return (f"{self.build_target('formats')}!*",) if self.sheet else ()

    def build_target(self, kind: str) -> str:
        """Make the target ``kind:path#sheet``, such as the ``validations`` of the sheet."""
        return f"{kind}:{self.path}#{self.sheet}"

    def name(self, row: Row) -> str:
        """The name of a row, delivered or true: its key."""
        return " ".join(self.columns[column].normalize_value(row[column]) for column in self.key)

    def read_rows(self, submission: Submission) -> list[dict[str, Any]]:
        """Read the delivered rows.

        Raises:
            InsufficientEvidence: nothing is there.
            InvalidArtifact: it cannot be read, has no such sheet, or no row with all headers.
        """
        if self.path.endswith((".docx", ".html")):
            return self._in_text(submission)
        if not self.sheet:
            return find_records(read_csv_rows(submission, self.path), list(self.columns), self.path)
        return self.list_rows(read_sheets(submission, self.path))

    def _in_text(self, submission: Submission) -> list[dict[str, Any]]:
        """Read the rows of the first table whose first row has all headers."""
        if self.path.endswith(".docx"):
            from yardkit.evaluators.readers.office.documents import read_document

            tables: list[Rows] = [[*table.rows] for table in read_document(submission, self.path).tables]
        else:
            from yardkit.evaluators.readers.web.html import read_html

            tables = [[list(row) for row in table] for table in read_html(submission, self.path).tables]
        expected_columns = {simplify_text(column) for column in self.columns}
        for table in tables:
            if table and expected_columns <= {simplify_text(cell) for cell in table[0]}:
                return find_records(table, list(self.columns), self.path)
        raise InvalidArtifact(
            f"none of the {len(tables)} tables in {self.path} has the headers {', '.join(self.columns)}"
        )

    def list_rows(self, sheets: Sheets) -> list[dict[str, Any]]:
        """List the rows in the sheets of a workbook that was already read or computed."""
        return find_records(self.grid(sheets).values, list(self.columns), self.sheet)

    def grid(self, sheets: Sheets) -> Sheet:
        """Return the sheet.

        Raises:
            InvalidArtifact: there is no sheet with this name.
        """
        if self.sheet == "*" and sheets:
            return next(iter(sheets.values()))
        if self.sheet not in sheets:
            raise InvalidArtifact(f"{self.path} has no sheet {self.sheet!r}, only {', '.join(sheets)}")
        return sheets[self.sheet]

    def list_lines(self, sheets: Sheets) -> Iterator["Line"]:
        """List the rows below the headers, which are in row 1, with their places.

        Raises:
            InvalidArtifact: row 1 lacks a header.
        """
        values = self.grid(sheets).values
        at = {column: self.column(sheets, column) for column in self.columns}
        for number, cells in enumerate(values[1:], 1):
            yield Line(self, number, at, {column: cells[place] for column, place in at.items()})

    def column(self, sheets: Sheets, header: str) -> int:
        """Find the index of a column, from 0, by its header in row 1.

        Raises:
            InvalidArtifact: row 1 has no such header.
        """
        values = self.grid(sheets).values
        head = [simplify_text(str(cell)) for cell in values[0]] if values else []
        if simplify_text(header) not in head:
            raise InvalidArtifact(f"row 1 of {self.sheet} has no {header!r}; it should hold {', '.join(self.columns)}")
        return head.index(simplify_text(header))

    def list_differences(self, rows: Iterable[Row], truth: Iterable[Row], *columns: str) -> list[str]:
        """List the differences in some columns (by default all), in words: wrong values and missing true rows."""
        named: dict[str, list[Row]] = {}
        for row in rows:
            named.setdefault(self.name(row), []).append(row)
        return [
            f"{column} of {name} is {delivered_row[column] if delivered_row else 'missing'!r}, not {true[column]!r}"
            for true in truth
            for name in [self.name(true)]
            for delivered_row in named.get(name, [{}])
            for column in columns or self.columns
            if column in true and not (delivered_row and self.columns[column].same(delivered_row[column], true[column]))
        ]


@dataclass(frozen=True)
class Line:
    """A row of a delivered table with its place; `number` is counted from 0."""

    table: Table
    number: int
    at: Mapping[str, int]
    values: Row

    def place(self, column: str) -> Place:
        """The address of the cell in a column."""
        return self.table.sheet, self.number, self.at[column]

    def normalize_cell(self, column: str) -> str:
        """Normalize the value in a column for comparison."""
        return self.table.columns[column].normalize_value(self.values[column])
