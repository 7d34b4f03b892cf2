"""Every slide keeps to the rules when it is shown, no word is another, and what was right is untouched."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.deck_repair.looks import behind_charts, find_pale_texts, look_otherwise, map_crops
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.charts import Chart
from yardkit.evaluators.readers.office.presentations import Shape, Slide, read_deck
from yardkit.evaluators.readers.pages.pdf import Box, Page
from yardkit.evaluators.readers.pages.rendered import render_slides
from yardkit.evaluators.side_effects import check_unchanged_outside
from yardkit.evaluators.submission import Submission

FILE = "deck/investor_update.pptx"
COMPANY = "Halden Works"
BAR_MM = 6.0
_SLACK_PT = 1.5
_MOVED = ("overflow", "title", "beyond", "overlap", "tiny", "contrast")
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def _render_page(submission: Submission, facts: Facts, slide: Slide) -> Page:
    """The slide as it is shown; all that are looked at are rendered at once."""
    there = len(read_deck(submission, FILE).slides)
    numbers = [number for fault in _MOVED if (number := facts["slides"][fault]) <= there]
    return render_slides(submission, FILE, numbers)[slide.number]


def _find_slide(submission: Submission, facts: Facts, fault: str) -> Slide | None:
    slides, number = read_deck(submission, FILE).slides, facts["slides"][fault]
    return slides[number - 1] if len(slides) >= number else None


def _list_untidy(submission: Submission, facts: Facts, slide: Slide) -> list[str]:
    """What on the page of a slide runs out, lies on something else, or cannot be seen."""
    read, page = read_deck(submission, FILE), _render_page(submission, facts, slide)
    scale = page.width / read.width_mm
    things = {shape.name: box for shape in slide.shapes if (box := _find_visible_box(page, shape, scale)) is not None}
    lost = [f"{s.name} is not visible" for s in slide.shapes if s.text.strip() and s.name not in things]
    foot = min((box[1] for box in page.find(COMPANY) if box[1] > 0.9 * page.height), default=page.height)
    out = [
        f"{name} runs out"
        for name, (left, top, right, bottom) in things.items()
        if min(left, page.width - right) < -_SLACK_PT
        or top < BAR_MM * scale - _SLACK_PT
        or bottom > foot + (_SLACK_PT if slide.number > 1 else 0)
    ]
    pairs = combinations(things.items(), 2)
    return lost + out + [f"{a} overlaps {b}" for (a, first_box), (b, two) in pairs if _boxes_overlap(first_box, two)]


def _find_visible_box(page: Page, shape: Shape, scale: float) -> Box | None:
    """Where the text of a shape stands on the page, or the box of a picture, chart or table."""
    left, top, width, height = shape.box_mm
    if shape.kind in ("picture", "chart", "table"):
        return (left * scale, top * scale, (left + width) * scale, (top + height) * scale)
    line_boxes = [page.find(line.text) for line in shape.lines if line.text.strip()]
    if not line_boxes or not all(line_boxes):
        return None
    near = [min(boxes, key=lambda box: abs(box[0] - left * scale) + abs(box[1] - top * scale)) for boxes in line_boxes]
    lefts, tops, rights, bottoms = zip(*near, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _boxes_overlap(first: Box, two: Box) -> bool:
    wide, tall = (min(first[n + 2], two[n + 2]) - max(first[n], two[n]) for n in (0, 1))
    return wide > _SLACK_PT and tall > _SLACK_PT


def _check_tidy(submission: Submission, facts: Facts, fault: str) -> Finding:
    slide = _find_slide(submission, facts, fault)
    if slide is None:
        return make_finding(holds=False, evidence="the slide is missing")
    untidy = _list_untidy(submission, facts, slide)
    return make_finding(not untidy, f"slide {slide.number}: {'; '.join(untidy) or 'all in its place'}")


def _check_list(submission: Submission, facts: Facts) -> Finding:
    return _check_tidy(submission, facts, "overflow")


def _check_title(submission: Submission, facts: Facts) -> Finding:
    """The long title has at most two lines of 20 pt or more, clear of the chart."""
    slide = _find_slide(submission, facts, "title")
    if slide is None:
        return make_finding(holds=False, evidence="the slide is missing")
    page = _render_page(submission, facts, slide)
    title = next((shape for shape in slide.shapes if shape.role == "title"), None)
    size = _map_text_sizes(submission).get((slide.number, title.name), 32.0) if title else 0.0
    lines = _count_title_lines(page, title) if title else 0
    untidy = _list_untidy(submission, facts, slide)
    holds = not untidy and 1 <= lines <= 2 and size >= 20
    return make_finding(holds, f"the title has {lines} lines of {size:g} pt; {'; '.join(untidy)}")


def _count_title_lines(page: Page, title: Shape) -> int:
    """On how many lines the title stands."""
    line_boxes = page.find(title.text)
    if not line_boxes:
        return 0
    left, top, right, bottom = line_boxes[0]
    inside = [w.box for w in page.words if w.box[0] >= left - 1 and w.box[1] >= top - 1 and w.box[3] <= bottom + 1]
    feet = sorted(round(box[3]) for box in inside if box[2] <= right + 1)
    return 1 + sum(after - before > 10 for before, after in pairwise(feet))


def _check_pictures(submission: Submission, facts: Facts) -> Finding:
    return _check_tidy(submission, facts, "beyond")


def _check_remark(submission: Submission, facts: Facts) -> Finding:
    return _check_tidy(submission, facts, "overlap")


def _map_text_sizes(submission: Submission) -> dict[tuple[int, str], float]:
    """The smallest stated size of the text of each shape, as far as it is made to fit, by slide and name."""
    return parse_file(submission, FILE, _read_sizes, "presentation")


def _read_sizes(path: Any) -> dict[tuple[int, str], float]:
    import pptx

    text_sizes = {}
    for number, slide in enumerate(pptx.Presentation(str(path)).slides, 1):
        for shape in slide.shapes:
            fit = next(shape._element.iter(f"{_A}normAutofit"), None)
            share = int(str(fit.get("fontScale", "100000")).rstrip("%")) / 100_000 if fit is not None else 1.0
            runs = [run.find(f"{_A}rPr") for run in shape._element.iter(f"{_A}r") if (run.findtext(f"{_A}t") or "")]
            stated = [int(run.get("sz")) / 100 for run in runs if run is not None and run.get("sz")]
            usual = 32.0 if shape == slide.shapes.title else 18.0
            text_sizes[number, shape.name] = (
                min([*stated, *([usual] if len(stated) < len(runs) else [])], default=usual) * share
            )
    return text_sizes


def _check_text_sizes(submission: Submission, facts: Facts) -> Finding:
    """No text is smaller than 12 pt, and the terms that were have room."""
    small = {place: size for place, size in _map_text_sizes(submission).items() if size < 11.95}
    slide = _find_slide(submission, facts, "tiny")
    untidy = _list_untidy(submission, facts, slide) if slide is not None and not small else []
    return make_finding(slide is not None and not small and not untidy, f"too small: {small}; {'; '.join(untidy)}")


def _check_contrasts(submission: Submission, facts: Facts) -> Finding:
    """Each text of the slide with the tiles, and of the others that were repaired, stands out."""
    slides = {slide.number: slide for fault in _MOVED if (slide := _find_slide(submission, facts, fault))}
    wrong = {
        number: faint
        for number, slide in slides.items()
        if (faint := find_pale_texts(submission, FILE, slide, _render_page(submission, facts, slide)))
    }
    complete = len(slides) == len({facts["slides"][fault] for fault in _MOVED})
    return make_finding(complete and not wrong, f"contrast below 4.5 or not to be seen, by slide: {wrong}")


def _check_descriptions(submission: Submission, facts: Facts) -> Finding:
    """Every picture and chart has an alternative text; the new ones name the subject."""
    read = read_deck(submission, FILE)
    bare = [
        f"slide {slide.number}: {shape.name} {shape.alt!r}"
        for slide in read.slides
        for shape in slide.shapes
        if shape.kind in ("picture", "chart") and not _describes_picture(shape.alt, slide, facts)
    ]
    return make_finding(not bare, f"without a fitting alternative text: {bare}")


def _describes_picture(alt: str, slide: Slide, facts: Facts) -> bool:
    words = re.findall(r"\w+", alt.casefold())
    if slide.number not in (facts["slides"]["picture_alt"], facts["slides"]["chart_alt"]):
        return len(words) >= 2
    subject = {word[:6] for word in re.findall(r"\w{5,}", slide.title.casefold())}
    return len(words) >= 2 and any(word[:6] in subject for word in words)


def _check_figure(submission: Submission, facts: Facts) -> Finding:
    """The chart with the wrong figure shows what the data say."""
    slides, expected_values = read_deck(submission, FILE).slides, facts["chart"]
    charts = (
        [shape.chart for shape in slides[expected_values["slide"] - 1].shapes if shape.chart] if len(slides) > 1 else []
    )
    chart_values = list(charts[0].series[0].values) if len(charts) == 1 and charts[0].series else []
    behind = behind_charts(submission, FILE).get(expected_values["slide"], [])
    stays = [
        value
        for value in behind
        if abs(value - facts["wrong"]) < 0.01 and facts["wrong"] not in expected_values["values"]
    ]
    return make_finding(
        _is_same_series(chart_values, expected_values["values"]) and not stays,
        f"slide {expected_values['slide']} shows {chart_values}, expected {expected_values['values']}; still in the"
        f" data behind it: {stays}",
    )


def _is_same_series(chart_values: Sequence[float | None], expected_values: Sequence[float | None]) -> bool:
    pairs = list(zip(chart_values, expected_values, strict=False))
    return len(chart_values) == len(expected_values) and all(
        a is not None and b is not None and abs(a - b) <= 0.051 for a, b in pairs
    )


def _check_answer(submission: Submission, facts: Facts) -> Finding:
    return make_finding(
        abs(float(read_number(submission.answer)) - facts["wrong"]) < 0.01, f"expected {facts['wrong']}"
    )


def _check_wording(submission: Submission, _facts: Facts) -> Finding:
    """Texts and notes, slide by slide."""
    now, before = (read_deck(state, FILE).slides for state in (submission, submission.untouched))
    wordings, was = (
        [(_list_texts(slide), " ".join(slide.notes.split())) for slide in version] for version in (now, before)
    )
    other = [number for number, (first, two) in enumerate(zip(wordings, was, strict=False), 1) if first != two]
    return make_finding(wordings == was, f"{len(wordings)} of {len(was)} slides; other words on slides {other}")


def _list_texts(slide: Slide) -> list[str]:
    cells = [cell for shape in slide.shapes for row in shape.table for cell in row]
    texts = [*(shape.text for shape in slide.shapes), *cells]
    return sorted(" ".join(text.split()) for text in texts if text.strip())


def _check_pieces(submission: Submission, facts: Facts) -> Finding:
    """The same shapes on each slide; charts, pictures and alternative texts as they were, hardly smaller."""
    now, before = (read_deck(state, FILE).slides for state in (submission, submission.untouched))
    pairs = list(zip(now, before, strict=False))
    problems = [
        f"slide {new.number}: {problem_text}" for new, old in pairs for problem_text in _other_pieces(new, old, facts)
    ]
    problems += (
        ["pictures are cut otherwise"] if map_crops(submission, FILE) != map_crops(submission.untouched, FILE) else []
    )
    return make_finding(
        len(now) == len(before) and not problems, f"{len(now)} slides; {'; '.join(problems) or 'all pieces are there'}"
    )


def _other_pieces(new: Slide, old: Slide, facts: Facts) -> Iterator[str]:
    kinds = [Counter(shape.kind for shape in slide.shapes if shape.kind != "placeholder") for slide in (new, old)]
    if kinds[0] != kinds[1]:
        yield f"other shapes, {dict(kinds[0])} in place of {dict(kinds[1])}"
        return
    turned = [Counter(round(shape.rotation) for shape in slide.shapes) for slide in (new, old)]
    if turned[0] != turned[1]:
        yield "a shape is turned"
    figure = facts["chart"]["slide"] == old.number
    for kind in ("picture", "chart"):
        for was, now in zip(old.of_kind(kind), new.of_kind(kind), strict=True):
            if was.digest != now.digest or not _same_chart(was.chart, now.chart, figure=figure):
                yield f"{was.name} shows something else"
            if was.alt and was.alt != now.alt:
                yield f"{was.name} has another alternative text"
            wide, tall = (now.box_mm[n] / max(1e-3, was.box_mm[n]) for n in (2, 3))
            if min(wide, tall) < 0.66 or (kind == "picture" and abs(wide / tall - 1) > 0.03):
                yield f"{was.name} has {wide:.2f} of its width and {tall:.2f} of its height"


def _same_chart(was: Chart | None, now: Chart | None, *, figure: bool) -> bool:
    """The same kind, names and values, but for the one that is wrong."""
    if was is None or now is None:
        return was is now
    if (was.kind, len(was.series)) != (now.kind, len(now.series)):
        return False
    for old_series, two in zip(was.series, now.series, strict=True):
        other = [
            n
            for n, (a, b) in enumerate(zip(old_series.values, two.values, strict=False))
            if not _is_same_series([a], [b])
        ]
        same = (old_series.name, old_series.categories, len(old_series.values)) == (
            two.name,
            two.categories,
            len(two.values),
        )
        if not same or len(other) > int(figure):
            return False
    return True


def _check_unchanged(submission: Submission, facts: Facts) -> Finding:
    """Slides without a fault are as they were."""
    titles = {fault: facts["titles"][facts["slides"][fault] - 1][:60] for fault in _MOVED}
    figure = facts["titles"][facts["chart"]["slide"] - 1][:60]
    return check_unchanged_outside(
        submission, FILE, *(f"shape#{title}!*" for title in titles.values()), f"shape#{figure}!Chart*"
    )


def _check_unchanged_looks(submission: Submission, facts: Facts) -> Finding:
    """Slides without a fault that shows look as they did."""
    faulty = {facts["chart"]["slide"], *(facts["slides"][fault] for fault in _MOVED)}
    numbers = [number for number in range(1, len(facts["titles"]) + 1) if number not in faulty]
    other = look_otherwise(submission, FILE, numbers)
    return make_finding(not other, f"slides that look different: {other}")


def _check_inside(submission: Submission, _facts: Facts) -> Finding:
    """No shape of any slide reaches over its edge."""
    read = read_deck(submission, FILE)
    off = [f"slide {slide.number}: {shape.name}" for slide in read.slides for shape in read.off_slide(slide)]
    return make_finding(not off, f"over the edge: {off}")


def _list_targets(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{FILE}" for kind in kinds)


CHECKS = make_group(
    "deck_repair",
    "Every slide follows the rules, and no word has changed",
    make_group(
        "places",
        "Nothing overflows or overlaps anything",
        make_checkpoint(
            "list",
            "The list has room above its source",
            _check_list,
            covers=_list_targets("shapes", "texts"),
            weight=2,
        ),
        make_checkpoint(
            "title",
            "The long title has two lines, clear of the chart",
            _check_title,
            covers=_list_targets("shapes", "titles"),
            weight=2,
        ),
        make_checkpoint(
            "pictures",
            "Both pictures and captions are on the slide",
            _check_pictures,
            covers=_list_targets("shapes", "pictures"),
            weight=2,
        ),
        make_checkpoint(
            "remark", "The remark is beside the chart", _check_remark, covers=_list_targets("shapes"), weight=2
        ),
        make_checkpoint("inside", "Nothing reaches over the edge", _check_inside, covers=_list_targets("shapes")),
        weight=5,
    ),
    make_group(
        "readable",
        "Everything can be read",
        make_checkpoint(
            "large",
            "No text is smaller than 12 pt",
            _check_text_sizes,
            covers=_list_targets("shapes", "texts"),
            weight=2,
        ),
        make_checkpoint(
            "contrasts",
            "Text stands out from what is behind it",
            _check_contrasts,
            covers=_list_targets("texts"),
            weight=2,
        ),
        make_checkpoint(
            "described",
            "Pictures and charts have alternative texts",
            _check_descriptions,
            covers=_list_targets("pictures"),
            weight=2,
        ),
        weight=3,
    ),
    make_checkpoint(
        "figure",
        "The wrong figure of the chart is corrected",
        _check_figure,
        covers=_list_targets("charts"),
        weight=2,
    ),
    make_checkpoint("answer", "The answer names the wrong figure", _check_answer, covers=("answer",)),
    leaves.check_looked_at("The slides were looked at", FILE),
    make_checkpoint(
        "wording",
        "No word has changed, in texts and notes",
        _check_wording,
        covers=_list_targets("slides", "titles", "texts", "notes"),
        kind="guardrail",
    ),
    make_checkpoint(
        "pieces",
        "All shapes, charts and pictures are there as they were",
        _check_pieces,
        covers=_list_targets("slides", "charts", "pictures", "shapes"),
        kind="guardrail",
    ),
    make_checkpoint(
        "kept",
        "Slides without a fault are as they were",
        _check_unchanged,
        covers=_list_targets("shapes", "slides"),
        kind="guardrail",
    ),
    make_checkpoint(
        "unchanged",
        "Slides without a fault look as they did",
        _check_unchanged_looks,
        covers=_list_targets("shapes", "slides"),
        kind="guardrail",
    ),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
