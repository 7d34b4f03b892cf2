"""Tables: they are made, and their columns changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from yardkit.apps.notes import Column, ColumnKind, Option, Page, Table
from yardkit.apps.store import Store
from yardkit.servers.notes.engine.context import opened_notes, title_of
from yardkit.servers.notes.engine.rows import column_of, describe_column
from yardkit.world import Problem, World

MAX_COLUMNS = 100
MAX_OPTIONS = 200
_CHOICES = ("select", "multi_select", "status")


@dataclass(frozen=True)
class NewColumn:
    """A column to be made. options: what can be chosen; table_id: of a relation, the table that it leads to."""

    name: str
    kind: ColumnKind = "text"
    options: list[str] = field(default_factory=list)
    table_id: int | None = None


@dataclass(frozen=True)
class TableView:
    """A table: its columns with what they hold, and how many rows it has."""

    id: int
    title: str
    columns: dict[str, str]
    rows: int
    parent_id: int | None = None
    description: str = ""


def create_table(
    world: World, title: str, columns: Sequence[NewColumn], parent_id: int | None = None, description: str = ""
) -> TableView:
    """A new table without rows; where none of its columns is the title, the first is ``Name``.

    Raises:
        Problem: there is no such page, or a column is not valid.
    """
    with opened_notes(world, writes=True) as store:
        if parent_id is not None:
            store.get(Page, parent_id)
        if not any(column.kind == "title" for column in columns):
            columns = [NewColumn("Name", "title"), *columns]
        stamp = store.make_stamp(Table, "created")
        table = Table(
            store.next_id(Table),
            title_of(title),
            list(map(_make_column, columns)),
            stamp,
            stamp,
            parent_id,
            description,
        )
        return view_of(store, put_table(store, table))


def put_table(store: Store, table: Table) -> Table:
    """A table, within a transaction.

    Raises:
        Problem: its columns are none.
    """
    names = [column.name.casefold() for column in table.columns]
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise Problem(f"two columns would be called {twice[0]!r}; use different names")
    if sum(column.kind == "title" for column in table.columns) != 1:
        raise Problem("a table must have exactly one column of kind title")
    if len(names) > MAX_COLUMNS:
        raise Problem(f"{len(names)} columns are too many for a table; the limit is {MAX_COLUMNS}")
    for column in table.columns:
        _require_sound(store, table, column)
    return store.put(table)


def _require_sound(store: Store, table: Table, column: Column) -> None:
    if column.kind == "relation" and column.table_id != table.id:
        if column.table_id is None:
            raise Problem(f"column {column.name!r} is a relation; give the table_id it refers to")
        store.get(Table, column.table_id)
    names = [option.name.casefold() for option in column.options]
    if len(set(names)) < len(names) or len(names) > MAX_OPTIONS:
        raise Problem(f"column {column.name!r} has duplicate options, or more than {MAX_OPTIONS}")
    if names and column.kind not in _CHOICES:
        raise Problem(f"column {column.name!r} is of kind {column.kind!r}, which does not take options")


def _make_column(new: NewColumn) -> Column:
    name = title_of(new.name)
    return Column(name, new.kind, [Option(option.strip()) for option in new.options], new.table_id)


def alter_table(
    world: World,
    table_id: int,
    title: str | None = None,
    add: Sequence[NewColumn] = (),
    rename: Mapping[str, str] | None = None,
    delete: Sequence[str] = (),
    options: Mapping[str, Sequence[str]] | None = None,
) -> TableView:
    """Change the columns of a table: rename, then delete, then add; `options` are all that can be chosen from now on.

    Raises:
        Problem: there is none, nothing is given, or a column is none or the title; or an option that goes is chosen.
    """
    if title is None and not (add or rename or delete or options):
        raise Problem("there is nothing to change; give title, new_columns, rename, delete or options")
    with opened_notes(world, writes=True) as store:
        table = store.get(Table, table_id)
        for old, new in (rename or {}).items():
            table = rename_column(store, table, old, title_of(new))
        for name in delete:
            table = remove_column(store, table, name)
        for name, names in (options or {}).items():
            table = _with_options(store, table, name, names)
        columns = [*table.columns, *map(_make_column, add)]
        edited = store.now.isoformat()
        new_title = table.title if title is None else title_of(title)
        return view_of(store, put_table(store, replace(table, title=new_title, columns=columns, edited=edited)))


def rename_column(store: Store, table: Table, old: str, new: str) -> Table:
    """A table of which a column has another name, in its rows too."""
    column = column_of(table, old)
    for row in store.find(Page, "table_id = ?", [table.id]):
        if column.name in row.values:
            store.change(row, values={new if key == column.name else key: value for key, value in row.values.items()})
    columns = [
        replace(table_column, name=new) if table_column is column else table_column for table_column in table.columns
    ]
    return put_table(store, replace(table, columns=columns))


def remove_column(store: Store, table: Table, name: str) -> Table:
    """A table without a column, whose values are gone.

    Raises:
        Problem: there is none, or it is the title.
    """
    column = column_of(table, name)
    if column.kind == "title":
        raise Problem(f"column {column.name!r} is the required title of the rows; rename it instead")
    for row in store.find(Page, "table_id = ?", [table.id]):
        if column.name in row.values:
            store.change(row, values={key: value for key, value in row.values.items() if key != column.name})
    return put_table(
        store, replace(table, columns=[table_column for table_column in table.columns if table_column is not column])
    )


def _with_options(store: Store, table: Table, name: str, names: Sequence[str]) -> Table:
    column = column_of(table, name)
    if column.kind not in _CHOICES:
        raise Problem(f"column {column.name!r} is of kind {column.kind!r}, which does not take options")
    options_by_name = {option.name: option for option in column.options}
    chosen: set[str] = set()
    for row in store.find(Page, "table_id = ?", [table.id]):
        value = row.values.get(column.name) or []
        chosen |= {*value} if isinstance(value, list) else {value}
    lost = sorted(chosen - {*names})
    if lost:
        raise Problem(
            f"option {lost[0]!r} is used in rows of table {table.id}; keep it among the options of {column.name!r}"
        )
    new = replace(column, options=[options_by_name.get(option_name, Option(option_name)) for option_name in names])
    return replace(table, columns=[new if table_column is column else table_column for table_column in table.columns])


def view_of(store: Store, table: Table) -> TableView:
    """A table as it is shown."""
    rows = store.count(Page, "table_id = ? AND archived IS NULL", [table.id])
    kinds = {column.name: describe_column(column) for column in table.columns}
    return TableView(table.id, table.title, kinds, rows, table.parent_id, table.description)
