"""The server `drive`: folders and files are found, copied, moved, shared, trashed, fetched and uploaded."""

import io
import random
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import docx
import openpyxl
import pptx
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from reportlab.pdfgen import canvas
from support.answers import make_caller, read_facts, read_text

from yardkit.apps.drive import (
    FOLDER,
    SPREADSHEET,
    Account,
    Grant,
    add_item,
    content_of,
    item_of,
    opened_drive,
    owner_of,
    save_content,
)
from yardkit.apps.drive_words import words_in
from yardkit.servers.drive.server import mcp
from yardkit.world import World, save_bytes, use_world

call = make_caller(mcp)
ME, ANNA = "mira@firm.example", "anna@firm.example"


def make_book(*rows: list[Any]) -> bytes:
    workbook = openpyxl.Workbook()
    for row in rows:
        workbook.active.append(row)
    data = io.BytesIO()
    workbook.save(data)
    return data.getvalue()


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="t", seed=1)
    with use_world(new_world):
        yield new_world


@pytest.fixture
def drive(world: World) -> dict[str, str]:
    """Two folders; a spreadsheet of one's own in the first, one of Anna's that may only be read at the top."""
    with opened_drive(world, writes=True) as store:
        store.put(Account(ME, "Mira Vance"))
        sales = add_item(store, "Sales", FOLDER)
        old = add_item(store, "Old", FOLDER, sales.id)
        budget = add_item(store, "Budget 2026", SPREADSHEET, sales.id, ".xlsx")
        hers = add_item(store, "Budget 2025", SPREADSHEET, suffix=".xlsx", owner=ANNA)
        save_bytes(content_of(world, budget), make_book(["Region", "Sum"], ["Harbour", 12]))
        save_bytes(content_of(world, hers), make_book(["Zebra"]))
        store.put(Grant(store.next_id(Grant), hers.id, ME, "reader"))
    return {"sales": sales.id, "old": old.id, "budget": budget.id, "hers": hers.id}


def call_drive(tool: str, **arguments: Any) -> Any:
    return read_facts(call(tool, **arguments))


def refuse_call(tool: str, **arguments: Any) -> str:
    answer = call(tool, **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def list_names(tool: str, **arguments: Any) -> list[str]:
    return [item["name"] for item in call_drive(tool, **arguments)["items"]]


def test_a_folder_is_listed_folders_first_with_what_one_may_do(drive: dict[str, str]) -> None:
    assert list_names("list_drive") == ["Sales", "Budget 2025"]
    assert list_names("list_drive", folder_id=drive["sales"]) == ["Old", "Budget 2026"]
    hers = call_drive("list_drive", offset=1)["items"][0]
    assert (hers["kind"], hers["owner"], hers["can_write"]) == ("spreadsheet", ANNA, False)
    assert hers["shared_with"] == [{"email": ME, "role": "reader"}]
    assert call_drive("list_drive", limit=1)["next_offset"] == 1


def test_files_are_found_by_name_kind_and_contents(drive: dict[str, str]) -> None:
    assert list_names("search_drive", query="BUDGET") == ["Budget 2025", "Budget 2026"]
    assert list_names("search_drive", query="harbour") == []
    assert list_names("search_drive", query="harbour", contents=True) == ["Budget 2026"]
    assert list_names("search_drive", kind="folder") == ["Old", "Sales"]
    assert call_drive("search_drive", query="2026")["items"][0]["path"] == "Sales/Budget 2026"


def test_files_are_found_by_when_they_were_changed(world: World, drive: dict[str, str]) -> None:
    changed = call_drive("create_drive_folder", name="Now")["modified"]
    abroad = datetime.fromisoformat(changed).astimezone(ZoneInfo("Asia/Tokyo")).isoformat()
    assert list_names("search_drive", since=abroad) == ["Now"]
    assert "'spring' is not a valid date or time" in refuse_call("search_drive", since="spring")


def test_a_copy_is_ones_own_and_as_the_file_was(world: World, drive: dict[str, str]) -> None:
    copy = call_drive("copy_drive_file", item_id=drive["hers"])
    assert (copy["name"], copy["owner"], copy["parent_id"]) == ("Copy of Budget 2025", ME, "root")
    folder = world.root / "apps" / "drive" / "files"
    assert (folder / f"{copy['id']}.xlsx").read_bytes() == (folder / f"{drive['hers']}.xlsx").read_bytes()


def test_a_file_is_moved_renamed_and_no_folder_goes_into_itself(drive: dict[str, str]) -> None:
    assert (
        call_drive("move_drive_file", item_id=drive["budget"], folder_id=drive["old"], name="B")["path"]
        == "Sales/Old/B"
    )
    assert "cannot be moved into itself" in refuse_call(
        "move_drive_file", item_id=drive["sales"], folder_id=drive["old"]
    )
    assert "is not a folder" in refuse_call("move_drive_file", item_id=drive["old"], folder_id=drive["budget"])
    assert "there is nothing to change" in refuse_call("move_drive_file", item_id=drive["old"])


def test_what_belongs_to_another_is_only_read(drive: dict[str, str]) -> None:
    for tool, more in (
        ("move_drive_file", {"name": "x"}),
        ("trash_drive_file", {}),
        ("share_drive_file", {"email": "a@b.de", "role": "reader"}),
    ):
        assert "may only be read" in refuse_call(tool, item_id=drive["hers"], **more)


def test_people_get_roles_and_lose_them(world: World, drive: dict[str, str]) -> None:
    for role in ("reader", "writer"):
        shared = call_drive("share_drive_file", item_id=drive["budget"], email=ANNA, role=role)
        assert shared["shared_with"] == [{"email": ANNA, "role": role}]
    assert "is not shared with x@y.de" in refuse_call(
        "share_drive_file", item_id=drive["budget"], email="x@y.de", role="none"
    )
    assert "shared_with" not in call_drive("share_drive_file", item_id=drive["budget"], email=ANNA, role="none")
    assert "is not a valid address" in refuse_call(
        "share_drive_file", item_id=drive["budget"], email="anna", role="reader"
    )
    assert "is the owner" in refuse_call("share_drive_file", item_id=drive["budget"], email=ME, role="reader")
    assert "role: Input should be one of 'reader', 'commenter', 'writer', 'none' (given: 'boss')" in refuse_call(
        "share_drive_file", item_id=drive["budget"], email=ANNA, role="boss"
    )


def test_a_folder_in_the_trash_takes_what_is_in_it(drive: dict[str, str]) -> None:
    call_drive("trash_drive_file", item_id=drive["sales"])
    assert list_names("list_drive") == ["Budget 2025"]
    assert list_names("search_drive", query="2026") == []
    assert "is in the trash" in refuse_call("fetch_drive_file", item_id=drive["budget"])
    assert list_names("list_drive", trashed=True) == ["Sales"]
    call_drive("trash_drive_file", item_id=drive["sales"], restore=True)
    assert list_names("search_drive", query="2026") == ["Budget 2026"]


def test_a_file_goes_to_the_workspace_and_back(world: World, drive: dict[str, str]) -> None:
    fetched = call_drive("fetch_drive_file", item_id=drive["budget"])
    assert fetched["file"]["path"] == "Budget 2026.xlsx"
    (world.files / "Budget 2026.xlsx").write_bytes(make_book(["new"]))
    before = fetched["item"]["modified"]
    back = call_drive("upload_drive_file", source="Budget 2026.xlsx", item_id=drive["budget"])
    assert (back["id"], back["name"], back["modified"] > before) == (drive["budget"], "Budget 2026", True)
    new = call_drive("upload_drive_file", source="Budget 2026.xlsx", folder_id=drive["old"])
    assert (new["path"], new["kind"]) == ("Sales/Old/Budget 2026", "spreadsheet")
    (world.files / "note.txt").write_text("x")
    assert "cannot be the content" in refuse_call("upload_drive_file", source="note.txt", item_id=drive["budget"])
    assert call_drive("upload_drive_file", source="note.txt")["kind"] == "text/plain"


def test_content_of_a_change_that_was_broken_off_takes_its_place_if_its_record_is_there(
    world: World, drive: dict[str, str]
) -> None:
    with opened_drive(world, writes=True) as store:
        before, after = item_of(store, drive["old"]), item_of(store, drive["budget"])
        save_content(world, after, b"new")  # as if it had died after the records were saved
        draft = content_of(world, after)
    draft.write_bytes(b"new")
    other = draft.with_name(f"new-1-{before.id}.xlsx")
    other.write_bytes(b"never")
    with opened_drive(world):  # as any call does, also one that only reads
        pass
    assert content_of(world, after).read_bytes() == b"new"
    assert (draft.exists(), other.exists()) == (False, True)
    call_drive("create_drive_folder", name="Next")
    assert not other.exists()


def test_an_id_that_is_none_is_told(drive: dict[str, str]) -> None:
    assert "the drive has no item 'x'" in refuse_call("fetch_drive_file", item_id="x")
    assert "is a folder" in refuse_call("fetch_drive_file", item_id=drive["old"])
    assert "a folder 'Old' already exists" in refuse_call("create_drive_folder", name="Old", folder_id=drive["sales"])
    assert call_drive("create_drive_folder", name="New", folder_id=drive["old"])["path"] == "Sales/Old/New"


def test_a_damaged_file_is_found_by_name_and_a_lost_one_is_said(world: World, drive: dict[str, str]) -> None:
    path = world.root / "apps" / "drive" / "files" / f"{drive['budget']}.xlsx"
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as package:
        package.writestr("xl/sharedStrings.xml", "<t>harbour</t>")
    path.write_bytes(data.getvalue()[:-10])
    assert list_names("search_drive", query="harbour", contents=True) == []
    assert list_names("search_drive", query="2026", contents=True) == ["Budget 2026"]
    path.unlink()
    assert "is missing" in refuse_call("fetch_drive_file", item_id=drive["budget"])


def test_equal_calls_give_equal_ids(world: World, drive: dict[str, str], tmp_path: Path) -> None:
    first = call_drive("create_drive_folder", name="A")["id"]
    other = World.create(tmp_path / "other", task="t", seed=1)
    with use_world(other), opened_drive(other, writes=True) as store:
        for number in range(4):
            add_item(store, str(number), FOLDER)
        assert owner_of(store) == "me"
    with use_world(other):
        assert call_drive("create_drive_folder", name="A")["id"] == first


def test_a_file_whose_packed_words_are_damaged_has_none(tmp_path: Path) -> None:
    path, chance, damaged = tmp_path / "book.xlsx", random.Random(1), 0
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        words = " ".join(f"word{number * 7919 % 1000}" for number in range(300))
        package.writestr("xl/sharedStrings.xml", f"<t>{words}</t>")
    original_bytes = path.read_bytes()
    assert "word919" in words_in(path)
    for _ in range(60):
        damaged_bytes = bytearray(original_bytes)
        damaged_bytes[chance.randrange(60, len(original_bytes) - 100)] ^= chance.randrange(1, 256)
        path.write_bytes(damaged_bytes)
        damaged += not words_in(path)
    assert damaged > 40


def test_words_over_several_runs_are_found_wherever_they_stand(tmp_path: Path) -> None:
    document = docx.Document()
    section = document.sections[0]
    cell = document.add_table(1, 1).cell(0, 0)
    for number, paragraph in enumerate(
        (document.add_paragraph(), cell.paragraphs[0], section.header.paragraphs[0], section.footer.paragraphs[0])
    ):
        for piece in ("Har", "bour", f"{number} & quay"):
            paragraph.add_run(piece).bold = piece == "bour"
    document.save(tmp_path / "a.docx")
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    for frame in (slide.shapes.title.text_frame, slide.notes_slide.notes_text_frame):
        for piece in ("Har", "bour4 & quay"):
            frame.paragraphs[0].add_run().text = piece
    deck.save(tmp_path / "a.pptx")
    words = words_in(tmp_path / "a.docx")
    assert all(f"Harbour{number} & quay" in words for number in range(4))
    assert words_in(tmp_path / "a.pptx").count("Harbour4 & quay") == 2


def test_words_of_cells_are_found_as_they_are_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    rich = CellRichText("Har", TextBlock(InlineFont(b=True), "bour"), " fees")
    book.active.append([rich, date(2026, 3, 16), datetime.fromisoformat("2026-03-17 14:30"), 46097, "7 & 8"])
    book.active["B1"].number_format = 'dd"th" mmm yyyy'
    book.save(tmp_path / "a.xlsx")
    words = words_in(tmp_path / "a.xlsx")
    for text in ("Harbour fees", "2026-03-16", "2026-03-17 14:30", "46097", "7 & 8"):
        assert text in words
    with zipfile.ZipFile(tmp_path / "inline.xlsx", "w") as package:
        cells = '<c t="inlineStr"><is><r><t>Har</t></r><r><t>bour</t></r></is></c><c t="str"><v>of&#233;</v></c>'
        package.writestr("xl/worksheets/sheet1.xml", f"<worksheet><row>{cells}</row></worksheet>")
    assert words_in(tmp_path / "inline.xlsx").split() == ["Harbour", "ofé"]


def test_words_of_open_documents_and_of_texts_in_older_encodings_are_found(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.odt", "w") as package:
        package.writestr("META-INF/manifest.xml", "<manifest/>")
        spans = "<text:p>Har<text:span>bour</text:span><text:s/>fees<text:tab/>due</text:p><text:h>Next</text:h>"
        package.writestr("content.xml", f"<office:document><office:body>{spans}</office:body></office:document>")
    assert words_in(tmp_path / "a.odt").split() == ["Harbour", "fees", "due", "Next"]
    for encoding in ("cp1252", "utf-16", "utf-8-sig"):
        (tmp_path / "a.txt").write_bytes("Maße aus Köln".encode(encoding))
        assert words_in(tmp_path / "a.txt") == "Maße aus Köln"


def test_words_of_pdf_files_are_found_and_what_cannot_be_searched_is_said(world: World, drive: dict[str, str]) -> None:
    files = {"scan.pdf": make_pdf(""), "part.pdf": make_pdf("Quay", ""), "fees.pdf": make_pdf("Harbour fees", "due"),
             "bad.pdf": b"%PDF-1.7 x", "old.doc": bytes.fromhex("d0cf11e0a1b11ae1") + bytes(600), "x.bin": bytes(9),
             "U\u0308bersicht.txt": "Stra\u00dfe".encode()}  # fmt: skip
    for name, data in files.items():
        (world.files / name).write_bytes(data)
        call_drive("upload_drive_file", source=name)
    assert list_names("search_drive", query="FEES due", contents=True) == ["fees.pdf"]
    assert list_names("search_drive", query="strasse", contents=True) == ["U\u0308bersicht.txt"]
    assert list_names("search_drive", query="\u00fcbersicht") == ["U\u0308bersicht.txt"]
    unread = dict(line.split(": ", 1) for line in call_drive("search_drive", query="quai", contents=True)["unread"])
    assert sorted(unread) == ["bad.pdf", "old.doc", "part.pdf", "scan.pdf", "x.bin"]
    assert (unread["part.pdf"][:5], "scan" in unread["scan.pdf"], "old Office" in unread["old.doc"]) == (
        "1 of ",
        True,
        True,
    )
    assert "unread" not in call_drive("search_drive", query="quai")


def test_words_from_right_to_left_are_found_in_pdf_files(world: World, drive: dict[str, str]) -> None:
    lines = "".join(
        f"<p dir=rtl>{line}</p>"
        for line in ("\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd", "\u0644\u0627 \u0634\u064a\u0621")
    )
    page = f"<body style='font-family: DejaVu Sans'>{lines}"
    # In a process of its own: where it is loaded, Pillow takes half a picture for a whole one.
    program = "import sys, weasyprint; weasyprint.HTML(string=sys.argv[1]).write_pdf(sys.argv[2])"
    subprocess.run([sys.executable, "-c", program, page, world.files / "a.pdf"], check=True)
    call_drive("upload_drive_file", source="a.pdf")
    for word in ("\u05e9\u05dc\u05d5\u05dd", "\u0644\u0627", "\u0634\u064a\u0621"):
        assert list_names("search_drive", query=word, contents=True) == ["a.pdf"]


def make_pdf(*pages: str) -> bytes:
    data = io.BytesIO()
    drawing = canvas.Canvas(data)
    for text in pages:
        drawing.drawString(72, 700, text)
        drawing.showPage()
    drawing.save()
    return data.getvalue()
