"""The server `notes`: tables, their columns, their rows, and what is asked of them."""

from typing import Any

import pytest
from support.answers import Call

from yardkit.apps.notes import APP, RECORDS, Person
from yardkit.apps.store import open_store
from yardkit.world import World

COLUMNS = [
    {"name": "Due", "kind": "date"},
    {"name": "Status", "kind": "status", "options": ["Open", "Doing", "Done"]},
    {"name": "Tags", "kind": "multi_select", "options": ["shop", "mail"]},
    {"name": "Hours", "kind": "number"},
    {"name": "Paid", "kind": "checkbox"},
    {"name": "Owner", "kind": "people"},
    {"name": "Link", "kind": "url"},
    {"name": "Made", "kind": "created"},
]
ROWS: tuple[dict[str, Any], ...] = (
    {"Name": "Write", "Due": "2026-03-20", "Status": "open", "Tags": ["shop", "mail"], "Hours": 3,
     "Owner": "ada@x.example"},
    {"Name": "Read", "Due": "2026-03-10/2026-03-12", "Status": "Done", "Hours": 0.5, "Paid": True,
     "Link": "https://x.example"},
    {"Name": "Rest", "Tags": "mail", "Owner": ["Ben Abt", "Ada Berg"]},
)  # fmt: skip


@pytest.fixture
def table(world: World, done: Call) -> int:
    """Three tasks of two people."""
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Person(1, "Ada Berg", "ada@x.example"))
        store.put(Person(2, "Ben Abt", "ben@x.example"))
    table_id: int = done("create_table", title="Tasks", new_columns=COLUMNS)["id"]
    for values in ROWS:
        done("save_table_row", table_id=table_id, values=values)
    return table_id


def test_a_table_has_a_title_column_and_says_what_its_columns_hold(done: Call, table: int) -> None:
    table_reply = done("query_table", table_id=table)
    assert table_reply["columns"]["Name"] == "title"
    assert table_reply["columns"]["Status"] == "status: Open, Doing, Done"
    assert table_reply["rows"][0]["values"] | {"Made": ""} == {
        "Name": "Write", "Due": "2026-03-20", "Status": "Open", "Tags": ["shop", "mail"], "Hours": 3, "Paid": False,
        "Owner": ["Ada Berg"], "Made": "",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("column", "operator", "value", "names"),
    [
        ("Status", "is", "open", ["Write"]), ("Status", "is_not", "Open", ["Read", "Rest"]),
        ("Due", "over", "2026-03-12", ["Write"]), ("Due", "at_most", "2026-03-10", ["Read"]),
        ("Due", "is", "2026-03-10", ["Read"]), ("due", "empty", None, ["Rest"]), ("Hours", "under", 3, ["Read"]),
        ("Hours", "at_least", 0.5, ["Write", "Read"]), ("Tags", "contains", "mail", ["Write", "Rest"]),
        ("Tags", "lacks", "shop", ["Read", "Rest"]), ("Paid", "is", True, ["Read"]),
        ("Owner", "contains", "Ada Berg", ["Write", "Rest"]), ("Name", "starts_with", "re", ["Read", "Rest"]),
        ("Name", "ends_with", "TE", ["Write"]), ("Link", "contains", "x.EXAMPLE", ["Read"]),
        ("Name", "is", "rest", ["Rest"]), ("Made", "is", "2026-03-16", ["Write", "Read", "Rest"]),
        ("Tags", "not_empty", None, ["Write", "Rest"]),
    ],
)  # fmt: skip
def test_rows_are_asked_for_by_conditions(
    done: Call, table: int, column: str, operator: str, value: Any, names: list[str]
) -> None:
    asked = {"column": column, "operator": operator, "value": value}
    rows = done("query_table", table_id=table, matching=[asked])["rows"]
    assert [row["values"]["Name"] for row in rows] == names


def test_conditions_combine_and_rows_are_sorted(done: Call, table: int) -> None:
    both = [{"column": "Hours", "operator": "over", "value": 1}, {"column": "Paid", "value": True}]
    assert done("query_table", table_id=table, matching=both)["total"] == 0
    assert done("query_table", table_id=table, matching=both, any_of=True)["total"] == 2

    def order(*sorts: dict[str, Any]) -> list[str]:
        return [row["values"]["Name"] for row in done("query_table", table_id=table, sorts=list(sorts))["rows"]]

    assert order({"column": "Hours"}) == ["Read", "Write", "Rest"]
    assert order({"column": "Status", "descending": True}) == ["Rest", "Read", "Write"]
    assert order({"column": "Name"}) == ["Read", "Rest", "Write"]
    page = done("query_table", table_id=table, limit=2)
    assert (len(page["rows"]), page["total"], page["next_offset"]) == (2, 3, 2)


def test_a_row_is_changed_in_what_is_given_and_keeps_a_version(done: Call, table: int) -> None:
    row = done("query_table", table_id=table)["rows"][0]["id"]
    changed = done("save_table_row", table_id=table, row_id=row, values={"Status": "Done", "Hours": None})["values"]
    assert (changed["Status"], "Hours" in changed, changed["Due"]) == ("Done", False, "2026-03-20")
    done("save_table_row", table_id=table, row_id=row, markdown="# Why")
    row_reply = done("read_note_page", page_id=row)
    assert (row_reply["text"], row_reply["values"]["Status"], row_reply["path"]) == ("# Why", "Done", "Tasks")
    assert done("archive_note_page", page_id=row)["archived"]
    assert done("query_table", table_id=table)["total"] == 2


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"Name": "x", "Status": "Lost"}, "'Lost' is not an option of 'Status'; it has Open, Doing, Done"),
        ({"Name": "x", "Due": "soon"}, "takes a date such as"),
        ({"Name": "x", "Due": "2026-03-12/2026-03-10"}, "takes a period that does not end before it starts"),
        ({"Name": "x", "Hours": "many"}, "takes a number"),
        ({"Name": "x", "Paid": "yes"}, "takes true or false"),
        ({"Name": "x", "Owner": "Carl"}, "matches 0 people; use a mail address, such as Ada Berg"),
        ({"Name": "x", "Colour": "red"}, "has no column 'Colour'; it has Name, Due"),
        ({"Name": "x", "Made": "2026-01-01"}, "which cannot be set"),
        ({}, "needs values"),
    ],
)
def test_values_that_do_not_fit_are_refused(done: Call, refused: Call, table: int, values: Any, says: str) -> None:
    assert says in refused("save_table_row", table_id=table, values=values)
    assert done("query_table", table_id=table)["total"] == 3


def test_columns_are_renamed_removed_added_and_get_other_options(done: Call, refused: Call, table: int) -> None:
    table_reply = done(
        "alter_table", table_id=table, title="Chores", rename={"Hours": "Effort"}, delete=["Link"],
        new_columns=[{"name": "Part of", "kind": "relation", "table_id": table}],
        options={"Status": ["Open", "Done", "Late"]},
    )  # fmt: skip
    assert (table_reply["title"], table_reply["columns"]["Status"]) == ("Chores", "status: Open, Done, Late")
    assert "Link" not in table_reply["columns"]
    rows = done("query_table", table_id=table)["rows"]
    assert rows[0]["values"]["Effort"] == 3
    done("save_table_row", table_id=table, row_id=rows[1]["id"], values={"Part of": "write"})
    linked = done("query_table", table_id=table, matching=[{"column": "Part of", "operator": "not_empty"}])["rows"]
    assert linked[0]["values"]["Part of"] == [{"id": rows[0]["id"], "title": "Write"}]
    assert "is used in rows" in refused("alter_table", table_id=table, options={"Status": ["Open", "Late"]})
    assert "is the required title of the rows" in refused("alter_table", table_id=table, delete=["Name"])
    assert "would be called 'due'" in refused("alter_table", table_id=table, rename={"Effort": "Due"})
    assert "has 0 rows 'Sing'" in refused("save_table_row", table_id=table, values={"Name": "x", "Part of": "Sing"})
    assert "give the table_id" in refused(
        "alter_table", table_id=table, new_columns=[{"name": "R", "kind": "relation"}]
    )
