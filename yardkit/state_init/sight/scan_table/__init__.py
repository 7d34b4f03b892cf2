"""The world of sight/scan_table: a scanned report with tables of two years, one of which lies sideways."""

import random
from collections.abc import Sequence
from typing import Any

from yardkit.state_init.names import make_people
from yardkit.state_init.pdfs import build_scan
from yardkit.state_init.rendering.ink import encode_image
from yardkit.state_init.rendering.letters import Line, break_paragraph, draw_scanned_page
from yardkit.state_init.sight.scan_table.scans import feed_page, table_page
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_bytes, save_text

MONTHS = ["January", "February", "March", "April", "May", "June"]
BRANCHES = (
    "Airport",
    "Botanical Garden",
    "Castle Hill",
    "Harbour",
    "Museum Mile",
    "North Gate",
    "Old Town",
    "Riverside",
)
TEXTS = {
    "A good first half": (
        "The first half of the year brought more guests than the one before. In round figures {round} people came "
        "to our doors, says the press office. The exact count stands in the table of this report.",
        "The weather helped, and so did the longer hours on Thursdays. The new ticket machines at the larger doors "
        "were used by two thirds of all guests.",
    ),
    "Works in the houses": (
        "In {month} one house was closed for works on its roof; the counter at its door was taken down for that "
        "month. It was put up again on the first day of the next one.",
        "The lift of the oldest house is still waiting for a spare part. We expect it in the autumn.",
    ),
    "Outlook": (
        "For the second half of the year we plan two exhibitions and a festival in October. The budget for them was "
        "passed in the last meeting.",
        "The next report follows in January. Questions are welcome at the office on weekdays from nine to four.",
    ),
}
Grid = list[list[int]]


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Print, spoil one figure, scan; the facts are the rows as printed and the figure that is wrong."""
    branches = rng.sample(BRANCHES, rng.choice((6, 7)))
    this, last = _draw_counts(len(branches), rng), _draw_counts(len(branches), rng)
    row, column = rng.randrange(len(branches)), rng.randrange(len(MONTHS))
    right = this[row][column] = int("".join(map(str, rng.sample(range(1, 10), 4))))
    closed = rng.choice([(r, c) for r in range(len(branches)) for c in range(len(MONTHS)) if r != row and c != column])
    this[closed[0]][closed[1]] = 0
    printed = [list(line) for line in this]
    printed[row][column] = _swap_digits(right, rng)
    paper = [[*line, sum(true)] for line, true in zip(printed, this, strict=True)]
    sums = [sum(line[place] for line in this) for place in range(len(MONTHS))]
    page = _write_scan(world, rng, branches, [*paper, [*sums, sum(sums)]], last, MONTHS[closed[1]])
    _write_beside(world, rng, branches, last)
    return {
        "branches": branches,
        "printed": printed,
        "row_totals": [line[-1] for line in paper],
        "column_totals": sums,
        "doubtful": [branches[row], MONTHS[column], printed[row][column], right, page],
    }


def _draw_counts(rows: int, rng: random.Random) -> Grid:
    return [[rng.randint(160, 4_900) for _ in MONTHS] for _ in range(rows)]


def _swap_digits(number: int, rng: random.Random) -> int:
    """The number as somebody typed it who swapped two digits."""
    digits = list(str(number))
    place = rng.randrange(3)
    digits[place], digits[place + 1] = digits[place + 1], digits[place]
    return int("".join(digits))


def _write_scan(world: World, rng: random.Random, branches: Sequence[str], paper: Grid, last: Grid, closed: str) -> int:
    """The report; the number of the page with this year's table."""
    rounded = f"{round(paper[-1][-1] * rng.uniform(0.94, 1.07) / 1000):,},000"
    older = [[*line, sum(line)] for line in last]
    older.append([sum(line[place] for line in older) for place in range(len(MONTHS) + 1)])
    texts = [_text_page(head, body, rng, round=rounded, month=closed) for head, body in TEXTS.items()]
    pages, sideways = [(page, 0) for page in texts[1:]], rng.choice((2025, 2025, 2024))
    for year, grid in ((2024, older), (2025, paper)):
        page = _table_page(year, branches, grid, rng, landscape=year == sideways)
        pages.append((page, rng.choice((90, 270)) if year == sideways else 0))
    rng.shuffle(pages)
    pictures = [encode_image(feed_page(page, rng, turn), "jpeg", 72) for page, turn in [(texts[0], 0), *pages]]
    save_bytes(world.files / "scans" / "report_2025_h1.pdf", build_scan(pictures, "Scan"))
    return 2 + next(place for place, (scan_page, _) in enumerate(pages) if scan_page is page)


def _table_page(year: int, branches: Sequence[str], grid: Grid, rng: random.Random, *, landscape: bool) -> Any:
    lines = [
        Line(f"Visitors {year} by branch and month", 24, size_mm=7, bold=True),
        Line("Counted at the doors. A dash: closed.", 36, size_mm=4.4),
    ]
    rows = [["Branch", *MONTHS, "Total"]]
    for name, numbers in zip([*branches, "Total"], grid, strict=True):
        rows.append([name, *(str(number) if number else "\u2013" for number in numbers)])
    return table_page(lines, rows, rng, y_mm=50, landscape=landscape)


def _text_page(head: str, paragraphs: Sequence[str], rng: random.Random, **gaps: str) -> Any:
    lines, y = [Line(head, 30, size_mm=7, bold=True)], 50.0
    for text in paragraphs:
        lines += break_paragraph(text.format(**gaps), y)
        y = lines[-1].y_mm + 14
    return draw_scanned_page(lines, rng)


def _write_beside(world: World, rng: random.Random, branches: Sequence[str], last: Grid) -> None:
    """Last year's workbook, a scan of something else, a note."""
    rows: list[list[Any]] = [["Branch", *MONTHS], *([name, *line] for name, line in zip(branches, last, strict=True))]
    save_workbook(world.files / "archive" / "visitors_2024.xlsx", {"Visitors": rows}, world.now)
    clerk, boss = make_people(rng, 2)
    letter = [
        Line("Minutes of the works council", 30, size_mm=7, bold=True),
        Line(f"Present: {clerk.name}, {boss.name}", 50),
    ]
    save_bytes(
        world.files / "scans" / "minutes.pdf",
        build_scan([encode_image(feed_page(draw_scanned_page(letter, rng), rng), "jpeg", 72)]),
    )
    save_text(
        world.files / "scans" / "readme.txt", f"Scanned by {clerk.name}. The feeder pulls a little to one side.\n"
    )
