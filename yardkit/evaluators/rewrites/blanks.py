"""Blank files of the kind of a deliverable, with its size, length and sheets: nobody has done any work in them."""

import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators.mutations.film_edits import FilmEdit, rewrite_film
from yardkit.evaluators.readers.engines.workbook_files import load_workbook
from yardkit.evaluators.readers.media.sounds import decode_sound
from yardkit.evaluators.sound_files import save_again
from yardkit.evaluators.submission import Submission

Blank = Callable[[Path], object]


def add_blank_files(solved: Submission, files: Path) -> None:
    """Put into the untouched workspace `files` a blank file for each that the solver added or changed."""
    for path in (path for path, how in solved.list_changed().items() if how != "deleted"):
        target = files / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.write_bytes((solved.files / path).read_bytes())
        _BLANKS.get(target.suffix.lower(), _make_constant(""))(target)


def _empty_workbook(path: Path) -> None:
    """The same sheets, each with its first row alone."""
    import openpyxl

    blank = openpyxl.Workbook()
    blank.remove(blank.active)
    for sheet in load_workbook(path).worksheets:
        first = next((row for row in sheet.iter_rows() if any(cell.value is not None for cell in row)), ())
        copied = blank.create_sheet(sheet.title)
        for cell in first:
            copied.cell(cell.row, cell.column, cell.value)
    blank.save(path)


def _empty_document(path: Path) -> None:
    """No text, table or picture; the sections, styles, headers and footers are kept."""
    import docx

    document = docx.Document(str(path))
    body = document.element.body
    for element in list(body):
        if not element.tag.endswith("}sectPr"):
            body.remove(element)
    document.save(str(path))


def _empty_deck(path: Path) -> None:
    """As many slides, with nothing on them."""
    import pptx

    deck = pptx.Presentation(str(path))
    for slide in deck.slides:
        for shape in list(slide.shapes):
            shape.element.getparent().remove(shape.element)
        if slide.has_notes_slide:
            slide.notes_slide.notes_text_frame.text = ""
    deck.save(str(path))


def _empty_pages(path: Path) -> None:
    """As many pages of the same sizes."""
    import pikepdf

    with pikepdf.open(path) as source, pikepdf.new() as blank:
        for page in source.pages:
            left, bottom, right, top = map(float, page.mediabox)
            blank.add_blank_page(page_size=(abs(right - left), abs(top - bottom)))
        blank.save(draft := io.BytesIO())
    path.write_bytes(draft.getvalue())


def _white_picture(path: Path) -> None:
    import PIL.Image

    with PIL.Image.open(path) as image:
        kind, size = image.format, image.size
    PIL.Image.new("RGB", size, "white").save(path, kind)


def _silent_sound(path: Path) -> None:
    sound = decode_sound(path)
    save_again(path, sound, samples=sound.samples * 0)


def _empty_film(path: Path) -> None:
    """White pictures and silence."""
    import PIL.Image

    edit = FilmEdit(
        repaint=lambda picture, _time_s: PIL.Image.new("RGB", picture.size, "white"),
        resound=lambda samples, _rate_hz: samples * 0,
    )
    rewrite_film(path, path, edit)


def _empty_json(path: Path) -> None:
    value: Any = json.loads(path.read_text("utf-8-sig"))
    path.write_text("[]\n" if isinstance(value, list) else "{}\n", "utf-8")


def _header_alone(path: Path) -> None:
    path.write_bytes(path.read_bytes().partition(b"\n")[0] + b"\n")


def _make_constant(text: str) -> Blank:
    return lambda path: path.write_text(text, "utf-8")


_BLANKS: Mapping[str, Blank] = {
    ".xlsx": _empty_workbook,
    ".docx": _empty_document,
    ".pptx": _empty_deck,
    ".pdf": _empty_pages,
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff"), _white_picture),
    **dict.fromkeys((".wav", ".mp3", ".flac", ".ogg", ".m4a"), _silent_sound),
    **dict.fromkeys((".mp4", ".mov", ".mkv", ".webm", ".gif"), _empty_film),
    **dict.fromkeys((".html", ".htm"), _make_constant("<!doctype html>\n<html><head></head><body></body></html>\n")),
    ".svg": _make_constant('<svg xmlns="http://www.w3.org/2000/svg"></svg>\n'),
    ".json": _empty_json,
    **dict.fromkeys((".csv", ".tsv"), _header_alone),
    **dict.fromkeys((".txt", ".md", ".tex", ".srt", ".css", ".py"), _make_constant("\n")),
    ".vtt": _make_constant("WEBVTT\n"),
    ".ics": _make_constant("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//blank//EN\r\nEND:VCALENDAR\r\n"),
}
