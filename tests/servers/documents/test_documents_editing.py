"""Editing: text across runs, blocks, lists, formats, tables, images, layout, references; and nothing else changes."""

import itertools
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pypdfium2
import pytest
from docx.enum.table import WD_ROW_HEIGHT_RULE
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.shared import Cm
from PIL import Image
from support import papers
from support.answers import Call

from yardkit.kit.pages import libreoffice

BODY = "word/document.xml"


def insert_blocks(done: Any, path: Any, *blocks: Any, **where: Any) -> Any:
    return done("edit_blocks", path=path, edits=[{"op": "insert", "blocks": list(blocks), **where}])


def replace_text(done: Any, path: Any, find: Any, new: Any, **options: Any) -> Any:
    return done("replace_document_text", path=path, replacements=[{"find": find, "replace": new}], **options)


def test_replacing_across_runs_keeps_the_format_of_the_first(done: Call, report: Path) -> None:
    result = replace_text(done, "report.docx", "was up in", "rose **in**")
    assert result["done"].startswith("Replaced 1 place")
    runs = docx.Document(str(report)).paragraphs[2].runs
    assert [(run.text, run.bold, run.italic) for run in runs] == [
        ("Revenue ", None, None),
        ("rose **in**", None, None),
        (" March.", None, True),
    ]


def test_replacing_reaches_all_stories_text_boxes_and_their_copies(done: Call, contract: Path) -> None:
    before = papers.read_parts(contract)
    result = replace_text(done, "contract.docx", "payment", "settlement")
    assert result["notes"] == ["'payment': 5 in body, 1 in footnotes"]
    after = papers.read_parts(contract)
    assert papers.list_changed(before, after) == {BODY, "word/footnotes.xml"}
    assert after[BODY].count(b"settlement") == 6
    assert b"sixty" in after[BODY]
    assert b"delText" in after[BODY]


def test_replacing_inside_a_link_keeps_the_link(done: Call, contract: Path) -> None:
    replace_text(done, "contract.docx", "payment page", "account page")
    block = done("read_document", path="contract.docx", format="details")["blocks"][1]
    assert [run["text"] for run in block["runs"] if run.get("link")] == ["the account page"]


def test_a_text_that_is_not_there_changes_nothing(call: Call, contract: Path) -> None:
    before = contract.read_bytes()
    answer = call("replace_document_text", path="contract.docx", replacements=[{"find": "absent", "replace": "x"}])
    assert answer.is_error
    assert "not found" in answer.content[0].text
    assert contract.read_bytes() == before


def test_groups_of_an_expression_come_back_in_the_replacement(done: Call, contract: Path) -> None:
    replace_text(done, "contract.docx", r"(\w+) days", r"\1 (30) days", regex=True)
    assert "is thirty (30) days" in done("read_document", path="contract.docx")["blocks"][1]["text"]


def test_a_tracked_replacement_marks_what_differs_only(done: Call, report: Path) -> None:
    replace_text(done, "report.docx", "in March", "in April", track=True, author="Bea")
    xml = papers.read_parts(report)[BODY].decode()
    assert 'w:author="Bea"' in xml
    assert "<w:delText>M" in xml.replace(' xml:space="preserve"', "")
    assert done("read_document", path="report.docx")["blocks"][2]["text"] == "Revenue was up in April."


def test_a_document_that_records_changes_gets_tracked_edits(
    done: Call, anchor: Callable[..., str], contract: Path
) -> None:
    settings = f'<w:settings xmlns:w="{papers.W}"><w:trackRevisions/></w:settings>'
    done("create_document", path="t.docx")
    insert_blocks(done, "t.docx", {"text": "Old text"})
    path = contract.parent / "t.docx"
    members = papers.read_parts(path)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, settings if name == "word/settings.xml" else data)
    done(
        "edit_blocks", path="t.docx", edits=[{"op": "set_text", "anchor": anchor("t.docx", "Old"), "text": "New text"}]
    )
    assert done("inspect_document", path="t.docx")["tracked_changes"] == 2


def test_blocks_are_inserted_moved_replaced_and_deleted_in_one_call(
    done: Call, anchor: Callable[..., str], report: Path
) -> None:
    apples, pears, end = (anchor("report.docx", text) for text in ("apples", "pears", "The end"))
    edits = [
        {"op": "move", "anchor": end, "beside": apples, "position": "before"},
        {"op": "delete", "anchor": pears},
        {"op": "replace", "anchor": apples, "blocks": [{"text": "plums"}, {"text": "figs"}]},
    ]
    done("edit_blocks", path="report.docx", edits=edits)
    texts = [paragraph.text for paragraph in docx.Document(str(report)).paragraphs]
    assert texts[:7] == ["Report", "Results", "Revenue was up in March.", "The end.", "plums", "figs", "first"]


def test_a_batch_with_one_wrong_edit_does_nothing(call: Call, anchor: Callable[..., str], report: Path) -> None:
    before = report.read_bytes()
    edits = [
        {"op": "delete", "anchor": anchor("report.docx", "apples")},
        {"op": "insert", "anchor": anchor("report.docx", "pears"), "blocks": [{"text": "x", "style": "No such style"}]},
    ]
    answer = call("edit_blocks", path="report.docx", edits=edits)
    assert answer.is_error
    assert "no paragraph style 'No such style'" in answer.content[0].text
    assert report.read_bytes() == before


def test_an_inserted_item_joins_the_list_beside_it(done: Call, anchor: Callable[..., str], report: Path) -> None:
    insert_blocks(done, "report.docx", {"kind": "number", "text": "third"}, anchor=anchor("report.docx", "second"))
    insert_blocks(
        done, "report.docx", {"kind": "number", "text": "anew", "restart": True}, anchor=anchor("report.docx", "third")
    )
    items = [block for block in done("read_document", path="report.docx")["blocks"] if block["kind"] == "item"]
    assert [(item["text"], item["label"]) for item in items][2:] == [
        ("first", "1."),
        ("second", "2."),
        ("third", "3."),
        ("anew", "1."),
    ]


def test_deleting_the_paragraph_that_ends_a_section_keeps_the_layout(done: Call, report: Path) -> None:
    sections = done("inspect_document", path="report.docx", lists=["sections"])["section_list"]
    blocks = done("read_document", path="report.docx")["blocks"]
    ending = next(block for block in blocks if block.get("breaks") == "section")
    done("edit_blocks", path="report.docx", edits=[{"op": "delete", "anchor": ending["anchor"]}])
    assert done("inspect_document", path="report.docx", lists=["sections"])["section_list"] == sections


def test_markup_becomes_formats_and_literal_text_does_not(done: Call, files: Path) -> None:
    done("create_document", path="m.docx")
    text = "a **b** *c* ~~d~~ [e](https://example.org) 2 * 3 * 4"
    insert_blocks(done, "m.docx", {"text": text}, {"text": text, "literal": True})
    first, second = docx.Document(str(files / "m.docx")).paragraphs
    assert first.text == "a b c d e 2 * 3 * 4"
    assert second.text == text
    assert first.hyperlinks[0].address == "https://example.org"


def test_contents_list_headings_with_their_pages(done: Call, files: Path) -> None:
    done("create_document", path="c.docx")
    blocks = [
        {"kind": "toc"},
        {"kind": "heading", "text": "One"},
        {"kind": "page_break"},
        {"kind": "heading", "text": "Two", "level": 2},
    ]
    insert_blocks(done, "c.docx", *blocks)
    texts = [block.get("text", "") for block in done("read_document", path="c.docx")["blocks"]][:3]
    assert texts == ["Contents", "One\t1", "Two\t2"]
    insert_blocks(done, "c.docx", {"kind": "page_break"}, {"kind": "heading", "text": "Three"})
    done("edit_references", path="c.docx", update=True)
    texts = [block.get("text", "") for block in done("read_document", path="c.docx")["blocks"]][:4]
    assert texts == ["Contents", "One\t1", "Two\t2", "Three\t3"]


def test_captions_are_numbered_in_order_and_cross_references_follow(
    done: Call, anchor: Callable[..., str], files: Path
) -> None:
    done("create_document", path="f.docx")
    insert_blocks(done, "f.docx", {"kind": "caption", "text": "Second"}, {"text": "See"})
    see, second = anchor("f.docx", "See"), anchor("f.docx", "Second")
    edit = {"op": "cross_reference", "anchor": see, "target": second}
    done("edit_references", path="f.docx", edits=[edit])
    assert done("read_document", path="f.docx")["blocks"][1]["text"] == "See Figure 1"
    insert_blocks(done, "f.docx", {"kind": "caption", "text": "First"}, anchor=second, position="before")
    texts = [block["text"] for block in done("read_document", path="f.docx")["blocks"]]
    assert texts == ["Figure 1: First", "Figure 2: Second", "See Figure 2"]


def test_a_reference_in_place_of_what_a_field_shows_replaces_the_field(
    done: Call, anchor: Callable[..., str], files: Path
) -> None:
    done("create_document", path="f.docx")
    insert_blocks(done, "f.docx", {"kind": "caption", "text": "Wells"}, {"text": "As {DATE \\@ yyyy} shows {PAGE}."})
    edit = {"op": "cross_reference", "anchor": anchor("f.docx", "As"), "target": anchor("f.docx", "Wells")}
    done("edit_references", path="f.docx", edits=[edit | {"find": "2026"}])
    block = done("read_document", path="f.docx")["blocks"][1]
    assert block["text"] == "As Figure 1 shows 1."
    assert [field.split()[0] for field in block["fields"]] == ["REF", "PAGE"]
    assert "DATE" not in papers.read_parts(files / "f.docx")[BODY].decode()


def test_a_reference_to_a_caption_that_got_its_number_later_shows_label_and_number(
    done: Call, anchor: Callable[..., str], files: Path
) -> None:
    insert_blocks(done, "g.docx", {"text": "Figure 7: Wells"}, {"text": "See"})
    caption, see = anchor("g.docx", "Wells"), anchor("g.docx", "See")
    edits = [
        {"op": "field", "anchor": caption, "find": "7", "code": "SEQ Figure"},
        {"op": "cross_reference", "anchor": see, "target": caption},
    ]
    done("edit_references", path="g.docx", edits=edits)
    texts = [block["text"] for block in done("read_document", path="g.docx")["blocks"]]
    assert texts == ["Figure 1: Wells", "See Figure 1"]


def test_formats_of_a_text_span_leave_the_rest(done: Call, anchor: Callable[..., str], report: Path) -> None:
    edit = {"anchors": [anchor("report.docx", "The end")], "find": "end", "look": {"bold": True, "color": "C00000"}}
    done("format_document", path="report.docx", edits=[edit])
    runs = docx.Document(str(report)).paragraphs[-1].runs
    assert [(run.text, run.bold) for run in runs] == [("The ", None), ("end", True), (".", None)]
    assert str(runs[1].font.color.rgb) == "C00000"


def test_paragraph_formats_and_styles_are_read_by_python_docx(
    done: Call, anchor: Callable[..., str], report: Path
) -> None:
    end = anchor("report.docx", "The end")
    look = {"align": "center", "before_pt": 6, "left_cm": 1, "first_line_cm": -0.5, "keep_next": True}
    edits = [
        {"define": "Callout", "based_on": "Normal", "look": {"italic": True}},
        {"anchors": [end], "style": "Callout"},
    ]
    done("format_document", path="report.docx", edits=[*edits, {"anchors": [end], "look": look}])
    paragraph = docx.Document(str(report)).paragraphs[-1]
    assert paragraph.style.name == "Callout"
    assert paragraph.style.font.italic
    assert paragraph.alignment == WD_ALIGN_PARAGRAPH.CENTER
    assert paragraph.paragraph_format.space_before.pt == 6
    assert round(paragraph.paragraph_format.first_line_indent.cm, 2) == -0.5
    assert paragraph.paragraph_format.keep_with_next


def test_contents_give_the_numbers_that_the_pages_bear(done: Call, files: Path) -> None:
    blocks = [
        {"kind": "toc"},
        {"kind": "heading", "text": "Preface"},
        {"kind": "section_break"},
        {"kind": "heading", "text": "One"},
        {"kind": "page_break"},
        {"kind": "heading", "text": "Two"},
    ]
    insert_blocks(done, "numbered.docx", *blocks)
    layouts = [{"section": 1, "number_format": "lowerRoman"}, {"section": 2, "number_format": "decimal"}]
    done("set_page_layout", path="numbered.docx", layouts=[layouts[0], {**layouts[1], "first_number": 1}])
    done("edit_references", path="numbered.docx", update=True)
    texts = [block.get("text", "") for block in done("read_document", path="numbered.docx")["blocks"]]
    assert texts[1:4] == ["Preface\ti", "One\t1", "Two\t2"]


def test_contents_that_grow_over_pages_give_the_pages_on_which_the_headings_are_printed(
    done: Call, files: Path, tmp_path: Path
) -> None:
    blocks = [
        [{"kind": "heading", "text": f"Part {number:02}"}, {"text": "A line or two. " * 30}] for number in range(60)
    ]
    insert_blocks(done, "long.docx", {"kind": "toc"}, *itertools.chain(*blocks))
    look = {"font": "Times New Roman", "line_spacing": 1.5}
    done("format_document", path="long.docx", edits=[{"define": "Normal", "look": look}])
    done("edit_references", path="long.docx", update=True)
    libreoffice.convert_file(files / "long.docx", tmp_path / "long.pdf")
    with pypdfium2.PdfDocument(tmp_path / "long.pdf") as pdf:
        pages = [page.get_textpage().get_text_range().splitlines() for page in pdf]
    listed = [block["text"].split("\t") for block in done("read_document", path="long.docx")["blocks"][1:61]]
    assert not any(line[0] in pages[0] for line in listed)
    assert [(text, int(page)) for text, page in listed] == [
        (line, number) for number, page in enumerate(pages, 1) for line in page if re.fullmatch(r"Part \d\d", line)
    ]


def read_table(report: Any) -> Any:
    return docx.Document(str(report)).tables[0]


def test_rows_inserted_in_a_merged_area_stay_merged(done: Call, anchor: Callable[..., str], report: Path) -> None:
    edits = [{"op": "insert_rows", "range": "3", "values": [["", "new", "x"]]}]
    done("edit_document_table", path="report.docx", anchor=anchor("report.docx", "table"), edits=edits)
    block = next(
        candidate for candidate in done("read_document", path="report.docx")["blocks"] if candidate["kind"] == "table"
    )
    assert block["merged"] == ["A2:A4"]
    assert block["rows"][2] == ["", "new", "x"]


def test_deleting_the_first_row_of_a_merged_area_leaves_the_rest_whole(
    done: Call, anchor: Callable[..., str], report: Path
) -> None:
    edits = [{"op": "delete_rows", "range": "2:2"}]
    done("edit_document_table", path="report.docx", anchor=anchor("report.docx", "table"), edits=edits)
    assert len(read_table(report).rows) == 3
    assert [cell.text for cell in read_table(report).rows[1].cells][1:] == ["r3c2", "r3c3"]


def test_columns_come_and_go_and_the_width_stays(done: Call, anchor: Callable[..., str], report: Path) -> None:
    width = sum(column.width for column in read_table(report).columns)
    name = anchor("report.docx", "table")
    edits = [{"op": "insert_columns", "range": "B", "values": [["n1"], ["n2"]]}, {"op": "delete_columns", "range": "D"}]
    done("edit_document_table", path="report.docx", anchor=name, edits=edits)
    assert [cell.text for cell in read_table(report).rows[0].cells] == ["r1c1", "n1", "r1c2"]
    assert abs(sum(column.width for column in read_table(report).columns) - width) < 20_000


def test_a_place_for_rows_and_columns_may_be_said_as_a_range_of_one(
    done: Call, call: Call, anchor: Callable[..., str], report: Path
) -> None:
    name = anchor("report.docx", "table")
    edits = [{"op": "insert_rows", "range": "1:1"}, {"op": "insert_columns", "range": "B:B"}]
    done("edit_document_table", path="report.docx", anchor=name, edits=edits)
    assert (len(read_table(report).rows), len(read_table(report).columns)) == (5, 4)
    for op, place in (("insert_rows", "2:3"), ("insert_columns", "A:B")):
        name = anchor("report.docx", "table")
        answer = call("edit_document_table", path="report.docx", anchor=name, edits=[{"op": op, "range": place}])
        assert answer.is_error
        assert repr(place) in answer.content[0].text


def test_cells_merge_and_split_again(done: Call, anchor: Callable[..., str], report: Path) -> None:
    name = anchor("report.docx", "table")
    done("edit_document_table", path="report.docx", anchor=name, edits=[{"op": "merge", "range": "B2:C3"}])
    merged = read_table(report).cell(1, 1)
    assert merged.text == "r2c2\nr2c3\nr3c2\nr3c3"
    assert read_table(report).cell(2, 2).text == merged.text
    done("edit_document_table", path="report.docx", anchor=name, edits=[{"op": "split", "range": "B2:C3"}])
    block = next(
        candidate for candidate in done("read_document", path="report.docx")["blocks"] if candidate["kind"] == "table"
    )
    assert block["merged"] == ["A2:A3"]


def test_rows_of_a_fixed_height_grow_with_their_text_again(
    done: Call, anchor: Callable[..., str], report: Path
) -> None:
    read = docx.Document(str(report))
    read.tables[0].rows[1].height, read.tables[0].rows[1].height_rule = Cm(0.3), WD_ROW_HEIGHT_RULE.EXACTLY
    read.save(str(report))
    name = anchor("report.docx", "table")
    done("edit_document_table", path="report.docx", anchor=name, edits=[{"op": "layout", "row_cm": 1}])
    rows = [(round(row.height.cm, 1), row.height_rule) for row in read_table(report).rows]
    assert set(rows) == {(1.0, WD_ROW_HEIGHT_RULE.AT_LEAST)}
    done("edit_document_table", path="report.docx", anchor=name, edits=[{"op": "layout", "row_cm": 0}])
    assert {row.height for row in read_table(report).rows} == {None}


def test_a_range_outside_of_the_table_says_its_size(call: Call, anchor: Callable[..., str], report: Path) -> None:
    edits = [{"op": "set_cells", "range": "F9", "values": [["x"]]}]
    answer = call("edit_document_table", path="report.docx", anchor=anchor("report.docx", "table"), edits=edits)
    assert "4 rows and 3 columns" in answer.content[0].text


def test_an_image_is_replaced_in_its_place_and_described(done: Call, report: Path, files: Path) -> None:
    Image.new("RGB", (300, 300), "red").save(files / "red.png")
    edits = [{"image": 1, "op": "replace", "file": "red.png", "alt": "A red square"}]
    done("edit_document_images", path="report.docx", edits=edits)
    image = done("inspect_document", path="report.docx", lists=["images"])["image_list"][0]
    assert (image["alt"], image["width_cm"], image["height_cm"]) == ("A red square", 5.0, 5.0)
    parts = papers.read_parts(report)
    assert (files / "red.png").read_bytes() in parts.values()
    assert (files / "navy.png").read_bytes() in parts.values()


def test_an_image_is_saved_as_the_file_that_it_was(done: Call, report: Path, files: Path) -> None:
    done("edit_document_images", path="report.docx", edits=[{"image": 1, "op": "save"}], folder="out")
    assert [path.read_bytes() for path in (files / "out").iterdir()] == [(files / "navy.png").read_bytes()]


def test_layout_of_one_section_leaves_the_other(done: Call, report: Path) -> None:
    layout = {"section": 2, "orientation": "landscape", "header": "Annex\t\t{PAGE}", "margins_cm": [1, 2, 3, 4]}
    done("set_page_layout", path="report.docx", layouts=[layout])
    first, second = docx.Document(str(report)).sections
    assert first.page_width < first.page_height
    assert second.page_width > second.page_height
    assert [round(margin.cm, 1) for margin in (second.top_margin, second.right_margin, second.left_margin)] == [1, 2, 4]
    assert first.header.paragraphs[0].text == "Draft report"
    assert second.header.paragraphs[0].text == "Annex\t\t1"
    assert "PAGE" in second.header.paragraphs[0]._p.xml


def test_first_page_and_even_page_headers_are_switched_on(done: Call, report: Path) -> None:
    done(
        "set_page_layout", path="report.docx", layouts=[{"section": 1, "first_header": "Cover", "even_footer": "Even"}]
    )
    paper = docx.Document(str(report))
    assert paper.sections[0].different_first_page_header_footer
    assert paper.settings.odd_and_even_pages_header_footer
    assert paper.sections[0].first_page_header.paragraphs[0].text == "Cover"
    assert paper.sections[0].even_page_footer.paragraphs[0].text == "Even"


def test_links_and_bookmarks_are_written_and_taken_out(done: Call, anchor: Callable[..., str], report: Path) -> None:
    end = anchor("report.docx", "The end")
    edits = [
        {"op": "bookmark", "anchor": end, "find": "end", "name": "finish"},
        {"op": "link", "anchor": end, "find": "The", "url": "https://example.org"},
    ]
    done("edit_references", path="report.docx", edits=edits)
    marks = done("inspect_document", path="report.docx", lists=["bookmarks"])["bookmark_list"]
    assert [(mark["name"], mark["text"]) for mark in marks] == [("finish", "end")]
    paragraph = docx.Document(str(report)).paragraphs[-1]
    assert [(link.text, link.address) for link in paragraph.hyperlinks] == [("The", "https://example.org")]
    done(
        "edit_references",
        path="report.docx",
        edits=[{"op": "unlink", "anchor": end}, {"op": "remove_bookmark", "name": "finish"}],
    )
    paragraph = docx.Document(str(report)).paragraphs[-1]
    assert not paragraph.hyperlinks
    assert "bookmark" not in paragraph._p.xml
    assert paragraph.text == "The end."


def test_properties_are_set_and_read_back(done: Call, report: Path) -> None:
    done(
        "set_document_properties",
        path="report.docx",
        properties={"title": "T", "author": "Ann"},
        custom={"N": 3, "Ok": True},
    )
    facts = done("inspect_document", path="report.docx", lists=["properties"])
    assert facts["custom_properties"] == {"N": 3, "Ok": True}
    core = docx.Document(str(report)).core_properties
    assert (core.title, core.author) == ("T", "Ann")


@pytest.mark.parametrize(
    ("tool", "arguments", "parts"),
    [
        ("replace_document_text", {"replacements": [{"find": "apples", "replace": "figs"}]}, {BODY}),
        ("replace_document_text", {"replacements": [{"find": "Acme", "replace": "Bolt"}]}, {"word/footer1.xml"}),
        ("format_document", {"edits": [{"define": "Quote", "look": {"bold": True}}]}, {"word/styles.xml"}),
        ("set_page_layout", {"layouts": [{"paper": "Letter"}]}, {BODY}),
        ("set_document_properties", {"properties": {"title": "New"}}, {"docProps/core.xml"}),
        ("edit_document_images", {"edits": [{"image": 1, "op": "describe", "alt": "Navy"}]}, {BODY}),
    ],
)
def test_an_edit_changes_the_parts_that_it_concerns_and_no_other(
    done: Call, report: Path, tool: str, arguments: dict[str, Any], parts: set[Any]
) -> None:
    before = papers.read_parts(report)
    done(tool, path="report.docx", **arguments)
    assert papers.list_changed(before, papers.read_parts(report)) == parts


def test_what_we_write_opens_in_libreoffice_with_its_text(done: Call, files: Path, tmp_path: Path) -> None:
    done("create_document", path="new.docx", title="Plan")
    insert_blocks(
        done,
        "new.docx",
        {"kind": "heading", "text": "Start"},
        {"kind": "bullet", "text": "one"},
        {"kind": "quote", "text": "q"},
    )
    insert_blocks(
        done,
        "new.docx",
        {"kind": "table", "rows": [["a", "b"], ["1", "2"]]},
        {"kind": "code", "text": "x = 1\ny"},
        {"kind": "rule"},
    )
    paper = docx.Document(str(papers.resave_document(files / "new.docx", tmp_path)))
    assert [paragraph.text for paragraph in paper.paragraphs] == ["Plan", "Start", "one", "q", "x = 1", "y", ""]
    assert paper.tables[0].cell(1, 1).text == "2"


def test_a_tracked_edit_marks_whole_words_and_numbers(done: Call, anchor: Callable[..., str], files: Path) -> None:
    done("edit_blocks", path="p.docx", edits=[{"op": "insert", "blocks": [{"text": "Pay EUR 94,500 in finance."}]}])
    edit = {"op": "set_text", "anchor": anchor("p.docx", "Pay"), "text": "Pay EUR 91,200 in finances."}
    done("edit_blocks", path="p.docx", edits=[edit], track=True, author="Ann")
    changes = done("read_annotations", path="p.docx", kind="changes")["changes"]
    assert [change["text"] for change in changes] == ["94,500", "91,200", "finance", "finances"]
    again = {"op": "set_text", "anchor": anchor("p.docx", "Pay"), "text": "Pay EUR 91,300 in finances."}
    done("settle_changes", path="p.docx", action="accept")
    done("edit_blocks", path="p.docx", edits=[again], track=True, author="Ann")
    changes = done("read_annotations", path="p.docx", kind="changes")["changes"]
    assert [change["text"] for change in changes] == ["91,200", "91,300"]
