"""Any plan is accepted that obeys every limit and reaches the best margin; the other figures must be of that plan."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.readers.answers import fold, read_number
from yardkit.evaluators.readers.files import read_text
from yardkit.evaluators.readers.pages import chart_bars, pictures
from yardkit.evaluators.readers.tables import find_records, near, read_sheets, to_decimal
from yardkit.evaluators.submission import Submission

PLAN = ("product", "units", "margin")
MACHINES = ("machine", "hours used", "hours available", "utilisation")
Rows = list[dict[str, object]]


def _rows(submission: Submission, sheet: str, columns: tuple[str, ...]) -> Rows:
    sheets = {fold(name): table for name, table in read_sheets(submission, "plan.xlsx").items()}
    if fold(sheet) not in sheets:
        raise InvalidArtifact(f"plan.xlsx has no sheet {sheet!r}, only {', '.join(sheets)}")
    return find_records(sheets[fold(sheet)].values, columns, f"sheet {sheet!r}")


def _plan(submission: Submission, facts: Facts) -> list[int]:
    """The units of each product.

    Raises:
        InvalidArtifact: other products, another order, no whole numbers.
    """
    rows = _rows(submission, "Plan", PLAN)[: len(facts["products"])]
    if [fold(str(row["product"])) for row in rows] != [fold(product) for product in facts["products"]]:
        raise InvalidArtifact(f"the rows of Plan are not {facts['products']}: {rows}")
    units = [to_decimal(row["units"]) for row in rows]
    if any(count is None or count < 0 or count != int(count) for count in units):
        raise InvalidArtifact(f"units must be whole numbers, not {[row['units'] for row in rows]}")
    return [int(count) for count in units if count is not None]


def _used(plan: list[int], facts: Facts) -> list[int]:
    """Quarters of hours on each machine."""
    return [_dot(plan, row) for row in facts["quarters"]]


def _dot(plan: list[int], row: list[int]) -> int:
    return sum(count * one for count, one in zip(plan, row, strict=True))


def _broken(plan: list[int], facts: Facts) -> list[str]:
    """The limits that a plan breaks."""
    named = zip(facts["machines"], _used(plan, facts), facts["available"], strict=True)
    found = [f"{name}: {used / 4} h of {hours / 4}" for name, used, hours in named if used > hours]
    if _dot(plan, facts["kilograms"]) > facts["stock"]:
        found.append(f"steel: {_dot(plan, facts['kilograms'])} kg of {facts['stock']}")
    for product, count, low, high in zip(facts["products"], plan, facts["least"], facts["most"], strict=True):
        if not low <= count <= high:
            found.append(f"{product}: {count} units, {low} to {high} are allowed")
    return found


def _allowed(submission: Submission, facts: Facts) -> Finding:
    plan = _plan(submission, facts)
    broken = _broken(plan, facts)
    return finding(not broken, f"{plan} breaks {'; '.join(broken)}" if broken else f"{plan} obeys every limit")


def _best(submission: Submission, facts: Facts) -> Finding:
    plan = _plan(submission, facts)
    margin = _dot(plan, facts["margins"])
    good = margin == facts["best"] and not _broken(plan, facts)
    return finding(good, f"{plan} gives {margin}, the best is {facts['best']}")


def _margins(submission: Submission, facts: Facts) -> Finding:
    plan, rows = _plan(submission, facts), _rows(submission, "Plan", PLAN)
    wanted = [count * margin for count, margin in zip(plan, facts["margins"], strict=True)]
    good = all(near(row["margin"], margin) for row, margin in zip(rows, wanted, strict=False))
    return finding(good, f"margins {[row['margin'] for row in rows]}, expected {wanted} and a total")


def _total(submission: Submission, facts: Facts) -> Finding:
    plan, (*rows, last) = _plan(submission, facts), _rows(submission, "Plan", PLAN)
    named = len(rows) == len(plan) and fold(str(last["product"])) == "total"
    good = named and near(last["units"], sum(plan)) and near(last["margin"], _dot(plan, facts["margins"]))
    return finding(good, f"last row {last}, expected Total, {sum(plan)}, {_dot(plan, facts['margins'])}")


def _machines(submission: Submission, facts: Facts) -> Finding:
    plan, rows = _plan(submission, facts), _rows(submission, "Machines", MACHINES)
    found = {fold(str(row["machine"])): row for row in rows}
    wanted = {
        fold(name): (used / 4, hours / 4)
        for name, used, hours in zip(facts["machines"], _used(plan, facts), facts["available"], strict=True)
    }
    good = len(rows) == len(wanted) and found.keys() == wanted.keys()
    good = good and all(_is_load(found[name], *hours) for name, hours in wanted.items())
    return finding(good, f"found {rows}, expected used and available hours {wanted}")


def _is_load(row: dict[str, object], used: float, available: float) -> bool:
    """A percentage is accepted with its sign, or as a number of up to 100."""
    hours = near(row["hours used"], used, 0.01) and near(row["hours available"], available, 0.01)
    load, ratio = row["utilisation"], used / available
    percent = near(load, 100 * ratio, 0.51)
    return hours and (percent or ("%" not in str(load) and near(load, ratio, 0.0051)))


def _chart(submission: Submission, facts: Facts) -> Finding:
    plan = _plan(submission, facts)
    bars = chart_bars.find_bars(pictures.read_picture(submission, "plan.png"), [facts["color"]], horizontal=False)
    shown = [count for count in plan if count]
    return finding(chart_bars.are_proportional(bars.lengths, shown), f"bars of {bars.lengths} px for {plan} units")


def _stated(submission: Submission, label: str) -> str:
    found = re.findall(rf"^[\W_]*{label}[\W_]*(\w.*?)[\s*_`.]*$", read_text(submission, "memo.md"), re.M | re.I)
    if len(found) != 1:
        raise InvalidArtifact(f"memo.md has {len(found)} lines '{label}: ...', expected one")
    return str(found[0])


def _memo_margin(submission: Submission, facts: Facts) -> Finding:
    stated = _stated(submission, "Best margin")
    return finding(read_number(stated) == facts["best"], f"the memo states {stated!r}, the best is {facts['best']}")


def _memo_bottleneck(submission: Submission, facts: Facts) -> Finding:
    stated, used = fold(_stated(submission, "Bottleneck")), _used(_plan(submission, facts), facts)
    loads = {name: part / hours for name, part, hours in zip(facts["machines"], used, facts["available"], strict=True)}
    wanted = max(loads, key=lambda name: loads[name])
    named = [name for name in loads if re.search(rf"\b{fold(name)}\b", stated)]
    return finding(named == [wanted], f"the memo states {stated!r}; utilisation {loads}")


def _sentence(submission: Submission, _facts: Facts) -> Finding:
    lines = [line for line in read_text(submission, "memo.md").splitlines() if line.strip()]
    first = lines[0] if lines else ""
    good = len(lines) == 3 and len(first.split()) >= 4 and ":" not in first[:15]
    return finding(good, f"{len(lines)} lines, the first is {first[:100]!r}")


def _answer(submission: Submission, facts: Facts) -> Finding:
    stated = read_number(submission.answer)
    return finding(near(stated, facts["best"]), f"{stated} was stated, the best margin is {facts['best']}")


UNITS = ("cells:plan.xlsx#Plan!*", "rows:plan.xlsx#Plan", "sheet:plan.xlsx#Plan")
LOADS = ("cells:plan.xlsx#Machines!*", "rows:plan.xlsx#Machines", "sheet:plan.xlsx#Machines")

CHECKS = group(
    "production_plan",
    "The best plan is found and documented",
    leaf("answer", "The best margin is stated", _answer, observes=("answer",), weight=2),
    group(
        "plan",
        "The plan is the best that the limits allow",
        leaf("allowed", "It obeys machines, steel, contracts and sales", _allowed, observes=UNITS, weight=2),
        leaf("best", "No allowed plan has a larger margin", _best, observes=UNITS, weight=3),
        leaf("margins", "The margin of each product is that of its units", _margins, observes=UNITS),
        leaf("total", "The last row has the totals", _total, observes=UNITS),
        weight=4,
    ),
    leaf(
        "machines", "The load of each machine is that of the plan", _machines, observes=(*LOADS, *UNITS[2:]), weight=2
    ),
    leaf("chart", "The chart shows the units of the plan", _chart, observes=("image:plan.png",)),
    group(
        "memo",
        "The memo is short and right",
        leaf("memo_margin", "It names the best margin", _memo_margin, observes=("text:memo.md",)),
        leaf("memo_bottleneck", "It names the bottleneck", _memo_bottleneck, observes=("text:memo.md",)),
        leaf("memo_form", "A sentence and two lines", _sentence, observes=("text:memo.md",), kind="format", weight=0.5),
    ),
    leaves.nothing_else("plan.xlsx", "plan.png", "memo.md"),
)
