"""What pages and converted files show of a document: numbers of lists, notes, alignments, links, formulas, headers."""

import docx
import pytest
from lxml import etree, html
from support import papers

from toolyard.servers.documents.engine.latex import to_omml
from toolyard.servers.documents.engine.latexout import to_latex


@pytest.fixture
def write(done):
    """Write a new document of some blocks."""

    def made(path, *blocks, **place):
        done("edit_blocks", path=path, edits=[{"op": "insert", "blocks": list(blocks), **place}])

    return made


def numbers(*texts):
    return [{"kind": "number", "text": text} for text in texts]


def labels(done, path):
    return [block["label"] for block in done("read_document", path=path)["blocks"] if "label" in block]


def test_items_that_a_redline_brings_are_numbered_in_the_list_they_join(done, write, anchor):
    write("old.docx", *numbers("Weigh", "Strap"))
    write("new.docx", *numbers("Weigh", "Look", "Strap"))
    done("compare_documents", path="old.docx", other="new.docx", redline="redline.docx")
    assert labels(done, "redline.docx") == ["1.", "2.", "3."]


def test_a_document_from_a_template_has_its_headers_and_none_of_its_notes(done, write, anchor, files):
    write("t.docx", {"text": "One"}, {"kind": "section_break"}, {"text": "Two"})
    done("set_page_layout", path="t.docx", layouts=[{"header": "Alder", "section": 1}])
    done("edit_notes", path="t.docx", edits=[{"op": "add", "anchor": anchor("t.docx", "One"), "note": "Secret"}])
    done("edit_comments", path="t.docx", edits=[{"op": "add", "anchor": anchor("t.docx", "Two"), "comment": "Secret"}])
    (files / "a.md").write_text("Text[^1].\n\n[^1]: Note.")
    done("convert_document", path="a.md", output="a.docx", template="t.docx")
    parts = papers.parts(files / "a.docx")
    assert b"Secret" not in b"".join(parts.values())
    assert b"Note." in parts["word/footnotes.xml"]
    assert docx.Document(str(files / "a.docx")).sections[0].header.paragraphs[0].text == "Alder"


def test_front_matter_of_markdown_is_no_text(done, files):
    (files / "a.md").write_text("---\ntitle: Rules\n---\n\n# Rules\n\n---\n\nText: more\n")
    done("convert_document", path="a.md", output="a.docx")
    assert [each.text for each in docx.Document(str(files / "a.docx")).paragraphs] == ["Rules", "", "Text: more"]


def test_web_pages_and_markdown_keep_what_lists_count(done, write, files):
    write("a.docx", *numbers("one", "two"), {"kind": "number", "text": "inner", "level": 2})
    write("a.docx", {"kind": "number", "text": "anew", "restart": True})
    done("convert_document", path="a.docx", output="a.html")
    first, second = html.fromstring((files / "a.html").read_text()).findall("body/ol")
    assert len(first) == 2
    assert first.find("li/ol").get("type") == "a"
    assert second.get("start") is None
    assert second[0].text == "anew"
    done("convert_document", path="a.docx", output="a.md")
    done("convert_document", path="a.md", output="b.docx")
    assert labels(done, "b.docx") == ["1.", "2.", "a)", "1."]


def test_web_pages_keep_alignments_and_the_targets_of_links(done, write, anchor, files):
    figures = {"kind": "table", "rows": [["Part", "Price"], ["Bolt", "1.20"]]}
    write("a.docx", {"text": "Middle", "align": "center"}, figures, {"text": "See above"})
    edits = [
        {"op": "bookmark", "anchor": anchor("a.docx", "Middle"), "name": "centre"},
        {"op": "link", "anchor": anchor("a.docx", "See"), "find": "above", "name": "centre"},
    ]
    done("edit_references", path="a.docx", edits=edits)
    done("convert_document", path="a.docx", output="a.html")
    page = html.fromstring((files / "a.html").read_text())
    assert page.xpath("//p[span/@id='centre']/@style") == ["text-align:center"]
    assert page.xpath("//td[.='1.20']/@style") == ["text-align:right"]
    assert page.xpath("//a/@href") == ["#centre"]


@pytest.mark.parametrize("latex", [r"(a+b)^2", r"\sum_i (x_i-(y+1))^2+[z]_k", r"f(g(x)^2)_n"])
def test_no_closing_bracket_bears_an_exponent_alone(latex):
    made = to_omml(latex)
    bases = {base.findtext("{*}r/{*}t") for base in made.iter("{*}e") if base.getnext() is not None}
    assert not bases & {")", "]"}
    assert "<m:d>" in etree.tostring(made).decode()
    assert to_latex(to_omml(to_latex(made))) == to_latex(made)
