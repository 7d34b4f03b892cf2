"""Links of Markdown and HTML lead somewhere in the document that is made of them, and the other way round."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from docx import Document

GUIDE = """# Guide

- [Two words](#two-words)
- [Again](#two-words-1)
- [A place](#here)
- [File](pics/x%20y.html#a)
- [Top](#)

## Two words

Text <a id="here"></a>here.

## Two words

End. [back to *Guide*](#guide)
"""


def test_links_of_markdown_come_back_as_they_were(files: Path, done: Callable[..., Any]) -> None:
    (files / "a.md").write_text(GUIDE)
    assert "notes" not in done("convert_document", path="a.md", target="a.docx")
    done("convert_document", path="a.docx", target="b.md")
    assert (files / "b.md").read_text() == GUIDE
    done("convert_document", path="a.docx", target="b.html")
    done("convert_document", path="b.html", target="c.docx")
    done("convert_document", path="c.docx", target="c.md")
    assert (files / "c.md").read_text() == GUIDE


def test_links_within_a_text_lead_to_their_pages_in_a_pdf(files: Path, done: Callable[..., Any]) -> None:
    (files / "a.html").write_text(
        '<p><a href="#second-part">see</a></p>' + "<p>x</p>" * 80 + '<div id="second-part"><p>There</p></div>'
    )
    done("convert_document", path="a.html", target="a.pdf")
    with pikepdf.open(files / "a.pdf") as pdf:
        link = pdf.pages[0].Annots[0]
        target = link.A.D if "/A" in link else link.Dest
        assert target[0].objgen != pdf.pages[0].objgen


def test_a_link_to_nothing_is_text_and_told(files: Path, done: Callable[..., Any]) -> None:
    (files / "a.html").write_text('<a href="#nope">Lost</a> and <a href="javascript:x">odd</a>')
    notes = done("convert_document", path="a.html", target="a.docx")["notes"]
    assert [("nope" in note, "javascript" in note) for note in notes] == [(True, False), (False, True)]
    runs = Document(str(files / "a.docx")).paragraphs[0].runs
    assert "".join(run.text for run in runs) == "Lost and odd"
    assert not Document(str(files / "a.docx")).element.body.xpath(".//w:rStyle | .//w:hyperlink")


def test_addresses_of_files_are_seen_from_the_folder_of_the_document(files: Path, done: Callable[..., Any]) -> None:
    (files / "in").mkdir()
    (files / "in" / "a.md").write_text("[a](b.md) [c](../d.md?x#y) [e](https://f.example/g)\n")
    done("convert_document", path="in/a.md", target="out/a.docx")
    part = Document(str(files / "out" / "a.docx")).part
    targets = [rel.target_ref for rel in part.rels.values() if rel.is_external]
    assert targets == ["../in/b.md", "../d.md?x#y", "https://f.example/g"]


@pytest.mark.parametrize("identity", ["1-start", "ümlaut", "a" * 60, "x y", "_", "a.b:c"])
def test_any_id_becomes_a_name_that_word_takes(files: Path, done: Callable[..., Any], identity: str) -> None:
    (files / "a.html").write_text(
        f'<meta charset="utf-8"><p><a href="#{identity}">see</a> <a href="#other">o</a></p>'
        f'<p id="{identity}">here</p><p id="other">there</p>'
    )
    assert "notes" not in done("convert_document", path="a.html", target="a.docx")
    body = Document(str(files / "a.docx")).element.body
    links = body.xpath(".//w:hyperlink/@w:anchor")
    assert links == body.xpath(".//w:bookmarkStart/@w:name")
    assert len(set(links)) == 2
    assert all(len(name) <= 40 and name.replace("_", "a").isalnum() and not name[0].isdigit() for name in links)
