"""Macros in documents never run; each of two guards is enough by itself."""

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from yardkit.kit.pages import libreoffice, office
from yardkit.programs import office as settings
from yardkit.world import save_text

LIBRARIES = """<?xml version="1.0" encoding="UTF-8"?>
<library:libraries xmlns:library="http://openoffice.org/2000/library">
<library:library library:name="Standard" library:link="false"/></library:libraries>"""
LIBRARY = """<?xml version="1.0" encoding="UTF-8"?>
<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false"
library:passwordprotected="false"><library:element library:name="Module1"/></library:library>"""
MODULE = """<?xml version="1.0" encoding="UTF-8"?>
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Function Sneak()
  Sneak = 40 + 2
End Function
</script:module>"""
CONTENT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"
office:version="1.3"><office:body><office:spreadsheet><table:table table:name="Data"><table:table-row>
<table:table-cell table:formula="of:=SNEAK()"/></table:table-row></table:table></office:spreadsheet></office:body>
</office:document-content>"""
Guard = Callable[[pytest.MonkeyPatch, Path], None]
KIND = "application/vnd.oasis.opendocument.spreadsheet"
MEMBERS = {
    "content.xml": CONTENT,
    "Basic/script-lc.xml": LIBRARIES,
    "Basic/Standard/script-lb.xml": LIBRARY,
    "Basic/Standard/Module1.xml": MODULE,
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A workbook with a formula that calls a macro of its own."""
    entries = {"/": KIND, **dict.fromkeys(MEMBERS, "text/xml")}
    listed = "".join(
        f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{kind}"/>'
        for name, kind in entries.items()
    )
    manifest = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">{}</{}>'
    with zipfile.ZipFile(tmp_path / "macro.ods", "w") as archive:
        archive.writestr("mimetype", KIND)
        for name, text in MEMBERS.items():
            archive.writestr(name, text)
        archive.writestr("META-INF/manifest.xml", manifest.format(listed, "manifest:manifest"))
    return tmp_path / "macro.ods"


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """A LibreOffice that starts with what a test has set, and is gone after it."""
    libreoffice.stop_office()
    yield
    libreoffice.stop_office()


def without_settings(monkeypatch: pytest.MonkeyPatch, _folder: Path) -> None:
    cleaned_settings = tuple(
        setting for setting in settings._SAFE if "Macro" not in setting[1] and setting[1] != "DisableActiveContent"
    )
    monkeypatch.setattr(
        settings, "_SAFE", (*cleaned_settings, ("Office.Common/Security/Scripting", "MacroSecurityLevel", "0"))
    )


def without_mode(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    never, always = '"MacroExecutionMode": 0', '"MacroExecutionMode": 4'
    source = office._WORKER.read_text("utf-8")
    assert never in source
    save_text(folder / "driver" / "worker.py", source.replace(never, always))
    monkeypatch.setattr(office, "_WORKER", folder / "driver" / "worker.py")


def test_a_macro_does_not_run(book: Path) -> None:
    assert libreoffice.calculate_cells(book, [("Data", "A1")])[0].error


@pytest.mark.parametrize("missing", [without_settings, without_mode])
def test_one_guard_is_enough(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: Guard) -> None:
    missing(monkeypatch, tmp_path)
    assert libreoffice.calculate_cells(book, [("Data", "A1")])[0].error


def test_without_any_guard_it_would_run(book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the tests above would show nothing."""
    without_settings(monkeypatch, tmp_path)
    without_mode(monkeypatch, tmp_path)
    assert libreoffice.calculate_cells(book, [("Data", "A1")])[0].value == 42
