"""A long table on landscape pages: its rows and figures in the file, its legibility on the printed pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.table_report.printed import (
    faint_words,
    find_squeezing,
    list_empty_pages,
    lost_words,
    without_furniture,
)
from yardkit.evaluators.readers.answers import join_white_space, simplify_text
from yardkit.evaluators.readers.office.documents import Document, Run, Table, read_document
from yardkit.evaluators.readers.pages.pdf import Page, Pdf, Word
from yardkit.evaluators.readers.pages.rendered import find_overlaps, render_pages
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.table_report import TableReportFacts as Facts

FILE = "reports/asset_report_2026.docx"
HEAD = ["No.", "Asset", "Description", "Site", "Serial no.", "Bought", "Cost", "Book value", "Remarks"]
AMOUNT = re.compile(r"\d{1,3}(,\d{3})*\.\d\d")
COST, BOOK = 6, 7
SIZE_PT = 9.0
LINE_PT = 16
"""Higher than a line of the table, lower than two."""
EDGE_PT = 6


def _read_report(submission: Submission) -> Document:
    return read_document(submission, FILE)


def _find_register(submission: Submission) -> Table:
    """The table of assets.

    Raises:
        InvalidArtifact: there is none, or more than one.
    """
    tables = [table for table in _read_report(submission).tables if table.rows]
    tables = [table for table in tables if _normalize_row(table.rows[0]) == _normalize_row(HEAD)]
    if len(tables) != 1:
        raise InvalidArtifact(f"{len(tables)} tables have the header {', '.join(HEAD)}; there should be one")
    return tables[0]


def _normalize_row(row: list[str]) -> list[str]:
    return [simplify_text(cell) for cell in row]


def _list_assets(table: Table) -> list[list[str]]:
    """The rows below the header that are no totals."""
    return [row for row in table.rows[1:] if any(row) and not _find_total_label(row)]


def _find_total_label(row: list[str]) -> str:
    """``total`` or ``subtotal leipzig`` where the row is one."""
    filled = [simplify_text(cell) for cell in row if cell.strip()]
    return filled[0] if filled and filled[0].startswith(("total", "subtotal")) else ""


def _strip_to_digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _check_rows(submission: Submission, facts: Facts) -> Finding:
    rows = [_to_comparable(row) for row in _list_assets(_find_register(submission))]
    truth = [_to_comparable(row) for row in facts["rows"]]
    unexpected = [row for row in rows if row not in truth] + [row for row in truth if row not in rows]
    return make_finding(rows == truth, f"{len(rows)} rows for {len(truth)} assets; other: {unexpected[:3]}")


def _to_comparable(row: list[str]) -> list[str]:
    """Amounts by their digits, so that their form is another leaf's business."""
    amounts = (COST, BOOK)
    return [_strip_to_digits(cell) if column in amounts else simplify_text(cell) for column, cell in enumerate(row)]


def _check_amounts(submission: Submission, facts: Facts) -> Finding:
    table = _find_register(submission)
    cells = [row[column] for row in table.cells[1:] for column in (COST, BOOK) if len(row) > BOOK]
    malformed = [cell.text for cell in cells if not AMOUNT.fullmatch(cell.text.strip())]
    left = [cell.text for cell in cells if any(p.alignment != "right" for p in cell.paragraphs if p.text.strip())]
    holds = not malformed and not left and len(cells) >= 2 * len(facts["rows"])
    return make_finding(holds, f"not in the form 1,234.50: {malformed[:5]}; not right-aligned: {len(left)}")


def _check_totals(submission: Submission, facts: Facts) -> Finding:
    """Each subtotal closes its site, the total closes the table, and their figures are right."""
    total_rows, site = list[tuple[str, ...]](), ""
    for row in _find_register(submission).rows[1:]:
        if label := _find_total_label(row):
            figures = map(_strip_to_digits, (row[COST], row[BOOK]))
            total_rows.append((label, site if label != "total" else "", *figures))
        site = site if label else simplify_text(row[3])
    truth: list[tuple[str, ...]] = [
        (simplify_text(f"Subtotal {name}"), simplify_text(name), *map(_strip_to_digits, figures))
        for name, figures in facts["subtotals"].items()
    ]
    truth.append(("total", "", *map(_strip_to_digits, facts["total"])))
    return make_finding(total_rows == truth, f"totals {total_rows}, expected {truth}")


def _check_sentence(submission: Submission, facts: Facts) -> Finding:
    paragraphs = [part for part in _read_report(submission).list_section("Summary") if not isinstance(part, Table)]
    listed = [text for part in paragraphs if (text := simplify_text(part.text)).startswith("the register lists")]
    holds = listed == [simplify_text(facts["sentence"])]
    return make_finding(holds, f"Summary says {listed}, expected {facts['sentence']!r}")


def _print_pages(submission: Submission, facts: Facts) -> tuple[Pdf, list[Page]]:
    """The report as printed, and those of its pages that hold rows of the register."""
    pdf = render_pages(submission, FILE)
    numbers = set(facts["orders"])
    return pdf, [page for page in pdf.pages if any(word.text in numbers for word in page.words)]


def _check_landscape(submission: Submission, facts: Facts) -> Finding:
    pdf, across = _print_pages(submission, facts)
    lying = {page.number for page in pdf.pages if page.width > page.height}
    homeless = [text for text in facts["across"] if not any(pdf.pages[number - 1].find(text) for number in lying)]
    upright = [page for page in pdf.pages if page.number not in lying]
    homeless += [text for text in facts["upright"] if not any(page.find(text) for page in upright)]
    blank = list_empty_pages(pdf, _read_report(submission))
    holds = bool(lying) and {page.number for page in across} == lying and not homeless and not blank
    evidence = f"landscape pages {sorted(lying)}, with rows {[page.number for page in across]}; lost: {homeless}"
    return make_finding(holds, f"{evidence}; empty pages: {blank}")


def _check_repeated_header(submission: Submission, facts: Facts) -> Finding:
    count = _find_register(submission).header_rows
    if count != 1:
        return make_finding(holds=False, evidence=f"{count} rows of the register are repeated, expected the header row")
    _, pages = _print_pages(submission, facts)
    without = [page.number for page in pages if not page.find("Serial no.") or not page.find("Book value")]
    return make_finding(bool(pages) and not without, f"pages without the header row: {without}")


def _check_unsplit_rows(submission: Submission, _facts: Facts) -> Finding:
    table = _find_register(submission)
    split = [row[1] or row[2] for row, is_unsplit in zip(table.rows, table.unsplit_rows, strict=True) if not is_unsplit]
    return make_finding(not split[1:], f"{len(split)} of {len(table.rows)} rows may break over pages: {split[:4]}")


def _check_inside(submission: Submission, facts: Facts) -> Finding:
    _, pages = _print_pages(submission, facts)
    margin = max(section.margins_mm[1] for section in _read_report(submission).sections) / 25.4 * 72 - EDGE_PT
    words = [(page, word) for page in pages for word in page.words]
    beyond = [word.text for page, word in words if word.box[2] > page.width - margin or word.box[0] < margin]
    return make_finding(bool(pages) and not beyond, f"{len(beyond)} words beyond the margins: {beyond[:6]}")


def _check_unbroken(submission: Submission, facts: Facts) -> Finding:
    """All numbers of the delivered table are words of a single line on the pages."""
    _, pages = _print_pages(submission, facts)
    visible_words = {word.text for page in pages for word in page.words if _is_single_line(word)}
    expected_numbers = list(_list_numbers(_find_register(submission)))
    broken = [text for text in expected_numbers if text not in visible_words]
    holds = len(expected_numbers) >= 5 * len(facts["rows"]) and not broken
    return make_finding(holds, f"{len(broken)} of {len(expected_numbers)} numbers are broken over lines: {broken[:6]}")


def _is_single_line(word: Word) -> bool:
    return word.box[3] - word.box[1] < LINE_PT


def _list_numbers(table: Table) -> Iterator[str]:
    for row in table.rows[1:]:
        columns = (COST, BOOK) if _find_total_label(row) else (1, 4, 5, COST, BOOK)
        yield from (row[column].strip() for column in columns if len(row) > column and row[column].strip())


def _check_complete(submission: Submission, facts: Facts) -> Finding:
    """All words of the table are printed and seen; the last of each remark, a number, on the page of its asset."""
    _, pages = _print_pages(submission, facts)
    inside = [{word.text for word in page.words if word.box[2] < page.width} for page in pages]
    cut = [asset for asset, order in facts["orders"].items() if not any({asset, order} <= words for words in inside)]
    report = _read_report(submission)
    lost = lost_words(_find_register(submission), pages, report)
    faint = faint_words(submission, FILE, pages)
    # What a row cuts off lies over the next one; a word broken at its hyphen has a box of two lines.
    lines = [replace(page, words=tuple(word for word in page.words if _is_single_line(word))) for page in pages]
    over = [pair for page in lines for pair in find_overlaps(page)]
    evidence = f"{len(cut)} rows cannot be read to their end: {cut[:6]}; words that are not printed: {lost[:8]}"
    holds = not cut and not lost and not faint and not over
    return make_finding(holds, f"{evidence}; that cannot be seen: {faint[:8]}; over each other: {over[:5]}")


def _same_pages(submission: Submission, _facts: Facts) -> Finding:
    """Margins, headers and footers are in all sections what they were in the first."""
    report, before = _read_report(submission), _read_report(submission.untouched)
    first, wrong = before.sections[0], []
    for number, section in enumerate(report.sections, 1):
        margins = max(abs(a - b) for a, b in zip(section.margins_mm, first.margins_mm, strict=True))
        now, then = (
            [join_white_space(edges.get("default", "")) for edges in (part.headers, part.footers)]
            for part in (section, first)
        )
        wrong += [number] if margins > 1 or now != then else []
    bare = without_furniture(render_pages(submission, FILE), before)
    evidence = f"sections with other margins, header or footer: {wrong}; pages without them: {bare}"
    return make_finding(not wrong and not bare, evidence)


def _check_type(submission: Submission, _facts: Facts) -> Finding:
    """Size and font are as they were, and no letters are squeezed or struck out."""
    before = {run.look.font for run in _list_runs(submission.untouched)}
    other_sizes = sorted({f"{run.look.size_pt} pt" for run in _list_runs(submission) if run.look.size_pt != SIZE_PT})
    other_sizes += sorted({run.look.font for run in _list_runs(submission)} - before)
    other_sizes += ["struck out"] if any(run.look.strike for run in _list_runs(submission)) else []
    other_sizes += find_squeezing(submission, FILE)
    return make_finding(
        not other_sizes, f"other than {SIZE_PT:g} pt of {', '.join(sorted(before))} in the register: {other_sizes}"
    )


def _list_runs(submission: Submission) -> list[Run]:
    cells = (cell for row in _find_register(submission).cells for cell in row)
    return [run for cell in cells for paragraph in cell.paragraphs for run in paragraph.runs if run.text.strip()]


BODY = (f"body:{FILE}",)
TABLE, SENTENCE = (f"rows:{FILE}#2", *BODY), (f"paragraphs:{FILE}#The reg*", *BODY)
TEXT = tuple(f"{kind}:{FILE}" for kind in ("paragraphs", "body", "styles", "notes", "headers", "rows"))
LAYOUT = tuple(f"{kind}#{number}" for kind in ("section", "header", "footer") for number in (2, 3))
LANDSCAPE = "Landscape pages hold the register and nothing else"
CHECKS = make_group(
    "table_report",
    "The register in the report can be read and is right",
    make_group(
        "figures",
        "The register is correct",
        make_checkpoint("rows", "Each asset has its row, corrected and in order", _check_rows, covers=TABLE, weight=3),
        make_checkpoint("amounts", "Amounts have one form, right-aligned", _check_amounts, covers=BODY, kind="format"),
        make_checkpoint("totals", "Subtotals and total are those of the rows", _check_totals, covers=TABLE, weight=2),
        make_checkpoint("sentence", "The summary names the new figures", _check_sentence, covers=SENTENCE),
        leaves.answer_number("The answer is the total book value", lambda facts: facts["book"], 0.005),
        weight=4,
    ),
    make_group(
        "pages",
        "The register is on separate pages",
        make_checkpoint("landscape", LANDSCAPE, _check_landscape, covers=BODY, weight=2),
        make_checkpoint("repeated", "The header row is on each page", _check_repeated_header, covers=BODY),
        make_checkpoint("whole", "No row may break over pages", _check_unsplit_rows, covers=BODY),
        weight=3,
    ),
    make_group(
        "legible",
        "All of it can be read",
        make_checkpoint("inside", "The table keeps within the margins", _check_inside, covers=BODY, kind="format"),
        make_checkpoint("unbroken", "No number is broken over lines", _check_unbroken, covers=BODY, kind="format"),
        make_checkpoint("complete", "No text is cut off", _check_complete, covers=BODY, weight=2),
        weight=3,
    ),
    leaves.check_looked_at("The pages were looked at", FILE),
    make_checkpoint("type", "The type of the register has its size", _check_type, covers=BODY, kind="guardrail"),
    make_checkpoint(
        "same_pages", "Margins, header, footer are the same", _same_pages, covers=(f"headers:{FILE}",), kind="guardrail"
    ),
    leaves.check_unchanged(
        "kept",
        "The rest of the report is as it was",
        FILE,
        "table#2",
        *LAYOUT,
        covers=TEXT,
        also=lambda facts: (f"paragraph#{facts['stale_sentence'][:60]}",),
    ),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
