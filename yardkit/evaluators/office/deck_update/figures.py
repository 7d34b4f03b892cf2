"""What the orders and the plan of office/deck_update say, worked out through tools alone."""

import re
from collections import defaultdict
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.desk import read_all
from yardkit.evaluators.solving.solver import read_mail_file

PATH = "decks/monthly_review_2026-03.pptx"
NAMES = {1: "January", 2: "February", 3: "March"}


class Figures:
    """What the orders and the plan say."""

    def __init__(self, agent: Agent) -> None:
        self.meeting = re.findall(r"The board meets on ([^.]+)\.", " ".join(agent.prompt.split()))[0]
        twice = _find_doubled_order(agent)
        rows = _read_records(agent, "data/orders_2026-q1.xlsx", "Orders")
        lines = [row for row in rows if row["Status"] != "Cancelled"]
        first = next(n for n, line in enumerate(lines) if line["Order no."] == twice)
        self.orders = [line for n, line in enumerate(lines) if n == first or line["Order no."] != twice]
        plan = _read_records(agent, "data/plan_2026.xlsx", "Plan")[:3]
        self.plan = {n: Decimal(str(month["Revenue plan EUR"])) for n, month in enumerate(plan, 1)}
        self.revenue = {n: self.sum(n) for n in NAMES}
        self.regions = list(agent_chart(agent, 3)["categories"])
        self.groups = list(agent_chart(agent, 5)["categories"])

    def month(self, number: int, **fields: str) -> list[Mapping[str, Any]]:
        expected_fields = {name.replace("_", " ").capitalize(): value for name, value in fields.items()}
        return [
            order
            for order in self.orders
            if order["Order date"].startswith(f"2026-{number:02}")
            and all(order[k] == v for k, v in expected_fields.items())
        ]

    def sum(self, number: int, **fields: str) -> Decimal:
        return sum((Decimal(str(order["Net amount EUR"])) for order in self.month(number, **fields)), Decimal(0))

    def on_time(self, number: int) -> Decimal:
        return _round_tenth(self.exactly_on_time(number))

    def exactly_on_time(self, number: int) -> Decimal:
        done = [order for order in self.month(number) if order["Delivered"]]
        return Decimal(100 * sum(order["Delivered"] <= order["Promised"] for order in done)) / len(done)

    def exact_points(self) -> str:
        """The change of punctuality, rounded only in the end."""
        return f"{_round_tenth(self.exactly_on_time(3) - self.exactly_on_time(2)):+} points on February"

    @staticmethod
    def format_euros(amount: Decimal) -> str:
        return f"EUR {amount.quantize(Decimal(1), ROUND_HALF_UP):,}"

    def list_customers(self) -> list[tuple[str, str, Decimal]]:
        sums: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
        for order in self.month(3):
            sums[order["Customer"], order["Region"]] += Decimal(str(order["Net amount EUR"]))
        return [(*who, total) for who, total in sorted(sums.items(), key=lambda item: -item[1])][:5]

    def table(self) -> list[list[str]]:
        return [
            [str(n), who, where, self.format_euros(s)] for n, (who, where, s) in enumerate(self.list_customers(), 1)
        ]

    def list_charts(self, *, exact: bool = False) -> dict[int, tuple[list[str], list[dict[str, Any]]]]:
        """Categories and series by slide."""

        def round_values(values: Any) -> list[float]:
            return [float(value) if exact else float(_round_tenth(value)) for value in values]

        by_region = [
            {"name": NAMES[n], "values": round_values(self.sum(n, region=region) / 1000 for region in self.regions)}
            for n in (2, 3)
        ]
        against = [
            {"name": name, "values": round_values(record[n] / 1000 for n in NAMES)}
            for name, record in (("Plan", self.plan), ("Actual", self.revenue))
        ]
        share = round_values(100 * self.sum(3, product_group=group) / self.revenue[3] for group in self.groups)
        return {
            3: (self.regions, by_region),
            4: (list(NAMES.values()), against),
            5: (self.groups, [{"name": "Share in %", "values": share}]),
        }

    def map_texts(self) -> dict[str, str]:
        """Texts by name of shape, title or notes."""
        revenue, counts = self.revenue, {n: len(self.month(n)) for n in (2, 3)}
        average = {n: revenue[n] / counts[n] for n in counts}
        top = max(self.regions, key=lambda region: self.sum(3, region=region))
        share = _round_tenth(100 * sum(customer[2] for customer in self.list_customers()) / revenue[3])
        return {
            "title 1": "Monthly review March 2026",
            "Subtitle": f"Board meeting of {self.meeting}",
            "title 2": "March 2026 at a glance",
            "title 3": "Revenue by region, March 2026",
            "title 4": "Revenue against plan, January to March 2026",
            "title 5": "Revenue by product group, March 2026",
            "title 6": "Largest customers in March 2026",
            "Revenue value": self.format_euros(revenue[3]),
            "Revenue change": f"{_format_change(revenue[3], revenue[2])} % on February",
            "Orders value": f"{counts[3]:,}",
            "Orders change": f"{_format_change(counts[3], counts[2])} % on February",
            "Average order value": self.format_euros(average[3]),
            "Average order change": f"{_format_change(average[3], average[2])} % on February",
            "On time value": f"{self.on_time(3)} %",
            "On time change": f"{self.on_time(3) - self.on_time(2):+} points on February",
            **self._build_sentences(),
            "notes 2": (
                f"Revenue is {self.format_euros(revenue[3])}, after {self.format_euros(revenue[2])} in February. "
                f"We had {counts[3]:,} orders, after {counts[2]:,}."
            ),
            "notes 3": f"The largest region in March is {top} with {self.format_euros(self.sum(3, region=top))}.",
            "notes 6": f"The five customers stand for {share} % of the revenue in March.",
        }

    def _build_sentences(self) -> dict[str, str]:
        growth = {region: self.sum(3, region=region) / self.sum(2, region=region) for region in self.regions}
        best, worst = max(growth, key=lambda name: growth[name]), min(growth, key=lambda name: growth[name])
        largest = max(self.groups, key=lambda group: self.sum(3, product_group=group))
        share = _round_tenth(100 * self.sum(3, product_group=largest) / self.revenue[3])
        total, planned = sum(self.revenue.values(), Decimal(0)), sum(self.plan.values(), Decimal(0))
        off = _round_tenth(100 * (total / planned - 1))
        return {
            "Message regions": f"{best} made the largest step on February ({_format_change(growth[best], 1)} %), "
            f"{worst} the weakest ({_format_change(growth[worst], 1)} %).",
            "Message plan": f"Since January we have {self.format_euros(total)}, which is {abs(off)} % "
            f"{'above' if off > 0 else 'below'} the plan of {self.format_euros(planned)}.",
            "Message groups": f"{largest} is the largest product group with {share} % of the revenue.",
        }


def _round_tenth(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.1"), ROUND_HALF_UP) + 0


def _format_change(now: Decimal | int, then: Decimal | int) -> str:
    return f"{_round_tenth(100 * (Decimal(now) / Decimal(then) - 1)):+}"


def agent_chart(agent: Agent, slide: int) -> Mapping[str, Any]:
    """What the chart of a slide shows now."""
    shapes = agent.call("read_slides", path=PATH, slides=[slide])["slides"][0]["shapes"]
    chart: Mapping[str, Any] = next(shape["chart"] for shape in shapes if shape.get("chart"))
    return chart


def _find_doubled_order(agent: Agent) -> str:
    """The order whose line is there twice, from the controller's mail."""
    for path in sorted(re.findall(r"[\w.-]+\.eml", agent.text("list_folder", path="mail"))):
        match = re.search(r"line of (SO-\d+) twice", " ".join(read_mail_file(agent, f"mail/{path}").split()))
        if match:
            return match.group(1)
    raise LookupError("no mail speaks of a doubled line")


def _read_records(agent: Agent, path: str, sheet: str) -> list[Mapping[str, Any]]:
    return list(read_all(agent, "read_records", "records", path=path, sheet=sheet))
