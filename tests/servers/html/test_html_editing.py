"""Edits change what they name, and nothing else."""

import re
from pathlib import Path
from typing import Any

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.answers import Call, read_facts, read_text

from yardkit.servers.html.engine.element_edits import Edit, apply_edits
from yardkit.servers.html.engine.source import Page, elements_of, read_page, tag_of, text_of

MESSY = (
    "<!DOCTYPE html>\r\n<HTML lang=en><!-- keep <p> -->\r\n<head><title>A &amp; B</title>\r\n"
    "<script>if (a < b) document.write('</p>');</script>\r\n</head>\r\n"
    "<body CLASS='x y'  data-n = 5>\r\n\t<p title=\"<b>\">One &copy; <b>two<i>three</b>four</i>\r\n"
    "<ul>\r\n  <li>a\r\n  <li id=second>b <img src=x.png alt='y'/> c\r\n</ul>\r\n"
    "<table><tr><td>1<td>2</table>\r\n<input value=v disabled>\r\n</body></html>\r\n"
)


def edit_page(page: str, *edits: Edit) -> str:
    return apply_edits(Page("a.html", page), edits).page.original


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        (Edit("set_text", "title", "X < Y"), "A &amp; B", "X &lt; Y"),
        (Edit("set_text", "#second", "q"), "b <img src=x.png alt='y'/> c\r\n", "q"),
        (Edit("set_html", "td:first-of-type", "<b>7</b>"), "<td>1", "<td><b>7</b>"),
        (Edit("set_attribute", "img", 'it\'s "z"', "alt"), "alt='y'", "alt='it&#39;s \"z\"'"),
        (Edit("set_attribute", "img", "z.png", "src"), "src=x.png", 'src="z.png"'),
        (Edit("set_attribute", "input", "", "required"), "disabled>", 'disabled required="">'),
        (Edit("remove_attribute", "input", name="disabled"), " disabled>", ">"),
        (Edit("remove_attribute", "body", name="data-n"), "  data-n = 5>", ">"),
        (Edit("add_class", "body", "z"), "CLASS='x y'", "CLASS='x y z'"),
        (Edit("remove_class", "body", "x"), "CLASS='x y'", "CLASS='y'"),
        (Edit("remove", "ul"), MESSY[MESSY.index("<ul>") : MESSY.index("<table>")], ""),
        (Edit("replace", "img", "<hr>"), "<img src=x.png alt='y'/>", "<hr>"),
        (Edit("insert", "table", "<p>n</p>\n", where="before"), "<table>", "<p>n</p>\r\n<table>"),
        (Edit("insert", "table", "<p>n</p>", where="after"), "</table>", "</table><p>n</p>"),
        (Edit("insert", "body", "<p>n</p>", where="first"), "data-n = 5>", "data-n = 5><p>n</p>"),
        (Edit("insert", "ul", "<li>d</li>", where="last"), "c\r\n</ul>", "c\r\n<li>d</li></ul>"),
        (
            Edit("wrap", "table", "<div class=t>"),
            "<table><tr><td>1<td>2</table>",
            "<div class=t><table><tr><td>1<td>2</table></div>",
        ),
        (Edit("unwrap", "p > b"), "<b>two<i>three</b>", "two<i>three"),
        (Edit("replace_text", "body", "none", "four"), "four", "none"),
        (Edit("set_text", "script", "a && b"), "if (a < b) document.write('</p>');", "a && b"),
    ],
    ids=lambda value: f"{value.op}-{value.selector}" if isinstance(value, Edit) else "",
)
def test_an_edit_replaces_just_its_range(edit: Edit, old: str, new: str) -> None:
    assert MESSY.count(old) == 1
    if edit.op == "replace_text":
        edit = Edit("replace_text", "body", value="none", name="four")
    assert edit_page(MESSY, edit) == MESSY.replace(old, new)


def test_text_with_character_references_is_replaced_as_it_is_read() -> None:
    page = "<p>A &amp; B</p><p title='A &amp; B'>x</p><!-- A & B --><script>'A & B'</script>"
    changed = edit_page(page, Edit("replace_text", "body, html", value="C < D", name="A & B", match="first"))
    assert changed == page.replace("<p>A &amp; B", "<p>C &lt; D")
    names = "<p>&copy; &#169; &#xA9; © &amp;copy;</p>"
    assert edit_page(names, Edit("replace_text", "p", value="x", name="©")) == "<p>x x x x &amp;copy;</p>"
    assert edit_page(names, Edit("replace_text", "p", value="x", name="&")) == names.replace("&amp;", "x")


def test_a_body_whose_tag_is_not_written_takes_edits_of_its_content() -> None:
    assert edit_page("<title>T</title>\n<p>x</p>\n", Edit("insert", "body", "<hr>", where="first")) == (
        "<title>T</title>\n<hr><p>x</p>\n"
    )
    assert edit_page("<p>x</p>", Edit("insert", "body", "<hr>")) == "<p>x</p><hr>"


def test_edits_are_made_in_order_and_all_or_none(files: Path, call: Call) -> None:
    (files / "a.html").write_bytes(MESSY.encode())
    refused = call(
        "edit_page",
        path="a.html",
        edits=[{"op": "set_text", "selector": "title", "value": "T"}, {"op": "remove", "selector": "#none"}],
    )
    assert refused.is_error
    assert "edit 2 (remove '#none'): nothing on the page matches '#none'" in read_text(refused)
    assert (files / "a.html").read_bytes() == MESSY.encode()
    done = call(
        "edit_page",
        path="a.html",
        edits=[
            {"op": "insert", "selector": "ul", "value": "<li id=third>c</li>"},
            {"op": "set_text", "selector": "#third", "value": "third"},
        ],
    )
    assert read_facts(done)["done"] == "Made 2 edits (elements or places: insert 1, set_text 1)"
    assert b"<li id=third>third</li>" in (files / "a.html").read_bytes()


def test_several_matches_are_named_unless_all_are_meant() -> None:
    with pytest.raises(Exception, match=r"2 elements match: line 9 <li> 'a'; line 10 <li> 'b c'"):
        edit_page(MESSY, Edit("set_text", "li", "x"))
    assert edit_page(MESSY, Edit("add_class", "li", "k", match="all")).count('class="k"') == 2


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (Edit("insert", "p", "<td>x</td>"), "a browser ignores '<td>x</td>'"),
        (Edit("set_text", "img", "x"), "the img element has no content"),
        (Edit("remove", "tbody"), "is not in the file"),
        (Edit("wrap", "table", "text"), "wrap needs one start tag"),
        (Edit("set_attribute", "img", "x", "a b"), "is not a valid attribute name"),
        (Edit("remove_attribute", "img", name="title"), "has no attribute 'title'; it has src, alt"),
        (Edit("replace_text", "body", "x", "not there"), "does not contain the text"),
        (Edit("set_text", "script", "</script>"), "must not contain its own end tag"),
        (Edit("remove", "p["), "is not a valid CSS selector"),
    ],
    ids=lambda value: value.op if isinstance(value, Edit) else "",
)
def test_what_cannot_be_done_is_refused_with_the_reason(edit: Edit, words: str) -> None:
    with pytest.raises(Exception, match=words.replace("(", r"\(").replace("[", r"\[")):
        edit_page(MESSY, edit)


@pytest.mark.parametrize(
    ("data", "added"),
    [
        ("<meta charset=iso-8859-1><p>Gr\xfcn \u20ac</p>\n".encode("cp1252"), "\u4e2d"),
        (b"\xef\xbb\xbf<p>Gr\xc3\xbcn</p>\r\n", "\u4e2d"),
        ("<p>Gr\xfcn</p>".encode("cp1252"), "x"),
        (b"\xff\xfe" + "<p>Gr\xfcn</p>\n".encode("utf-16-le"), "\u4e2d"),
    ],
    ids=["declared", "bom", "undeclared", "utf-16"],
)
def test_the_encoding_of_a_file_stays(files: Path, call: Call, data: bytes, added: str) -> None:
    (files / "a.html").write_bytes(data)
    answer = call("edit_page", path="a.html", edits=[{"op": "insert", "selector": "p", "value": added}])
    assert not answer.is_error, read_text(answer)
    new = (files / "a.html").read_bytes()
    assert text_of(read_page(files / "a.html").select("p")[0]).endswith(added)
    page = read_page(files / "a.html")
    remaining_bytes = page.original.replace(added, "").replace("&#20013;", "").encode(page.encoding)
    assert page.bom + remaining_bytes == data
    assert new != data


TAGS = st.sampled_from(["p", "div", "b", "i", "ul", "li", "table", "tr", "td", "span", "a", "h2", "br", "img", "svg"])
PIECES = st.one_of(
    TAGS.map(lambda tag: f"<{tag}>"),
    TAGS.map(lambda tag: f"</{tag}>"),
    TAGS.map(lambda tag: f"<{tag} title='a>b' x={tag}>"),
    st.sampled_from(
        ["text", " ", "\r\n", "\n", "&amp;", "<!-- c -->", "a < b", "&", "</", "<", "<script>x</p></script>"]
    ),
)


def read_with_html5lib(text: str) -> list[tuple[str, dict[str, str], str]]:
    root = html5lib.parse(text, treebuilder="etree", namespaceHTMLElements=False)
    return [(tag_of(element), dict(element.attrib), text_of(element)) for element in elements_of(root)]


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=25).map("".join))
def test_the_locating_parser_reads_any_page_as_the_standard_parser(text: str) -> None:
    page = Page("a.html", text)
    located_elements = [(tag_of(node), dict(node.attrib), text_of(node)) for node in elements_of(page.root)]
    assert located_elements == read_with_html5lib(text)
    for element in elements_of(page.root):
        place = page.place(element)
        if place.start:
            assert page.text[place.start[0] :].lower().startswith(f"<{tag_of(element).lower()}")
            assert page.text[place.start[1] - 1] == ">"


@settings(max_examples=150)
@given(st.lists(PIECES, max_size=20).map("".join), st.integers(0, 30))
def test_setting_an_attribute_anywhere_changes_nothing_else(text: str, number: int) -> None:
    page = Page("a.html", text)
    written = [element for element in elements_of(page.root) if page.place(element).start]
    if not written:
        return
    target = written[number % len(written)]
    target.set("data-here", "1")
    before = [dict(element.attrib) for element in elements_of(page.root)]
    del target.attrib["data-here"]
    splice_page = apply_edits_to(page, target)
    after = [dict(element.attrib) for element in elements_of(splice_page.root)]
    # The parser gives a copy of a formatting element the attributes of the written one.
    assert {**dict(enumerate(after))}.keys() == {**dict(enumerate(before))}.keys()
    assert sum(attributes.get("data-here") == "1" for attributes in after) >= 1
    strip = [{name: value for name, value in attributes.items() if name != "data-here"} for attributes in after]
    assert strip == [
        {name: value for name, value in attributes.items() if name != "data-here"} for attributes in before
    ]


def apply_edits_to(page: Page, element: Any) -> Page:
    from yardkit.servers.html.engine.element_edits import attribute_splice

    return page.splice([attribute_splice(page, element, "data-here", "1")])


def test_a_table_goes_beside_a_heading_and_not_into_it(files: Path, call: Call) -> None:
    (files / "a.html").write_text("<!doctype html><title>t</title><h2>Sales</h2>")
    refused = call("insert_page_table", path="a.html", selector="h2", rows=[["a"], ["1"]])
    assert refused.is_error
    assert "<h2> can contain only text, not table; insert it with where 'after'" in read_text(refused)
    call("insert_page_table", path="a.html", selector="h2", rows=[["a"], ["1"]], where="after")
    assert "</h2><table>" in (files / "a.html").read_text().replace("\n", "")
    assert not call(
        "edit_page", path="a.html", edits=[{"op": "insert", "selector": "h2", "value": "<b>!</b>"}]
    ).is_error


def test_a_table_is_inserted_from_a_csv_file(files: Path, call: Call) -> None:
    (files / "a.html").write_text("<!DOCTYPE html>\n<main>\n</main>\n")
    (files / "n.csv").write_bytes("Name;Score\nA & B;12,5\nMüller;\n".encode("cp1252"))
    answer = call("insert_page_table", path="a.html", selector="main", source="n.csv", caption="Scores")
    assert read_facts(answer)["done"] == "Inserted a table of 3 rows and 2 columns"
    (table,) = read_facts(call("read_page_tables", path="a.html"))["tables"]
    assert table["rows"] == [["Name", "Score"], ["A & B", "12,5"], ["Müller", ""]]
    assert (table["caption"], table["header_rows"]) == ("Scores", 1)
    assert '<td style="text-align: right">12,5</td>' in (files / "a.html").read_text()
    heads = re.findall("<th[^>]*style=.text-align: (.*?).>(.*?)<", (files / "a.html").read_text())
    assert heads == [("left", "Name"), ("right", "Score")], "headers stand above what they name"
    uneven = call("insert_page_table", path="a.html", selector="main", rows=[["a"], ["b", "c"]])
    assert "different lengths (1, 2)" in read_text(uneven)


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "insert", "selector": "table", "value": "<p>in table</p>", "where": "first"},
        {"op": "set_html", "selector": "#z", "value": "some <b>words</b><div>block</div>"},
        {"op": "set_html", "selector": "table", "value": "<tr><td>1</td></tr><div>2</div>"},
    ],
)
def test_what_a_browser_would_move_out_of_its_element_is_refused(files: Path, call: Call, edit: dict[str, str]) -> None:
    text = "<!DOCTYPE html><title>T</title><table><tr><td>1</table><p id=z>Zed</p>"
    (files / "a.html").write_text(text)
    answer = call("edit_page", path="a.html", edits=[edit])
    assert "a browser moves the " in read_text(answer)
    assert (files / "a.html").read_text() == text


def test_letters_that_the_encoding_lacks_are_refused_in_styles_and_referred_to_in_text(files: Path, call: Call) -> None:
    page = '<!DOCTYPE html><meta charset="iso-8859-1"><title>T</title><style>p {}</style><script>1</script><p>ä</p>'
    (files / "a.html").write_bytes(page.encode("latin-1"))
    for selector, way in (("style", "write \\2192 in CSS"), ("script", "write \\u{2192} in a string")):
        edit = {"op": "set_text", "selector": selector, "value": 'a("→")'}
        assert way in read_text(call("edit_page", path="a.html", edits=[edit]))
    assert (files / "a.html").read_bytes() == page.encode("latin-1")
    read_facts(call("edit_page", path="a.html", edits=[{"op": "set_text", "selector": "p", "value": "ä → 1"}]))
    assert read_facts(call("read_page_text", path="a.html"))["text"] == "ä → 1\n"
