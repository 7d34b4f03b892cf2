"""Any plan is accepted that obeys every limit and reaches the best margin; the other figures must be of that plan."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import read_number, simplify_text
from yardkit.evaluators.readers.files import read_text
from yardkit.evaluators.readers.pages import chart_bars, pictures
from yardkit.evaluators.readers.tables import find_records, is_near, read_sheets, to_decimal
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.quickstart.production_plan import ProductionPlanFacts as Facts

PLAN = ("product", "units", "margin")
MACHINES = ("machine", "hours used", "hours available", "utilisation")
Rows = list[dict[str, object]]


def _read_rows(submission: Submission, sheet: str, columns: tuple[str, ...]) -> Rows:
    sheets = {simplify_text(name): table for name, table in read_sheets(submission, "plan.xlsx").items()}
    if simplify_text(sheet) not in sheets:
        raise InvalidArtifact(f"plan.xlsx has no sheet {sheet!r}, only {', '.join(sheets)}")
    return find_records(sheets[simplify_text(sheet)].values, columns, f"sheet {sheet!r}")


def _read_plan(submission: Submission, facts: Facts) -> list[int]:
    """The units of each product.

    Raises:
        InvalidArtifact: other products, another order, no whole numbers.
    """
    rows = _read_rows(submission, "Plan", PLAN)[: len(facts["products"])]
    if [simplify_text(str(row["product"])) for row in rows] != [*map(simplify_text, facts["products"])]:
        raise InvalidArtifact(f"the rows of Plan are not {facts['products']}: {rows}")
    units = [to_decimal(row["units"]) for row in rows]
    if any(count is None or count < 0 or count != int(count) for count in units):
        raise InvalidArtifact(f"units must be whole numbers, not {[row['units'] for row in rows]}")
    return [int(count) for count in units if count is not None]


def _compute_usage(plan: list[int], facts: Facts) -> list[int]:
    """Quarters of hours on each machine."""
    return [_dot_product(plan, row) for row in facts["quarters"]]


def _dot_product(plan: list[int], row: list[int]) -> int:
    return sum(count * factor for count, factor in zip(plan, row, strict=True))


def _list_broken_limits(plan: list[int], facts: Facts) -> list[str]:
    """The limits that a plan breaks."""
    named = zip(facts["machines"], _compute_usage(plan, facts), facts["available"], strict=True)
    broken_limits = [f"{name}: {used / 4} h of {hours / 4}" for name, used, hours in named if used > hours]
    if _dot_product(plan, facts["kilograms"]) > facts["stock"]:
        broken_limits.append(f"steel: {_dot_product(plan, facts['kilograms'])} kg of {facts['stock']}")
    for product, count, low, high in zip(facts["products"], plan, facts["least"], facts["most"], strict=True):
        if not low <= count <= high:
            broken_limits.append(f"{product}: {count} units, {low} to {high} are allowed")
    return broken_limits


def _check_limits(submission: Submission, facts: Facts) -> Finding:
    plan = _read_plan(submission, facts)
    broken = _list_broken_limits(plan, facts)
    return make_finding(not broken, f"{plan} breaks {'; '.join(broken)}" if broken else f"{plan} obeys every limit")


def _check_best(submission: Submission, facts: Facts) -> Finding:
    plan = _read_plan(submission, facts)
    margin = _dot_product(plan, facts["margins"])
    good = margin == facts["best"] and not _list_broken_limits(plan, facts)
    return make_finding(good, f"{plan} gives {margin}, the best is {facts['best']}")


def _check_margins(submission: Submission, facts: Facts) -> Finding:
    plan, rows = _read_plan(submission, facts), _read_rows(submission, "Plan", PLAN)
    expected_margins = [count * margin for count, margin in zip(plan, facts["margins"], strict=True)]
    good = all(is_near(row["margin"], margin) for row, margin in zip(rows, expected_margins, strict=False))
    return make_finding(good, f"margins {[row['margin'] for row in rows]}, expected {expected_margins} and a total")


def _check_total(submission: Submission, facts: Facts) -> Finding:
    plan, (*rows, last) = _read_plan(submission, facts), _read_rows(submission, "Plan", PLAN)
    named = len(rows) == len(plan) and simplify_text(str(last["product"])) == "total"
    good = named and is_near(last["units"], sum(plan)) and is_near(last["margin"], _dot_product(plan, facts["margins"]))
    return make_finding(good, f"last row {last}, expected Total, {sum(plan)}, {_dot_product(plan, facts['margins'])}")


def _check_machines(submission: Submission, facts: Facts) -> Finding:
    plan, rows = _read_plan(submission, facts), _read_rows(submission, "Machines", MACHINES)
    machine_rows = {simplify_text(str(row["machine"])): row for row in rows}
    expected_hours = {
        simplify_text(name): (used / 4, hours / 4)
        for name, used, hours in zip(facts["machines"], _compute_usage(plan, facts), facts["available"], strict=True)
    }
    good = len(rows) == len(expected_hours) and machine_rows.keys() == expected_hours.keys()
    good = good and all(_is_load(machine_rows[name], *hours) for name, hours in expected_hours.items())
    return make_finding(good, f"found {rows}, expected used and available hours {expected_hours}")


def _is_load(row: dict[str, object], used: float, available: float) -> bool:
    """A percentage is accepted with its sign, or as a number of up to 100."""
    hours = is_near(row["hours used"], used, 0.01) and is_near(row["hours available"], available, 0.01)
    load, ratio = row["utilisation"], used / available
    percent = is_near(load, 100 * ratio, 0.51)
    return hours and (percent or ("%" not in str(load) and is_near(load, ratio, 0.0051)))


def _check_chart(submission: Submission, facts: Facts) -> Finding:
    plan = _read_plan(submission, facts)
    bars = chart_bars.find_bars(pictures.read_picture(submission, "plan.png"), [facts["color"]], horizontal=False)
    proportional = chart_bars.are_proportional(bars.lengths, [count for count in plan if count])
    return make_finding(proportional, f"bars of {bars.lengths} px for {plan} units")


def _read_stated(submission: Submission, label: str) -> str:
    stated_values = re.findall(rf"^[\W_]*{label}[\W_]*(\w.*?)[\s*_`.]*$", read_text(submission, "memo.md"), re.M | re.I)
    if len(stated_values) != 1:
        raise InvalidArtifact(f"memo.md has {len(stated_values)} lines '{label}: ...', expected one")
    return str(stated_values[0])


def _memo_margin(submission: Submission, facts: Facts) -> Finding:
    stated = _read_stated(submission, "Best margin")
    return make_finding(
        read_number(stated) == facts["best"], f"the memo states {stated!r}, the best is {facts['best']}"
    )


def _memo_bottleneck(submission: Submission, facts: Facts) -> Finding:
    stated = simplify_text(_read_stated(submission, "Bottleneck"))
    used = _compute_usage(_read_plan(submission, facts), facts)
    loads = {name: part / hours for name, part, hours in zip(facts["machines"], used, facts["available"], strict=True)}
    named = [name for name in loads if re.search(rf"\b{simplify_text(name)}\b", stated)]
    bottleneck = max(loads, key=lambda name: loads[name])
    return make_finding(named == [bottleneck], f"the memo states {stated!r}; utilisation {loads}")


def _check_sentence(submission: Submission, _facts: Facts) -> Finding:
    lines = [line for line in read_text(submission, "memo.md").splitlines() if line.strip()]
    first = lines[0] if lines else ""
    good = len(lines) == 3 and len(first.split()) >= 4 and ":" not in first[:15]
    return make_finding(good, f"{len(lines)} lines, the first is {first[:100]!r}")


UNITS = ("cells:plan.xlsx#Plan!*", "rows:plan.xlsx#Plan", "sheet:plan.xlsx#Plan")
LOADS = ("cells:plan.xlsx#Machines!*", "rows:plan.xlsx#Machines", "sheet:plan.xlsx#Machines", *UNITS[2:])
MEMO = ("text:memo.md",)

CHECKS = make_group(
    "production_plan",
    "The best plan is found and documented",
    leaves.answer_number("The best margin is stated", lambda facts: facts["best"], 0.005, weight=2),
    make_group(
        "plan",
        "The plan is the best that the limits allow",
        make_checkpoint(
            "allowed", "It obeys machines, steel, contracts and sales", _check_limits, covers=UNITS, weight=2
        ),
        make_checkpoint("best", "No allowed plan has a larger margin", _check_best, covers=UNITS, weight=3),
        make_checkpoint("margins", "The margin of each product is that of its units", _check_margins, covers=UNITS),
        make_checkpoint("total", "The last row has the totals", _check_total, covers=UNITS),
        weight=4,
    ),
    make_checkpoint(
        "machines", "The load of each machine is that of the plan", _check_machines, covers=LOADS, weight=2
    ),
    make_checkpoint("chart", "The chart shows the units of the plan", _check_chart, covers=("image:plan.png",)),
    make_group(
        "memo",
        "The memo is short and right",
        make_checkpoint("memo_margin", "It names the best margin", _memo_margin, covers=MEMO),
        make_checkpoint("memo_bottleneck", "It names the bottleneck", _memo_bottleneck, covers=MEMO),
        make_checkpoint(
            "memo_form", "A sentence and two lines", _check_sentence, covers=MEMO, kind="format", weight=0.5
        ),
    ),
    leaves.nothing_else("plan.xlsx", "plan.png", "memo.md"),
)
