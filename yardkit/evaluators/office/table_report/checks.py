"""A long table on landscape pages: its rows and figures in the file, its legibility on the printed pages."""

import re
from collections.abc import Iterator
from dataclasses import replace

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.collateral import kept_outside
from yardkit.evaluators.office.table_report.printed import (
    empty,
    faint_words,
    lost_words,
    squeezed,
    without_furniture,
)
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.office.documents import Document, Run, Table, read_document
from yardkit.evaluators.readers.pages.pdf import Page, Pdf, Word
from yardkit.evaluators.readers.pages.rendered import find_overlaps, render_pages
from yardkit.evaluators.submission import Submission

FILE = "reports/asset_report_2026.docx"
HEAD = ["No.", "Asset", "Description", "Site", "Serial no.", "Bought", "Cost", "Book value", "Remarks"]
AMOUNT = re.compile(r"\d{1,3}(,\d{3})*\.\d\d")
COST, BOOK = 6, 7
SIZE_PT = 9.0
LINE_PT = 16
"""Higher than a line of the table, lower than two."""
EDGE_PT = 6


def _read(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _register(submission: Submission) -> Table:
    """The table of assets.

    Raises:
        InvalidArtifact: there is none, or more than one.
    """
    tables = [table for table in _read(submission).tables if table.rows and _plain(table.rows[0]) == _plain(HEAD)]
    if len(tables) != 1:
        raise InvalidArtifact(f"{len(tables)} tables have the header {', '.join(HEAD)}; there should be one")
    return tables[0]


def _plain(row: list[str]) -> list[str]:
    return [fold(cell) for cell in row]


def _assets(table: Table) -> list[list[str]]:
    """The rows below the header that are no totals."""
    return [row for row in table.rows[1:] if any(row) and not _label(row)]


def _label(row: list[str]) -> str:
    """``total`` or ``subtotal leipzig`` where the row is one."""
    filled = [fold(cell) for cell in row if cell.strip()]
    return filled[0] if filled and filled[0].startswith(("total", "subtotal")) else ""


def _cents(text: str) -> str:
    return re.sub(r"\D", "", text)


def _rows(submission: Submission, facts: Facts) -> Finding:
    found, wanted = ([_comparable(row) for row in rows] for rows in (_assets(_register(submission)), facts["rows"]))
    odd = [row for row in found if row not in wanted] + [row for row in wanted if row not in found]
    return finding(
        found == wanted, f"{len(found)} rows for {len(wanted)} assets; other: {[row[:9] for row in odd[:3]]}"
    )


def _comparable(row: list[str]) -> list[str]:
    """Amounts by their digits, so that their form is another leaf's business."""
    amounts = (COST, BOOK)
    return [_cents(cell) if column in amounts else fold(cell) for column, cell in enumerate(row)]


def _amounts(submission: Submission, facts: Facts) -> Finding:
    table = _register(submission)
    cells = [row[column] for row in table.cells[1:] for column in (COST, BOOK) if len(row) > BOOK]
    odd = [cell.text for cell in cells if not AMOUNT.fullmatch(cell.text.strip())]
    left = [cell.text for cell in cells if any(p.alignment != "right" for p in cell.paragraphs if p.text.strip())]
    holds = not odd and not left and len(cells) >= 2 * len(facts["rows"])
    return finding(holds, f"not in the form 1,234.50: {odd[:5]}; not right-aligned: {len(left)}")


def _totals(submission: Submission, facts: Facts) -> Finding:
    """Each subtotal closes its site, the total closes the table, and their figures are right."""
    found: list[tuple[str, ...]] = []
    site = ""
    for row in _register(submission).rows[1:]:
        label = _label(row)
        if label:
            found.append((label, site if label != "total" else "", _cents(row[COST]), _cents(row[BOOK])))
        site = site if label else fold(row[3])
    wanted: list[tuple[str, ...]] = [
        (fold(f"Subtotal {name}"), fold(name), _cents(cost), _cents(book))
        for name, (cost, book) in facts["subtotals"].items()
    ]
    wanted.append(("total", "", *map(_cents, facts["total"])))
    return finding(found == wanted, f"totals {found}, expected {wanted}")


def _sentence(submission: Submission, facts: Facts) -> Finding:
    said = [
        fold(paragraph.text) for paragraph in _read(submission).section("Summary") if not isinstance(paragraph, Table)
    ]
    listed = [name for name in said if name.startswith("the register lists")]
    return finding(listed == [fold(facts["sentence"])], f"Summary says {listed}, expected {facts['sentence']!r}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    found = read_number(submission.answer)
    return finding(abs(float(found) - facts["book"]) < 0.005, f"answered {found}, expected {facts['book']}")


def _pages(submission: Submission, facts: Facts) -> tuple[Pdf, list[Page]]:
    """The report as printed, and those of its pages that hold rows of the register."""
    pdf = render_pages(submission, FILE)
    numbers = set(facts["orders"])
    return pdf, [page for page in pdf.pages if any(word.text in numbers for word in page.words)]


def _landscape(submission: Submission, facts: Facts) -> Finding:
    pdf, across = _pages(submission, facts)
    lying = {page.number for page in pdf.pages if page.width > page.height}
    homeless = [text for text in facts["across"] if not any(pdf.pages[number - 1].find(text) for number in lying)]
    upright = [page for page in pdf.pages if page.number not in lying]
    homeless += [text for text in facts["upright"] if not any(page.find(text) for page in upright)]
    blank = empty(pdf, _read(submission))
    holds = bool(lying) and {page.number for page in across} == lying and not homeless and not blank
    evidence = f"landscape pages {sorted(lying)}, with rows {[page.number for page in across]}; lost: {homeless}"
    return finding(holds, f"{evidence}; empty pages: {blank}")


def _repeated(submission: Submission, facts: Facts) -> Finding:
    count = _register(submission).header_rows
    if count != 1:
        return finding(holds=False, evidence=f"{count} rows of the register are repeated, expected the header row")
    _, pages = _pages(submission, facts)
    without = [page.number for page in pages if not page.find("Serial no.") or not page.find("Book value")]
    return finding(bool(pages) and not without, f"pages without the header row: {without}")


def _whole(submission: Submission, _facts: Facts) -> Finding:
    table = _register(submission)
    split = [row[1] or row[2] for row, whole in zip(table.rows, table.whole_rows, strict=True) if not whole]
    return finding(not split[1:], f"{len(split)} of {len(table.rows)} rows may break over pages: {split[:4]}")


def _inside(submission: Submission, facts: Facts) -> Finding:
    _, pages = _pages(submission, facts)
    margin = max(section.margins_mm[1] for section in _read(submission).sections) / 25.4 * 72
    beyond = [
        word.text
        for page in pages
        for word in page.words
        if word.box[2] > page.width - margin + EDGE_PT or word.box[0] < margin - EDGE_PT
    ]
    return finding(bool(pages) and not beyond, f"{len(beyond)} words beyond the margins: {beyond[:6]}")


def _unbroken(submission: Submission, facts: Facts) -> Finding:
    """All numbers of the delivered table are words of a single line on the pages."""
    _, pages = _pages(submission, facts)
    shown = {word.text for page in pages for word in page.words if _is_of_one_line(word)}
    wanted = list(_numbers(_register(submission)))
    broken = [text for text in wanted if text not in shown]
    holds = len(wanted) >= 5 * len(facts["rows"]) and not broken
    return finding(holds, f"{len(broken)} of {len(wanted)} numbers are broken over lines: {broken[:6]}")


def _is_of_one_line(word: Word) -> bool:
    return word.box[3] - word.box[1] < LINE_PT


def _numbers(table: Table) -> Iterator[str]:
    for row in table.rows[1:]:
        columns = (COST, BOOK) if _label(row) else (1, 4, 5, COST, BOOK)
        yield from (row[column].strip() for column in columns if len(row) > column and row[column].strip())


def _complete(submission: Submission, facts: Facts) -> Finding:
    """All words of the table are printed and seen; the last of each remark, a number, on the page of its asset."""
    _, pages = _pages(submission, facts)
    inside = [{word.text for word in page.words if word.box[2] < page.width} for page in pages]
    cut = [asset for asset, order in facts["orders"].items() if not any({asset, order} <= words for words in inside)]
    lost, faint = lost_words(_register(submission), pages, _read(submission)), faint_words(submission, FILE, pages)
    # What a row cuts off lies over the next one; a word broken at its hyphen has a box of two lines.
    lines = [replace(page, words=tuple(word for word in page.words if _is_of_one_line(word))) for page in pages]
    over = [pair for page in lines for pair in find_overlaps(page)]
    evidence = f"{len(cut)} rows cannot be read to their end: {cut[:6]}; words that are not printed: {lost[:8]}"
    holds = not cut and not lost and not faint and not over
    return finding(holds, f"{evidence}; that cannot be seen: {faint[:8]}; over each other: {over[:5]}")


def _same_pages(submission: Submission, _facts: Facts) -> Finding:
    """Margins, headers and footers are in all sections what they were in the first."""
    before = _read(submission.untouched).sections[0]
    wrong = []
    for number, section in enumerate(_read(submission).sections, 1):
        margins = max(abs(a - b) for a, b in zip(section.margins_mm, before.margins_mm, strict=True))
        texts = [(_said(section.headers), _said(before.headers)), (_said(section.footers), _said(before.footers))]
        if margins > 1 or any(now != then for now, then in texts):
            wrong.append(number)
    odd = without_furniture(render_pages(submission, FILE), _read(submission.untouched))
    holds = not wrong and not odd
    return finding(holds, f"sections with other margins, header or footer: {wrong}; pages without them: {odd}")


def _said(edges: dict[str, str]) -> str:
    return " ".join(edges.get("default", "").split())


def _type(submission: Submission, _facts: Facts) -> Finding:
    """Size and font are as they were, and no letters are squeezed or struck out."""
    before = {run.look.font for run in _runs(submission.untouched)}
    odd = sorted({f"{run.look.size_pt} pt" for run in _runs(submission) if run.look.size_pt != SIZE_PT})
    odd += sorted({run.look.font for run in _runs(submission)} - before)
    odd += ["struck out"] if any(run.look.strike for run in _runs(submission)) else []
    odd += squeezed(submission, FILE)
    return finding(not odd, f"other than {SIZE_PT:g} pt of {', '.join(sorted(before))} in the register: {odd}")


def _runs(submission: Submission) -> list[Run]:
    cells = (cell for row in _register(submission).cells for cell in row)
    return [run for cell in cells for paragraph in cell.paragraphs for run in paragraph.runs if run.text.strip()]


def _kept(submission: Submission, facts: Facts) -> Finding:
    layout = [f"{kind}#{number}" for kind in ("section", "header", "footer") for number in (2, 3)]
    return kept_outside(submission, FILE, "table#2", f"paragraph#{facts['stale_sentence'][:60]}", *layout)


BODY = f"body:{FILE}"
TABLE = (f"rows:{FILE}#2", BODY)
TEXT = tuple(f"{kind}:{FILE}" for kind in ("paragraphs", "body", "styles", "notes", "headers", "rows"))

CHECKS = group(
    "table_report",
    "The register in the report can be read and is right",
    group(
        "figures",
        "The register is correct",
        leaf("rows", "Each asset has its row, corrected and in order", _rows, observes=TABLE, weight=3),
        leaf("amounts", "Amounts have one form, right-aligned", _amounts, observes=(BODY,), kind="format"),
        leaf("totals", "Subtotals and total are those of the rows", _totals, observes=TABLE, weight=2),
        leaf(
            "sentence", "The summary names the new figures", _sentence, observes=(f"paragraphs:{FILE}#The reg*", BODY)
        ),
        leaf("answer", "The answer is the total book value", _answer, observes=("answer",)),
        weight=4,
    ),
    group(
        "pages",
        "The register is on separate pages",
        leaf("landscape", "Landscape pages hold the register and nothing else", _landscape, observes=(BODY,), weight=2),
        leaf("repeated", "The header row is on each page", _repeated, observes=(BODY,)),
        leaf("whole", "No row may break over pages", _whole, observes=(BODY,)),
        weight=3,
    ),
    group(
        "legible",
        "All of it can be read",
        leaf("inside", "The table keeps within the margins", _inside, observes=(BODY,), kind="format"),
        leaf("unbroken", "No number is broken over lines", _unbroken, observes=(BODY,), kind="format"),
        leaf("complete", "No text is cut off", _complete, observes=(BODY,), weight=2),
        weight=3,
    ),
    leaves.looked("The pages were looked at", FILE),
    leaf("type", "The type of the register has its size", _type, observes=(BODY,), kind="guardrail"),
    leaf(
        "same_pages",
        "Margins, header, footer are the same",
        _same_pages,
        observes=(f"headers:{FILE}",),
        kind="guardrail",
    ),
    leaf("kept", "The rest of the report is as it was", _kept, observes=TEXT, kind="guardrail"),
    leaves.nothing_else(FILE, id="others", says="No other file was touched"),
)
