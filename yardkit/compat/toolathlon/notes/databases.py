"""Databases: they are made, changed and queried."""

from dataclasses import replace
from typing import Any

from yardkit.apps.notes import Page, Table
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.notes.app import Data, format_results, make_validation_problem, number_of
from yardkit.compat.toolathlon.notes.objects import database_object, page_object
from yardkit.compat.toolathlon.notes.properties import column_of_schema, property_id, sorted_rows, test_of
from yardkit.compat.toolathlon.notes.rich_text import read_bare_text
from yardkit.servers.notes.engine.context import title_of
from yardkit.servers.notes.engine.tables import put_table, remove_column, rename_column


def API_retrieve_a_database(store: Store, database_id: str) -> Any:
    return database_object(store, store.get(Table, number_of(store, Table, database_id, "database_id")))


def API_post_database_query(
    store: Store,
    database_id: str,
    filter_properties: list[str] | None = None,
    filter: Data | None = None,
    sorts: list[Data] | None = None,
    start_cursor: str = "",
    page_size: int = 100,
    archived: bool = False,
    in_trash: bool = False,
) -> Any:
    table = store.get(Table, number_of(store, Table, database_id, "database_id"))
    test = test_of(store, table, filter, store.now.date())
    where = f"table_id = ? AND archived IS {'NOT ' if archived or in_trash else ''}NULL"
    rows = [row for row in store.find(Page, where, [table.id], order="created DESC") if test(row)]
    row_objects = [page_object(store, row) for row in sorted_rows(store, table, rows, sorts or ())]
    for row_object in row_objects if filter_properties else ():
        property_values = row_object["properties"].items()
        row_object["properties"] = {
            name: value
            for name, value in property_values
            if {name, value["id"]} & {*filter_properties}  # type: ignore[misc]
        }
    return format_results(row_objects, "page_or_database", start_cursor, page_size)


def API_create_a_database(store: Store, parent: Data, properties: Data, title: list[Data] | None = None) -> Any:
    page_id = number_of(store, Page, parent.get("page_id"), "parent.page_id")
    columns = [column_of_schema(store, name, _require_object(name, schema)) for name, schema in properties.items()]
    if not any(column.kind == "title" for column in columns):
        raise make_validation_problem("Title property is required.")
    stamp = store.make_stamp(Table, "created")
    name = read_bare_text(store, title or [], "title") or "Untitled"
    table = Table(store.next_id(Table), title_of(name), columns, stamp, stamp, page_id)
    return database_object(store, put_table(store, table))


def _require_object(name: str, given: Any) -> Data:
    if not isinstance(given, dict):
        raise make_validation_problem(
            f"body failed validation: body.properties.{name} should be an object, instead was `{given}`."
        )
    return given


def API_update_a_database(
    store: Store,
    database_id: str,
    title: list[Data] | None = None,
    description: list[Data] | None = None,
    properties: Data | None = None,
) -> Any:
    table = store.get(Table, number_of(store, Table, database_id, "database_id"))
    for name, given in (properties or {}).items():
        table = _change_column(store, table, name, given)
    if title is not None:
        table = replace(table, title=title_of(read_bare_text(store, title, "title")))
    if description is not None:
        table = replace(table, description=read_bare_text(store, description, "description"))
    return database_object(store, put_table(store, replace(table, edited=store.now.isoformat())))


def _change_column(store: Store, table: Table, name: str, given: Any) -> Table:
    matching_columns = [column for column in table.columns if name in (column.name, property_id(column))]
    if given is None:
        if not matching_columns:
            raise make_validation_problem(f"{name} is not a property that exists.")
        return remove_column(store, table, matching_columns[0].name)
    column_data = _require_object(name, given)
    if not matching_columns:
        return put_table(store, replace(table, columns=[*table.columns, column_of_schema(store, name, column_data)]))
    old = matching_columns[0]
    new = column_of_schema(store, old.name, column_data, old)
    if new.kind != old.kind:
        raise make_validation_problem(f"{old.name} is of type {old.kind} and stays so; add another property.")
    columns = [new if column is old else column for column in table.columns]
    table = put_table(store, replace(table, columns=columns))
    new_name = str(column_data.get("name") or old.name)
    return rename_column(store, table, old.name, new_name) if new_name != old.name else table
