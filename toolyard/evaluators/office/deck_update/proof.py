"""Solutions and near misses of office/deck_update."""

import quopri
import re
from collections import defaultdict
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from toolyard.evaluators.proof import Agent, Solved, killed_by

PATH = "decks/monthly_review_2026-03.pptx"
NAMES = {1: "January", 2: "February", 3: "March"}
TILES = ("Revenue", "Orders", "Average order", "On time")


def solve(agent: Agent) -> str:
    """Work out the figures, set texts, charts, table and notes, make room, look."""
    figures = _Figures(agent)
    texts = figures.texts()
    _set_texts(agent, texts)
    values = [f"{tile} value" for tile in TILES]
    agent.call("format_shape_text", path=PATH, slide=2, shapes=values, size_pt=26)
    for number, (categories, series) in figures.charts().items():
        highest = max(value for each in series for value in each["values"])
        look = {"value_max": round(highest * 1.1, -1)} if number < 5 else None
        shape = f"Chart {number}"
        agent.call(
            "write_slide_chart", path=PATH, slide=number, shape=shape, categories=categories, series=series, look=look
        )
    _set_table(agent, figures)
    notes = [{"slide": int(key[6:]), "text": text} for key, text in texts.items() if key.startswith("notes")]
    agent.call("set_speaker_notes", path=PATH, notes=notes)
    agent.call("render_pages", path=PATH, pages="1-6", dpi=50)
    return f"The deck is ready.\n\n{figures.euros(figures.revenue[3])}"


def also_months_replaced_and_tiles_widened(agent: Agent, _files: Path) -> str:
    """Notes first, words replaced one by one, boxes of the values made wider, figures of the charts not rounded."""
    figures = _Figures(agent)
    texts = figures.texts()
    notes = [{"slide": int(key[6:]), "text": text} for key, text in texts.items() if key.startswith("notes")]
    agent.call("set_speaker_notes", path=PATH, notes=notes)
    _set_table(agent, figures)
    for number, (categories, series) in figures.charts(exact=True).items():
        look = {"value_max": 2000} if number == 3 else None
        shape = f"Chart {number}"
        agent.call(
            "write_slide_chart", path=PATH, slide=number, shape=shape, categories=categories, series=series, look=look
        )
    _set_texts(agent, texts)
    moves = [
        {"op": "move", "slide": 2, "shapes": [f"{tile} value"], "left_cm": 2.0 + 7.62 * n, "width_cm": 7.0}
        for n, tile in enumerate(TILES)
    ]
    agent.call("edit_slide_shapes", path=PATH, operations=moves)
    agent.call("format_shape_text", path=PATH, slide=2, shapes=["Revenue value"], size_pt=28)
    agent.call("render_contact_sheet", path=PATH)
    return str(figures.revenue[3].quantize(Decimal(1), ROUND_HALF_UP))


def also_by_another_program(agent: Agent, files: Path) -> str:
    """Everything by python-pptx: new data of the charts, the scale freed, texts in their first runs."""
    figures = _Figures(agent)
    _by_pptx(files / PATH, figures)
    agent.call("render_pages", path=PATH, pages="2-3", dpi=50)
    return f"{figures.euros(figures.revenue[3])}"


def _by_pptx(path: Path, figures: "_Figures") -> None:
    import pptx
    from pptx.util import Pt

    read, texts = pptx.Presentation(str(path)), figures.texts()
    for number, slide in enumerate(read.slides, 1):
        _say(slide.shapes.title, texts.get(f"title {number}"))
        for shape in slide.shapes:
            _say(shape, texts.get(shape.name))
            if shape.name.endswith(" value"):
                shape.text_frame.paragraphs[0].runs[0].font.size = Pt(24)
            if shape.has_chart:
                _redraw(shape.chart, number, figures)
            if shape.name == "Customers":
                for row, cells in zip(list(shape.table.rows)[1:], figures.table(), strict=True):
                    for cell, text in zip(row.cells, cells, strict=True):
                        cell.text_frame.paragraphs[0].runs[0].text = text
        if f"notes {number}" in texts:
            slide.notes_slide.notes_text_frame.text = texts[f"notes {number}"]
    read.save(str(path))


def _redraw(chart: Any, slide: int, figures: "_Figures") -> None:
    from pptx.chart.data import CategoryChartData

    data = CategoryChartData(number_format="0.0")
    data.categories, series = figures.charts()[slide]
    for each in series:
        data.add_series(each["name"], each["values"])
    chart.replace_data(data)
    if slide == 3:
        chart.value_axis.maximum_scale = None


def _say(shape: Any, text: str | None) -> None:
    if text is not None:
        shape.text_frame.paragraphs[0].runs[0].text = text


@killed_by("regions", "tiles", "answer", "customers")
def miss_line_counted_twice(work: Solved) -> None:
    """Figures as if the doubled line were two orders: the region, the customer, the tile."""

    def change(read: Any) -> None:
        _say(_named(read, 2, "Revenue value"), work.facts["doubled"])
        numbers = [each for each in _named(read, 3, "Chart 3").chart._chartSpace.iter(_v) if _is_number(each.text)]
        numbers[-1].text = str(float(numbers[-1].text) + 4.2)
        _say(_named(read, 6, "Customers").table.cell(1, 3), "EUR 1")

    _edit(work, change)
    work.answer = work.facts["doubled"]


@killed_by("regions", "plan")
def miss_february_as_it_was_shown(work: Solved) -> None:
    """The figures of February are those of the old deck."""

    def change(read: Any) -> None:
        for number, series, point in ((3, 0, None), (4, 1, 1)):
            chart = _named(read, number, f"Chart {number}").chart
            values = list(chart._chartSpace.findall(f".//{_c}ser")[series].find(f"{_c}val").iter(_v))
            for each in values if point is None else values[point : point + 1]:
                each.text = str(float(each.text) + 3.4)

    _edit(work, change)


@killed_by("titles")
def miss_subtitle_of_last_time(work: Solved) -> None:
    """The date of the last meeting."""
    _edit(work, lambda read: _say(_named(read, 1, "Subtitle"), work.facts["was"]["Subtitle"]))


@killed_by("notes")
def miss_notes_of_last_month(work: Solved) -> None:
    """The notes of the table are as they were."""
    _edit(work, lambda read: _note(read, 6, work.facts["was"]["notes 6"]))


@killed_by("kept")
def miss_every_february_replaced(work: Solved) -> None:
    """The outlook speaks of March too."""

    def change(read: Any) -> None:
        for shape in read.slides[6].placeholders:
            for run in (run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs):
                run.text = run.text.replace("February", "March")

    _edit(work, change)


@killed_by("one_line")
def miss_value_on_two_lines(work: Solved) -> None:
    """The revenue is as large as it was and breaks."""

    def change(read: Any) -> None:
        from pptx.util import Mm, Pt

        shape = _named(read, 2, "Revenue value")
        shape.left, shape.width = Mm(23), Mm(64)
        shape.text_frame.paragraphs[0].runs[0].font.size = Pt(30)

    _edit(work, change)


@killed_by("whole")
def miss_column_cut_off(work: Solved) -> None:
    """The scale of the regions still ends where it ended."""

    def change(read: Any) -> None:
        highest = max(work.facts["charts"]["3"]["series"]["February"])
        _named(read, 3, "Chart 3").chart.value_axis.maximum_scale = highest

    _edit(work, change)


@killed_by("editable")
def miss_workbook_inside_is_old(work: Solved) -> None:
    """The chart shows the new figures, but whoever edits its data finds the old ones."""

    def change(read: Any) -> None:
        import pptx

        old = pptx.Presentation(str(work.files / "decks/monthly_review_2026-02.pptx"))
        blob = _named(old, 3, "Chart 3").chart.part.chart_workbook.xlsx_part.blob
        _named(read, 3, "Chart 3").chart.part.chart_workbook.xlsx_part._blob = blob

    _edit(work, change)


@killed_by("looked")
def miss_never_looked(work: Solved) -> None:
    """No picture was asked for."""
    work.calls = [call for call in work.calls if not call["media"]]


@killed_by("others")
def miss_old_deck_changed_too(work: Solved) -> None:
    """The February deck is gone."""
    (work.files / "decks/monthly_review_2026-02.pptx").unlink()


_c = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_v = f"{_c}v"


def _edit(work: Solved, change: Callable[[Any], object]) -> None:
    import pptx

    read = pptx.Presentation(str(work.files / PATH))
    change(read)
    read.save(str(work.files / PATH))


def _named(read: Any, slide: int, name: str) -> Any:
    return next(each for each in read.slides[slide - 1].shapes if each.name == name)


def _note(read: Any, slide: int, text: str) -> None:
    read.slides[slide - 1].notes_slide.notes_text_frame.text = text


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None


class _Figures:
    """What the orders and the plan say."""

    def __init__(self, agent: Agent) -> None:
        self.meeting = re.findall(r"The board meets on ([^.]+)\.", " ".join(agent.prompt.split()))[0]
        twice = _doubled(agent)
        rows = _records(agent, "data/orders_2026-q1.xlsx", "Orders")
        lines = [each for each in rows if each["Status"] != "Cancelled"]
        first = next(n for n, each in enumerate(lines) if each["Order no."] == twice)
        self.orders = [each for n, each in enumerate(lines) if n == first or each["Order no."] != twice]
        plan = _records(agent, "data/plan_2026.xlsx", "Plan")[:3]
        self.plan = {n: Decimal(str(each["Revenue plan EUR"])) for n, each in enumerate(plan, 1)}
        self.revenue = {n: self.sum(n) for n in NAMES}
        self.regions = list(agent_chart(agent, 3)["categories"])
        self.groups = list(agent_chart(agent, 5)["categories"])

    def month(self, number: int, **fields: str) -> list[Mapping[str, Any]]:
        wanted = {name.replace("_", " ").capitalize(): value for name, value in fields.items()}
        return [
            each
            for each in self.orders
            if each["Order date"].startswith(f"2026-{number:02}") and all(each[k] == v for k, v in wanted.items())
        ]

    def sum(self, number: int, **fields: str) -> Decimal:
        return sum((Decimal(str(each["Net amount EUR"])) for each in self.month(number, **fields)), Decimal(0))

    def on_time(self, number: int) -> Decimal:
        done = [each for each in self.month(number) if each["Delivered"]]
        return _tenth(Decimal(100 * sum(each["Delivered"] <= each["Promised"] for each in done)) / len(done))

    @staticmethod
    def euros(amount: Decimal) -> str:
        return f"EUR {amount.quantize(Decimal(1), ROUND_HALF_UP):,}"

    def customers(self) -> list[tuple[str, str, Decimal]]:
        sums: dict[tuple[str, str], Decimal] = defaultdict(Decimal)
        for each in self.month(3):
            sums[each["Customer"], each["Region"]] += Decimal(str(each["Net amount EUR"]))
        return [(*who, total) for who, total in sorted(sums.items(), key=lambda item: -item[1])][:5]

    def table(self) -> list[list[str]]:
        return [[str(n), who, where, self.euros(s)] for n, (who, where, s) in enumerate(self.customers(), 1)]

    def charts(self, *, exact: bool = False) -> dict[int, tuple[list[str], list[dict[str, Any]]]]:
        """Categories and series by slide."""

        def shown(values: Any) -> list[float]:
            return [float(each) if exact else float(_tenth(each)) for each in values]

        by_region = [
            {"name": NAMES[n], "values": shown(self.sum(n, region=each) / 1000 for each in self.regions)}
            for n in (2, 3)
        ]
        against = [
            {"name": name, "values": shown(each[n] / 1000 for n in NAMES)}
            for name, each in (("Plan", self.plan), ("Actual", self.revenue))
        ]
        share = shown(100 * self.sum(3, product_group=each) / self.revenue[3] for each in self.groups)
        return {
            3: (self.regions, by_region),
            4: (list(NAMES.values()), against),
            5: (self.groups, [{"name": "Share in %", "values": share}]),
        }

    def texts(self) -> dict[str, str]:
        """Texts by name of shape, title or notes."""
        revenue, counts = self.revenue, {n: len(self.month(n)) for n in (2, 3)}
        average = {n: revenue[n] / counts[n] for n in counts}
        top = max(self.regions, key=lambda each: self.sum(3, region=each))
        share = _tenth(100 * sum(each[2] for each in self.customers()) / revenue[3])
        return {
            "title 1": "Monthly review March 2026",
            "Subtitle": f"Board meeting of {self.meeting}",
            "title 2": "March 2026 at a glance",
            "title 3": "Revenue by region, March 2026",
            "title 4": "Revenue against plan, January to March 2026",
            "title 5": "Revenue by product group, March 2026",
            "title 6": "Largest customers in March 2026",
            "Revenue value": self.euros(revenue[3]),
            "Revenue change": f"{_change(revenue[3], revenue[2])} % on February",
            "Orders value": f"{counts[3]:,}",
            "Orders change": f"{_change(counts[3], counts[2])} % on February",
            "Average order value": self.euros(average[3]),
            "Average order change": f"{_change(average[3], average[2])} % on February",
            "On time value": f"{self.on_time(3)} %",
            "On time change": f"{self.on_time(3) - self.on_time(2):+} points on February",
            **self._sentences(),
            "notes 2": f"Revenue is {self.euros(revenue[3])}, after {self.euros(revenue[2])} in February. "
            f"We had {counts[3]:,} orders, after {counts[2]:,}.",
            "notes 3": f"The largest region in March is {top} with {self.euros(self.sum(3, region=top))}.",
            "notes 6": f"The five customers stand for {share} % of the revenue in March.",
        }

    def _sentences(self) -> dict[str, str]:
        growth = {each: self.sum(3, region=each) / self.sum(2, region=each) for each in self.regions}
        best, worst = max(growth, key=lambda each: growth[each]), min(growth, key=lambda each: growth[each])
        largest = max(self.groups, key=lambda each: self.sum(3, product_group=each))
        share = _tenth(100 * self.sum(3, product_group=largest) / self.revenue[3])
        total, planned = sum(self.revenue.values(), Decimal(0)), sum(self.plan.values(), Decimal(0))
        off = _tenth(100 * (total / planned - 1))
        return {
            "Message regions": f"{best} made the largest step on February ({_change(growth[best], 1)} %), "
            f"{worst} the weakest ({_change(growth[worst], 1)} %).",
            "Message plan": f"Since January we have {self.euros(total)}, which is {abs(off)} % "
            f"{'above' if off > 0 else 'below'} the plan of {self.euros(planned)}.",
            "Message groups": f"{largest} is the largest product group with {share} % of the revenue.",
        }


def _tenth(value: Decimal) -> Decimal:
    return value.quantize(Decimal("0.1"), ROUND_HALF_UP) + 0


def _change(now: Decimal | int, then: Decimal | int) -> str:
    return f"{_tenth(100 * (Decimal(now) / Decimal(then) - 1)):+}"


def agent_chart(agent: Agent, slide: int) -> Mapping[str, Any]:
    """What the chart of a slide shows now."""
    shapes = agent.call("read_slides", path=PATH, slides=[slide])["slides"][0]["shapes"]
    found: Mapping[str, Any] = next(each["chart"] for each in shapes if each.get("chart"))
    return found


def _doubled(agent: Agent) -> str:
    """The order whose line is there twice, from the controller's mail."""
    for path in sorted(re.findall(r"[\w.-]+\.eml", agent.text("list_folder", path="mail"))):
        text = quopri.decodestring(agent.call("read_file", path=f"mail/{path}")["content"].encode()).decode()
        found = re.search(r"line of (SO-\d+) twice", " ".join(text.split()))
        if found:
            return found.group(1)
    raise LookupError("no mail speaks of a doubled line")


def _records(agent: Agent, path: str, sheet: str) -> list[Mapping[str, Any]]:
    found: list[Mapping[str, Any]] = []
    offset: int | None = 0
    while offset is not None:
        page = agent.call("read_records", path=path, sheet=sheet, offset=offset, limit=1000)
        found += page["records"]
        offset = page.get("next_offset")
    return found


def _set_texts(agent: Agent, texts: Mapping[str, str]) -> None:
    slides = agent.call("read_slides", path=PATH)["slides"]
    for slide in slides[:6]:
        for shape in slide["shapes"]:
            key = f"title {slide['number']}" if shape.get("role", "").lower() in _TITLES else shape["name"]
            if key in texts:
                agent.call(
                    "set_shape_text", path=PATH, slide=slide["number"], shape=shape["id"], paragraphs=[texts[key]]
                )


_TITLES = ("title", "ctrtitle", "center_title", "centertitle")


def _set_table(agent: Agent, figures: _Figures) -> None:
    operation = {"op": "set", "row": 2, "column": 1, "values": figures.table()}
    agent.call("edit_slide_table", path=PATH, slide=6, shape="Customers", operations=[operation])
