"""Files that are no decks, or bad ones: refused with the reason, and left as they are."""

import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.decks import read_parts


def rewrite_package(path: Any, changes: Any) -> None:
    members = read_parts(path) | changes
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            if data is not None:
                archive.writestr(name, data)


def with_slide(path: Any, change: Any) -> None:
    rewrite_package(path, {"ppt/slides/slide1.xml": change(read_parts(path)["ppt/slides/slide1.xml"])})


def write_bare_zip(path: Any) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "a")


def flip_bytes(path: Any) -> None:
    data = path.read_bytes()
    at = data.index(b"ppt/slides/slide1.xml") + 200
    path.write_bytes(data[:at] + bytes(255 - byte for byte in data[at : at + 40]) + data[at + 40 :])


def lock_package(path: Any) -> None:
    """The flag of encryption set on every part."""
    data = bytearray(path.read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        for match in re.finditer(re.escape(mark), bytes(data)):
            data[match.start() + place] |= 1
    path.write_bytes(data)


def pack_oddly(path: Any) -> None:
    """A picture packed by a method that no reader knows."""
    data = bytearray(path.read_bytes())
    at = data.index(b"ppt/media/image1")
    data[at - 22] = 99
    directory = data.rindex(b"ppt/media/image1")
    data[directory - 36] = 99
    path.write_bytes(data)


BOMB = b'<!DOCTYPE a [<!ENTITY b "x">]>'
DAMAGES = {
    "compound": lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
    "truncated": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "text": lambda path: path.write_text("hello"),
    "empty": lambda path: path.write_bytes(b""),
    "pdf": lambda path: path.write_bytes(b"%PDF-1.7\n"),
    "entities": lambda path: with_slide(path, lambda slide: slide.replace(b"?>", b"?>" + BOMB, 1)),
    "malformed": lambda path: with_slide(path, lambda slide: slide[:-20]),
    "no presentation": lambda path: rewrite_package(path, {"ppt/presentation.xml": None}),
    "bomb": lambda path: rewrite_package(path, {"ppt/media/x.bin": bytes(30_000_000)}),
    "plain zip": write_bare_zip,
    "flipped": flip_bytes,
    "locked": lock_package,
    "packed oddly": pack_oddly,
}
HOW = {
    "compound": "no .pptx",
    "truncated": "damaged",
    "text": "no .pptx",
    "empty": "no .pptx",
    "pdf": "is a PDF",
    "entities": "DTD",
    "malformed": "damaged",
    "no presentation": "not an Office file",
    "bomb": "zip bomb",
    "plain zip": "not an Office file",
    "flipped": "damaged",
    "locked": "password",
    "packed oddly": "damaged",
}


@pytest.mark.parametrize("how", HOW)
def test_bad_files_are_refused_with_the_reason(rich: Path, refused: Callable[..., str], how: Any) -> None:
    DAMAGES[how](rich)
    before = rich.read_bytes()
    for tool, more in (("inspect_deck", {}), ("set_speaker_notes", {"notes": [{"slide": 1, "text": "x"}]})):
        assert HOW[how] in refused(tool, path="rich.pptx", **more)
    assert rich.read_bytes() == before


def test_a_workbook_is_no_deck(files: Path, refused: Callable[..., str]) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(files / "b.pptx")
    book.add_worksheet()
    book.close()
    assert "is an Excel workbook" in refused("inspect_deck", path="b.pptx")


def test_links_to_other_files_are_never_followed(rich: Path, call: Callable[..., dict[str, Any]], files: Path) -> None:
    rels = read_parts(rich)["ppt/slides/_rels/slide3.xml.rels"].replace(b"</Relationships>", b"")
    kind = b"http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    rels += (
        b'<Relationship Id="rId77" Type="'
        + kind
        + b'" Target="http://127.0.0.1:9/x.png" TargetMode="External"/></Relationships>'
    )
    slide = read_parts(rich)["ppt/slides/slide3.xml"].replace(b'r:embed="', b'r:link="rId77" r:old="')
    rewrite_package(rich, {"ppt/slides/_rels/slide3.xml.rels": rels, "ppt/slides/slide3.xml": slide})
    shapes = call("read_slides", path="rich.pptx", slides=[3])["slides"][0]["shapes"]
    assert [shape["picture"] for shape in shapes if shape["kind"] == "picture"] == ["linked"]


def test_a_deck_is_not_saved_under_another_kind_of_name(files: Path, refused: Callable[..., str]) -> None:
    assert "end it in .pptx" in refused("create_deck", path="deck.txt", slides=[{"title": "x"}])
    assert not (files / "deck.txt").exists()
