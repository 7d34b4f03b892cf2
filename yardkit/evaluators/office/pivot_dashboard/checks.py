"""A pivot table of all orders that count, and a dashboard that follows them and can be read."""

import datetime
import re
from collections.abc import Mapping, Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.collateral import kept_outside
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.engines.calculation import compute_formula_over
from yardkit.evaluators.readers.engines.formula_tokens import move_formula
from yardkit.evaluators.readers.office.workbooks import Chart, Grid, Pivot, Rule, read_book
from yardkit.evaluators.readers.pages.pdf import Page
from yardkit.evaluators.readers.pages.rendered import draw_printed, find_cut_cells, is_legible, render_pages
from yardkit.evaluators.readers.tables import Rows, Sheet, near, read_sheets, recompute_sheets, to_date
from yardkit.evaluators.submission import Submission

FILE = "sales/orders_2026_h1.xlsx"
TITLE = "Orders of the first half of 2026"
CHART = "Revenue and target by month"
SUMMED = ("amount", "sum of amount")
RED, GREEN = "FFC7CE", "C6EFCE"
SCALE = 2.0
Order = Sequence[Any]
Figures = list[list[float]]


def _sheet(sheets: Mapping[str, Sheet], name: str) -> Sheet:
    if name not in sheets:
        raise InvalidArtifact(f"{FILE} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _grid(submission: Submission, name: str) -> Grid:
    sheets = read_book(submission, FILE).sheets
    if name not in sheets:
        raise InvalidArtifact(f"{FILE} has no sheet {name!r}, only {', '.join(sheets)}")
    return sheets[name]


def _pivot(submission: Submission) -> Pivot:
    found = _grid(submission, "Pivot").pivots
    if len(found) != 1:
        raise InvalidArtifact(f"the sheet Pivot has {len(found)} pivot tables instead of one")
    return found[0]


def _fields(submission: Submission, facts: Facts) -> Finding:
    pivot = _pivot(submission)
    fields = (pivot.rows, pivot.columns, pivot.filters, len(pivot.values), pivot.functions)
    named = pivot.name == facts["prompt"]["pivot"]
    holds = named and fields == (("Region",), ("Category",), ("Status",), 1, ("sum",))
    return finding(holds and "mount" in "".join(pivot.values), f"{pivot.name}: {fields}, values {pivot.values}")


def _source(submission: Submission, facts: Facts) -> Finding:
    pivot, last = _pivot(submission), len(facts["orders"]) + 1
    area = read_book(submission, FILE).names.get(pivot.source, pivot.source).replace("$", "").replace("'", "")
    whole = area in (f"Orders!A1:G{last}", "Orders!A:G")
    left_out = tuple(text.casefold() for text in pivot.left_out)
    return finding(whole and left_out == ("status=cancelled",), f"source {area}; not ticked {left_out}")


def _pivot_cells(submission: Submission, facts: Facts) -> Finding:
    """The figures and grand totals, in the lines that the pivot table takes up."""
    from openpyxl.utils.cell import range_boundaries

    sheet, bottom = _sheet(read_sheets(submission, FILE), "Pivot"), range_boundaries(_pivot(submission).place)[3]
    rows = sheet.values
    head = next((row for row in rows if all(name in map(_shown, row) for name in facts["categories"])), None)
    if head is None:
        return finding(holds=False, evidence="no row of Pivot names all categories")
    columns = {name: list(map(_shown, head)).index(name) for name in facts["categories"]}
    columns[""] = max(columns.values()) + 1
    lines = {_shown(row[0]): row for row in rows if row} | {"": rows[bottom - 1] if bottom <= len(rows) else []}
    wrong = []
    for region in (*facts["regions"], ""):
        line = [*lines.get(region, []), *[None] * 20]
        for category, column in columns.items():
            wanted = _sum(facts["orders"], region=region, category=category)
            if not near(line[column], wanted, 0.011):
                wrong.append(f"{region or 'all'} {category or 'all'}: {line[column]}, not {wanted:.2f}")
    return finding(not wrong and sheet.visible, "; ".join(wrong[:5]) or f"right; the sheet is shown: {sheet.visible}")


def _shown(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _sum(orders: Sequence[Order], *, month: int = 0, region: str = "", category: str = "") -> float:
    return float(
        sum(
            order[3]
            for order in orders
            if order[4] != "cancelled"
            and (not month or int(order[0][5:7]) == month)
            and (not region or order[1] == region)
            and (not category or order[2] == category)
        )
    )


def _figures(orders: Sequence[Order], targets: Sequence[float], facts: Facts) -> Figures:
    """The rows of the dashboard: regions, total, target, attainment; the last one is the total."""
    made = []
    for number, target in enumerate(targets, 1):
        sums = [_sum(orders, month=number, region=region) for region in facts["regions"]]
        made.append([*sums, sum(sums), float(target)])
    made.append([sum(column) for column in zip(*made, strict=True)])
    return [[*row, row[-2] / row[-1]] for row in made]


def _wrong(rows: Rows, wanted: Figures, columns: slice) -> list[str]:
    wrong = []
    for number, values in enumerate(wanted, 3):
        found = [*(rows[number][1:] if number < len(rows) else []), *[None] * 7][:7]
        pairs = zip(found[columns], values[columns], strict=True)
        if not all(near(cell, value, 0.011 if abs(value) > 5 else 0.0006) for cell, value in pairs):
            wrong.append(f"row {number + 1}: {found[columns]}, not {[round(value, 3) for value in values[columns]]}")
    return wrong


def _laid_out(submission: Submission, facts: Facts) -> Finding:
    sheet = _sheet(read_sheets(submission, FILE), "Dashboard")
    rows = [[*row, *[None] * 8][:8] for row in [*sheet.values, *[[]] * 10]]
    head = [_shown(cell) for cell in rows[2]]
    months = [str(to_date(row[0])) for row in rows[3:9]]
    wanted = [f"2026-{month:02d}-01" for month in range(1, 7)]
    # What a formula gives is a number until it is shown as a date; how it is shown has its own leaf.
    dated = all(isinstance(row[0], datetime.date | int | float) for row in rows[3:9])
    good = head == ["Month", *facts["regions"], "Total", "Target", "Attainment"] and months == wanted and dated
    ends = (_shown(rows[0][0]), _shown(rows[9][0]))
    return finding(
        good and ends == (TITLE, "Total") and sheet.visible, f"A1 and A10 {ends}; row 3 {head}; months {months}"
    )


def _amounts(submission: Submission, facts: Facts) -> Finding:
    wanted = _figures(facts["orders"], facts["targets"], facts)
    wrong = _wrong(_sheet(read_sheets(submission, FILE), "Dashboard").values, wanted, slice(0, 5))
    return finding(not wrong, "; ".join(wrong[:4]) or "they are right")


def _attainments(submission: Submission, facts: Facts) -> Finding:
    wanted = _figures(facts["orders"], facts["targets"], facts)
    wrong = _wrong(_sheet(read_sheets(submission, FILE), "Dashboard").values, wanted, slice(5, 7))
    return finding(not wrong, "; ".join(wrong[:4]) or "they are right")


def _live(submission: Submission, facts: Facts) -> Finding:
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
    first = _first_target(_sheet(read_sheets(submission, FILE), "Targets").values)
    changes |= {("Targets", first + number, 1): target for number, target in enumerate(targets)}
    rows = _sheet(recompute_sheets(submission, FILE, changes), "Dashboard").values
    wrong = _wrong(rows, _figures(orders, targets, facts), slice(0, 7))
    return finding(not wrong, f"after {len(changes)} corrections: {'; '.join(wrong[:3]) or 'all follow'}")


def _first_target(rows: Rows) -> int:
    found = next((number for number, row in enumerate(rows) if row and to_date(row[0]) is not None), None)
    if found is None:
        raise InvalidArtifact("the sheet Targets has no months any more")
    return found


def _formats(submission: Submission, _facts: Facts) -> Finding:
    grid, wrong = _grid(submission, "Dashboard"), []
    for row in range(4, 11):
        codes = {letter: grid.look(f"{letter}{row}").number_format for letter in "ABCDEFGH"}
        wrong += [f"{x}{row} {codes[x]}" for x in "BCDEFG" if not re.search("#,##[0#]", codes[x]) or "0.0" in codes[x]]
        wrong += [f"H{row} {codes['H']}"] if "%" not in codes["H"] else []
        if row < 10 and not re.search(r"mmm\W+yyyy", codes["A"].casefold()):
            wrong.append(f"A{row} {codes['A']}")
    return finding(not wrong, f"other number formats: {', '.join(wrong[:6])}" if wrong else "as asked")


def _rules(submission: Submission, _facts: Facts) -> Finding:
    """Which fill each share would get, by the rules as the file has them, at and around both limits."""
    rules = [rule for rule in _grid(submission, "Dashboard").rules if rule.fill in (RED, GREEN)]
    wrong = []
    for row in range(4, 11):
        here = [rule for rule in rules if _covers(rule.cells, row)]
        for share, wanted in ((0.5, RED), (0.8999, RED), (0.9, ""), (0.9999, ""), (1.0, GREEN), (1.3, GREEN)):
            fills = {rule.fill for rule in here if _holds(rule, row, share)}
            if fills != ({wanted} if wanted else set()):
                wrong.append(f"H{row} at {share:.2%} is {fills or 'plain'}")
    said = [f"{rule.cells} {rule.operator} {rule.formulas} {rule.fill}" for rule in rules]
    return finding(not wrong, f"{'; '.join(wrong[:4]) or 'as asked'}: {said[:4]}")


def _covers(cells: str, row: int) -> bool:
    return any(left <= 8 <= right and top <= row <= bottom for left, top, right, bottom in map(_bounds, cells.split()))


def _bounds(part: str) -> tuple[int, int, int, int]:
    from openpyxl.utils.cell import range_boundaries

    left, top, right, bottom = range_boundaries(part)
    return left, top, right, bottom


def _holds(rule: Rule, row: int, share: float) -> bool:
    """Whether a rule of a number, or of a formula such as ``$H4<0.9``, meets this share in a row."""
    if rule.kind == "expression":
        return _is_true(rule, row, share)
    limits = [_number(formula) for formula in rule.formulas]
    signs = {"lessThan": "<", "lessThanOrEqual": "<=", "greaterThan": ">", "greaterThanOrEqual": ">="}
    if rule.operator == "between":
        return len(limits) == 2 and limits[0] <= share <= limits[1]
    return rule.operator in signs and _compares(signs[rule.operator], share, limits[0])


def _is_true(rule: Rule, row: int, share: float) -> bool:
    """The formula of a rule as it stands for a row, tried where no other row would be coloured."""
    from openpyxl.utils import get_column_letter

    left, top, _, _ = _bounds(rule.cells.split()[0])
    formula = f"={rule.formulas[0].lstrip('=')}"
    here = move_formula(formula, f"{get_column_letter(left)}{top}", f"H{row}")
    cells: dict[tuple[int, int], float] = {}
    for other in range(4, 11):
        attained = share if other == row else 0.95
        cells |= {(other, 6): attained * 1000, (other, 7): 1000.0, (other, 8): attained}
    return compute_formula_over(cells, here, (row, 8)) is True


def _number(text: str) -> float:
    try:
        return float(text.strip("=% ")) / (100 if "%" in text else 1)
    except ValueError:
        return float("nan")


def _compares(sign: str, share: float, limit: float) -> bool:
    return {"<": share < limit, "<=": share <= limit, ">": share > limit, ">=": share >= limit}[sign]


def _chart(submission: Submission, _facts: Facts) -> Finding:
    charts = _grid(submission, "Dashboard").charts
    found = [candidate for candidate in charts if fold(candidate.title) == fold(CHART)]
    if len(found) != 1 or len(charts) != 1:
        return finding(holds=False, evidence=f"{len(charts)} charts: {[candidate.title for candidate in charts]}")
    chart = found[0]
    values = sorted(re.sub(r"[$']", "", series.values_at) for series in chart.series)
    months = {re.sub(r"[$']", "", series.categories_at) for series in chart.series}
    holds = values == ["Dashboard!F4:F9", "Dashboard!G4:G9"] and months == {"Dashboard!A4:A9"} and chart.legend
    kinds = chart.kind in ("bar", "bar+line", "line+bar") and "tacked" not in chart.grouping
    says = f"{chart.kind} {chart.grouping} of {values} over {months}, legend {chart.legend}"
    return finding(holds and kinds and _named(chart), f"{says}, named {_named(chart)}")


def _named(chart: Chart) -> bool:
    """Whether the legend says which series is the total and which the target."""
    for series in chart.series:
        column = "FG"["!$G" in series.values_at or "!G" in series.values_at]
        at = re.sub(r"[$']", "", series.name_at) == f"Dashboard!{column}3"
        if not at and fold(series.name) != {"F": "total", "G": "target"}[column]:
            return False
    return True


def _page(submission: Submission) -> Page:
    """The page with the title of the dashboard."""
    pages = [page for page in render_pages(submission, FILE).pages if fold(TITLE) in fold(page.text)]
    if not pages:
        raise InvalidArtifact(f"no printed page of {FILE} says {TITLE!r}")
    return pages[0]


def _on_one_page(submission: Submission, _facts: Facts) -> Finding:
    page = _page(submission)
    lacking = [text for text in ("Month", "Attainment", CHART) if fold(text) not in fold(page.text)]
    cut = find_cut_cells(render_pages(submission, FILE))
    a4 = abs(page.width - 841.9) < 3 and abs(page.height - 595.3) < 3
    return finding(a4 and not lacking and not cut, f"A4 landscape {a4}; lacks {lacking}; number signs {cut[:4]}")


def _uncovered(submission: Submission, facts: Facts) -> Finding:
    """Each amount of the table and the chart's title can be seen on the page."""
    if len(_grid(submission, "Dashboard").charts) != 1:
        return finding(holds=False, evidence="there is not exactly one chart on Dashboard")
    page = _page(submission)
    picture = draw_printed(submission, FILE, page.number, SCALE)
    seen = {re.sub(r"[^\d]", "", word.text) for word in page.words if is_legible(picture, word.box, SCALE)}
    figures = _figures(facts["orders"], facts["targets"], facts)
    hidden = [f"{value:,.0f}" for row in figures for value in row[:6] if f"{value:.0f}" not in seen]
    hidden += [text for text in (TITLE, CHART) if not any(is_legible(picture, box, SCALE) for box in page.find(text))]
    return finding(not hidden, f"not to be seen: {hidden[:8]}" if hidden else "the table and the title can be seen")


def _kept(submission: Submission, _facts: Facts) -> Finding:
    own = [pattern for name in ("Pivot", "Dashboard") for pattern in (f"*#{name}!*", f"sheet#{name}")]
    return kept_outside(submission, FILE, *own, "names#*")


PIVOT = (f"cells:{FILE}#Pivot!*", f"rows:{FILE}#Pivot", f"sheet:{FILE}#Pivot")
TABLE = (f"cells:{FILE}#Dashboard!*", f"rows:{FILE}#Dashboard", f"sheet:{FILE}#Dashboard")
GIVEN = tuple(
    f"{kind}:{FILE}#{name}*"
    for kind in ("cells", "rows", "sheet", "formats", "looks", "visibility")
    for name in ("Orders", "Targets")
)
CHARTS = (f"charts:{FILE}#Dashboard",)

CHECKS = group(
    "pivot_dashboard",
    "The orders are summed up in a pivot table and on a dashboard",
    group(
        "pivot",
        "Pivot holds the pivot table",
        leaf("fields", "Its name and fields are those asked for", _fields, observes=(f"sheet:{FILE}#Pivot",)),
        leaf("source", "It takes all orders but the cancelled ones", _source, observes=(f"sheet:{FILE}#Pivot",)),
        leaf("pivot_cells", "Its cells show its figures", _pivot_cells, observes=(*PIVOT, f"visibility:{FILE}#Pivot")),
        weight=3,
    ),
    group(
        "table",
        "The dashboard has its table",
        leaf(
            "laid_out",
            "Title, headers and months are where they were requested",
            _laid_out,
            observes=(*TABLE, f"formats:{FILE}#Dashboard!A*", f"visibility:{FILE}#Dashboard"),
            kind="format",
        ),
        leaf("amounts", "The amounts by month and region are right", _amounts, observes=TABLE, weight=2),
        leaf("attainments", "Targets and attainments are right", _attainments, observes=TABLE),
        leaf("live", "All figures follow", _live, observes=(*TABLE, f"formulas:{FILE}#Dashboard!*"), weight=2),
        leaf(
            "formats",
            "Numbers are shown as asked",
            _formats,
            observes=(f"formats:{FILE}#Dashboard!*", f"looks:{FILE}#Dashboard"),
            kind="format",
        ),
        leaf("rules", "Attainments are coloured by the rules", _rules, observes=(f"rules:{FILE}#Dashboard",)),
        weight=4,
    ),
    group(
        "chart",
        "The dashboard has its chart and its page",
        leaf("drawn", "The chart shows total and target by month", _chart, observes=CHARTS, weight=2),
        leaf("on_one_page", "All is on one page without number signs", _on_one_page, observes=CHARTS),
        leaf("uncovered", "The chart covers nothing of the table", _uncovered, observes=CHARTS),
        leaves.looked("The agent looked at the page", FILE),
        weight=3,
    ),
    leaves.answer_number("The answer counts the months below 90 %", lambda facts: facts["below"]),
    leaf("kept", "The rest of the workbook is as it was", _kept, observes=GIVEN, kind="guardrail"),
    leaves.nothing_else(FILE, id="others", says="No other file was touched"),
)
