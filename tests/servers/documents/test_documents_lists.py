"""Lists converted from and to Markdown and HTML: where they begin, and what stands in their items."""

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from lxml import html
from support.answers import Call


def list_labels(done: Any, path: Any) -> Any:
    return [block["label"] for block in done("read_document", path=path)["blocks"] if "label" in block]


def test_a_box_is_the_only_mark_of_its_item(done: Call, files: Path) -> None:
    (files / "a.md").write_text("- [x] done\n- plain\n- [ ] open\n  - [ ] inner\n")
    done("convert_document", path="a.md", target="a.docx")
    blocks = done("read_document", path="a.docx")["blocks"]
    assert [(block.get("label", ""), block["text"]) for block in blocks] == [
        ("", "\u2611 done"),
        ("\u2022", "plain"),
        ("", "\u2610 open"),
        ("", "\u2610 inner"),
    ]
    done("convert_document", path="a.docx", target="a.html")
    classes = [item.get("class") for item in html.fromstring((files / "a.html").read_text()).iter("li")]
    assert classes == ["task", None, "task", "task"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "5. five\n6. six\n\nWords.\n\n1. anew\n"),
        ("a.html", "<ol start=5><li>five<li>six</ol><p>Words.</p><ol><li>anew</ol>"),
    ],
)
def test_lists_begin_with_the_number_they_say(done: Call, files: Path, name: str, text: str) -> None:
    (files / name).write_text(text)
    done("convert_document", path=name, target="b.docx")
    assert list_labels(done, "b.docx") == ["5.", "6.", "1."]
    done("convert_document", path="b.docx", target="c.md")
    assert (files / "c.md").read_text() == "5. five\n6. six\n\nWords.\n\n1. anew\n"


def test_inner_lists_begin_with_the_number_they_say_and_the_outer_one_counts_on(done: Call, files: Path) -> None:
    text = "1. one\n\n   3. three\n   4. four\n2. two\n   1. first\n"
    (files / "a.md").write_text(text)
    done("convert_document", path="a.md", target="b.docx")
    assert list_labels(done, "b.docx") == ["1.", "c)", "d)", "2.", "a)"]
    done("convert_document", path="b.docx", target="c.md")
    assert (files / "c.md").read_text() == text


def test_items_of_html_have_the_numbers_they_state_and_the_list_counts_on_from_them(done: Call, files: Path) -> None:
    (files / "a.html").write_text(
        "<ol><li>one<li value=4>four<ol><li>in<li value=3>in</ol><li>five<li value=x>six</ol>"
        "<ol reversed><li>three<li>two<li>one</ol><ol reversed start=11><li>eleven<li>ten</ol>"
    )
    done("convert_document", path="a.html", target="b.docx")
    assert list_labels(done, "b.docx") == ["1.", "4.", "a)", "c)", "5.", "6.", "3.", "2.", "1.", "11.", "10."]
    done("convert_document", path="b.docx", target="b.txt")
    assert (files / "b.txt").read_text("utf-8-sig").split()[::2] == list_labels(done, "b.docx")


def test_lists_of_html_count_in_the_letters_or_numerals_they_state(done: Call, files: Path) -> None:
    (files / "a.html").write_text(
        '<ol type="A"><li>x<ol type="i"><li>x<li>x</ol><li>x</ol><ol style="list-style-type: lower-alpha"><li>x</ol>'
    )
    done("convert_document", path="a.html", target="b.docx")
    assert list_labels(done, "b.docx") == ["A.", "i)", "ii)", "B.", "a."]
    done("convert_document", path="b.docx", target="b.txt")
    assert (files / "b.txt").read_text("utf-8-sig").split()[::2] == list_labels(done, "b.docx")


def test_pages_of_libreoffice_show_the_number_a_list_begins_with(done: Call, files: Path) -> None:
    (files / "a.md").write_text("5. five\n6. six\n")
    done("convert_document", path="a.md", target="b.docx")
    done("convert_document", path="b.docx", target="b.txt")
    assert (files / "b.txt").read_text("utf-8-sig").split() == ["5.", "five", "6.", "six"]


def test_code_in_an_inner_item_stays_there_and_the_list_goes_on(done: Call, files: Path) -> None:
    text = "1. one\n   1. sub\n      ```\n      code\n\n      more\n      ```\n   2. sub2\n2. two\n"
    (files / "a.md").write_text(text)
    done("convert_document", path="a.md", target="b.docx")
    assert list_labels(done, "b.docx") == ["1.", "a)", "b)", "2."]
    done("convert_document", path="b.docx", target="c.md")
    assert (files / "c.md").read_text() == text


def test_blocks_of_html_stay_apart_within_links_and_forms_and_captions_are_kept(done: Call, files: Path) -> None:
    (files / "a.html").write_text(
        "<table><caption>Sales</caption><tr><td>1<td><span><p>2</p><p>3</p></span></table>"
        "<details><summary>More</summary>body</details>"
        '<a href="https://example.org/"><h2>Card</h2><p>words</p></a><fieldset><legend>Who</legend>name</fieldset>'
        "<center>mid</center>tail<ul><li><b><p>x</p><p>y</p></b></ul>"
    )
    done("convert_document", path="a.html", target="b.docx")
    blocks = done("read_document", path="b.docx")["blocks"]
    texts = [block.get("text") or block["rows"] for block in blocks]
    table = [["1", "2\n3"]]
    assert texts[:10] == ["Sales", table, "More", "body", "Card", "words", "Who", "name", "mid", "tail"]
    assert blocks[0]["style"].lower() == "caption"
    assert "[words](https://example.org/)" in done("read_document", path="b.docx", format="markdown")["markdown"]


MARKDOWN = """- **a** *b*
- item one
  ```
  code()

  more
  ```

  after code
- item two
  - deep
    ```
    x
    ```
  - deeper

  back in two
- three

text

1. n1
   ```
   y
   ```
2. n2

```
own
```

1. again
"""


def test_code_and_words_in_items_stay_in_their_items_and_in_their_order(done: Call, files: Path) -> None:
    (files / "a.md").write_text(MARKDOWN)
    done("convert_document", path="a.md", target="b.docx")
    done("convert_document", path="b.docx", target="c.md")
    assert (files / "c.md").read_text() == MARKDOWN


def texts_of(done: Any, files: Any, html: Any) -> Any:
    (files / "a.html").write_text(html)
    done("convert_document", path="a.html", target="b.docx")
    return [block.get("text", "") for block in done("read_document", path="b.docx")["blocks"]]


def test_words_behind_blocks_in_an_item_stay_behind_them(done: Call, files: Path) -> None:
    html = "<ul><li><div>one</div><div><p>two</p><p>three</p></div>four<li>five <ul><li>six</ul> seven</ul>"
    assert texts_of(done, files, html) == ["one", "two", "three", "four", "five", "six", "seven"]


def test_spaces_between_words_of_different_looks_stay(done: Call, files: Path) -> None:
    html = "<b>a</b> <i>b</i> <p>c</p> <ul><li><b>d</b> <i>e</i> </ul>"
    assert texts_of(done, files, html) == ["a b", "c", "d e"]


def test_quotes_and_what_is_filled_into_forms_are_text(done: Call, files: Path) -> None:
    html = (
        "<p>He said <q>yes <q>no</q> <b>x</b></q>.</p><form><input type=hidden value=h><p>Name <input value='Ann Lee'>"
        "<p><input type=checkbox checked> agreed <input type=RADIO> or not<p><select><option>one<option selected>two"
        "</select> <textarea>more</textarea> <input type=submit value=Go><input type=password value=secret></form>"
    )
    expected = ["He said “yes \u2018no\u2019 x”.", "Name Ann Lee", "☑ agreed ☐ or not", "two more"]
    assert texts_of(done, files, html) == expected


def test_items_put_into_a_list_look_like_those_beside_them(done: Call, anchor: Callable[..., str], files: Path) -> None:
    document = docx.Document()
    document.add_heading("Steps", 1)
    for text in ("one", "two", "three"):
        document.add_paragraph(text, style="List Number")
    document.save(files / "a.docx")
    new = [
        {"kind": "number", "text": text, "level": level} for text, level in (("x", 1), ("in", 2), ("in", 2), ("y", 1))
    ]
    edits = [{"op": "insert", "anchor": anchor("a.docx", "two"), "blocks": new}]
    done("edit_blocks", path="a.docx", edits=edits)
    items = [block for block in done("read_document", path="a.docx")["blocks"] if block["kind"] == "item"]
    outer = [block for block in items if block["level"] == 1]
    assert {block["style"] for block in outer} == {"List Number"}
    assert [block["label"] for block in items] == ["1.", "2.", "3.", "a)", "b)", "4.", "5."]


def test_items_behind_a_numbered_heading_are_a_list_of_their_own(
    done: Call, anchor: Callable[..., str], files: Path
) -> None:
    (files / "a.md").write_text("# One\n\ntext\n\n# Two\n\ntext\n\n1. item\n")
    done("convert_document", path="a.md", target="a.docx")
    document = docx.Document(files / "a.docx")
    *headings, item = [paragraph for paragraph in document.paragraphs if paragraph.text in ("One", "Two", "item")]
    for heading in headings:
        heading._p.get_or_add_pPr().append(copy.deepcopy(item._p.pPr.numPr))
    document.save(files / "a.docx")
    edits = [{"op": "insert", "anchor": anchor("a.docx", "One"), "blocks": [{"kind": "number", "text": "new"}]}]
    done("edit_blocks", path="a.docx", edits=edits)
    assert list_labels(done, "a.docx") == ["1.", "1.", "2.", "3."]


def test_merged_cells_keep_their_columns_in_markdown(done: Call, files: Path) -> None:
    (files / "a.html").write_text(
        "<table><tr><th rowspan=2>Name</th><th colspan=2>Hours</th></tr><tr><th>Jan</th><th>Feb</th></tr>"
        "<tr><td>Kim</td><td>12</td><td rowspan=2>14</td></tr><tr><td colspan=2>Lu</td></tr></table>"
    )
    done("convert_document", path="a.html", target="a.docx")
    done("convert_document", path="a.docx", target="b.md")
    lines = [line.replace(" ", "") for line in (files / "b.md").read_text().splitlines()]
    assert [line for line in lines if "-" not in line] == ["|Name|Hours||", "||Jan|Feb|", "|Kim|12|14|", "|Lu|||"]
