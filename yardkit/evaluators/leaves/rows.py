"""Leaves about the rows of a table: which there are, what they hold, in which order, under which headers."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, Kind, finding, leaf
from yardkit.evaluators.leaves.column_kinds import Text
from yardkit.evaluators.leaves.tables import Row, Table
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.tables import read_sheets
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import counted

_SHOWN = 6


def rows(
    id: str,
    says: str,
    table: Table,
    *,
    ordered: bool = False,
    weight: float = 1.0,
    kind: Kind = "content",
) -> Checkpoint:
    """Each true row stands there once, by its key, and no other; if `ordered`, in the order of the truth."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found = [table.name(row) for row in table.found(submission)]
        wanted = [table.name(row) for row in table.truth(facts)]
        odd = list((Counter(found) - Counter(wanted)) + (Counter(wanted) - Counter(found)))
        odd = odd or [one for one, other in zip(found, wanted, strict=True) if ordered and one != other]
        return finding(
            not odd, f"{counted(len(found), 'row')} for {len(wanted)}; {_listed('unexpected or out of order', odd)}"
        )

    return leaf(id, says, check, observes=table.observes, weight=weight, kind=kind)


def just(
    id: str,
    says: str,
    table: Table,
    *,
    where: Callable[[Row], bool] = lambda _row: True,
    observes: tuple[str, ...] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """The rows are the true ones, in any order and as often, with all their values; only those `where` it holds count.

    For tables without a key, such as a log.
    """

    def named(found: Iterable[Row]) -> Counter[str]:
        return Counter(
            " | ".join(kind.plain(row[column]) for column, kind in table.columns.items()) for row in found if where(row)
        )

    def check(submission: Submission, facts: Facts) -> Finding:
        delivered = table.found(submission)
        found, wanted = named(delivered), named(table.truth(facts))
        odd = [*(found - wanted), *(wanted - found)]
        bad = _untyped(table, [row for row in delivered if where(row)])
        says = f"{found.total()} rows for {wanted.total()}; {_listed('odd', odd)}"
        return finding(not odd and not bad, f"{says}; {_listed('not typed', bad)}")

    return leaf(id, says, check, observes=(*table.observes, *observes), weight=weight)


def cells(
    id: str,
    says: str,
    table: Table,
    *columns: str,
    where: Callable[[Row], bool] = lambda _row: True,
    known: bool = False,
    observes: tuple[str, ...] = (),
    weight: float = 1.0,
    kind: Kind = "content",
) -> Checkpoint:
    """Some columns (by default all) hold the truth in each true row, of those `where` it holds.

    With `known`, rows of which the truth knows nothing are wrong too.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        truth, found = [row for row in table.truth(facts) if where(row)], table.found(submission)
        names = {table.name(row) for row in truth}
        odd = [table.name(row) for row in found if known and table.name(row) not in names]
        wrong = table.differing(found, truth, *columns)
        return finding(not wrong and not odd, f"{_listed('wrong values', wrong)}; {_listed('unknown', odd)}")

    return leaf(id, says, check, observes=(*table.observes, *observes), weight=weight, kind=kind)


def agrees(
    id: str,
    says: str,
    table: Table,
    wanted: Callable[[Submission, Facts], Iterable[Row]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """A table holds just the rows, in order, that follow from something else that was delivered."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found, truth = table.found(submission), list(wanted(submission, facts))
        names = [table.name(row) for row in found], [table.name(row) for row in truth]
        wrong = table.differing(found, truth)
        return finding(
            bool(truth) and names[0] == names[1] and not wrong, f"rows {names[0]}; {_listed('wrong', wrong)}"
        )

    return leaf(id, says, check, observes=table.observes, weight=weight)


def typed(
    id: str,
    says: str,
    table: Table,
    *columns: str,
    filled: bool = False,
    observes: tuple[str, ...] = (),
    weight: float = 1.0,
) -> Checkpoint:
    """What stands in some columns is what it should be: dates are real dates, numbers are numbers and no texts.

    Empty cells are right unless they must be `filled`.
    """

    def check(submission: Submission, _facts: Facts) -> Finding:
        found = table.found(submission)
        bare = [table.name(row) for row in found for name in columns if filled and not Text().plain(row[name])]
        wrong = _untyped(table, found, columns)
        return finding(not wrong and not bare, f"{_listed('not typed', wrong)}; {_listed('empty', bare)}")

    return leaf(id, says, check, observes=(*table.observes, *table.formats, *observes), weight=weight, kind="format")


def in_order(
    id: str,
    says: str,
    table: Table,
    *columns: str,
    weight: float = 1.0,
) -> Checkpoint:
    """The rows, two at least, are sorted by some columns, ascending."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        found = [[table.columns[column].rank(row[column]) for column in columns] for row in table.found(submission)]
        late = [f"{after} after {before}" for before, after in pairwise(found) if after < before]
        return finding(len(found) > 1 and not late, f"{counted(len(found), 'row')}; {_listed('out of order', late)}")

    return leaf(id, says, check, observes=table.observes, weight=weight, kind="format")


def headers(
    id: str,
    says: str,
    *tables: Table,
    weight: float = 1.0,
) -> Checkpoint:
    """Each sheet is there with its headers, and nothing but them, in row 1."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        wrong = []
        for table in tables:
            sheet = read_sheets(submission, table.path).get(table.sheet)
            found = [str(cell).strip() for cell in (sheet.values or [[]])[0] if cell is not None] if sheet else []
            wrong += [] if found == list(table.columns) else [f"{table.sheet} has {found}, not {list(table.columns)}"]
        return finding(not wrong, "; ".join(wrong) or "sheets and headers are as asked")

    observes = tuple(target for table in tables for target in table.observes)
    return leaf(id, says, check, observes=observes, weight=weight, kind="format")


def items(
    id: str,
    says: str,
    table: Table,
    wanted: Callable[[Facts], Mapping[str, Sequence[str]]],
    *,
    weight: float = 1.0,
) -> Checkpoint:
    """The first columns of a sheet are lists: below each header just these items, in any order."""

    def check(submission: Submission, facts: Facts) -> Finding:
        lists = wanted(facts)
        values = table.grid(read_sheets(submission, table.path)).values
        head = [fold(str(cell)) for cell in values[0][: len(lists)]] if values else []
        found = [sorted(str(row[at]).strip() for row in values[1:] if row[at] is not None) for at in range(len(head))]
        holds = head == [fold(name) for name in lists] and found == [sorted(listed) for listed in lists.values()]
        return finding(holds, f"{head} with {[len(group) for group in found]} items: {str(found)[:200]}")

    return leaf(id, says, check, observes=table.observes, weight=weight)


def _untyped(table: Table, found: Iterable[Row], columns: Sequence[str] = ()) -> list[str]:
    """The cells that hold something and not as what it is. Of all columns only those count whose kind insists on it."""
    kinds = {name: table.columns[name] for name in columns} or {
        name: kind for name, kind in table.columns.items() if getattr(kind, "typed", False)
    }
    return [
        f"{name} of {table.name(row)}: {row[name]!r}"
        for row in found
        for name, kind in kinds.items()
        if kind.plain(row[name]) and not kind.is_typed(row[name])
    ]


def _listed(what: str, wrong: Sequence[Any]) -> str:
    more = ", ..." if len(wrong) > _SHOWN else ""
    return f"{what} ({len(wrong)}): {', '.join(map(str, wrong[:_SHOWN]))}{more}" if wrong else f"{what}: none"
