"""A report from four exports: its figures, its form after the house's template, its printed pages."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, define_leaf, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.office.documents import Document, Paragraph, Table, read_document
from yardkit.evaluators.readers.pages.chart_bars import are_proportional, find_bars
from yardkit.evaluators.readers.pages.rendered import draw_printed, render_pages
from yardkit.evaluators.readers.tables import is_near
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


BODY = f"body:{FILE}"
REGION_ROWS, CUSTOMER_ROWS = (f"rows:{FILE}#1", BODY), (f"rows:{FILE}#2", BODY)


def _read_report(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _find_table(submission: Submission, head: list[str], chapter: str) -> Table:
    """The table with this header row in its chapter.

    Raises:
        InvalidArtifact: there is none, or more than one.
    """
    tables = [
        table for table in _read_report(submission).list_section(chapter) if isinstance(table, Table) and table.rows
    ]
    matching_tables = [
        table
        for table in tables
        if [simplify_text(cell) for cell in table.rows[0]] == [simplify_text(cell) for cell in head]
    ]
    if len(matching_tables) != 1:
        raise InvalidArtifact(f"{len(matching_tables)} tables in {chapter!r} have the header {', '.join(head)}")
    return matching_tables[0]


@define_leaf("regions", "Orders, revenue and share of each region", *REGION_ROWS, weight=3)
def _check_regions(submission: Submission, facts: Facts) -> Finding:
    rows = _find_table(submission, REGIONS, CHAPTERS[1]).rows[1:]
    expected_rows = [[name, *values] for name, values in facts["regions"].items()]
    expected_rows.append(["Total", facts["orders"], facts["total"], 100.0])
    names = [simplify_text(row[0]) for row in rows] == [simplify_text(row[0]) for row in expected_rows]
    wrong = [row for row, right in zip(rows, expected_rows, strict=False) if not _matches_row(row, right)]
    return make_finding(names and not wrong, f"rows {rows}, expected {expected_rows}")


def _matches_row(row: list[str], right: list[float | str]) -> bool:
    orders, revenue, share = (float(value) for value in right[1:])
    return is_near(row[1], orders, 0) and is_near(row[2], revenue, CENTS_OFF) and is_near(row[3], share, 0.051)


@define_leaf("customers", "The ten best customers over all regions", *CUSTOMER_ROWS, weight=3)
def _check_customers(submission: Submission, facts: Facts) -> Finding:
    rows = _find_table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]
    wrong = [
        row[:4]
        for place, (row, (number, name, value, _)) in enumerate(zip(rows, facts["top"], strict=False), 1)
        if simplify_text(row[0]) != str(place)
        or [simplify_text(cell) for cell in row[1:3]] != [simplify_text(number), simplify_text(name)]
        or not is_near(row[3], value, CENTS_OFF)
    ]
    return make_finding(
        len(rows) == 10 and not wrong, f"{len(rows)} rows, wrong {wrong[:4]}; expected {facts['top'][0][:3]} ..."
    )


@define_leaf("notes", "Each of them with its whole present note", *CUSTOMER_ROWS)
def _check_notes(submission: Submission, facts: Facts) -> Finding:
    rows = {
        simplify_text(row[1]): simplify_text(row[4]) for row in _find_table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]
    }
    wrong = [number for number, _, _, note in facts["top"] if rows.get(simplify_text(number)) != simplify_text(note)]
    return make_finding(not wrong, f"without their whole note: {wrong}")


@define_leaf("sentence", "The summary's sentence is right", f"paragraphs:{FILE}#Revenue in*", BODY)
def _check_sentence(submission: Submission, facts: Facts) -> Finding:
    blocks = [
        paragraph
        for paragraph in _read_report(submission).list_section(CHAPTERS[0])
        if isinstance(paragraph, Paragraph) and paragraph.text.strip()
    ]
    match = SENTENCE.match(" ".join(blocks[0].text.split())) if blocks else None
    if match is None:
        return make_finding(
            holds=False, evidence=f"Summary begins with {blocks[0].text[:150]!r}" if blocks else "it is empty"
        )
    amount, change, direction = match.groups()
    holds = is_near(amount, facts["total"], CENTS_OFF) and is_near(change, abs(facts["change"]), 0.001)
    holds = holds and (direction == "more") == (facts["change"] > 0)
    return make_finding(holds, f"says {match.groups()}, expected {facts['total']} and {facts['change']}")


@define_leaf("forms", "Amounts and shares have their forms", BODY, kind="format")
def _check_number_forms(submission: Submission, _facts: Facts) -> Finding:
    regions = _find_table(submission, REGIONS, CHAPTERS[1]).rows[1:]
    customers = _find_table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]
    amounts = [row[2] for row in regions] + [row[3] for row in customers]
    malformed = [text for text in amounts if not AMOUNT.fullmatch(text.strip())]
    malformed += [row[3] for row in regions if not SHARE.fullmatch(row[3].strip())]
    return make_finding(not malformed and len(amounts) > 10, f"not in the forms 1,234.50 and 12.3: {malformed[:5]}")


@define_leaf("built", "Title and three chapters", f"paragraphs:{FILE}", f"styles:{FILE}", BODY)
def _check_structure(submission: Submission, _facts: Facts) -> Finding:
    """Title and chapters, each in its style."""
    read = _read_report(submission)
    titles = [
        paragraph.text.strip() for paragraph in read.paragraphs if paragraph.style == "Title" and paragraph.text.strip()
    ]
    headings = [text for level, text in read.headings if level == 1 and text not in titles]
    deeper = [text for level, text in read.headings if level > 1]
    return make_finding(
        titles == [TITLE] and headings == CHAPTERS, f"title {titles}, chapters {headings}, deeper {deeper}"
    )


@define_leaf("template", "It is made from the house's template", f"headers:{FILE}", BODY, weight=2)
def _check_template(submission: Submission, _facts: Facts) -> Finding:
    """Header, footer, margins, styles and table style are the house's, its samples are gone."""
    read, house = _read_report(submission), read_document(submission.untouched, TEMPLATE)
    wrong = [name for name in ("Normal", "Title", "Heading 1") if read.style_looks.get(name) != house.style_looks[name]]
    for section in read.sections:
        pairs = zip(section.margins_mm, house.sections[0].margins_mm, strict=True)
        wrong += ["margins"] if any(abs(a - b) > 1 for a, b in pairs) else []
        wrong += (
            ["header"] if _get_default_text(section.headers) != _get_default_text(house.sections[0].headers) else []
        )
        wrong += (
            ["footer"] if _get_default_text(section.footers) != _get_default_text(house.sections[0].footers) else []
        )
    tables = [_find_table(submission, REGIONS, CHAPTERS[1]), _find_table(submission, CUSTOMERS, CHAPTERS[2])]
    wrong += [f"table style {table.style!r}" for table in tables if table.style != "House Table"]
    wrong += [sample for sample in ("[Column]", "[Chapter]", "[Title", "Delete this") if sample in read.text]
    return make_finding(not wrong, f"not as in the house's template: {wrong}")


def _get_default_text(edges: dict[str, str]) -> str:
    return " ".join(edges.get("default", "").split())


@define_leaf("chart", "The bars show the revenues", f"pictures:{FILE}", BODY, weight=2)
def _check_chart(submission: Submission, facts: Facts) -> Finding:
    """On one of the printed pages stand four bars as long as the revenues."""
    values = [revenue for _, revenue, _ in facts["regions"].values()]
    seen = []
    if _read_report(submission).pictures:
        for page in render_pages(submission, FILE).pages:
            bars = find_bars(draw_printed(submission, FILE, page.number, 2.5), [COLOR], horizontal=False)
            seen += [bars.lengths] if bars.patches else []
    holds = len(seen) == 1 and min(seen[0]) > 20 and are_proportional(seen[0], values, 0.02)
    return make_finding(holds, f"bars on the pages, heights in pixels: {seen}; revenues {values}")


@define_leaf(
    "caption", "Caption, of no other year, and alternative text", f"paragraphs:{FILE}#Figure*", f"pictures:{FILE}"
)
def _check_caption(submission: Submission, facts: Facts) -> Finding:
    read = _read_report(submission)
    blocks = [paragraph for paragraph in read.list_section(CHAPTERS[1]) if isinstance(paragraph, Paragraph)]
    captions = [block.text for block in blocks if block.text.strip().startswith("Figure 1")]
    alts = [
        picture.alt
        for picture in read.pictures
        if all(simplify_text(name) in simplify_text(picture.alt) for name in facts["regions"])
    ]
    years = set(YEAR.findall("".join(captions))) - {"2026"}
    holds = len(captions) == 1 and bool(alts) and not years
    return make_finding(holds, f"captions {captions}, other years {sorted(years)}, alternative texts {alts}")


@define_leaf("rows_hold", "The header row is repeated and no row breaks", BODY, kind="format")
def _rows_hold(submission: Submission, _facts: Facts) -> Finding:
    table = _find_table(submission, CUSTOMERS, CHAPTERS[2])
    split = [
        row[1]
        for row, row_stays_together in zip(table.rows[1:], table.unsplit_rows[1:], strict=True)
        if not row_stays_together
    ]
    holds = table.header_rows == 1 and not split
    return make_finding(holds, f"repeated header rows: {table.header_rows}; rows that may break: {split}")


@define_leaf("legible", "No number is broken, nothing is beyond the margins", BODY, kind="format")
def _check_legible(submission: Submission, _facts: Facts) -> Finding:
    """Numbers and amounts are words of one line within the margins."""
    pages = render_pages(submission, FILE).pages
    customers = _find_table(submission, CUSTOMERS, CHAPTERS[2]).rows[1:]
    regions = _find_table(submission, REGIONS, CHAPTERS[1]).rows[1:]
    expected_words = {cell.strip() for row in customers for cell in (row[1], row[3])} | {
        row[2].strip() for row in regions
    }
    visible_words = {word.text for page in pages for word in page.words if word.box[3] - word.box[1] < LINE_PT}
    top, right, bottom, left = (value / 25.4 * 72 for value in _read_report(submission).sections[0].margins_mm)
    beyond = [
        word.text
        for page in pages
        for word in page.words
        if top < word.box[1] < page.height - bottom
        and (word.box[0] < left - EDGE_PT or word.box[2] > page.width - right + EDGE_PT)
    ]
    broken = sorted(expected_words - visible_words)
    return make_finding(
        bool(expected_words) and not broken and not beyond, f"broken {broken[:5]}; beyond the margins {beyond[:5]}"
    )


@define_leaf("well_filled", "The table begins at its heading, pages are filled", BODY, kind="format")
def _well_filled(submission: Submission, facts: Facts) -> Finding:
    """The table begins below its heading on the same page; no page but the last ends in its upper half."""
    pages = render_pages(submission, FILE).pages
    first = facts["top"][0][0]
    together = any(page.find(CHAPTERS[2]) and any(word.text == first for word in page.words) for page in pages)
    bottom = _read_report(submission).sections[0].margins_mm[2] / 25.4 * 72
    short = [
        page.number
        for page in pages[:-1]
        if max((word.box[3] for word in page.words if word.box[3] < page.height - bottom + 2), default=0)
        < page.height / 2
    ]
    return make_finding(
        together and not short, f"heading and first row on one page: {together}; half empty pages {short}"
    )


CHECKS = make_group(
    "quarterly_report",
    "The quarterly report is right and can be printed",
    make_group(
        "figures",
        "The figures follow from the exports",
        _check_regions,
        _check_customers,
        _check_notes,
        _check_sentence,
        leaves.answer_number("The answer is the revenue", lambda facts: facts["total"], CENTS_OFF),
        weight=4,
    ),
    make_group(
        "form",
        "The report is built as asked",
        _check_structure,
        _check_template,
        _check_number_forms,
        _check_chart,
        _check_caption,
        weight=3,
    ),
    make_group("print", "It can be printed", _rows_hold, _check_legible, _well_filled, weight=2),
    leaves.check_looked_at("The pages were looked at", FILE),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched or left"),
)
