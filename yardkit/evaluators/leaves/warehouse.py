"""Leaves about the tables of the warehouse: what they hold, of which types, and that all else is as it was."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from yardkit.evaluators.readers.warehouse import (
    APP,
    Row,
    WarehouseTable,
    agrees,
    read_table,
    read_table_at,
    table_paths,
)
from yardkit.evaluators.submission import Submission, manifest

Wanted = Callable[[Facts], Iterable[Mapping[str, Any]]]
Name = Callable[[Facts], str]
_SHOWN = 5


def warehouse_rows(
    id: str,
    says: str,
    table: Name,
    wanted: Wanted,
    *,
    where: Callable[[Row, Facts], bool] = lambda _row, _facts: True,
    tolerance: float = 0.005,
    called: str = "*",
    weight: float = 1.0,
) -> Checkpoint:
    """The rows of a table `where` it holds are the wanted ones, each once, in any order; fields left out are free.

    Names of columns may be written in any case. called: a pattern of the table's whole name, where mutants of others
    are none of this leaf's.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        found = read_table(submission, table(facts))
        left = [row for row in map(_folded, found.rows) if where(row, facts)]
        missing = []
        for want in map(_folded, wanted(facts)):
            fitting = next((row for row in left if _fits(row, want, tolerance)), None)
            missing += [want] if fitting is None else []
            left = [row for row in left if row is not fitting]
        return finding(not left and not missing, f"missing: {_listed(missing)}; odd: {_listed(left)}")

    return leaf(id, says, check, observes=(f"table:{APP}/{called}#rows",), weight=weight)


def warehouse_types(
    id: str,
    says: str,
    table: Name,
    types: Callable[[Facts], Mapping[str, str | tuple[str, ...]]],
    *,
    called: str = "*",
    weight: float = 1.0,
) -> Checkpoint:
    """Columns are of these families of types: int, float, money, text, date, time, yes; several where any will do."""

    def check(submission: Submission, facts: Facts) -> Finding:
        found = {name.casefold(): family for name, family in read_table(submission, table(facts)).types.items()}
        wrong = {
            name: found.get(name.casefold(), "missing")
            for name, allowed in types(facts).items()
            if found.get(name.casefold()) not in ((allowed,) if isinstance(allowed, str) else allowed)
        }
        return finding(not wrong, f"of another type: {wrong}" if wrong else f"types: {found}")

    return leaf(id, says, check, observes=(f"table:{APP}/{called}#types",), kind="format", weight=weight)


def warehouse_changes(
    id: str,
    says: str,
    table: Name,
    *,
    added: Wanted = lambda _facts: (),
    removed: Wanted = lambda _facts: (),
    tolerance: float = 0.005,
    called: str = "*",
    weight: float = 1.0,
) -> Checkpoint:
    """What came into a table and what went is just that; a row that was changed went, and came as another one.

    Its columns are those that it had, of the same types.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        name = table(facts)
        now, before = read_table(submission, name), read_table(submission.untouched, name)
        if now.types != before.types:
            return finding(holds=False, evidence=f"the columns were {before.types}, and are {now.types}")
        came, went = now.counted - before.counted, before.counted - now.counted
        odd = [
            f"{what}: {difference}"
            for what, counted, of, wants in (("added", came, now, added), ("removed", went, before, removed))
            if (difference := _difference(_rows(counted, of), list(map(_folded, wants(facts))), tolerance))
        ]
        return finding(not odd, "; ".join(odd) or "as asked")

    observes = (f"table:{APP}/{called}#rows", f"table:{APP}/{called}#types")
    return leaf(id, says, check, observes=observes, weight=weight)


def kept_tables(
    *allowed: str,
    also: Callable[[Facts], tuple[str, ...]] = lambda _facts: (),
    says: str = "All other tables, objects and logs are as they were",
    id: str = "tables",
    weight: float = 1.0,
) -> Checkpoint:
    """No table has other rows, types or a place of its own, and no object or log other bytes, but what is allowed.

    `allowed`, and what only the facts know, are whole names of tables and paths below the app such as
    ``@buckets/reports/march.csv``, with ``*`` at the end for all that begins so.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        patterns = (*allowed, *also(facts))
        odd = [name for name in _differing(submission) if not any(_matches(name, pattern) for pattern in patterns)]
        return finding(not odd, f"also changed: {', '.join(odd[:12])}" if odd else "nothing else changed")

    return leaf(id, says, check, observes=("bystander:warehouse/*",), kind="guardrail", weight=weight)


def _differing(submission: Submission) -> list[str]:
    before, after = table_paths(submission.untouched), table_paths(submission)
    odd = [name for name in {*before, *after} if name not in before or name not in after]
    old, new = (_digests(of) for of in (submission.untouched, submission))
    for name in before.keys() & after.keys():
        changed = old.get(before[name]) != new.get(after[name])
        if changed and not _same(submission, before[name], after[name], name):
            odd.append(name)
    tables = {*before.values(), *after.values(), f"{APP}/catalog.json"}
    others = [path for path in {*old, *new} if path not in tables and old.get(path) != new.get(path)]
    return sorted([*odd, *(path.removeprefix(f"{APP}/") for path in others)])


def _same(submission: Submission, before: str, after: str, name: str) -> bool:
    old, new = (
        read_table_at(apps, path, name)
        for apps, path in ((submission.untouched.apps, before), (submission.apps, after))
    )
    return old.types == new.types and old.counted == new.counted


def _digests(submission: Submission) -> dict[str, str]:
    folder = submission.apps / APP
    return {f"{APP}/{path}": digest for path, digest in manifest(folder).items()} if folder.is_dir() else {}


def _matches(name: str, pattern: str) -> bool:
    name, pattern = name.casefold(), pattern.casefold()
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def _rows(counted: Counter[tuple[Any, ...]], of: WarehouseTable) -> list[Row]:
    names = [name.casefold() for name in sorted(of.types)]
    return [dict(zip(names, row, strict=True)) for row, times in counted.items() for _ in range(times)]


def _difference(found: list[Row], wanted: list[Row], tolerance: float) -> str:
    missing = []
    for want in wanted:
        fitting = next((row for row in found if _fits(row, want, tolerance)), None)
        missing += [want] if fitting is None else []
        found = [row for row in found if row is not fitting]
    return f"missing {_listed(missing)}, odd {_listed(found)}" if found or missing else ""


def _folded(row: Mapping[str, Any]) -> Row:
    return {name.casefold(): value for name, value in row.items()}


def _fits(row: Row, want: Row, tolerance: float) -> bool:
    return all(name in row and agrees(row[name], value, tolerance) for name, value in want.items())


def _listed(rows: list[Row]) -> str:
    more = f" and {len(rows) - _SHOWN} more" if len(rows) > _SHOWN else ""
    return ("; ".join(str(row)[:300] for row in rows[:_SHOWN]) or "none") + more
