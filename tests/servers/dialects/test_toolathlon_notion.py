"""The 19 tools of Toolathlon's notion server, with the objects of Notion's API of 2022-06-28."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.answers import make_caller, read_text

from yardkit.apps.notes import APP, RECORDS, Block, Column, Option, Page, Person, Span, Table
from yardkit.apps.store import open_store
from yardkit.compat.toolathlon.notes.app import uuid_of
from yardkit.sandbox.serving.registry import load_server
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
    new_world = World.create(tmp_path / "world", task="notes", seed=1, now="2026-03-16T10:00:00+01:00")
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
        Page(2 + place, title, AT, AT, table_id=1, position=place + 1, author_id=1, values=row_values)
        for place, (title, row_values) in enumerate(zip(("Write", "Read", "Rest"), values, strict=True))
    ]
    spans = [Span("We "), Span("ship", bold=True, link="page:2")]
    with use_world(new_world):
        with open_store(APP, *RECORDS, writes=True) as store:
            record: Any
            for record in (
                Person(1, "Ada Berg", "ada@x.example"), Person(2, "Helper", "bot@x.example", "bot"),
                Page(1, "Plan", AT, AT, icon="📌", author_id=1, editor_id=1),
                Table(1, "Tasks", columns, AT, AT, 1), *rows,
                Block(1, 1, None, 1, "paragraph", "We ship", spans, {}, AT, AT),
                Block(2, 1, None, 2, "to_do", "Pack", [], {"checked": True}, AT, AT),
                Block(3, 1, 2, 1, "bulleted_list_item", "Tape", [], {}, AT, AT),
            ):  # fmt: skip
                store.put(record)
        yield new_world


@pytest.fixture
def ask(world: World) -> Ask:
    """Call a tool of theirs, which all answer with JSON, errors too."""
    call = make_caller(load_server("notes", "toolathlon"))

    def run(tool: str, **arguments: Any) -> Any:
        answer = call(f"API-{tool}", **arguments)
        reply = json.loads(read_text(answer))
        assert answer.is_error == (reply["object"] == "error"), reply
        return reply

    return run


def make_rich_text(text: str, **style: Any) -> dict[str, Any]:
    return {"type": "text", "text": {"content": text}, "annotations": style}


def list_titles(reply: dict[str, Any]) -> list[str]:
    title_properties = [
        result_page["properties"].get("Task") or result_page["properties"].get("title")
        for result_page in reply["results"]
    ]
    return ["".join(piece["plain_text"] for piece in title_property["title"]) for title_property in title_properties]


def test_a_page_and_its_blocks_are_shown_as_notion_shows_them(ask: Ask) -> None:
    page = ask("retrieve-a-page", page_id=PAGE.replace("-", ""))
    expected_page = {
        "object": "page", "id": PAGE, "created_time": "2026-03-02T09:00:00.000Z", "archived": False, "cover": None,
        "created_by": {"object": "user", "id": ADA}, "icon": {"type": "emoji", "emoji": "📌"},
        "parent": {"type": "workspace", "workspace": True}, "url": f"https://www.notion.so/{PAGE.replace('-', '')}",
    }  # fmt: skip
    assert {name: page[name] for name in expected_page} == expected_page
    assert page["properties"]["title"]["title"][0]["text"] == {"content": "Plan", "link": None}
    listed = ask("get-block-children", block_id=PAGE)
    first, second, child = listed["results"]
    assert (listed["type"], listed["has_more"], listed["next_cursor"]) == ("block", False, None)
    assert [(block["type"], block["has_children"]) for block in listed["results"]] == [
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
        {"object": "block", "type": "heading_2", "heading_2": {"rich_text": [make_rich_text("Why")], "color": "red"}},
        {"code": {"rich_text": [make_rich_text("x = 1")], "language": "python"}},
        {"bulleted_list_item": {"rich_text": [make_rich_text("a", italic=True)],
                                "children": [{"quote": {"rich_text": [make_rich_text("b")]}}]}},
        {"callout": {"rich_text": [make_rich_text("!")], "icon": {"type": "emoji", "emoji": "🔥"}}}, {"divider": {}},
        {"table": {"table_width": 2, "has_column_header": True,
                   "children": [{"table_row": {"cells": [[make_rich_text("A")], []]}}]}},
        {"image": {"type": "external", "external": {"url": "https://x.example/p.png"}}},
    ]  # fmt: skip
    new_blocks = ask("patch-block-children", block_id=PAGE, children=new, after=BLOCK)["results"]
    blocks = ask("get-block-children", block_id=PAGE)["results"]
    assert [block["type"] for block in blocks[:5]] == [
        "paragraph",
        "heading_2",
        "code",
        "bulleted_list_item",
        "callout",
    ]
    assert (blocks[1]["heading_2"]["color"], blocks[2]["code"]["language"]) == ("red", "python")
    assert blocks[4]["callout"]["icon"]["emoji"] == "🔥"
    table = next(block for block in blocks if block["type"] == "table")
    cells = ask("get-block-children", block_id=table["id"])["results"][0]["table_row"]["cells"]
    assert [[piece["plain_text"] for piece in cell] for cell in cells] == [["A"], []]
    changed = ask(
        "update-a-block", block_id=new_blocks[0]["id"], type={"heading_2": {"rich_text": [make_rich_text("Because")]}}
    )
    assert (changed["heading_2"]["rich_text"][0]["plain_text"], changed["heading_2"]["color"]) == ("Because", "red")
    gone = ask("delete-a-block", block_id=new_blocks[1]["id"])
    assert (gone["archived"], gone["in_trash"]) == (True, True)
    assert ask("update-a-block", block_id=new_blocks[2]["id"], archived=True)["archived"]
    assert len(ask("get-block-children", block_id=PAGE)["results"]) == len(blocks) - 2
    read = make_caller(load_server("notes"))("read_note_page", page_id=1)
    assert "## Because\n\n> [!🔥] !" in json.loads(read_text(read))["text"]


def test_pages_are_made_changed_archived_and_found(ask: Ask) -> None:
    page = ask(
        "post-page", parent={"page_id": PAGE}, properties={"title": [make_rich_text("New "), make_rich_text("page")]},
        children=[json.dumps({"paragraph": {"rich_text": [make_rich_text("Hi")]}})], icon='{"emoji": "🚀"}',
    )  # fmt: skip
    assert (page["parent"], page["icon"]["emoji"], list_titles({"results": [page]})) == (
        {"type": "page_id", "page_id": PAGE}, "🚀", ["New page"],
    )  # fmt: skip
    new = ask(
        "patch-page",
        page_id=page["id"],
        properties={"title": {"title": [make_rich_text("Newer")]}},
        icon={"emoji": "🎈"},
    )
    assert (list_titles({"results": [new]}), new["icon"]["emoji"]) == (["Newer"], "🎈")
    assert list_titles(ask("post-search", query="newer")) == ["Newer"]
    search_reply = ask("post-search", filter={"property": "object", "value": "database"})
    assert ([result_page["id"] for result_page in search_reply["results"]], search_reply["type"]) == (
        [TABLE],
        "page_or_database",
    )
    assert ask("patch-page", page_id=page["id"], in_trash=True)["archived"]
    assert ask("post-search", query="newer")["results"] == []
    assert ask("patch-page", page_id=page["id"], archived=False)["in_trash"] is False
    listed = ask(
        "post-search", filter={"value": "page", "property": "object"}, page_size=2, sort={"direction": "ascending"}
    )
    rest = ask("post-search", filter={"value": "page", "property": "object"}, start_cursor=listed["next_cursor"],
               sort={"direction": "ascending"})  # fmt: skip
    assert (listed["has_more"], rest["has_more"], len(rest["results"])) == (True, False, 3)


def test_a_database_shows_its_schema_and_its_rows_their_values(ask: Ask) -> None:
    database = ask("retrieve-a-database", database_id=TABLE)
    assert (database["title"][0]["plain_text"], database["parent"]["page_id"]) == ("Tasks", PAGE)
    assert database["properties"]["Task"] == {"id": "title", "name": "Task", "type": "title", "title": {}}
    options = database["properties"]["Status"]["status"]["options"]
    assert [(option["name"], option["color"]) for option in options] == [("Open", "blue"), ("Done", "green")]
    assert database["properties"]["Part of"]["relation"]["database_id"] == TABLE
    row = ask("retrieve-a-page", page_id=ROW)["properties"]
    assert (row["Status"]["status"]["name"], row["Hours"]["number"], row["Owner"]["people"]) == (
        "Open", 3, [{"object": "user", "id": ADA}],
    )  # fmt: skip
    assert row["Due"]["date"] == {"start": "2026-03-20", "end": None, "time_zone": None}
    assert (row["Text"]["rich_text"][0]["plain_text"], row["Tags"]["multi_select"]) == ("first", [])
    title_properties = ask("retrieve-a-page", page_id=ROW, filter_properties="title")["properties"]
    assert list(title_properties) == ["Task"]
    assert ask("retrieve-a-page-property", page_id=ROW, property_id="Hours") == {
        "object": "property_item", "id": row["Hours"]["id"], "type": "number", "number": 3,
    }  # fmt: skip
    title_reply = ask("retrieve-a-page-property", page_id=ROW, property_id="title")
    assert (title_reply["type"], title_reply["results"][0]["title"]["plain_text"]) == ("property_item", "Write")


@pytest.mark.parametrize(
    ("filter_", "titles"),
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
def test_rows_are_queried_with_filters(ask: Ask, filter_: Any, titles: list[str]) -> None:
    rows = ask("post-database-query", database_id=TABLE, filter=filter_)
    assert sorted(list_titles(rows)) == sorted(titles)


def test_rows_are_sorted_paged_and_cut_to_properties(ask: Ask) -> None:
    sorts = [{"property": "Task", "direction": "ascending"}]
    first = ask("post-database-query", database_id=TABLE, sorts=sorts, page_size=2, filter_properties=["title"])
    assert (list_titles(first), first["has_more"], list(first["results"][0]["properties"])) == (
        ["Read", "Rest"],
        True,
        ["Task"],
    )
    rest = ask("post-database-query", database_id=TABLE, sorts=sorts, start_cursor=first["next_cursor"])
    assert (list_titles(rest), rest["next_cursor"]) == (["Write"], None)
    assert ask("post-database-query", database_id=TABLE, archived=True)["results"] == []


def test_rows_are_made_and_changed_and_options_come_with_them(ask: Ask) -> None:
    values = {
        "Task": {"title": [make_rich_text("Sing")]}, "Status": {"status": {"name": "Done"}}, "Hours": {"number": 2},
        "Due": {"date": {"start": "2026-04-01", "end": "2026-04-02"}}, "Owner": {"people": [{"id": ADA}]},
        "Part of": {"relation": [{"id": ROW}]}, "Tags": {"multi_select": [{"name": "music"}]},
        "Paid": {"checkbox": True},
    }  # fmt: skip
    row = ask("post-page", parent={"database_id": TABLE}, properties=values)
    properties = row["properties"]
    assert (properties["Due"]["date"]["end"], properties["Tags"]["multi_select"][0]["name"]) == ("2026-04-02", "music")
    assert properties["Part of"]["relation"] == [{"id": ROW}]
    new = ask(
        "patch-page",
        page_id=row["id"],
        properties={"Hours": {"number": None}, "Text": {"rich_text": [make_rich_text("la")]}},
    )
    assert (new["properties"]["Hours"]["number"], new["properties"]["Text"]["rich_text"][0]["plain_text"]) == (
        None,
        "la",
    )
    echoed = ask("patch-page", page_id=row["id"], properties={k: v for k, v in properties.items() if k != "Text"})
    assert echoed["properties"]["Hours"]["number"] == 2


def test_databases_are_made_and_altered(ask: Ask) -> None:
    database = ask(
        "create-a-database",
        parent={"type": "page_id", "page_id": PAGE},
        title=[make_rich_text("Books")],
        properties={
            "Name": {"title": {}},
            "Price": {"number": {"format": "euro"}},
            "Kind": {"select": {"options": [{"name": "Novel"}]}},
            "Task": {"relation": {"database_id": TABLE, "single_property": {}}},
        },
    )
    assert (database["properties"]["Price"]["number"], database["properties"]["Task"]["relation"]["database_id"]) == (
        {"format": "euro"}, TABLE,
    )  # fmt: skip
    new = ask("update-a-database", database_id=database["id"], title=[make_rich_text("Shelf")], properties={
        "Task": None, "Price": {"name": "Cost"}, "Read": {"checkbox": {}},
        "Kind": {"select": {"options": [{"name": "Novel"}, {"name": "Poems", "color": "pink"}]}},
    })  # fmt: skip
    assert (new["title"][0]["plain_text"], list(new["properties"])) == ("Shelf", ["Name", "Cost", "Kind", "Read"])
    assert [option["color"] for option in new["properties"]["Kind"]["select"]["options"]] == ["default", "pink"]
    refused = ask("create-a-database", parent={"page_id": PAGE}, properties={"Sum": {"rollup": {}}})
    assert (refused["status"], "should have one of title" in refused["message"]) == (400, True)
    assert ask("delete-a-block", block_id=database["id"])["archived"]


def test_users_and_comments(ask: Ask) -> None:
    ada, bot = ask("get-users")["results"]
    assert (ada["id"], ada["type"], ada["person"]) == (ADA, "person", {"email": "ada@x.example"})
    assert ask("get-user", user_id=ADA) == ada
    assert ask("get-self") == bot
    comment = ask(
        "create-a-comment",
        parent={"page_id": PAGE},
        rich_text=[make_rich_text("Well "), make_rich_text("done", bold=True)],
    )
    on_block = ask("create-a-comment", parent={"block_id": BLOCK}, rich_text=[make_rich_text("Here")])
    assert on_block["parent"] == {"type": "block_id", "block_id": BLOCK}
    listed = ask("retrieve-a-comment", block_id=PAGE)
    assert ([user["id"] for user in listed["results"]], listed["type"]) == ([comment["id"]], "comment")
    assert [piece["annotations"]["bold"] for piece in comment["rich_text"]] == [False, True]
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
        ("patch-block-children",
         {"block_id": PAGE, "children": [{"quote": {"rich_text": [make_rich_text("x" * 2001)]}}]}, 400,
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
