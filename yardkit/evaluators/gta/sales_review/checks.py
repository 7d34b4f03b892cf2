"""The chart is measured in pixels, the report read from its pages, the list from its rows."""

from collections.abc import Iterator
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Exact, ExpectedFinding, Number, Table, Text

REPORT = "generated/review.pdf"
TITLES = ("Amount by month", "Amount by region", "Findings")
MONTHS, REGIONS = ("Month", "Orders", "Amount"), ("Region", "Amount", "Target", "Reached")
LEFT_OUT = Table(
    "generated/left_out.csv",
    "",
    {"Order": Exact(), "Amount": Number(), "Reason": Text()},
    ("Order", "Amount", "Reason"),
    lambda facts: [dict(zip(("Order", "Amount", "Reason"), row, strict=True)) for row in facts["left_out"]],
)


def _mark_best(facts: Facts) -> list[int]:
    return [int(amount == max(facts["months"].values())) for amount in facts["months"].values()]


def _list_months(facts: Facts) -> list[list[Any]]:
    rows = [[month, facts["orders"][month], amount] for month, amount in facts["months"].items()]
    return [*rows, ["Total", sum(facts["orders"].values()), sum(facts["months"].values())]]


def _list_regions(facts: Facts) -> list[list[Any]]:
    targets = facts["targets"]
    return [[name, amount, targets[name], 100 * amount / targets[name]] for name, amount in facts["regions"].items()]


def _list_findings(facts: Facts) -> Iterator[ExpectedFinding]:
    months, regions, products, targets = (facts[key] for key in ("months", "regions", "products", "targets"))
    best, most = (max(amounts, key=amounts.get) for amounts in (months, products))
    worst = min(regions, key=lambda name: regions[name] / targets[name])
    yield ExpectedFinding(months, best, months[best])
    yield ExpectedFinding(regions, worst, targets[worst] - regions[worst])
    yield ExpectedFinding(products, most, 100 * products[most] / sum(products.values()), 0.051)


CHART = leaves.DrawnBars(("#1f4e79", "#e07b00"), lambda facts: [*facts["months"].values()], _mark_best)
CHECKS = make_group(
    "sales_review",
    "The half year is reviewed",
    make_group(
        "chart",
        "The chart shows the amounts of the months",
        CHART.to_scale("lengths", "A bar for each month in order, to scale from zero", weight=3),
        CHART.in_colors("best", "The best month alone has the other colour"),
        CHART.check_lettering("lettered", "Amounts, months and a title are written"),
        weight=3,
    ),
    make_group(
        "report",
        "The report says what the orders show",
        make_group(
            "tables",
            "Its tables hold the figures",
            leaves.printed_table("months", "Orders and amounts by month, with totals", REPORT, MONTHS, _list_months),
            leaves.printed_table("regions", "Amounts and targets by region", REPORT, REGIONS, _list_regions, 0.051),
            weight=3,
        ),
        leaves.check_report_findings(
            "found", "The findings are the true ones", REPORT, "Findings", _list_findings, weight=3
        ),
        leaves.contains_picture("shown", "The chart is in the report", REPORT, leaves.delivered_picture),
        make_group(
            "form",
            "It can be handed on",
            leaves.check_headlines("titles", "It has the headings", REPORT, lambda _: TITLES),
            leaves.check_neatness("neat", "Nothing is cut off, covered or left as markup", REPORT),
        ),
        weight=5,
    ),
    leaves.check_rows("left_out", "Each line that does not count is listed with amount and reason", LEFT_OUT, weight=2),
    leaves.answer_picture("The answer says where the chart is stored", weight=0.5),
    leaves.nothing_else("generated/", weight=0.5),
)
