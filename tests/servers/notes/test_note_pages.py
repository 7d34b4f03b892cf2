"""The server `notes`: pages in Markdown, their edits and versions, comments, search."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.answers import Call
from support.scale import count_tries

from yardkit.apps.notes import APP, RECORDS, Block, Person, Span
from yardkit.apps.store import open_store
from yardkit.servers.notes.engine.inline import markdown_of, merge_spans, spans_of
from yardkit.servers.notes.engine.markdown_text import Tree, drafts_of
from yardkit.world import World

PLAN = """# Plan

We **ship** on *Friday*, see [the board](https://x.example/a_b), `code` and snake_case.
A second line.

- one
    - inside
        1. deeper
- two

1. first
2. second

- [ ] open
- [x] done

> quoted
> more

> [!🔥] Careful

```python
def f():

    return "|"
```

| Name | Age |
| --- | --- |
| Ada \\| Bo | **3** |

---

<details><summary>More</summary>
    Hidden

    - list
</details>

![Pic](https://x.example/p.png)

<https://x.example/b>

$$ E = mc^2 $$"""


def blocks_of(markdown: str) -> list[Block]:
    """The blocks of a text, numbered."""
    blocks: list[Block] = []

    def add(drafts: tuple[Any, ...], parent: int | None) -> None:
        for place, draft in enumerate(drafts):
            block = draft.block(len(blocks) + 1, 1, parent, place, "")
            blocks.append(block)
            add(draft.children, block.id)

    add(drafts_of(markdown), None)
    return blocks


@pytest.fixture
def page(done: Call) -> int:
    number: int = done("create_note_page", title=" The  plan ", markdown=PLAN)["id"]
    return number


def test_a_page_is_read_as_it_was_written(done: Call, page: int) -> None:
    page_reply = done("read_note_page", page_id=page)
    assert (page_reply["title"], page_reply["text"]) == ("The plan", PLAN)


def test_markdown_becomes_blocks_of_the_kinds_that_notion_has() -> None:
    assert [block.kind for block in blocks_of(PLAN) if block.parent_id is None] == [
        "heading_1", "paragraph", "bulleted_list_item", "bulleted_list_item", "numbered_list_item",
        "numbered_list_item",
        "to_do", "to_do", "quote", "callout", "code", "table", "divider", "toggle", "image", "bookmark", "equation",
    ]  # fmt: skip
    paragraph = blocks_of(PLAN)[1]
    assert paragraph.text == "We ship on Friday, see the board, code and snake_case.\nA second line."
    assert [span for span in paragraph.spans if span.link] == [Span("the board", link="https://x.example/a_b")]
    cells = [block.data["cells"] for block in blocks_of(PLAN) if block.kind == "table_row"]
    assert cells == [["Name", "Age"], ["Ada | Bo", "**3**"]]


PIECES = st.builds(
    Span,
    st.text("ab*_`[]()~<>#-.! \\|1", min_size=1, max_size=8),
    bold=st.booleans(),
    code=st.booleans(),
    link=st.sampled_from(["", "https://x.example", "page:3"]),
)


@settings(max_examples=count_tries(2_000, 150))
@given(st.lists(PIECES, min_size=1, max_size=4))
def test_text_with_any_marks_in_it_says_the_same_after_it_was_markdown(spans: list[Span]) -> None:
    text = "".join(span.text for span in spans).strip()
    assume(text)
    block = Block(1, 1, None, 1, "paragraph", text)
    (again,) = blocks_of(Tree([block]).to_markdown())
    assert (again.kind, again.text, again.spans) == ("paragraph", text, [])
    styled = Block(1, 1, None, 1, "bulleted_list_item", "", merge_spans(spans))
    (again,) = blocks_of(Tree([styled]).to_markdown())
    assert again.text.split() == text.split()


MARKS = ["**a***b*", "a_b_c", r"\*no\*", "~~x~~ ~y", "`a*b`", "[x](y) (z)", "<u>u</u> <b>"]


@pytest.mark.parametrize("text", MARKS)
def test_marks_are_stable(text: str) -> None:
    assert markdown_of(spans_of(markdown_of(spans_of(text)))) == markdown_of(spans_of(text))


def test_an_edit_keeps_all_other_blocks_and_a_version(world: World, done: Call, page: int) -> None:
    with open_store(APP, *RECORDS, world=world) as store:
        before = {block.id: block for block in store.find(Block)}
    done("add_comment", page_id=page, text="Really?", find="A second line")
    edited = done("edit_note_page", page_id=page, edits=[{"find": "A second line", "text": "Another line"}])
    assert (edited["blocks_kept"], edited["blocks_changed"], edited["blocks_removed"]) == (16, 1, 0)
    with open_store(APP, *RECORDS, world=world) as store:
        after = {block.id: block for block in store.find(Block)}
    changed = [number for number in before if after.get(number) != before[number]]
    assert (set(before), [before[number].kind for number in changed]) == (set(after), ["paragraph"])
    assert "Another line" in done("list_comments", page_id=page)["comments"][0]["about"]
    assert done("read_note_page", page_id=page, version_id=edited["version_id"])["text"] == PLAN
    assert "Another line" in done("read_note_page", page_id=page)["text"]


def test_blocks_are_put_in_taken_out_and_appended(done: Call, page: int) -> None:
    done("edit_note_page", page_id=page, markdown="# Plan\n\n- one\n- three")
    done("edit_note_page", page_id=page, markdown="# Plan\n\n- one\n- two\n- three")
    assert done("edit_note_page", page_id=page, markdown="The end.", append=True)["blocks_kept"] == 4
    assert done("read_note_page", page_id=page)["text"] == "# Plan\n\n- one\n- two\n- three\n\nThe end."
    versions = done("list_note_page_versions", page_id=page)["versions"]
    assert [version["id"] for version in versions] == [3, 2, 1]
    assert versions[0]["saved"] > versions[1]["saved"]


def test_what_an_edit_cannot_do_is_said_and_changes_nothing(done: Call, refused: Call, page: int) -> None:
    assert "occurs 0 times" in refused("edit_note_page", page_id=page, edits=[{"find": "nowhere", "text": "x"}])
    twice = [{"find": "- one", "text": "- 1"}, {"find": "x.example/", "text": ""}]
    assert "occurs 3 times" in refused("edit_note_page", page_id=page, edits=twice)
    assert "is not closed" in refused("edit_note_page", page_id=page, markdown="```\nopen")
    assert "there is nothing to change" in refused("edit_note_page", page_id=page)
    assert "give one of them" in refused(
        "edit_note_page", page_id=page, markdown="x", edits=[{"find": "a", "text": "b"}]
    )
    assert "there is no page 9; there are: 1" in refused("read_note_page", page_id=9)
    assert done("read_note_page", page_id=page)["text"] == PLAN
    assert "versions" not in done("read_note_page", page_id=page)


def test_a_block_that_markdown_cannot_say_stays_by_its_line(world: World, done: Call, refused: Call, page: int) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Block(99, page, None, 0, "embed", data={"url": "https://e.example"}))
    text = done("read_note_page", page_id=page)["text"]
    assert text.startswith("<!-- embed 99 -->\n\n# Plan")
    done("edit_note_page", page_id=page, edits=[{"find": "# Plan", "text": "# The plan"}])
    with open_store(APP, *RECORDS, world=world) as store:
        assert store.get(Block, 99).data == {"url": "https://e.example"}
    assert "cannot be written in Markdown" in refused("create_note_page", title="x", markdown="<!-- embed 98 -->")


def test_pages_stand_in_each_other_move_and_are_archived_with_those_in_them(
    done: Call, refused: Call, page: int
) -> None:
    child = done("create_note_page", title="Child", markdown="Hello", parent_id=page)["id"]
    leaf = done("create_note_page", title="Leaf", markdown="needle", parent_id=child)["id"]
    entries = done("list_note_pages", depth=3)["entries"]
    assert [(page_entry["id"], page_entry.get("level", 0)) for page_entry in entries] == [
        (page, 0),
        (child, 1),
        (leaf, 2),
    ]
    assert done("read_note_page", page_id=leaf)["path"] == "The plan / Child"
    assert "cannot be moved into itself" in refused("move_note_page", page_id=page, parent_id=leaf)
    assert done("archive_note_page", page_id=child)["archived"]
    assert done("search_notes", query="needle")["total"] == 0
    assert "is archived" in refused("create_note_page", title="x", parent_id=leaf)
    assert [page_entry["id"] for page_entry in done("list_note_pages", archived=True)["entries"]] == [child]
    done("archive_note_page", page_id=child, restore=True)
    assert done("search_notes", query="NEEDLE leaf")["entries"][0]["path"] == "The plan / Child"
    assert done("move_note_page", page_id=leaf)["path"] == ""


def test_search_puts_titles_first(done: Call, refused: Call, page: int) -> None:
    done("create_note_page", title="Ships", markdown="Nothing")
    done("create_note_page", title="Other", markdown="We ship ships on Fridays")
    assert [page_entry["title"] for page_entry in done("search_notes", query="ships")["entries"]] == ["Ships", "Other"]
    assert done("search_notes", query="board friday")["entries"][0]["excerpt"].startswith("We ship on Friday")
    assert "is empty" in refused("search_notes", query=" ")


def test_comments_answer_each_other_and_are_of_who_acts(world: World, done: Call, refused: Call, page: int) -> None:
    with open_store(APP, *RECORDS, writes=True, world=world) as store:
        store.put(Person(1, "Ada Berg", "ada@x.example"))
    first = done("add_comment", page_id=page, text="Why Friday?", find="ship")
    second = done("add_comment", page_id=page, text="Because.", answers=first["id"])
    assert (second["thread"], second["author"], second["about"][:7]) == (first["id"], "Ada Berg", "We ship")
    assert "occurs in 0 blocks" in refused("add_comment", page_id=page, text="x", find="zebra")
    assert done("list_comments", query="because")["total"] == 1


def test_a_long_page_comes_in_parts_that_together_are_the_page(done: Call, refused: Call) -> None:
    text = "\n\n".join(f"Paragraph {number} " + "x" * 200 for number in range(400))
    page = done("create_note_page", title="Long", markdown=text)["id"]
    parts, offset = [], 0
    while offset is not None:
        page_part = done("read_note_page", page_id=page, offset=offset)
        parts.append(page_part["text"])
        offset = page_part.get("next_offset")
    assert len(parts) == 3
    assert "".join(parts) == text
    assert "beyond the end" in refused("read_note_page", page_id=page, offset=10**6)
