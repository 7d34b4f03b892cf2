"""The monthly deck of office/deck_update: what it says for the figures of a month, and its slides."""

import calendar
import datetime
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from typing import Any

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.names import Company, Person

TILES = ("Revenue", "Orders", "Average order", "On time")


@dataclass(frozen=True)
class Figures:
    """What the deck of a month rests on, by number of the month, region and group; `on_time` in per cent."""

    number: int
    meeting: str
    plan: Mapping[int, float]
    actual: Mapping[int, Decimal]
    regions: Mapping[int, Mapping[str, Decimal]]
    groups: Mapping[str, Decimal]
    customers: Sequence[tuple[str, str, Decimal]]
    orders: Mapping[int, int]
    on_time: Mapping[int, Decimal]

    @property
    def before(self) -> int:
        return max(1, self.number - 1)

    def write_texts(self, templates: Mapping[str, str], rounding: str = ROUND_HALF_UP) -> dict[str, str]:
        """The texts by the name of the shape, and the amounts of the customers."""
        with localcontext(rounding=rounding):
            gaps = self._round_sums() | self._compare_months()
            amounts = {f"customer {n}": _format_euros(amount) for n, (_, _, amount) in enumerate(self.customers, 1)}
            return {key: template.format(**gaps) for key, template in templates.items()} | amounts

    def list_other_texts(self, templates: Mapping[str, str]) -> dict[str, list[str]]:
        """The texts that read otherwise where a half is not rounded up, or points are not told of rounded figures."""
        texts = self.write_texts(templates)
        exact = _round_tenth(self.on_time[self.number] - self.on_time[self.before])
        points = templates["On time change"].format(points=f"{exact:+}", earlier=calendar.month_name[self.before])
        every = [self.write_texts(templates, way) for way in (ROUND_HALF_EVEN, ROUND_HALF_DOWN)]
        every.append({**texts, "On time change": points})
        others = {key: sorted({record[key] for record in every} - {text}) for key, text in texts.items()}
        return {key: other for key, other in others.items() if other}

    def _round_sums(self) -> dict[str, Any]:
        revenue, top = self.actual[self.number], max(self.regions[self.number].items(), key=lambda region: region[1])
        total = sum(self.actual.values(), Decimal(0))
        planned = sum((Decimal(str(self.plan[n])) for n in self.actual), Decimal(0))
        off, group = _round_tenth(100 * (total / planned - 1)), max(self.groups.items(), key=lambda group: group[1])
        bought = sum((amount for _, _, amount in self.customers), Decimal(0))
        return {
            "meeting": self.meeting,
            "revenue": _format_euros(revenue),
            "orders": self.orders[self.number],
            "average": _format_euros(revenue / self.orders[self.number]),
            "on_time": _round_tenth(self.on_time[self.number]),
            "total": _format_euros(total),
            "planned": _format_euros(planned),
            "off": abs(off),
            "side": "above" if off > 0 else "below",
            "group": group[0],
            "group_share": _round_tenth(100 * group[1] / revenue),
            "top": top[0],
            "top_revenue": _format_euros(top[1]),
            "customers_share": _round_tenth(100 * bought / revenue),
        }

    def _compare_months(self) -> dict[str, Any]:
        now, before = self.number, self.before
        name, earlier = calendar.month_name[now], calendar.month_name[before]
        growth = {region: amount / self.regions[before][region] for region, amount in self.regions[now].items()}
        best, worst = max(growth.items(), key=lambda step: step[1]), min(growth.items(), key=lambda step: step[1])
        average = {n: self.actual[n] / self.orders[n] for n in (before, now)}
        return {
            "name": name,
            "earlier": earlier,
            "span": "January" if now == 1 else f"January to {name}",
            "revenue_before": _format_euros(self.actual[before]),
            "revenue_change": _format_change(self.actual[now] / self.actual[before]),
            "orders_before": self.orders[before],
            "orders_change": _format_change(Decimal(self.orders[now]) / self.orders[before]),
            "average_change": _format_change(average[now] / average[before]),
            "points": f"{_round_tenth(_round_tenth(self.on_time[now]) - _round_tenth(self.on_time[before])):+}",
            "best": best[0],
            "best_change": _format_change(best[1]),
            "worst": worst[0],
            "worst_change": _format_change(worst[1]),
        }

    def build_charts(self, display: Callable[[Decimal], Decimal]) -> dict[str, dict[str, Any]]:
        """Categories and series by slide, each value as it is displayed."""

        def thousands(amounts: Iterable[Decimal | float]) -> list[float]:
            return [float(display(Decimal(str(amount)) / 1000)) for amount in amounts]

        names = {n: calendar.month_name[n] for n in self.actual}
        regional = {names[n]: thousands(self.regions[n].values()) for n in (self.before, self.number)}
        against = {"Plan": thousands(self.plan[n] for n in names), "Actual": thousands(self.actual.values())}
        revenue = self.actual[self.number]
        shares = {"Share in %": [float(display(100 * group / revenue)) for group in self.groups.values()]}
        return {
            "3": {"categories": list(self.regions[self.number]), "series": regional},
            "4": {"categories": list(names.values()), "series": against},
            "5": {"categories": list(self.groups), "series": shares},
        }


def round_half_up(value: Decimal) -> Decimal:
    """To one decimal; zero has no minus."""
    return value.quantize(Decimal("0.1"), ROUND_HALF_UP) + 0


def _round_tenth(value: Decimal) -> Decimal:
    """To one decimal, as the context says; zero has no minus."""
    return value.quantize(Decimal("0.1")) + 0


def _format_euros(amount: Decimal) -> str:
    return f"EUR {amount.quantize(Decimal(1)):,}"


def _format_change(part: Decimal) -> str:
    """By how many per cent something changed, with its sign."""
    return f"{_round_tenth(100 * (part - 1)):+}"


@dataclass(frozen=True)
class Month:
    """The texts, charts and table of a deck, beside what it says every month."""

    number: int
    texts: Mapping[str, str]
    charts: Mapping[str, Any]
    customers: Sequence[Sequence[str]]

    def make_deck(
        self, now: datetime.datetime, staff: Sequence[Person], firm: Company, growth: int, story: Mapping[str, Any]
    ) -> Deck:
        texts, created_at = self.texts, now - datetime.timedelta(days=30 * (4 - self.number))
        brand = Brand("Ridgeway Interiors", "1B4965", "CA6702")
        deck = Deck("Monthly review", author=staff[0].name, now=created_at, brand=brand)
        first = deck.title_slide(texts["title 1"], texts["Subtitle"], notes="Welcome everybody. Phones off, please.")
        first.placeholders[1].name = "Subtitle"
        _add_glance_slide(deck, texts)
        self._add_chart_slide(deck, 3, "column", "Message regions", notes=texts["notes 3"])
        self._add_chart_slide(deck, 4, "column", "Message plan", notes="The plan was approved by the board in January.")
        self._add_chart_slide(deck, 5, "pie", "Message groups", notes="Product groups as in the price list of 2025.")
        rows = [["Rank", "Customer", "Region", "Revenue"], *self.customers]
        table = deck.table(texts["title 6"], rows, notes=texts["notes 6"], widths_mm=(24, 130, 60, 84.67))
        table.shapes[-1].name = "Customers"
        gaps = {"firm": firm.full, "growth": growth, "speaker": staff[2].name}
        for slide in story["lists"]:
            lines = [(text.format(**gaps), level) if level else text.format(**gaps) for text, level in slide["lines"]]
            deck.add_bullets(slide["title"], lines, notes=slide["notes"])
        backup = [["Figure", "February 2025"], ["Revenue", f"EUR {700 + growth},480"], ["Orders", "342"]]
        deck.table("Backup: February 2025", backup, notes="Only if somebody asks.")._element.set("show", "0")
        return deck

    def _add_chart_slide(self, deck: Deck, number: int, kind: Any, message: str, *, notes: str) -> None:
        from pptx.enum.chart import XL_LABEL_POSITION

        data, title = self.charts[str(number)], self.texts[f"title {number}"]
        slide = deck.add_slide("Title Only", title, notes=notes)
        deck.text_box(slide, self.texts[message], (20, 38, 298, 10), size_pt=18).name = message
        box = (20.0, 54.0, 298.0, 118.0)
        shape = deck.add_chart(slide, kind, data["categories"], data["series"], box, number_format="0.0")
        shape.name = f"Chart {number}"
        shape._element.nvGraphicFramePr.cNvPr.set("descr", f"Chart: {title.split(',')[0]}")
        plot = shape.chart.plots[0]
        plot.has_data_labels = True
        plot.data_labels.number_format, plot.data_labels.number_format_is_linked = "0.0", False
        if kind == "pie":
            plot.data_labels.position = XL_LABEL_POSITION.OUTSIDE_END
            return
        axis, highest = shape.chart.value_axis, max(value for values in data["series"].values() for value in values)
        axis.minimum_scale, axis.has_major_gridlines = 0, False
        if number == 3:
            axis.maximum_scale = 20 * math.ceil(highest * 1.02 / 20)
        axis.has_title = True
        axis.axis_title.text_frame.text = "Thousands of euros"


def _add_glance_slide(deck: Deck, texts: Mapping[str, str]) -> None:
    """Four tiles, each a panel with its label, its value and its change on it."""
    from pptx.dml.color import RGBColor
    from pptx.util import Mm

    slide = deck.add_slide("Title Only", texts["title 2"], notes=texts["notes 2"])
    for number, tile in enumerate(TILES):
        left = 20 + 76.2 * number
        panel = slide.shapes.add_shape(1, Mm(left), Mm(58), Mm(70), Mm(58))
        panel.fill.solid()
        panel.fill.fore_color.rgb = RGBColor.from_string("E8EEF2")
        panel.line.fill.background()
        panel.name = f"{tile} panel"
        for part, text, box, size, bold in (
            ("label", tile, (left + 3, 63, 64, 9), 16, False),
            ("value", texts[f"{tile} value"], (left + 3, 76, 64, 15), 30, True),
            ("change", texts[f"{tile} change"], (left + 3, 96, 64, 9), 14, False),
        ):
            color = "1B4965" if part == "value" else "404040"
            deck.text_box(slide, text, box, size_pt=size, bold=bold, color=color).name = f"{tile} {part}"
    remark = "All figures without Ridgeway Contract, which reports on its own."
    deck.text_box(slide, remark, (20, 128, 200, 9), size_pt=14).name = "Remark"
