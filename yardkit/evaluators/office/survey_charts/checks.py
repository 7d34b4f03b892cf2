"""The answers that count, live tables over them, and two charts that leave the tables in sight."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import ne
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Date, Exact, Number
from yardkit.evaluators.readers.pages.pdf import Box, Page
from yardkit.evaluators.readers.pages.rendered import draw_printed, is_legible
from yardkit.evaluators.readers.tables import Rows, Sheet, is_near, read_sheets, recompute_sheets
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.survey_charts import SurveyChartsFacts as Facts

BOOK = "survey_results.xlsx"
COLUMNS = ["Respondent", "Date", "Channel", "Site", "Department", "Satisfaction", "Recommend"]
TITLE = "Staff survey February 2026"
FIRST_HEAD = ["Site", "1", "2", "3", "4", "5", "Answers", "Mean"]
SECOND_HEAD = ["Department", "Answers", "Promoters", "Detractors", "NPS"]
CHARTS = ("Satisfaction by site", "NPS by department")
LEVELS = ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied")
SCALE = 2.0
MARK = Number(typed=True)
MEAN_OFF, SCORE_OFF = 0.0051, 0.051
"""How far a mean or a score may be off: rounded to two decimals, or one."""
Reply = Sequence[Any]
Replies = Mapping[str, Reply]
Figures = dict[str, list[float]]


CLEAN = leaves.Table(
    BOOK,
    "Clean",
    {"Respondent": Exact(), "Date": Date(typed=False), "Channel": Exact(), "Site": Exact(), "Department": Exact(),
     "Satisfaction": MARK, "Recommend": MARK},
    ("Respondent",),
    lambda facts: [dict(zip(COLUMNS, (code, *reply), strict=True)) for code, reply in sorted(facts["replies"].items())],
)  # fmt: skip
SUMMARY = leaves.ChartSheet(BOOK, "Summary", TITLE, charts=2)


def _read_summary(sheets: Mapping[str, Sheet]) -> Sheet:
    if "Summary" not in sheets:
        raise InvalidArtifact(f"{BOOK} has no sheet 'Summary', only {', '.join(sheets)}")
    return sheets["Summary"]


def _tally_replies(replies: Replies, facts: Facts) -> tuple[Figures, Figures]:
    """The rows of both tables by their label."""
    levels_by_site = {
        site: _count_levels([reply for reply in replies.values() if reply[2] == site]) for site in facts["sites"]
    }
    two = {
        name: _compute_score([reply for reply in replies.values() if reply[3] == name]) for name in facts["departments"]
    }
    every = list(replies.values())
    return levels_by_site | {"All": _count_levels(every)}, two | {"All": _compute_score(every)}


def _count_levels(replies: Sequence[Reply]) -> list[float]:
    given = [reply[4] for reply in replies if reply[4] is not None]
    return [*(float(given.count(level)) for level in range(1, 6)), float(len(given)), sum(given) / len(given)]


def _compute_score(replies: Sequence[Reply]) -> list[float]:
    given = [reply[5] for reply in replies if reply[5] is not None]
    likely, unlikely = sum(score >= 9 for score in given), sum(score <= 6 for score in given)
    return [float(len(given)), float(likely), float(unlikely), (likely - unlikely) / len(given) * 100]


def _laid_out(submission: Submission, facts: Facts) -> Finding:
    sheet = _read_summary(read_sheets(submission, BOOK))
    rows = [[_to_text(cell) for cell in row] for row in sheet.values]
    rows = [[*row, *[""] * 8][:8] for row in (*rows, *[[]] * max(0, 20 - len(rows)))]
    heads = (rows[0][0], rows[2], rows[11][:5])
    labels = [row[0] for row in (*rows[3:9], *rows[12:19])]
    good = heads == (TITLE, FIRST_HEAD, SECOND_HEAD) and sheet.visible
    good = good and labels == [*facts["sites"], "All", *facts["departments"], "All"]
    typed = good and all(isinstance(cell, int | float) for cell in sheet.values[2][1:6])
    evidence = f"A1, row 3 and row 12 {heads}, levels as numbers {typed}; labels {labels}; shown {sheet.visible}"
    return make_finding(good and typed, evidence)


def _to_text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).strip()


def _list_wrong(rows: Rows, first: int, expected: Figures) -> list[str]:
    wrong = []
    for number, (label, values) in enumerate(expected.items(), first):
        cells = [*rows[number][1:], *[None] * len(values)] if number < len(rows) else [None] * len(values)
        close = MEAN_OFF if len(values) == 7 else SCORE_OFF
        if not all(is_near(cell, value, close) for cell, value in zip(cells, values, strict=False)):
            wrong.append(f"{label}: {cells[: len(values)]}, not {[round(value, 2) for value in values]}")
    return wrong


def _check_table(submission: Submission, facts: Facts, number: int) -> Finding:
    """The first table begins in row 4, the other one in row 13."""
    rows = _read_summary(read_sheets(submission, BOOK)).values
    wrong = _list_wrong(rows, (3, 12)[number], _tally_replies(facts["replies"], facts)[number])
    return make_finding(not wrong, "; ".join(wrong[:4]) or "they are right")


def _check_live_formulas(submission: Submission, facts: Facts) -> Finding:
    """Correct some answers, sites and departments, so that every figure changes, and look at all figures."""
    codes = [str(row[0]).strip() if row else "" for row in CLEAN.grid(read_sheets(submission, BOOK)).values]
    before = _list_figures(facts["replies"], facts)
    tried = (_correct_cells(codes, step, turn, facts) for step in range(3, 16) for turn in range(4))
    telling = (pair for pair in tried if all(map(ne, before, _list_figures(pair[1], facts))))
    changes, corrected = next(telling, _correct_cells(codes, 3, 0, facts))
    first, second = _tally_replies(corrected, facts)
    rows = _read_summary(recompute_sheets(submission, BOOK, changes)).values
    wrong = [*_list_wrong(rows, 3, first), *_list_wrong(rows, 12, second)]
    return make_finding(
        bool(changes) and not wrong, f"after {len(changes)} corrections: {'; '.join(wrong[:3]) or 'all follow'}"
    )


def _correct_cells(
    codes: Sequence[str], step: int, turn: int, facts: Facts
) -> tuple[dict[tuple[str, int, int], float | str], Replies]:
    """The cells of each `step`-th row of Clean that are corrected, the columns taking turns from `turn` on, and the
    replies as they are then.
    """
    corrected = {code: list(reply) for code, reply in facts["replies"].items()}
    changes: dict[tuple[str, int, int], float | str] = {}
    for number, code in enumerate(codes):
        if code in corrected and number % step == 0:
            column = (2, 3, 4, 5)[(number // step + turn) % 4]
            corrected[code][column] = _change_value(corrected[code][column], column, facts)
            changes["Clean", number, column + 1] = corrected[code][column]
    return changes, corrected


def _list_figures(replies: Replies, facts: Facts) -> list[float]:
    return [value for table in _tally_replies(replies, facts) for row in table.values() for value in row]


def _change_value(value: Any, column: int, facts: Facts) -> Any:
    if column in (2, 3):
        names = facts["sites" if column == 2 else "departments"]
        return names[(names.index(value) + 1) % len(names)]
    best, worst = (5, 1) if column == 4 else (10, 2)
    return worst if value == best else best


def _check_uncovered(submission: Submission, facts: Facts) -> Finding:
    """Each label and each count of the tables, and the charts' titles, can be seen on the page."""
    grid, page = SUMMARY.find_grid(submission), SUMMARY.find_page(submission)
    picture = draw_printed(submission, BOOK, page.number, SCALE)
    hidden = [text for text, box in _table_words(page, facts) if box is None or not is_legible(picture, box, SCALE)]
    hidden += SUMMARY.list_unseen(submission, CHARTS)
    crossing = _charts_cross([chart.place for chart in grid.charts])
    return make_finding(
        not hidden and not crossing, f"not to be seen: {hidden[:10]}; charts over each other: {crossing}"
    )


def _table_words(page: Page, facts: Facts) -> list[tuple[str, Box | None]]:
    """The labels and counts of both tables with their boxes, None where one is not printed."""
    table_words: list[tuple[str, Box | None]] = []
    top = min((word.box[1] for word in page.words if word.text == "Site"), default=0.0)
    for rows, counts in zip(_tally_replies(facts["replies"], facts), (6, 3), strict=True):
        for label, values in rows.items():
            boxes = [box for box in page.find(label) if box[1] > top]
            box = min(boxes, key=lambda corner: (round(corner[0]), corner[1]), default=None)
            table_words.append((label, box))
            if box is None:
                continue
            top = box[1] if label == "All" else top
            line = [word for word in page.words if abs(word.box[3] - box[3]) < 4 and word.box[0] > box[0]]
            for value in values[:counts]:
                text = f"{value:.0f}"
                table_words.append(
                    (f"{label} {text}", next((w.box for w in line if w.text.replace(",", "") == text), None))
                )
    return table_words


def _charts_cross(places: Sequence[str]) -> bool:
    """Whether two charts lie over each other by more than the cells at their edges."""
    from openpyxl.utils.cell import range_boundaries

    if not all(":" in place for place in places):
        return False
    (a, b, c, d), (e, f, g, h) = (range_boundaries(place) for place in places)
    return bool(min(c, g) - max(a, e) > 0 and min(d, h) - max(b, f) > 0)


STACKED = leaves.SheetChart(
    SUMMARY,
    CHARTS[0],
    "A4:A8",
    tuple(f"{column}4:{column}8" for column in "BCDEF"),
    {"BCDEF"[n]: (f"{'BCDEF'[n]}3", str(n + 1), word) for n, word in enumerate(LEVELS)},
)
BARS = leaves.SheetChart(SUMMARY, CHARTS[1], "A13:A18", ("E13:E18",))
TABLES = (f"cells:{BOOK}#Summary!*", f"rows:{BOOK}#Summary", f"sheet:{BOOK}#Summary")
CHECKS = make_group(
    "survey_charts",
    "The survey is cleaned, added up and shown",
    make_group(
        "clean",
        "Clean holds the answers that count",
        leaves.all_of(
            "each_once",
            "Each respondent who counts has one row, in order",
            leaves.check_rows("", "", CLEAN, ordered=True),
            leaves.check_headers("", "", CLEAN),
            weight=2,
        ),
        leaves.check_cells(
            "people",
            "Day, channel, site and department are right",
            CLEAN,
            *COLUMNS[1:5],
            weight=2,
        ),
        leaves.check_cells("marks", "Satisfaction and recommendation are right", CLEAN, *COLUMNS[5:], weight=2),
        leaves.check_types("dates", "Dates are dates", CLEAN, "Date", filled=True, covers=(f"looks:{BOOK}#Clean",)),
        weight=4,
    ),
    make_group(
        "tables",
        "Summary adds them up",
        make_checkpoint(
            "laid_out",
            "Both tables are where they were requested",
            _laid_out,
            covers=(*TABLES, f"visibility:{BOOK}#Summary"),
            kind="format",
        ),
        make_checkpoint(
            "one", "The figures by site are right", partial(_check_table, number=0), covers=TABLES, weight=2
        ),
        make_checkpoint(
            "two", "The figures by department are right", partial(_check_table, number=1), covers=TABLES, weight=2
        ),
        make_checkpoint(
            "live",
            "All figures follow a correction",
            _check_live_formulas,
            covers=(*TABLES, *CLEAN.covers, f"formulas:{BOOK}"),
            weight=2,
        ),
        weight=4,
    ),
    make_group(
        "charts",
        "Two charts show them",
        STACKED.check(
            "stacked",
            "Satisfaction by site is stacked to 100 %",
            lambda chart: (chart.kind, chart.grouping, chart.legend) == ("bar", "percentStacked", True),
            weight=2,
        ),
        BARS.check(
            "bars",
            "NPS by department has a bar for each",
            lambda chart: chart.kind == "bar" and "tacked" not in chart.grouping,
            weight=2,
        ),
        SUMMARY.check_single_page(
            "on_one_page",
            "Tables and charts print on one page",
            lambda facts: (*CHARTS, facts["sites"][-1], "Detractors"),
            weight=1.5,
        ),
        make_checkpoint(
            "uncovered",
            "The charts cover no table and not each other",
            _check_uncovered,
            covers=SUMMARY.covers,
            weight=2,
        ),
        leaves.check_looked_at("The agent looked at the page", BOOK),
        weight=4,
    ),
    leaves.answer_name(
        "The answer names the department with the lowest NPS",
        lambda facts: facts["lowest"],
        lambda facts: facts["departments"],
    ),
    leaves.nothing_else(BOOK),
)
