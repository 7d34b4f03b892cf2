"""Solutions and near misses of office/brand_deck."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import InDeck, open_edited
from yardkit.evaluators.misses.decks import CHART, find_chart, find_chart_shape, list_chart_values, place_shape
from yardkit.evaluators.proof import Agent, Solved
from yardkit.evaluators.solving.solver import read_mail_file

PATH = "deck/launch.pptx"
TEMPLATE = "brand/sandpiper_template.pptx"
CHART_SLIDE = 5
QUARTERS = ["Q1", "Q2", "Q3", "Q4"]
LAYOUTS = {
    "Title slide": "Title Slide",
    "List": "Title and Content",
    "Start of a section": "Section Header",
    "Two columns": "Two Content",
    "Chart": "Title Only",
}


def solve(agent: Agent) -> str:
    """Read brief, mail and figures; make all slides at once; chart; the long title smaller; look."""
    slides, sums = _read_brief(agent), _compute_sums(agent)
    agent.call("create_deck", path=PATH, slides=slides, template=TEMPLATE, author=_find_author(agent))
    _finish_deck(agent, slides, sums, size=22)
    return f"The deck is ready.\n{sum(sum(total) for total in sums.values())}"


def alternative_slide_by_slide(agent: Agent, _files: Path) -> str:
    """One slide after the other, notes at the end, the long title in a larger box."""
    slides, sums = _read_brief(agent), _compute_sums(agent)
    first, *others = ({**slide, "notes": None} for slide in slides)
    agent.call("create_deck", path=PATH, slides=[first], template=TEMPLATE, author=_find_author(agent))
    for other in others:
        agent.call("add_slides", path=PATH, slides=[other])
    notes = [{"slide": n, "text": slide["notes"]} for n, slide in enumerate(slides, 1) if slide["notes"]]
    agent.call("set_speaker_notes", path=PATH, notes=notes)
    _finish_deck(agent, slides, sums, size=20)
    return f"{sum(sum(total) for total in sums.values())}"


def alternative_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Built as before, then saved once more by python-pptx."""
    answer = solve(agent)
    with open_edited(files / PATH):
        pass
    agent.call("render_contact_sheet", path=PATH)
    return answer


def alternative_all_by_another_program(agent: Agent, files: Path) -> str:
    """The samples are thrown out of the template and the slides made by python-pptx, the columns stacked."""
    import pptx

    slides, sums = _read_brief(agent), _compute_sums(agent)
    read = pptx.Presentation(str(files / TEMPLATE))
    for entry in list(read.slides._sldIdLst):
        read.part.drop_rel(entry.rId)
        entry.getparent().remove(entry)
    for slide in slides:
        _add(read, slide, sums)
    read.core_properties.author = _find_author(agent)
    (files / PATH).parent.mkdir(exist_ok=True)
    read.save(str(files / PATH))
    agent.call("render_contact_sheet", path=PATH)
    return f"{sum(sum(total) for total in sums.values()):,}"


def _add(read: Any, spec: Mapping[str, Any], sums: Mapping[str, list[int]]) -> None:
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE
    from pptx.util import Mm, Pt

    slide = read.slides.add_slide(next(layout for layout in read.slide_layouts if layout.name == spec["layout"]))
    slide.shapes.title.text = spec["title"]
    if len(spec["title"]) > 100:
        slide.shapes.title.text_frame.paragraphs[0].runs[0].font.size = Pt(24)
    for body, lines in zip(list(slide.placeholders)[1:], [spec["body"], *spec["more_bodies"]], strict=False):
        body.text_frame.text = "\n".join(line.lstrip("\t") for line in lines)
        for paragraph, line in zip(body.text_frame.paragraphs, lines, strict=True):
            paragraph.level = line.count("\t")
    if spec["notes"]:
        slide.notes_slide.notes_text_frame.text = spec["notes"]
    if spec["layout"] == LAYOUTS["Chart"]:
        data = CategoryChartData()
        data.categories = QUARTERS
        for name, values in sums.items():
            data.add_series(name, values)
        place = (Mm(20), Mm(42), Mm(298), Mm(130))
        chart = slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_STACKED, *place, data).chart
        chart.has_legend = True
        chart.legend.include_in_layout = False


def _finish_deck(agent: Agent, slides: list[dict[str, Any]], sums: Mapping[str, list[int]], size: float) -> None:
    number = next(n for n, slide in enumerate(slides, 1) if slide["layout"] == LAYOUTS["Chart"])
    series = [{"name": name, "values": values} for name, values in sums.items()]
    box = {"left_cm": 2, "top_cm": 4.2, "width_cm": 29.8, "height_cm": 13}
    agent.call("write_slide_chart", path=PATH, slide=number, kind="column", categories=QUARTERS, series=series, **box)
    long = next(n for n, slide in enumerate(slides, 1) if len(slide["title"]) > 100)
    shapes = agent.call("read_slides", path=PATH, slides=[long])["slides"][0]["shapes"]
    title = next(shape["id"] for shape in shapes if shape["name"].startswith("Title"))
    agent.call("format_shape_text", path=PATH, slide=long, shapes=[title], size_pt=size)
    agent.call("render_pages", path=PATH, pages="1-8", dpi=40)


def _find_author(agent: Agent) -> str:
    return str(re.findall(r"Author of the file is (.+?)\.\s", agent.prompt)[0])


def _read_brief(agent: Agent) -> list[dict[str, Any]]:
    """The slides as the brief and the late change want them."""
    slides: list[dict[str, Any]] = []
    side = ""
    for block in agent.call("read_document", path="brief/brief_launch.docx", limit=500)["blocks"]:
        text, key = block.get("text", ""), block.get("text", "").partition(": ")
        if block["kind"] == "heading" and block["level"] == 1 and text != "Slides":
            break
        if block["kind"] == "heading" and block["level"] == 2:
            slides.append({"body": [], "more_bodies": [], "notes": None})
        elif block["kind"] == "item":
            lines = slides[-1]["body"] if side != "Right:" else slides[-1]["more_bodies"][0]
            lines.append("\t" * (block["style"] == "List Bullet 2") + text)
        elif text in ("Text:", "Left:", "Right:"):
            side = text
            slides[-1]["more_bodies"] += [[]] if side == "Right:" else []
        elif slides and key[0] == "Kind":
            slides[-1]["layout"] = LAYOUTS[key[2]]
        elif slides and key[0] in ("Title", "Notes"):
            slides[-1][key[0].lower()] = key[2]
    number, title = _read_title_change(agent)
    slides[number - 1]["title"] = title
    return slides


def _read_title_change(agent: Agent) -> tuple[int, str]:
    """Which slide gets which title, from the mail."""
    text = read_mail_file(agent, "mail/2_title_of_a_slide.eml")
    match = re.search(r"title of slide\s+(\d+) is no.*?but\s*\n\n(.+?)\n\n", text, re.S)
    if match is None:
        raise LookupError("the mail names no title")
    return int(match.group(1)), " ".join(match.group(2).split())


def _compute_sums(agent: Agent) -> dict[str, list[int]]:
    text = agent.call("read_file", path="data/orders_by_day.csv")["content"]
    sums = {"Online": [0] * 4, "Shops": [0] * 4}
    for month, channel, orders in re.findall(r"2025-(\d\d)-\d\d,(\w+),(\d+)", text):
        sums[channel][(int(month) - 1) // 3] += int(orders)
    return sums


DECK = InDeck(PATH)


def _get_long(work: Solved) -> int:
    return int(work.facts["long"])


near_miss_title_of_the_brief = DECK.edit_text(
    _get_long, 0, lambda _, work: work.facts["old_title"], caught_by=("titles", "fits")
)
near_miss_title_of_three_lines = DECK.letters_changed(_get_long, 0, caught_by="fits", size_pt=32)
near_miss_title_too_small = DECK.letters_changed(_get_long, 0, caught_by="fits", size_pt=16)
near_miss_colour_by_hand = DECK.letters_changed(2, 0, caught_by="theme", color="C80000")
near_miss_list_too_small = DECK.letters_changed(4, 1, caught_by="fits", size_pt=9)
near_miss_slide_hidden = DECK.slide_hidden(4, caught_by="titles")
near_miss_empty_placeholder_left = DECK.edit_shape(2, 1, lambda body: body.text_frame.clear(), caught_by="clean")
near_miss_series_without_names = DECK.edit_chart(
    CHART_SLIDE, lambda chart: setattr(chart, "has_legend", False), caught_by="readable"
)
near_miss_scale_that_begins_high = DECK.edit_chart(
    CHART_SLIDE, lambda chart: setattr(chart.value_axis, "minimum_scale", 1500), caught_by="readable"
)
near_miss_chart_on_the_title = DECK.edit_slide(
    CHART_SLIDE, lambda slide: place_shape(find_chart_shape(slide), top=20), caught_by="tidy"
)
near_miss_no_author = misses.edit_file(
    PATH, lambda deck: setattr(deck.core_properties, "author", "Brand team"), caught_by="author"
)
near_miss_never_looked = misses.never_looked()


@misses.make_edit_decorator(PATH, caught_by="chart")
def near_miss_last_days_of_the_year_before(read: Any) -> None:
    """December of the year before is in the first quarter."""
    value = list_chart_values(find_chart(read.slides[CHART_SLIDE - 1]))[0][0]
    value.text = str(int(float(value.text)) + 1011)


@misses.make_edit_decorator(PATH, caught_by="chart")
def near_miss_workbook_inside_holds_other_figures(read: Any) -> None:
    """The columns are right until somebody edits the data."""
    for reference in find_chart(read.slides[CHART_SLIDE - 1])._chartSpace.iter(f"{CHART}f"):
        reference.text = reference.text.replace("$C$", "$B$")


@misses.make_edit_decorator(PATH, caught_by="bodies")
def near_miss_all_lines_on_one_level(read: Any) -> None:
    """The levels are lost."""
    for shape in (shape for slide in read.slides for shape in slide.placeholders):
        for paragraph in shape.text_frame.paragraphs:
            paragraph.level = 0


@misses.make_edit_decorator(PATH, caught_by="theme")
def near_miss_half_a_line_by_hand(read: Any) -> None:
    """The end of a line has a colour and a font of its own."""
    from pptx.dml.color import RGBColor

    line = read.slides[1].placeholders[1].text_frame.paragraphs[0]
    text = line.runs[0].text
    line.runs[0].text, end = text[:5], line.add_run()
    end.text, end.font.name, end.font.color.rgb = text[5:], "Courier New", RGBColor(200, 0, 0)


@misses.make_edit_decorator(PATH, caught_by="theme")
def near_miss_master_changed(read: Any) -> None:
    """The slides have another ground, by way of the master."""
    from pptx.dml.color import RGBColor

    fill = read.slide_master.background.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(220, 220, 100)


@misses.make_edit_decorator(PATH, caught_by="theme")
def near_miss_list_in_the_colour_of_the_ground(read: Any) -> None:
    """A list cannot be read, in a colour of the theme."""
    from pptx.enum.dml import MSO_THEME_COLOR

    for paragraph in read.slides[3].placeholders[1].text_frame.paragraphs:
        for run in paragraph.runs:
            run.font.color.theme_color = MSO_THEME_COLOR.BACKGROUND_1


@misses.make_edit_decorator(PATH, caught_by="tidy")
def near_miss_frame_over_a_list(read: Any) -> None:
    """A shape lies over the texts."""
    body = read.slides[3].placeholders[1]
    read.slides[3].shapes.add_shape(1, body.left, body.top, body.width, body.height)


@misses.make_edit_decorator(PATH, caught_by="tidy")
def near_miss_list_on_its_title(read: Any) -> None:
    """A list stands where the title stands."""
    body, title = read.slides[1].placeholders[1], read.slides[1].shapes.title
    body.left, body.top, body.width, body.height = title.left, title.top, title.width, title.height * 3
