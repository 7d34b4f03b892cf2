"""The table as it is printed, sums that follow, and the one figure that cannot be right."""

from collections.abc import Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Number, Row, Sheets, Table, Text, Trial

BOOK = "visitors_2025.xlsx"
MONTHS = ("January", "February", "March", "April", "May", "June")
COUNT = Number(0.001, typed=True)
SUMS = ("Total", "Printed", "Difference")
NAMED = ("Branch", "Month", "Printed", "Expected", "Page")


def _list_rows(facts: Facts, grid: Sequence[Sequence[float]]) -> list[Row]:
    """All rows that must stand there if these figures are entered."""
    rows: list[dict[str, Any]] = [
        {"Branch": name, **dict(zip(MONTHS, line, strict=True)), **_compare_totals(sum(line), printed)}
        for name, line, printed in zip(facts["branches"], grid, facts["row_totals"], strict=True)
    ]
    totals = [sum(column) for column in zip(*grid, strict=True)]
    printed, none = facts["column_totals"], dict.fromkeys(SUMS)
    differences = [total - paper for total, paper in zip(totals, printed, strict=True)]
    return [
        *rows,
        {"Branch": "Total", **dict(zip(MONTHS, totals, strict=True)), **_compare_totals(sum(totals), sum(printed))},
        {"Branch": "Printed", **dict(zip(MONTHS, printed, strict=True)), **none},
        {"Branch": "Difference", **dict(zip(MONTHS, differences, strict=True)), **none},
    ]


def _compare_totals(total: float, printed: float) -> dict[str, float]:
    return {"Total": total, "Printed": printed, "Difference": total - printed}


VISITORS = Table(
    BOOK,
    "Visitors",
    {"Branch": Text(), **dict.fromkeys(MONTHS, COUNT), **dict.fromkeys(SUMS, COUNT)},
    ("Branch",),
    lambda facts: _list_rows(facts, facts["printed"]),
)
DOUBTFUL = Table(
    BOOK,
    "Doubtful",
    {"Branch": Text(), "Month": Text(), "Printed": COUNT, "Expected": COUNT, "Page": COUNT},
    ("Branch", "Month"),
    lambda facts: [dict(zip(NAMED, facts["doubtful"], strict=True))],
)


def _of_branch(row: Row) -> bool:
    return row["Branch"] not in SUMS


def _correct_figures(sheets: Sheets, facts: Facts) -> Trial:
    """One figure of each branch is another one, each in the next month."""
    trial, grid = Trial(), [list(line) for line in facts["printed"]]
    for line in VISITORS.list_lines(sheets):
        for place, name in enumerate(facts["branches"]):
            if Text().same(line.values["Branch"], name):
                column = place % len(MONTHS)
                grid[place][column] += 100 + place
                trial.change_cell(line, MONTHS[column], grid[place][column])
    trial.expect_rows(VISITORS, _list_rows(facts, grid))
    return trial


CHECKS = make_group(
    "scan_table",
    "The table of the scan is in the workbook",
    make_group(
        "table",
        "The figures are those of the paper",
        leaves.check_rows("each_once", "Each branch has one row, in the order of the paper", VISITORS, ordered=True),
        leaves.check_cells("figures", "The figures are as printed", VISITORS, *MONTHS, where=_of_branch, weight=3),
        leaves.check_cells("totals", "Sums, printed totals and differences are right", VISITORS, *SUMS, weight=2),
        leaves.check_cells(
            "months", "So are those of the months", VISITORS, *MONTHS, where=lambda row: not _of_branch(row), weight=2
        ),
        leaves.check_live_formulas(
            "live",
            "Sums and differences follow the figures",
            _correct_figures,
            follows=(VISITORS,),
            least=lambda facts: len(facts["branches"]),
            weight=3,
        ),
        weight=5,
    ),
    make_group(
        "doubtful",
        "The wrong figure is named",
        leaves.check_rows("place", "Just the figure that cannot be right is named", DOUBTFUL, weight=2),
        leaves.check_cells(
            "expected", "Printed and correct figure are right", DOUBTFUL, "Printed", "Expected", weight=2
        ),
        leaves.check_cells("page", "So is the page", DOUBTFUL, "Page"),
        weight=4,
    ),
    leaves.check_headers("layout", "The sheets are laid out as asked", VISITORS, DOUBTFUL, weight=0.5),
    leaves.answer_number("The answer is the expected figure", lambda facts: facts["doubtful"][3]),
    leaves.nothing_else(BOOK, "work/"),
)
