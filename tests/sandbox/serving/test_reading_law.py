"""The law of reading: each word that a file holds comes out of the tools, however deep it stands."""

import json
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given, settings
from hypothesis import strategies as st
from pptx import Presentation
from pptx.util import Cm
from reportlab.lib import colors
from reportlab.platypus import SimpleDocTemplate, Table
from support.scale import count_tries

from yardkit.sandbox.cli import run_command
from yardkit.sandbox.serving.reading.reading_check import check_folder

_VML = 'xmlns:v="urn:schemas-microsoft-com:vml"'
_DEEP = st.recursive(
    st.just("word"),
    lambda inner: st.tuples(st.sampled_from("abcd"), st.lists(inner, min_size=1, max_size=3)),
    max_leaves=6,
)


class Words:
    """Words that are each there once."""

    def __init__(self) -> None:
        self.number = 0

    def make_next(self) -> str:
        self.number += 1
        return f"Word{self.number}x"


def _build_blocks(tree: Any, words: Words) -> str:
    """Blocks of WordprocessingML: paragraphs, tables, text boxes, content controls, links with parts of words."""
    if isinstance(tree, str):
        word = words.make_next()
        return f"<w:p><w:r><w:t>{word[:3]}</w:t></w:r><w:r><w:t>{word[3:]}</w:t></w:r></w:p>"
    kind, parts = tree
    inner = [_build_blocks(part, words) for part in parts]
    if kind == "a":
        cells = "".join(f"<w:tc>{part}<w:p/></w:tc>" for part in inner)
        return f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{cells}</w:tr></w:tbl><w:p/>"
    if kind == "b":
        return f"<w:sdt><w:sdtContent>{''.join(inner)}</w:sdtContent></w:sdt>"
    if kind == "c":
        box = f"<v:textbox><w:txbxContent>{''.join(inner)}</w:txbxContent></v:textbox>"
        return f"<w:p><w:r><w:t>{words.make_next()}</w:t><w:pict><v:shape>{box}</v:shape></w:pict></w:r></w:p>"
    item = "<w:pPr><w:pStyle w:val='ListBullet'/></w:pPr>"
    return f"<w:p>{item}<w:hyperlink><w:r><w:t>{words.make_next()}</w:t></w:r></w:hyperlink></w:p>{''.join(inner)}"


def _write_document(path: Path, trees: list[Any]) -> None:
    document, words = docx.Document(), Words()
    for place in (document.element.body, document.sections[0].footer._element):
        for tree in trees:
            blocks = parse_xml(f"<w:body {nsdecls('w')} {_VML}>{_build_blocks(tree, words)}</w:body>")
            for number, block in enumerate(list(blocks)):
                place.insert(number, block)
    document.save(path)


def _build_html(tree: Any, words: Words) -> str:
    if isinstance(tree, str):
        word = words.make_next()
        return f"<b>{word[:3]}</b>{word[3:]} "
    kind, parts = tree
    inner = [_build_html(part, words) for part in parts]
    if kind == "a":
        return (
            f"<table><caption>{words.make_next()}</caption><tr>"
            + "".join(f"<td>{part}</td>" for part in inner)
            + "</table>"
        )
    if kind == "b":
        return f"<details><summary>{words.make_next()}</summary>{''.join(inner)}</details>"
    if kind == "c":
        items = "".join(f"<li>{part}</li>" for part in inner)
        return f"<ul>{items}</ul><img alt={words.make_next()}><input value={words.make_next()}>"
    drawn = f"<svg><text>{words.make_next()}</text></svg><div>{''.join(inner)}</div>"
    return f"{drawn}<select><option>{words.make_next()}</select>"


def _write_deck(path: Path, trees: list[Any]) -> None:
    deck, words = Presentation(), Words()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = words.make_next()
    for tree in trees:
        _add_shapes(slide.shapes, tree, words)
    deck.save(path)


def _add_shapes(shapes: Any, tree: Any, words: Words) -> None:
    if isinstance(tree, str) or tree[0] in "bd":
        shapes.add_textbox(0, 0, Cm(3), Cm(1)).text_frame.text = words.make_next()
    if not isinstance(tree, str):
        inner = shapes.add_group_shape().shapes
        for part in tree[1]:
            _add_shapes(inner, part, words)


@given(trees=st.lists(_DEEP, min_size=1, max_size=3))
@settings(max_examples=count_tries(60, 4), deadline=None)
def test_each_word_of_a_file_comes_out(tmp_path_factory: pytest.TempPathFactory, trees: list[Any]) -> None:
    folder, words = tmp_path_factory.mktemp("law"), Words()
    _write_document(folder / "a.docx", trees)
    _write_deck(folder / "a.pptx", trees)
    (folder / "a.html").write_text("".join(_build_html(tree, words) for tree in trees))
    failures = list(check_folder(folder))
    assert [file.path for file in failures] == ["a.docx", "a.html", "a.pptx"]
    assert [(file.path, file.missing, file.problem) for file in failures if file.missing or file.problem] == []
    assert all(file.words for file in failures)


def test_words_that_no_tool_shows_and_files_that_cannot_be_read_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    style = [("GRID", (0, 0), (-1, -1), 0.5, colors.black)]
    SimpleDocTemplate(str(tmp_path / "right.pdf")).build([Table([["Payee name", "Sum"]], style=style)])
    assert run_command(["check-reading", str(tmp_path)]) == 0
    assert "right.pdf: 3 words, all shown" in capsys.readouterr().out
    docx.Document().save(tmp_path / "lost.docx")
    chart = '<c:chartSpace xmlns:c="c" xmlns:a="a"><a:p><a:r><a:t>Orphan</a:t></a:r></a:p></c:chartSpace>'
    with zipfile.ZipFile(tmp_path / "lost.docx", "a") as archive:
        archive.writestr("word/charts/chart9.xml", chart)
    (tmp_path / "none.pptx").write_text("no deck")
    assert run_command(["check-reading", str(tmp_path), "--format", "json"]) == 1
    files = {file["path"]: file for file in json.loads(capsys.readouterr().out)}
    assert files["lost.docx"]["missing"]["read_document"] == ["Orphan"]
    assert "none.pptx" in files["none.pptx"]["problem"]
    assert run_command(["check-reading", str(tmp_path)]) == 1
    out = capsys.readouterr().out
    assert "read_document lacks 1: Orphan" in out
    assert "3 files, 2 of them not shown in full" in out
