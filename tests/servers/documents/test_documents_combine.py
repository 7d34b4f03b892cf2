"""Documents compared, merged, filled from rows, and converted from and to Markdown and HTML."""

import shutil
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import docx
import openpyxl
import openpyxl.chart
import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from support.scale import count_tries

from yardkit.servers.documents.engine.combine import comparison, mail_merge
from yardkit.servers.documents.engine.markup.paragraph_text import block_text
from yardkit.servers.documents.engine.markup.tracking import Tracker
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review import revisions

NOW = datetime(2026, 3, 16, 9, tzinfo=UTC)
MARKDOWN = """# Report on *things*

Intro with **bold**, *italic*, `code`, ~~gone~~, a [link](https://example.org/a?b=1) and $E=mc^{2}$[^1]. 5 \\< 6.

$$\\frac{a}{b}$$

## List

- one
- two with **bold**
  1. inner a
  2. inner b

> Quoted text

```
def f(x):
    return x  # $no math$ [^1]
```

| Name | Amount |
| --- | --- |
| Ann | 1,200 |
| a \\| b | **30** |

![A picture](same_media/image1.png)

---

Costs $5 and $10.

[^1]: Einstein.
"""


def body_text(path: Path) -> str:
    return block_text(Document.open(path).body)


def write_document(path: Path, paragraphs: list[str], rows: list[list[str]]) -> None:
    document = docx.Document()
    for text in paragraphs:
        document.add_paragraph(text)
    table = document.add_table(len(rows), 2)
    for row, cells in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    document.add_paragraph("end")
    document.save(str(path))


_words = st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "one", "two"]), max_size=6).map(" ".join)
_papers = st.tuples(
    st.lists(_words, max_size=5), st.lists(st.lists(_words, min_size=2, max_size=2), min_size=1, max_size=3)
)


@settings(max_examples=count_tries(40, 10))
@given(_papers, _papers)
def test_a_redline_accepted_is_the_new_document_and_rejected_the_old_one(
    tmp_path_factory: pytest.TempPathFactory,
    old: tuple[list[str], list[list[str]]],
    new: tuple[list[str], list[list[str]]],
) -> None:
    folder = tmp_path_factory.mktemp("redline")
    write_document(folder / "old.docx", *old)
    write_document(folder / "new.docx", *new)
    redline = comparison.make_redline(
        Document.open(folder / "old.docx"), Document.open(folder / "new.docx"), Tracker("Ann", NOW)
    )
    redline.save(folder / "red.docx")
    for accept, name in ((True, "new.docx"), (False, "old.docx")):
        document = Document.open(folder / "red.docx")
        if revisions.read_changes(document):
            revisions.settle_changes(document, revisions.Which(), accept=accept)
        assert block_text(document.body) == body_text(folder / name)
        assert not revisions.read_changes(document)


def test_differences_name_words_rows_and_paragraphs(files: Path, done: Callable[..., Any]) -> None:
    write_document(files / "a.docx", ["Payment is due in 30 days.", "Old clause.", "Same."], [["x", "1"], ["y", "2"]])
    write_document(
        files / "b.docx", ["Payment is due in 60 days.", "Same.", "Brand new."], [["x", "1"], ["y", "3"], ["z", "4"]]
    )
    differences = done("write_redline", path="a.docx", other="b.docx", target="r.docx", author="Ann")["differences"]
    assert [
        (difference["kind"], difference.get("old", ""), difference.get("new", "")) for difference in differences
    ] == [
        ("changed", "Payment is due in 30 days.", "Payment is due in 60 days."),
        ("deleted", "Old clause.", ""),
        ("inserted", "", "Brand new."),
        ("changed", "2", "3"),
        ("inserted", "", "z | 4"),
    ]
    changes = done("read_annotations", path="r.docx", kind="changes")["changes"]
    assert {change["author"] for change in changes} == {"Ann"}
    assert [change["text"] for change in changes if change["anchor"] == changes[0]["anchor"]] == ["30", "60"]


def test_merged_documents_keep_styles_lists_pictures_notes_and_headers(files: Path, done: Callable[..., Any]) -> None:
    for name, color in (("one", "red"), ("two", "blue")):
        Image.new("RGB", (20, 20), color).save(files / f"{name}.png")
        document = docx.Document()
        document.sections[0].header.paragraphs[0].text = f"header {name}"
        document.sections[0].page_width = Cm(20 if name == "one" else 25)
        own = document.styles.add_style("Own", 1) if name == "two" else document.styles["Normal"]
        document.add_paragraph(f"text {name}", style=own)
        document.add_paragraph("item", style="List Number")
        document.add_picture(str(files / f"{name}.png"))
        document.save(str(files / f"{name}.docx"))
        done("edit_notes", path=f"{name}.docx", edits=[{"op": "add", "text": f"text {name}", "note": f"note {name}"}])
        edits = [{"op": "add", "text": f"text {name}", "comment": f"comment {name}"}]
        done("edit_comments", path=f"{name}.docx", edits=edits)
    done("merge_documents", paths=["one.docx", "two.docx"], target="all.docx")
    merged_document = docx.Document(str(files / "all.docx"))
    assert [section.header.paragraphs[0].text for section in merged_document.sections] == ["header one", "header two"]
    assert [round(section.page_width.cm) for section in merged_document.sections] == [20, 25]
    assert [p.style.name for p in merged_document.paragraphs if p.text.startswith("text")] == ["Normal", "Own"]
    pictures = [
        merged_document.part.related_parts[blip.get(qn("r:embed"))].blob
        for blip in merged_document.element.body.iter(qn("a:blip"))
    ]
    assert pictures == [(files / "one.png").read_bytes(), (files / "two.png").read_bytes()]
    assert [note["note"] for note in done("read_annotations", path="all.docx", kind="notes")["notes"]] == [
        "note one",
        "note two",
    ]
    comments = done("read_annotations", path="all.docx", kind="comments")["comments"]
    assert [(comment["comment"], comment["on"]) for comment in comments] == [
        ("comment one", "text one"),
        ("comment two", "text two"),
    ]
    ids = [doc_pr.get("id") for doc_pr in merged_document.element.body.iter(qn("wp:docPr"))]
    assert len(ids) == len(set(ids)) == 2


@pytest.fixture
def letter(files: Path) -> Path:
    """A template with placeholders across runs, in a header and a table, and both kinds of merge fields."""
    document = docx.Document()
    paragraph = document.add_paragraph("Dear {{Na")
    paragraph.add_run("me}}").bold = True
    paragraph.add_run(", you owe ")
    simple = OxmlElement("w:fldSimple")
    simple.set(qn("w:instr"), ' MERGEFIELD Amount \\# "0.00" ')
    simple.append(paragraph.add_run("«Amount»")._r)
    paragraph._p.append(simple)
    for kind, text in (
        ("begin", ""),
        ("", " MERGEFIELD Name \\* Upper "),
        ("separate", ""),
        ("t", "«Name»"),
        ("end", ""),
    ):
        run = paragraph.add_run("" if kind != "t" else text)
        if kind in ("begin", "separate", "end"):
            mark = OxmlElement("w:fldChar")
            mark.set(qn("w:fldCharType"), kind)
            run._r.append(mark)
        elif not kind:
            code = OxmlElement("w:instrText")
            code.text = text
            run._r.append(code)
    document.sections[0].header.paragraphs[0].text = "For {{ name }}"
    document.add_table(1, 1).cell(0, 0).text = "{{City}}"
    document.save(str(files / "letter.docx"))
    return files / "letter.docx"


def test_rows_of_a_workbook_fill_letters_one_by_one(files: Path, letter: Path, done: Callable[..., Any]) -> None:
    book = openpyxl.Workbook()
    for row in (["Name", "Amount", "City"], ["Ann", 12.5, "Köln"], ["Bob", 7, "Rom"]):
        book.active.append(row)
    book.save(files / "people.xlsx")
    done("fill_template", template="letter.docx", source="people.xlsx", folder="out", name="Letter {{Name}}")
    document = docx.Document(str(files / "out" / "Letter Ann.docx"))
    assert document.paragraphs[0].text == "Dear Ann, you owe 12.50ANN"
    assert document.sections[0].header.paragraphs[0].text == "For Ann"
    assert document.tables[0].cell(0, 0).text == "Köln"
    assert b"MERGEFIELD" not in zipfile.ZipFile(files / "out" / "Letter Bob.docx").read("word/document.xml")
    assert mail_merge.list_placeholders(Document.open(files / "out" / "Letter Bob.docx")) == []


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml", "[Content_Types].xml"])
@pytest.mark.parametrize("bad", [b"<a><b></a>", b"", b"<worksheet/>"])
def test_a_damaged_workbook_fills_no_letters(
    files: Path, letter: Path, call: Callable[..., Any], part: str, bad: bytes
) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Name"])
    book.active.append(["Ann"])
    book.save(files / "good.xlsx")
    with zipfile.ZipFile(files / "good.xlsx") as good, zipfile.ZipFile(files / "bad.xlsx", "w") as damaged_archive:
        for name in good.namelist():
            damaged_archive.writestr(name, bad if name == part else good.read(name))
    answer = call("fill_template", template="letter.docx", source="bad.xlsx", target="all.docx")
    assert answer.is_error
    assert "internal" not in answer.content[0].text
    assert "bad.xlsx" in answer.content[0].text
    assert not (files / "all.docx").exists()


def test_a_sheet_of_charts_fills_no_letters(files: Path, letter: Path, call: Callable[..., Any]) -> None:
    book = openpyxl.Workbook()
    book.create_chartsheet("Chart", 0).add_chart(openpyxl.chart.BarChart())
    book["Sheet"].append(["Name", "Amount", "City"])
    book["Sheet"].append(["Ann", 1, "Rom"])
    book.save(files / "b.xlsx")
    refused = call("fill_template", template="letter.docx", source="b.xlsx", sheet="Chart", target="all.docx")
    assert "no sheet 'Chart' with cells; it has Sheet" in refused.content[0].text
    assert not call("fill_template", template="letter.docx", source="b.xlsx", target="all.docx").is_error


def test_one_document_holds_all_letters_with_their_own_headers(
    files: Path, letter: Path, done: Callable[..., Any]
) -> None:
    (files / "p.csv").write_text("Name;Amount;City\nAnn;12,5;Köln\nBob;7;Rom\n", "utf-8")
    done("fill_template", template="letter.docx", source="p.csv", target="all.docx")
    document = docx.Document(str(files / "all.docx"))
    assert [section.header.paragraphs[0].text for section in document.sections] == ["For Ann", "For Bob"]
    assert [p.text for p in document.paragraphs if p.text] == [
        "Dear Ann, you owe 12.50ANN",
        "Dear Bob, you owe 7.00BOB",
    ]


def test_numbers_are_filled_in_as_they_are_written(files: Path, letter: Path, done: Callable[..., Any]) -> None:
    done("fill_template", template="letter.docx", rows=[{"Name": "Ann", "Amount": 12, "City": None}], target="all.docx")
    document = docx.Document(str(files / "all.docx"))
    assert [p.text for p in document.paragraphs if p.text] == ["Dear Ann, you owe 12.00ANN"]


def test_the_pages_of_every_letter_are_counted_from_one(files: Path, letter: Path, done: Callable[..., Any]) -> None:
    rows = [{"Name": name, "Amount": "1", "City": "Rom"} for name in ("Ann", "Bob", "Cem")]
    done("fill_template", template="letter.docx", rows=rows, target="all.docx")
    document = docx.Document(str(files / "all.docx"))
    starts = [section._sectPr.xpath("string(w:pgNumType/@w:start)") for section in document.sections]
    assert starts == ["1", "1", "1"]


def test_a_placeholder_without_column_is_refused_and_nothing_is_written(
    files: Path, letter: Path, call: Callable[..., Any]
) -> None:
    answer = call("fill_template", template="letter.docx", rows=[{"Name": "Ann"}], target="all.docx")
    assert answer.is_error
    assert "City" in answer.content[0].text
    assert not (files / "all.docx").exists()


def test_markdown_comes_back_as_it_was_and_through_html_too(files: Path, done: Callable[..., Any]) -> None:
    (files / "same_media").mkdir()
    Image.new("RGB", (60, 30), "teal").save(files / "same_media" / "image1.png")
    (files / "in.md").write_text(MARKDOWN, "utf-8")
    done("convert_document", path="in.md", target="a.docx")
    shutil.rmtree(files / "same_media")
    done("convert_document", path="a.docx", target="same.md")
    assert (files / "same.md").read_text("utf-8") == MARKDOWN
    done("convert_document", path="a.docx", target="a.html")
    done("convert_document", path="a.html", target="b.docx")
    shutil.rmtree(files / "same_media")
    done("convert_document", path="b.docx", target="same.md")
    assert (files / "same.md").read_text("utf-8") == MARKDOWN


def test_pictures_are_neither_fetched_nor_read_from_outside(files: Path, done: Callable[..., Any]) -> None:
    (files.parent / "secret.png").write_bytes(b"x")
    (files / "in.html").write_text(
        '<p>See <img src="http://127.0.0.1:1/x.png" alt="far"><img src="../secret.png"></p><script>no</script>', "utf-8"
    )
    notes = done("convert_document", path="in.html", target="a.docx")["notes"]
    assert len(notes) == 2
    assert body_text(files / "a.docx") == "See [far][../secret.png]"


def test_joined_cells_of_html_are_joined_in_the_document(files: Path, done: Callable[..., Any]) -> None:
    (files / "in.html").write_text(
        "<table><tr><th colspan=2>Both</th></tr><tr><td rowspan=2>a</td><td>b</td></tr><tr><td>c</td></tr></table>",
        "utf-8",
    )
    done("convert_document", path="in.html", target="a.docx")
    table = docx.Document(str(files / "a.docx")).tables[0]
    assert [[cell.text for cell in row.cells] for row in table.rows] == [["Both", "Both"], ["a", "b"], ["a", "c"]]


def test_items_with_boxes_come_back_as_such(files: Path, done: Callable[..., Any]) -> None:
    text = "- [x] done\n- [ ] open\n"
    (files / "in.md").write_text(text, "utf-8")
    done("convert_document", path="in.md", target="a.docx")
    assert body_text(files / "a.docx").splitlines() == ["\u2611 done", "\u2610 open"]
    done("convert_document", path="a.docx", target="out.md")
    assert (files / "out.md").read_text("utf-8") == text


def test_text_of_html_is_aligned_as_it_says(files: Path, done: Callable[..., Any]) -> None:
    (files / "in.html").write_text(
        "<h1 align=right>a</h1><p style='color: red; text-align: center'>b</p><p>c</p>"
        "<table><tr><th style='text-align:center'>d</th></tr><tr><td align=center>1</td></tr></table>",
        "utf-8",
    )
    done("convert_document", path="in.html", target="a.docx")
    document = docx.Document(str(files / "a.docx"))
    right, center = WD_ALIGN_PARAGRAPH.RIGHT, WD_ALIGN_PARAGRAPH.CENTER
    assert [paragraph.alignment for paragraph in document.paragraphs[:3]] == [right, center, None]
    assert [row.cells[0].paragraphs[0].alignment for row in document.tables[0].rows] == [center, center]


def test_what_follows_a_table_keeps_a_distance(files: Path, done: Callable[..., Any]) -> None:
    table = {"kind": "table", "rows": [["a"], ["1"]]}
    blocks = [
        table,
        {"text": "Text"},
        table,
        {"kind": "bullet", "text": "Item"},
        table,
        {"kind": "heading", "text": "H"},
    ]
    done("edit_blocks", path="a.docx", edits=[{"op": "insert", "blocks": blocks}])
    (files / "in.md").write_text("| a |\n| - |\n| 1 |\n\n- Item\n", "utf-8")
    done("convert_document", path="in.md", target="b.docx")
    below = [
        paragraph
        for name in ("a.docx", "b.docx")
        for paragraph in docx.Document(str(files / name)).paragraphs
        if paragraph.text
    ]
    spaces = {paragraph.text: paragraph.paragraph_format.space_before for paragraph in below}
    assert spaces == {"Text": Pt(8), "Item": Pt(8), "H": None}  # a heading brings its own
