"""The 19 tools of Toolathlon's notion server, with the objects of Notion's API of 2022-06-28."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.answers import caller, told

from yardkit.apps.notes import APP, RECORDS, Block, Column, Option, Page, Person, Span, Table
from yardkit.apps.store import opened
from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.notes.dialects.toolathlon.app import uuid_of
from yardkit.world import World, use_world

AT = "2026-03-02T10:00:00+01:00"
NAMES = set(json.loads(Path(__file__).with_name("toolathlon_tools.json").read_text())["notes"])
PAGE, ROW, TABLE, BLOCK, ADA = (
    uuid_of(Page, 1), uuid_of(Page, 2), uuid_of(Table, 1), uuid_of(Block, 1), uuid_of(Person, 1),
)  # fmt: skip
Ask = Callable[..., Any]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    """A page with three blocks, and in it a table of tasks with three rows."""
    made = World.create(tmp_path / "world", task="notes", seed=1, now="2026-03-16T10:00:00+01:00")
    status = [Option("Open", "blue"), Option("Done", "green")]
    columns = [
        Column("Task", "title"), Column("Status", "status", status), Column("Due", "date"), Column("Hours", "number"),
        Column("Owner", "people"), Column("Part of", "relation", table_id=1), Column("Tags", "multi_select"),
        Column("Text", "text"), Column("Paid", "checkbox"),
    ]  # fmt: skip
    values: tuple[dict[str, Any], ...] = (
        {"Status": "Open", "Due": "2026-03-20", "Hours": 3, "Owner": [1], "Text": "first"},
        {"Status": "Done", "Due": "2026-03-10/2026-03-12", "Part of": [2], "Paid": True},
        {},
    )
    rows = [
        Page(2 + place, title, AT, AT, table_id=1, position=place + 1, author_id=1, values=held)
        for place, (title, held) in enumerate(zip(("Write", "Read", "Rest"), values, strict=True))
    ]
    spans = [Span("We "), Span("ship", bold=True, link="page:2")]
    with use_world(made):
        with opened(APP, *RECORDS, writes=True) as store:
            for record in (
                Person(1, "Ada Berg", "ada@x.example"), Person(2, "Helper", "bot@x.example", "bot"),
                Page(1, "Plan", AT, AT, icon="📌", author_id=1, editor_id=1),
                Table(1, "Tasks", columns, AT, AT, 1), *rows,
                Block(1, 1, None, 1, "paragraph", "We ship", spans, {}, AT, AT),
                Block(2, 1, None, 2, "to_do", "Pack", [], {"checked": True}, AT, AT),
                Block(3, 1, 2, 1, "bulleted_list_item", "Tape", [], {}, AT, AT),
            ):  # fmt: skip
                store.put(record)
        yield made


@pytest.fixture
def ask(world: World) -> Ask:
    """Call a tool of theirs, which all answer with JSON, errors too."""
    call = caller(load_server("notes", "toolathlon"))

    def run(tool: str, **arguments: Any) -> Any:
        answer = call(f"API-{tool}", **arguments)
        shown = json.loads(told(answer))
        assert answer.is_error == (shown["object"] == "error"), shown
        return shown

    return run


def rich(text: str, **style: Any) -> dict[str, Any]:
    return {"type": "text", "text": {"content": text}, "annotations": style}


def titles(found: dict[str, Any]) -> list[str]:
    held = [one["properties"].get("Task") or one["properties"].get("title") for one in found["results"]]
    return ["".join(piece["plain_text"] for piece in one["title"]) for one in held]


def test_a_page_and_its_blocks_are_shown_as_notion_shows_them(ask: Ask) -> None:
    page = ask("retrieve-a-page", page_id=PAGE.replace("-", ""))
    wanted = {
        "object": "page", "id": PAGE, "created_time": "2026-03-02T09:00:00.000Z", "archived": False, "cover": None,
        "created_by": {"object": "user", "id": ADA}, "icon": {"type": "emoji", "emoji": "📌"},
        "parent": {"type": "workspace", "workspace": True}, "url": f"https://www.notion.so/{PAGE.replace('-', '')}",
    }  # fmt: skip
    assert {name: page[name] for name in wanted} == wanted
    assert page["properties"]["title"]["title"][0]["text"] == {"content": "Plan", "link": None}
    listed = ask("get-block-children", block_id=PAGE)
    first, second, child = listed["results"]
    assert (listed["type"], listed["has_more"], listed["next_cursor"]) == ("block", False, None)
    assert [(one["type"], one["has_children"]) for one in listed["results"]] == [
        ("paragraph", False), ("to_do", True), ("child_database", False),
    ]  # fmt: skip
    pieces = first["paragraph"]["rich_text"]
    assert (pieces[0]["plain_text"], pieces[1]["mention"]["page"]["id"], pieces[1]["annotations"]["bold"]) == (
        "We ", ROW, True,
    )  # fmt: skip
    assert (second["to_do"]["checked"], child["id"], child["child_database"]) == (True, TABLE, {"title": "Tasks"})
    inner = ask("get-block-children", block_id=second["id"])["results"]
    assert inner[0]["parent"] == {"type": "block_id", "block_id": second["id"]}
    assert ask("retrieve-a-block", block_id=BLOCK) == first
    assert ask("retrieve-a-block", block_id=PAGE)["child_page"] == {"title": "Plan"}


def test_blocks_are_appended_changed_and_deleted(ask: Ask) -> None:
    new = [
        {"object": "block", "type": "heading_2", "heading_2": {"rich_text": [rich("Why")], "color": "red"}},
        {"code": {"rich_text": [rich("x = 1")], "language": "python"}},
        {"bulleted_list_item": {"rich_text": [rich("a", italic=True)],
                                "children": [{"quote": {"rich_text": [rich("b")]}}]}},
        {"callout": {"rich_text": [rich("!")], "icon": {"type": "emoji", "emoji": "🔥"}}}, {"divider": {}},
        {"table": {"table_width": 2, "has_column_header": True,
                   "children": [{"table_row": {"cells": [[rich("A")], []]}}]}},
        {"image": {"type": "external", "external": {"url": "https://x.example/p.png"}}},
    ]  # fmt: skip
    made = ask("patch-block-children", block_id=PAGE, children=new, after=BLOCK)["results"]
    shown = ask("get-block-children", block_id=PAGE)["results"]
    assert [one["type"] for one in shown[:5]] == ["paragraph", "heading_2", "code", "bulleted_list_item", "callout"]
    assert (shown[1]["heading_2"]["color"], shown[2]["code"]["language"]) == ("red", "python")
    assert shown[4]["callout"]["icon"]["emoji"] == "🔥"
    table = next(one for one in shown if one["type"] == "table")
    cells = ask("get-block-children", block_id=table["id"])["results"][0]["table_row"]["cells"]
    assert [[piece["plain_text"] for piece in cell] for cell in cells] == [["A"], []]
    changed = ask("update-a-block", block_id=made[0]["id"], type={"heading_2": {"rich_text": [rich("Because")]}})
    assert (changed["heading_2"]["rich_text"][0]["plain_text"], changed["heading_2"]["color"]) == ("Because", "red")
    gone = ask("delete-a-block", block_id=made[1]["id"])
    assert (gone["archived"], gone["in_trash"]) == (True, True)
    assert ask("update-a-block", block_id=made[2]["id"], archived=True)["archived"]
    assert len(ask("get-block-children", block_id=PAGE)["results"]) == len(shown) - 2
    read = caller(load_server("notes"))("read_note_page", page_id=1)
    assert "## Because\n\n> [!🔥] !" in json.loads(told(read))["text"]


def test_pages_are_made_changed_archived_and_found(ask: Ask) -> None:
    made = ask(
        "post-page", parent={"page_id": PAGE}, properties={"title": [rich("New "), rich("page")]},
        children=[json.dumps({"paragraph": {"rich_text": [rich("Hi")]}})], icon='{"emoji": "🚀"}',
    )  # fmt: skip
    assert (made["parent"], made["icon"]["emoji"], titles({"results": [made]})) == (
        {"type": "page_id", "page_id": PAGE}, "🚀", ["New page"],
    )  # fmt: skip
    new = ask("patch-page", page_id=made["id"], properties={"title": {"title": [rich("Newer")]}}, icon={"emoji": "🎈"})
    assert (titles({"results": [new]}), new["icon"]["emoji"]) == (["Newer"], "🎈")
    assert titles(ask("post-search", query="newer")) == ["Newer"]
    found = ask("post-search", filter={"property": "object", "value": "database"})
    assert ([one["id"] for one in found["results"]], found["type"]) == ([TABLE], "page_or_database")
    assert ask("patch-page", page_id=made["id"], in_trash=True)["archived"]
    assert ask("post-search", query="newer")["results"] == []
    assert ask("patch-page", page_id=made["id"], archived=False)["in_trash"] is False
    listed = ask(
        "post-search", filter={"value": "page", "property": "object"}, page_size=2, sort={"direction": "ascending"}
    )
    rest = ask("post-search", filter={"value": "page", "property": "object"}, start_cursor=listed["next_cursor"],
               sort={"direction": "ascending"})  # fmt: skip
    assert (listed["has_more"], rest["has_more"], len(rest["results"])) == (True, False, 3)


def test_a_database_shows_its_schema_and_its_rows_their_values(ask: Ask) -> None:
    shown = ask("retrieve-a-database", database_id=TABLE)
    assert (shown["title"][0]["plain_text"], shown["parent"]["page_id"]) == ("Tasks", PAGE)
    assert shown["properties"]["Task"] == {"id": "title", "name": "Task", "type": "title", "title": {}}
    options = shown["properties"]["Status"]["status"]["options"]
    assert [(one["name"], one["color"]) for one in options] == [("Open", "blue"), ("Done", "green")]
    assert shown["properties"]["Part of"]["relation"]["database_id"] == TABLE
    row = ask("retrieve-a-page", page_id=ROW)["properties"]
    assert (row["Status"]["status"]["name"], row["Hours"]["number"], row["Owner"]["people"]) == (
        "Open", 3, [{"object": "user", "id": ADA}],
    )  # fmt: skip
    assert row["Due"]["date"] == {"start": "2026-03-20", "end": None, "time_zone": None}
    assert (row["Text"]["rich_text"][0]["plain_text"], row["Tags"]["multi_select"]) == ("first", [])
    one = ask("retrieve-a-page", page_id=ROW, filter_properties="title")["properties"]
    assert list(one) == ["Task"]
    assert ask("retrieve-a-page-property", page_id=ROW, property_id="Hours") == {
        "object": "property_item", "id": row["Hours"]["id"], "type": "number", "number": 3,
    }  # fmt: skip
    held = ask("retrieve-a-page-property", page_id=ROW, property_id="title")
    assert (held["type"], held["results"][0]["title"]["plain_text"]) == ("property_item", "Write")


@pytest.mark.parametrize(
    ("filter_", "found"),
    [
        ({"property": "Status", "status": {"equals": "Open"}}, ["Write"]),
        ({"property": "Due", "date": {"on_or_after": "2026-03-11"}}, ["Write"]),
        ({"property": "Due", "date": {"before": "2026-03-11"}}, ["Read"]),
        ({"property": "Due", "date": {"next_week": {}}}, ["Write"]),
        ({"property": "Due", "date": {"is_empty": True}}, ["Rest"]),
        ({"property": "Hours", "number": {"greater_than_or_equal_to": 3}}, ["Write"]),
        ({"property": "Owner", "people": {"contains": ADA}}, ["Write"]),
        ({"property": "Part of", "relation": {"contains": ROW}}, ["Read"]),
        ({"property": "Task", "rich_text": {"contains": "re"}}, ["Read", "Rest"]),
        ({"property": "Paid", "checkbox": {"equals": False}}, ["Write", "Rest"]),
        ({"timestamp": "created_time", "created_time": {"after": "2026-03-01T00:00:00Z"}}, ["Write", "Read", "Rest"]),
        ({"or": [{"property": "Paid", "checkbox": {"equals": True}},
                 {"and": [{"property": "Hours", "number": {"less_than": 9}},
                          {"property": "Text", "rich_text": {"starts_with": "f"}}]}]}, ["Write", "Read"]),
    ],
)  # fmt: skip
def test_rows_are_queried_with_filters(ask: Ask, filter_: Any, found: list[str]) -> None:
    rows = ask("post-database-query", database_id=TABLE, filter=filter_)
    assert sorted(titles(rows)) == sorted(found)


def test_rows_are_sorted_paged_and_cut_to_properties(ask: Ask) -> None:
    sorts = [{"property": "Task", "direction": "ascending"}]
    first = ask("post-database-query", database_id=TABLE, sorts=sorts, page_size=2, filter_properties=["title"])
    assert (titles(first), first["has_more"], list(first["results"][0]["properties"])) == (
        ["Read", "Rest"],
        True,
        ["Task"],
    )
    rest = ask("post-database-query", database_id=TABLE, sorts=sorts, start_cursor=first["next_cursor"])
    assert (titles(rest), rest["next_cursor"]) == (["Write"], None)
    assert ask("post-database-query", database_id=TABLE, archived=True)["results"] == []


def test_rows_are_made_and_changed_and_options_come_with_them(ask: Ask) -> None:
    values = {
        "Task": {"title": [rich("Sing")]}, "Status": {"status": {"name": "Done"}}, "Hours": {"number": 2},
        "Due": {"date": {"start": "2026-04-01", "end": "2026-04-02"}}, "Owner": {"people": [{"id": ADA}]},
        "Part of": {"relation": [{"id": ROW}]}, "Tags": {"multi_select": [{"name": "music"}]},
        "Paid": {"checkbox": True},
    }  # fmt: skip
    made = ask("post-page", parent={"database_id": TABLE}, properties=values)
    shown = made["properties"]
    assert (shown["Due"]["date"]["end"], shown["Tags"]["multi_select"][0]["name"]) == ("2026-04-02", "music")
    assert shown["Part of"]["relation"] == [{"id": ROW}]
    new = ask(
        "patch-page", page_id=made["id"], properties={"Hours": {"number": None}, "Text": {"rich_text": [rich("la")]}}
    )
    assert (new["properties"]["Hours"]["number"], new["properties"]["Text"]["rich_text"][0]["plain_text"]) == (
        None,
        "la",
    )
    echoed = ask("patch-page", page_id=made["id"], properties={k: v for k, v in shown.items() if k != "Text"})
    assert echoed["properties"]["Hours"]["number"] == 2


def test_databases_are_made_and_altered(ask: Ask) -> None:
    made = ask("create-a-database", parent={"type": "page_id", "page_id": PAGE}, title=[rich("Books")], properties={
        "Name": {"title": {}}, "Price": {"number": {"format": "euro"}},
        "Kind": {"select": {"options": [{"name": "Novel"}]}},
        "Task": {"relation": {"database_id": TABLE, "single_property": {}}},
    })  # fmt: skip
    assert (made["properties"]["Price"]["number"], made["properties"]["Task"]["relation"]["database_id"]) == (
        {"format": "euro"}, TABLE,
    )  # fmt: skip
    new = ask("update-a-database", database_id=made["id"], title=[rich("Shelf")], properties={
        "Task": None, "Price": {"name": "Cost"}, "Read": {"checkbox": {}},
        "Kind": {"select": {"options": [{"name": "Novel"}, {"name": "Poems", "color": "pink"}]}},
    })  # fmt: skip
    assert (new["title"][0]["plain_text"], list(new["properties"])) == ("Shelf", ["Name", "Cost", "Kind", "Read"])
    assert [one["color"] for one in new["properties"]["Kind"]["select"]["options"]] == ["default", "pink"]
    refused = ask("create-a-database", parent={"page_id": PAGE}, properties={"Sum": {"rollup": {}}})
    assert (refused["status"], "should have one of title" in refused["message"]) == (400, True)
    assert ask("delete-a-block", block_id=made["id"])["archived"]


def test_users_and_comments(ask: Ask) -> None:
    ada, bot = ask("get-users")["results"]
    assert (ada["id"], ada["type"], ada["person"]) == (ADA, "person", {"email": "ada@x.example"})
    assert ask("get-user", user_id=ADA) == ada
    assert ask("get-self") == bot
    made = ask("create-a-comment", parent={"page_id": PAGE}, rich_text=[rich("Well "), rich("done", bold=True)])
    on_block = ask("create-a-comment", parent={"block_id": BLOCK}, rich_text=[rich("Here")])
    assert on_block["parent"] == {"type": "block_id", "block_id": BLOCK}
    listed = ask("retrieve-a-comment", block_id=PAGE)
    assert ([one["id"] for one in listed["results"]], listed["type"]) == ([made["id"]], "comment")
    assert [piece["annotations"]["bold"] for piece in made["rich_text"]] == [False, True]
    assert ask("retrieve-a-comment", block_id=BLOCK)["results"] == [on_block]


@pytest.mark.parametrize(
    ("tool", "arguments", "status", "says"),
    [
        ("retrieve-a-page", {"page_id": "1"}, 400, "path.page_id should be a valid uuid, instead was `\"1\"`"),
        ("retrieve-a-page", {"page_id": TABLE}, 404, "Could not find page with ID"),
        ("post-page", {"parent": {}, "properties": {}}, 400, "body.parent.page_id should be defined"),
        ("post-page", {"parent": {"database_id": TABLE}, "properties": {"Nope": {"number": 1}}}, 400,
         "Nope is not a property"),
        ("post-page", {"parent": {"database_id": TABLE}, "properties": {"Hours": {"title": []}}}, 400,
         "expected to be number"),
        ("patch-page", {"page_id": ROW, "properties": {"Status": {"status": {"name": "Lost"}}}}, 400,
         "'Lost' is not an option"),
        ("patch-block-children", {"block_id": PAGE, "children": [{"poem": {}}]}, 400, "instead was `poem`"),
        ("patch-block-children", {"block_id": PAGE, "children": [{"quote": {"rich_text": [rich("x" * 2001)]}}]}, 400,
         "should be ≤ `2000`, instead was `2001`"),
        ("post-database-query", {"database_id": TABLE, "filter": {"property": "Hours", "date": {"equals": 1}}}, 400,
         "database property number does not match filter date"),
        ("post-database-query", {"database_id": TABLE, "sorts": [{"property": "Nope"}]}, 400, "sort property"),
        ("get-block-children", {"block_id": PAGE, "start_cursor": "x"}, 400, "start_cursor provided is invalid"),
        ("update-a-block", {"block_id": BLOCK, "type": {"to_do": {}}}, 400, "should have `paragraph`"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_an_error_object(ask: Ask, tool: str, arguments: Any, status: int, says: str) -> None:
    error = ask(tool, **arguments)
    assert (error["object"], error["status"]) == ("error", status)
    assert error["code"] == ("object_not_found" if status == 404 else "validation_error")
    assert says in error["message"]


def test_every_tool_of_theirs_is_called_here() -> None:
    source = Path(__file__).read_text()
    assert {name for name in NAMES if f'"{name.removeprefix("API-")}"' not in source} == set()
