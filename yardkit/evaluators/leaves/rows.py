"""Leaves about the rows of a table: their presence, contents, order and headers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, Kind, make_checkpoint, make_finding
from yardkit.evaluators.leaves.column_kinds import Text
from yardkit.evaluators.leaves.tables import Row, Table
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.tables import read_sheets
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

_MOST_LISTED = 6


def check_rows(
    id: str,
    statement: str,
    table: Table,
    *,
    ordered: bool = False,
    weight: float = 1.0,
    kind: Kind = "content",
) -> Checkpoint:
    """Each true row is present once, by its key, and no other; if `ordered`, in the order of the truth."""

    def check(submission: Submission, facts: Facts) -> Finding:
        row_names = [table.name(row) for row in table.read_rows(submission)]
        expected_names = [table.name(row) for row in table.truth(facts)]
        unexpected = list(
            (Counter(row_names) - Counter(expected_names)) + (Counter(expected_names) - Counter(row_names))
        )
        unexpected = unexpected or [
            row_name for row_name, other in zip(row_names, expected_names, strict=True) if ordered and row_name != other
        ]
        return make_finding(
            not unexpected,
            f"{format_count(len(row_names), 'row')} for {len(expected_names)};"
            f" {_format_wrong('unexpected or out of order', unexpected)}",
        )

    return make_checkpoint(id, statement, check, covers=table.covers, weight=weight, kind=kind)


def check_exact_rows(
    id: str,
    statement: str,
    table: Table,
    *,
    where: Callable[[Row], bool] = lambda _row: True,
    covers: tuple[str, ...] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """The rows that match `where` are the true ones, in any order and equally often, with all their values.

    For tables without a key, such as a log.
    """

    def named(table_rows: Iterable[Row]) -> Counter[str]:
        return Counter(
            " | ".join(kind.normalize_value(row[column]) for column, kind in table.columns.items())
            for row in table_rows
            if where(row)
        )

    def check(submission: Submission, facts: Facts) -> Finding:
        delivered = table.read_rows(submission)
        row_counts, expected_counts = named(delivered), named(table.truth(facts))
        unexpected = [*(row_counts - expected_counts), *(expected_counts - row_counts)]
        bad = _list_untyped(table, [row for row in delivered if where(row)])
        evidence = f"{row_counts.total()} rows for {expected_counts.total()}; {_format_wrong('odd', unexpected)}"
        return make_finding(not unexpected and not bad, f"{evidence}; {_format_wrong('not typed', bad)}")

    return make_checkpoint(id, statement, check, covers=(*table.covers, *covers), weight=weight)


def check_cells(
    id: str,
    statement: str,
    table: Table,
    *columns: str,
    where: Callable[[Row], bool] = lambda _row: True,
    known: bool = False,
    covers: tuple[str, ...] = (),
    weight: float = 1.0,
    kind: Kind = "content",
) -> Checkpoint:
    """Some columns (by default all) have the true values in each true row that matches `where`.

    With `known`, rows that are not in the truth are wrong, too.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        truth, table_rows = [row for row in table.truth(facts) if where(row)], table.read_rows(submission)
        names = {table.name(row) for row in truth}
        unexpected = [table.name(row) for row in table_rows if known and table.name(row) not in names]
        wrong = table.list_differences(table_rows, truth, *columns)
        return make_finding(
            not wrong and not unexpected,
            f"{_format_wrong('wrong values', wrong)}; {_format_wrong('unknown', unexpected)}",
        )

    return make_checkpoint(id, statement, check, covers=(*table.covers, *covers), weight=weight, kind=kind)


def check_agreement(
    id: str,
    statement: str,
    table: Table,
    expected: Callable[[Submission, Facts], Iterable[Row]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """A table has exactly the rows, in order, that follow from another deliverable."""

    def check(submission: Submission, facts: Facts) -> Finding:
        table_rows, truth = table.read_rows(submission), list(expected(submission, facts))
        names = [table.name(row) for row in table_rows], [table.name(row) for row in truth]
        wrong = table.list_differences(table_rows, truth)
        return make_finding(
            bool(truth) and names[0] == names[1] and not wrong, f"rows {names[0]}; {_format_wrong('wrong', wrong)}"
        )

    return make_checkpoint(id, statement, check, covers=table.covers, weight=weight)


def check_types(
    id: str,
    statement: str,
    table: Table,
    *columns: str,
    filled: bool = False,
    covers: tuple[str, ...] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """The cells of some columns have the right types: dates are real dates, and numbers are not texts.

    Empty cells are right unless they must be `filled`.
    """

    def check(submission: Submission, _facts: Facts) -> Finding:
        table_rows = table.read_rows(submission)
        bare = [
            table.name(row)
            for row in table_rows
            for name in columns
            if filled and not Text().normalize_value(row[name])
        ]
        wrong = _list_untyped(table, table_rows, columns)
        return make_finding(
            not wrong and not bare, f"{_format_wrong('not typed', wrong)}; {_format_wrong('empty', bare)}"
        )

    return make_checkpoint(
        id, statement, check, covers=(*table.covers, *table.formats, *covers), weight=weight, kind="format"
    )


def in_order(
    id: str,
    statement: str,
    table: Table,
    *columns: str,
    weight: float = 1.0,
) -> Checkpoint:
    """The rows, two at least, are sorted by some columns, ascending."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        row_ranks = [
            [table.columns[column].rank(row[column]) for column in columns] for row in table.read_rows(submission)
        ]
        late = [f"{after} after {before}" for before, after in pairwise(row_ranks) if after < before]
        return make_finding(
            len(row_ranks) > 1 and not late,
            f"{format_count(len(row_ranks), 'row')}; {_format_wrong('out of order', late)}",
        )

    return make_checkpoint(id, statement, check, covers=table.covers, weight=weight, kind="format")


def check_headers(
    id: str,
    statement: str,
    *tables: Table,
    weight: float = 1.0,
) -> Checkpoint:
    """Each sheet exists, with exactly its headers in row 1."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        wrong = []
        for table in tables:
            sheet = read_sheets(submission, table.path).get(table.sheet)
            header_cells = (
                [str(cell).strip() for cell in (sheet.values or [[]])[0] if cell is not None] if sheet else []
            )
            wrong += (
                []
                if header_cells == list(table.columns)
                else [f"{table.sheet} has {header_cells}, not {list(table.columns)}"]
            )
        return make_finding(not wrong, "; ".join(wrong) or "sheets and headers are as asked")

    covers = tuple(target for table in tables for target in table.covers)
    return make_checkpoint(id, statement, check, covers=covers, weight=weight, kind="format")


def check_list_items(
    id: str,
    statement: str,
    table: Table,
    expected: Callable[[Facts], Mapping[str, Sequence[str]]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """The first columns of a sheet are lists: below each header are exactly these items, in any order."""

    def check(submission: Submission, facts: Facts) -> Finding:
        lists = expected(facts)
        values = table.grid(read_sheets(submission, table.path)).values
        head = [simplify_text(str(cell)) for cell in values[0][: len(lists)]] if values else []
        listed_texts = [
            sorted(str(row[at]).strip() for row in values[1:] if row[at] is not None) for at in range(len(head))
        ]
        holds = head == [simplify_text(name) for name in lists] and listed_texts == [
            sorted(listed) for listed in lists.values()
        ]
        return make_finding(
            holds, f"{head} with {[len(group) for group in listed_texts]} items: {str(listed_texts)[:200]}"
        )

    return make_checkpoint(id, statement, check, covers=table.covers, weight=weight)


def _list_untyped(table: Table, table_rows: Iterable[Row], columns: Sequence[str] = ()) -> list[str]:
    """List the non-empty cells with the wrong type. With all columns, only those whose kind requires it count."""
    kinds = {name: table.columns[name] for name in columns} or {
        name: kind for name, kind in table.columns.items() if getattr(kind, "typed", False)
    }
    return [
        f"{name} of {table.name(row)}: {row[name]!r}"
        for row in table_rows
        for name, kind in kinds.items()
        if kind.normalize_value(row[name]) and not kind.is_typed(row[name])
    ]


def _format_wrong(what: str, wrong: Sequence[Any]) -> str:
    more = ", ..." if len(wrong) > _MOST_LISTED else ""
    return f"{what} ({len(wrong)}): {', '.join(map(str, wrong[:_MOST_LISTED]))}{more}" if wrong else f"{what}: none"
