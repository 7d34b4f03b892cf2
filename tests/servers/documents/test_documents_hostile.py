"""Files that must be refused with advice, and two writers that lose nothing."""

import io
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support import papers
from support.answers import Call

from yardkit.servers.documents.app import edit_document
from yardkit.servers.documents.engine.blocks.block_pages import read_page
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.search_replace import Query, replace_text
from yardkit.world import current_world, set_world

LAUGHS = b'<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><w>&b;</w>'
STRICT = b"http://purl.oclc.org/ooxml/wordprocessingml/main"


def make_package(members: Any) -> Any:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def make_hostile_files(contract: Any) -> Any:
    good, original = papers.read_parts(contract), contract.read_bytes()
    body = "word/document.xml"
    return {
        "empty": (b"", "empty"),
        "text": (b"just text", "no Word document"),
        "rtf": (b"{\\rtf1 x}", "RTF"),
        "compound": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), "no Word document"),
        "truncated": (original[: len(original) // 2], "damaged"),
        "other zip": (make_package({"a.txt": b"x"}), "not an Office file"),
        "workbook": (make_package({**good, body: b"<workbook/>"}), "no Word document"),
        "strict": (make_package({**good, body: good[body].replace(papers.W.encode(), STRICT)}), "Strict"),
        "laughs": (make_package({**good, body: LAUGHS}), "DTD"),
        "broken xml": (make_package({**good, body: good[body][:-30]}), "not well-formed"),
        "bomb": (make_package({**good, "word/media/zero.bin": bytes(60_000_000)}), "zip bomb"),
    }  # fmt: skip


KINDS = [
    "empty",
    "text",
    "rtf",
    "compound",
    "truncated",
    "other zip",
    "workbook",
    "strict",
    "laughs",
    "broken xml",
    "bomb",
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("writes", [False, True])
def test_a_file_that_is_no_good_document_is_refused_and_left_as_it_is(
    kind: str, writes: bool, call: Call, contract: Path
) -> None:
    data, reason = make_hostile_files(contract)[kind]
    contract.write_bytes(data)
    if writes:
        answer = call("replace_document_text", path="contract.docx", replacements=[{"find": "a", "replace": "b"}])
    else:
        answer = call("read_document", path="contract.docx")
    assert answer.is_error
    assert reason in answer.content[0].text
    assert contract.read_bytes() == data


def test_characters_that_xml_cannot_hold_are_refused(call: Call, contract: Path) -> None:
    answer = call("replace_document_text", path="contract.docx", replacements=[{"find": "Twin", "replace": "a\x01b"}])
    assert answer.is_error
    assert "U+0001" in answer.content[0].text


def test_a_link_to_a_script_is_refused(call: Call, contract: Path) -> None:
    blocks = [{"text": "[x](javascript:alert)"}]
    answer = call("edit_blocks", path="contract.docx", edits=[{"op": "insert", "blocks": blocks}])
    assert answer.is_error
    assert "javascript" in answer.content[0].text


def test_two_writers_at_once_lose_nothing(files: Path) -> None:
    path = files / "many.docx"
    paragraphs = "".join(f"<w:p><w:r><w:t>word{number} end</w:t></w:r></w:p>" for number in range(8))
    papers.write_by_hand(
        path, **{"word/document.xml": f'<w:document xmlns:w="{papers.W}"><w:body>{paragraphs}</w:body></w:document>'}
    )
    world = current_world()

    def write(number: Any) -> None:
        set_world(world)
        with edit_document(path) as document:
            replace_text(Writer(document, world.now), Query(f"word{number} "), f"done{number} ", None)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    texts = [block.text for block in read_page(Document.open(path), "body", "text", "", 0, 20).blocks]
    assert texts == [f"done{number} end" for number in range(8)]
