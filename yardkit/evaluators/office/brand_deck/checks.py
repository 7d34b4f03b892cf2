"""The deck says what the brief and the late change say, in the template's layouts, and is fit to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.brand_deck.model import FILE, FOOT_MM, LAYOUTS, TEMPLATE, by_hand, list_unlike
from yardkit.evaluators.readers.answers import join_white_space
from yardkit.evaluators.readers.office.presentations import Deck, Slide, read_deck
from yardkit.evaluators.readers.pages.pdf import Page
from yardkit.evaluators.readers.pages.rendered import render_slides
from yardkit.evaluators.readers.pages.shape_views import count_lines, find_line_words, list_untidy
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.brand_deck import BrandDeckFacts as Facts

_FEET = {"footer", "slide_number", "date"}
_LEAST_TITLE_PT, _LEAST_PT = 19.5, 15.5
_LEAST_CHART = 0.15
"""Part of the slide that its chart takes at least."""


def _pair_slides(submission: Submission, facts: Facts) -> list[tuple[Slide, Mapping[str, Any]]]:
    """The slides with what they should be; none where their number is another."""
    slides = read_deck(submission, FILE).slides
    return list(zip(slides, facts["slides"], strict=True)) if len(slides) == len(facts["slides"]) else []


def _check_titles(submission: Submission, facts: Facts) -> Finding:
    titles = [join_white_space(title) for title in read_deck(submission, FILE).titles]
    expected_titles = [slide["title"] for slide in facts["slides"]]
    unexpected = [title for title in titles if title not in expected_titles] + [
        title for title in expected_titles if title not in titles
    ]
    hidden = [slide.number for slide in read_deck(submission, FILE).slides if slide.hidden]
    evidence = f"{len(titles)} slides for {len(expected_titles)}; other titles: {unexpected[:4]}; hidden: {hidden}"
    return make_finding(titles == expected_titles and not hidden, evidence)


def _check_bodies(submission: Submission, facts: Facts) -> Finding:
    """Lists stand in placeholders, with their levels; nothing else is written on a slide."""
    pairs, wrong = _pair_slides(submission, facts), []
    for slide, spec in pairs:
        expected_texts = [[(text, level) for text, level in spec[side]] for side in ("lines", "right") if spec[side]]
        if (texts := _read_placeholder_texts(slide)) != expected_texts:
            wrong.append(f"slide {slide.number} says {texts}, expected {expected_texts}")
    return make_finding(bool(pairs) and not wrong, "; ".join(wrong[:3]) or f"{len(pairs)} slides")


def _read_placeholder_texts(slide: Slide) -> list[list[tuple[str, int]]]:
    """The texts of the placeholders but title and foot, from left to right; other texts spoil it."""
    shapes = [shape for shape in slide.shapes if shape.text.strip() and shape.role not in {"title", *_FEET}]
    return [
        [
            (join_white_space(line.text) if shape.role else "beside the placeholders", line.level)
            for line in shape.lines
            if line.text.strip()
        ]
        for shape in sorted(shapes, key=lambda shape: shape.box_mm[0])
    ]


def _check_notes(submission: Submission, facts: Facts) -> Finding:
    pairs = _pair_slides(submission, facts)
    wrong = {slide.number: slide.notes for slide, spec in pairs if join_white_space(slide.notes) != spec["notes"]}
    return make_finding(bool(pairs) and not wrong, f"{len(pairs)} slides; other notes: {wrong}")


def _check_layouts(submission: Submission, facts: Facts) -> Finding:
    pairs = _pair_slides(submission, facts)
    wrong = {slide.number: slide.layout for slide, spec in pairs if slide.layout not in LAYOUTS[spec["kind"]]}
    return make_finding(bool(pairs) and not wrong, f"{len(pairs)} slides; on other layouts: {wrong}")


def _check_brand(submission: Submission, facts: Facts) -> Finding:
    """Theme and layouts are the template's, nothing is set by hand, and it looks as the template makes it look."""
    read, template = read_deck(submission, FILE), read_deck(submission.untouched, TEMPLATE)
    names, pairs = ("fonts", "colors", "layouts", "width_mm", "height_mm"), _pair_slides(submission, facts)
    problems = [name for name in names if getattr(read, name) != getattr(template, name)] + by_hand(submission)
    problems = problems or list(list_unlike(submission, facts) if pairs else ["another number of slides"])
    return make_finding(not problems, f"not as in the template: {problems[:4]}")


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


def _check_only_chart(submission: Submission, facts: Facts) -> Finding:
    slides = [slide.number for slide in read_deck(submission, FILE).slides for _ in slide.of_kind("chart")]
    return make_finding(slides == [_get_chart_number(facts)], f"native charts on slides {slides}")


def _get_chart_number(facts: Facts) -> int:
    return next(n for n, slide in enumerate(facts["slides"], 1) if slide["kind"] == "chart")


CHART = leaves.DeckChart(FILE, _get_chart_number, lambda facts: facts["chart"])


def _check_readable(submission: Submission, facts: Facts) -> Finding:
    """On the page one can tell series and quarters apart, and the chart is no stamp."""
    (shape, _), read, number = (
        CHART.find_shape(submission, facts),
        read_deck(submission, FILE),
        _get_chart_number(facts),
    )
    page = render_slides(submission, FILE, [number])[number]
    names = (*facts["chart"]["categories"], *facts["chart"]["series"])
    lost = [name for name in names if not page.find(name)]
    part = shape.box_mm[2] * shape.box_mm[3] / (read.width_mm * read.height_mm)
    return make_finding(not lost and part >= _LEAST_CHART, f"not to be seen {lost}; {part:.0%} of the slide")


def _render_pages(submission: Submission, _facts: Facts) -> dict[int, Page]:
    return render_slides(submission, FILE, range(1, len(read_deck(submission, FILE).slides) + 1))


def _check_fit(submission: Submission, facts: Facts) -> Finding:
    """Titles have at most two lines of 20 pt or more, and lists are not too small to be read."""
    pairs, wrong = _pair_slides(submission, facts), []
    other = [slide.number for slide, spec in pairs if join_white_space(slide.title) != spec["title"]]
    if other or not pairs:
        return make_finding(holds=False, evidence=f"{len(pairs)} slides, with other titles {other}")
    pages = _render_pages(submission, facts)
    for slide, _ in pairs:
        for shape in (shape for shape in slide.shapes if shape.role and shape.role not in _FEET and shape.text.strip()):
            title = shape.role == "title"
            words = [word for line in shape.lines for word in find_line_words(pages[slide.number], line.text)]
            small = min((word.size_pt for word in words), default=0.0)
            if small < (_LEAST_TITLE_PT if title else _LEAST_PT) or (title and count_lines(words) > 2):
                wrong.append(f"slide {slide.number}: {shape.name} has {count_lines(words)} lines of {small:g} pt")
    return make_finding(not wrong, "; ".join(wrong[:4]) or f"{len(pairs)} slides")


def _check_tidy(submission: Submission, facts: Facts) -> Finding:
    """On the pages nothing is cut off and nothing lies on something else; no shape reaches over an edge."""
    read = read_deck(submission, FILE)
    off = [f"slide {slide.number}: {shape.name} is off" for slide in read.slides for shape in read.off_slide(slide)]
    if off or not _pair_slides(submission, facts):
        return make_finding(holds=False, evidence="; ".join(off) or "another number of slides")
    untidy = [
        f"slide {number}: {problem_text}"
        for number, page in _render_pages(submission, facts).items()
        for problem_text in _list_faults(read, read.slides[number - 1], page)
    ]
    return make_finding(not untidy, "; ".join(untidy) or "all in its place")


def _list_faults(read: Deck, slide: Slide, page: Page) -> list[str]:
    """The bar at the top and the line of the brand's name at the foot stay free."""
    scale = page.width / read.width_mm
    shapes = [
        shape
        for shape in slide.shapes
        if shape.role not in _FEET and (shape.kind != "placeholder" or shape.text.strip())
    ]
    return list_untidy(page, shapes, scale, 6 * scale - 1, FOOT_MM * scale)


def _check_author(submission: Submission, facts: Facts) -> Finding:
    author = read_deck(submission, FILE).properties.get("creator", "")
    return make_finding(join_white_space(author) == facts["prompt"]["author"], f"the author is {author!r}")


SLIDES, TITLES, TEXTS, NOTES, CHARTS, SHAPES = (
    (f"{kind}:{FILE}",) for kind in ("slides", "titles", "texts", "notes", "charts", "shapes")
)
ALL_TITLES, ITSELF = (*SLIDES, *TITLES, *TEXTS), (f"file:{FILE}",)
FITS = "Titles have two lines at most, and no text is too small"
CHECKS = make_group(
    "brand_deck",
    "The deck says what the brief says, in the brand, fit to be shown",
    make_group(
        "content",
        "Texts, notes and chart are those of the brief",
        make_checkpoint("titles", "All slides in order with their titles", _check_titles, covers=ALL_TITLES, weight=2),
        make_checkpoint("bodies", "Lines with their levels in the placeholders", _check_bodies, covers=TEXTS, weight=3),
        make_checkpoint("notes", "Speaker notes", _check_notes, covers=NOTES),
        leaves.all_of(
            "chart",
            "The chart shows the orders by quarter",
            make_checkpoint("", "", _check_only_chart, covers=CHARTS),
            CHART.check_columns("", ""),
            CHART.check_sources("", ""),
            weight=3,
        ),
        weight=5,
    ),
    make_group(
        "brand",
        "The deck is made of the template",
        make_checkpoint("layouts", "Each slide is on its layout", _check_layouts, covers=SLIDES),
        make_checkpoint("theme", "Fonts and colours come from the theme", _check_brand, covers=ITSELF),
        make_checkpoint("clean", "No sample and no empty placeholder is left", _check_clean, covers=SLIDES),
        weight=2,
    ),
    make_group(
        "look",
        "The slides are fit to be shown",
        leaves.all_of(
            "readable",
            "The columns can be identified",
            make_checkpoint("", "", _check_readable, covers=CHARTS),
            CHART.check_scale("", ""),
            kind="format",
        ),
        make_checkpoint("fits", FITS, _check_fit, covers=TITLES, kind="format", weight=2),
        make_checkpoint(
            "tidy", "Nothing is cut off or overlaps anything", _check_tidy, covers=SHAPES, kind="format", weight=2
        ),
        leaves.check_looked_at("The slides were looked at", FILE),
        weight=3,
    ),
    make_checkpoint("author", "The file names its author", _check_author, covers=ITSELF, weight=0.5),
    leaves.answer_number("The answer is the sum of the year", lambda facts: facts["total"]),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
