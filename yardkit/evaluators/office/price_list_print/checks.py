"""The prices of April stand in the list, and its print-out can be read to the last column."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.office.workbooks import Grid, read_book
from yardkit.evaluators.readers.pages import rendered
from yardkit.evaluators.readers.pages.pdf import Box, Page
from yardkit.evaluators.readers.tables import is_near, read_sheets, to_date
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.price_list_print import PriceListPrintFacts as Facts

FILE = "price_list_2026.xlsx"
SHEET = "Price list"
A4 = 9
A4_PT = (841.9, 595.3)
DIGIT = 0.63
"""Height of a digit in the font of the list, as part of its size."""
LEAST_PT = 6.0
VAT = 1.19
HEADS = ("Item", "Description", "Category", "Unit", "EAN", "Pack", "Weight", "Net", "Gross", "Dealer", "Valid")
TALL = re.compile(r"[A-Z\d]")
"""Letters that are as high as a digit."""
SCALE = 2.0
MORE_HEADS = ("Delivery", "Remark", "Article", "Packing", "Logistics")


def _map_rows(submission: Submission, facts: Facts) -> dict[str, list[Any]]:
    """The cells of each article by number."""
    sheets = read_sheets(submission, FILE)
    if SHEET not in sheets:
        raise InvalidArtifact(f"{FILE} has no sheet {SHEET!r}, only {', '.join(sheets)}")
    rows_by_number = {str(row[0]).strip(): row for row in sheets[SHEET].values if row and row[0] is not None}
    return {number: [*rows_by_number.get(number, []), *[None] * 14][:14] for number in facts["rows"]}


def _check_prices(submission: Submission, facts: Facts) -> Finding:
    prices = {number: row[7] for number, row in _map_rows(submission, facts).items()}
    other = {number: price for number, price in facts["prices"].items() if not is_near(prices[number], price, 0.0001)}
    wrong = [f"{number}: {prices[number]}, not {price:.2f}" for number, price in other.items()]
    return make_finding(not wrong, f"{len(wrong)} other values: {'; '.join(wrong[:6])}")


def _check_since(submission: Submission, facts: Facts) -> Finding:
    rows = _map_rows(submission, facts)
    days = {number: _parse_day(row[11]) for number, row in rows.items()}
    wrong = [f"{number}: {days[number]}" for number, day in facts["since"].items() if str(days[number] or "") != day]
    return make_finding(not wrong, f"{len(wrong)} other days: {', '.join(wrong[:6])}" if wrong else "they are right")


def _parse_day(value: Any) -> datetime.date | None:
    """The day of a cell that holds a date of the spreadsheet, without a time."""
    timed = isinstance(value, datetime.datetime) and value.time() != datetime.time()
    return None if isinstance(value, str) or timed or (isinstance(value, float) and value % 1) else to_date(value)


def _check_following(submission: Submission, facts: Facts) -> Finding:
    rows, wrong = _map_rows(submission, facts), []
    for number, price in facts["prices"].items():
        figures = (facts["packs"][number] * price, price * VAT, price * (1 - facts["discounts"][number]))
        if not all(map(is_near, rows[number][8:11], figures, [0.011] * 3)):
            wrong.append(f"{number}: {rows[number][8:11]}")
    return make_finding(not wrong, f"{len(wrong)} rows with other prices: {'; '.join(wrong[:4])}")


def _find_grid(submission: Submission) -> Grid:
    sheets = read_book(submission, FILE).sheets
    if SHEET not in sheets:
        raise InvalidArtifact(f"{FILE} has no sheet {SHEET!r}, only {', '.join(sheets)}")
    return sheets[SHEET]


def _set_up(submission: Submission, facts: Facts) -> Finding:
    from openpyxl.utils.cell import range_boundaries

    grid = _find_grid(submission)
    area = grid.print_area.rpartition("!")[2]
    left, top, right, bottom = range_boundaries(area) if area else (1, 1, 14, max(facts["rows"].values()))
    covers_all = (left, top) == (1, 1) and right >= 14 and bottom >= max(facts["rows"].values())
    good = grid.landscape and grid.paper == A4 and _is_page_wide(submission, facts, grid)
    evidence = f"landscape {grid.landscape}, paper {grid.paper}, fits {grid.fit_width} x {grid.fit_height} pages"
    return make_finding(
        good and covers_all and not grid.breaks, f"{evidence}, print area {area or 'none'}, {grid.breaks} manual breaks"
    )


def _is_page_wide(submission: Submission, facts: Facts, grid: Grid) -> bool:
    """Whether all columns are to be on one page: fitted to its width, or by a scale that does it."""
    pages = _list_article_pages(submission, facts)
    if not grid.fit_width and not grid.fit_height:
        return not any(_list_missing_words(page) for page in pages)
    return grid.fit_width == 1 and (grid.fit_height == 0 or grid.fit_height > len(pages))


def _list_article_pages(submission: Submission, facts: Facts) -> list[Page]:
    """The pages that hold articles."""
    printed = rendered.render_pages(submission, FILE).pages
    article_pages = [page for page in printed if any(word.text in facts["rows"] for word in page.words)]
    if not article_pages:
        raise InvalidArtifact(f"no page of {FILE} shows an article")
    return article_pages


def _check_repeated_headers(submission: Submission, facts: Facts) -> Finding:
    wrong, pages = [], _list_article_pages(submission, facts)
    for page in pages:
        if missing_words := _list_missing_words(page):
            wrong.append(f"page {page.number} lacks the headers {', '.join(missing_words)}")
        foot = " ".join(word.text for word in page.words if word.box[1] > page.height * 0.85)
        if not any(re.search(rf"\bPage {page.number} of \d+\b", text) for text in (foot, page.text)):
            wrong.append(f"page {page.number} does not say Page {page.number} of ...")
    footer = _find_grid(submission).footer
    counted = "&P" in footer and "&N" in footer
    return make_finding(len(pages) > 1 and counted and not wrong, "; ".join(wrong[:6]) or f"{len(pages)} pages")


def _list_missing_words(page: Page) -> list[str]:
    """Words of the headers that the page does not show."""
    page_words = {word.text for word in page.words}
    return [head for head in (*HEADS, *MORE_HEADS) if head not in page_words]


def _check_readable(submission: Submission, facts: Facts) -> Finding:
    """All columns are on one page, which is a sheet of A4, and letters are as high as those of 6 points, and seen."""
    pages = _list_article_pages(submission, facts)
    unsuitable_pages = [
        page.number
        for page in pages
        if max(abs(page.width - A4_PT[0]), abs(page.height - A4_PT[1])) > 3
        or not any(word.text == "Remark" for word in page.words)
    ]
    tall = [(word.box[3] - word.box[1], word.text) for page in pages for word in page.words if TALL.search(word.text)]
    least, smallest = min(tall, default=(0.0, ""))
    evidence = f"pages not of A4 landscape with all columns: {unsuitable_pages[:5]}"
    evidence += f"; letters of {least / DIGIT:.1f} points in {smallest!r}"
    return make_finding(not unsuitable_pages and least / DIGIT > LEAST_PT * 0.97, evidence)


def _check_complete(submission: Submission, facts: Facts) -> Finding:
    """Every number and every word of every article is on its page, in its row and its column."""
    pages = _list_article_pages(submission, facts)
    cut = rendered.find_cut_cells(rendered.render_pages(submission, FILE))
    cut = [place for place in cut if int(place.split()[1][:-1]) <= len(pages)]
    wrong = [f"{first_text} runs over {other}" for page in pages for first_text, other in rendered.find_overlaps(page)]
    wrong += [f"{word} is off the page" for page in pages for word in rendered.find_outside(page)]
    seen = [number for page in pages for number in _in_order(page, facts)]
    wrong += [f"{number} is printed {seen.count(number)} times" for number in facts["rows"] if seen.count(number) != 1]
    wrong += [text for page in pages for text in _cut_texts(page, facts)]
    wrong += [f"the header {head}" for head in _list_missing_words(pages[0])]
    wrong += [f"{word} cannot be seen" for page in pages for word in _list_unseen(submission, page)]
    return make_finding(not cut and not wrong, f"number signs: {cut[:4]}; cut or covered: {'; '.join(wrong[:6])}")


def _list_unseen(submission: Submission, page: Page) -> Iterator[str]:
    """Words that the paper does not show: white, or beyond the edge of their cell."""
    picture = rendered.draw_printed(submission, FILE, page.number, SCALE)
    visible_words = (word for word in page.words if word.text.strip())
    yield from (word.text for word in visible_words if not rendered.is_legible(picture, word.box, SCALE, least=0.15))


def _in_order(page: Page, facts: Facts) -> dict[str, Box]:
    places = [(word.box[1], word.text, word.box) for word in page.words if word.text in facts["rows"]]
    return {text: box for _, text, box in sorted(places)}


def _cut_texts(page: Page, facts: Facts) -> Iterator[str]:
    """Articles of the page whose numbers or texts are not whole between the rows above and below."""
    places = list(_in_order(page, facts).items())
    for index, (number, box) in enumerate(places):
        above = places[index - 1][1][3] if index else 0.0
        below = places[index + 1][1][1] if index + 1 < len(places) else page.height * 0.95
        row = [word for word in page.words if above - 1 < (word.box[1] + word.box[3]) / 2 < below + 1]
        line = [word for word in row if abs(word.box[1] - box[1]) < box[3] - box[1]]
        description, remark = facts["texts"][number]
        ean = next((word for word in line if word.text == str(facts["eans"][number])), None)
        if ean is None:
            yield f"the EAN of {number}"
            continue
        left = [word.text for word in row if box[2] - 1 < word.box[0] and word.box[2] < ean.box[0] + 1]
        right = [word.text for word in row if word.box[0] > ean.box[2]]
        price = f"{facts['prices'][number]:,.2f}"
        if _is_missing(description, left) or _is_missing(remark, right) or price not in right:
            yield f"the texts or the price of {number}"


def _is_missing(text: str, words: list[str]) -> bool:
    """Whether a word of a text is not there; words may have been parted at a hyphen."""
    return any(word not in words and word not in "".join(words) for word in text.split())


def _list_changed_cells(facts: Facts) -> tuple[str, ...]:
    rows = [facts["rows"][number] for number in facts["changed"]]
    return tuple(f"cells#{SHEET}!{letter}{row}" for row in rows for letter in "HL")


CELLS = (f"cells:{FILE}#{SHEET}!*", f"rows:{FILE}#{SHEET}", f"sheet:{FILE}#{SHEET}")
LOOKS = (f"looks:{FILE}#{SHEET}", f"sheet:{FILE}#{SHEET}")
ALL = tuple(f"{kind}:{FILE}" for kind in ("cells", "rows", "sheet", "formulas", "formats", "looks", "visibility"))

REPEATED = "Headers and page numbers are on every page"
CHECKS = make_group(
    "price_list_print",
    "The price list is up to date and fit for paper",
    make_group(
        "prices",
        "The prices are those of April",
        make_checkpoint("net", "Each net price is the one that the rules give", _check_prices, covers=CELLS, weight=3),
        make_checkpoint("since", "Just the changed prices are valid from 1 April", _check_since, covers=CELLS),
        make_checkpoint("following", "The other prices have followed", _check_following, covers=CELLS),
        weight=4,
    ),
    make_group(
        "print",
        "The list prints well",
        make_checkpoint(
            "set_up", "A4 landscape, one page wide, nothing left out", _set_up, covers=LOOKS, kind="format"
        ),
        make_checkpoint("repeated", REPEATED, _check_repeated_headers, covers=LOOKS, kind="format"),
        make_checkpoint(
            "readable", "All columns are on each page, in letters of 6 points", _check_readable, covers=LOOKS
        ),
        make_checkpoint("whole", "No number, no text is cut off or covered", _check_complete, covers=LOOKS, weight=3),
        leaves.check_looked_at("The agent looked at the pages", FILE),
        weight=5,
    ),
    leaves.answer_number("The answer counts the changed prices", lambda facts: len(facts["changed"])),
    leaves.check_unchanged(
        "kept",
        "The rest of the workbook is as it was",
        FILE,
        f"layout#{SHEET}!width*",
        f"layout#{SHEET}!print",
        covers=ALL,
        also=_list_changed_cells,
    ),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
