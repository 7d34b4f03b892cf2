"""Solutions and near misses of office/deck_repair."""

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved, caught_by_leaf

PATH = "deck/investor_update.pptx"
DATA = "data/figures_2025.xlsx"
WIDTH_CM = 33.867
DARK = "1F2A44"


def solve(agent: Agent) -> str:
    """Measure, repair finding by finding, put the figure right, look."""
    agent.call("read_document", path="rules/rules_for_slides.docx")
    findings = agent.call("check_deck", path=PATH, min_size_pt=12)["findings"]
    for deck_finding in findings:
        _repair_finding(agent, deck_finding)
    _room_for_pictures(agent)
    _room_for_remark(agent)
    wrong = _put_right(agent)
    agent.call("render_pages", path=PATH, pages="1-12", dpi=40)
    return f"Repaired. The wrong number was:\n{wrong:g}"


def _repair_finding(agent: Agent, deck_finding: Mapping[str, Any]) -> None:
    kind, slide, shape = deck_finding["kind"], deck_finding["slide"], deck_finding.get("shape", 0)
    if kind == "small_text":
        agent.call("format_shape_text", path=PATH, slide=slide, shapes=[shape], size_pt=12)
    elif kind == "low_contrast":
        agent.call("format_shape_text", path=PATH, slide=slide, shapes=[shape], color=DARK)
    elif kind == "missing_alt_text":
        alt = f"Picture of the slide's subject: {_read_title(agent, slide)}"
        edit = {"op": "describe", "slide": slide, "shapes": [shape], "alt_text": alt}
        agent.call("edit_slide_shapes", path=PATH, edits=[edit])
    elif kind == "overflow":
        _make_room(agent, slide, shape)


def _make_room(agent: Agent, slide: int, shape: int) -> None:
    """A title gets smaller letters; a list the width of the slide, and its source a place below it."""
    shapes = _read_shapes(agent, slide)
    if next(known for known in shapes if known["id"] == shape)["name"].startswith("Title"):
        agent.call("format_shape_text", path=PATH, slide=slide, shapes=[shape], size_pt=20)
        return
    moves = [
        {"op": "move", "slide": slide, "shapes": [shape], "width_cm": 29.8, "height_cm": 11.6},
        {"op": "move", "slide": slide, "shapes": ["Source"], "top_cm": 16.4},
    ]
    agent.call("edit_slide_shapes", path=PATH, edits=moves)


def _room_for_pictures(agent: Agent) -> None:
    """The picture that reaches over the edge lies beside the other one, each caption below its picture."""
    slide = _slide_named(agent, "Our two new sites")
    boxes = {shape["name"]: shape["box_cm"] for shape in _read_shapes(agent, slide)}
    moves = [
        {"op": "move", "slide": slide, "shapes": ["Picture 2"], "left_cm": WIDTH_CM - 2 - boxes["Picture 2"][2]},
        {"op": "move", "slide": slide, "shapes": ["Caption 2"], "top_cm": boxes["Caption 1"][1]},
    ]
    agent.call("edit_slide_shapes", path=PATH, edits=moves)


def _room_for_remark(agent: Agent) -> None:
    """The chart leaves the right of the slide to the remark."""
    slide = _slide_named(agent, "Revenue by region")
    moves = [
        {"op": "move", "slide": slide, "shapes": ["Chart Revenue by region"], "width_cm": 22.0},
        {"op": "move", "slide": slide, "shapes": ["Remark"], "left_cm": 24.6, "top_cm": 8.0},
    ]
    agent.call("edit_slide_shapes", path=PATH, edits=moves)


def _put_right(agent: Agent) -> float:
    """Compare each chart with its sheet; the number that was wrong."""
    for slide in agent.call("read_slides", path=PATH)["slides"]:
        for shape in slide["shapes"]:
            if shape.get("chart"):
                series = shape["chart"]["series"][0]
                sheet = shape["name"].removeprefix("Chart ")
                rows = agent.call("read_cells", path=DATA, sheet=sheet)["rows"]
                exact = [_read_cell_number(row, 1) for row in rows[1:]]
                wrong = [n for n, value in enumerate(series["values"]) if abs(value - exact[n]) > 0.06]
                if wrong:
                    values = list(series["values"])
                    values[wrong[0]] = round(exact[wrong[0]], 1)
                    agent.call(
                        "write_slide_chart",
                        path=PATH,
                        slide=slide["number"],
                        shape=shape["id"],
                        series=[{"name": series["name"], "values": values}],
                    )
                    return float(series["values"][wrong[0]])
    raise LookupError("all charts agree with the data")


def _read_cell_number(row: Any, column: int) -> float:
    cells = row["cells"] if isinstance(row, Mapping) else row
    cell = cells[column]
    return float(cell["value"] if isinstance(cell, Mapping) else cell)


def _read_shapes(agent: Agent, slide: int) -> list[Mapping[str, Any]]:
    shapes: list[Mapping[str, Any]] = agent.call("read_slides", path=PATH, slides=[slide])["slides"][0]["shapes"]
    return shapes


def _read_slides(agent: Agent) -> list[Mapping[str, Any]]:
    slides: list[Mapping[str, Any]] = agent.call("inspect_deck", path=PATH)["slides"]
    return slides


def _read_title(agent: Agent, slide: int) -> str:
    return str(_read_slides(agent)[slide - 1]["title"])


def _slide_named(agent: Agent, title: str) -> int:
    return int(next(slide["number"] for slide in _read_slides(agent) if slide["title"] == title))


def alternative_other_repairs_by_another_program(agent: Agent, files: Path) -> str:
    """By python-pptx: smaller letters, a narrower list left as wide, a dark panel, the remark below the chart."""
    wrong = _put_right(agent)
    with open_edited(files / PATH) as read:
        _repair_deck(read)
    agent.call("render_contact_sheet", path=PATH)
    return f"{wrong:g} was wrong.\n**{wrong:g}**"


def _repair_deck(read: Any) -> None:
    from pptx.util import Mm, Pt

    for slide in read.slides:
        shapes = {shape.name: shape for shape in slide.shapes}
        title = slide.shapes.title
        if len(title.text_frame.text) > 100:
            title.top, title.height, title.left, title.width = Mm(9), Mm(32), Mm(15), Mm(310)
            _resize_text(title, Pt(22))
        for name, shape in shapes.items():
            if name.startswith("Terms"):
                _resize_text(shape, Pt(14))
            if shape.shape_type is not None and name.startswith(("Picture", "Chart")):
                about = shape._element.xpath(".//p:cNvPr")[0]
                about.set("descr", about.get("descr") or f"{title.text_frame.text}, as told on the slide")
        _rearrange_shapes(slide, shapes)


def _rearrange_shapes(slide: Any, shapes: Mapping[str, Any]) -> None:
    from pptx.dml.color import RGBColor
    from pptx.util import Mm, Pt

    if "Panel 1" in shapes:
        for name in ("Panel 1", "Panel 2", "Panel 3"):
            shapes[name].fill.fore_color.rgb = RGBColor.from_string(DARK)
        shapes["Remark"].text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor.from_string("404040")
    elif "Remark" in shapes:
        shapes["Chart Revenue by region"].height = Mm(106)
        shapes["Remark"].left, shapes["Remark"].top, shapes["Remark"].width = Mm(20), Mm(156), Mm(200)
    if "Source" in shapes:
        _resize_text(slide.placeholders[1], Pt(16))
        slide.placeholders[1].height, shapes["Source"].top = Mm(112), Mm(160)
    if "Caption 2" in shapes:
        shapes["Picture 2"].left, shapes["Caption 2"].top = Mm(178), Mm(132)


def _resize_text(shape: Any, size: Any) -> None:
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.size = size


def alternative_figure_first_and_list_shrunk(agent: Agent, _files: Path) -> str:
    """The figure first; the picture made smaller; the list in smaller letters beside what it was."""
    wrong = _put_right(agent)
    for deck_finding in agent.call("check_deck", path=PATH, min_size_pt=12)["findings"]:
        if deck_finding["kind"] != "overflow":
            _repair_finding(agent, deck_finding)
    long = next(spec["number"] for spec in _read_slides(agent) if len(spec["title"]) > 100)
    agent.call("format_shape_text", path=PATH, slide=long, shapes=["Title 1"], size_pt=22)
    agent.call(
        "edit_slide_shapes",
        path=PATH,
        edits=[
            {
                "op": "move",
                "slide": long,
                "shapes": ["Title 1"],
                "left_cm": 1.5,
                "top_cm": 1.0,
                "width_cm": 31,
                "height_cm": 3,
            }
        ],
    )
    slide = _slide_named(agent, "The year in short")
    body = next(shape["id"] for shape in _read_shapes(agent, slide) if shape["name"].startswith("Content"))
    agent.call("format_shape_text", path=PATH, slide=slide, shapes=[body], size_pt=14)
    moves = [
        {"op": "move", "slide": slide, "shapes": [body], "left_cm": 2, "width_cm": 26, "height_cm": 10},
        {"op": "move", "slide": slide, "shapes": ["Source"], "top_cm": 15.5},
    ]
    agent.call("edit_slide_shapes", path=PATH, edits=moves)
    _room_for_remark(agent)
    _room_for_pictures(agent)
    agent.call("render_pages", path=PATH, pages="3-8", dpi=40)
    return f"{wrong:g}"


@misses.make_edit_decorator(PATH, caught_by="wording")
def near_miss_title_shortened(read: Any, work: Solved) -> None:
    """The long title fits because half of it is gone."""
    number = work.facts["slides"]["title"]
    _set_text(read.slides[number - 1].shapes.title, "Revenue grew in every quarter")


@misses.make_edit_decorator(PATH, caught_by="title")
def near_miss_title_as_large_as_it_was(read: Any, work: Solved) -> None:
    """Three lines of 32 pt."""
    from pptx.util import Pt

    number = work.facts["slides"]["title"]
    _resize_text(read.slides[number - 1].shapes.title, Pt(32))


@caught_by_leaf("list")
def near_miss_source_still_in_the_list(work: Solved) -> None:
    """The list has its room, but the source stands where it stood."""
    _move_shape(work, "overflow", "Source", top=84)


@misses.make_edit_decorator(PATH, caught_by="large")
def near_miss_letters_shrunk_to_fit(read: Any, work: Solved) -> None:
    """The list fits in letters of 10 pt."""
    from pptx.util import Pt

    number = work.facts["slides"]["overflow"]
    _resize_text(read.slides[number - 1].placeholders[1], Pt(10))


@caught_by_leaf("pictures", "inside")
def near_miss_caption_below_the_edge(work: Solved) -> None:
    """Only the picture was moved."""
    _move_shape(work, "beyond", "Caption 2", top=185)


@caught_by_leaf("pictures")
def near_miss_picture_on_the_other(work: Solved) -> None:
    """The picture lies on the slide, and on the other one."""
    _move_shape(work, "beyond", "Picture 2", left=120)


@caught_by_leaf("remark")
def near_miss_remark_still_on_the_chart(work: Solved) -> None:
    """It is at another place of the chart."""
    _move_shape(work, "overlap", "Remark", left=60, top=60)


@misses.make_edit_decorator(PATH, caught_by="contrasts")
def near_miss_remark_a_bit_darker(read: Any, work: Solved) -> None:
    """Grey on white that is still too pale."""
    from pptx.dml.color import RGBColor

    remark = _find_shape(read, work.facts["slides"]["contrast"], "Remark")
    remark.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor.from_string("A6A6A6")


@misses.make_edit_decorator(PATH, caught_by="described")
def near_miss_alternative_text_is_a_name(read: Any, work: Solved) -> None:
    """The alternative text is the name of a file."""
    shape = _find_shape(read, work.facts["slides"]["picture_alt"], "Picture 1")
    shape._element.xpath(".//p:cNvPr")[0].set("descr", "image1.png")


@caught_by_leaf("figure", "answer")
def near_miss_figure_of_the_old_file(work: Solved) -> None:
    """Another number was taken for the wrong one."""
    with open_edited(work.files / PATH) as read:
        chart = next(shape.chart for shape in read.slides[work.facts["chart"]["slide"] - 1].shapes if shape.has_chart)
        values = [float(value) for value in chart.plots[0].series[0].values]
        place = next(n for n, value in enumerate(values) if abs(value - work.facts["right"]) < 0.06)
        points = chart._chartSpace.xpath(".//c:val//c:v")
        points[place].text = str(values[place] + 2.5)
    work.answer = f"{work.facts['right']}"


@misses.make_edit_decorator(PATH, caught_by="pieces")
def near_miss_chart_as_a_stamp(read: Any, work: Solved) -> None:
    """The chart made room, much too much."""
    from pptx.util import Mm

    number = work.facts["slides"]["overlap"]
    _find_shape(read, number, "Chart Revenue by region").width = Mm(120)


@misses.make_edit_decorator(PATH, caught_by="figure")
def near_miss_figure_put_right_on_the_surface(read: Any, work: Solved) -> None:
    """Whoever edits the data of the chart gets the wrong figure back."""
    import openpyxl

    chart = next(shape.chart for shape in read.slides[work.facts["chart"]["slide"] - 1].shapes if shape.has_chart)
    part = chart.part.chart_workbook.xlsx_part
    opened = openpyxl.load_workbook(io.BytesIO(part.blob))
    cells = (cell for row in opened.active.iter_rows() for cell in row if isinstance(cell.value, int | float))
    next(cell for cell in cells if abs(cell.value - work.facts["right"]) < 0.06).value = work.facts["wrong"]
    buffer = io.BytesIO()
    opened.save(buffer)
    part._blob = buffer.getvalue()


@misses.make_edit_decorator(PATH, caught_by="pieces")
def near_miss_picture_cut(read: Any, work: Solved) -> None:
    """A picture shows half of what it showed."""
    number = work.facts["slides"]["beyond"]
    _find_shape(read, number, "Picture 2").crop_right = 0.5


@misses.make_edit_decorator(PATH, caught_by="pieces")
def near_miss_remark_upside_down(read: Any, work: Solved) -> None:
    """A text is turned."""
    number = work.facts["slides"]["overlap"]
    _find_shape(read, number, "Remark").rotation = 180


@caught_by_leaf("contrasts")
def near_miss_list_in_white(work: Solved) -> None:
    """The list fits, because nobody sees it."""
    _change_color(work, work.facts["slides"]["overflow"], "FDFDFD")


@caught_by_leaf("unchanged")
def near_miss_other_letters_on_a_slide_that_was_right(work: Solved) -> None:
    """A slide without a fault has letters of another colour."""
    faulty = {work.facts["chart"]["slide"], *work.facts["slides"].values()}
    _change_color(work, max(set(range(2, len(work.facts["titles"]) + 1)) - faulty), "C00000")


near_miss_never_looked = misses.never_looked()


def _change_color(work: Solved, number: int, color: str) -> None:
    """Give the longest text of a slide another colour."""
    with open_edited(work.files / PATH) as read:
        from pptx.dml.color import RGBColor

        texts = [shape for shape in read.slides[number - 1].shapes if shape.has_text_frame]
        longest = max(texts, key=lambda text: len(text.text_frame.text))
        for paragraph in longest.text_frame.paragraphs:
            for run in paragraph.runs:
                run.font.color.rgb = RGBColor.from_string(color)


def _find_shape(read: Any, slide: int, name: str) -> Any:
    return next(shape for shape in read.slides[slide - 1].shapes if shape.name == name)


def _set_text(shape: Any, text: str) -> None:
    shape.text_frame.paragraphs[0].runs[0].text = text


def _move_shape(work: Solved, fault: str, name: str, **places_mm: float) -> None:
    """Put a shape elsewhere."""
    from pptx.util import Mm

    with open_edited(work.files / PATH) as read:
        shape = _find_shape(read, work.facts["slides"][fault], name)
        for side, value in places_mm.items():
            setattr(shape, side, Mm(value))
