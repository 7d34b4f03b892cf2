"""Solutions and near misses of office/deck_update."""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
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
    for number, (categories, series) in figures.list_charts().items():
        highest = max(value for record in series for value in record["values"])
        look = {"value_max": round(highest * 1.1, -1)} if number < 5 else None
        shape = f"Chart {number}"
        agent.call(
            "write_slide_chart", path=PATH, slide=number, shape=shape, categories=categories, series=series, look=look
        )
    _set_table(agent, figures)
    notes = [{"slide": int(key[6:]), "text": text} for key, text in texts.items() if key.startswith("notes")]
    agent.call("set_speaker_notes", path=PATH, notes=notes)
    agent.call("render_pages", path=PATH, pages="1-6", dpi=50)
    return f"The deck is ready.\n\n{figures.format_euros(figures.revenue[3])}"


def alternative_months_replaced_and_tiles_widened(agent: Agent, _files: Path) -> str:
    """Notes first, words replaced one by one, boxes of the values made wider, figures of the charts not rounded.

    The points of the last tile are the exact difference, rounded once.
    """
    figures = Figures(agent)
    texts = {**figures.map_texts(), "On time change": figures.exact_points()}
    notes = [{"slide": int(key[6:]), "text": text} for key, text in texts.items() if key.startswith("notes")]
    agent.call("set_speaker_notes", path=PATH, notes=notes)
    _set_table(agent, figures)
    for number, (categories, series) in figures.list_charts(exact=True).items():
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
    import pptx
    from pptx.util import Pt

    read, texts = pptx.Presentation(str(path)), figures.map_texts()
    for number, slide in enumerate(read.slides, 1):
        _set_text(slide.shapes.title, texts.get(f"title {number}"))
        for shape in slide.shapes:
            _set_text(shape, texts.get(shape.name))
            if shape.name.endswith(" value"):
                shape.text_frame.paragraphs[0].runs[0].font.size = Pt(24)
            if shape.has_chart:
                _redraw_chart(shape.chart, number, figures)
            if shape.name == "Customers":
                for row, cells in zip(list(shape.table.rows)[1:], figures.table(), strict=True):
                    for cell, text in zip(row.cells, cells, strict=True):
                        cell.text_frame.paragraphs[0].runs[0].text = text
        if f"notes {number}" in texts:
            slide.notes_slide.notes_text_frame.text = texts[f"notes {number}"]
    read.save(str(path))


def _redraw_chart(chart: Any, slide: int, figures: Figures) -> None:
    from pptx.chart.data import CategoryChartData

    data = CategoryChartData(number_format="0.0")
    data.categories, series = figures.list_charts()[slide]
    for record in series:
        data.add_series(record["name"], record["values"])
    chart.replace_data(data)
    if slide == 3:
        chart.value_axis.maximum_scale = None
        _lower_figures(chart)


def _lower_figures(chart: Any) -> None:
    """Three rows are put above the figures in the workbook, whose sheet gets another name."""
    import io

    import openpyxl

    inside, buffer = chart.part.chart_workbook.xlsx_part, io.BytesIO()
    opened = openpyxl.load_workbook(io.BytesIO(inside.blob))
    opened.worksheets[0].insert_rows(1, 3)
    opened.worksheets[0].title = "New figures"
    opened.save(buffer)
    inside._blob = buffer.getvalue()
    for reference in chart._chartSpace.iter(f"{_c}f"):
        area = re.sub(r"\$(\d+)", lambda row: f"${int(row[1]) + 3}", reference.text.rpartition("!")[2])
        reference.text = f"'New figures'!{area}"


def _set_text(shape: Any, text: str | None) -> None:
    if text is not None:
        shape.text_frame.paragraphs[0].runs[0].text = text


@caught_by_leaf("regions", "tiles", "answer", "customers")
def near_miss_line_counted_twice(work: Solved) -> None:
    """Figures as if the doubled line were two orders: the region, the customer, the tile."""
    with open_edited(work.files / PATH) as read:
        _set_text(_find_shape(read, 2, "Revenue value"), work.facts["doubled"])
        numbers = [
            value for value in _find_shape(read, 3, "Chart 3").chart._chartSpace.iter(_v) if _is_number(value.text)
        ]
        numbers[-1].text = str(float(numbers[-1].text) + 4.2)
        _set_text(_find_shape(read, 6, "Customers").table.cell(1, 3), "EUR 1")
    work.answer = work.facts["doubled"]


@misses.make_edit_decorator(PATH, caught_by=("regions", "plan"))
def near_miss_february_as_it_was_shown(read: Any) -> None:
    """The figures of February are those of the old deck."""
    for number, series, point in ((3, 0, None), (4, 1, 1)):
        chart = _find_shape(read, number, f"Chart {number}").chart
        values = list(chart._chartSpace.findall(f".//{_c}ser")[series].find(f"{_c}val").iter(_v))
        for value in values if point is None else values[point : point + 1]:
            value.text = str(float(value.text) + 3.4)


@misses.make_edit_decorator(PATH, caught_by=("tiles", "sentences", "notes", "customers"))
def near_miss_figures_a_little_off(read: Any, work: Solved) -> None:
    """Percentages are a tenth beside the truth, amounts a euro."""
    for slide, name in ((2, "Average order change"), (5, "Message groups")):
        run = _find_shape(read, slide, name).text_frame.paragraphs[0].runs[0]
        run.text = _a_little_off(run.text)
    _set_note(read, 6, _a_little_off(work.facts["wanted"]["notes 6"]))
    cell = _find_shape(read, 6, "Customers").table.cell(5, 3)
    cell.text_frame.paragraphs[0].runs[0].text = f"EUR {int(_strip_to_digits(cell.text)) + 1:,}"


@misses.make_edit_decorator(PATH, caught_by=("regions", "groups", "editable", "labels"))
def near_miss_charts_a_little_off(read: Any) -> None:
    """A value of a chart is a tenth beside the truth, in the picture and in its data."""
    import io

    import openpyxl

    for number in (3, 5):
        chart = _find_shape(read, number, f"Chart {number}").chart
        value_element = next(next(chart._chartSpace.iter(f"{_c}val")).iter(_v))
        value_element.text = str(round(float(value_element.text) + 0.1, 1))
        inside, buffer = chart.part.chart_workbook.xlsx_part, io.BytesIO()
        opened = openpyxl.load_workbook(io.BytesIO(inside.blob))
        opened.worksheets[0]["B2"] = float(value_element.text)
        opened.save(buffer)
        inside._blob = buffer.getvalue()


@misses.make_edit_decorator(PATH, caught_by="titles")
def near_miss_subtitle_of_last_time(read: Any, work: Solved) -> None:
    """The date of the last meeting."""
    _set_text(_find_shape(read, 1, "Subtitle"), work.facts["was"]["Subtitle"])


@misses.make_edit_decorator(PATH, caught_by="notes")
def near_miss_notes_of_last_month(read: Any, work: Solved) -> None:
    """The notes of the table are as they were."""
    _set_note(read, 6, work.facts["was"]["notes 6"])


@misses.make_edit_decorator(PATH, caught_by="kept")
def near_miss_every_february_replaced(read: Any) -> None:
    """The outlook speaks of March too."""
    for shape in read.slides[6].placeholders:
        for run in (run for paragraph in shape.text_frame.paragraphs for run in paragraph.runs):
            run.text = run.text.replace("February", "March")


@misses.make_edit_decorator(PATH, caught_by="one_line")
def near_miss_value_on_two_lines(read: Any) -> None:
    """The revenue is as large as it was and breaks."""
    from pptx.util import Mm, Pt

    shape = _find_shape(read, 2, "Revenue value")
    shape.left, shape.width = Mm(23), Mm(64)
    shape.text_frame.paragraphs[0].runs[0].font.size = Pt(30)


@misses.make_edit_decorator(PATH, caught_by="whole")
def near_miss_column_cut_off(read: Any, work: Solved) -> None:
    """The scale of the regions still ends where it ended."""
    highest = max(work.facts["charts"]["3"]["series"]["February"])
    _find_shape(read, 3, "Chart 3").chart.value_axis.maximum_scale = highest


@misses.make_edit_decorator(PATH, caught_by="editable")
def near_miss_workbook_inside_is_old(read: Any, work: Solved) -> None:
    """The chart shows the new figures, but whoever edits its data finds the old ones."""
    import pptx

    old = pptx.Presentation(str(work.files / "decks/monthly_review_2026-02.pptx"))
    blob = _find_shape(old, 3, "Chart 3").chart.part.chart_workbook.xlsx_part.blob
    _find_shape(read, 3, "Chart 3").chart.part.chart_workbook.xlsx_part._blob = blob


@misses.make_edit_decorator(PATH, caught_by="editable")
def near_miss_chart_refers_to_other_cells(read: Any) -> None:
    """The new figures are in the workbook inside, but each series leads to the cells of the other one."""
    series = _find_shape(read, 3, "Chart 3").chart._chartSpace.iter(f"{_c}val")
    first, second = (next(data_series.iter(f"{_c}f")) for data_series in series)
    first.text, second.text = second.text, first.text


@misses.make_edit_decorator(PATH, caught_by="editable")
def near_miss_figures_written_out(read: Any) -> None:
    """A chart holds its figures itself and refers to nothing."""
    for values in _find_shape(read, 4, "Chart 4").chart._chartSpace.iter(f"{_c}val"):
        number_cache = values[0].find(f"{_c}numCache")
        number_cache.tag = f"{_c}numLit"
        values.replace(values[0], number_cache)


@misses.make_edit_decorator(PATH, caught_by="tiles")
def near_miss_value_and_change_swapped(read: Any) -> None:
    """The large figure of a tile is the change, below it stands the value."""
    value, change = (_find_shape(read, 2, f"Orders {part}").text_frame.paragraphs[0].runs[0] for part in _PARTS)
    value.text, change.text = change.text, value.text


@misses.make_edit_decorator(PATH, caught_by="design")
def near_miss_formats_of_a_tile_lost(read: Any) -> None:
    """A value was set anew, in the size and colour that any text has."""
    frame = _find_shape(read, 2, "On time value").text_frame
    frame.text = frame.text


@misses.make_edit_decorator(PATH, caught_by="design")
def near_miss_customer_in_white(read: Any) -> None:
    """A name in the table cannot be read."""
    from pptx.dml.color import RGBColor

    cell = _find_shape(read, 6, "Customers").table.cell(2, 1)
    cell.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 255, 255)


@misses.make_edit_decorator(PATH, caught_by="design")
def near_miss_columns_of_another_colour(read: Any) -> None:
    """The new month has a colour of its own."""
    from pptx.dml.color import RGBColor

    fill = _find_shape(read, 3, "Chart 3").chart.plots[0].series[1].format.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(200, 0, 160)


@misses.make_edit_decorator(PATH, caught_by="design")
def near_miss_title_of_an_axis_gone(read: Any) -> None:
    """Nothing says that the columns are thousands of euros."""
    _find_shape(read, 4, "Chart 4").chart.value_axis.has_title = False


@misses.make_edit_decorator(PATH, caught_by="design")
def near_miss_letters_of_a_chart_too_small(read: Any) -> None:
    """Regions and figures are written so small that nobody reads them."""
    from pptx.util import Pt

    _find_shape(read, 3, "Chart 3").chart.font.size = Pt(5)


@misses.make_edit_decorator(PATH, caught_by="labels")
def near_miss_figures_on_the_columns_gone(read: Any) -> None:
    """A chart has no labels."""
    _find_shape(read, 3, "Chart 3").chart.plots[0].has_data_labels = False


@misses.make_edit_decorator(PATH, caught_by="on_slide")
def near_miss_slide_hidden(read: Any) -> None:
    """The product groups are not shown."""
    read.slides[4]._element.set("show", "0")


@misses.make_edit_decorator(PATH, caught_by="on_slide")
def near_miss_table_moved(read: Any) -> None:
    """The table stands further down."""
    shape = _find_shape(read, 6, "Customers")
    shape.top += 360_000


near_miss_never_looked = misses.never_looked()


near_miss_old_deck_changed_too = misses.delete_file("decks/monthly_review_2026-02.pptx", caught_by="others")


_c = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_v = f"{_c}v"
_PARTS = ("value", "change")


def _find_shape(read: Any, slide: int, name: str) -> Any:
    return next(shape for shape in read.slides[slide - 1].shapes if shape.name == name)


def _set_note(read: Any, slide: int, text: str) -> None:
    read.slides[slide - 1].notes_slide.notes_text_frame.text = text


def _a_little_off(text: str) -> str:
    """The text with its number with one decimal a tenth further from zero."""
    return re.sub(r"\d+\.\d", lambda match: str(Decimal(match[0]) + Decimal("0.1")), text)


def _strip_to_digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\d+(\.\d+)?", text) is not None


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


def _set_table(agent: Agent, figures: Figures) -> None:
    operation = {"op": "set", "row": 2, "column": 1, "values": figures.table()}
    agent.call("edit_slide_table", path=PATH, slide=6, shape="Customers", edits=[operation])
