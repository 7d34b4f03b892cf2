"""What pages and converted files show of a document: numbers of lists, notes, alignments, links, formulas, headers."""

import copy
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.oxml.ns import qn
from docx.shared import Cm
from lxml import etree, html
from support import papers
from support.answers import Call

from yardkit.servers.documents.engine.formulas.latex_parser import to_omml
from yardkit.servers.documents.engine.formulas.latex_writer import to_latex


@pytest.fixture
def write(done: Call) -> Any:
    """Write a new document of some blocks."""

    def insert_blocks(path: Any, *blocks: Any, **place: Any) -> None:
        done("edit_blocks", path=path, edits=[{"op": "insert", "blocks": list(blocks), **place}])

    return insert_blocks


def make_numbered_items(*texts: Any) -> Any:
    return [{"kind": "number", "text": text} for text in texts]


def list_labels(done: Any, path: Any) -> Any:
    return [block["label"] for block in done("read_document", path=path)["blocks"] if "label" in block]


def test_items_that_a_redline_brings_are_numbered_in_the_list_they_join(
    done: Call, write: Any, anchor: Callable[..., str]
) -> None:
    write("old.docx", *make_numbered_items("Weigh", "Strap"))
    write("new.docx", *make_numbered_items("Weigh", "Look", "Strap"))
    done("write_redline", path="old.docx", other="new.docx", target="redline.docx")
    assert list_labels(done, "redline.docx") == ["1.", "2.", "3."]


def test_a_document_from_a_template_has_its_headers_and_none_of_its_notes(
    done: Call, write: Any, anchor: Callable[..., str], files: Path
) -> None:
    write("t.docx", {"text": "One"}, {"kind": "section_break"}, {"text": "Two"})
    done("set_page_layout", path="t.docx", layouts=[{"header": "Alder", "section": 1}])
    done("edit_notes", path="t.docx", edits=[{"op": "add", "anchor": anchor("t.docx", "One"), "note": "Secret"}])
    done("edit_comments", path="t.docx", edits=[{"op": "add", "anchor": anchor("t.docx", "Two"), "comment": "Secret"}])
    (files / "a.md").write_text("Text[^1].\n\n[^1]: Note.")
    done("convert_document", path="a.md", target="a.docx", template="t.docx")
    parts = papers.read_parts(files / "a.docx")
    assert b"Secret" not in b"".join(parts.values())
    assert b"Note." in parts["word/footnotes.xml"]
    assert docx.Document(str(files / "a.docx")).sections[0].header.paragraphs[0].text == "Alder"


def test_front_matter_of_markdown_is_no_text(done: Call, files: Path) -> None:
    (files / "a.md").write_text("---\ntitle: Rules\n---\n\n# Rules\n\n---\n\nText: more\n")
    done("convert_document", path="a.md", target="a.docx")
    assert [paragraph.text for paragraph in docx.Document(str(files / "a.docx")).paragraphs] == [
        "Rules",
        "",
        "Text: more",
    ]


def test_web_pages_and_markdown_keep_what_lists_count(done: Call, write: Any, files: Path) -> None:
    write("a.docx", *make_numbered_items("one", "two"), {"kind": "number", "text": "inner", "level": 2})
    write("a.docx", {"kind": "number", "text": "anew", "restart": True})
    done("convert_document", path="a.docx", target="a.html")
    first, second = html.fromstring((files / "a.html").read_text()).findall("body/ol")
    assert len(first) == 2
    assert first.find("li/ol").get("type") == "a"
    assert second.get("start") is None
    assert second[0].text == "anew"
    done("convert_document", path="a.docx", target="a.md")
    done("convert_document", path="a.md", target="b.docx")
    assert list_labels(done, "b.docx") == ["1.", "2.", "a)", "1."]


def test_web_pages_keep_alignments_and_the_targets_of_links(
    done: Call, write: Any, anchor: Callable[..., str], files: Path
) -> None:
    figures = {"kind": "table", "rows": [["Part", "Price"], ["Bolt", "1.20"]]}
    write("a.docx", {"text": "Middle", "align": "center"}, figures, {"text": "See above"})
    edits = [
        {"op": "bookmark", "anchor": anchor("a.docx", "Middle"), "name": "centre"},
        {"op": "link", "anchor": anchor("a.docx", "See"), "find": "above", "name": "centre"},
    ]
    done("edit_references", path="a.docx", edits=edits)
    done("convert_document", path="a.docx", target="a.html")
    page = html.fromstring((files / "a.html").read_text())
    assert page.xpath("//p[span/@id='centre']/@style") == ["text-align:center"]
    assert page.xpath("//td[.='1.20']/@style") == ["text-align:right"]
    assert page.xpath("//a/@href") == ["#centre"]


def test_a_web_page_has_contents_without_pages_and_looks_of_its_own_for_captions(
    done: Call, write: Any, files: Path
) -> None:
    table = {"kind": "table", "rows": [["Part"], ["Bolt"]]}
    write("a.docx", {"text": "Bolts 2026", "style": "Title"}, {"text": "A list", "style": "Subtitle"}, {"kind": "toc"})
    write("a.docx", {"kind": "heading", "text": "Part I"}, {"kind": "heading", "text": "Prices in 2026", "level": 2})
    write("a.docx", {"kind": "caption", "text": "Bolts", "label": "Table"}, table)
    done("edit_references", path="a.docx", edits=[], update=True)
    done("convert_document", path="a.docx", target="a.html")
    page = html.fromstring((files / "a.html").read_text())
    assert [(element.get("class"), element.text_content()) for element in page.xpath("//p[@class]")] == [
        ("subtitle", "A list"),
        ("toc-heading", "Contents"),
        ("toc toc-1", "Part I"),
        ("toc toc-2", "Prices in 2026"),
        ("caption", "Table 1: Bolts"),
    ]


def test_figures_with_one_unit_stand_to_the_right(done: Call, write: Any, files: Path) -> None:
    rows = [["Van", "Range", "Bought", "Code"], ["A", "220 km", "3 May", "7 b"], ["B", "-", "4 June", "x"]]
    write("a.docx", {"kind": "table", "rows": rows})
    done("convert_document", path="a.docx", target="a.html")
    page = html.fromstring((files / "a.html").read_text())
    assert page.xpath("//*[@style='text-align:right']/text()") == ["Range", "220 km", "-"]


@pytest.mark.parametrize("latex", [r"(a+b)^2", r"\sum_i (x_i-(y+1))^2+[z]_k", r"f(g(x)^2)_n"])
def test_no_closing_bracket_bears_an_exponent_alone(latex: str) -> None:
    math = to_omml(latex)
    bases = {base.findtext("{*}r/{*}t") for base in math.iter("{*}e") if base.getnext() is not None}
    assert not bases & {")", "]"}
    assert "<m:d>" in etree.tostring(math).decode()
    assert to_latex(to_omml(to_latex(math))) == to_latex(math)


def test_a_paragraph_parts_tables_that_would_become_one(
    done: Call, write: Any, anchor: Callable[..., str], files: Path
) -> None:
    table = {"kind": "table", "rows": [["A", "B"], ["1", "2"]]}
    write("t.docx", table, {"text": "Between"}, table, table)
    write("t.docx", table, anchor=anchor("t.docx", "Between"), position="before")
    done(
        "edit_blocks",
        path="t.docx",
        edits=[{"op": "move", "anchor": anchor("t.docx", "table"), "beside": anchor("t.docx", "Between")}],
    )
    (files / "a.html").write_text("<table><tr><td>1</table><table><tr><td>2</table>")
    done("convert_document", path="a.html", target="a.docx")
    for name, count in (("t.docx", 4), ("a.docx", 2)):
        body = [child.tag for child in docx.Document(str(files / name)).element.body]
        tables = [at for at, tag in enumerate(body) if tag.endswith("}tbl")]
        assert len(tables) == count
        assert all(two - first_index > 1 for first_index, two in itertools.pairwise(tables))


def list_tab_stops(part: Any) -> Any:
    return [round(stop.position.cm) for stop in part.paragraphs[0].paragraph_format.tab_stops]


def test_even_pages_keep_the_headers_that_they_had(done: Call, write: Any, files: Path) -> None:
    write("e.docx", {"text": "One"}, {"kind": "section_break"}, {"text": "Two"})
    layouts = [{"header": "Alder", "footer": "{PAGE}"}, {"section": 2, "even_header": "Even"}]
    done("set_page_layout", path="e.docx", layouts=layouts)
    first, second = docx.Document(str(files / "e.docx")).sections
    assert [section.even_page_header.paragraphs[0].text for section in (first, second)] == ["Alder", "Even"]
    assert second.even_page_footer.paragraphs[0].text == "1"
    done("set_page_layout", path="e.docx", layouts=[{"section": 1, "header": "New"}])
    first, second = docx.Document(str(files / "e.docx")).sections
    assert [paragraph.text for part in (first.header, first.even_page_header) for paragraph in part.paragraphs] == [
        "New",
        "New",
    ]
    assert second.even_page_header.paragraphs[0].text == "Even"


def test_headers_reach_the_right_margin_of_pages_of_every_width(done: Call, write: Any, files: Path) -> None:
    write("w.docx", {"text": "One"}, {"kind": "section_break"}, {"text": "Two"}, {"kind": "section_break"})
    wide = {"section": 2, "orientation": "landscape"}
    answer = done("set_page_layout", path="w.docx", layouts=[{"header": "Left\t\tRight"}, wide])
    assert answer["done"] == "Set the layout of 3 sections in w.docx"
    sections = docx.Document(str(files / "w.docx")).sections
    assert [list_tab_stops(section.header) for section in sections] == [[8, 16], [12, 25], [8, 16]]
    assert {section.header.paragraphs[0].text for section in sections} == {"Left\t\tRight"}
    done("set_page_layout", path="w.docx", layouts=[{"section": 2, "orientation": "portrait"}])
    assert list_tab_stops(docx.Document(str(files / "w.docx")).sections[1].header) == [8, 16]


def test_equations_behind_one_block_stand_in_the_order_given_and_off_the_words(
    done: Call, write: Any, anchor: Callable[..., str], files: Path
) -> None:
    write("q.docx", {"text": "Sum"})
    place = {"op": "add", "anchor": anchor("q.docx", "Sum")}
    edits = [{**place, "latex": latex, "display": latex != "z"} for latex in ("a", "b", "z")]
    done("edit_equations", path="q.docx", edits=edits)
    equations = done("read_annotations", path="q.docx", kind="equations")["equations"]
    assert [equation["latex"] for equation in equations] == ["z", "a", "b"]
    assert done("read_document", path="q.docx")["blocks"][0]["text"] == "Sum $z$"


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("DATE \\@ d MMMM yyyy", 'DATE \\@ "d MMMM yyyy"'),
        ('DATE \\@ "yyyy"', 'DATE \\@ "yyyy"'),
        ("DATE \\@ yyyy-MM-dd \\* MERGEFORMAT", 'DATE \\@ "yyyy-MM-dd" \\* MERGEFORMAT'),
    ],
)
def test_pictures_of_dates_are_written_in_quotes(done: Call, write: Any, files: Path, code: str, written: str) -> None:
    write("d.docx", {"text": f"{{{code}}}"})
    assert f" {written} " in docx.Document(str(files / "d.docx")).paragraphs[0]._p.xml.replace("&quot;", '"')


def test_headers_of_sections_that_nobody_names_keep_their_tab_stops(done: Call, write: Any, files: Path) -> None:
    write("k.docx", {"text": "One"}, {"kind": "section_break"}, {"text": "Two"})
    document = docx.Document(str(files / "k.docx"))
    for section in document.sections:
        section.header.is_linked_to_previous = False
        paragraph = section.header.paragraphs[0]
        paragraph.text = "Left\t\tRight"
        for at, kind in ((4, WD_TAB_ALIGNMENT.CENTER), (8, WD_TAB_ALIGNMENT.RIGHT)):
            paragraph.paragraph_format.tab_stops.add_tab_stop(Cm(at), kind)
    document.save(str(files / "k.docx"))
    before = [old_section.header._element.xml for old_section in docx.Document(str(files / "k.docx")).sections]
    done("set_page_layout", path="k.docx", layouts=[{"section": 2, "orientation": "landscape"}])
    assert [new_section.header._element.xml for new_section in docx.Document(str(files / "k.docx")).sections] == before


def test_a_header_that_fitted_goes_with_its_page_and_stays_for_the_sections_that_share_it(
    done: Call, write: Any, files: Path
) -> None:
    write("s.docx", {"text": "One"}, {"kind": "section_break"}, {"text": "Two"})
    done("set_page_layout", path="s.docx", layouts=[{"header": "Left\t\tRight"}])
    document = docx.Document(str(files / "s.docx"))
    shared = document.sections[0]._sectPr.find(qn("w:headerReference"))
    document.sections[1]._sectPr.insert(0, copy.deepcopy(shared))
    document.save(str(files / "s.docx"))
    done("set_page_layout", path="s.docx", layouts=[{"section": 2, "orientation": "landscape"}])
    assert [list_tab_stops(section.header) for section in docx.Document(str(files / "s.docx")).sections] == [
        [8, 16],
        [12, 25],
    ]
