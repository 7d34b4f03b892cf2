"""What merged documents refer to stays their own: bookmarks with fields and links, comments with their threads."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from lxml import etree
from support.answers import Call

from yardkit.servers.documents.engine.combine import merge
from yardkit.servers.documents.engine.markup.bookmark_references import list_codes
from yardkit.servers.documents.engine.package.document import Document

W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"
W15 = "{http://schemas.microsoft.com/office/word/2012/wordml}"


def make_field_runs(*parts: Any) -> Any:
    """The runs of a field whose code is split over several of them."""
    kinds = [f'<w:fldChar w:fldCharType="{kind}"/>' for kind in ("begin", "separate", "end")]
    texts = [f'<w:instrText xml:space="preserve">{part}</w:instrText>' for part in parts]
    return "".join(f"<w:r>{text}</w:r>" for text in (kinds[0], *texts, kinds[1], "<w:t>old</w:t>", kinds[2]))


def write_document(path: Any, *bodies: Any, header: str = "") -> None:
    document = docx.Document()
    document._body.clear_content()
    for xml in bodies:
        document.element.body.insert(-1, parse_xml(f"<w:p {nsdecls('w')}>{xml}</w:p>"))
    if header:
        document.sections[0].header._element.append(parse_xml(f"<w:p {nsdecls('w')}>{header}</w:p>"))
    document.save(str(path))


def make_bookmark(name: Any, text: Any, number: int = 7) -> Any:
    start, end = f'<w:bookmarkStart w:id="{number}" w:name="{name}"/>', f'<w:bookmarkEnd w:id="{number}"/>'
    return f"{start}<w:r><w:t>{text}</w:t></w:r>{end}"


def read_part(path: Any, name: Any) -> Any:
    with zipfile.ZipFile(path) as archive:
        return etree.fromstring(archive.read(name)) if name in archive.namelist() else None


def list_texts(path: Any) -> Any:
    return [paragraph.text for paragraph in docx.Document(str(path)).paragraphs]


def test_cross_references_of_each_merged_document_show_its_own_headings(
    files: Path, done: Call, anchor: Callable[..., str]
) -> None:
    for name, title in (("a", "Alpha"), ("b", "Beta"), ("c", "Gamma")):
        done("create_document", path=f"{name}.docx")
        blocks = [{"text": "See chapter"}, {"kind": "heading", "level": 1, "text": title}]
        done("edit_blocks", path=f"{name}.docx", edits=[{"op": "insert", "blocks": blocks}])
        see, target = anchor(f"{name}.docx", "See"), anchor(f"{name}.docx", title)
        edits = [{"op": "cross_reference", "anchor": see, "target": target}]
        done("edit_references", path=f"{name}.docx", edits=edits)
    done("merge_documents", paths=["a.docx", "b.docx", "c.docx"], target="all.docx")
    done("edit_references", path="all.docx", update=True)
    assert [text for text in list_texts(files / "all.docx") if text.startswith("See")] == [
        "See chapter Alpha", "See chapter Beta", "See chapter Gamma",
    ]  # fmt: skip


def test_fields_and_links_before_and_behind_a_renamed_bookmark_follow_it(files: Path) -> None:
    write_document(files / "one.docx", make_bookmark("Sum", "first"), make_bookmark("_Toc1", "One"))
    write_document(
        files / "two.docx",
        make_field_runs(" REF S", "um", " \\h "),
        '<w:fldSimple w:instr=" PAGEREF sum \\h "><w:r><w:t>1</w:t></w:r></w:fldSimple>',
        '<w:hyperlink w:anchor="_Toc1"><w:r><w:t>Two</w:t></w:r>'
        + make_field_runs("PAGEREF _Toc1 \\h")
        + "</w:hyperlink>",
        make_bookmark("Sum", "second") + make_bookmark("_Toc1", "Two", 8) + make_bookmark("Own", "own", 9),
        make_field_runs("HYPERLINK \\l &quot;Sum&quot;")
        + make_field_runs("= Sum * 2")
        + make_field_runs("NOTEREF Sum")
        + make_field_runs("REF Own"),
        make_field_runs("MERGEFIELD Sum")
        + make_field_runs("SEQ Sum")
        + make_field_runs("HYPERLINK &quot;a.docx&quot; \\l Sum"),
        header=make_field_runs("REF Sum"),
    )
    merged = merge.merge_documents([Document.open(files / "one.docx"), Document.open(files / "two.docx")], "next_page")
    assert [code.text.strip() for code in list_codes(merged.body)] == [
        "REF Sum_2 \\h", "PAGEREF Sum_2 \\h", "PAGEREF _Toc1_2 \\h",
        'HYPERLINK \\l "Sum_2"', "= Sum_2 * 2", "NOTEREF Sum_2", "REF Own",
        "MERGEFIELD Sum", "SEQ Sum", 'HYPERLINK "a.docx" \\l Sum',
    ]  # fmt: skip
    assert [link.get(qn("w:anchor")) for link in merged.body.iter(qn("w:hyperlink"))] == ["_Toc1_2"]
    headers = [name for name in merged.map_stories() if name.startswith("header")]
    assert [code.text for name in headers for code in list_codes(merged.get_story(name))] == ["REF Sum_2"]


def test_a_bookmark_over_several_blocks_keeps_its_two_ends(files: Path) -> None:
    write_document(files / "one.docx", make_bookmark("Part", "first"))
    begin, end = '<w:bookmarkStart w:id="7" w:name="Part"/>', '<w:bookmarkEnd w:id="7"/>'
    write_document(files / "two.docx", f"{begin}<w:r><w:t>from</w:t></w:r>", f"<w:r><w:t>to</w:t></w:r>{end}")
    merged = merge.merge_documents([Document.open(files / "one.docx"), Document.open(files / "two.docx")], "none")
    ids = [
        [bookmark.get(qn("w:id")) for bookmark in merged.body.iter(qn(f"w:bookmark{kind}"))]
        for kind in ("Start", "End")
    ]
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == 2


def add_discussion(done: Any, path: Any, word: Any) -> None:
    """A resolved thread with an answer, and one more comment."""
    done("create_document", path=path)
    done("edit_blocks", path=path, edits=[{"op": "insert", "blocks": [{"text": f"{word} text"}, {"text": "Other"}]}])
    add = {"op": "add", "text": f"{word} text", "comment": f"{word}?"}
    first = done("edit_comments", path=path, edits=[add], author=f"{word} One")["done"]
    identity = re.search(r"\d+", first)[0]
    edits = [{"op": "reply", "id": identity, "comment": f"{word}!"}, {"op": "resolve", "id": identity}]
    done("edit_comments", path=path, edits=[*edits, {"op": "add", "text": "Other", "comment": "open"}], author="Ann")


def list_threads(done: Any, path: Any) -> Any:
    comments = done("read_annotations", path=path, kind="comments")["comments"]
    texts_by_id = {comment["id"]: comment["comment"] for comment in comments}
    return [
        (comment["comment"], texts_by_id.get(comment.get("reply_to", ""), ""), comment.get("resolved", False))
        for comment in comments
    ]


def test_lists_of_merged_documents_count_as_before_though_their_styles_have_the_same_name(
    files: Path, done: Call
) -> None:
    for name in ("a", "b"):
        document = docx.Document()
        for item in ("one", "two"):
            document.add_paragraph(f"{name} {item}", style="List Number")
        document.save(str(files / f"{name}.docx"))
    done("merge_documents", paths=["a.docx", "b.docx"], target="all.docx")
    blocks = [block for block in done("read_document", path="all.docx")["blocks"] if block["text"]]
    assert [block.get("label") for block in blocks] == ["1.", "2.", "1.", "2."]
    assert {block["style"] for block in blocks} == {"List Number"}


@pytest.mark.parametrize("first", ["plain", "discussed", "same"])
def test_threads_of_merged_documents_keep_their_answers_and_states(files: Path, done: Call, first: str) -> None:
    add_discussion(done, "b.docx", "Beta")
    if first == "plain":
        docx.Document().save(str(files / "a.docx"))
    elif first == "discussed":
        add_discussion(done, "a.docx", "Alpha")
    paths = ["b.docx" if first == "same" else "a.docx", "b.docx"]
    before = [] if first == "plain" else list_threads(done, paths[0])
    done("merge_documents", paths=paths, target="all.docx")
    beta = [("Beta?", "", True), ("Beta!", "Beta?", True), ("open", "", False)]
    assert list_threads(done, "all.docx") == before + beta
    written = read_part(files / "all.docx", "word/comments.xml")
    paras = [comment[-1].get(f"{W14}paraId") for comment in written]
    assert len(set(paras)) == len(paras) == len(before) + 3
    assert sorted(
        state.get(f"{W15}paraId") for state in read_part(files / "all.docx", "word/commentsExtended.xml")
    ) == sorted(paras)
    assert len(read_part(files / "all.docx", "word/commentsIds.xml")) == len(paras)
    people = [person.get(f"{W15}author") for person in read_part(files / "all.docx", "word/people.xml")]
    assert {"Beta One", "Ann"} <= set(people)
    assert len(set(people)) == len(people)


def test_an_answer_without_a_mark_in_the_text_comes_with_its_comment(files: Path, done: Call) -> None:
    add_discussion(done, "b.docx", "Beta")
    document = docx.Document(str(files / "b.docx"))
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        for mark in [
            candidate for candidate in document.element.body.iter(qn(f"w:{name}")) if candidate.get(qn("w:id")) == "1"
        ]:
            mark.getparent().remove(mark)
    document.save(str(files / "b.docx"))
    docx.Document().save(str(files / "a.docx"))
    done("merge_documents", paths=["a.docx", "b.docx"], target="all.docx")
    assert list_threads(done, "all.docx")[:2] == [("Beta?", "", True), ("Beta!", "Beta?", True)]


def test_no_comment_is_read_as_an_answer_to_itself(files: Path, done: Call) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Text of the document")
    for number in range(2):
        comment = document.add_comment(paragraph.runs, text=f"comment {number}", author="Ann")
        for comment_paragraph in comment._comment_elm.iter(qn("w:p")):
            comment_paragraph.attrib.pop(f"{W14}paraId", None)
    paragraph._p.append(OxmlElement("w:r"))
    document.save(str(files / "plain.docx"))
    assert list_threads(done, "plain.docx") == [("comment 0", "", False), ("comment 1", "", False)]


@pytest.mark.parametrize("order", [["even", "plain"], ["plain", "even"], ["plain", "even", "plain"]])
def test_each_merged_document_keeps_the_headers_of_its_even_pages(files: Path, done: Call, order: list[str]) -> None:
    for name in ("even", "plain"):
        document = docx.Document()
        document.add_paragraph(f"Text of {name}.")
        document.sections[0].header.paragraphs[0].text = f"{name} odd"
        document.sections[0].footer.paragraphs[0].text = f"{name} foot"
        document.sections[0].even_page_header.paragraphs[0].text = "even even"
        document.settings.odd_and_even_pages_header_footer = name == "even"
        document.save(str(files / f"{name}.docx"))
    done("merge_documents", paths=[f"{name}.docx" for name in order], target="all.docx")
    merged = docx.Document(str(files / "all.docx"))
    assert merged.settings.odd_and_even_pages_header_footer
    headers = [
        (section.header.paragraphs[0].text, section.even_page_header.paragraphs[0].text) for section in merged.sections
    ]
    assert headers == [(f"{name} odd", "even even" if name == "even" else "plain odd") for name in order]
    feet = [
        (section.footer.paragraphs[0].text, section.even_page_footer.paragraphs[0].text) for section in merged.sections
    ]
    assert feet == [(f"{name} foot", "" if name == "even" else "plain foot") for name in order]


def test_form_fields_of_merged_documents_are_filled_in_one_by_one(files: Path, done: Call) -> None:
    for name in ("a", "b"):
        data = "<w:ffData><w:name w:val='Text1'/><w:enabled/><w:textInput/></w:ffData>"
        field = make_field_runs(" FORMTEXT ").replace('"begin"/>', f'"begin">{data}</w:fldChar>')
        write_document(
            files / f"{name}.docx", f'<w:bookmarkStart w:id="7" w:name="Text1"/>{field}<w:bookmarkEnd w:id="7"/>'
        )
    done("merge_documents", paths=["a.docx", "b.docx"], target="all.docx")
    edits = [{"op": "fill", "name": "Text1", "value": "one"}, {"op": "fill", "name": "Text1_2", "value": "two"}]
    done("edit_references", path="all.docx", edits=edits)
    assert [text for text in list_texts(files / "all.docx") if text] == ["one", "two"]


def test_comments_on_notes_are_on_the_notes_of_their_own_document(files: Path, done: Call) -> None:
    for name in ("a", "b"):
        write_document(files / f"{name}.docx", f"<w:r><w:t>Text {name}</w:t></w:r>")
        note = {"op": "add", "kind": "footnote", "text": f"Text {name}", "note": f"Note {name}"}
        done("edit_notes", path=f"{name}.docx", edits=[note])
        at = done("read_document", path=f"{name}.docx", story="footnotes")["blocks"][-1]["anchor"]
        done("edit_comments", path=f"{name}.docx", edits=[{"op": "add", "anchor": at, "comment": f"on {name}"}])
    done("merge_documents", paths=["a.docx", "b.docx"], target="all.docx")
    comments = done("read_annotations", path="all.docx", kind="comments")["comments"]
    assert [(comment["comment"], comment["on"].strip()) for comment in comments] == [
        ("on a", "Note a"),
        ("on b", "Note b"),
    ]
