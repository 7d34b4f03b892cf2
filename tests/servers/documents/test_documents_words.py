"""Every word of a document comes out of the reading tools, wherever it stands."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

_VML = 'xmlns:v="urn:schemas-microsoft-com:vml"'
_MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
_WPS = 'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
_C = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
Done = Callable[..., Any]


def _make_paragraph(text: str) -> str:
    return f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>"


def vml_box(text: str) -> str:
    box = f"<v:textbox><w:txbxContent>{_make_paragraph(text)}</w:txbxContent></v:textbox>"
    return f'<w:r><w:pict><v:shape id="s" style="width:200pt;height:40pt">{box}</v:shape></w:pict></w:r>'


def two_versions(text: str) -> str:
    """A text box of a group as newer programs draw it, and its copy for older ones."""
    shape = f"<wps:wsp><wps:txbx><w:txbxContent>{_make_paragraph(text)}</w:txbxContent></wps:txbx></wps:wsp>"
    data = f'<a:graphicData uri="wpg">{shape}{shape.replace(text, text + "B")}</a:graphicData>'
    new = f"<w:drawing><wp:inline><a:graphic>{data}</a:graphic></wp:inline></w:drawing>"
    old = vml_box(text).removeprefix("<w:r>").removesuffix("</w:r>")
    choice = f'<mc:Choice Requires="wps">{new}</mc:Choice><mc:Fallback>{old}</mc:Fallback>'
    return f"<w:r><mc:AlternateContent>{choice}</mc:AlternateContent></w:r>"


def make_drawing(inside: str, alt: str = "") -> str:
    about = f'<wp:docPr id="1" name="x" descr="{alt}"/>'
    graphic = f"<a:graphic><a:graphicData>{inside}</a:graphicData></a:graphic>"
    return f"<w:r><w:drawing><wp:inline>{about}{graphic}</wp:inline></w:drawing></w:r>"


def add(paragraph: Any, inside: str) -> None:
    names = f"{nsdecls('w', 'wp', 'r')} {_VML} {_MC} {_WPS} {_A}"
    for element in parse_xml(f"<w:p {names}>{inside}</w:p>"):
        paragraph._p.append(element)


def add_related_part(document: Any, name: str, kind: str, xml: str) -> str:
    part = Part(PackURI(f"/word/{name}"), "application/xml", xml.encode(), document.part.package)
    return str(document.part.relate_to(part, f"{RELATIONSHIP_TYPE.IMAGE.rsplit('/', 1)[0]}/{kind}"))


def _make_diagram(document: Any) -> str:
    points = "".join(
        f"<dgm:pt><dgm:t><a:p><a:r><a:t>{word}</a:t></a:r></a:p></dgm:t></dgm:pt>" for word in ("Plan9", "Do9")
    )
    key = add_related_part(
        document, "diagram.xml", "diagramData", f'<dgm:dataModel xmlns:dgm="{_DGM}" {_A}>{points}</dgm:dataModel>'
    )
    return make_drawing(f'<dgm:relIds xmlns:dgm="{_DGM}" r:dm="{key}"/>', alt="Described9")


def _make_chart(document: Any) -> str:
    title = "<c:title><c:tx><c:rich><a:p><a:r><a:t>Sales9</a:t></a:r></a:p></c:rich></c:tx></c:title>"
    points = "<c:{0}><c:cache><c:pt><c:v>{1}</c:v></c:pt></c:cache></c:{0}>"
    series = "".join(points.format(*pair) for pair in (("tx", "Income9"), ("cat", "North9"), ("val", "12")))
    xml = f'<c:chartSpace xmlns:c="{_C}" {_A}><c:chart>{title}<c:ser>{series}</c:ser></c:chart></c:chartSpace>'
    key = add_related_part(document, "chart.xml", "chart", xml)
    return make_drawing(f'<c:chart xmlns:c="{_C}" r:id="{key}"/>')


_RUBY = (
    "<w:r><w:ruby><w:rt><w:r><w:t>Above9</w:t></w:r></w:rt>"
    "<w:rubyBase><w:r><w:t>Base9</w:t></w:r></w:rubyBase></w:ruby></w:r>"
)
_EMOJI = (
    "<w:r><w:t>so </w:t><mc:AlternateContent><mc:Choice Requires='w16se'/>"
    "<mc:Fallback><w:t>\N{GRINNING FACE}</w:t></mc:Fallback></mc:AlternateContent></w:r>"
)
_CONTROL = "<w:sdt><w:sdtPr/><w:sdtContent><w:r><w:t>Control9</w:t></w:r></w:sdtContent></w:sdt>"
_FIELD = (
    "<w:fldSimple w:instr='AUTHOR'><w:r><w:t>Field9</w:t></w:r></w:fldSimple><w:r><w:fldChar w:fldCharType='begin'/>"
    "</w:r><w:r><w:instrText>DATE</w:instrText></w:r><w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>Result9"
    "</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r>"
)
_WORD_ART = "<w:r><w:pict><v:shape id='w'><v:textpath string='Draft9'/></v:shape></w:pict></w:r>"
_BODY_WORDS = (
    *("Vml9", "Group9", "Group9B", "Cell9", "InCell9", "Nested9", "Below9", "Listed9", "Plan9", "Do9", "Sales9"),
    *("Income9", "North9", "12", "Above9", "Base9", "\N{GRINNING FACE}", "Control9", "Field9", "Result9", "Draft9"),
    *("Block9", "Described9", "End9"),
)


@pytest.fixture
def rich(files: Path) -> str:
    document = docx.Document()
    for inside in (vml_box("Vml9"), two_versions("Group9"), _RUBY, _EMOJI, _CONTROL, _FIELD, _WORD_ART):
        add(document.add_paragraph(), inside)
    for make in (_make_diagram, _make_chart):
        add(document.add_paragraph(), make(document))
    add(document.add_paragraph("Item", style="List Bullet"), vml_box("Listed9"))
    cell = document.add_table(1, 2).cell(0, 0)
    cell.text = "Cell9 " + "word " * 700 + "End9"
    add(cell.paragraphs[0], vml_box("InCell9"))
    cell.add_table(1, 2).cell(0, 0).text = "Nested9"
    cell.tables[0].cell(0, 1).text = "Below9"
    choice = f"<mc:Choice Requires='wps'>{_make_paragraph('Block9')}</mc:Choice>"
    versions = f"<mc:AlternateContent {nsdecls('w')} {_MC}>{choice}</mc:AlternateContent>"
    document.element.body.insert(0, parse_xml(versions))
    add(document.sections[0].header.paragraphs[0], vml_box("Header9") + _WORD_ART.replace("Draft9", "Watermark9"))
    document.save(files / "rich.docx")
    return "rich.docx"


def test_each_word_is_read_and_once(done: Done, rich: str, files: Path) -> None:
    read_words = [
        json.dumps(done("read_document", path=rich, format=show), ensure_ascii=False) for show in ("text", "details")
    ]
    read_words.append(done("read_document", path=rich, format="markdown")["markdown"])
    for suffix in ("md", "html", "txt"):
        done("convert_document", path=rich, target=f"rich.{suffix}")
        read_words.append((files / f"rich.{suffix}").read_text("utf-8"))
    lost = [(place, word) for place, text in enumerate(read_words) for word in _BODY_WORDS if word not in text]
    assert lost == []
    assert [text.count("Group9") for text in read_words[2:]] == [2, 2, 2, 2]
    assert "Nested9Below9" not in "".join(read_words)
    header = json.dumps(done("read_document", path=rich, story="header1"))
    assert "Header9" in header
    assert "Watermark9" in header


def test_reading_and_converting_write_one_markdown(done: Done, rich: str, files: Path) -> None:
    done("convert_document", path=rich, target="rich.md")
    read = done("read_document", path=rich, format="markdown")["markdown"]
    assert read == (files / "rich.md").read_text("utf-8").rstrip("\n")


def test_an_anchor_in_a_text_box_reads_the_box(done: Done, rich: str) -> None:
    boxes = [block["boxes"] for block in done("read_document", path=rich)["blocks"] if block.get("boxes")]
    assert [list(box_fields.values()) for box_fields in boxes] == [["Vml9"], ["Group9", "Group9B"], ["Listed9"]]
    page = done("read_document", path=rich, anchor=list(boxes[1])[1])
    assert [block["text"] for block in page["blocks"]] == ["Group9B"]


def test_files_put_into_a_document_are_said_to_be_unread(done: Done, files: Path) -> None:
    document = docx.Document()
    document.element.body.insert(0, parse_xml(f"<w:altChunk {nsdecls('w', 'r')} r:id='rId99'/>"))
    document.save(files / "a.docx")
    assert "altChunk" in done("read_document", path="a.docx")["notes"][0]
    assert "altChunk" in done("read_document", path="a.docx", format="markdown")["notes"][0]


def test_texts_are_found_in_other_spaces_quotes_and_soft_hyphens(done: Done, files: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Weight 12\u00a0kg, co\u00adoperation, \u201cdraft\u201d")
    document.save(files / "a.docx")
    for text in ("cooperation", '"draft"', "12 kg"):
        assert done("search_document", path="a.docx", query=text)["total"] == 1
    done("replace_document_text", path="a.docx", replacements=[{"find": "12 kg", "replace": "13 kg"}])
    done("edit_comments", path="a.docx", edits=[{"op": "add", "text": '"draft"', "comment": "Which?"}])
    assert done("read_document", path="a.docx")["blocks"][0]["text"].startswith("Weight 13 kg, co\u00adoperation")


@pytest.mark.parametrize("track", [True, False])
def test_an_older_deletion_stays_in_its_place_when_the_text_around_it_is_replaced(
    done: Done, files: Path, track: bool
) -> None:
    document = docx.Document()
    gone = "<w:del w:id='1' w:author='Ann'><w:r><w:delText>big </w:delText></w:r></w:del>"
    first = "<w:r><w:t xml:space='preserve'>One </w:t></w:r>"
    add(document.add_paragraph(), f"{first}{gone}<w:r><w:t>red house</w:t></w:r>")
    document.save(files / "a.docx")
    swap = {"find": "One red house", "replace": "Two red homes"}
    done("replace_document_text", path="a.docx", replacements=[swap], track=track)
    changes = done("settle_changes", path="a.docx", action="reject", authors=["Ann"])
    assert changes["count"] == 1
    text = done("read_document", path="a.docx")["blocks"][0]["text"]
    assert text == "Two big red homes"
