"""The page has each dish once, in both languages side by side, with its allergens and price, and nothing collides."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.pages.pdf import Page, read_pdf
from yardkit.evaluators.readers.pages.printed_rows import find_beyond, find_collisions, find_rows, row_text
from yardkit.evaluators.submission import Submission

MENU = "menu.pdf"
MARGIN_PT, A4_PT = 8 * 72 / 25.4 - 1, (595.3, 841.9)
_BESIDE_NAMES = re.compile(r"\([^)]*\)|\d+[.,]\d\d|€|[.·_…]{2,}")
OBSERVED = (f"pages:{MENU}", f"file:{MENU}")


def _find_page(submission: Submission) -> Page:
    pages = read_pdf(submission, MENU).pages
    if len(pages) != 1:
        raise InvalidArtifact(f"{MENU} has {len(pages)} pages")
    return pages[0]


def _list_lines(submission: Submission) -> list[str]:
    return [row_text(row) for row in find_rows(_find_page(submission))]


def _strip_details(line: str) -> str:
    """A line without brackets, price and dots."""
    return " ".join(_BESIDE_NAMES.sub(" ", line).split())


def _find_dish_lines(submission: Submission, german: str, english: str) -> list[str]:
    return [line for line in _list_lines(submission) if _strip_details(line) == f"{german} {english}"]


def _check_dishes(submission: Submission, facts: Facts) -> Finding:
    names = [_strip_details(line) for line in _list_lines(submission)]
    expected_names = [f"{german} {english}" for german, english, *_ in facts["lines"]]
    dish_names = [name for name in names if name in expected_names]
    return make_finding(dish_names == expected_names, f"lines {names}; expected {expected_names}")


def _check_allergens(submission: Submission, facts: Facts) -> Finding:
    wrong = []
    for german, english, letters, _ in facts["lines"]:
        allergen_letters = [re.findall(r"\(([^)]*)\)", line) for line in _find_dish_lines(submission, german, english)]
        if allergen_letters != [[letters, letters] if letters else []]:
            wrong.append(f"{german}: {allergen_letters}, expected {letters!r} twice")
    return make_finding(not wrong, "; ".join(wrong[:5]) or "all right")


def _check_prices(submission: Submission, facts: Facts) -> Finding:
    wrong = []
    for german, english, _, price in facts["lines"]:
        line_prices = [
            re.findall(r"\d+[.,]?\d*(?:\s*€)?", line) for line in _find_dish_lines(submission, german, english)
        ]
        if line_prices != [[f"{price} €"] if price else []]:
            wrong.append(f"{german}: {line_prices}, expected {price}")
    return make_finding(not wrong, "; ".join(wrong[:5]) or "all right")


def _check_crossed_out(submission: Submission, facts: Facts) -> Finding:
    text = " ".join(_list_lines(submission))
    still = [name for name in facts["crossed"][:2] if name in text]
    return make_finding(bool(text) and not still, f"still there: {still}")


def _check_columns(submission: Submission, facts: Facts) -> Finding:
    """Each German name ends before any English one begins."""
    rows = {_strip_details(row_text(row)): row for row in find_rows(_find_page(submission))}
    ends, begins = [], []
    for german, english, *_ in facts["lines"]:
        names = f"{german} {english}"
        row = [word for word in rows.get(names, []) if _strip_details(word.text) in names.split()]
        split = len(german.split())
        ends += [word.box[2] for word in row[:split]]
        begins += [word.box[0] for word in row[split : split + 1]]
    holds = bool(begins) and len(begins) == len(facts["lines"]) and max(ends) + 3 < min(begins)
    return make_finding(
        holds, f"{len(begins)} lines; German to {max(ends, default=0)}, English from {min(begins, default=0)}"
    )


def _check_legend(submission: Submission, facts: Facts) -> Finding:
    lines = [" ".join(line.split()) for line in _list_lines(submission)]
    missing_lines = [text for text in facts["legend"] if text not in lines]
    more = [text for text in facts["unused"] if any(text in line for line in lines)]
    return make_finding(
        not missing_lines and not more, f"lacking {missing_lines}, not used {more}; last lines {lines[-8:]}"
    )


def _check_printable(submission: Submission, _facts: Facts) -> Finding:
    page = _find_page(submission)
    upright = abs(page.width - A4_PT[0]) < 2 and abs(page.height - A4_PT[1]) < 2 and page.rotation == 0
    out, over = find_beyond(page, MARGIN_PT), find_collisions(page)
    holds = upright and bool(page.words) and not out and not over
    return make_finding(holds, f"{page.width} x {page.height} pt, outside {out[:5]}, on each other {over[:5]}")


CHECKS = make_group(
    "menu_photo",
    "The menu is set in both languages",
    make_group(
        "content",
        "The content of the menu",
        make_checkpoint(
            "dishes", "Headings and dishes have a line each, in order", _check_dishes, covers=OBSERVED, weight=3
        ),
        make_checkpoint("prices", "Each dish has its price", _check_prices, covers=OBSERVED, weight=3),
        make_checkpoint("allergens", "Each name has its allergens", _check_allergens, covers=OBSERVED, weight=2),
        make_checkpoint("gone", "The dish that is crossed out is gone", _check_crossed_out, covers=OBSERVED),
        make_checkpoint("legend", "The letters in use are explained, and no others", _check_legend, covers=OBSERVED),
        weight=4,
    ),
    make_group(
        "layout",
        "The layout of the menu",
        make_checkpoint("columns", "German is left of English", _check_columns, covers=OBSERVED),
        make_checkpoint(
            "printable", "It is one upright page, without collisions", _check_printable, covers=OBSERVED, weight=2
        ),
        weight=2,
    ),
    leaves.check_inspected("The page was looked at", MENU),
    leaves.nothing_else(MENU),
)
