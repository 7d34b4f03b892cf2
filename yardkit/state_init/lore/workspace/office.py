"""Records in office files: ledgers (.xlsx), reviews (.pptx), minutes (.docx), statements (.pdf)."""

import datetime
import math
import random
from collections.abc import Sequence
from pathlib import Path

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.documents import FieldCode, Paper, Text
from yardkit.state_init.lore.workspace.filing import KINDS, Place
from yardkit.state_init.lore.workspace.records import Firm, Record
from yardkit.state_init.pdfs import Sheet
from yardkit.state_init.workbooks import Book, Styled

_WIDTHS = {0: 18, 1: 12, 2: 34, 3: 22, 4: 15, 5: 12, 6: 70}
_PER_LINE = 80
"""Characters of remarks that surely fit in one line."""
_LINE_PT = 15
_ABOVE = 3
"""Rows of a ledger's sheet above its first record."""
_SIZE_PT, _SMALL_PT, _LONG_TEXT = 26, 20, 160


def save_ledger(files: Path, place: Place, records: Sequence[Record], firm: Firm, _rng: random.Random) -> None:
    """A workbook of several sheets with a row for each record, by day."""
    book = Book(_compute_closing_time(place), title=f"Ledger {place.month:%B %Y}", author=firm.staff[0].name)
    for name in KINDS["sheets"].sheets:
        some = sorted((entry for entry in records if entry.place.sheet == name), key=lambda entry: entry.day)
        ledger_sheet = book.sheet(
            name,
            [["Reference", "Date", "Partner", "Subject", "Entry", "Value", "Remarks"], *map(_ledger_row, some)],
            title=f"{firm.company.full}: {name.lower()}, {place.month:%B %Y}",
            formats={5: "#,##0"},
            widths=_WIDTHS,
        )
        for row, record in enumerate(some, _ABOVE):
            ledger_sheet.set_row(row, _LINE_PT * math.ceil(max(1, len(record.text)) / _PER_LINE))
        ledger_sheet.set_landscape()
        ledger_sheet.fit_to_pages(1, 0)
    book.save(files / place.path)


def _ledger_row(record: Record) -> list[Styled]:
    cells = [record.number, record.day, record.partner.full, record.subject, record.entry, record.value]
    left, top = {"valign": "top", "align": "left"}, {"valign": "top"}
    looks = [left, left, top, top, top, top]
    wrapped = Styled(record.text or None, {"valign": "top", "text_wrap": True})
    return [*(Styled(cell, look) for cell, look in zip(cells, looks, strict=True)), wrapped]


def save_review(files: Path, place: Place, records: Sequence[Record], firm: Firm, rng: random.Random) -> None:
    """A deck with a slide for each record; its title is the reference."""
    brand = Brand(firm.company.full, "0B5563")
    # Not ranked: the files of a seed stay what they were, so that stored results can be compared
    deck = Deck(f"Review {place.month:%B %Y}", firm.staff[1].name, _compute_closing_time(place), brand, ranked=False)
    deck.title_slide("Review of open items", f"{place.month:%B %Y}, {firm.staff[1].name}")
    for record in sorted(records, key=lambda known: known.day):
        sentence = record.format_sentence(rng)
        bullet_slide = deck.add_bullets(
            f"{record.reference}: {record.subject}",
            [
                f"{record.partner.full}, {record.partner.city}",
                f"Raised by {record.contact.name}, {_format_day(record)}",
                sentence,
            ],
        )
        _set_size(bullet_slide.placeholders[1].text_frame, _SMALL_PT if len(sentence) > _LONG_TEXT else _SIZE_PT)
    deck.save(files / place.path)


def save_minutes(files: Path, place: Place, records: Sequence[Record], firm: Firm, rng: random.Random) -> None:
    """Minutes with a table of figures and paragraphs on operations."""
    present = rng.sample(firm.staff, 4)
    paper = Paper(f"Minutes {place.month:%B %Y}", present[0].name, _compute_closing_time(place))
    paper.header(f"{firm.company.full}, minutes of the monthly closing")
    paper.footer("Page ", FieldCode("PAGE"))
    paper.add_heading(f"Monthly closing, {place.month:%B %Y}", 0)
    paper.add_paragraph(Text("Present: ", bold=True), ", ".join(person.name for person in present))
    figures, others = _split_records(records)
    if figures:
        paper.add_heading("Figures reported", 1)
        paper.table(
            [
                ["Reference", "Date", "Partner", "Subject", "Figure", "Value"],
                *(_list_cells(figure) for figure in figures),
            ],
            widths_mm=[32, 22, 42, 34, 16, 16],
            align_right=[5],
        )
    if others:
        paper.add_heading("Items discussed", 1)
    for record in others:
        where = f" ({_format_day(record)}, {record.partner.name}): "
        paper.add_paragraph(Text(record.reference, bold=True), where, record.format_sentence(rng))
    paper.save(files / place.path)


def save_statement(files: Path, place: Place, records: Sequence[Record], firm: Firm, rng: random.Random) -> None:
    """Pages of PDF with a table of figures and paragraphs on operations."""
    sheet = Sheet(f"Statement {place.month:%B %Y}", author=firm.company.full)
    sheet.at(sheet.margin_mm, 20, firm.company.full, size_pt=16, face="Sans-Bold", color="1F3864")
    sheet.at(sheet.margin_mm, 26, " · ".join(firm.company.address), size_pt=8.5, color="606060")
    sheet.y = 34
    sheet.add_heading(f"Statement of account, {place.month:%B %Y}", 0)
    figures, others = _split_records(records)
    if figures:
        rows = [_list_cells(figure) for figure in figures]
        sheet.table(
            [["Reference", "Date", "Partner", "Figure", "Value"], *([*row[:3], *row[4:]] for row in rows)],
            [48, 24, 56, 18, 20],
            right=(4,),
        )
    if others:
        sheet.add_heading("Instructions", 1)
    for record in others:
        sheet.line(f"Reference {record.reference}", face="Sans-Bold")
        sheet.text(f"{_format_day(record)}, {record.partner.name}. {record.format_sentence(rng)}")
        sheet.y += 3
    sheet.save(files / place.path)


def _split_records(records: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Figures, and operations and lists, both by day."""
    ordered = sorted(records, key=lambda record: record.day)
    return [record for record in ordered if record.value is not None], [
        record for record in ordered if record.value is None
    ]


def _list_cells(record: Record) -> list[str]:
    cells = [record.reference, f"{record.day:%Y-%m-%d}", record.partner.name, record.subject, record.entry]
    return [*cells, str(record.value)]


def _format_day(record: Record) -> str:
    return f"{record.day.day} {record.day:%B %Y}"


def _compute_closing_time(place: Place) -> datetime.datetime:
    """When a file of a month was made: early in the next one."""
    after = place.month + datetime.timedelta(days=34)
    return datetime.datetime.combine(after, datetime.time(9, 30), datetime.UTC)


def _set_size(frame: object, size_pt: int) -> None:
    from pptx.util import Pt

    for paragraph in frame.paragraphs:  # type: ignore[attr-defined]
        for run in paragraph.runs:
            run.font.size = Pt(size_pt)
