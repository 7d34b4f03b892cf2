"""The monthly deck of office/deck_update: what it says for the figures of a month, and its slides."""

import datetime
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, localcontext
from typing import Any

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.names import Company, Person

NAMES = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
TILES = ("Revenue", "Orders", "Average order", "On time")
DEFINITIONS = (
    "Revenue: net amount of all orders of the month, by order date; cancelled orders do not count",
    "Orders: number of the orders that count for revenue; average order: revenue divided by it",
    "On time: share of the month's delivered orders whose day of delivery is not after the promised day",
    "Amounts in text and tables in whole euros, in charts in thousands of euros with one decimal",
    "Percentages with one decimal; changes with their sign",
)


@dataclass(frozen=True)
class Month:
    """What the deck of a month says: its texts by the name of the shape or ``notes 3``, its charts, its table.

    ``others`` are the texts that read otherwise where a half is not rounded up, or points are told without rounding
    the percentages first; ``exact`` are the charts with values that are not rounded.
    """

    number: int
    meeting: str
    texts: dict[str, str]
    others: dict[str, list[str]]
    charts: dict[str, dict[str, Any]]
    exact: dict[str, dict[str, Any]]
    customers: list[list[str]]

    @classmethod
    def from_figures(
        cls,
        number: int,
        meeting: str,
        *,
        actual: Mapping[int, Decimal],
        plan: Mapping[int, float],
        regions: Mapping[int, Mapping[str, Decimal]],
        groups: Mapping[str, Decimal],
        customers: Sequence[tuple[str, str, Decimal]],
        orders: Mapping[int, int],
        on_time: Mapping[int, Decimal],
    ) -> "Month":
        """Texts, charts and table for the figures by number of month, region and group."""
        before = max(1, number - 1)

        def texts(way: str) -> dict[str, str]:
            with localcontext(rounding=way):
                return {
                    **_write_titles(number, NAMES[number - 1], meeting),
                    **_write_tiles(number, before, actual, orders, on_time),
                    **_write_sentences(number, before, actual, plan, regions, groups),
                    **_write_notes(number, before, actual, regions, orders, customers),
                    **{f"customer {n}": format_euros(sum_) for n, (_, _, sum_) in enumerate(customers, 1)},
                }

        month_texts, points = texts(ROUND_HALF_UP), _format_points(before, on_time[number] - on_time[before])
        every = [*map(texts, (ROUND_HALF_EVEN, ROUND_HALF_DOWN)), {**month_texts, "On time change": points}]
        others = {key: sorted({record[key] for record in every} - {text}) for key, text in month_texts.items()}
        rows = [[str(n), who, where, month_texts[f"customer {n}"]] for n, (who, where, _) in enumerate(customers, 1)]
        return cls(
            number=number,
            meeting=meeting,
            texts=month_texts,
            others={key: other for key, other in others.items() if other},
            charts=_build_charts(number, before, actual, plan, regions, groups, _round_to_tenth),
            exact=_build_charts(number, before, actual, plan, regions, groups),
            customers=rows,
        )


def format_euros(amount: Decimal | float) -> str:
    """An amount in whole euros, such as ``EUR 12,345``, rounded as the context says."""
    return f"EUR {Decimal(str(amount)).quantize(Decimal(1)):,}"


def _round_to_tenth(value: Decimal) -> Decimal:
    """To one decimal, as the context says; zero has no minus."""
    return value.quantize(Decimal("0.1")) + 0


def _format_change(now: Decimal | int, then: Decimal | int) -> str:
    """By how many per cent something changed, with its sign."""
    return f"{_round_to_tenth(100 * (Decimal(now) / Decimal(then) - 1)):+}"


def _compute_share(customers: Sequence[tuple[str, str, Decimal]], total: Decimal) -> Decimal:
    return _round_to_tenth(100 * sum((customer[2] for customer in customers), Decimal(0)) / total)


def _write_titles(number: int, name: str, meeting: str) -> dict[str, str]:
    span = "January" if number == 1 else f"January to {name}"
    return {
        "title 1": f"Monthly review {name} 2026",
        "Subtitle": f"Board meeting of {meeting}",
        "title 2": f"{name} 2026 at a glance",
        "title 3": f"Revenue by region, {name} 2026",
        "title 4": f"Revenue against plan, {span} 2026",
        "title 5": f"Revenue by product group, {name} 2026",
        "title 6": f"Largest customers in {name} 2026",
    }


def _write_tiles(
    number: int,
    before: int,
    actual: Mapping[int, Decimal],
    orders: Mapping[int, int],
    on_time: Mapping[int, Decimal],
) -> dict[str, str]:
    earlier = NAMES[before - 1]
    average = {n: actual[n] / orders[n] for n in (before, number)}
    return {
        "Revenue value": format_euros(actual[number]),
        "Revenue change": f"{_format_change(actual[number], actual[before])} % on {earlier}",
        "Orders value": f"{orders[number]:,}",
        "Orders change": f"{_format_change(orders[number], orders[before])} % on {earlier}",
        "Average order value": format_euros(average[number]),
        "Average order change": f"{_format_change(average[number], average[before])} % on {earlier}",
        "On time value": f"{_round_to_tenth(on_time[number])} %",
        "On time change": _format_points(before, _round_to_tenth(on_time[number]) - _round_to_tenth(on_time[before])),
    }


def _format_points(before: int, points: Decimal) -> str:
    return f"{_round_to_tenth(points):+} points on {NAMES[before - 1]}"


def _write_sentences(
    number: int,
    before: int,
    actual: Mapping[int, Decimal],
    plan: Mapping[int, float],
    regions: Mapping[int, Mapping[str, Decimal]],
    groups: Mapping[str, Decimal],
) -> dict[str, str]:
    earlier = NAMES[before - 1]
    growth = {region: regions[number][region] / regions[before][region] for region in regions[number]}
    best, worst = max(growth, key=lambda group: growth[group]), min(growth, key=lambda group: growth[group])
    first = max(groups, key=lambda name: groups[name])
    total = sum((actual[n] for n in range(1, number + 1)), Decimal(0))
    planned = sum((Decimal(str(plan[n])) for n in range(1, number + 1)), Decimal(0))
    off = _round_to_tenth(100 * (total / planned - 1))
    changes = {name: _format_change(regions[number][name], regions[before][name]) for name in (best, worst)}
    return {
        "Message regions": (
            f"{best} made the largest step on {earlier} ({changes[best]} %), {worst} the weakest ({changes[worst]} %)."
        ),
        "Message plan": (
            f"Since January we have {format_euros(total)}, which is {abs(off)} % "
            f"{'above' if off > 0 else 'below'} the plan of {format_euros(planned)}."
        ),
        "Message groups": (
            f"{first} is the largest product group with {_round_to_tenth(100 * groups[first] / actual[number])} % "
            "of the revenue."
        ),
    }


def _write_notes(
    number: int,
    before: int,
    actual: Mapping[int, Decimal],
    regions: Mapping[int, Mapping[str, Decimal]],
    orders: Mapping[int, int],
    customers: Sequence[tuple[str, str, Decimal]],
) -> dict[str, str]:
    name, top = NAMES[number - 1], max(regions[number], key=lambda region: regions[number][region])
    share = _compute_share(customers, actual[number])
    return {
        "notes 2": (
            f"Revenue is {format_euros(actual[number])}, after {format_euros(actual[before])} in {NAMES[before - 1]}. "
            f"We had {orders[number]:,} orders, after {orders[before]:,}."
        ),
        "notes 3": f"The largest region in {name} is {top} with {format_euros(regions[number][top])}.",
        "notes 6": f"The five customers stand for {share} % of the revenue in {name}.",
    }


def _build_charts(
    number: int,
    before: int,
    actual: Mapping[int, Decimal],
    plan: Mapping[int, float],
    regions: Mapping[int, Mapping[str, Decimal]],
    groups: Mapping[str, Decimal],
    display_value: Callable[[Decimal], Decimal] = Decimal,
) -> dict[str, dict[str, Any]]:
    """Categories and series by slide, each value as it is shown."""

    def thousands(amounts: Iterable[Decimal | float]) -> list[float]:
        return [float(display_value(Decimal(str(amount)) / 1000)) for amount in amounts]

    months = range(1, number + 1)
    regional = {NAMES[n - 1]: thousands(regions[n].values()) for n in (before, number)}
    against = {"Plan": thousands(plan[n] for n in months), "Actual": thousands(actual[n] for n in months)}
    shares = {"Share in %": [float(display_value(100 * group / actual[number])) for group in groups.values()]}
    return {
        "3": {"categories": list(regions[number]), "series": regional},
        "4": {"categories": [NAMES[n - 1] for n in months], "series": against},
        "5": {"categories": list(groups), "series": shares},
    }


def monthly_deck(now: datetime.datetime, staff: Sequence[Person], firm: Company, month: Month, growth: int) -> Deck:
    """The deck of a month."""
    texts = month.texts
    created_at = now - datetime.timedelta(days=30 * (4 - month.number))
    deck = Deck(
        "Monthly review", author=staff[0].name, now=created_at, brand=Brand("Ridgeway Interiors", "1B4965", "CA6702")
    )
    first = deck.title_slide(texts["title 1"], texts["Subtitle"], notes="Welcome everybody. Phones off, please.")
    first.placeholders[1].name = "Subtitle"
    _add_glance_slide(deck, texts)
    _add_chart_slide(deck, month, 3, "column", "Message regions", notes=texts["notes 3"])
    _add_chart_slide(deck, month, 4, "column", "Message plan", notes="The plan was approved by the board in January.")
    _add_chart_slide(deck, month, 5, "pie", "Message groups", notes="Product groups as in the price list of 2025.")
    rows = [["Rank", "Customer", "Region", "Revenue"], *month.customers]
    table = deck.table(texts["title 6"], rows, notes=texts["notes 6"], widths_mm=(24, 130, 60, 84.67))
    table.shapes[-1].name = "Customers"
    _add_other_slides(deck, staff, firm, growth)
    return deck


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
    deck.text_box(
        slide, "All figures without Ridgeway Contract, which reports on its own.", (20, 128, 200, 9), size_pt=14
    ).name = "Remark"


def _add_chart_slide(deck: Deck, month: Month, number: int, kind: Any, message: str, *, notes: str) -> None:
    from pptx.enum.chart import XL_LABEL_POSITION

    data, texts = month.charts[str(number)], month.texts
    slide = deck.add_slide("Title Only", texts[f"title {number}"], notes=notes)
    deck.text_box(slide, texts[message], (20, 38, 298, 10), size_pt=18).name = message
    box = (20.0, 54.0, 298.0, 118.0)
    shape = deck.add_chart(slide, kind, data["categories"], data["series"], box, number_format="0.0")
    shape.name = f"Chart {number}"
    shape._element.nvGraphicFramePr.cNvPr.set("descr", f"Chart: {texts[f'title {number}'].split(',')[0]}")
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


def _add_other_slides(deck: Deck, staff: Sequence[Person], firm: Company, growth: int) -> None:
    """What stays from month to month, though it speaks of months."""
    deck.add_bullets(
        "Outlook",
        [
            "The new showroom opens in May; the lease runs from 1 February 2026",
            f"{firm.full} pays {growth} % more than in February 2025 since the new contract",
            ("The contract was signed in January 2026", 1),
            f"{staff[2].name} presents the trade fair of February 2027 at the next meeting",
        ],
        notes="February 2025 was the month before the move to the new hall.",
    )
    deck.add_bullets("Definitions", list(DEFINITIONS), notes="Agreed with the auditors in February 2024.")
    hidden = deck.table(
        "Backup: February 2025",
        [["Figure", "February 2025"], ["Revenue", f"EUR {700 + growth},480"], ["Orders", "342"]],
        notes="Only if somebody asks.",
    )
    hidden._element.set("show", "0")
