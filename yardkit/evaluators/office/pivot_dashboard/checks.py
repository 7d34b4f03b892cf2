"""A pivot table of all orders that count, and a dashboard that follows them and can be read."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from functools import partial
from operator import ge, gt, le, lt
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.engines.calculation import compute_formula_over
from yardkit.evaluators.readers.engines.formula_tokens import move_formula
from yardkit.evaluators.readers.office.workbooks import Pivot, Rule, read_book
from yardkit.evaluators.readers.pages.rendered import draw_printed, is_legible
from yardkit.evaluators.readers.tables import Rows, Sheet, is_near, read_sheets, recompute_sheets, to_date
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.pivot_dashboard import PivotDashboardFacts as Facts

FILE = "sales/orders_2026_h1.xlsx"
TITLE = "Orders of the first half of 2026"
CHART = "Revenue and target by month"
RED, GREEN = "FFC7CE", "C6EFCE"
SCALE = 2.0
Order = Sequence[Any]
Figures = list[list[float]]
DASHBOARD = leaves.ChartSheet(FILE, "Dashboard", TITLE, charts=1)


def _find_sheet(sheets: Mapping[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise InvalidArtifact(f"{FILE} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _find_pivot(submission: Submission) -> Pivot:
    sheets = read_book(submission, FILE).sheets
    pivots = sheets["Pivot"].pivots if "Pivot" in sheets else ()
    if len(pivots) != 1:
        raise InvalidArtifact(f"the sheet Pivot has {len(pivots)} pivot tables instead of one")
    return pivots[0]


def _check_fields(submission: Submission, facts: Facts) -> Finding:
    pivot = _find_pivot(submission)
    fields = (pivot.rows, pivot.columns, pivot.filters, len(pivot.values), pivot.functions)
    named = pivot.name == facts["prompt"]["pivot"]
    holds = named and fields == (("Region",), ("Category",), ("Status",), 1, ("sum",))
    return make_finding(holds and "mount" in "".join(pivot.values), f"{pivot.name}: {fields}, values {pivot.values}")


def _check_source(submission: Submission, facts: Facts) -> Finding:
    pivot, last = _find_pivot(submission), len(facts["orders"]) + 1
    area = read_book(submission, FILE).names.get(pivot.source, pivot.source).replace("$", "").replace("'", "")
    complete = area in (f"Orders!A1:G{last}", "Orders!A:G")
    left_out = tuple(text.casefold() for text in pivot.left_out)
    return make_finding(complete and left_out == ("status=cancelled",), f"source {area}; not ticked {left_out}")


def _pivot_cells(submission: Submission, facts: Facts) -> Finding:
    """The figures and grand totals, in the lines that the pivot table takes up."""
    from openpyxl.utils.cell import range_boundaries

    sheet = _find_sheet(read_sheets(submission, FILE), "Pivot")
    rows, bottom = sheet.values, range_boundaries(_find_pivot(submission).place)[3]
    head = next((row for row in rows if all(name in map(_to_text, row) for name in facts["categories"])), None)
    if head is None:
        return make_finding(holds=False, evidence="no row of Pivot names all categories")
    columns = {name: list(map(_to_text, head)).index(name) for name in facts["categories"]}
    columns[""] = max(columns.values()) + 1
    lines = {_to_text(row[0]): row for row in rows if row} | {"": rows[bottom - 1] if bottom <= len(rows) else []}
    wrong = []
    for region in (*facts["regions"], ""):
        line = [*lines.get(region, []), *[None] * 20]
        for category, column in columns.items():
            expected_sum = _sum_orders(facts["orders"], region=region, category=category)
            if not is_near(line[column], expected_sum, 0.011):
                wrong.append(f"{region or 'all'} {category or 'all'}: {line[column]}, not {expected_sum:.2f}")
    return make_finding(not wrong and sheet.visible, f"the sheet is shown: {sheet.visible}; wrong: {wrong[:5]}")


def _to_text(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _sum_orders(orders: Sequence[Order], *, month: str = "", region: str = "", category: str = "") -> float:
    counted = (order for order in orders if order[4] != "cancelled" and month in ("", order[0][5:7]))
    return float(sum(order[3] for order in counted if region in ("", order[1]) and category in ("", order[2])))


def _compute_figures(orders: Sequence[Order], targets: Sequence[float], facts: Facts) -> Figures:
    """The rows of the dashboard: regions, total, target, attainment; the last one is the total."""
    figures = []
    for number, target in enumerate(targets, 1):
        sums = [_sum_orders(orders, month=f"{number:02d}", region=region) for region in facts["regions"]]
        figures.append([*sums, sum(sums), float(target)])
    figures.append([sum(column) for column in zip(*figures, strict=True)])
    return [[*row, row[-2] / row[-1]] for row in figures]


def _list_wrong(rows: Rows, expected: Figures, columns: slice) -> list[str]:
    wrong = []
    for number, values in enumerate(expected, 3):
        cells = [*(rows[number][1:] if number < len(rows) else []), *[None] * 7][:7]
        pairs = zip(cells[columns], values[columns], strict=True)
        if not all(is_near(cell, value, 0.011 if abs(value) > 5 else 0.0006) for cell, value in pairs):
            wrong.append(f"row {number + 1}: {cells[columns]}, not {[round(value, 3) for value in values[columns]]}")
    return wrong


def _laid_out(submission: Submission, facts: Facts) -> Finding:
    sheet = _find_sheet(read_sheets(submission, FILE), "Dashboard")
    rows = [[*row, *[None] * 8][:8] for row in [*sheet.values, *[[]] * 10]]
    head = [_to_text(cell) for cell in rows[2]]
    months = [str(to_date(row[0])) for row in rows[3:9]]
    expected_months = [f"2026-{month:02d}-01" for month in range(1, 7)]
    # What a formula gives is a number until it is shown as a date; how it is shown has its own leaf.
    dated = all(isinstance(row[0], datetime.date | int | float) for row in rows[3:9])
    good = head == ["Month", *facts["regions"], "Total", "Target", "Attainment"] and months == expected_months and dated
    ends = (_to_text(rows[0][0]), _to_text(rows[9][0]))
    return make_finding(
        good and ends == (TITLE, "Total") and sheet.visible, f"A1 and A10 {ends}; row 3 {head}; months {months}"
    )


def _check_figures(submission: Submission, facts: Facts, columns: slice) -> Finding:
    expected_figures = _compute_figures(facts["orders"], facts["targets"], facts)
    wrong = _list_wrong(_find_sheet(read_sheets(submission, FILE), "Dashboard").values, expected_figures, columns)
    return make_finding(not wrong, "; ".join(wrong[:4]) or "they are right")


def _check_live_formulas(submission: Submission, facts: Facts) -> Finding:
    """Correct amounts, states, regions and days of orders and each target, and look at all figures."""
    orders, targets = [list(order_row) for order_row in facts["orders"]], [target + 5000 for target in facts["targets"]]
    changes: dict[tuple[str, int, int], float | str] = {}
    for number in range(0, len(orders), 7):
        order = orders[number]
        turn = number // 7 % 4
        if turn == 0:
            order[3] = changes["Orders", number + 1, 5] = order[3] + 1234.5
        elif turn == 1:
            order[4] = changes["Orders", number + 1, 6] = "open" if order[4] == "cancelled" else "cancelled"
        elif turn == 2:
            names = facts["regions"]
            order[1] = changes["Orders", number + 1, 2] = names[(names.index(order[1]) + 1) % len(names)]
        else:
            day = datetime.date(2026, int(order[0][5:7]) % 6 + 1, 17)
            order[0] = day.isoformat()
            changes["Orders", number + 1, 1] = float((day - datetime.date(1899, 12, 30)).days)
    first = _first_target(_find_sheet(read_sheets(submission, FILE), "Targets").values)
    changes |= {("Targets", first + number, 1): target for number, target in enumerate(targets)}
    rows = _find_sheet(recompute_sheets(submission, FILE, changes), "Dashboard").values
    wrong = _list_wrong(rows, _compute_figures(orders, targets, facts), slice(0, 7))
    return make_finding(not wrong, f"after {len(changes)} corrections: {'; '.join(wrong[:3]) or 'all follow'}")


def _first_target(rows: Rows) -> int:
    first_row = next((number for number, row in enumerate(rows) if row and to_date(row[0]) is not None), None)
    if first_row is None:
        raise InvalidArtifact("the sheet Targets has no months any more")
    return first_row


def _check_formats(submission: Submission, _facts: Facts) -> Finding:
    grid, wrong = DASHBOARD.find_grid(submission), []
    for row in range(4, 11):
        codes = {letter: grid.look(f"{letter}{row}").number_format for letter in "ABCDEFGH"}
        wrong += [f"{x}{row} {codes[x]}" for x in "BCDEFG" if not re.search("#,##[0#]", codes[x]) or "0.0" in codes[x]]
        wrong += [f"H{row} {codes['H']}"] if "%" not in codes["H"] else []
        if row < 10 and not re.search(r"mmm\W+yyyy", codes["A"].casefold()):
            wrong.append(f"A{row} {codes['A']}")
    return make_finding(not wrong, f"other number formats: {', '.join(wrong[:6])}" if wrong else "as asked")


def _check_rules(submission: Submission, _facts: Facts) -> Finding:
    """Which fill each share would get, by the rules as the file has them, at and around both limits."""
    rules = [rule for rule in DASHBOARD.find_grid(submission).rules if rule.fill in (RED, GREEN)]
    wrong = []
    for row in range(4, 11):
        here = [rule for rule in rules if _covers_row(rule.cells, row)]
        for share, expected_fill in ((0.5, RED), (0.8999, RED), (0.9, ""), (0.9999, ""), (1.0, GREEN), (1.3, GREEN)):
            fills = {rule.fill for rule in here if _matches_rule(rule, row, share)}
            if fills != ({expected_fill} if expected_fill else set()):
                wrong.append(f"H{row} at {share:.2%} is {fills or 'plain'}")
    rule_texts = [f"{rule.cells} {rule.operator} {rule.formulas} {rule.fill}" for rule in rules]
    return make_finding(not wrong, f"{'; '.join(wrong[:4]) or 'as asked'}: {rule_texts[:4]}")


def _covers_row(cells: str, row: int) -> bool:
    from openpyxl.utils.cell import range_boundaries

    areas = (range_boundaries(area) for area in cells.split())
    return any(left <= 8 <= right and top <= row <= bottom for left, top, right, bottom in areas)


def _matches_rule(rule: Rule, row: int, share: float) -> bool:
    """Whether a rule of a number, or of a formula such as ``$H4<0.9``, meets this share in a row."""
    if rule.kind == "expression":
        return _is_true(rule, row, share)
    limits = [_parse_number(formula) for formula in rule.formulas]
    if rule.operator == "between":
        return len(limits) == 2 and limits[0] <= share <= limits[1]
    compare = {"lessThan": lt, "lessThanOrEqual": le, "greaterThan": gt, "greaterThanOrEqual": ge}.get(rule.operator)
    return compare is not None and bool(compare(share, limits[0]))


def _is_true(rule: Rule, row: int, share: float) -> bool:
    """The formula of a rule as it stands for a row, tried where no other row would be coloured."""
    top_left = re.split("[ :]", rule.cells)[0].replace("$", "")
    here = move_formula(f"={rule.formulas[0].lstrip('=')}", top_left, f"H{row}")
    cells: dict[tuple[int, int], float] = {}
    for other in range(4, 11):
        attained = share if other == row else 0.95
        cells |= {(other, 6): attained * 1000, (other, 7): 1000.0, (other, 8): attained}
    return compute_formula_over(cells, here, (row, 8)) is True


def _parse_number(text: str) -> float:
    try:
        return float(text.strip("=% ")) / (100 if "%" in text else 1)
    except ValueError:
        return float("nan")


def _check_uncovered(submission: Submission, facts: Facts) -> Finding:
    """Each amount of the table and the chart's title can be seen on the page."""
    DASHBOARD.find_grid(submission)
    page = DASHBOARD.find_page(submission)
    picture = draw_printed(submission, FILE, page.number, SCALE)
    seen = {re.sub(r"[^\d]", "", word.text) for word in page.words if is_legible(picture, word.box, SCALE)}
    figures = _compute_figures(facts["orders"], facts["targets"], facts)
    hidden = [f"{value:,.0f}" for row in figures for value in row[:6] if f"{value:.0f}" not in seen]
    hidden += DASHBOARD.list_unseen(submission, (TITLE, CHART))
    return make_finding(not hidden, f"not to be seen: {hidden[:8]}")


PIVOT = (f"cells:{FILE}#Pivot!*", f"rows:{FILE}#Pivot", f"sheet:{FILE}#Pivot")
TABLE = (f"cells:{FILE}#Dashboard!*", f"rows:{FILE}#Dashboard", f"sheet:{FILE}#Dashboard")
GIVEN = tuple(
    f"{kind}:{FILE}#{name}*"
    for kind in ("cells", "rows", "sheet", "formats", "looks", "visibility")
    for name in ("Orders", "Targets")
)
LOOKS = (f"formats:{FILE}#Dashboard!*", f"looks:{FILE}#Dashboard")
ITSELF, FIRST_COLUMN = (f"sheet:{FILE}#Pivot",), (f"formats:{FILE}#Dashboard!A*", f"visibility:{FILE}#Dashboard")
DRAWN = leaves.SheetChart(DASHBOARD, CHART, "A4:A9", ("F4:F9", "G4:G9"), {"F": ("F3", "total"), "G": ("G3", "target")})
_check_amounts, _check_attainments = (partial(_check_figures, columns=slice(*ends)) for ends in ((0, 5), (5, 7)))
OWN = tuple(pattern for name in ("Pivot", "Dashboard") for pattern in (f"*#{name}!*", f"sheet#{name}"))
CHECKS = make_group(
    "pivot_dashboard",
    "The orders are summed up in a pivot table and on a dashboard",
    make_group(
        "pivot",
        "Pivot holds the pivot table",
        make_checkpoint("fields", "Its name and fields are those asked for", _check_fields, covers=ITSELF),
        make_checkpoint("source", "It takes all orders but the cancelled ones", _check_source, covers=ITSELF),
        make_checkpoint(
            "pivot_cells", "Its cells show its figures", _pivot_cells, covers=(*PIVOT, f"visibility:{FILE}#Pivot")
        ),
        weight=3,
    ),
    make_group(
        "table",
        "The dashboard has its table",
        make_checkpoint(
            "laid_out",
            "Title, headers and months are where they were requested",
            _laid_out,
            covers=(*TABLE, *FIRST_COLUMN),
            kind="format",
        ),
        make_checkpoint("amounts", "The amounts by month and region are right", _check_amounts, covers=TABLE, weight=2),
        make_checkpoint("attainments", "Targets and attainments are right", _check_attainments, covers=TABLE),
        make_checkpoint(
            "live",
            "All figures follow",
            _check_live_formulas,
            covers=(*TABLE, f"formulas:{FILE}#Dashboard!*"),
            weight=2,
        ),
        make_checkpoint("formats", "Numbers are shown as asked", _check_formats, covers=LOOKS, kind="format"),
        make_checkpoint(
            "rules", "Attainments are coloured by the rules", _check_rules, covers=(f"rules:{FILE}#Dashboard",)
        ),
        weight=4,
    ),
    make_group(
        "chart",
        "The dashboard has its chart and its page",
        DRAWN.check(
            "drawn",
            "The chart shows total and target by month",
            lambda chart: (
                chart.legend and chart.kind in ("bar", "bar+line", "line+bar") and "tacked" not in chart.grouping
            ),
            weight=2,
        ),
        DASHBOARD.check_single_page(
            "on_one_page",
            "All is on one page without number signs",
            lambda _: ("Month", "Attainment", CHART),
            all_sheets=True,
        ),
        make_checkpoint(
            "uncovered", "The chart covers nothing of the table", _check_uncovered, covers=DASHBOARD.covers
        ),
        leaves.check_looked_at("The agent looked at the page", FILE),
        weight=3,
    ),
    leaves.answer_number("The answer counts the months below 90 %", lambda facts: facts["below"]),
    leaves.check_unchanged("kept", "The rest of the workbook is as it was", FILE, *OWN, "names#*", covers=GIVEN),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
