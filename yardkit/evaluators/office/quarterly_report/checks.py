"""A report from four exports: its figures, its form after the house's template, its printed pages."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.office.documents import Document, Paragraph, Table, read_document
from yardkit.evaluators.readers.pages.chart_bars import are_proportional, find_bars
from yardkit.evaluators.readers.pages.rendered import draw_printed, render_pages
from yardkit.evaluators.readers.tables import near
from yardkit.evaluators.submission import Submission

FILE = "reports/quarterly_report_q1_2026.docx"
TEMPLATE = "templates/house_template.docx"
TITLE = "Quarterly report Q1 2026"
CHAPTERS = ["Summary", "Revenue by region", "Top 10 customers"]
REGIONS = ["Region", "Orders", "Revenue (EUR)", "Share (%)"]
CUSTOMERS = ["Rank", "Customer no.", "Customer", "Revenue (EUR)", "Note"]
AMOUNT = re.compile(r"\d{1,3}(,\d{3})*\.\d\d")
SHARE = re.compile(r"\d{1,3}\.\d ?%?")
SENTENCE = re.compile(
    r"Revenue in the first quarter of 2026 was ([\d,]+\.\d\d) euros, (\d+\.\d) percent (more|less) than in the first "
    r"quarter of 2025\."
)
YEAR = re.compile(r"(?<![\d.,])\d{4}(?![.,]?\d)")
COLOR = "#C8553D"
CENTS_OFF = 0.05
LINE_PT = 18
EDGE_PT = 8


def _read(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _table(submission: Submission, head: list[str], chapter: str) -> Table:
    """The table with this header row in its chapter.

    Raises:
        InvalidArtifact: there is none, or more than one.
    """
    tables = [table for table in _read(submission).section(chapter) if isinstance(table, Table) and table.rows]
    found = [table for table in tables if [fold(cell) for cell in table.rows[0]] == [fold(cell) for cell in head]]
    if len(found) != 1:
        raise InvalidArtifact(f"{len(found)} tables in {chapter!r} have the header {', '.join(head)}")
    return found[0]


def _regions(submission: Submission, facts: Facts) -> Finding:
    rows = _table(submission, REGIONS, CHAPTERS[1]).rows[1:]
    wanted = [[name, *values] for name, values in facts["regions"].items()]
    wanted.append(["Total", facts["orders"], facts["total"], 100.0])
    names = [fold(row[0]) for row in rows] == [fold(row[0]) for row in wanted]
    wrong = [row for row, right in zip(rows, wanted, strict=False) if not _is(row, right)]
    return finding(names and not wrong, f"rows {rows}, expected {wanted}")


def _is(row: list[str], right: list[float | str]) -> bool:
    orders, revenue, share = (float(value) for value in right[1:])
    return near(row[1], orders, 0) and near(row[2], revenue, CENTS_OFF) and near(row[3], share, 0.051)


def _customers(submission: Submission, facts: Facts) -> Finding:
    rows = _table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]
    wrong = [
        row[:4]
        for place, (row, (number, name, value, _)) in enumerate(zip(rows, facts["top"], strict=False), 1)
        if fold(row[0]) != str(place)
        or [fold(cell) for cell in row[1:3]] != [fold(number), fold(name)]
        or not near(row[3], value, CENTS_OFF)
    ]
    return finding(
        len(rows) == 10 and not wrong, f"{len(rows)} rows, wrong {wrong[:4]}; expected {facts['top'][0][:3]} ..."
    )


def _notes(submission: Submission, facts: Facts) -> Finding:
    rows = {fold(row[1]): fold(row[4]) for row in _table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]}
    wrong = [number for number, _, _, note in facts["top"] if rows.get(fold(number)) != fold(note)]
    return finding(not wrong, f"without their whole note: {wrong}")


def _sentence(submission: Submission, facts: Facts) -> Finding:
    blocks = [
        paragraph
        for paragraph in _read(submission).section(CHAPTERS[0])
        if isinstance(paragraph, Paragraph) and paragraph.text.strip()
    ]
    match = SENTENCE.match(" ".join(blocks[0].text.split())) if blocks else None
    if match is None:
        return finding(
            holds=False, evidence=f"Summary begins with {blocks[0].text[:150]!r}" if blocks else "it is empty"
        )
    amount, change, direction = match.groups()
    holds = near(amount, facts["total"], CENTS_OFF) and near(change, abs(facts["change"]), 0.001)
    holds = holds and (direction == "more") == (facts["change"] > 0)
    return finding(holds, f"says {match.groups()}, expected {facts['total']} and {facts['change']}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    found = read_number(submission.answer)
    return finding(abs(float(found) - facts["total"]) <= CENTS_OFF, f"answered {found}, expected {facts['total']}")


def _forms(submission: Submission, _facts: Facts) -> Finding:
    regions = _table(submission, REGIONS, CHAPTERS[1]).rows[1:]
    customers = _table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]
    amounts = [row[2] for row in regions] + [row[3] for row in customers]
    odd = [text for text in amounts if not AMOUNT.fullmatch(text.strip())]
    odd += [row[3] for row in regions if not SHARE.fullmatch(row[3].strip())]
    return finding(not odd and len(amounts) > 10, f"not in the forms 1,234.50 and 12.3: {odd[:5]}")


def _built(submission: Submission, _facts: Facts) -> Finding:
    """Title and chapters, each in its style."""
    read = _read(submission)
    titles = [
        paragraph.text.strip() for paragraph in read.paragraphs if paragraph.style == "Title" and paragraph.text.strip()
    ]
    headings = [text for level, text in read.headings if level == 1 and text not in titles]
    deeper = [text for level, text in read.headings if level > 1]
    return finding(titles == [TITLE] and headings == CHAPTERS, f"title {titles}, chapters {headings}, deeper {deeper}")


def _template(submission: Submission, _facts: Facts) -> Finding:
    """Header, footer, margins, styles and table style are the house's, its samples are gone."""
    read, house = _read(submission), read_document(submission.untouched, TEMPLATE)
    wrong = [name for name in ("Normal", "Title", "Heading 1") if read.style_looks.get(name) != house.style_looks[name]]
    for section in read.sections:
        pairs = zip(section.margins_mm, house.sections[0].margins_mm, strict=True)
        wrong += ["margins"] if any(abs(a - b) > 1 for a, b in pairs) else []
        wrong += ["header"] if _said(section.headers) != _said(house.sections[0].headers) else []
        wrong += ["footer"] if _said(section.footers) != _said(house.sections[0].footers) else []
    tables = [_table(submission, REGIONS, CHAPTERS[1]), _table(submission, CUSTOMERS, CHAPTERS[2])]
    wrong += [f"table style {table.style!r}" for table in tables if table.style != "House Table"]
    wrong += [sample for sample in ("[Column]", "[Chapter]", "[Title", "Delete this") if sample in read.text]
    return finding(not wrong, f"not as in the house's template: {wrong}")


def _said(edges: dict[str, str]) -> str:
    return " ".join(edges.get("default", "").split())


def _chart(submission: Submission, facts: Facts) -> Finding:
    """On one of the printed pages stand four bars as long as the revenues."""
    values = [revenue for _, revenue, _ in facts["regions"].values()]
    seen = []
    if _read(submission).pictures:
        for page in render_pages(submission, FILE).pages:
            found = find_bars(draw_printed(submission, FILE, page.number, 2.5), [COLOR], horizontal=False)
            seen += [found.lengths] if found.patches else []
    holds = len(seen) == 1 and min(seen[0]) > 20 and are_proportional(seen[0], values, 0.02)
    return finding(holds, f"bars on the pages, heights in pixels: {seen}; revenues {values}")


def _caption(submission: Submission, facts: Facts) -> Finding:
    read = _read(submission)
    blocks = [paragraph for paragraph in read.section(CHAPTERS[1]) if isinstance(paragraph, Paragraph)]
    captions = [block.text for block in blocks if block.text.strip().startswith("Figure 1")]
    alts = [
        picture.alt for picture in read.pictures if all(fold(name) in fold(picture.alt) for name in facts["regions"])
    ]
    years = set(YEAR.findall("".join(captions))) - {"2026"}
    holds = len(captions) == 1 and bool(alts) and not years
    return finding(holds, f"captions {captions}, other years {sorted(years)}, alternative texts {alts}")


def _rows_hold(submission: Submission, _facts: Facts) -> Finding:
    table = _table(submission, CUSTOMERS, CHAPTERS[2])
    split = [row[1] for row, whole in zip(table.rows[1:], table.whole_rows[1:], strict=True) if not whole]
    holds = table.header_rows == 1 and not split
    return finding(holds, f"repeated header rows: {table.header_rows}; rows that may break: {split}")


def _legible(submission: Submission, _facts: Facts) -> Finding:
    """Numbers and amounts are words of one line within the margins."""
    pages = render_pages(submission, FILE).pages
    customers = _table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]
    regions = _table(submission, REGIONS, CHAPTERS[1]).rows[1:]
    wanted = {cell.strip() for row in customers for cell in (row[1], row[3])} | {row[2].strip() for row in regions}
    shown = {word.text for page in pages for word in page.words if word.box[3] - word.box[1] < LINE_PT}
    top, right, bottom, left = (value / 25.4 * 72 for value in _read(submission).sections[0].margins_mm)
    beyond = [
        word.text
        for page in pages
        for word in page.words
        if top < word.box[1] < page.height - bottom
        and (word.box[0] < left - EDGE_PT or word.box[2] > page.width - right + EDGE_PT)
    ]
    broken = sorted(wanted - shown)
    return finding(bool(wanted) and not broken and not beyond, f"broken {broken[:5]}; beyond the margins {beyond[:5]}")


def _well_filled(submission: Submission, facts: Facts) -> Finding:
    """The table begins below its heading on the same page; no page but the last ends in its upper half."""
    pages = render_pages(submission, FILE).pages
    first = facts["top"][0][0]
    together = any(page.find(CHAPTERS[2]) and any(word.text == first for word in page.words) for page in pages)
    bottom = _read(submission).sections[0].margins_mm[2] / 25.4 * 72
    short = [
        page.number
        for page in pages[:-1]
        if max((word.box[3] for word in page.words if word.box[3] < page.height - bottom + 2), default=0)
        < page.height / 2
    ]
    return finding(together and not short, f"heading and first row on one page: {together}; half empty pages {short}")


BODY = f"body:{FILE}"
REGION_ROWS, CUSTOMER_ROWS = (f"rows:{FILE}#1", BODY), (f"rows:{FILE}#2", BODY)

CHECKS = group(
    "quarterly_report",
    "The quarterly report is right and can be printed",
    group(
        "figures",
        "The figures follow from the exports",
        leaf("regions", "Orders, revenue and share of each region", _regions, observes=REGION_ROWS, weight=3),
        leaf("customers", "The ten best customers over all regions", _customers, observes=CUSTOMER_ROWS, weight=3),
        leaf("notes", "Each of them with its whole present note", _notes, observes=CUSTOMER_ROWS),
        leaf(
            "sentence", "The summary's sentence is right", _sentence, observes=(f"paragraphs:{FILE}#Revenue in*", BODY)
        ),
        leaf("answer", "The answer is the revenue", _answer, observes=("answer",)),
        weight=4,
    ),
    group(
        "form",
        "The report is built as asked",
        leaf("built", "Title and three chapters", _built, observes=(f"paragraphs:{FILE}", f"styles:{FILE}", BODY)),
        leaf(
            "template", "It is made from the house's template", _template, observes=(f"headers:{FILE}", BODY), weight=2
        ),
        leaf("forms", "Amounts and shares have their forms", _forms, observes=(BODY,), kind="format"),
        leaf("chart", "The bars show the revenues", _chart, observes=(f"pictures:{FILE}", BODY), weight=2),
        leaf(
            "caption",
            "Caption, of no other year, and alternative text",
            _caption,
            observes=(f"paragraphs:{FILE}#Figure*", f"pictures:{FILE}"),
        ),
        weight=3,
    ),
    group(
        "print",
        "It can be printed",
        leaf("rows_hold", "The header row is repeated and no row breaks", _rows_hold, observes=(BODY,), kind="format"),
        leaf(
            "legible", "No number is broken, nothing is beyond the margins", _legible, observes=(BODY,), kind="format"
        ),
        leaf(
            "well_filled",
            "The table begins at its heading, pages are filled",
            _well_filled,
            observes=(BODY,),
            kind="format",
        ),
        weight=2,
    ),
    leaves.looked("The pages were looked at", FILE),
    leaves.nothing_else(FILE, id="others", says="No other file was touched or left"),
)
