"""One file of each kind of office material, made with the kits once in a run: the same bytes every time."""

import datetime
import functools
import io
from typing import Any

import PIL.Image

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.documents import Commented, Deleted, FieldCode, Inserted, Link, Noted, Paper, Text
from yardkit.state_init.mails import build_mail
from yardkit.state_init.pdfs import Blank, Sheet
from yardkit.state_init.workbooks import Book, Formula, Styled

NOW = datetime.datetime(2026, 3, 16, 9, 0, tzinfo=datetime.UTC)


@functools.cache
def make_picture() -> bytes:
    buffer = io.BytesIO()
    PIL.Image.linear_gradient("L").resize((64, 48)).save(buffer, "PNG")
    return buffer.getvalue()


@functools.cache
def make_paper() -> bytes:
    paper = Paper("Minutes", author="Ada Berg", now=NOW)
    paper.header("Confidential")
    paper.footer("Page ", FieldCode("PAGE"))
    paper.add_heading("Minutes", 0)
    paper.contents([(1, "Decisions", 1), (1, "Money", 2)])
    paper.add_heading("Decisions")
    paper.add_paragraph("We spend ", Deleted("4", by="Ada Berg"), Inserted("5", by="Bo Lind"), " euros.")
    paper.add_paragraph(
        Commented(
            ["See ", Link("this", "https://a.example")], "Why?", "Bo Lind", replies=[("Ada", "So.")], resolved=True
        )
    )
    paper.add_paragraph(
        Noted("As agreed", "In 2025."), Text(" for good", bold=True, color="FF0000", highlight="yellow")
    )
    paper.add_numbered(["one", "two"])
    paper.add_numbered(["eins"])
    paper.table([["Item", "Euros"], ["Rent", "1,200"]], widths_mm=[60, 40], align_right=[1])
    paper.add_picture(make_picture(), 40, alt="A gradient")
    paper.new_section(landscape=True)
    return paper.bytes()


@functools.cache
def make_deck() -> bytes:
    deck = Deck("Review", "Ada Berg", NOW, Brand("Northwind", "0B6E4F"))
    deck.title_slide("Review", "First quarter")
    deck.add_bullets("Highlights", ["Up", ("by 12 %", 1)], notes="Say thanks.")
    deck.chart("Revenue", "column", ["Jan", "Feb"], {"Plan": [3, 4], "Actual": [2.5, 4.4]})
    deck.table("Regions", [["Region", "Sales"], ["North", "12"]])
    deck.picture("Site", make_picture(), "The site")
    return deck.bytes()


@functools.cache
def make_book() -> bytes:
    book = Book(NOW, title="Plan", author="Ada Berg")
    rows: list[list[Any]] = [
        ["Item", "Plan", "Actual"],
        ["Rent", 10, 12.5],
        [Styled("Sum", {"bold": True}), Formula("=B4", 10), None],
    ]
    sheet = book.sheet("Plan", rows, formats={1: "#,##0.00"}, title="Plan of 2026", groups=[("", 1), ("Euros", 2)])
    book.chart(sheet, "E2", "column", "Costs", "=Plan!$A$5:$A$5", {"Plan": "=Plan!$B$5:$B$5"})
    book.sheet("Old", [["Day"], [datetime.date(2026, 1, 2)]], hidden=True)
    return book.bytes()


@functools.cache
def make_sheet() -> bytes:
    sheet = Sheet("Offer", author="Northwind")
    sheet.letter(
        sender=("Northwind", "1 Quay"), to=("Ada",), date="16 March", subject="Offer", text="Dear Ada,\n\nhere."
    )
    sheet.new_page()
    items = [("Desk lamp", 3, 12.5), ("Café set", 1, 20.0)]
    sheet.add_invoice(sender=("N", "1 Quay"), to=("A",), number="R-1", date="1", due="2", items=items, vat_percent=20)
    sheet.new_page()
    blanks = [Blank("name", "Name", value="Bo"), Blank("yes", "Agreed", "checkbox", value="yes")]
    blanks += [Blank("size", "Size", "radio", ("small", "large"), "large"), Blank("land", "Land", "choice", ("A", "B"))]
    sheet.add_form(blanks)
    return sheet.bytes()


@functools.cache
def make_letter() -> bytes:
    return build_mail(
        sender="Ada <ada@a.example>", to=["bo@b.example"], subject="Überblick", body="Hello", sent=NOW,
        html="<p>Hello</p>", attachments={"a.csv": b"x,y\n"}, answers="<1@b.example>",
    )  # fmt: skip
