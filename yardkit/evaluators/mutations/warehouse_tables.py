"""Mutants of the tables of the warehouse: of those that the solver made or changed, and of one that it did not touch.

Targets are ``table:warehouse/DB.SCHEMA.TABLE#rows`` and ``#types``, and ``bystander:warehouse/DB.SCHEMA.TABLE``.
"""

import itertools
import json
import random
from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.answers import changed_word
from yardkit.evaluators.mutations.mutant import Mutant, on_apps
from yardkit.evaluators.readers.warehouse import APP, Row, WarehouseTable, read_table_at, table_paths, to_comparable
from yardkit.evaluators.submission import Submission

MAX_ROWS = 3
"""Rows of one table that are mutated in every way."""
MAX_CELLS = 3
"""Numbers of one row that are changed, one per mutant."""
Change = Callable[[list[Row]], object]


def table_mutants(submission: Submission, rng: random.Random) -> Iterator[Mutant]:
    """Generate all mutants of the tables of a solved submission, which must provide its untouched world."""
    before, after = table_paths(submission.untouched), table_paths(submission)
    left = []
    for name, path in sorted(after.items()):
        now = read_table_at(submission.apps, path, name)
        old = read_table_at(submission.untouched.apps, before[name], name) if name in before else None
        places = _list_changed_rows(now, old)
        if places or old is None:
            yield from _of_table(now, path, places, rng)
        elif now.rows:
            left.append((now, path))
    if left:
        yield _change_other_row(*rng.choice(left), rng)


def rewrite_table(apps: Path, relative: str, change: Change) -> None:
    """Change the rows of a table and keep its types."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(apps / relative)
    rows = table.to_pylist()
    change(rows)
    columns = {field.name: pa.array([row[field.name] for row in rows], field.type) for field in table.schema}
    pq.write_table(pa.table(columns), apps / relative)


def retype_column(apps: Path, relative: str, column: str) -> None:
    """Convert a column to texts."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(apps / relative)
    texts = [None if value is None else str(value) for value in table[column].to_pylist()]
    place = table.column_names.index(column)
    pq.write_table(table.set_column(place, column, pa.array(texts, pa.string())), apps / relative)


def rename_table(apps: Path, name: str, new: str) -> None:
    """Give a table another name in its schema."""
    path = apps / APP / "catalog.json"
    catalog = json.loads(path.read_bytes())
    database, schema, table = name.split(".")
    tables = catalog["databases"][database][schema]["tables"]
    tables[new] = tables.pop(table)
    path.write_text(json.dumps(catalog, indent=1))
    folder = apps / APP / database / schema
    (folder / f"{table}.parquet").rename(folder / f"{new}.parquet")


def _list_changed_rows(now: WarehouseTable, old: WarehouseTable | None) -> list[int]:
    """List the places of new rows; all rows of a new table."""
    if old is None:
        return list(range(len(now.rows)))
    names = sorted(now.types)
    came = now.counted - (old.counted if old.types.keys() == now.types.keys() else type(old.counted)())
    went = bool(old.counted - now.counted)
    places = []
    for place, row in enumerate(now.rows):
        key = tuple(to_comparable(row[name]) for name in names)
        if came[key] > 0:
            came[key] -= 1
            places.append(place)
    return places or (list(range(min(1, len(now.rows)))) if went else [])


def _of_table(table: WarehouseTable, path: str, places: list[int], rng: random.Random) -> Iterator[Mutant]:
    for place in sorted(rng.sample(places, min(MAX_ROWS, len(places)))):
        yield _make_mutant("drop_row", table, path, place, "is missing", _drop_row(place))
        yield _make_mutant("double_row", table, path, place, "is there twice", _double_row(place))
        yield from _of_cells(table, path, place, rng)
    yield from _swap_keys(table, path, places, rng)
    yield from _make_type_mutants(table, path, rng)
    new = f"{table.name.rpartition('.')[2]}_1"
    description = f"{table.name} is called {new}"
    target = f"table:{APP}/{table.name}#rows"
    yield Mutant("other_table", target, description, on_apps(lambda apps: rename_table(apps, table.name, new)))


def _of_cells(table: WarehouseTable, path: str, place: int, rng: random.Random) -> Iterator[Mutant]:
    row = table.rows[place]
    numbers = [name for name, value in row.items() if _is_number(value)]
    for name in sorted(rng.sample(numbers, min(MAX_CELLS, len(numbers)))):
        value = _change_number(row[name], rng)
        yield _make_mutant("near_number", table, path, place, f"has {value} as {name}", _set_value(place, name, value))
    filled = [name for name, value in row.items() if value is not None]
    if filled:
        name = rng.choice(filled)
        yield _make_mutant("null_cell", table, path, place, f"has no {name}", _set_value(place, name, None))


def _swap_keys(table: WarehouseTable, path: str, places: list[int], rng: random.Random) -> Iterator[Mutant]:
    """Swap the keys, in the first column, of two rows that differ in another column."""
    key = next(iter(table.types))
    pairs = [
        (first, other)
        for first, other in itertools.pairwise(places)
        if table.rows[first][key] != table.rows[other][key]
        and {**table.rows[first], key: 0} != {**table.rows[other], key: 0}
    ]
    if pairs:
        first, other = rng.choice(pairs)

        def swap(rows: list[Row]) -> None:
            rows[first][key], rows[other][key] = rows[other][key], rows[first][key]

        yield _make_mutant("swap_key", table, path, first, f"has the {key} of row {other + 1}", swap)


def _make_type_mutants(table: WarehouseTable, path: str, rng: random.Random) -> Iterator[Mutant]:
    columns = [name for name, family in table.types.items() if family not in ("text", "other")]
    if columns:
        name = rng.choice(columns)
        description, target = f"{table.name} has {name} as text", f"table:{APP}/{table.name}#types"
        yield Mutant("change_type", target, description, on_apps(lambda apps: retype_column(apps, path, name)))


def _change_other_row(table: WarehouseTable, path: str, rng: random.Random) -> Mutant:
    place = rng.randrange(len(table.rows))
    name = rng.choice(list(table.types))
    value = _change_value(table.rows[place][name], table.types[name], rng)
    description = f"row {place + 1} of {table.name} has {value!r} as {name}"
    change = _set_value(place, name, value)
    return Mutant(
        "touch_bystander",
        f"bystander:{APP}/{table.name}",
        description,
        on_apps(lambda apps: rewrite_table(apps, path, change)),
    )


def _make_mutant(
    operator: str, table: WarehouseTable, path: str, place: int, description: str, change: Change
) -> Mutant:
    row_description = f"row {place + 1} of {table.name} {description}"
    target = f"table:{APP}/{table.name}#rows"
    return Mutant(operator, target, row_description, on_apps(lambda apps: rewrite_table(apps, path, change)))


def _set_value(place: int, name: str, value: Any) -> Change:
    def change(rows: list[Row]) -> None:
        rows[place][name] = value

    return change


def _drop_row(place: int) -> Change:
    return lambda rows: rows.pop(place)


def _double_row(place: int) -> Change:
    return lambda rows: rows.append({**rows[place]})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _change_number(value: Any, rng: random.Random) -> Any:
    """Change a number by one or by a tenth."""
    return value + rng.choice((1, -1)) if rng.random() < 0.5 else value + (type(value)(int(value / 10)) or 1)


def _change_value(value: Any, family: str, rng: random.Random) -> Any:
    if value is None:
        fitting: dict[str, Any] = {"int": 1, "float": 1.0, "money": Decimal(1), "text": "x", "yes": True}
        return fitting.get(family)
    if isinstance(value, bool):
        return not value
    if _is_number(value):
        return _change_number(value, rng)
    return changed_word(value) + "x" if isinstance(value, str) else value + timedelta(days=1)
