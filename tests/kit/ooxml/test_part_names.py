"""Packages whose archives spell the names of parts as some programs do, and not as the standard has it."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from yardkit.kit.ooxml.package import Package
from yardkit.kit.ooxml.relations import (
    CONTENT_TYPES,
    PACKAGE_REL,
    REL,
    list_spellings,
    main_part,
    read_relations,
    rels_name,
)

PARTS = {
    CONTENT_TYPES: b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": f'<Relationships xmlns="{PACKAGE_REL}"><Relationship Id="rId1" Type="{REL}/officeDocument" '
    'Target="xl/workbook2.xml"/></Relationships>'.encode(),
    "xl/workbook2.xml": b"\xef\xbb\xbf<workbook/>",
    "xl/_rels/workbook2.xml.rels": f'<Relationships xmlns="{PACKAGE_REL}"><Relationship Id="rId1" '
    f'Type="{REL}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>'.encode(),
    "xl/worksheets/sheet1.xml": b"<worksheet/>",
}
SPELLINGS: dict[str, Callable[[str], str]] = {
    "backslashes": lambda name: name.replace("/", "\\"),
    "absolute": lambda name: f"/{name}",
    "with a point": lambda name: f"./{name}",
    "capitals": str.upper,
}


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_parts_are_found_changed_and_saved_however_the_archive_spells_them(tmp_path: Path, spelling: str) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in PARTS.items():
            info = zipfile.ZipInfo(name)
            info.filename = SPELLINGS[spelling](name)
            archive.writestr(info, data)
    package = Package.open(path)
    assert package.is_respelled == (spelling != "capitals")
    workbook = main_part(package)
    assert rels_name(workbook) in package
    sheet = read_relations(package, workbook)["rId1"].target
    package.put("xl/worksheets/sheet1.xml", b"<changed/>")
    assert package.read(sheet) == b"<changed/>"
    assert package.is_changed(sheet)
    package.save(tmp_path / "b.xlsx", {"xl/workbook2.xml": b"<other/>"})
    saved = Package.open(tmp_path / "b.xlsx")
    assert len(saved.names()) == len(PARTS)
    assert saved.read("xl/worksheets/sheet1.xml") == b"<changed/>"
    assert saved.read("xl/workbook2.xml") == b"<other/>"


def test_parts_can_be_called_as_their_relations_call_them(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in PARTS.items():
            archive.writestr(name.upper(), data)
    package = Package.open(path)
    package.respell(list_spellings(package))
    assert package.is_respelled
    assert package.names() == list(PARTS)
    assert all(package.read(name) == data for name, data in PARTS.items())
    assert not list_spellings(package)
