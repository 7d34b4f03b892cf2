"""Solutions and near misses of quickstart/production_plan."""

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.misses.edits import make_miss
from yardkit.evaluators.proof import Agent, Miss, Solved, caught_by_leaf
from yardkit.evaluators.solving.solver import read_full_sheet

LETTERS = "abcdefgh"
EVERY_PLAN = """
import itertools, json
margins, least, most, rows, limits = {given}
plans = itertools.product(*(range(low, high + 1) for low, high in zip(least, most)))
fits = [p for p in plans if all(sum(c * e for c, e in zip(p, row)) <= limit for row, limit in zip(rows, limits))]
value = lambda plan: sum(c * m for c, m in zip(plan, margins))
top = max(map(value, fits))
print(json.dumps([plan for plan in fits if value(plan) == top][-1]))
"""


@dataclass
class Plant:
    """What the workbook and the newest memo say; hours and kilograms per unit by row."""

    products: list[str]
    margins: list[float]
    rows: list[list[float]]
    limits: list[float]
    machines: list[str]
    least: list[int]
    most: list[int]


def solve(agent: Agent) -> str:
    """Read workbook and memo, optimise over whole numbers, write formulas."""
    plant = _read_plant(agent)
    plan = _optimize_plan(agent, plant)
    return _deliver_plan(agent, plant, plan)


def alternative_another_best_plan_in_values(agent: Agent, files: Path) -> str:
    """The last of all best plans, plain values, percentages as text, machines in another order, a longer answer."""
    import openpyxl

    plant = _read_plant(agent)
    plan = _last_best(agent, plant)
    _deliver_plan(agent, plant, plan)
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "plan"
    margins = [count * margin for count, margin in zip(plan, plant.margins, strict=True)]
    rows = [*zip(plant.products, plan, margins, strict=True), ("TOTAL", sum(plan), sum(margins))]
    for row in [("Production plan",), ("Product", "Units", "Margin", "Note"), *rows]:
        sheet.append(row)
    loads = book.create_sheet("Machines")
    loads.append(["Utilisation", "Machine", "Hours used", "Hours available"])
    for index in reversed(range(len(plant.machines))):
        used = _dot_product(plan, plant.rows[index])
        loads.append([f"{used / plant.limits[index]:.1%}", plant.machines[index], used, plant.limits[index]])
    book.save(files / "plan.xlsx")
    return f"The best margin is\n\n**{sum(margins):,.2f} EUR**"


def alternative_with_a_chart_of_code(agent: Agent, files: Path) -> str:
    """Matplotlib with grid lines over the bars and large letters; emphasis in the memo."""
    plant = _read_plant(agent)
    plan = _optimize_plan(agent, plant)
    answer = _deliver_plan(agent, plant, plan)
    data = (plant.products, plan, _find_color(agent))
    code = (
        f"import matplotlib.pyplot as plt\nnames, units, color = {data!r}\nplt.rc('font', size=17)\n"
        "plt.figure(figsize=(9, 6))\nplt.bar(names, units, color=color, edgecolor='black')\nplt.grid()\n"
        "plt.ylim(0, 30)\nplt.title('Plan')\n"
    )
    agent.call("run_plot_code", code=code, target="plan.png")
    memo = (files / "memo.md").read_text("utf-8")
    (files / "memo.md").write_text(re.sub(r"(?m)^(\w+ ?\w*): (.*)$", r"\n**\1:** \2.", memo), "utf-8")
    return answer


def _plan_rewritten(change: Callable[[Solved], list[Any]], caught_by: str | tuple[str, ...]) -> Miss:
    """There is another plan, whose other figures are right."""

    def corrupt_world(work: Solved) -> None:
        plan = change(work)
        with open_edited(work.files / "plan.xlsx") as book:
            for row, count in enumerate(plan, 2):
                book["Plan"][f"B{row}"].value = count
            for row, quarters in enumerate(work.facts["quarters"], 2):
                book["Machines"][f"B{row}"].value = _dot_product(plan, quarters) / 4
        work.answer = str(_dot_product(plan, work.facts["margins"]))
        memo = work.files / "memo.md"
        memo.write_text(re.sub(r"margin: \d+", f"margin: {work.answer}", memo.read_text("utf-8")), "utf-8")

    return make_miss(caught_by, corrupt_world)


def _write_column(sheet: Any, letter: str, values: Iterable[float]) -> None:
    for row, value in enumerate(values, 2):
        sheet[f"{letter}{row}"].value = value


in_memo = partial(misses.text_changed, "memo.md")
near_miss_next_best_plan = _plan_rewritten(
    lambda work: [work.facts["plans"][0][0] - 1, *work.facts["plans"][0][1:]], caught_by=("best", "answer")
)
near_miss_one_unit_too_many = _plan_rewritten(
    lambda work: [count + 1 for count in work.facts["plans"][0]], caught_by="allowed"
)
near_miss_memo_not_read = _plan_rewritten(lambda work: list(work.facts["old_plan"]), caught_by="best")
near_miss_halves_of_units = _plan_rewritten(
    lambda work: [count + 0.5 for count in work.facts["plans"][0]], caught_by="best"
)
near_miss_margin_per_unit_instead_of_product = misses.InSheet("plan.xlsx", "Plan").edit_sheet(
    lambda sheet, work: _write_column(sheet, "C", work.facts["margins"]), caught_by="margins"
)
near_miss_hours_before_the_repair = misses.InSheet("plan.xlsx", "Machines").edit_sheet(
    lambda sheet, work: _write_column(sheet, "C", [hours / 4 + 5 for hours in work.facts["available"]]),
    caught_by="machines",
)
near_miss_every_machine_named_as_bottleneck = in_memo(
    lambda text, work: re.sub(r"Bottleneck: .*", f"Bottleneck: {', '.join(work.facts['machines'])}", text),
    caught_by="memo_bottleneck",
)
near_miss_margin_of_the_memo_off_by_one_unit = in_memo(
    lambda text, work: re.sub(r"margin: \d+", f"margin: {work.facts['best'] - work.facts['margins'][0]}", text),
    caught_by="memo_margin",
)


@caught_by_leaf("chart")
def near_miss_chart_in_another_order(work: Solved) -> None:
    """Bars sorted by size, not as in the sheet."""
    units = work.facts["plans"][0]
    _draw_chart(work, sorted(units) if units != sorted(units) else units[::-1])


@caught_by_leaf("chart")
def near_miss_chart_with_a_cut_axis(work: Solved) -> None:
    """The axis does not start at zero."""
    _draw_chart(work, work.facts["plans"][0], floor=1)


def _read_plant(agent: Agent) -> Plant:
    sheets = {name: _read_cells(agent, name) for name in ("Products", "Machines", "Material", "Contracts")}
    products = [row[0] for row in sheets["Products"]]
    machines = [row[0] for row in sheets["Machines"]]
    plant = Plant(
        products=products,
        margins=[row[1] for row in sheets["Products"]],
        rows=[[row[2 + index] for row in sheets["Products"]] for index in range(len(machines) + 1)],
        limits=[row[1] for row in sheets["Machines"]] + [sheets["Material"][0][1]],
        machines=machines,
        least=[0] * len(products),
        most=[100] * len(products),
    )
    memo = _newest_memo(agent)
    for customer, product, count in sheets["Contracts"]:
        plant.least[products.index(product)] = 0 if f"{customer} has cancelled" in memo else count
    for machine, hours in re.findall(r"The (\w+) is in repair: (\d+) hours", memo):
        plant.limits[machines.index(machine)] -= int(hours)
    for count, product in re.findall(r"at most (\d+) units of (\w+)", memo):
        plant.most[products.index(product)] = int(count)
    return plant


def _read_cells(agent: Agent, sheet: str) -> list[list[Any]]:
    return read_full_sheet(agent, "planning.xlsx", sheet)[1:]


def _newest_memo(agent: Agent) -> str:
    week = re.findall(r"week \d+", agent.prompt)[0]
    memo_entries = agent.call("find_files", pattern="*.txt", path="memos")["entries"]
    texts = [agent.call("read_file", path=entry["path"])["content"] for entry in memo_entries]
    about = [text for text in texts if f"Subject: {week}\n" in text]
    return str(max(about, key=lambda text: re.findall(r"Date: (\S+)", text)[0]))


def _optimize_plan(agent: Agent, plant: Plant) -> list[int]:
    letters = LETTERS[: len(plant.products)]
    bounds = zip(letters, plant.least, plant.most, strict=True)
    limits = zip(plant.rows, plant.limits, strict=True)
    best = agent.call(
        "optimize_function",
        objective=_build_sum(plant.margins, letters),
        variables=[{"name": name, "lower": low, "upper": high, "integer": True} for name, low, high in bounds],
        constraints=[f"{_build_sum(row, letters)} <= {limit}" for row, limit in limits],
        goal="maximize",
    )
    return [round(best["point"][letter]) for letter in letters]


def _build_sum(factors: list[float], letters: str) -> str:
    return " + ".join(f"{factor}*{letter}" for factor, letter in zip(factors, letters, strict=True))


def _last_best(agent: Agent, plant: Plant) -> list[int]:
    most = [min(count, 30) for count in plant.most]
    given = (plant.margins, plant.least, most, plant.rows, plant.limits)
    printed = agent.call("run_solver_code", code=EVERY_PLAN.format(given=given))["output"]
    return [int(count) for count in json.loads(printed)]


def _deliver_plan(agent: Agent, plant: Plant, plan: list[int]) -> str:
    margin, used = _dot_product(plan, plant.margins), [_dot_product(plan, row) for row in plant.rows[:-1]]
    last = len(plan) + 1
    rows: list[list[Any]] = [["product", "units", "margin"]]
    rows += [[*pair, f"=B{number}*{value}"] for number, (pair, value) in enumerate(_pair_units(plant, plan), 2)]
    rows.append(["Total", f"=SUM(B2:B{last})", f"=SUM(C2:C{last})"])
    agent.call("write_cells", path="plan.xlsx", sheet="Plan", rows=rows)
    loads = [[name, *hours] for name, *hours in zip(plant.machines, used, plant.limits, strict=False)]
    table = [[*load, f"=B{number}/C{number}"] for number, load in enumerate(loads, 2)]
    head = ["machine", "hours used", "hours available", "utilisation"]
    agent.call("write_cells", path="plan.xlsx", sheet="Machines", rows=[head, *table])
    series = [{"values": plan, "name": "units", "color": _find_color(agent)}]
    agent.call("plot_series", kind="bar", target="plan.png", x=plant.products, series=series, title="Units")
    shares = [
        float(agent.call("evaluate_expression", expression=f"{part} / {hours}")["value"]) for _, part, hours in loads
    ]
    bottleneck = plant.machines[shares.index(max(shares))]
    text = f"The plan below makes the most of the week.\n\nBest margin: {margin:.0f} EUR\nBottleneck: {bottleneck}\n"
    agent.call("write_file", path="memo.md", content=text)
    return f"The plan is in plan.xlsx.\n\n{margin:.0f}"


def _pair_units(plant: Plant, plan: list[int]) -> list[tuple[tuple[str, int], float]]:
    return list(zip(zip(plant.products, plan, strict=True), plant.margins, strict=True))


def _dot_product(plan: list[int], row: list[float]) -> float:
    return sum(count * factor for count, factor in zip(plan, row, strict=True))


def _find_color(agent: Agent) -> str:
    return str(re.findall(r"#[0-9a-f]{6}", agent.prompt)[0])


def _draw_chart(work: Solved, units: list[int], floor: float = 0) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), dpi=150)
    axes = figure.subplots()
    axes.bar(work.facts["products"], units, color=work.facts["color"])
    axes.set_ylim(bottom=floor)
    figure.savefig(work.files / "plan.png")
