"""Solutions and near misses of office/deck_repair."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import InDeck, open_edited
from yardkit.evaluators.misses.decks import (
    describe_shape,
    find_chart,
    list_chart_values,
    open_chart_book,
    place_shape,
    set_letters,
)
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import read_full_sheet

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
    if next(known for known in _read_shapes(agent, slide) if known["id"] == shape)["name"].startswith("Title"):
        agent.call("format_shape_text", path=PATH, slide=slide, shapes=[shape], size_pt=20)
        return
    _move_shapes(agent, slide, {shape: {"width_cm": 29.8, "height_cm": 11.6}, "Source": {"top_cm": 16.4}})


def _move_shapes(agent: Agent, slide: int, places: Mapping[str | int, Mapping[str, float]]) -> None:
    moves = [{"op": "move", "slide": slide, "shapes": [shape], **place} for shape, place in places.items()]
    agent.call("edit_slide_shapes", path=PATH, edits=moves)


def _room_for_pictures(agent: Agent) -> None:
    """The picture that reaches over the edge lies beside the other one, each caption below its picture."""
    slide = _slide_named(agent, "Our two new sites")
    boxes = {shape["name"]: shape["box_cm"] for shape in _read_shapes(agent, slide)}
    left, top = WIDTH_CM - 2 - boxes["Picture 2"][2], boxes["Caption 1"][1]
    _move_shapes(agent, slide, {"Picture 2": {"left_cm": left}, "Caption 2": {"top_cm": top}})


def _room_for_remark(agent: Agent) -> None:
    """The chart leaves the right of the slide to the remark."""
    slide = _slide_named(agent, "Revenue by region")
    remark = {"left_cm": 24.6, "top_cm": 8.0}
    _move_shapes(agent, slide, {"Chart Revenue by region": {"width_cm": 22.0}, "Remark": remark})


def _put_right(agent: Agent) -> float:
    """Compare each chart with its sheet; the number that was wrong."""
    for slide in agent.call("read_slides", path=PATH)["slides"]:
        for shape in (shape for shape in slide["shapes"] if shape.get("chart")):
            series = shape["chart"]["series"][0]
            values = list(series["values"])
            rows = read_full_sheet(agent, DATA, shape["name"].removeprefix("Chart "))
            for place, (value, (_, exact)) in enumerate(zip(values, rows[1:], strict=True)):
                if abs(value - exact) > 0.06:
                    values[place] = round(exact, 1)
                    new = {"series": [{"name": series["name"], "values": values}]}
                    agent.call("write_slide_chart", path=PATH, slide=slide["number"], shape=shape["id"], **new)
                    return float(value)
    raise LookupError("all charts agree with the data")


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
    for slide in read.slides:
        shapes = {shape.name: shape for shape in slide.shapes}
        title = slide.shapes.title
        if len(title.text_frame.text) > 100:
            place_shape(title, top=9, height=32, left=15, width=310)
            set_letters(title, size_pt=22)
        for name, shape in shapes.items():
            if name.startswith("Terms"):
                set_letters(shape, size_pt=14)
            if name.startswith(("Picture", "Chart")):
                describe_shape(shape, f"{title.text_frame.text}, as told on the slide", only_bare=True)
        _rearrange_shapes(slide, shapes)


def _rearrange_shapes(slide: Any, shapes: Mapping[str, Any]) -> None:
    from pptx.dml.color import RGBColor

    if "Panel 1" in shapes:
        for name in ("Panel 1", "Panel 2", "Panel 3"):
            shapes[name].fill.fore_color.rgb = RGBColor.from_string(DARK)
        set_letters(shapes["Remark"], color="404040")
    elif "Remark" in shapes:
        place_shape(shapes["Chart Revenue by region"], height=106)
        place_shape(shapes["Remark"], left=20, top=156, width=200)
    if "Source" in shapes:
        set_letters(slide.placeholders[1], size_pt=16)
        place_shape(slide.placeholders[1], height=112)
        place_shape(shapes["Source"], top=160)
    if "Caption 2" in shapes:
        place_shape(shapes["Picture 2"], left=178)
        place_shape(shapes["Caption 2"], top=132)


def alternative_figure_first_and_list_shrunk(agent: Agent, _files: Path) -> str:
    """The figure first; the picture made smaller; the list in smaller letters beside what it was."""
    wrong = _put_right(agent)
    for deck_finding in agent.call("check_deck", path=PATH, min_size_pt=12)["findings"]:
        if deck_finding["kind"] != "overflow":
            _repair_finding(agent, deck_finding)
    long = next(spec["number"] for spec in _read_slides(agent) if len(spec["title"]) > 100)
    agent.call("format_shape_text", path=PATH, slide=long, shapes=["Title 1"], size_pt=22)
    place = {"left_cm": 1.5, "top_cm": 1.0, "width_cm": 31, "height_cm": 3}
    _move_shapes(agent, long, {"Title 1": place})
    slide = _slide_named(agent, "The year in short")
    body = next(shape["id"] for shape in _read_shapes(agent, slide) if shape["name"].startswith("Content"))
    agent.call("format_shape_text", path=PATH, slide=slide, shapes=[body], size_pt=14)
    _move_shapes(agent, slide, {body: {"left_cm": 2, "width_cm": 26, "height_cm": 10}, "Source": {"top_cm": 15.5}})
    _room_for_remark(agent)
    _room_for_pictures(agent)
    agent.call("render_pages", path=PATH, pages="3-8", dpi=40)
    return f"{wrong:g}"


DECK = InDeck(PATH)


def _get_slide(fault: str) -> Callable[[Solved], int]:
    return lambda work: int(work.facts["slides"][fault])


def _find_sound_slide(work: Solved) -> int:
    """A slide without a fault."""
    faulty = {work.facts["chart"]["slide"], *work.facts["slides"].values()}
    return int(max(set(range(2, len(work.facts["titles"]) + 1)) - faulty))


def _find_longest_text(slide: Any) -> Any:
    return max((s for s in slide.shapes if s.has_text_frame), key=lambda shape: len(shape.text_frame.text))


near_miss_title_shortened = DECK.edit_text(
    _get_slide("title"), 0, lambda _: "Revenue grew in every quarter", caught_by="wording"
)
near_miss_title_as_large_as_it_was = DECK.letters_changed(_get_slide("title"), 0, caught_by="title", size_pt=32)
near_miss_source_still_in_the_list = DECK.shape_placed(_get_slide("overflow"), "Source", caught_by="list", top=84)
near_miss_letters_shrunk_to_fit = DECK.letters_changed(_get_slide("overflow"), 1, caught_by="large", size_pt=10)
near_miss_caption_below_the_edge = DECK.shape_placed(
    _get_slide("beyond"), "Caption 2", caught_by=("pictures", "inside"), top=185
)
near_miss_picture_on_the_other = DECK.shape_placed(_get_slide("beyond"), "Picture 2", caught_by="pictures", left=120)
near_miss_remark_still_on_the_chart = DECK.shape_placed(
    _get_slide("overlap"), "Remark", caught_by="remark", left=60, top=60
)
near_miss_remark_a_bit_darker = DECK.letters_changed(
    _get_slide("contrast"), "Remark", caught_by="contrasts", color="A6A6A6"
)
near_miss_alternative_text_is_a_name = DECK.edit_shape(
    _get_slide("picture_alt"), "Picture 1", lambda shape: describe_shape(shape, "image1.png"), caught_by="described"
)
near_miss_chart_as_a_stamp = DECK.shape_placed(
    _get_slide("overlap"), "Chart Revenue by region", caught_by="pieces", width=120
)
near_miss_picture_cut = DECK.edit_shape(
    _get_slide("beyond"), "Picture 2", lambda shape: setattr(shape, "crop_right", 0.5), caught_by="pieces"
)
near_miss_remark_upside_down = DECK.edit_shape(
    _get_slide("overlap"), "Remark", lambda shape: setattr(shape, "rotation", 180), caught_by="pieces"
)
near_miss_list_in_white = DECK.edit_slide(
    _get_slide("overflow"),
    lambda slide: set_letters(_find_longest_text(slide), color="FDFDFD"),
    caught_by="contrasts",
)
near_miss_other_letters_on_a_slide_that_was_right = DECK.edit_slide(
    _find_sound_slide, lambda slide: set_letters(_find_longest_text(slide), color="C00000"), caught_by="unchanged"
)
near_miss_never_looked = misses.never_looked()


@misses.make_edit_decorator(PATH, caught_by=("figure", "answer"))
def near_miss_figure_of_the_old_file(read: Any, work: Solved) -> None:
    """Another number was taken for the wrong one."""
    (values,) = list_chart_values(find_chart(read.slides[work.facts["chart"]["slide"] - 1]))
    value = next(value for value in values if abs(float(value.text) - work.facts["right"]) < 0.06)
    value.text = str(float(value.text) + 2.5)
    work.answer = f"{work.facts['right']}"


@misses.make_edit_decorator(PATH, caught_by="figure")
def near_miss_figure_put_right_on_the_surface(read: Any, work: Solved) -> None:
    """Whoever edits the data of the chart gets the wrong figure back."""
    with open_chart_book(find_chart(read.slides[work.facts["chart"]["slide"] - 1])) as book:
        cells = (cell for row in book.active.iter_rows() for cell in row if isinstance(cell.value, int | float))
        next(cell for cell in cells if abs(cell.value - work.facts["right"]) < 0.06).value = work.facts["wrong"]
