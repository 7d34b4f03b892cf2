"""The server `notes`: pages in Markdown, their edits and versions, comments, search."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.answers import Call
from support.scale import count_tries

from yardkit.apps.notes import APP, RECORDS, Block, Person, Span
from yardkit.apps.store import open_store
from yardkit.servers.notes.engine.inline import join_text, markdown_of, merge_spans, spans_of
from yardkit.servers.notes.engine.markdown_reading import drafts_of
from yardkit.servers.notes.engine.markdown_text import Draft, Tree
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
    return number_blocks(drafts_of(markdown))


def number_blocks(drafts: tuple[Draft, ...]) -> list[Block]:
    blocks: list[Block] = []

    def add(drafts: tuple[Any, ...], parent: int | None) -> None:
        for place, draft in enumerate(drafts):
            block = draft.block(len(blocks) + 1, 1, parent, place, "")
            blocks.append(block)
            add(draft.children, block.id)

    add(drafts, None)
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


FENCE = "`" * 3
READ_AS = {
    "3. c\n4. d": "3. c\n4. d",
    "100. a\n     - b\n101. c": "100. a\n     - b\n101. c",
    "__b__ and ***both*** and snake_case a*b*c, 2 * 3 * 4 = 24": (
        "**b** and ***both*** and snake_case a*b*c, 2 \\* 3 \\* 4 = 24"
    ),
    "Title\n=====\n\nPart\n---": "# Title\n\n## Part",
    "- a\n  wrapped\n- b\n\n  second": "- a<br>wrapped\n- b\n\n    second",
    "- a\n\t- tab\n\t\t- deeper": "- a\n    - tab\n        - deeper",
    "a | b\n:-- | --:\n1 \\| 2 | 3": "| a | b |\n| :--- | ---: |\n| 1 \\| 2 | 3 |",
    "> a\n>\n> - b\n>   1. c": "> a\n>\n> - b\n>     1. c",
    "> [!WARNING]\n> Careful": "> [!⚠️] Careful",
    "[wiki](https://en.x.example/A_(b)) end": "[wiki](https://en.x.example/A_(b)) end",
    "[w](<https://x.example/a b>)": "[w](<https://x.example/a b>)",
    '[a][1]\n\n[1]: https://r.example "T"': "[a](https://r.example)",
    '![a](https://x.example/i.png "t")': '![a](https://x.example/i.png "t")',
    "text ![a](https://x.example/i.png) after": "text\n\n![a](https://x.example/i.png)\n\nafter",
    "Text[^1].\n\n[^1]: The note.": "Text\\[^1\\].\n\n\\[^1\\]: The note.",
    "#### Four\n\n##### Five\n\n###### Six": "#### Four\n\n##### Five\n\n###### Six",
    "&lt;tag&gt; &amp; <span>x</span>": "<tag> & <span>x</span>",
    "one  \ntwo\\\nthree": "one\ntwo\nthree",
    f"{FENCE}make\nall:\n\tcc -o x  \n{FENCE}": f"{FENCE}make\nall:\n\tcc -o x  \n{FENCE}",
    f"{FENCE}`\n{FENCE}\n{FENCE}`": f"{FENCE}`plain text\n{FENCE}\n{FENCE}`",
    "~~~text\n# no heading\n~~~": f"{FENCE}text\n# no heading\n{FENCE}",
    "    indented\n    code": f"{FENCE}plain text\nindented\ncode\n{FENCE}",
    "$$\nE = mc^2\n$$": "$$ E = mc^2 $$",
    "$$\na = b \\\\\nc = d\n$$": "$$\na = b \\\\\nc = d\n$$",
    "It costs $$ and more": "It costs $$ and more",
    "``a`b``": "``a`b``",
    "1\\. no\n\n\\# no\n\n2026. was good": "1\\. no\n\n\\# no\n\n2026. was good",
    "<details>\n<summary>More</summary>\n\nHidden\n\n</details>": (
        "<details><summary>More</summary>\n    Hidden\n</details>"
    ),
}


@pytest.mark.parametrize("markdown", READ_AS)
def test_markdown_of_other_programs_is_read_as_gfm_and_stays_as_it_is_from_then_on(markdown: str) -> None:
    written = Tree(blocks_of(markdown)).to_markdown()
    assert written == READ_AS[markdown]
    assert Tree(blocks_of(written)).to_markdown() == written


@pytest.mark.parametrize(
    ("markdown", "why"),
    [
        ("- " * 60 + "deep", "nested more than"),
        ("| a |\n| --- |\n| `x|y` |", "has 2 cells, but its table 1 columns"),
        ("<details><summary>T</summary>\nopen", "is not closed"),
    ],
)
def test_what_would_be_lost_is_refused(refused: Call, markdown: str, why: str) -> None:
    assert why in refused("create_note_page", title="x", markdown=markdown)


TEXTS = st.lists(PIECES, min_size=1, max_size=3).map(merge_spans).filter(lambda spans: bool(join_text(spans).strip()))
KINDS = ["paragraph", "heading_2", "bulleted_list_item", "numbered_list_item", "to_do", "quote", "callout", "toggle"]


def make_drafts(children: st.SearchStrategy[tuple[Draft, ...]]) -> st.SearchStrategy[tuple[Draft, ...]]:
    drafts = st.builds(Draft, st.sampled_from(KINDS), TEXTS, children=children)
    codes = st.text("`~#-\t \nx", min_size=1, max_size=12).map(lambda text: Draft("code", [Span(text)]))
    return st.lists(drafts | codes, min_size=1, max_size=3).map(tuple)


def summarize_tree(blocks: list[Block], parent: int | None = None) -> list[Any]:
    """Kinds and words of blocks within blocks; of code each sign."""
    return [
        (block.kind, block.text if block.kind == "code" else block.text.split(), summarize_tree(blocks, block.id))
        for block in blocks
        if block.parent_id == parent
    ]


@settings(max_examples=count_tries(1_000, 100))
@given(make_drafts(st.just(()) | make_drafts(st.just(()) | make_drafts(st.just(())))))
def test_any_blocks_in_blocks_are_the_same_after_they_were_markdown(drafts: tuple[Draft, ...]) -> None:
    blocks = number_blocks(drafts)
    markdown = Tree(blocks).to_markdown()
    assert summarize_tree(blocks_of(markdown)) == summarize_tree(blocks), markdown


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


def test_yaml_at_the_top_of_a_text_stays_as_it_is(done: Call) -> None:
    text = "---\ntitle: My page\ntags:\n  - a\n---\n\n# Head"
    page = done("create_note_page", title="T", markdown=text)
    assert page["text"] == text
    assert done("edit_note_page", page_id=page["id"], markdown=text)["blocks_kept"] == 2
    done("edit_note_page", page_id=page["id"], edits=[{"find": "My page", "text": "Your page"}])
    assert done("read_note_page", page_id=page["id"])["text"] == text.replace("My", "Your")


@pytest.mark.parametrize("text", ["---\n\nStatus: done\n\n---", "---", "---\n\n---\n\ntitle: x"])
def test_rules_are_not_taken_for_yaml(done: Call, text: str) -> None:
    assert done("create_note_page", title="T", markdown=text)["text"] == text


def test_titles_of_links_are_said_to_be_lost(done: Call) -> None:
    text = (
        'See [a](https://x.example "First") and [b][1], ![c](https://z.example/c.png "kept").\n\n'
        "[1]: https://y.example 'Second'"
    )
    page = done("create_note_page", title="T", markdown=text)
    assert page["notes"] == ["links have no titles here, so these are not kept: 'First', 'Second'"]
    edited = done("edit_note_page", page_id=page["id"], markdown='[a](https://x.example "Third")', append=True)
    assert "'Third'" in edited["notes"][0]
    assert "notes" not in done("create_note_page", title="T", markdown='He said "no" (twice) [a](https://x.example).')
