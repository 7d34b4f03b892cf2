"""The deck says what the brief and the late change say, in the template's layouts, and is fit to be shown."""

from collections.abc import Mapping
from itertools import combinations, pairwise
from typing import Any

from toolyard.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from toolyard.evaluators.readers.answers import single_number
from toolyard.evaluators.readers.calls import looked_at
from toolyard.evaluators.readers.files import only_changed
from toolyard.evaluators.readers.pdfs import Box, Page
from toolyard.evaluators.readers.rendered import rendered_slides
from toolyard.evaluators.readers.slides import Deck, Shape, Slide, deck
from toolyard.evaluators.submission import Submission

FILE = "deck/launch.pptx"
TEMPLATE = "brand/sandpiper_template.pptx"
LAYOUTS = {
    "title": ("Title Slide",),
    "list": ("Title and Content",),
    "section": ("Section Header",),
    "two": ("Two Content",),
    "chart": ("Title Only",),
}
_FEET = {"footer", "slide_number", "date"}
_LEAST_PT = 20.0
_USUAL_PT = 32.0


def _plain(text: str) -> str:
    return " ".join(text.split())


def _pairs(submission: Submission, facts: Facts) -> list[tuple[Slide, Mapping[str, Any]]]:
    """The slides with what they should be; none where their number is another."""
    slides = deck(submission, FILE).slides
    return list(zip(slides, facts["slides"], strict=True)) if len(slides) == len(facts["slides"]) else []


def _titles(submission: Submission, facts: Facts) -> Finding:
    found = [_plain(title) for title in deck(submission, FILE).titles]
    wanted = [each["title"] for each in facts["slides"]]
    odd = [title for title in found if title not in wanted] + [title for title in wanted if title not in found]
    return finding(found == wanted, f"{len(found)} slides for {len(wanted)}; other titles: {odd[:4]}")


def _bodies(submission: Submission, facts: Facts) -> Finding:
    """Lists stand in placeholders, with their levels; nothing else is written on a slide."""
    pairs = _pairs(submission, facts)
    wrong = [
        f"slide {slide.number} says {_written(slide)}, expected {wanted}"
        for slide, each in pairs
        if _written(slide) != (wanted := [_lines(each[side]) for side in ("lines", "right") if each[side]])
    ]
    return finding(bool(pairs) and not wrong, "; ".join(wrong[:3]) or f"{len(pairs)} slides")


def _written(slide: Slide) -> list[list[tuple[str, int]]]:
    """The texts of the placeholders but title and foot, from left to right; other texts spoil it."""
    shapes = [s for s in slide.shapes if s.text.strip() and s.role not in {"title", *_FEET}]
    shapes.sort(key=lambda shape: shape.box_mm[0])
    return [
        [
            (_plain(line.text) if shape.role else "beside the placeholders", line.level)
            for line in shape.lines
            if line.text.strip()
        ]
        for shape in shapes
    ]


def _lines(lines: Any) -> list[tuple[str, int]]:
    return [(text, level) for text, level in lines]


def _notes(submission: Submission, facts: Facts) -> Finding:
    pairs = _pairs(submission, facts)
    wrong = {slide.number: slide.notes for slide, each in pairs if _plain(slide.notes) != each["notes"]}
    return finding(bool(pairs) and not wrong, f"{len(pairs)} slides; other notes: {wrong}")


def _layouts(submission: Submission, facts: Facts) -> Finding:
    pairs = _pairs(submission, facts)
    wrong = {slide.number: slide.layout for slide, each in pairs if slide.layout not in LAYOUTS[each["kind"]]}
    return finding(bool(pairs) and not wrong, f"{len(pairs)} slides; on other layouts: {wrong}")


def _brand(submission: Submission, _facts: Facts) -> Finding:
    """Theme and layouts are the template's, and nothing is set by hand."""
    read, template = deck(submission, FILE), deck(submission.untouched, TEMPLATE)
    same = [
        getattr(read, name) == getattr(template, name)
        for name in ("fonts", "colors", "layouts", "width_mm", "height_mm")
    ]
    by_hand = [
        f"slide {slide.number}: {line.text[:30]!r}"
        for slide in read.slides
        for shape in slide.shapes
        for line in shape.lines
        if (line.font and not line.font.startswith("+")) or (line.color and not line.color.startswith("theme:"))
    ]
    return finding(
        all(same) and not by_hand, f"fonts, colours, layouts, size as in the template {same}; by hand {by_hand}"
    )


def _clean(submission: Submission, facts: Facts) -> Finding:
    """No sample and no empty placeholder is left."""
    pairs = _pairs(submission, facts)
    left = [
        f"slide {slide.number}: {shape.name}"
        for slide, _ in pairs
        for shape in slide.shapes
        if shape.kind == "placeholder" and shape.role not in _FEET and not shape.text.strip()
    ]
    return finding(bool(pairs) and not left, f"{len(pairs)} slides for {len(facts['slides'])}; empty: {left}")


def _chart(submission: Submission, facts: Facts) -> Finding:
    number = next(n for n, each in enumerate(facts["slides"], 1) if each["kind"] == "chart")
    slides = deck(submission, FILE).slides
    charts = [shape.chart for shape in (slides[number - 1].shapes if len(slides) >= number else ()) if shape.chart]
    if len(charts) != 1:
        return finding(holds=False, evidence=f"slide {number} has {len(charts)} native charts")
    chart, wanted = charts[0], facts["chart"]
    shown = {each.name: list(each.values) for each in chart.series}
    categories = list(chart.series[0].categories) if chart.series else []
    holds = chart.kind == "bar" and not chart.horizontal and categories == wanted["categories"]
    return finding(holds and shown == wanted["series"], f"{chart.kind} of {categories}: {shown}; expected {wanted}")


def _pages(submission: Submission, facts: Facts) -> dict[int, Page]:
    """The slides that are looked at: the one with the long title, two columns, and the chart."""
    numbers = [n for n, each in enumerate(facts["slides"], 1) if n == facts["long"] or each["kind"] in ("two", "chart")]
    there = len(deck(submission, FILE).slides)
    return rendered_slides(submission, FILE, [number for number in numbers if number <= there])


def _fits(submission: Submission, facts: Facts) -> Finding:
    """The long title has at most two lines of 20 pt or more."""
    slides, number = deck(submission, FILE).slides, facts["long"]
    title = next((s for s in slides[number - 1].shapes if s.role == "title"), None) if len(slides) >= number else None
    if title is None or _plain(title.text) != facts["slides"][number - 1]["title"]:
        return finding(holds=False, evidence=f"slide {number} has another title")
    page = _pages(submission, facts)[number]
    found = page.find(title.text)
    feet = sorted(w.box[3] for box in found[:1] for w in page.words if _within(w.box, box))
    lines = 1 + sum(after - before > 10 for before, after in pairwise(feet)) if feet else 0
    size = min([line.size_pt for line in title.lines if line.size_pt], default=_USUAL_PT)
    return finding(1 <= lines <= 2 and size >= _LEAST_PT, f"the title has {lines} lines of {size:g} pt")


def _within(one: Box, box: Box) -> bool:
    return box[0] - 1 <= one[0] and box[1] - 1 <= one[1] and one[2] <= box[2] + 1 and one[3] <= box[3] + 1


def _tidy(submission: Submission, facts: Facts) -> Finding:
    """On the pages nothing is cut off and nothing lies on something else; no shape reaches over an edge."""
    read = deck(submission, FILE)
    off = [f"slide {slide.number}: {shape.name} is off" for slide in read.slides for shape in read.off_slide(slide)]
    if off or not _pairs(submission, facts):
        return finding(holds=False, evidence="; ".join(off) or "another number of slides")
    untidy = [
        f"slide {number}: {says}"
        for number, page in _pages(submission, facts).items()
        for says in _untidy(read, read.slides[number - 1], page)
    ]
    return finding(not untidy, "; ".join(untidy) or "all in its place")


def _untidy(read: Deck, slide: Slide, page: Page) -> list[str]:
    scale = page.width / read.width_mm
    shapes = [shape for shape in slide.shapes if shape.role not in _FEET and (shape.text.strip() or shape.chart)]
    things = {shape.name: _seen(page, shape, scale) for shape in shapes}
    lost = [f"{name} is not to be seen" for name, box in things.items() if box is None]
    boxes = {name: box for name, box in things.items() if box is not None}
    # The bar at the top and the line of the brand's name at the foot stay free.
    out = [n for n, box in boxes.items() if box[1] < 6 * scale - 1 or box[3] > 179 * scale]
    pairs = [f"{a} on {b}" for (a, one), (b, two) in combinations(boxes.items(), 2) if _shared(one, two)]
    return lost + [f"{name} runs out" for name in out] + pairs


def _seen(page: Page, shape: Shape, scale: float) -> Box | None:
    """Where a text stands on the page, or the box of a chart."""
    left, top, width, height = shape.box_mm
    if shape.chart:
        return (left * scale, top * scale, (left + width) * scale, (top + height) * scale)
    found = [page.find(line.text) for line in shape.lines if line.text.strip()]
    if not all(found):
        return None
    lefts, tops, rights, bottoms = zip(*(boxes[0] for boxes in found), strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _shared(one: Box, two: Box) -> bool:
    wide, tall = (min(one[n + 2], two[n + 2]) - max(one[n], two[n]) for n in (0, 1))
    return wide > 1.5 and tall > 1.5


def _author(submission: Submission, facts: Facts) -> Finding:
    found = deck(submission, FILE).properties.get("creator", "")
    return finding(_plain(found) == facts["prompt"]["author"], f"the author is {found!r}")


def _looked(submission: Submission, _facts: Facts) -> Finding:
    return looked_at(submission, FILE)


def _answer(submission: Submission, facts: Facts) -> Finding:
    return finding(single_number(submission.answer) == facts["total"], f"expected {facts['total']}")


def _others(submission: Submission, _facts: Facts) -> Finding:
    return only_changed(submission, FILE)


def _of(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{FILE}" for kind in kinds)


CHECKS = group(
    "brand_deck",
    "The deck says what the brief says, in the brand, fit to be shown",
    group(
        "content",
        "Texts, notes and chart are those of the brief",
        leaf(
            "titles",
            "All slides in order with their titles",
            _titles,
            observes=_of("slides", "titles", "texts"),
            weight=2,
        ),
        leaf("bodies", "Lines with their levels in the placeholders", _bodies, observes=_of("texts"), weight=3),
        leaf("notes", "Speaker notes", _notes, observes=_of("notes")),
        leaf("chart", "The chart shows the orders by quarter", _chart, observes=_of("charts"), weight=3),
        weight=5,
    ),
    group(
        "brand",
        "The deck is made of the template",
        leaf("layouts", "Each slide is on its layout", _layouts, observes=_of("slides")),
        leaf("theme", "Fonts and colours come from the theme", _brand, observes=(f"file:{FILE}",)),
        leaf("clean", "No sample and no empty placeholder is left", _clean, observes=_of("slides")),
        weight=2,
    ),
    group(
        "look",
        "The slides are fit to be shown",
        leaf("fits", "The long title has two lines", _fits, observes=_of("titles"), kind="format", weight=2),
        leaf(
            "tidy",
            "Nothing is cut off or lies on something else",
            _tidy,
            observes=_of("shapes"),
            kind="format",
            weight=2,
        ),
        leaf("looked", "The slides were looked at", _looked, observes=("calls",), kind="tool", weight=0.5),
        weight=3,
    ),
    leaf("author", "The file names its author", _author, observes=(f"file:{FILE}",), weight=0.5),
    leaf("answer", "The answer is the sum of the year", _answer, observes=("answer",)),
    leaf("others", "No other file was touched", _others, observes=("input:*", "stray:*"), kind="guardrail"),
)
