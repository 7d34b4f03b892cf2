"""Files and arguments that must be refused with advice; two writers lose nothing."""

import io
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support import books
from support.answers import Call

from yardkit.servers.sheets import engine
from yardkit.world import current_world, lock_file

LAUGHS = b"""<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"
 t="inlineStr"><is><t>&b;</t></is></c></row></sheetData></worksheet>"""


def make_package(members: Any) -> Any:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def make_hostile_files(rich: Any) -> Any:
    good = books.read_parts(rich)
    original = rich.read_bytes()
    sheet = "xl/worksheets/sheet1.xml"
    return {
        "empty": (b"", "empty"),
        "text": (b"a,b\n1,2\n", "import_data"),
        "legacy": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000), ".xls"),
        "truncated": (original[: len(original) // 2], "damaged"),
        "flipped": (original[:3000] + bytes(500) + original[3500:], "damaged"),
        "other zip": (make_package({"a.txt": b"x"}), "not a workbook"),
        "document": (
            make_package(
                {**good, "_rels/.rels": good["_rels/.rels"].replace(b"xl/workbook.xml", b"word/document.xml")}
            ),
            "workbook",
        ),
        "laughs": (make_package({**good, sheet: LAUGHS}), "DTD"),
        "laughs in UTF-16": (make_package({**good, sheet: LAUGHS.decode().partition("?>")[2].encode("utf-16")}), "DTD"),
        "broken xml": (make_package({**good, sheet: good[sheet][:-30]}), "not well-formed"),
        "bad row": (make_package({**good, sheet: good[sheet].replace(b'<row r="2"', b'<row r="two"')}), "damaged"),
        "bad number": (make_package({**good, sheet: good[sheet].replace(b"<v>10</v>", b"<v>ten</v>")}), "damaged"),
        "no UTF-8": (
            make_package({**good, sheet: good[sheet].replace(b"<v>10</v>", b"<v>1\xff</v>")}),
            "not well-formed",
        ),
        "rows": (
            make_package(
                {**good, sheet: good[sheet].replace(b"</sheetData>", b"<row/>" * 1_048_590 + b"</sheetData>")}
            ),
            "more than 1,048,576 rows",
        ),
        "bomb": (make_package({**good, "xl/media/zero.bin": bytes(60_000_000)}), "zip bomb"),
    }


KINDS = [
    "empty",
    "text",
    "legacy",
    "truncated",
    "flipped",
    "other zip",
    "document",
    "laughs",
    "laughs in UTF-16",
    "broken xml",
    "bad row",
    "no UTF-8",
    "rows",
    "bomb",
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_readable_workbook_is_refused_and_left_as_it_is(
    files: Path, call: Call, rich: Path, kind: str
) -> None:
    data, reason = make_hostile_files(rich)[kind]
    (files / "bad.xlsx").write_bytes(data)
    attempts = [call("read_cells", path="bad.xlsx"), call("inspect_workbook", path="bad.xlsx")]
    attempts.append(call("write_cells", path="bad.xlsx", rows=[[1]]))
    attempts.append(call("compare_workbooks", path=rich.name, other="bad.xlsx"))
    for attempt in attempts:
        assert attempt.is_error
        assert reason in attempt.content[0].text
    assert (files / "bad.xlsx").read_bytes() == data


def test_a_damaged_cell_is_named(files: Path, call: Call, rich: Path) -> None:
    data, reason = make_hostile_files(rich)["bad number"]
    (files / "bad.xlsx").write_bytes(data)
    answer = call("read_cells", path="bad.xlsx")
    assert answer.is_error
    assert reason in answer.content[0].text
    assert "B2" in answer.content[0].text


@pytest.mark.parametrize(
    "formula",
    ['=WEBSERVICE("http://x")', "=_xlfn.WEBSERVICE(A1)", '=1+IMAGE("http://x")', "=cmd|'/c calc'!A1", "=[1]S!A1"],
)
def test_formulas_that_call_out_are_refused(files: Path, call: Call, formula: str) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[formula]])
    assert answer.is_error
    assert not (files / "a.xlsx").exists()


@pytest.mark.parametrize("formula", ["=SUM(A1:", "=SUM(A1))", '="open', "=1+", "=*2", "=)("])
def test_formulas_that_cannot_be_parsed_are_refused_before_anything_is_saved(
    files: Path, call: Call, formula: str
) -> None:
    answer = call("write_cells", path="a.xlsx", rows=[[formula]])
    assert answer.is_error
    assert not (files / "a.xlsx").exists()


@pytest.mark.parametrize("area", ["A0", "XFE1", "A1:B", "1", "", "A1:A9999999", "no_such_name"])
def test_bad_ranges_are_named(files: Path, call: Call, rich: Path, area: str) -> None:
    answer = call("read_cells", path="rich.xlsx", range=area)
    assert answer.is_error
    assert repr(area) in answer.content[0].text


def test_an_unknown_sheet_is_answered_with_those_that_there_are(files: Path, call: Call, rich: Path) -> None:
    answer = call("read_cells", path="rich.xlsx", sheet="Missing")
    assert answer.is_error
    assert "'Data'" in answer.content[0].text


def test_a_new_workbook_has_the_right_ending(files: Path, call: Call) -> None:
    assert call("write_cells", path="a.csv", rows=[[1]]).is_error
    assert not (files / "a.csv").exists()


def test_text_hidden_by_merged_cells_is_not_written(files: Path, call: Call) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.active.merge_cells("A1:C2")
    book.save(files / "m.xlsx")
    answer = call("write_cells", path="m.xlsx", rows=[["x"]], start_cell="B2")
    assert answer.is_error
    assert "A1:C2" in answer.content[0].text


def test_writers_at_the_same_time_lose_nothing(files: Path, call: Call) -> None:
    call("write_cells", path="a.xlsx", rows=[["start"]])
    world = current_world()
    now, path = world.now, files / "a.xlsx"

    def write(number: Any) -> None:
        with lock_file(path, world.locks):
            engine.append_rows(path, None, [[number]], now=now)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows = call("read_cells", path="a.xlsx").structured_content["rows"]
    assert sorted(row[0] for row in rows[1:]) == list(range(12))
