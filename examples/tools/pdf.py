"""Examples of pdf: the papers of a shipping office."""
# ruff: noqa: RUF001 - typographic signs, as people write them

from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.colors import HexColor, black, white
from reportlab.pdfgen.canvas import Canvas

from tools.example import Example, Gallery
from yardkit.world.fonts import font_file

REPORT = (
    """# Harbour Logistics: second quarter 2026

Prepared for the **supervisory board** by *Maria Żółkiewska*, 14 July 2026. The ~~draft~~ final figures are in
`q2.xlsx`; see also the [investor pages](https://example.org/investors).

![Quays one and two](quay.png)

## 1 Summary

Volume grew by 8.4 % against last year[^1], driven by the new crane at quay 2:

- Containers: 41,300 TEU
    - of these reefers: 3,120
    - of these empty: 9,870
- Bulk: 212,000 t
- Open points:
    1. Customs software
    2. Dredging of the north basin

> The harbour stays open on public holidays. *Decision of the board, 3 May 2026.*

## 2 Figures

| Line | Revenue (EUR) | Change | Comment |
|:-----|--------------:|:------:|---------|
| Containers | 4,812,300.00 | +8.4 % | New crane, fewer idle hours |
| Bulk | 1,203,550.50 | −2.1 % | Low water in May and June |
| Storage | 640,120.00 | +0.3 % | Hall B is fully let |
| **Total** | **6,655,970.50** | **+5.5 %** | |

The average waiting time follows $W = \\frac{\\lambda}{\\mu(\\mu - \\lambda)}$, and the yearly cost of the fleet is

$$C = \\sum_{i=1}^{n} \\left( f_i + v_i \\cdot d_i \\right) + \\sqrt{\\sigma^2}$$

```python
def utilisation(busy_h: float, total_h: float) -> float:
    return busy_h / total_h
```

---

## 3 Outlook

Rates for 東京 and Łódź are agreed; Ἀθῆναι and Київ follow in autumn. Write to office@harbour.example or call
+49 40 555 0147.

1. Sign the dredging contract
2. Hire two crane drivers
3. Publish the tide tables

### 3.1 Risks

Strikes, low water, and a weaker dollar. """
    + "The board is told of each delay of more than two days in writing. " * 22
    + """

[^1]: Second quarter of 2025, restated after the merger of 1 January 2026.
"""
)

INVOICE = """<html lang="en"><head><title>Invoice 2026-0417</title><style>
@page { size: letter; margin: 25mm 20mm; @top-right { content: "Invoice 2026-0417"; font: 8pt "Liberation Sans" }
  @bottom-center { content: "Page " counter(page) " of " counter(pages); font: 8pt "Liberation Sans" } }
body { font: 10pt "Liberation Serif" } h1 { color: #0b3d66; border-bottom: 2px solid #0b3d66 }
table { width: 100%; border-collapse: collapse } th { background: #0b3d66; color: white; text-align: left }
td, th { padding: 4px 8px; border-bottom: 1px solid #ccc } .n { text-align: right } tfoot td { font-weight: bold }
.to { float: right; width: 60mm; background: #eef4f9; padding: 3mm } h2 { clear: both; page-break-before: always }
</style></head><body><img src="logo.png" width="120"><div class="to">Nordwind GmbH<br>Speicherstraße 9<br>20457
Hamburg</div><h1>Invoice</h1><p>Dear Ms Jane Roe, for berth and crane in June we ask for:</p><table><thead><tr>
<th>Service</th><th class="n">Hours</th><th class="n">Rate</th><th class="n">Amount</th></tr></thead><tbody>
<tr><td>Berth 4</td><td class="n">72</td><td class="n">€ 38.00</td><td class="n">€ 2,736.00</td></tr>
<tr><td>Crane 2</td><td class="n">11.5</td><td class="n">€ 210.00</td><td class="n">€ 2,415.00</td></tr>
<tr><td>Water</td><td class="n">1</td><td class="n">€ 84.50</td><td class="n">€ 84.50</td></tr></tbody><tfoot><tr>
<td colspan="3">Total</td><td class="n">€ 5,235.50</td></tr></tfoot></table><p>Account DE02 1203 0000 0000 2020 51,
customer 4711-22, contact jane.roe@nordwind.example.</p><h2>Terms</h2><ol><li>Payable within 14 days.</li><li>Interest
of 5 % after that.</li></ol></body></html>"""

HANDBOOK = "# Mooring\n\n" + "\n\n".join(
    f"## {name}\n\n" + f"{text} " * 24
    for name, text in (("Bow", "Take the bow line first."), ("Stern", "Mind the tide."), ("Spring", "Never stand by."))
)


def _draw_pictures(files: Path) -> None:
    logo = Image.new("RGBA", (360, 120), (0, 0, 0, 0))
    pen = ImageDraw.Draw(logo)
    pen.polygon([(10, 90), (60, 15), (110, 90)], fill="#0b3d66")
    pen.text((125, 35), "HARBOUR", fill="#0b3d66", font=ImageFont.truetype(font_file("Liberation Sans", bold=True), 44))
    logo.save(files / "logo.png", dpi=(144, 144))
    quay = Image.linear_gradient("L").resize((900, 300)).convert("RGB")
    pen = ImageDraw.Draw(quay)
    for number, color in enumerate(("#c0392b", "#2980b9", "#27ae60", "#f39c12", "#8e44ad")):
        pen.rectangle((60 + 160 * number, 150, 200 + 160 * number, 240), fill=color)
    quay.save(files / "quay.png", dpi=(150, 150))
    quay.save(files / "quay.jpg", quality=85, dpi=(150, 150))
    letter = Image.new("RGB", (1240, 1754), "white")
    pen = ImageDraw.Draw(letter)
    font = ImageFont.truetype(font_file("Liberation Serif"), 36)
    letter_lines = (
        "Hamburg, 3 May 2026",
        "",
        "Dear Ms Roe,",
        "",
        "please find our delivery note 88-1207 for three pallets",
        "of mooring rope. The goods left our store on 30 April.",
        "",
        "Kind regards",
        "Peter Lund",
    )
    for number, line in enumerate(letter_lines):
        pen.text((150, 200 + 60 * number), line, fill="#222222", font=font)
    letter.save(files / "scan.png", dpi=(150, 150))


def _write_form(files: Path) -> None:
    """A form by ReportLab: boxes for text, a comb, checks, radios, a dropdown and a list."""
    canvas = Canvas(str(files / "form.pdf"), pagesize=(595, 842), invariant=1)
    canvas.setTitle("Berth application")
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(50, 780, "Application for a berth")
    canvas.setFont("Helvetica", 10)
    labels = ("Name of owner", "Name of vessel", "Length (m)", "Kind", "Services", "Berth for", "Remarks", "Berths")
    for number, label in enumerate(labels):
        canvas.drawString(50, 740 - 40 * number, label)
    form, edge = canvas.acroForm, {"borderColor": HexColor("#5577aa"), "fillColor": HexColor("#f3f7fc")}
    for name, y, wide in (("owner", 732, 260), ("vessel", 692, 260), ("length", 652, 80)):
        form.textfield(name=name, x=180, y=y, width=wide, height=20, fontSize=10, borderWidth=1, **edge)
    for number, name in enumerate(("sail", "motor")):
        form.radio(name="kind", value=name, x=180 + 90 * number, y=613, size=16, buttonStyle="circle", **edge)
        canvas.drawString(202 + 90 * number, 617, name)
    for number, name in enumerate(("water", "power", "waste")):
        form.checkbox(name=name, x=180 + 90 * number, y=573, size=16, buttonStyle="check", **edge)
        canvas.drawString(202 + 90 * number, 577, name)
    months = ["One month", "One season", "One year"]
    form.choice(name="term", value="One month", options=months, x=180, y=530, width=150, height=20, fontSize=10, **edge)
    form.textfield(
        name="remarks", x=180, y=465, width=330, height=52, fontSize=9, maxlen=400, fieldFlags="multiline", **edge
    )
    berths = ["North 1", "North 2", "South 1", "South 2", "South 3"]
    form.listbox(
        name="berths", value="North 1", options=berths, x=180, y=390, width=150, height=64, fontSize=9,
        fieldFlags="multiSelect", **edge,
    )  # fmt: skip
    canvas.setStrokeColor(black)
    canvas.setFillColor(white)
    canvas.line(50, 330, 250, 330)
    canvas.showPage()
    canvas.save()


def prepare_files(files: Path) -> None:
    _draw_pictures(files)
    _write_form(files)
    (files / "handbook.md").write_text(HANDBOOK, encoding="utf-8")
    (files / "rates.csv").write_text("Berth,EUR per day\nNorth,38.00\nSouth,31.50\n", encoding="utf-8")


def _make_create_example(target: str, **arguments: Any) -> Example:
    return Example("create_pdf", {"path": target, **arguments}, look=(target,))


CREATED = (
    _make_create_example("report.pdf", markdown=REPORT, title="Second quarter 2026"),
    _make_create_example("invoice.pdf", html=INVOICE),
    _make_create_example("handbook.pdf", source="handbook.md", paper="A5", landscape=True, margin_mm=12),
    _make_create_example("album.pdf", images=["quay.jpg", "logo.png"], paper="A4", landscape=True),
    _make_create_example("scan.pdf", images=["scan.png"], paper="image"),
)
READ = (
    Example("inspect_pdf", {"path": "report.pdf"}),
    Example("inspect_pdf", {"path": "form.pdf"}),
    *(Example("read_pdf_text", {"path": "invoice.pdf", "format": form}) for form in ("plain", "layout", "lines")),
    Example("read_pdf_text", {"path": "report.pdf"}),
    Example("read_pdf_text", {"path": "invoice.pdf", "format": "words", "pages": "1", "box": [0, 200, 612, 330]}),
    Example("search_pdf", {"path": "report.pdf", "query": "new crane"}),
    Example("search_pdf", {"path": "invoice.pdf", "query": r"€ [\d,]+\.\d\d", "regex": True}),
    *(Example("read_pdf_tables", {"path": "report.pdf", "strategy": how}) for how in ("lines", "text")),
    Example("read_pdf_tables", {"path": "invoice.pdf", "pages": "1"}),
    Example("show_pdf_page", {"path": "report.pdf"}),
    Example("show_pdf_page", {"path": "invoice.pdf", "dpi": 200, "box": [40, 180, 572, 400]}),
)
OCR = (
    Example("add_pdf_text_layer", {"path": "scan.pdf", "languages": ["en"]}, look=("scan.pdf",)),
    Example("read_pdf_text", {"path": "scan.pdf"}),
    Example("search_pdf", {"path": "scan.pdf", "query": "mooring rope"}),
)
ANSWERS = {
    "owner": "Żaneta O’Neill & Söhne", "vessel": "Möwe II", "length": 12.5, "kind": "sail", "water": True,
    "waste": True, "term": "One season", "berths": ["North 2", "South 1"],
    "remarks": "Draught 1.90 m. We arrive on 4 May in the evening, as soon as the lock opens, and would like to lie "
    "alongside, not in a box.\nThank you!",
}  # fmt: skip
FORMS = (
    Example("read_pdf_form", {"path": "form.pdf"}, look=("form.pdf",)),
    Example("fill_pdf_form", {"path": "form.pdf", "values": ANSWERS, "target": "filled.pdf"}, look=("filled.pdf",)),
    Example("read_pdf_form", {"path": "filled.pdf"}),
    Example(
        "fill_pdf_form",
        {
            "path": "filled.pdf",
            "values": {"kind": "motor", "power": True, "water": False, "berths": None},
            "target": "flat.pdf",
            "flatten": True,
        },
        look=("flat.pdf",),
    ),
)
MARKS = [
    {"kind": "highlight", "find": "new crane", "text": "Which one?", "author": "Ann Berg"},
    {"kind": "highlight", "find": "driven by", "color": "#9be59b"},
    {"kind": "underline", "find": "supervisory board", "color": "#0b57d0"},
    {"kind": "strike", "find": "Hall B is fully let", "color": "#d01010"},
    {"kind": "note", "page": 1, "boxes": [[560, 90, 580, 110]], "text": "Check the date", "author": "Ann Berg"},
    {"kind": "free_text", "page": 1, "boxes": [[380, 20, 575, 50]], "text": "Please send by Friday – Łucja, 東京"},
    {"kind": "free_text", "page": 2, "boxes": [[420, 500, 560, 600]], "font_size": 14, "color": "#aa2200",
     "text": "A longer remark that must break into several lines, all to be read"},
    {"kind": "stamp", "page": 1, "boxes": [[400, 740, 570, 790]], "text": "APPROVED", "color": "#157a2c"},
    {"kind": "stamp", "page": 2, "boxes": [[60, 760, 120, 780]], "text": "CONFIDENTIAL"},
    {"kind": "rect", "page": 1, "boxes": [[54, 532, 541, 658]], "color": "#0b57d0", "line_width": 2},
    {"kind": "ink", "page": 2, "line_width": 2, "color": "#0b57d0",
     "strokes": [[[300, 700], [320, 680], [340, 712], [360, 684], [385, 706], [430, 690]], [[300, 720], [430, 716]]]},
]  # fmt: skip
MARKED = (
    Example("annotate_pdf", {"path": "report.pdf", "add": MARKS, "target": "marked.pdf"}, look=("marked.pdf",)),
    Example("list_pdf_items", {"path": "marked.pdf", "what": "annotations"}),
    Example("flatten_pdf", {"path": "marked.pdf", "what": "annotations", "target": "plain.pdf"}, look=("plain.pdf",)),
    Example("annotate_pdf", {"path": "marked.pdf", "delete": ["all:Highlight", "all:Ink"]}, look=("marked.pdf",)),
    Example("flatten_pdf", {"path": "filled.pdf", "what": "fields", "target": "printed.pdf"}, look=("printed.pdf",)),
)
PLACES = [f"{y}-{x}" for y in ("top", "bottom") for x in ("left", "center", "right")] + [
    "center-left", "center", "center-right",
]  # fmt: skip
STAMPS = [
    {"text": "Page {page} of {pages}", "position": "bottom-center", "font_size": 9, "color": "#555555"},
    {"text": "HL-{number:06}", "position": "bottom-right", "font": "mono", "bold": True, "number_start": 118},
    {"text": "{file}, {date}", "position": "top-left", "font": "serif", "font_size": 8},
    {"text": "DRAFT", "position": "center", "angle": 45, "opacity": 0.2, "behind": True, "color": "#c00000"},
    {"image": "logo.png", "position": "top-right", "width": 90, "pages": "1", "margin": 20},
    {"text": "Received at the office of the harbour master and entered as no. 1204", "box": [440, 640, 570, 700],
     "pages": "2", "color": "#0b3d66", "bold": True},
]  # fmt: skip
STAMPED = (
    Example("stamp_pdf", {"path": "report.pdf", "stamps": STAMPS, "target": "stamped.pdf"}, look=("stamped.pdf",)),
    Example(
        "stamp_pdf",
        {
            "path": "handbook.pdf",
            "stamps": [{"text": place, "position": place, "pages": "1"} for place in PLACES]
            + [
                {"image": "logo.png", "pages": "2", "position": "center", "width": 200, "opacity": 0.3},
                {"text": "First line\nsecond line is longer", "pages": "2", "position": "bottom-right"},
                {"text": "upwards", "pages": "2", "position": "center-left", "angle": 90, "font_size": 12},
            ],
            "target": "places.pdf",
        },
        look=("places.pdf",),
    ),
)
SECRETS = {"terms": ["Jane Roe", "Nordwind"], "patterns": [r"DE\d{2}( \d{2,4})+", r"[\w.]+@[\w.]+"]}
REDACTED = (
    Example("redact_pdf", {"path": "invoice.pdf", **SECRETS, "target": "public.pdf"}, look=("public.pdf",)),
    Example(
        "redact_pdf",
        {
            "path": "report.pdf",
            "areas": [{"page": 1, "box": [180, 120, 330, 260]}],
            "terms": ["board"],
            "color": "#b0b0b0",
            "target": "short.pdf",
        },
        look=("short.pdf",),
    ),
    Example("redact_pdf", {"path": "scan.pdf", "terms": ["Roe"], "target": "hidden.pdf"}, look=("hidden.pdf",)),
    Example("redact_pdf", {"path": "filled.pdf", "terms": ["Möwe"], "target": "closed.pdf"}, look=("closed.pdf",)),
    Example("compare_pdfs", {"path": "invoice.pdf", "other": "public.pdf", "picture": True}),
    Example("compare_pdfs", {"path": "report.pdf", "other": "stamped.pdf", "compare": "visual", "picture": True}),
)
ARRANGED = (
    Example(
        "arrange_pdf_pages",
        {
            "path": "report.pdf",
            "edits": [
                {"op": "insert", "source": "handbook.pdf", "pages": "1", "before": 2},
                {"op": "blank", "before": 2},
                {"op": "rotate", "pages": "1", "angle": 90},
                {"op": "crop", "pages": "last", "box": [40, 40, 555, 420]},
                {"op": "move", "pages": "last", "before": 1},
            ],
            "target": "arranged.pdf",
        },
        look=("arranged.pdf",),
    ),
    Example(
        "arrange_pdf_pages",
        {
            "path": "arranged.pdf",
            "edits": [{"op": "delete", "pages": "3"}, {"op": "keep", "pages": "3,1,2,1"}],
            "target": "kept.pdf",
        },
        look=("kept.pdf",),
    ),
    Example(
        "stamp_pdf",
        {"path": "kept.pdf", "stamps": [STAMPS[0], STAMPS[2], STAMPS[3]], "target": "numbered.pdf"},
        look=("numbered.pdf",),
    ),
    Example(
        "annotate_pdf",
        {
            "path": "kept.pdf",
            "add": [
                {"kind": "highlight", "find": "Containers"},
                {"kind": "stamp", "page": 3, "boxes": [[600, 40, 800, 90]], "text": "RECEIVED"},
                {"kind": "free_text", "page": 3, "boxes": [[600, 110, 800, 160]], "text": "Read on a turned page"},
            ],
        },
        look=("kept.pdf",),
    ),
    Example(
        "merge_pdfs",
        {
            "sources": [{"path": "report.pdf", "pages": "1-2"}, {"path": "invoice.pdf"}, {"path": "filled.pdf"}],
            "target": "all.pdf",
        },
        look=("all.pdf",),
    ),
    Example("list_pdf_items", {"path": "all.pdf", "what": "outline"}),
    *(
        Example("split_pdf", {"path": "all.pdf", "folder": f"split_{how['by']}", **how})
        for how in ({"by": "every", "every": 2}, {"by": "ranges", "ranges": ["1,3", "4-"]}, {"by": "bookmarks"})
    ),
)
OUTLINE = [("Report", 1, 1), ("Figures", 1, 2), ("Invoice", 3, 1), ("Terms", 4, 2), ("Application", 5, 1)]
REMAINING_EXAMPLES = (
    Example(
        "set_pdf_outline",
        {
            "path": "all.pdf",
            "entries": [{"title": title, "page": page, "level": level} for title, page, level in OUTLINE],
        },
    ),
    Example("attach_pdf_files", {"path": "all.pdf", "files": ["rates.csv", "logo.png"], "descriptions": ["Rates", ""]}),
    *(
        Example("list_pdf_items", {"path": "all.pdf", "what": what})
        for what in ("images", "links", "outline", "attachments", "signatures")
    ),
    Example("extract_pdf_files", {"path": "all.pdf", "folder": "images"}),
    Example("extract_pdf_files", {"path": "all.pdf", "folder": "attached", "what": "attachments"}),
    Example("attach_pdf_files", {"path": "all.pdf", "delete": ["logo.png"]}),
    Example(
        "set_pdf_metadata",
        {
            "path": "all.pdf",
            "scrub": True,
            "language": "en-GB",
            "properties": {"title": "Papers", "author": "Ann Berg"},
        },
    ),
    Example("rewrite_pdf", {"path": "all.pdf", "action": "compress", "image_dpi": 72}, look=("all.pdf",)),
    Example("rewrite_pdf", {"path": "all.pdf", "action": "repair"}),
    Example(
        "rewrite_pdf",
        {
            "path": "all.pdf",
            "action": "encrypt",
            "new_password": "tide",
            "owner_password": "ebb",
            "target": "locked.pdf",
        },
    ),
    Example("inspect_pdf", {"path": "locked.pdf", "password": "tide"}),
    Example(
        "rewrite_pdf",
        {"path": "locked.pdf", "action": "decrypt", "password": "ebb", "target": "open.pdf"},
        look=("open.pdf",),
    ),
)

GALLERY = Gallery(
    prepare_files, (*CREATED, *READ, *OCR, *FORMS, *MARKED, *STAMPED, *REDACTED, *ARRANGED, *REMAINING_EXAMPLES)
)
