# ruff: noqa: E501 - lines of XML
"""Forms in documents are listed and filled in, and what is told is what the saved file says; tracked and untracked work."""

from pathlib import Path
from typing import Any

import pytest
from support import papers
from support.answers import Call

from yardkit.kit.pages import libreoffice, raster

NAMES = f'xmlns:w="{papers.W}" xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
DATA = "{11111111-2222-3333-4444-555555555555}"
LEGACY = (
    '<w:r><w:rPr><w:b/></w:rPr><w:fldChar w:fldCharType="begin"><w:ffData>{}</w:ffData></w:fldChar></w:r><w:r>'
    "<w:instrText> {} </w:instrText></w:r>{}"
    '<w:r><w:fldChar w:fldCharType="end"/></w:r>'
)
SEPARATE = '<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>\u2002\u2002</w:t></w:r>'


def make_control(tag: Any, properties: Any, content: Any) -> Any:
    return f'<w:sdt><w:sdtPr><w:alias w:val="{tag} field"/><w:tag w:val="{tag}"/>{properties}</w:sdtPr><w:sdtContent>{content}</w:sdtContent></w:sdt>'


def run(text: Any, looks: str = "") -> Any:
    return f"<w:r><w:rPr>{looks}</w:rPr><w:t>{text}</w:t></w:r>"


HINT = '<w:rStyle w:val="PlaceholderText"/>'
BOX = '<w14:checkbox><w14:checked w14:val="0"/><w14:checkedState w14:val="2612" w14:font="MS Gothic"/><w14:uncheckedState w14:val="2610" w14:font="MS Gothic"/></w14:checkbox>'
CHOICES = '<w:dropDownList><w:listItem w:displayText="Choose" w:value=""/><w:listItem w:displayText="Rail" w:value="r"/><w:listItem w:displayText="Air" w:value="a"/></w:dropDownList>'
BINDING = f"""<w:dataBinding w:prefixMappings="xmlns:f='urn:form'" w:xpath="/f:form/f:city" w:storeItemID="{DATA}"/>"""
PARAGRAPHS = [
    run("Name: ") + make_control("name", '<w:rPr><w:i/></w:rPr><w:showingPlcHdr/><w:text/>', run("Click here", HINT)),
    make_control("agree", BOX, run("\u2610")) + run(" I agree"),
    make_control("way", f"<w:showingPlcHdr/>{CHOICES}", run("Choose", HINT)),
    make_control("day", '<w:date><w:dateFormat w:val="d MMMM yyyy"/><w:lid w:val="en-GB"/></w:date>', run("none")),
    make_control("city", f"{BINDING}<w:text/>", run("Bonn")),
    make_control("fixed", '<w:lock w:val="sdtContentLocked"/><w:text/>', run("Fixed")),
    LEGACY.format('<w:name w:val="Old"/><w:enabled/><w:textInput/>', "FORMTEXT", SEPARATE),
    LEGACY.format('<w:name w:val="Tick"/><w:enabled/><w:checkBox><w:sizeAuto/><w:default w:val="0"/></w:checkBox>', "FORMCHECKBOX", ""),
    LEGACY.format('<w:name w:val="Pick"/><w:enabled/><w:ddList><w:listEntry w:val="red"/><w:listEntry w:val="blue"/></w:ddList>', "FORMDROPDOWN", ""),
]  # fmt: skip
BLOCK = make_control("reason", "", "<w:p><w:r><w:t>One</w:t></w:r></w:p><w:p><w:r><w:t>Two</w:t></w:r></w:p>")
RELS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXmlProps" Target="itemProps1.xml"/></Relationships>'


@pytest.fixture
def form(files: Path) -> Any:
    path = files / "form.docx"
    body = "".join(f"<w:p>{paragraph}</w:p>" for paragraph in PARAGRAPHS)
    papers.write_by_hand(
        path,
        **{
            "word/document.xml": f"<w:document {NAMES}><w:body>{body}{BLOCK}<w:p/></w:body></w:document>",
            "customXml/item1.xml": '<form xmlns="urn:form"><city>Bonn</city></form>',
            "customXml/_rels/item1.xml.rels": RELS,
            "customXml/itemProps1.xml": f'<ds:datastoreItem ds:itemID="{DATA}" xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml"/>',
        },
    )
    return path


def make_fill(name: Any, value: Any) -> Any:
    return {"op": "fill", "name": name, "value": value}


def read_values(done: Any) -> Any:
    return {
        field["name"]: field["value"]
        for field in done("inspect_document", path="form.docx", lists=["form"])["form_list"]
    }


def test_the_fields_of_a_form_are_listed_with_kinds_and_options(form: Any, done: Call) -> None:
    fields = done("inspect_document", path="form.docx", lists=["form"])["form_list"]
    assert [(field["name"], field["kind"], field.get("value", "")) for field in fields] == [
        ("name", "text", ""), ("agree", "checkbox", "false"), ("way", "choice", ""), ("day", "date", "none"),
        ("city", "text", "Bonn"), ("fixed", "text", "Fixed"), ("reason", "text", "One\nTwo"), ("Old", "text", ""),
        ("Tick", "checkbox", "false"), ("Pick", "choice", "red"),
    ]  # fmt: skip
    assert [field["options"] for field in fields if field["kind"] == "choice"] == [["Rail", "Air"], ["red", "blue"]]


def test_a_form_is_filled_in_and_read_back(form: Any, done: Call) -> None:
    given = {"name": "Ada & Bo", "agree": "true", "way": "Air", "day": "2026-03-16", "city": "Köln", "reason": "Work",
             "Old": "text", "Tick": "yes", "Pick": "blue"}  # fmt: skip
    done("edit_references", path="form.docx", edits=[make_fill(name, value) for name, value in given.items()])
    assert read_values(done) == given | {"Tick": "true", "fixed": "Fixed"}
    text = [block.get("text", "") for block in done("read_document", path="form.docx")["blocks"]]
    assert text[:5] == ["Name: Ada & Bo", "\u2612 I agree", "Air", "16 March 2026", "Köln"]
    parts = papers.read_parts(form)
    body = parts["word/document.xml"].decode()
    assert "showingPlcHdr" not in body
    assert "PlaceholderText" not in body
    assert "<w:i/></w:rPr><w:t>Ada &amp; Bo</w:t>" in body
    assert '<w:dropDownList w:lastValue="a">' in body
    assert "<city>Köln</city>" in parts["customXml/item1.xml"].decode()


def test_a_form_is_shown_as_it_was_filled_in(form: Any, done: Call) -> None:
    done(
        "edit_references",
        path="form.docx",
        edits=[make_fill("name", "Ada"), make_fill("agree", "on"), make_fill("Old", "shown")],
    )
    with raster.open_pdf(libreoffice.pdf_pages(form, 1, 1)) as document:
        page = document[0].get_textpage().get_text_range()
    assert all(text in page for text in ("Ada", "\u2612", "shown"))


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("nobody", "x", "no form field 'nobody'; it has 'name', 'agree'"),
        ("agree", "perhaps", "is a checkbox; give true or false, not 'perhaps'"),
        ("way", "Ship", "takes 'Rail', 'Air'; 'Ship' is not one of them"),
        ("Pick", "green", "takes 'red', 'blue'"),
        ("day", "tomorrow", "takes a date such as 2026-03-16"),
        ("fixed", "x", "is locked"),
    ],
)
def test_what_a_field_does_not_take_is_refused_and_nothing_is_saved(
    form: Any, call: Call, name: str, value: str, words: str
) -> None:
    before = form.read_bytes()
    answer = call("edit_references", path="form.docx", edits=[make_fill("name", "Ada"), make_fill(name, value)])
    assert answer.is_error
    assert words in answer.content[0].text
    assert form.read_bytes() == before


@pytest.fixture
def recorded(report: Path, done: Call) -> Any:
    """A report that records changes; the anchor of its table."""
    done("settle_changes", path="report.docx", action="start_tracking")
    blocks = done("read_document", path="report.docx", limit=500)["blocks"]
    return next(block["anchor"] for block in blocks if block["kind"] == "table")


@pytest.mark.parametrize(
    "edit",
    [
        {"op": "insert_columns", "range": "B"},
        {"op": "delete_columns", "range": "B"},
        {"op": "merge", "range": "A1:B1"},
        {"op": "split", "range": "A2"},
    ],
)
def test_what_cannot_be_tracked_in_a_table_is_refused_where_changes_are_tracked(
    report: Path, recorded: Any, call: Call, done: Call, edit: dict[str, Any]
) -> None:
    before = report.read_bytes()
    answer = call("edit_document_table", path="report.docx", anchor=recorded, edits=[edit])
    assert answer.is_error
    assert f"{edit['op']} cannot be tracked; use track=false" in answer.content[0].text
    assert report.read_bytes() == before
    done("edit_document_table", path="report.docx", anchor=recorded, edits=[edit], track=False)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("edit_document_table", {"edits": [{"op": "format", "range": "A1", "shading": "FF0000"}]}),
        ("edit_document_images", {"edits": [{"op": "resize", "image": 1, "width_cm": 3}]}),
        ("set_page_layout", {"layouts": [{"orientation": "landscape"}]}),
        ("edit_notes", {"edits": [{"op": "add", "kind": "footnote", "text": "Revenue", "note": "Net."}]}),
    ],
)
def test_what_is_done_without_a_mark_though_changes_are_tracked_is_said(
    recorded: Any, done: Call, tool: str, arguments: dict[str, Any]
) -> None:
    more = {"anchor": recorded} if tool == "edit_document_table" else {}
    notes = done(tool, path="report.docx", **more, **arguments)["notes"]
    assert any("cannot be marked as changed; this was done without a mark" in note for note in notes)


def test_deleting_a_picture_is_a_change_that_can_be_rejected(report: Path, recorded: Any, done: Call) -> None:
    done("edit_document_images", path="report.docx", edits=[{"op": "delete", "image": 1}])
    assert [change["kind"] for change in done("read_annotations", path="report.docx", kind="changes")["changes"]] == [
        "deletion"
    ]
    done("settle_changes", path="report.docx", action="reject")
    assert done("inspect_document", path="report.docx")["images"] == 1
