"""Examples of documents: the yearly report of a carrier, its letters and forms."""

import zlib
from pathlib import Path
from typing import Any

import docx
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from PIL import Image, ImageDraw, ImageFont

from tools.example import Example, Gallery

REPORT = "report.docx"


def find_anchor(*texts: str) -> str:
    """The anchor of the one paragraph with a text, or of the one table whose first row has these texts."""
    known = "p" + texts[0] if len(texts) == 1 else "t\x1d" + "\x1d".join(texts)
    digest = zlib.crc32(zlib.crc32(known.encode()).to_bytes(4, "big")) & 0xFFFFFFF
    return f"b0-{digest:07x}"


def make_op(what: str, /, **given: Any) -> dict[str, Any]:
    return {"op": what, **given}


def make_block(kind: str, text: str = "", **given: Any) -> dict[str, Any]:
    return {"kind": kind, "text": text, **given}


def make_heading(level: int, text: str, **given: Any) -> dict[str, Any]:
    return make_block("heading", text, level=level, **given)


def make_edit_example(path: str, tool: str, *edits: dict[str, Any], look: bool = True, **given: Any) -> Example:
    return Example(tool, {"path": path, "edits": list(edits), **given}, look=(path,) if look else ())


def make_style_edit(*texts: str, **given: Any) -> dict[str, Any]:
    """An edit of format_document for the blocks with these texts; what is no other word of it is a look."""
    own: dict[str, Any] = {key: given.pop(key) for key in ("find", "style", "clear") if key in given}
    return {"anchors": [find_anchor(text) for text in texts], **own, **({"look": given} if given else {})}


def make_style_definition(name: str, kind: str = "paragraph", based_on: str = "Normal", **look: Any) -> dict[str, Any]:
    return {"define": name, "kind": kind, "look": look, **({"based_on": based_on} if kind == "paragraph" else {})}


INTRO = (
    "Alder Logistics carried 412,000 shipments in 2025, 9 % more than the year before. Sales rose to 48.6 million "
    "euros; the margin held at 6.2 % although diesel cost 11 % more."
)
FLEET = "The fleet grew to 186 trucks, of which 41 run on batteries."
RISKS = "Three risks are watched by the board every month; what they cost stands in the part below."
COST = "The cost of a trip follows from its length and from the price of energy."
BREAK_EVEN = "A battery truck breaks even after about 310,000 km."
OUTLOOK = "For 2026 the board plans sales of 52 million euros."
DEPOT = "The depot in Bremen opens in May; for its risks see page below, in short: "
REGIONS = (
    ["Region", "Shipments", "Sales in EUR", "Change"],
    ["North", "168,400", "19,850,000", "+12.4 %"],
    ["West", "131,200", "15,420,000", "+8.1 %"],
    ["South", "112,400", "13,330,000", "-1.3 %"],
    ["All regions", "412,000", "48,600,000", "+7.6 %"],
)
TRUCKS = (
    ["Class", "Diesel", "Battery", "Range"],
    ["Up to 7.5 t", "52", "29", "220 km"],
    ["Up to 18 t", "58", "12", "310 km"],
    ["Up to 40 t", "35", "0", "-"],
)
FRONT = (
    make_block("paragraph", "Annual Report 2025", style="Title"),
    make_block("paragraph", "Alder Logistics GmbH, Hamburg", style="Subtitle"),
    make_block("toc", "Contents", level=3),
    make_block("figures", "Figures", label="Figure"),
    make_block("figures", "Tables", label="Table"),
    make_block("page_break"),
)
YEAR = (
    make_heading(1, "The year in brief", bookmark="brief"),
    make_block("paragraph", INTRO, align="justify"),
    make_block("quote", "We deliver what we promise, and we promise what we can deliver."),
    make_heading(2, "Sales by region"),
    make_block("caption", "Shipments and sales by region", label="Table"),
    make_block("table", rows=list(REGIONS)),
    make_block("paragraph", "Sales are *before* discounts; ~~interim~~ figures are **audited**. See [the accounts]"
          "(https://alder.example/accounts) and `ledger.csv`."),
    make_heading(2, "Shipments by month"),
    make_block("image", image="months.png", alt="Bars: shipments rise from January to December", widths_cm=[13]),
    make_block("caption", "Shipments by month, in thousands"),
    make_heading(2, "Fleet"),
    make_block("paragraph", FLEET),
    make_block("table", rows=list(TRUCKS), widths_cm=[5, 3, 3, 3]),
)  # fmt: skip
LISTS = (
    make_heading(1, "Risks and measures"),
    make_block("paragraph", RISKS),
    make_block("bullet", "Energy prices"),
    make_block("bullet", "Diesel is hedged for two quarters", level=2),
    make_block("bullet", "Power is bought for three years", level=2),
    make_block("bullet", "The contract ends in June 2028", level=3),
    make_block(
        "bullet",
        "Drivers: 34 posts are open, and a third of those who drive today will retire within ten years, "
        "most of them in the north",
    ),
    make_block("bullet", "Tolls"),
    make_heading(3, "What we do about it"),
    make_block("number", "Train 40 drivers a year"),
    make_block("number", "In Hamburg, from March", level=2),
    make_block("number", "In Bremen, from May", level=2),
    make_block("number", "With the dealer's own trainers", level=3),
    make_block("number", "Charge at night"),
    make_block("number", "Begin the year with the old contracts", restart=True),
    make_block("number", "End it with the new ones"),
    make_heading(4, "How a route is priced"),
    make_block(
        "code", "def price(km: float, kwh: float) -> float:\n    base = 1.15 * km\n    return base + kwh * 0.24"
    ),
    make_block("rule"),
    make_block("paragraph", "A line with **stars** that stay.", literal=True, align="center"),
    make_heading(1, "Costs"),
    make_block("paragraph", COST),
    make_block("paragraph", BREAK_EVEN),
    make_block("section_break", start="next_page"),
    make_heading(1, "Outlook"),
    make_block("paragraph", OUTLOOK),
    make_block("paragraph", DEPOT),
    make_block("paragraph", 'Hamburg, {DATE \\@ "d MMMM yyyy"}', align="right"),
)

LETTER = (
    "{{Company}}\n{{Street}}\n{{City}}",
    "Offer {{Number}}",
    "Dear {{Name}},",
    "thank you for asking us. We carry your {{Goods}} for {{Price}} EUR a month, from the first of next month on.",
    "Yours sincerely",
)
CUSTOMERS = (
    "Number,Company,Street,City,Name,Goods,Price\n"
    'A-17,Kraft & Söhne,Hafenstraße 4,20457 Hamburg,Ms Kraft,"paper, boxes","1,250.00"\n'
    "A-18,Brandt AG,Am Wall 88,28195 Bremen,Mr Brandt,coffee,980.50\n"
)
FORM = (
    ("Name: ", '<w:showingPlcHdr/><w:text/>', "Click here"),
    ("Pick-up: ", '<w:date><w:dateFormat w:val="d MMMM yyyy"/><w:lid w:val="en-GB"/></w:date>', "Choose a day"),
    ("Way: ", '<w:dropDownList><w:listItem w:displayText="Road" w:value="road"/>'
     '<w:listItem w:displayText="Rail" w:value="rail"/></w:dropDownList>', "Choose"),
    ("Insured: ", '<w14:checkbox><w14:checked w14:val="0"/></w14:checkbox>', "\u2610"),
)  # fmt: skip
NOTES = r"""---
title: Loading rules
---

# Loading rules

A pallet bears *at most* **1,200 kg**[^1]. Its pressure on the floor is $p = \frac{m g}{a b}$, with $g = 9.81$.

$$
\sigma = \sqrt{\frac{1}{n-1} \sum_{i=1}^{n} (x_i - \bar{x})^2}
$$

1. Weigh the pallet
2. Strap it
   - two straps up to 600 kg
   - four straps above
3. Sign the list

> Never load over the axle.

| Pallet | Width | Height |
|:-------|------:|:------:|
| Euro   |  80 cm | 14 cm |
| Half   |  60 cm | 16 cm |

```python
def free(length: float) -> int:
    return int(length // 0.8)
```

- [x] Scales are gauged
- [ ] Straps are tested

---

See the [standard](https://example.org/en-12195) and ![the months](months.png)

[^1]: EN 13698, for even loads.
"""


def prepare_files(files: Path) -> None:
    draw_bars(files / "months.png", "#2f5496")
    draw_bars(files / "months_green.png", "#4f8a5b")
    (files / "customers.csv").write_text(CUSTOMERS, encoding="utf-8")
    (files / "rules.md").write_text(NOTES, encoding="utf-8")
    write_letter(files / "letter.docx")
    write_form(files / "order.docx")


def draw_bars(path: Path, color: str) -> None:
    picture = Image.new("RGB", (1000, 420), "white")
    pen = ImageDraw.Draw(picture)
    for month, height in enumerate((190, 180, 215, 230, 240, 238, 250, 244, 270, 290, 315, 340)):
        pen.rectangle((40 + 80 * month, 380 - height, 90 + 80 * month, 380), fill=color)
        pen.text((65 + 80 * month, 384), "JFMAMJJASOND"[month], "black", ImageFont.load_default(24), anchor="mt")
    picture.save(path, dpi=(200, 200))


def write_letter(path: Path) -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Alder Logistics\t\tOffer {{Number}}"
    for text in LETTER:
        document.add_paragraph(text)
    document.save(path)


def write_form(path: Path) -> None:
    document = docx.Document()
    document.add_heading("Order of a transport", 1)
    names = nsdecls("w") + ' xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"'
    for label, control, hint in FORM:
        name = label.strip(": ")
        document.add_paragraph(label)._p.append(
            parse_xml(
                f'<w:sdt {names}><w:sdtPr><w:tag w:val="{name}"/>{control}</w:sdtPr>'
                f"<w:sdtContent><w:r><w:t>{hint}</w:t></w:r></w:sdtContent></w:sdt>"
            )
        )
    document.save(path)


WRITING = (
    Example(
        "create_document", {"path": "memo.docx", "title": "Memo on night charging", "language": "en-GB"}, ("memo.docx",)
    ),
    Example("create_document", {"path": REPORT, "language": "en-GB"}),
    make_edit_example(REPORT, "edit_blocks", make_op("insert", blocks=[*FRONT, *YEAR, *LISTS])),
    make_edit_example(
        "memo.docx",
        "edit_blocks",
        make_op(
            "insert", blocks=[make_block("paragraph", text) for text in ("First", "Second", "Third", "Fourth", "Fifth")]
        ),
    ),
    make_edit_example(
        "memo.docx",
        "edit_blocks",
        make_op("set_text", anchor=find_anchor("First"), text="All 41 trucks charge at night from March."),
        make_op(
            "replace",
            anchor=find_anchor("Second"),
            to=find_anchor("Third"),
            blocks=[make_block("bullet", "Depot A: 22 posts"), make_block("bullet", "Depot B: 19 posts")],
        ),
        make_op("move", anchor=find_anchor("Fifth"), beside=find_anchor("First"), position="before"),
        make_op("delete", anchor=find_anchor("Fourth")),
    ),
)
WORDS = ("Bold", "Slanted", "Struck", "Single", "Double", "Dotted", "Wave", "Red", "Marked", "Serif", "Up", "Down",
         "Large caps", "Small caps")  # fmt: skip
PLACES = ("Left", "Middle", "Right", "Justified: " + INTRO, "Tall lines: " + INTRO, "Set in: " + INTRO,
          "Hanging: " + INTRO, "Shaded", "Boxed", "Under a line", "Above a line", "Beside a line", "Before a line",
          "Pork\t4\t2.50\nBeans\t12\t11.80", "On the next page", "Kept")  # fmt: skip
LETTERS: tuple[dict[str, Any], ...] = (
    {"bold": True}, {"italic": True}, {"strike": True},
    *({"underline": kind} for kind in ("single", "double", "dotted", "wave")),
    {"color": "C00000"}, {"highlight": "yellow"}, {"font": "DejaVu Serif", "size_pt": 16}, {"vertical": "super"},
    {"vertical": "sub"}, {"caps": "all"}, {"caps": "small"},
)  # fmt: skip
STANDS: tuple[dict[str, Any], ...] = (
    {"align": "left"}, {"align": "center"}, {"align": "right"}, {"align": "justify", "language": "en-GB"},
    {"line_spacing": 2, "before_pt": 18, "after_pt": 18}, {"left_cm": 3, "right_cm": 3, "first_line_cm": 1},
    {"left_cm": 2, "first_line_cm": -2}, {"shading": "FFF2CC"},
    *({"border": side} for side in ("box", "top", "bottom", "left", "right")), {"tabs": ["6 center", "14 right dot"]},
    {"page_break_before": True, "keep_next": True, "keep_lines": True}, {"outline_level": 1},
)  # fmt: skip
FORMATTING = (
    make_edit_example(
        "looks.docx",
        "edit_blocks",
        make_op("insert", blocks=[make_block("paragraph", f"{word} and plain") for word in WORDS]),
        look=False,
    ),
    make_edit_example(
        "looks.docx",
        "edit_blocks",
        make_op("insert", blocks=[make_block("paragraph", text) for text in PLACES]),
        look=False,
    ),
    make_edit_example(
        "looks.docx",
        "format_document",
        *(make_style_edit(f"{word} and plain", find=word, **look) for word, look in zip(WORDS, LETTERS, strict=True)),
        *(make_style_edit(text, **look) for text, look in zip(PLACES, STANDS, strict=True)),
    ),
    make_edit_example(
        REPORT,
        "format_document",
        make_style_definition("heading 1", color="7A3E00", border="bottom", caps="small"),
        make_style_definition("Warning", shading="FDECEA", border="left", left_cm=0.5, color="7F1D1D", before_pt=6),
        make_style_definition("Figure Word", kind="character", bold=True, color="1B7F4B"),
        make_style_edit(RISKS, style="Warning"),
        make_style_edit(INTRO, find="48.6 million euros", style="Figure Word"),
        make_style_edit("All regions", "412,000", "48,600,000", "+7.6 %", bold=True),
    ),
)
TABLES = (
    make_edit_example(
        "tables.docx",
        "edit_blocks",
        make_op("insert", blocks=[make_block("table", rows=list(rows)) for rows in (REGIONS, TRUCKS)]),
        look=False,
    ),
    make_edit_example(
        "tables.docx",
        "edit_document_table",
        make_op(
            "insert_rows",
            range="5",
            values=[["East", "96,000", "11,200,000", "+2.0 %"], ["Abroad", "4,100", "930,000", "+31.5 %"]],
        ),
        make_op(
            "insert_columns", range="D", values=[["Share"], ["41 %"], ["32 %"], ["27 %"], ["23 %"], ["2 %"], ["100 %"]]
        ),
        make_op("delete_rows", range="4"),
        make_op("set_cells", range="A6:C6", values=[["Total", "499,700", "59,730,000"]]),
        make_op("format", range="6", bold=True, shading="DCE6F2"),
        make_op("format", range="A6:E6", borders="top", border_color="1F3864", border_pt=1.5),
        make_op("format", range="E2:E6", align="center", valign="center"),
        make_op(
            "layout", header_rows=1, keep_rows=True, row_cm=0.9, widths_cm=[4, 3, 3.5, 2.5, 2.5], description="Sales"
        ),
        anchor=find_anchor(*REGIONS[0]),
    ),
    make_edit_example(
        "tables.docx",
        "edit_document_table",
        make_op("insert_rows", count=2),
        make_op(
            "set_cells",
            range="A5:D6",
            values=[["Vans", "18", "9", "190 km"], ["One line\nand a second one", "3", "1", "-"]],
        ),
        make_op("merge", range="A2:A3"),
        make_op("split", range="A2"),
        make_op("merge", range="C5:D5"),
        make_op("layout", style="Table Grid", align="center", autofit="contents"),
        make_op("format", borders="all", border_color="C55A11", border_pt=1),
        make_op("format", range="1", shading="F8CBAD", bold=True, padding_cm=0.25, align="center"),
        make_op("format", range="6", borders="none"),
        make_op("format", range="B2:C4", borders="outside", border_color="2F5496", border_pt=2.25),
        make_op("format", range="C6:D6", valign="bottom"),
        make_op("delete_columns", range="B"),
        anchor=find_anchor(*TRUCKS[0]),
    ),
)
PICTURES = (
    make_edit_example(
        REPORT,
        "edit_document_images",
        {"image": 1, "op": "replace", "file": "months_green.png"},
        {"image": 1, "op": "resize", "width_cm": 9},
        {"image": 1, "op": "describe", "alt": "Bars: shipments of each month of 2025"},
        {"image": 1, "op": "save"},
        folder="pictures",
    ),
)
EDGES = (
    Example(
        "set_page_layout",
        {
            "path": REPORT,
            "layouts": [
                {"header": "Alder Logistics\t\tAnnual Report 2025", "footer": "\tPage {PAGE} of {NUMPAGES}\t"},
                {"section": 1, "first_header": "", "first_footer": "Confidential\t\t{DATE \\@ yyyy-MM-dd}"},
                {
                    "section": 2,
                    "orientation": "landscape",
                    "columns": 2,
                    "column_gap_cm": 1.5,
                    "number_format": "upperRoman",
                    "first_number": 1,
                    "margins_cm": [3, 2, 2, 2],
                    "even_header": "Even\t\tOutlook",
                },
            ],
        },
        (REPORT,),
    ),
)
REFERENCES = (
    make_edit_example(
        REPORT,
        "edit_notes",
        make_op("add", anchor=find_anchor(INTRO), text="412,000 shipments", note="Without returns."),
        make_op("add", text="41 run on batteries", note="As of 31 December 2025.\nEight more were ordered."),
        make_op("add", text="52 million euros", kind="endnote", note="At constant prices."),
    ),
    make_edit_example(
        REPORT, "edit_notes", make_op("change", id="footnote-1", note="Without returns and empty trips."), look=False
    ),
    make_edit_example(
        REPORT,
        "edit_equations",
        make_op(
            "add",
            anchor=find_anchor(COST),
            latex=r"C = \sum_{i=1}^{n} d_i \left( a + \frac{b\,p_i}{\eta} \right)",
            display=True,
        ),
        make_op(
            "add",
            anchor=find_anchor(COST),
            latex=r"M = \begin{pmatrix} 1 & 0 \\ \alpha & \sqrt[3]{x} \end{pmatrix}",
            display=True,
        ),
        make_op(
            "add", anchor=find_anchor(COST), latex=r"\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}", display=True
        ),
        make_op("add", anchor=find_anchor(BREAK_EVEN), text="about 310,000 km", latex=r"x_0 = \frac{F}{c_d - c_b}"),
    ),
    make_edit_example(
        REPORT,
        "edit_references",
        make_op(
            "cross_reference",
            anchor=find_anchor(DEPOT),
            find="below",
            target=find_anchor("Risks and measures"),
            show="page",
        ),
        make_op("cross_reference", anchor=find_anchor(RISKS), find="below", target=find_anchor("Costs")),
        make_op("link", anchor=find_anchor(OUTLOOK), find="the board", url="https://alder.example/board"),
        make_op("bookmark", anchor=find_anchor(OUTLOOK), find="52 million euros", name="plan"),
        make_op("link", anchor=find_anchor("Energy prices"), find="prices", name="plan"),
        make_op("field", anchor=find_anchor(DEPOT), code="DOCPROPERTY Title"),
        update=True,
    ),
)
REVIEW = (
    make_edit_example(
        REPORT,
        "edit_comments",
        make_op("add", anchor=find_anchor(OUTLOOK), comment="Is this still right?\nThe board met again."),
        make_op("add", text="Tolls", comment="Which countries?"),
        make_op("reply", id="0", comment="Yes, since Monday."),
        make_op("resolve", id="0"),
        author="Ines Weber",
    ),
    make_edit_example(
        "memo.docx",
        "edit_blocks",
        make_op("insert", blocks=[make_block("paragraph", "Approved by the works council.")]),
        make_op("delete", anchor=find_anchor("Fifth")),
        track=True,
        author="Ines Weber",
    ),
    Example(
        "replace_document_text",
        {
            "path": "memo.docx",
            "track": True,
            "author": "Tom Berg",
            "replacements": [{"find": "March", "replace": "April"}, {"find": "posts", "replace": "chargers"}],
        },
        ("memo.docx",),
    ),
    Example("read_annotations", {"path": "memo.docx", "kind": "changes"}),
    Example("settle_changes", {"path": "memo.docx", "action": "accept", "authors": ["Tom Berg"]}, ("memo.docx",)),
    Example("settle_changes", {"path": "memo.docx", "action": "reject", "kinds": ["paragraph_insertion", "insertion"]}),
    Example("settle_changes", {"path": "memo.docx", "action": "start_tracking"}),
)
READING = (
    Example("inspect_document", {"path": REPORT, "lists": [
        "outline", "sections", "styles", "images", "fields", "bookmarks", "properties"]}),
    Example("read_document", {"path": REPORT, "limit": 30}),
    Example("read_document", {"path": REPORT, "format": "markdown"}),
    Example("read_document", {"path": "looks.docx", "format": "details", "limit": 8}),
    Example("search_document", {"path": REPORT, "query": r"\d+ (%|km|million)", "regex": True}),
    Example("read_annotations", {"path": REPORT, "kind": "comments"}),
    Example("read_annotations", {"path": REPORT, "kind": "notes"}),
    Example("read_annotations", {"path": REPORT, "kind": "equations"}),
)  # fmt: skip


def make_merge_arguments(**given: Any) -> dict[str, Any]:
    return {"template": "letter.docx", "source": "customers.csv", **given}


def make_conversion(path: str, output: str, *, look: bool = True, **given: Any) -> Example:
    return Example("convert_document", {"path": path, "target": output, **given}, (output,) if look else ())


FILLED = (("Name", "Kraft & Söhne"), ("Pick-up", "2026-03-05"), ("Way", "Rail"), ("Insured", "true"))
FILES = (
    Example("fill_template", make_merge_arguments(target="letters.docx"), ("letters.docx",)),
    Example("fill_template", make_merge_arguments(folder="letters", name="Offer {{Number}}")),
    Example("inspect_document", {"path": "order.docx", "lists": ["form"]}),
    make_edit_example(
        "order.docx", "edit_references", *(make_op("fill", name=name, value=value) for name, value in FILLED)
    ),
    Example("protect_document", {"path": "order.docx", "mode": "forms"}),
    Example(
        "set_document_properties",
        {
            "path": REPORT,
            "properties": {"title": "Annual Report 2025", "author": "Ines Weber"},
            "custom": {"Approved": True, "Version": 3},
        },
    ),
    make_conversion("rules.md", "rules.docx"),
    make_conversion("rules.md", "rules_styled.docx", template=REPORT),
    make_conversion("rules.docx", "rules.html"),
    make_conversion("rules.docx", "back.md", look=False),
    make_conversion(REPORT, "report.html"),
    make_conversion("report.html", "from_html.docx"),
    make_conversion("tables.docx", "tables.pdf"),
    make_conversion("rules.docx", "new_rules.docx", look=False),
    Example(
        "replace_document_text",
        {"path": "new_rules.docx", "replacements": [{"find": "1,200 kg", "replace": "1,000 kg"}]},
    ),
    make_edit_example(
        "new_rules.docx",
        "edit_blocks",
        make_op("delete", anchor=find_anchor("Sign the list")),
        make_op("insert", anchor=find_anchor("Weigh the pallet"), blocks=[make_block("number", "Check the wood")]),
    ),
    Example("compare_documents", {"path": "rules.docx", "other": "new_rules.docx"}),
    Example(
        "write_redline",
        {"path": "rules.docx", "other": "new_rules.docx", "target": "redline.docx"},
        ("redline.docx",),
    ),
    Example("merge_documents", {"paths": [REPORT, "rules.docx", "looks.docx"], "target": "all.docx"}, ("all.docx",)),
)
GALLERY = Gallery(
    prepare_files, WRITING + FORMATTING + TABLES + PICTURES + EDGES + REFERENCES + REVIEW + READING + FILES
)
