"""Solutions and near misses of gta/season_plan."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.misses.lettering import type_face
from yardkit.evaluators.proof import Agent, Solved

PLAN = "plan_2026.pptx"
TITLES = ("Plan 2026", "What 2025 brought", "Budgets 2026", "The product")
CHART = """```python
def solution():
    names, costs = {names}, {costs}
    figure, axes = plt.subplots(figsize=(6, 4.5), dpi=120)
    axes.bar(names, costs, color="{color}", width=0.6)
    axes.set_ylabel("EUR per order")
    axes.set_ylim(0)
    return figure
```"""
Plan = Mapping[str, Any]


def solve(agent: Agent) -> str:
    """Rank the channels, share the money, draw the chart, write the slides."""
    plan = _read_plan(agent)
    code = CHART.format(names=list(plan["costs"]), costs=list(map(float, plan["costs"].values())), color=plan["color"])
    costs = [f"{name}: {cost} EUR" for name, cost in plan["costs"].items()]
    budgets = [f"{name}: {amount:,} EUR" for name, amount in plan["budgets"].items()]
    slides = (
        [plan["slogan"], *plan["audiences"]],
        [*costs, f"Spent in all: {plan['spent']:,} EUR", f"Orders in all: {plan['orders']:,}", "{{image_1}}"],
        [*budgets, f"Total: {sum(plan['budgets'].values()):,} EUR"],
        ["{{image_2}}"],
    )
    slide_contents = [
        {"title": title, "content": "\n".join(lines)} for title, lines in zip(TITLES, slides, strict=True)
    ]
    place = {"image_paths": f"{agent.text('Plot', command=code)}, product.jpg", "output_dir": "."}
    agent.text("PptxFileGenerator", filename=PLAN, slides_content_str=json.dumps(slide_contents), **place)
    return "The plan is in plan_2026.pptx."


def alternative_with_tables_by_another_program(agent: Agent, files: Path) -> str:
    """python-pptx writes tables instead of lines, with the chart beside, drawn by Pillow."""
    import pptx
    from pptx.util import Mm

    plan = _read_plan(agent)
    deck = pptx.Presentation()
    slides = [deck.slides.add_slide(deck.slide_layouts[5]) for _ in TITLES]
    for slide, title in zip(slides, TITLES, strict=True):
        slide.shapes.title.text = title
    box = slides[0].shapes.add_textbox(Mm(20), Mm(60), Mm(200), Mm(60))
    box.text_frame.text = "\n".join([plan["slogan"].upper(), *plan["audiences"]])
    _add_table(slides[1], [*plan["costs"].items(), ("All: EUR", plan["spent"]), ("All: orders", plan["orders"])])
    _draw_chart(plan).save(chart := io.BytesIO(), "PNG")
    slides[1].shapes.add_picture(chart, Mm(130), Mm(60), width=Mm(110))
    _add_table(slides[2], [*plan["budgets"].items(), ("Total", sum(plan["budgets"].values()))])
    slides[3].shapes.add_picture(str(files / "product.jpg"), Mm(30), Mm(60), height=Mm(110))
    deck.save(str(files / PLAN))
    return "Done."


def alternative_pictures_added_at_the_end(agent: Agent, files: Path) -> str:
    """The deck is opened and saved again, its chart larger than it was."""
    answer = solve(agent)
    with open_edited(files / PLAN) as deck:
        [picture] = [shape for shape in deck.slides[1].shapes if hasattr(shape, "image")]
        picture.width, picture.height = round(picture.width * 0.8), round(picture.height * 0.8)
    return answer


def _replace_line(caught_by: str, change: Callable[[Mapping[str, Any]], tuple[str, str]]) -> Any:
    """A text of the deck is replaced by another one, both by the facts."""
    return misses.text_changed(PLAN, lambda text, work: text.replace(*change(work.facts)), caught_by)


def _replace_chart(caught_by: str, **chart_changes: Any) -> Any:
    """Another chart on the second slide."""

    def change(_image: Any, work: Solved) -> Any:
        return _draw_chart({"costs": dict(work.facts["costs"]), "color": work.facts["color"]}, **chart_changes)

    return misses.slide_picture_changed(PLAN, 2, change, caught_by)


near_miss_old_slogan_as_well = _replace_line(
    "slogan", lambda facts: (facts["slogan"], f"{facts['slogan']} ({facts['old_slogan']})")
)
near_miss_row_counted_that_was_posted_twice = _replace_line(
    "costs", lambda facts: (facts["doubled"][0], facts["doubled"][1])
)
near_miss_sum_of_all_rows = _replace_line("sums", lambda facts: (f"{facts['spent']:,}", f"{facts['wrong_spent']:,}"))
near_miss_cheapest_keeps_its_budget = _replace_line(
    "shares", lambda facts: (f"{facts['kept'][1]:,}", f"{facts['kept'][0]:,}")
)
near_miss_total_of_last_year = _replace_line("total", lambda facts: (f"{facts['total']:,}", f"{facts['spent']:,}"))
near_miss_axis_cut_off = _replace_chart("columns", least=3.0)
near_miss_columns_without_names = _replace_chart("labelled", named=False)
near_miss_blank_slides = misses.slides_emptied(PLAN, caught_by=("inside", "whole"))
near_miss_photograph_cut = misses.slide_picture_changed(
    PLAN, 4, lambda image: image.crop((0, 0, 300, 200)), caught_by="product"
)


@misses.make_edit_decorator(PLAN, caught_by="whole")
def near_miss_chart_over_the_text(deck: Any) -> None:
    picture = next(shape for shape in deck.slides[1].shapes if hasattr(shape, "image"))
    picture.left = picture.left // 3


def _read_plan(agent: Agent) -> Plan:
    """Costs from the cheapest on, budgets by the rule, and what the old deck tells."""
    deck = agent.text("ReadPPTX", file="plan_2025.pptx")
    table = csv.DictReader(io.StringIO(agent.text("ReadCSV", csv_file="results_2025.csv")))
    spent, orders = Counter[str](), Counter[str]()
    for row in (row for row in table if not row["remark"]):
        spent[row["channel"]] += int(row["spent EUR"])
        orders[row["channel"]] += int(row["orders"])
    ranked = sorted(spent, key=lambda name: spent[name] / orders[name])
    grows, shrinks = (int(re.findall(rf"gets (\d+) % {word}", deck)[0]) for word in ("more", "less"))
    budgets = dict(spent)
    for name, percent in ((ranked[0], 100 + grows), (ranked[-1], 100 - shrinks)):
        budgets[name] = int(float(agent.text("Calculator", expression=f"floor({spent[name]} * {percent} / 100 + 0.5)")))
    listed = re.findall(r"^[-*•]\s*(.+)$", deck.partition("Whom we talk to")[2].partition("Slogan")[0], re.MULTILINE)
    return {
        "costs": {name: f"{Decimal(spent[name]) / orders[name]:.2f}" for name in ranked},
        "spent": sum(spent.values()), "orders": sum(orders.values()), "budgets": budgets,
        "slogan": re.findall(r"the slogan is: (.+?)\. The old", deck)[0],
        "audiences": listed, "color": re.findall(r"#[0-9A-F]{6}", deck)[0],
    }  # fmt: skip


def _add_table(slide: Any, rows: Sequence[tuple[str, Any]]) -> None:
    from pptx.util import Mm

    table = slide.shapes.add_table(len(rows), 2, Mm(15), Mm(60), Mm(100), Mm(10 * len(rows))).table
    for number, (name, value) in enumerate(rows):
        table.cell(number, 0).text, table.cell(number, 1).text = name, f"{value:,}" if isinstance(value, int) else value


def _draw_chart(plan: Plan, *, least: float = 0.0, named: bool = True) -> Any:
    """The chart by Pillow."""
    import PIL.Image
    import PIL.ImageDraw

    image = PIL.Image.new("RGB", (720, 540), "white")
    draw, costs = PIL.ImageDraw.Draw(image), list(plan["costs"].items())
    for place, (name, cost) in enumerate(costs):
        left = 90 + 160 * place
        draw.rectangle((left, 480 - (float(cost) - least) * 17, left + 100, 479), fill=plan["color"])
        draw.text((left + 50, 486), name * named, font=type_face("DejaVu Sans", 22), fill="black", anchor="ma")
    return image
