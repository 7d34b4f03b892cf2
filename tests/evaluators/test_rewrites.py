"""Deliverables that are written again: blank, or as other programs write the same."""

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import docx
import numpy as np
import openpyxl
import pikepdf
import pptx
import pytest
from PIL import Image, ImageDraw

from yardkit.evaluators.checkpoints import Finding, Kind, make_checkpoint
from yardkit.evaluators.readers.blank_files import is_blank
from yardkit.evaluators.readers.events import list_happenings, read_file
from yardkit.evaluators.readers.mails import read_mail
from yardkit.evaluators.readers.pages.pictures import read_picture
from yardkit.evaluators.readers.tables import read_sheets, recompute_sheets
from yardkit.evaluators.rewrites import media_files, messages, office_files
from yardkit.evaluators.rewrites.blanks import add_blank_files
from yardkit.evaluators.scoring import run_checkpoints
from yardkit.evaluators.sound_files import save_sound
from yardkit.evaluators.submission import Submission

TEXTS = {
    "out.csv": "Item,Price\nLamp,19.95\n",
    "out.html": "<html><body><p>19.95</p></body></html>",
    "out.svg": '<svg xmlns="http://www.w3.org/2000/svg"><rect width="9" height="9"/></svg>',
    "out.json": json.dumps([{"item": "Lamp"}]),
    "out.md": "# Prices\n",
    "out.vtt": "WEBVTT\n\n00:00.000 --> 00:01.000\nLamp\n",
    "out.ics": "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
}


def _save_book(path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Item", "Price", "Double"], *([f"Lamp {n}", n, f"=B{n + 1}*2"] for n in range(1, 5))):
        book.active.append(row)
    book.save(path)


def _save_document(path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("A lamp is 19.95 euros.")
    document.save(str(path))


def _save_deck(path: Path) -> None:
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = "Lamps"
    deck.save(str(path))


def _save_pdf(path: Path) -> None:
    buffer = io.BytesIO()
    draw_lamp().save(buffer, "PDF")
    with pikepdf.open(buffer) as document:
        document.save(path)


def draw_lamp() -> Image.Image:
    image = Image.new("RGB", (120, 80), (250, 240, 200))
    ImageDraw.Draw(image).rectangle((10, 10, 60, 40), fill=(190, 70, 60))
    return image


def _save_tone(path: Path) -> None:
    save_sound(path, np.sin(np.arange(16_000) / 9)[:, None] * 0.3, 16_000)


SAVED: dict[str, Callable[[Path], object]] = {
    "out.xlsx": _save_book,
    "out.docx": _save_document,
    "out.pptx": _save_deck,
    "out.pdf": _save_pdf,
    "out.png": lambda path: draw_lamp().save(path),
    "out.jpg": lambda path: draw_lamp().save(path),
    "out.wav": _save_tone,
    "out.mp3": _save_tone,
    **{name: (lambda path, text=text: path.write_text(text)) for name, text in TEXTS.items()},  # type: ignore[misc]
}


def deliver_file(folder: Path, name: str) -> Submission:
    (folder / "files").mkdir(parents=True, exist_ok=True)
    SAVED[name](folder / "files" / name)
    return Submission(folder)


@pytest.mark.parametrize("name", SAVED)
def test_a_blank_file_is_told_from_one_with_anything_in_it(tmp_path: Path, name: str) -> None:
    solved = deliver_file(tmp_path / "solved", name)
    add_blank_files(solved, tmp_path / "blank" / "files")
    assert (is_blank(solved, name), is_blank(Submission(tmp_path / "blank"), name)) == (False, True)


@pytest.mark.parametrize(("kind", "reward_counts"), [("content", False), ("format", False), ("guardrail", True)])
def test_a_leaf_is_not_earned_by_a_blank_file(tmp_path: Path, kind: Kind, reward_counts: bool) -> None:
    solved = deliver_file(tmp_path / "solved", "out.docx")
    add_blank_files(solved, tmp_path / "blank" / "files")
    leaf = make_checkpoint(
        "uncut", "Nothing is cut", lambda *_: Finding("pass", ""), covers=("body:out.docx",), kind=kind
    )
    assert run_checkpoints(leaf, solved, {}).passed
    assert run_checkpoints(leaf, Submission(tmp_path / "blank"), {}).passed is reward_counts


@pytest.mark.parametrize(
    "write", [office_files.inline_strings, office_files.shared_formulas, office_files.prefixed_cells]
)
def test_a_workbook_is_read_alike_however_it_is_written(tmp_path: Path, write: Callable[[Path], None]) -> None:
    solved = deliver_file(tmp_path, "out.xlsx")
    before, last = read_sheets(solved, "out.xlsx"), {("Sheet", 4, 1): 50.0}
    write(tmp_path / "files/out.xlsx")
    assert read_sheets(solved, "out.xlsx") == before
    assert recompute_sheets(solved, "out.xlsx", last)["Sheet"].values[4][2] == 100


@pytest.mark.parametrize("write", [media_files.wide_gamut, media_files.turned_photo])
def test_a_picture_is_seen_alike_however_it_is_written(tmp_path: Path, write: Callable[[Path], None]) -> None:
    solved = deliver_file(tmp_path, "out.jpg")
    before = read_picture(solved, "out.jpg").astype(int)
    write(tmp_path / "files/out.jpg")
    assert np.abs(read_picture(solved, "out.jpg") - before).mean() < 4


@pytest.mark.parametrize("write", [messages.nested_parts, messages.html_alone])
def test_a_mail_says_the_same_however_it_is_written(tmp_path: Path, write: Callable[[Path], None]) -> None:
    message, path = EmailMessage(), tmp_path / "mail/ada@example.com/.Sent/cur/1.M1.yardkit:2,S"
    message["To"], message["Message-ID"] = "Grace <grace@example.com>", "<1@example.com>"
    message.set_content("Grüße, 3 < 5 & 1,200.50 €.\n\nOn Monday she wrote:\n> 99 lamps\n")
    message.add_attachment(b"%PDF", maintype="application", subtype="pdf", filename="Rechnung März.pdf")
    path.parent.mkdir(parents=True)
    path.write_bytes(message.as_bytes())
    before = read_mail(tmp_path, path.relative_to(tmp_path).as_posix())
    write(path)
    after = read_mail(tmp_path, path.relative_to(tmp_path).as_posix())
    assert (after.people, after.files, after.own_text.split()) == (before.people, before.files, before.own_text.split())


_MOVED = ("UID:a", "RECURRENCE-ID:20260317T083000Z", "DTSTART:20260401T083000Z", "DTEND:20260401T093000Z")


@pytest.mark.parametrize("zone", [";TZID=Europe/Berlin:20260316T093000", ":20260316T083000Z"])
@pytest.mark.parametrize(
    ("more", "moved", "starts"),
    [
        ((), (), ["2026-03-16"]),
        (("RRULE:FREQ=DAILY;COUNT=2", "EXDATE;VALUE=DATE:20260317"), (), ["2026-03-16"]),
        (("RRULE:FREQ=DAILY;COUNT=2",), _MOVED, ["2026-03-16", "2026-04-01"]),
    ],
)
def test_an_event_is_at_the_same_time_in_a_private_zone(
    tmp_path: Path, zone: str, more: tuple[str, ...], moved: tuple[str, ...], starts: list[str]
) -> None:
    path = tmp_path / "calendar/ada/work/a.ics"
    path.parent.mkdir(parents=True)
    end = zone.replace("T09", "T10").replace("T08", "T09")
    title = "SUMMARY:" + "Jahresgespräch über Lampen " * 4
    lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:a", f"DTSTART{zone}", f"DTEND{end}", *more, title, "END:VEVENT"]
    if moved:
        lines += ["BEGIN:VEVENT", *moved, title, "END:VEVENT"]
    path.write_bytes("\r\n".join((*lines, "END:VCALENDAR", "")).encode())
    for write in (None, messages.private_zone):
        if write:
            write(path)
        events = read_file(tmp_path, "calendar/ada/work/a.ics")
        span = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
        assert [str(event.starts)[:10] for event in list_happenings(events, *span)] == starts
        assert {event.title for event in events} == {title.removeprefix("SUMMARY:").strip()}
