"""The deck says what the brief and the late change say, in the template's layouts, and is fit to be shown."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.brand_deck.model import FILE, LAYOUTS, TEMPLATE, by_hand, lies_on, list_unlike
from yardkit.evaluators.readers.office.chart_sources import holds_series, read_chart_sources
from yardkit.evaluators.readers.office.presentations import Deck, Shape, Slide, read_deck
from yardkit.evaluators.readers.pages.pdf import Box, Page, Word
from yardkit.evaluators.readers.pages.rendered import render_slides
from yardkit.evaluators.submission import Submission

_FEET = {"footer", "slide_number", "date"}
_LEAST_TITLE_PT, _LEAST_PT = 19.5, 15.5
_LEAST_CHART = 0.15
"""Part of the slide that its chart takes at least."""


def _join_white_space(text: str) -> str:
    return " ".join(text.split())


def _pair_slides(submission: Submission, facts: Facts) -> list[tuple[Slide, Mapping[str, Any]]]:
    """The slides with what they should be; none where their number is another."""
    slides = read_deck(submission, FILE).slides
    return list(zip(slides, facts["slides"], strict=True)) if len(slides) == len(facts["slides"]) else []


def _check_titles(submission: Submission, facts: Facts) -> Finding:
    titles = [_join_white_space(title) for title in read_deck(submission, FILE).titles]
    expected_titles = [slide["title"] for slide in facts["slides"]]
    unexpected = [title for title in titles if title not in expected_titles] + [
        title for title in expected_titles if title not in titles
    ]
    hidden = [slide.number for slide in read_deck(submission, FILE).slides if slide.hidden]
    evidence = f"{len(titles)} slides for {len(expected_titles)}; other titles: {unexpected[:4]}; hidden: {hidden}"
    return make_finding(titles == expected_titles and not hidden, evidence)


def _check_bodies(submission: Submission, facts: Facts) -> Finding:
    """Lists stand in placeholders, with their levels; nothing else is written on a slide."""
    pairs = _pair_slides(submission, facts)
    wrong = [
        f"slide {slide.number} says {_read_placeholder_texts(slide)}, expected {expected_lines}"
        for slide, spec in pairs
        if _read_placeholder_texts(slide)
        != (expected_lines := [_list_lines(spec[side]) for side in ("lines", "right") if spec[side]])
    ]
    return make_finding(bool(pairs) and not wrong, "; ".join(wrong[:3]) or f"{len(pairs)} slides")


def _read_placeholder_texts(slide: Slide) -> list[list[tuple[str, int]]]:
    """The texts of the placeholders but title and foot, from left to right; other texts spoil it."""
    shapes = [s for s in slide.shapes if s.text.strip() and s.role not in {"title", *_FEET}]
    shapes.sort(key=lambda shape: shape.box_mm[0])
    return [
        [
            (_join_white_space(line.text) if shape.role else "beside the placeholders", line.level)
            for line in shape.lines
            if line.text.strip()
        ]
        for shape in shapes
    ]


def _list_lines(lines: Any) -> list[tuple[str, int]]:
    return [(text, level) for text, level in lines]


def _check_notes(submission: Submission, facts: Facts) -> Finding:
    pairs = _pair_slides(submission, facts)
    wrong = {slide.number: slide.notes for slide, spec in pairs if _join_white_space(slide.notes) != spec["notes"]}
    return make_finding(bool(pairs) and not wrong, f"{len(pairs)} slides; other notes: {wrong}")


def _check_layouts(submission: Submission, facts: Facts) -> Finding:
    pairs = _pair_slides(submission, facts)
    wrong = {slide.number: slide.layout for slide, spec in pairs if slide.layout not in LAYOUTS[spec["kind"]]}
    return make_finding(bool(pairs) and not wrong, f"{len(pairs)} slides; on other layouts: {wrong}")


def _check_brand(submission: Submission, facts: Facts) -> Finding:
    """Theme and layouts are the template's, nothing is set by hand, and it looks as the template makes it look."""
    read, template = read_deck(submission, FILE), read_deck(submission.untouched, TEMPLATE)
    same = [
        getattr(read, name) == getattr(template, name)
        for name in ("fonts", "colors", "layouts", "width_mm", "height_mm")
    ]
    own = by_hand(submission)
    unlike_slides = (
        list(list_unlike(submission, facts)) if all(same) and not own and _pair_slides(submission, facts) else []
    )
    evidence = (
        f"fonts, colours, layouts, size as in the template {same}; by hand {own[:4]}; otherwise {unlike_slides[:4]}"
    )
    return make_finding(all(same) and not own and not unlike_slides and bool(_pair_slides(submission, facts)), evidence)


def _check_clean(submission: Submission, facts: Facts) -> Finding:
    """No sample and no empty placeholder is left."""
    pairs = _pair_slides(submission, facts)
    left = [
        f"slide {slide.number}: {shape.name}"
        for slide, _ in pairs
        for shape in slide.shapes
        if shape.kind == "placeholder" and shape.role not in _FEET and not shape.text.strip()
    ]
    return make_finding(bool(pairs) and not left, f"{len(pairs)} slides for {len(facts['slides'])}; empty: {left}")


def _check_chart(submission: Submission, facts: Facts) -> Finding:
    """The one chart shows just the two series, and its workbook holds what it shows."""
    shape, expected_chart = _chart_shape(submission, facts), facts["chart"]
    if shape is None or shape.chart is None:
        return make_finding(holds=False, evidence="there is not just one native chart, on its slide")
    chart, series = shape.chart, expected_chart["series"]
    chart_values = [(data_series.name, list(data_series.values)) for data_series in chart.series]
    categories = [list(data_series.categories) for data_series in chart.series]
    kind = chart.kind == "bar" and not chart.horizontal and chart.grouping in ("", "clustered", "stacked")
    right = sorted(chart_values) == sorted(series.items()) and all(
        category == expected_chart["categories"] for category in categories
    )
    order = {name: series[name] for name, _ in chart_values if name in series}
    workbook_matches = holds_series(
        read_chart_sources(submission, FILE).get(_chart_number(facts), ()), expected_chart["categories"], order
    )
    evidence = (
        f"{chart.grouping} {chart.kind}: {chart_values} over {categories[:1]}; in its workbook too {workbook_matches};"
        f" {expected_chart}"
    )
    return make_finding(kind and right and workbook_matches, evidence)


def _chart_number(facts: Facts) -> int:
    return next(n for n, slide in enumerate(facts["slides"], 1) if slide["kind"] == "chart")


def _chart_shape(submission: Submission, facts: Facts) -> Shape | None:
    """The chart on its slide; none where the deck has another number of charts."""
    slides = read_deck(submission, FILE).slides
    charts = [(slide.number, shape) for slide in slides for shape in slide.shapes if shape.chart]
    return charts[0][1] if [number for number, _ in charts] == [_chart_number(facts)] else None


def _check_readable(submission: Submission, facts: Facts) -> Finding:
    """On the page one can tell series and quarters apart; no column is cut off, and the chart is no stamp."""
    shape, number, read = _chart_shape(submission, facts), _chart_number(facts), read_deck(submission, FILE)
    if shape is None or shape.chart is None:
        return make_finding(holds=False, evidence="there is not just one native chart, on its slide")
    page = render_slides(submission, FILE, [number])[number]
    lost = [
        category for category in (*facts["chart"]["categories"], *facts["chart"]["series"]) if not page.find(category)
    ]
    low, high = shape.chart.scale
    quarters = list(zip(*facts["chart"]["series"].values(), strict=True))
    highest = max(sum(quarter) if shape.chart.grouping == "stacked" else max(quarter) for quarter in quarters)
    cut = (low is not None and low > 0) or (high is not None and high < highest)
    part = shape.box_mm[2] * shape.box_mm[3] / (read.width_mm * read.height_mm)
    holds = not lost and not cut and part >= _LEAST_CHART
    return make_finding(holds, f"not to be seen {lost}; scale {low} to {high} for {highest}; {part:.0%} of the slide")


def _render_pages(submission: Submission, _facts: Facts) -> dict[int, Page]:
    return render_slides(submission, FILE, range(1, len(read_deck(submission, FILE).slides) + 1))


def _check_fit(submission: Submission, facts: Facts) -> Finding:
    """Titles have at most two lines of 20 pt or more, and lists are not too small to be read."""
    pairs, wrong = _pair_slides(submission, facts), []
    other = [slide.number for slide, spec in pairs if _join_white_space(slide.title) != spec["title"]]
    if other or not pairs:
        return make_finding(holds=False, evidence=f"{len(pairs)} slides, with other titles {other}")
    pages = _render_pages(submission, facts)
    for slide, _ in pairs:
        for shape in (shape for shape in slide.shapes if shape.role and shape.role not in _FEET and shape.text.strip()):
            title = shape.role == "title"
            words = [word for line in shape.lines for word in _find_line_words(pages[slide.number], line.text)]
            small = min((word.size_pt for word in words), default=0.0)
            if small < (_LEAST_TITLE_PT if title else _LEAST_PT) or (title and _count_lines(words) > 2):
                wrong.append(f"slide {slide.number}: {shape.name} has {_count_lines(words)} lines of {small:g} pt")
    return make_finding(not wrong, "; ".join(wrong[:4]) or f"{len(pairs)} slides")


def _find_line_words(page: Page, text: str) -> list[Word]:
    """The words of a line on the page."""
    return [word for box in page.find(text)[:1] for word in page.words if _is_within(word.box, box)]


def _count_lines(words: Sequence[Word]) -> int:
    feet = sorted(word.box[3] for word in words)
    return 1 + sum(after - before > 10 for before, after in pairwise(feet)) if feet else 0


def _is_within(inner_box: Box, box: Box) -> bool:
    return (
        box[0] - 1 <= inner_box[0]
        and box[1] - 1 <= inner_box[1]
        and inner_box[2] <= box[2] + 1
        and inner_box[3] <= box[3] + 1
    )


def _check_tidy(submission: Submission, facts: Facts) -> Finding:
    """On the pages nothing is cut off and nothing lies on something else; no shape reaches over an edge."""
    read = read_deck(submission, FILE)
    off = [f"slide {slide.number}: {shape.name} is off" for slide in read.slides for shape in read.off_slide(slide)]
    if off or not _pair_slides(submission, facts):
        return make_finding(holds=False, evidence="; ".join(off) or "another number of slides")
    untidy = [
        f"slide {number}: {problem_text}"
        for number, page in _render_pages(submission, facts).items()
        for problem_text in _list_untidy(read, read.slides[number - 1], page)
    ]
    return make_finding(not untidy, "; ".join(untidy) or "all in its place")


def _list_untidy(read: Deck, slide: Slide, page: Page) -> list[str]:
    scale = page.width / read.width_mm
    shapes = [
        shape
        for shape in slide.shapes
        if shape.role not in _FEET and (shape.kind != "placeholder" or shape.text.strip())
    ]
    things = {shape.name: _find_visible_box(page, shape, scale) for shape in shapes}
    lost = [f"{name} is not visible" for name, box in things.items() if box is None]
    boxes = {name: box for name, box in things.items() if box is not None}
    # The bar at the top and the line of the brand's name at the foot stay free.
    out = [n for n, box in boxes.items() if box[1] < 6 * scale - 1 or box[3] > 179 * scale]
    pairs = [f"{a} on {b}" for (a, first_box), (b, two) in combinations(boxes.items(), 2) if lies_on(first_box, two)]
    return lost + [f"{name} runs out" for name in out] + pairs


def _find_visible_box(page: Page, shape: Shape, scale: float) -> Box | None:
    """Where a text stands on the page, or the box of a chart or of anything else."""
    left, top, width, height = shape.box_mm
    if not shape.text.strip():
        return (left * scale, top * scale, (left + width) * scale, (top + height) * scale)
    line_boxes = [page.find(line.text) for line in shape.lines if line.text.strip()]
    if not all(line_boxes):
        return None
    lefts, tops, rights, bottoms = zip(*(boxes[0] for boxes in line_boxes), strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _check_author(submission: Submission, facts: Facts) -> Finding:
    author = read_deck(submission, FILE).properties.get("creator", "")
    return make_finding(_join_white_space(author) == facts["prompt"]["author"], f"the author is {author!r}")


def _list_targets(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{FILE}" for kind in kinds)


CHECKS = make_group(
    "brand_deck",
    "The deck says what the brief says, in the brand, fit to be shown",
    make_group(
        "content",
        "Texts, notes and chart are those of the brief",
        make_checkpoint(
            "titles",
            "All slides in order with their titles",
            _check_titles,
            covers=_list_targets("slides", "titles", "texts"),
            weight=2,
        ),
        make_checkpoint(
            "bodies",
            "Lines with their levels in the placeholders",
            _check_bodies,
            covers=_list_targets("texts"),
            weight=3,
        ),
        make_checkpoint("notes", "Speaker notes", _check_notes, covers=_list_targets("notes")),
        make_checkpoint(
            "chart", "The chart shows the orders by quarter", _check_chart, covers=_list_targets("charts"), weight=3
        ),
        weight=5,
    ),
    make_group(
        "brand",
        "The deck is made of the template",
        make_checkpoint("layouts", "Each slide is on its layout", _check_layouts, covers=_list_targets("slides")),
        make_checkpoint("theme", "Fonts and colours come from the theme", _check_brand, covers=(f"file:{FILE}",)),
        make_checkpoint(
            "clean", "No sample and no empty placeholder is left", _check_clean, covers=_list_targets("slides")
        ),
        weight=2,
    ),
    make_group(
        "look",
        "The slides are fit to be shown",
        make_checkpoint(
            "readable",
            "The columns can be identified",
            _check_readable,
            covers=_list_targets("charts"),
            kind="format",
        ),
        make_checkpoint(
            "fits",
            "Titles have two lines at most, and no text is too small",
            _check_fit,
            covers=_list_targets("titles"),
            kind="format",
            weight=2,
        ),
        make_checkpoint(
            "tidy",
            "Nothing is cut off or overlaps anything",
            _check_tidy,
            covers=_list_targets("shapes"),
            kind="format",
            weight=2,
        ),
        leaves.check_looked_at("The slides were looked at", FILE),
        weight=3,
    ),
    make_checkpoint("author", "The file names its author", _check_author, covers=(f"file:{FILE}",), weight=0.5),
    leaves.answer_number("The answer is the sum of the year", lambda facts: facts["total"]),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
