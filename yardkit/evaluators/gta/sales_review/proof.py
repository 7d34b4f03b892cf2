"""Solutions and near misses of gta/sales_review."""

import re
from functools import partial
from pathlib import Path
from typing import Any

from yardkit.benchmarks.gta.solving.workflow import (
    add_up,
    calculate_number,
    draw_bars,
    markdown_table,
    read_sheet,
    write_table,
)
from yardkit.evaluators import misses
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

BOOK, REPORT, LIST = "orders_h1.xlsx", "generated/review.pdf", "generated/left_out.csv"
NAMES = ("January", "February", "March", "April", "May", "June")
PAPER = """# Orders of the first half of 2026, in euros

## Amount by month

{{{{image_1}}}}

{months}
## Amount by region

`Reached` is the amount in percent of the target.

{regions}
## Findings

- {best} had the highest amount: {best_amount:,.2f}.
- {worst} reached least of its target and missed it by {missed:,.2f}.
- {most} had the highest amount of all products: {share} % of the total.
"""
Line = dict[str, str]


def solve(agent: Agent) -> str:
    """Keep the last line of each order, leave out what is cancelled or a test, add up, draw, write."""
    lines = read_sheet(agent, BOOK, "Orders")
    last = {line["Order"]: line for line in sorted(lines, key=lambda line: line["Entered"])}
    left_out = [
        [line["Order"], f"{float(line['Amount']):.2f}", why] for line in lines if (why := _format_reason(line, last))
    ]
    picture, paper = _worked_out(agent, [line for line in lines if not _format_reason(line, last)])
    agent.text("PdfFileGenerator", filename="review", content=paper, image_paths=picture)
    write_table(agent, "CsvFileGenerator", "left_out", [["Order", "Amount", "Reason"], *left_out])
    return picture


def alternative_by_another_program_and_the_list_backwards(agent: Agent, files: Path) -> str:
    """The letters of the report set anew; another order of the list, with semicolons."""
    answer = solve(agent)
    misses.reset_pdf(files / REPORT)
    head, *rows = (files / LIST).read_text("utf-8").replace(",", ";").splitlines()
    (files / LIST).write_text("\n".join([head, *reversed(rows)]), "utf-8-sig")
    return f"The chart:\n**{answer}**"


def alternative_a_chart_of_fewer_colours(agent: Agent, files: Path) -> str:
    """Without separators of thousands in the report; the picture is of 64 colours."""
    import PIL.Image

    answer = solve(agent)
    misses.reset_pdf(files / REPORT, lambda text: re.sub(r"(\d),(\d{3})(?=\.\d\d\.$)", r"\1\2", text))
    with PIL.Image.open(files / answer) as image:
        fewer = image.convert("RGB").quantize(64)
    fewer.save(files / answer)
    return answer


in_report, in_list = (partial(misses.text_changed, path) for path in (REPORT, LIST))
near_miss_month_called_otherwise = in_report(
    lambda text, _: re.sub(r"^• \w+ had", "• Every month had", text), caught_by="found"
)
near_miss_every_region_named = in_report(
    ("missed it", "missed it, as East, North, South and West did,"), caught_by="found"
)
near_miss_share_as_a_fraction = in_report(lambda text, _: re.sub(r"(\d\d)\.(\d) %", r"0.\1\2", text), caught_by="found")
near_miss_total_without_cents = in_report(
    lambda text, _: re.sub(r"^(Total .*)\.\d\d$", r"\1", text), caught_by="months"
)
near_miss_target_of_the_draft = in_report(
    lambda text, _: re.sub(r"^(East .*)00\.00", r"\g<1>50.00", text), caught_by="regions"
)
near_miss_markdown_left = in_report(("Findings", "## Findings"), caught_by=("titles", "neat"))
near_miss_corrections_not_listed = in_list(
    lambda text, _: re.sub(r".*doubled\n", "", text, count=1), caught_by="left_out"
)
near_miss_cancelled_called_doubled = in_list(("cancelled", "doubled"), caught_by="left_out")
near_miss_chart_named_wrongly = misses.change_answer(lambda _: "generated/chart_of_months.png")
near_miss_draft_deleted = misses.delete_file("targets_draft.csv")
on_chart = partial(misses.picture_changes, lambda work: work.answer)


@on_chart(caught_by=("best", "shown"))
def near_miss_all_months_in_one_colour(image: Any) -> Any:
    """The best month is not told from the others."""
    return image.point([0x1F + (n > 200) * (n - 0x1F) for n in range(256)] * 3)


@on_chart(caught_by="lengths")
def near_miss_axis_cut_off(image: Any) -> Any:
    """A strip of all bars is missing: the axis does not begin at zero."""
    wide, high = image.size
    image.paste(image.crop((0, 0, wide, high - 110)), (0, 50))
    return image


@on_chart(caught_by="lettered")
def near_miss_title_gone(image: Any) -> Any:
    """Nothing says what is shown."""
    image.paste("white", (0, 0, image.width, 40))
    return image


@caught_by_leaf("lengths", "lettered", "shown", "answer")
def near_miss_chart_gone(work: Solved) -> None:
    """No picture was left."""
    (work.files / work.answer).unlink()


def _format_reason(line: Line, last: dict[str, Line]) -> str:
    """Why a line does not count; empty if it does."""
    if line["Customer"] == "Test customer":
        return "test"
    if line is not last[line["Order"]]:
        return "doubled"
    return "cancelled" if line["Status"] == "cancelled" else ""


def _worked_out(agent: Agent, lines: list[Line]) -> tuple[str, str]:
    """The chart and the text of the report."""
    names = {line["Product"] for line in lines}
    targets = {row["Region"]: float(row["Target"]) for row in read_sheet(agent, BOOK, "Targets")}
    by_month = {name: [line for line in lines if NAMES[int(line["Ordered"][5:7]) - 1] == name] for name in NAMES}
    months = {name: _sum_amounts(agent, of) for name, of in by_month.items()}
    regions = {
        name: _sum_amounts(agent, [line for line in lines if line["Region"] == name]) for name in sorted(targets)
    }
    products = {
        name: _sum_amounts(agent, [line for line in lines if line["Product"] == name]) for name in sorted(names)
    }
    total = _sum_amounts(agent, lines)
    reached = {name: calculate_number(agent, f"round(100 * {regions[name]} / {targets[name]}, 1)") for name in regions}
    best, most = (max(amounts, key=lambda name: amounts[name]) for amounts in (months, products))
    worst = min(reached, key=lambda name: reached[name])
    by_region = [[name, regions[name], targets[name], f"{reached[name]:.1f}"] for name in regions]
    rows = [*([name, len(by_month[name]), months[name]] for name in NAMES), ["Total", len(lines), total]]
    colors = ["#E07B00" if name == best else "#1F4E79" for name in NAMES]
    picture = draw_bars(agent, "Amount by month, first half of 2026 (EUR)", months, colors)
    return picture, PAPER.format(
        months=markdown_table(("Month", "Orders", "Amount"), rows),
        regions=markdown_table(("Region", "Amount", "Target", "Reached"), by_region),
        best=best, best_amount=months[best], worst=worst, missed=targets[worst] - regions[worst], most=most,
        share=calculate_number(agent, f"round(100 * {products[most]} / {total}, 1)"),
    )  # fmt: skip


def _sum_amounts(agent: Agent, lines: list[Line]) -> float:
    return add_up(agent, (line["Amount"] for line in lines))
