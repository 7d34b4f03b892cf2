"""The page has each dish once, in both languages side by side, with its allergens and price, and nothing collides."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers.pages.pdf import Page, read_pdf
from yardkit.evaluators.readers.pages.printed_rows import find_beyond, find_collisions, find_rows, row_text
from yardkit.evaluators.submission import Submission

MENU = "menu.pdf"
MARGIN_PT, A4_PT = 8 * 72 / 25.4 - 1, (595.3, 841.9)
_BESIDE_NAMES = re.compile(r"\([^)]*\)|\d+[.,]\d\d|€|[.·_…]{2,}")
OBSERVED = (f"pages:{MENU}", f"file:{MENU}")


def _page(submission: Submission) -> Page:
    pages = read_pdf(submission, MENU).pages
    if len(pages) != 1:
        raise InvalidArtifact(f"{MENU} has {len(pages)} pages")
    return pages[0]


def _lines(submission: Submission) -> list[str]:
    return [row_text(row) for row in find_rows(_page(submission))]


def _names(line: str) -> str:
    """A line without brackets, price and dots."""
    return " ".join(_BESIDE_NAMES.sub(" ", line).split())


def _own(submission: Submission, german: str, english: str) -> list[str]:
    return [line for line in _lines(submission) if _names(line) == f"{german} {english}"]


def _dishes(submission: Submission, facts: Facts) -> Finding:
    names = [_names(line) for line in _lines(submission)]
    wanted = [f"{german} {english}" for german, english, *_ in facts["lines"]]
    found = [name for name in names if name in wanted]
    return finding(found == wanted, f"lines {names}; expected {wanted}")


def _allergens(submission: Submission, facts: Facts) -> Finding:
    wrong = []
    for german, english, letters, _ in facts["lines"]:
        told = [re.findall(r"\(([^)]*)\)", line) for line in _own(submission, german, english)]
        if told != [[letters, letters] if letters else []]:
            wrong.append(f"{german}: {told}, expected {letters!r} twice")
    return finding(not wrong, "; ".join(wrong[:5]) or "all right")


def _prices(submission: Submission, facts: Facts) -> Finding:
    wrong = []
    for german, english, _, price in facts["lines"]:
        told = [re.findall(r"\d+[.,]?\d*(?:\s*€)?", line) for line in _own(submission, german, english)]
        if told != [[f"{price} €"] if price else []]:
            wrong.append(f"{german}: {told}, expected {price}")
    return finding(not wrong, "; ".join(wrong[:5]) or "all right")


def _gone(submission: Submission, facts: Facts) -> Finding:
    text = " ".join(_lines(submission))
    still = [name for name in facts["crossed"][:2] if name in text]
    return finding(bool(text) and not still, f"still there: {still}")


def _columns(submission: Submission, facts: Facts) -> Finding:
    """Each German name ends before any English one begins."""
    rows = {_names(row_text(row)): row for row in find_rows(_page(submission))}
    ends, begins = [], []
    for german, english, *_ in facts["lines"]:
        names = f"{german} {english}"
        row = [word for word in rows.get(names, []) if _names(word.text) in names.split()]
        split = len(german.split())
        ends += [word.box[2] for word in row[:split]]
        begins += [word.box[0] for word in row[split : split + 1]]
    holds = bool(begins) and len(begins) == len(facts["lines"]) and max(ends) + 3 < min(begins)
    return finding(
        holds, f"{len(begins)} lines; German to {max(ends, default=0)}, English from {min(begins, default=0)}"
    )


def _legend(submission: Submission, facts: Facts) -> Finding:
    lines = [" ".join(line.split()) for line in _lines(submission)]
    lacking = [text for text in facts["legend"] if text not in lines]
    more = [text for text in facts["unused"] if any(text in line for line in lines)]
    return finding(not lacking and not more, f"lacking {lacking}, not used {more}; last lines {lines[-8:]}")


def _printable(submission: Submission, _facts: Facts) -> Finding:
    page = _page(submission)
    upright = abs(page.width - A4_PT[0]) < 2 and abs(page.height - A4_PT[1]) < 2 and page.rotation == 0
    out, over = find_beyond(page, MARGIN_PT), find_collisions(page)
    holds = upright and bool(page.words) and not out and not over
    return finding(holds, f"{page.width} x {page.height} pt, outside {out[:5]}, on each other {over[:5]}")


CHECKS = group(
    "menu_photo",
    "The menu is set in both languages",
    group(
        "content",
        "The content of the menu",
        leaf("dishes", "Headings and dishes have a line each, in order", _dishes, observes=OBSERVED, weight=3),
        leaf("prices", "Each dish has its price", _prices, observes=OBSERVED, weight=3),
        leaf("allergens", "Each name has its allergens", _allergens, observes=OBSERVED, weight=2),
        leaf("gone", "The dish that is crossed out is gone", _gone, observes=OBSERVED),
        leaf("legend", "The letters in use are explained, and no others", _legend, observes=OBSERVED),
        weight=4,
    ),
    group(
        "layout",
        "The layout of the menu",
        leaf("columns", "German is left of English", _columns, observes=OBSERVED),
        leaf("printable", "It is one upright page, without collisions", _printable, observes=OBSERVED, weight=2),
        weight=2,
    ),
    leaves.inspected("The page was looked at", MENU),
    leaves.nothing_else(MENU),
)
