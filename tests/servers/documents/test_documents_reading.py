"""Reading: blocks, anchors, numbers of lists, outline, search."""

import shutil
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from support import papers
from support.answers import Call

from yardkit.servers.documents.engine.formatting.numbering import formatted_number
from yardkit.servers.documents.engine.package.document import Document


def test_blocks_come_with_kind_level_and_label(done: Call, report: Path) -> None:
    blocks = done("read_document", path="report.docx")["blocks"]
    assert [block["kind"] for block in blocks][:4] == ["paragraph", "heading", "paragraph", "item"]
    assert (blocks[1]["text"], blocks[1]["level"], blocks[1]["style"]) == ("Results", 1, "Heading 1")
    assert [block["label"] for block in blocks if block["kind"] == "item"] == ["\u2022", "\u2022", "1.", "2."]


def test_details_show_runs_with_their_looks(done: Call, report: Path) -> None:
    block = done("read_document", path="report.docx", format="details")["blocks"][2]
    looks = [(run["text"], run.get("look", {})) for run in block["runs"]]
    assert looks == [("Revenue was ", {}), ("up ", {"bold": True}), ("in March.", {"italic": True})]


def test_merged_cells_of_a_table_are_told(done: Call, report: Path) -> None:
    table = next(block for block in done("read_document", path="report.docx")["blocks"] if block["kind"] == "table")
    assert table["merged"] == ["A2:A3"]
    assert table["rows"][0] == ["r1c1", "r1c2", "r1c3"]
    assert table["rows"][2] == ["", "r3c2", "r3c3"]


def test_markdown_keeps_headings_lists_tables_and_emphasis(done: Call, report: Path) -> None:
    text = done("read_document", path="report.docx", format="markdown")["markdown"]
    assert "# Results" in text
    assert "Revenue was **up** *in March.*" in text
    assert "- apples\n- pears\n\n1. first\n2. second" in text
    assert "| r1c1 | r1c2 | r1c3 |\n| --- | --- | --- |" in text
    assert "![image 1]" in text


def test_pages_of_blocks_join_to_the_whole(done: Call, report: Path) -> None:
    all_blocks = done("read_document", path="report.docx")["blocks"]
    joined, offset = [], 0
    while offset is not None:
        page = done("read_document", path="report.docx", offset=offset, limit=4)
        joined += page["blocks"]
        offset = page.get("next_offset")
    assert joined == all_blocks


def test_a_tracked_deletion_is_not_text_and_an_insertion_is(done: Call, contract: Path) -> None:
    block = done("read_document", path="contract.docx")["blocks"][1]
    assert block["text"] == "The payment term is thirty days; see the payment page."
    assert block["changes"] == ["del by Ann", "ins by Ann"]


def test_a_text_box_is_found_once_at_its_paragraph(done: Call, contract: Path) -> None:
    matches = done("search_document", path="contract.docx", query="box payment")["hits"]
    assert [box["text"] for box in matches] == ["Box payment"]
    block = next(
        candidate for candidate in done("read_document", path="contract.docx")["blocks"] if candidate.get("boxes")
    )
    assert block["boxes"] == {matches[0]["anchor"]: "Box payment"}


def test_a_heading_is_known_by_its_style_in_another_language(done: Call, contract: Path) -> None:
    outline = done("inspect_document", path="contract.docx")["outline"]
    assert [(heading["text"], heading["level"]) for heading in outline] == [("Terms", 1)]


def test_search_finds_across_runs_in_all_stories(done: Call, contract: Path) -> None:
    matches = done("search_document", path="contract.docx", query="PAYMENT")
    assert matches["total"] == 6
    assert {hit["story"] for hit in matches["hits"]} == {"body", "footnotes"}
    words = done("search_document", path="contract.docx", query="pay", whole_words=True)
    assert words["total"] == 0
    assert done("search_document", path="contract.docx", query=r"p\w+t\b", regex=True)["total"] == 6


def test_a_wrong_expression_is_refused_with_the_reason(call: Call, contract: Path) -> None:
    answer = call("search_document", path="contract.docx", query="(", regex=True)
    assert answer.is_error
    assert "missing )" in answer.content[0].text


@pytest.mark.parametrize("name", ["report", "contract"])
def test_every_block_is_found_by_its_anchor(name: str, request: pytest.FixtureRequest) -> None:
    document = Document.open(request.getfixturevalue(name))
    for story in document.map_stories():
        blocks = document.get_blocks(story)
        anchors = [blocks.anchor(block) for block in blocks.all]
        assert len(set(anchors)) == len(anchors)
        assert [document.find(anchor) for anchor in anchors] == blocks.all


def test_anchors_outlive_edits_elsewhere(done: Call, anchor: Callable[..., str], contract: Path) -> None:
    twin_anchor, last = anchor("contract.docx", "Twin"), anchor("contract.docx", "Last")
    new = [{"kind": "paragraph", "text": f"new {number}"} for number in range(5)]
    done(
        "edit_blocks",
        path="contract.docx",
        edits=[{"op": "insert", "anchor": last, "position": "before", "blocks": new}],
    )
    first = done("read_document", path="contract.docx")["blocks"][0]["anchor"]
    done("edit_blocks", path="contract.docx", edits=[{"op": "insert", "anchor": first, "blocks": new}])
    done("edit_blocks", path="contract.docx", edits=[{"op": "set_text", "anchor": last, "text": "Final payment"}])
    done("edit_blocks", path="contract.docx", edits=[{"op": "set_text", "anchor": twin_anchor, "text": "Elder"}])
    texts = [block.get("text") for block in done("read_document", path="contract.docx")["blocks"]]
    assert texts[-1] == "Final payment"
    assert texts[texts.index("Elder") + 1] == "Twin"


def test_a_stale_anchor_is_refused_and_what_is_near_is_named(
    call: Call, done: Call, anchor: Callable[..., str], contract: Path
) -> None:
    old = anchor("contract.docx", "Last")
    done("edit_blocks", path="contract.docx", edits=[{"op": "set_text", "anchor": old, "text": "Changed"}])
    before = contract.read_bytes()
    answer = call("edit_blocks", path="contract.docx", edits=[{"op": "delete", "anchor": old}])
    assert answer.is_error
    assert "stale" in answer.content[0].text
    assert "'Changed'" in answer.content[0].text
    assert contract.read_bytes() == before


def test_ids_of_word_are_anchors_and_new_blocks_get_ids(done: Call) -> None:
    done("create_document", path="new.docx", title="T")
    result = done("edit_blocks", path="new.docx", edits=[{"op": "insert", "blocks": [{"text": "a"}, {"text": "a"}]}])
    assert len(set(result["anchors"])) == 2
    assert all(int(anchor, 16) < 0x80000000 for anchor in result["anchors"])


def test_a_document_of_libreoffice_reads_the_same(done: Call, report: Path, files: Path, tmp_path: Path) -> None:
    shutil.copy(papers.resave_document(report, tmp_path), files / "office.docx")
    ours, theirs = (done("read_document", path=name)["blocks"] for name in ("report.docx", "office.docx"))
    keys = ("kind", "text", "level", "label", "rows", "merged")
    assert [{key: their.get(key) for key in keys} for their in theirs if their.get("text") or their.get("rows")] == [
        {key: our.get(key) for key in keys} for our in ours if our.get("text") or our.get("rows")
    ]


@pytest.mark.parametrize(
    ("form", "texts"),
    [
        ("lowerLetter", ["a", "z", "aa", "bb"]),
        ("upperRoman", ["I", "XXVI", "XXVII", "XXVIII"]),
        ("decimalZero", ["01", "26", "27", "28"]),
        ("ordinal", ["1st", "26th", "27th", "28th"]),
    ],
)
def test_numbers_are_shown_in_the_formats_of_word(form: str, texts: list[str]) -> None:
    assert [formatted_number(number, form) for number in (1, 26, 27, 28)] == texts


def test_python_docx_reads_what_we_write(done: Call, files: Path) -> None:
    done("create_document", path="new.docx", title="Plan")
    content = [
        {"kind": "heading", "text": "Start"},
        {"text": "Some **bold** text"},
        {"kind": "table", "rows": [["a"], ["b"]]},
    ]
    done("edit_blocks", path="new.docx", edits=[{"op": "insert", "blocks": content}])
    paper = docx.Document(str(files / "new.docx"))
    assert [paragraph.text for paragraph in paper.paragraphs] == ["Plan", "Start", "Some bold text"]
    assert [run.bold for run in paper.paragraphs[2].runs] == [None, True, None]
    assert paper.tables[0].cell(1, 0).text == "b"
