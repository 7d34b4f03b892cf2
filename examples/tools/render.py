"""Examples of render: what a travel agency has on its disk."""

from pathlib import Path

import docx
import openpyxl
import pptx
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.shared import Pt
from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Font, PatternFill
from PIL import Image, ImageDraw
from pptx.util import Inches
from pptx.util import Pt as SlidePt

from tools.example import Example, Gallery

OFFER = (
    "We take you to the fjords in small groups of at most twelve, by train and ship, with a guide who lives there. "
    "The price holds until the end of April."
)
TRIPS = (
    ("Bergen by train", "2026-05-02", 8, 1490), ("Lofoten by ship", "2026-06-13", 12, 2380),
    ("Tromsø, midnight sun", "2026-06-20", 5, 1725.5), ("Oslo and the forest", "2026-09-05", 9, 980),
)  # fmt: skip
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September")
PLAN = """# Packing list

For **every** trip to the north, with $\\Delta T = 25$ degrees between noon and night:

| Thing | Number | Weight |
|:------|-------:|:------:|
| Wool socks | 3 | 0.2 kg |
| Rain coat | 1 | 0.6 kg |

- Passport
- Papers
    1. Ticket
    2. Insurance

> Travel light.

```
total = 4.8 kg
```
"""
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Fjords</title><style>
body { font-family: sans-serif; margin: 2rem } .cards { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem }
.card { border: 1px solid #999; border-radius: 8px; padding: 1rem; background: linear-gradient(#eef, #fff) }
</style></head><body><h1>Fjords 2026</h1><div class="cards"><div class="card"><h2>Bergen</h2><p>Eight days</p></div>
<div class="card"><h2>Lofoten</h2><p>Twelve days</p></div></div></body></html>"""
ROUTE = """<svg xmlns="http://www.w3.org/2000/svg" width="420" height="160">
<rect width="420" height="160" fill="#dcecf7"/>
<polyline points="40,120 140,60 260,90 380,30" fill="none" stroke="#1f4e79" stroke-width="5" stroke-dasharray="12 6"/>
<circle cx="40" cy="120" r="8" fill="#c0392b"/><circle cx="380" cy="30" r="8" fill="#c0392b"/>
<text x="54" y="138" font-size="18">Bergen</text><text x="340" y="66" font-size="18">Tromsø</text></svg>"""


def _write_letter(path: Path, price: str, *, clean: bool = True) -> None:
    letter = docx.Document()
    letter.styles["Normal"].font.name = "Calibri" if clean else "Papyrus"
    letter.add_heading("Our offer for Norway", 0)
    letter.add_paragraph(OFFER)
    for name, start, days, _ in TRIPS:
        letter.add_paragraph(f"{name}: {days} days from {start}", style="List Bullet")
    table = letter.add_table(rows=1, cols=3, style="Light Grid Accent 1")
    table.alignment = WD_TABLE_ALIGNMENT.CENTER
    for cell, text in zip(table.rows[0].cells, ("Trip", "Days", "Price"), strict=True):
        cell.text = text
    for name, _, days, euros in TRIPS:
        for cell, text in zip(table.add_row().cells, (name, str(days), f"{euros:,.2f} EUR"), strict=True):
            cell.text = text
    letter.add_paragraph(f"A single room costs {price} more.").runs[0].bold = True
    letter.add_page_break()
    letter.add_heading("Terms", 1)
    letter.add_paragraph("You may cancel until six weeks before.")
    if not clean:
        letter.add_paragraph("Small print that nobody can read.").runs[0].font.size = Pt(3)
        letter.add_page_break()
    letter.save(str(path))


def _write_book(path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Trips"
    sheet.append(["Trip", "Start", "Days", "Price", "Revenue in all of the season"])
    for number, (name, start, days, euros) in enumerate(TRIPS, start=2):
        sheet.append([name, start, days, euros, f"=D{number}*{number * 7}"])
        sheet.cell(number, 4).number_format = sheet.cell(number, 5).number_format = '#,##0.00 "EUR"'
    for cell in sheet[1]:
        cell.font, cell.fill = Font(name="Calibri", bold=True, color="FFFFFF"), PatternFill("solid", fgColor="1F4E79")
    for letter, width in zip("ABCDE", (24, 12, 7, 16, 6), strict=True):
        sheet.column_dimensions[letter].width = width
    chart = BarChart()
    chart.title = "Prices"
    chart.add_data(Reference(sheet, min_col=4, min_row=1, max_row=5), titles_from_data=True)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=5))
    sheet.add_chart(chart, "A8")
    guests = book.create_sheet("Guests by month")
    guests.append(["Trip", *MONTHS, "Sum"])
    for row, (name, *_) in enumerate(TRIPS, start=2):
        guests.append([name, *(row * 3 + month for month in range(len(MONTHS))), f"=SUM(B{row}:J{row})"])
    book.save(path)


def _write_deck(path: Path, *, clean: bool = True) -> None:
    deck = pptx.Presentation()
    for title, lines in (("Norway 2026", OFFER), ("Trips", "\n".join(name for name, *_ in TRIPS)), ("Thank you", "")):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, lines
    if not clean:
        box = deck.slides[2].shapes.add_textbox(Inches(8.2), Inches(2), Inches(3), Inches(1))
        box.text_frame.text = "This runs over the edge"
        box.text_frame.paragraphs[0].runs[0].font.size = SlidePt(28)
        over = deck.slides[1].shapes.add_textbox(Inches(0.6), Inches(1.8), Inches(5), Inches(0.5))
        over.text_frame.text = "Written over the list by mistake"
    deck.save(str(path))


def prepare_files(files: Path) -> None:
    _write_letter(files / "offer.docx", "240 EUR")
    _write_letter(files / "offer new.docx", "310 EUR")
    _write_letter(files / "draft.docx", "240 EUR", clean=False)
    _write_book(files / "trips.xlsx")
    _write_deck(files / "talk.pptx")
    _write_deck(files / "rough.pptx", clean=False)
    (files / "packing.md").write_text(PLAN, encoding="utf-8")
    (files / "fjords.html").write_text(PAGE, encoding="utf-8")
    (files / "route.svg").write_text(ROUTE, encoding="utf-8")
    (files / "guests.csv").write_text("Name,Trip,Paid\nŁucja Nowak,Bergen,1490.00\nJosé Díaz,Lofoten,0\n", "utf-8")
    (files / "note.txt").write_text("Call Mr. Lund\n\tabout the ship\n" + "long line " * 30 + "\n東京 Київ\n", "utf-8")
    photo = Image.radial_gradient("L").convert("RGB").resize((640, 420))
    ImageDraw.Draw(photo).polygon([(40, 400), (240, 120), (440, 400)], fill="#2c5d3f")
    photo.save(files / "fjord.jpg", quality=85)


VIEWED_FILES = (
    *(
        Example("render_pages", {"path": path, "pages": "1", "dpi": 70})
        for path in ("trips.xlsx", "packing.md", "fjords.html", "route.svg", "guests.csv", "note.txt", "fjord.jpg")
    ),
    Example("render_pages", {"path": "offer.docx", "pages": "all", "dpi": 80}),
    Example("render_pages", {"path": "offer.docx", "box": [60, 60, 550, 260], "dpi": 150, "format": "jpeg"}),
    Example("render_pages", {"path": "talk.pptx", "pages": "last", "dpi": 50, "format": "grey"}),
    Example("render_range", {"path": "trips.xlsx"}),
    Example("render_range", {"path": "trips.xlsx", "sheet": "Guests by month", "range": "A1:F3", "headings": False}),
    Example("render_contact_sheet", {"path": "talk.pptx", "per_row": 2}),
    Example("render_contact_sheet", {"path": "offer.docx"}),
    Example("render_contact_sheet", {"path": "trips.xlsx", "per_row": 3, "width_px": 1000}),
)
CHECKED = (
    *(Example("list_pages", {"path": path}) for path in ("offer.docx", "trips.xlsx", "talk.pptx", "route.svg")),
    *(Example("list_fonts", {"path": path}) for path in ("draft.docx", "trips.xlsx", "talk.pptx")),
    Example("find_on_pages", {"path": "offer.docx", "query": "bergen by train"}),
    Example("find_on_pages", {"path": "trips.xlsx", "query": "Lofoten", "match_case": True}),
    *(
        Example("check_pages", {"path": path})
        for path in ("offer.docx", "draft.docx", "trips.xlsx", "rough.pptx", "packing.md")
    ),
    Example("compare_pages", {"path": "offer.docx", "other": "offer new.docx"}),
    Example("compare_pages", {"path": "talk.pptx", "other": "rough.pptx"}),
)
TARGETS = (
    ("offer.docx", "offer.odt"), ("offer.docx", "offer.rtf"), ("offer.docx", "offer.doc"), ("offer.docx", "copy.txt"),
    ("offer.docx", "offer.html"), ("trips.xlsx", "trips.ods"), ("trips.xlsx", "trips.xls"), ("trips.xlsx", "trips.csv"),
    ("talk.pptx", "talk.odp"), ("talk.pptx", "talk.ppt"), ("packing.md", "packing.docx"), ("guests.csv", "guests.xlsx"),
    ("route.svg", "route.png"), ("talk.pptx", "talk.jpg"), ("fjord.jpg", "fjord.webp"), ("fjord.jpg", "fjord.tiff"),
    ("fjords.html", "web.pdf"),
)  # fmt: skip
WRITTEN = (
    Example("convert_to_pdf", {"path": "offer.docx", "target": "offer.pdf"}, look=("offer.pdf",)),
    Example("convert_to_pdf", {"path": "talk.pptx", "target": "some.pdf", "pages": "1,3"}, look=("some.pdf",)),
    Example("convert_to_pdf", {"path": "trips.xlsx", "target": "trips.pdf", "whole_sheets": True}, look=("trips.pdf",)),
    *(Example("convert_file", {"path": path, "target": target}, look=(target,)) for path, target in TARGETS),
    Example("export_pages", {"path": "talk.pptx", "folder": "pages", "dpi": 60}, look=("pages/talk-1.png",)),
    Example("export_pages", {"path": "offer.pdf", "folder": "pages", "pages": "2", "format": "jpeg"}),
)

GALLERY = Gallery(prepare_files, (*VIEWED_FILES, *CHECKED, *WRITTEN))
