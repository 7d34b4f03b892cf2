"""Leaves about the tables of the warehouse: their rows, their types, and the unchanged rest."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.warehouse import (
    APP,
    Row,
    WarehouseTable,
    agrees_with,
    read_table,
    read_table_at,
    table_paths,
)
from yardkit.evaluators.submission import Submission, build_manifest

ExpectedRows = Callable[[Facts], Iterable[Mapping[str, Any]]]
Name = Callable[[Facts], str]
_MOST_LISTED = 5


def warehouse_rows(
    id: str,
    statement: str,
    table: Name,
    expected: ExpectedRows,
    *,
    where: Callable[[Row, Facts], bool] = lambda _row, _facts: True,
    tolerance: float = 0.005,
    called: str = "*",
    weight: float = 1.0,
) -> Checkpoint:
    """The rows of a table that match `where` are the expected ones, each once, in any order; missing fields are free.

    Column names may have any case. called: a pattern of the table's full name, if the leaf does not cover mutants of
    other tables.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        warehouse_table = read_table(submission, table(facts))
        left = [row for row in map(_normalize_row, warehouse_table.rows) if where(row, facts)]
        missing = []
        for want in map(_normalize_row, expected(facts)):
            fitting = next((row for row in left if _matches_row(row, want, tolerance)), None)
            missing += [want] if fitting is None else []
            left = [row for row in left if row is not fitting]
        return make_finding(not left and not missing, f"missing: {_format_rows(missing)}; odd: {_format_rows(left)}")

    return make_checkpoint(id, statement, check, covers=(f"table:{APP}/{called}#rows",), weight=weight)


def warehouse_types(
    id: str,
    statement: str,
    table: Name,
    types: Callable[[Facts], Mapping[str, str | tuple[str, ...]]],
    *,
    called: str = "*",
    weight: float = 1.0,
) -> Checkpoint:
    """Columns have types of these families: int, float, money, text, date, time, yes; several if any of them do."""

    def check(submission: Submission, facts: Facts) -> Finding:
        column_types = {name.casefold(): family for name, family in read_table(submission, table(facts)).types.items()}
        wrong = {
            name: column_types.get(name.casefold(), "missing")
            for name, allowed in types(facts).items()
            if column_types.get(name.casefold()) not in ((allowed,) if isinstance(allowed, str) else allowed)
        }
        return make_finding(not wrong, f"of another type: {wrong}" if wrong else f"types: {column_types}")

    return make_checkpoint(id, statement, check, covers=(f"table:{APP}/{called}#types",), kind="format", weight=weight)


def warehouse_changes(
    id: str,
    statement: str,
    table: Name,
    *,
    added: ExpectedRows = lambda _facts: (),
    removed: ExpectedRows = lambda _facts: (),
    tolerance: float = 0.005,
    called: str = "*",
    weight: float = 1.0,
) -> Checkpoint:
    """The rows added to and removed from a table are exactly these; a changed row counts as removed and added.

    Its columns and their types are unchanged.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        name = table(facts)
        now, before = read_table(submission, name), read_table(submission.untouched, name)
        if now.types != before.types:
            return make_finding(holds=False, evidence=f"the columns were {before.types}, and are {now.types}")
        came, went = now.counted - before.counted, before.counted - now.counted
        problems = [
            f"{what}: {difference}"
            for what, counted, of, wants in (("added", came, now, added), ("removed", went, before, removed))
            if (
                difference := _describe_difference(
                    _list_rows(counted, of), list(map(_normalize_row, wants(facts))), tolerance
                )
            )
        ]
        return make_finding(not problems, "; ".join(problems) or "as asked")

    covers = (f"table:{APP}/{called}#rows", f"table:{APP}/{called}#types")
    return make_checkpoint(id, statement, check, covers=covers, weight=weight)


def check_unchanged_tables(
    *allowed: str,
    also: Callable[[Facts], tuple[str, ...]] = lambda _facts: (),
    statement: str = "All other tables, objects and logs are as they were",
    id: str = "tables",
    weight: float = 1.0,
) -> Checkpoint:
    """No table has changed rows, types or place, and no object or log changed bytes, except what is allowed.

    `allowed`, and the names that depend on the facts, are full names of tables and paths below the app such as
    ``@buckets/reports/march.csv``, with ``*`` at the end for all that begin with it.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        patterns = (*allowed, *also(facts))
        unexpected = [
            name
            for name in _list_differing(submission)
            if not any(_matches_pattern(name, pattern) for pattern in patterns)
        ]
        return make_finding(
            not unexpected, f"also changed: {', '.join(unexpected[:12])}" if unexpected else "nothing else changed"
        )

    return make_checkpoint(id, statement, check, covers=("bystander:warehouse/*",), kind="guardrail", weight=weight)


def _list_differing(submission: Submission) -> list[str]:
    before, after = table_paths(submission.untouched), table_paths(submission)
    differing_names = [name for name in {*before, *after} if name not in before or name not in after]
    old, new = (_list_digests(of) for of in (submission.untouched, submission))
    for name in before.keys() & after.keys():
        changed = old.get(before[name]) != new.get(after[name])
        if changed and not _is_same_table(submission, before[name], after[name], name):
            differing_names.append(name)
    tables = {*before.values(), *after.values(), f"{APP}/catalog.json"}
    others = [path for path in {*old, *new} if path not in tables and old.get(path) != new.get(path)]
    return sorted([*differing_names, *(path.removeprefix(f"{APP}/") for path in others)])


def _is_same_table(submission: Submission, before: str, after: str, name: str) -> bool:
    old, new = (
        read_table_at(apps, path, name)
        for apps, path in ((submission.untouched.apps, before), (submission.apps, after))
    )
    return old.types == new.types and old.counted == new.counted


def _list_digests(submission: Submission) -> dict[str, str]:
    folder = submission.apps / APP
    return {f"{APP}/{path}": digest for path, digest in build_manifest(folder).items()} if folder.is_dir() else {}


def _matches_pattern(name: str, pattern: str) -> bool:
    name, pattern = name.casefold(), pattern.casefold()
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def _list_rows(counted: Counter[tuple[Any, ...]], of: WarehouseTable) -> list[Row]:
    names = [name.casefold() for name in sorted(of.types)]
    return [dict(zip(names, row, strict=True)) for row, times in counted.items() for _ in range(times)]


def _describe_difference(table_rows: list[Row], expected_rows: list[Row], tolerance: float) -> str:
    missing = []
    for want in expected_rows:
        fitting = next((row for row in table_rows if _matches_row(row, want, tolerance)), None)
        missing += [want] if fitting is None else []
        table_rows = [row for row in table_rows if row is not fitting]
    return f"missing {_format_rows(missing)}, odd {_format_rows(table_rows)}" if table_rows or missing else ""


def _normalize_row(row: Mapping[str, Any]) -> Row:
    return {name.casefold(): value for name, value in row.items()}


def _matches_row(row: Row, want: Row, tolerance: float) -> bool:
    return all(name in row and agrees_with(row[name], value, tolerance) for name, value in want.items())


def _format_rows(rows: list[Row]) -> str:
    more = f" and {len(rows) - _MOST_LISTED} more" if len(rows) > _MOST_LISTED else ""
    return ("; ".join(str(row)[:300] for row in rows[:_MOST_LISTED]) or "none") + more
