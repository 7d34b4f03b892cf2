"""Solutions and near misses of office/deck_update."""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import InDeck, open_edited
from yardkit.evaluators.misses.decks import (
    CHART,
    find_chart,
    find_shape,
    list_chart_values,
    open_chart_book,
    place_shape,
    set_letters,
    set_text,
)
from yardkit.evaluators.office.deck_update.figures import PATH, Figures
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

TILES = ("Revenue", "Orders", "Average order", "On time")


def solve(agent: Agent) -> str:
    """Work out the figures, set texts, charts, table and notes, make room, look."""
    figures = Figures(agent)
    texts = figures.map_texts()
    _set_texts(agent, texts)
    values = [f"{tile} value" for tile in TILES]
    agent.call("format_shape_text", path=PATH, slide=2, shapes=values, size_pt=26)
    charts = figures.list_charts()
    highest = {n: max(value for record in charts[n][1] for value in record["values"]) for n in (3, 4)}
    _write_charts(agent, charts, {number: round(value * 1.1, -1) for number, value in highest.items()})
    _set_table_and_notes(agent, figures, texts)
    agent.call("render_pages", path=PATH, pages="1-6", dpi=50)
    return f"The deck is ready.\n\n{figures.format_euros(figures.revenue[3])}"


def alternative_months_replaced_and_tiles_widened(agent: Agent, _files: Path) -> str:
    """Notes first, words replaced one by one, boxes of the values made wider, figures of the charts not rounded.

    The points of the last tile are the exact difference, rounded once.
    """
    figures = Figures(agent)
    texts = {**figures.map_texts(), "On time change": figures.exact_points()}
    _set_table_and_notes(agent, figures, texts)
    _write_charts(agent, figures.list_charts(exact=True), {3: 2000})
    _set_texts(agent, texts)
    moves = [
        {"op": "move", "slide": 2, "shapes": [f"{tile} value"], "left_cm": 2.0 + 7.62 * n, "width_cm": 7.0}
        for n, tile in enumerate(TILES)
    ]
    agent.call("edit_slide_shapes", path=PATH, edits=moves)
    agent.call("format_shape_text", path=PATH, slide=2, shapes=["Revenue value"], size_pt=28)
    agent.call("render_contact_sheet", path=PATH)
    return str(figures.revenue[3].quantize(Decimal(1), ROUND_HALF_UP))


def alternative_by_another_program(agent: Agent, files: Path) -> str:
    """Everything by python-pptx: data of the charts elsewhere in the workbooks, the scale freed, texts in runs."""
    figures = Figures(agent)
    _by_pptx(files / PATH, figures)
    agent.call("render_pages", path=PATH, pages="2-3", dpi=50)
    return f"{figures.format_euros(figures.revenue[3])}"


def _by_pptx(path: Path, figures: Figures) -> None:
    texts = figures.map_texts()
    with open_edited(path) as read:
        for number, slide in enumerate(read.slides, 1):
            for shape in slide.shapes:
                key = f"title {number}" if shape == slide.shapes.title else shape.name
                if key in texts:
                    set_text(shape, texts[key])
                if shape.name.endswith(" value"):
                    set_letters(shape, size_pt=24)
                if shape.has_chart:
                    _redraw_chart(shape.chart, number, figures)
                if shape.name == "Customers":
                    for row, cells in zip(list(shape.table.rows)[1:], figures.table(), strict=True):
                        for cell, text in zip(row.cells, cells, strict=True):
                            set_text(cell, text)
            if f"notes {number}" in texts:
                slide.notes_slide.notes_text_frame.text = texts[f"notes {number}"]


def _redraw_chart(chart: Any, slide: int, figures: Figures) -> None:
    """The chart of the regions gets a free scale, and three rows above its figures in a sheet of another name."""
    from pptx.chart.data import CategoryChartData

    data = CategoryChartData(number_format="0.0")
    data.categories, series = figures.list_charts()[slide]
    for record in series:
        data.add_series(record["name"], record["values"])
    chart.replace_data(data)
    if slide == 3:
        chart.value_axis.maximum_scale = None
        with open_chart_book(chart) as book:
            book.worksheets[0].insert_rows(1, 3)
            book.worksheets[0].title = "New figures"
        for reference in chart._chartSpace.iter(f"{CHART}f"):
            area = re.sub(r"\$(\d+)", lambda row: f"${int(row[1]) + 3}", reference.text.rpartition("!")[2])
            reference.text = f"'New figures'!{area}"


DECK = InDeck(PATH)


@caught_by_leaf("regions", "tiles", "answer", "customers")
def near_miss_line_counted_twice(work: Solved) -> None:
    """Figures as if the doubled line were two orders: the region, the customer, the tile."""
    work.answer = doubled = work.facts["doubled"]
    with open_edited(work.files / PATH) as read:
        set_text(find_shape(read.slides[1], "Revenue value"), doubled)
        value = list_chart_values(find_chart(read.slides[2]))[-1][-1]
        value.text = str(float(value.text) + 4.2)
        set_text(find_shape(read.slides[5], "Customers").table.cell(1, 3), "EUR 1")


@misses.make_edit_decorator(PATH, caught_by=("regions", "plan"))
def near_miss_february_as_it_was_shown(read: Any) -> None:
    """The figures of February are those of the old deck."""
    by_region, (_, actual) = (list_chart_values(find_chart(read.slides[number])) for number in (2, 3))
    for value in (*by_region[0], actual[1]):
        value.text = str(float(value.text) + 3.4)


@misses.make_edit_decorator(PATH, caught_by=("tiles", "sentences", "notes", "customers"))
def near_miss_figures_a_little_off(read: Any) -> None:
    """Percentages are a tenth beside the truth, amounts a euro."""

    def move_on(text: str) -> str:
        return re.sub(r"\d+\.\d", lambda match: str(Decimal(match[0]) + Decimal("0.1")), text)

    for shape in (find_shape(read.slides[1], "Average order change"), find_shape(read.slides[4], "Message groups")):
        set_text(shape, move_on(shape.text_frame.text))
    notes = read.slides[5].notes_slide.notes_text_frame
    notes.text = move_on(notes.text)
    cell = find_shape(read.slides[5], "Customers").table.cell(5, 3)
    set_text(cell, f"EUR {int(re.sub(r'[^0-9]', '', cell.text)) + 1:,}")


@misses.make_edit_decorator(PATH, caught_by=("regions", "groups", "editable", "labels"))
def near_miss_charts_a_little_off(read: Any) -> None:
    """A value of a chart is a tenth beside the truth, in the picture and in its data."""
    for chart in (find_chart(read.slides[2]), find_chart(read.slides[4])):
        value = list_chart_values(chart)[0][0]
        value.text = str(round(float(value.text) + 0.1, 1))
        with open_chart_book(chart) as book:
            book.worksheets[0]["B2"] = float(value.text)


near_miss_subtitle_of_last_time = DECK.edit_text(
    1, "Subtitle", lambda _, work: work.facts["was"]["Subtitle"], caught_by="titles"
)
near_miss_notes_of_last_month = DECK.edit_notes(6, lambda _, work: work.facts["was"]["notes 6"], caught_by="notes")


@misses.make_edit_decorator(PATH, caught_by="kept")
def near_miss_every_february_replaced(read: Any) -> None:
    """The outlook speaks of March too."""
    for shape in read.slides[6].placeholders:
        for run in (run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs):
            run.text = run.text.replace("February", "March")


@misses.make_edit_decorator(PATH, caught_by="one_line")
def near_miss_value_on_two_lines(read: Any) -> None:
    """The revenue is as large as it was and breaks."""
    shape = find_shape(read.slides[1], "Revenue value")
    place_shape(shape, left=23, width=64)
    set_letters(shape, size_pt=30)


@misses.make_edit_decorator(PATH, caught_by="whole")
def near_miss_column_cut_off(read: Any, work: Solved) -> None:
    """The scale of the regions still ends where it ended."""
    highest = max(work.facts["charts"]["3"]["series"]["February"])
    find_chart(read.slides[2]).value_axis.maximum_scale = highest


@misses.make_edit_decorator(PATH, caught_by="editable")
def near_miss_workbook_inside_is_old(read: Any, work: Solved) -> None:
    """The chart shows the new figures, but whoever edits its data finds the old ones."""
    import pptx

    old = pptx.Presentation(str(work.files / "decks/monthly_review_2026-02.pptx"))
    blob = find_chart(old.slides[2]).part.chart_workbook.xlsx_part.blob
    find_chart(read.slides[2]).part.chart_workbook.xlsx_part._blob = blob


@misses.make_edit_decorator(PATH, caught_by="editable")
def near_miss_chart_refers_to_other_cells(read: Any) -> None:
    """The new figures are in the workbook inside, but each series leads to the cells of the other one."""
    series = find_chart(read.slides[2])._chartSpace.iter(f"{CHART}val")
    first, second = (next(data_series.iter(f"{CHART}f")) for data_series in series)
    first.text, second.text = second.text, first.text


@misses.make_edit_decorator(PATH, caught_by="editable")
def near_miss_figures_written_out(read: Any) -> None:
    """A chart holds its figures itself and refers to nothing."""
    for values in find_chart(read.slides[3])._chartSpace.iter(f"{CHART}val"):
        number_cache = values[0].find(f"{CHART}numCache")
        number_cache.tag = f"{CHART}numLit"
        values.replace(values[0], number_cache)


@misses.make_edit_decorator(PATH, caught_by="tiles")
def near_miss_value_and_change_swapped(read: Any) -> None:
    """The large figure of a tile is the change, below it stands the value."""
    value, change = (find_shape(read.slides[1], f"Orders {part}") for part in ("value", "change"))
    texts = value.text_frame.text, change.text_frame.text
    set_text(value, texts[1])
    set_text(change, texts[0])


@misses.make_edit_decorator(PATH, caught_by="design")
def near_miss_formats_of_a_tile_lost(read: Any) -> None:
    """A value was set anew, in the size and colour that any text has."""
    frame = find_shape(read.slides[1], "On time value").text_frame
    frame.text = frame.text


@misses.make_edit_decorator(PATH, caught_by="design")
def near_miss_columns_of_another_colour(read: Any) -> None:
    """The new month has a colour of its own."""
    from pptx.dml.color import RGBColor

    fill = find_chart(read.slides[2]).plots[0].series[1].format.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(200, 0, 160)


near_miss_customer_in_white = DECK.edit_shape(
    6, "Customers", lambda shape: set_letters(shape.table.cell(2, 1), color="FFFFFF"), caught_by="design"
)
near_miss_title_of_an_axis_gone = DECK.edit_chart(
    4, lambda chart: setattr(chart.value_axis, "has_title", False), caught_by="design"
)
near_miss_letters_of_a_chart_too_small = DECK.edit_chart(
    3, lambda chart: setattr(chart.font, "size", 63_500), caught_by="design"
)
near_miss_figures_on_the_columns_gone = DECK.edit_chart(
    3, lambda chart: setattr(chart.plots[0], "has_data_labels", False), caught_by="labels"
)
near_miss_slide_hidden = DECK.slide_hidden(5, caught_by="on_slide")
near_miss_table_moved = DECK.edit_shape(
    6, "Customers", lambda shape: setattr(shape, "top", shape.top + 360_000), caught_by="on_slide"
)
near_miss_never_looked = misses.never_looked()
near_miss_old_deck_changed_too = misses.delete_file("decks/monthly_review_2026-02.pptx", caught_by="others")


def _set_texts(agent: Agent, texts: Mapping[str, str]) -> None:
    for slide in agent.call("read_slides", path=PATH)["slides"][:6]:
        number = slide["number"]
        for shape in slide["shapes"]:
            key = f"title {number}" if "title" in (shape.get("role") or "").lower().split("_") else shape["name"]
            if key in texts:
                agent.call("set_shape_text", path=PATH, slide=number, shape=shape["id"], paragraphs=[texts[key]])


def _write_charts(agent: Agent, charts: Mapping[int, Any], ends: Mapping[int, float]) -> None:
    """Write charts by slide; `ends` are where their scales end."""
    for number, (categories, series) in charts.items():
        data = {"shape": f"Chart {number}", "categories": categories, "series": series}
        look = {"value_max": ends[number]} if number in ends else None
        agent.call("write_slide_chart", path=PATH, slide=number, **data, look=look)


def _set_table_and_notes(agent: Agent, figures: Figures, texts: Mapping[str, str]) -> None:
    operation = {"op": "set", "row": 2, "column": 1, "values": figures.table()}
    agent.call("edit_slide_table", path=PATH, slide=6, shape="Customers", edits=[operation])
    notes = [{"slide": int(key[6:]), "text": text} for key, text in texts.items() if key.startswith("notes")]
    agent.call("set_speaker_notes", path=PATH, notes=notes)
