"""Every slide keeps to the rules when it is shown, no word is another, and what was right is untouched."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.office.deck_repair.looks import behind_charts, find_pale_texts, look_otherwise, map_crops
from yardkit.evaluators.readers.answers import join_white_space
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.charts import Chart
from yardkit.evaluators.readers.office.presentations import Slide, read_deck
from yardkit.evaluators.readers.pages.pdf import Page
from yardkit.evaluators.readers.pages.rendered import render_slides
from yardkit.evaluators.readers.pages.shape_views import count_lines, find_line_words, list_untidy
from yardkit.evaluators.submission import Submission

if TYPE_CHECKING:
    from yardkit.state_init.office.deck_repair import DeckRepairFacts as Facts

FILE = "deck/investor_update.pptx"
COMPANY = "Halden Works"
BAR_MM = 6.0
_SLACK_PT = 1.5
_MOVED = ("overflow", "title", "beyond", "overlap", "tiny", "contrast")
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def _find_slide(submission: Submission, facts: Facts, fault: str) -> tuple[Slide, Page]:
    """The slide of a fault and its page as it is shown; all that are looked at are rendered at once.

    Raises:
        InvalidArtifact: the deck is too short to have it.
    """
    slides, number = read_deck(submission, FILE).slides, facts["slides"][fault]
    if len(slides) < number:
        raise InvalidArtifact(f"there are {len(slides)} slides; number {number} is missing")
    numbers = [other for name in _MOVED if (other := facts["slides"][name]) <= len(slides)]
    return slides[number - 1], render_slides(submission, FILE, numbers)[number]


def _list_faults(submission: Submission, slide: Slide, page: Page) -> list[str]:
    """What on the page of a slide runs out, lies on something else, or cannot be seen."""
    scale = page.width / read_deck(submission, FILE).width_mm
    shapes = [shape for shape in slide.shapes if shape.text.strip() or shape.kind in ("picture", "chart", "table")]
    foot = min((box[1] for box in page.find(COMPANY) if box[1] > 0.9 * page.height), default=page.height)
    bottom = foot + (_SLACK_PT if slide.number > 1 else 0)
    return list_untidy(page, shapes, scale, BAR_MM * scale - _SLACK_PT, bottom)


def _check_tidy(submission: Submission, facts: Facts, fault: str) -> Finding:
    slide, page = _find_slide(submission, facts, fault)
    untidy = _list_faults(submission, slide, page)
    return make_finding(not untidy, f"slide {slide.number}: {'; '.join(untidy) or 'all in its place'}")


def _check_title(submission: Submission, facts: Facts) -> Finding:
    """The long title has at most two lines of 20 pt or more, clear of the chart."""
    slide, page = _find_slide(submission, facts, "title")
    title = next((shape for shape in slide.shapes if shape.role == "title"), None)
    if title is None:
        return make_finding(holds=False, evidence="the slide has no title")
    size = _map_text_sizes(submission).get((slide.number, title.name), 32.0)
    lines, untidy = count_lines(find_line_words(page, title.text)), _list_faults(submission, slide, page)
    holds = not untidy and 1 <= lines <= 2 and size >= 20
    return make_finding(holds, f"the title has {lines} lines of {size:g} pt; {'; '.join(untidy)}")


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
    slide, page = _find_slide(submission, facts, "tiny")
    untidy = _list_faults(submission, slide, page) if not small else []
    return make_finding(not small and not untidy, f"too small: {small}; {'; '.join(untidy)}")


def _check_contrasts(submission: Submission, facts: Facts) -> Finding:
    """Each text of the slide with the tiles, and of the others that were repaired, stands out."""
    pages = (_find_slide(submission, facts, fault) for fault in _MOVED)
    faint = {slide.number: find_pale_texts(submission, FILE, slide, page) for slide, page in pages}
    wrong = {number: texts for number, texts in faint.items() if texts}
    return make_finding(not wrong, f"contrast below 4.5 or not to be seen, by slide: {wrong}")


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
    number, values = facts["chart"]["slide"], facts["chart"]["values"]
    slides = read_deck(submission, FILE).slides[number - 1 : number]
    charts = [shape.chart for slide in slides for shape in slide.shapes if shape.chart]
    drawn = list(charts[0].series[0].values) if len(charts) == 1 and charts[0].series else []
    inside = [] if facts["wrong"] in values else behind_charts(submission, FILE).get(number, [])
    stays = [value for value in inside if abs(value - facts["wrong"]) < 0.01]
    evidence = f"slide {number} shows {drawn}, expected {values}; still in the data behind it: {stays}"
    return make_finding(_is_same_series(drawn, values) and not stays, evidence)


def _is_same_series(first: Sequence[float | None], other: Sequence[float | None]) -> bool:
    return len(first) == len(other) and all(
        a is not None and b is not None and abs(a - b) <= 0.051 for a, b in zip(first, other, strict=True)
    )


def _check_wording(submission: Submission, _facts: Facts) -> Finding:
    """Texts and notes, slide by slide."""
    wordings, was = (
        [(_list_texts(slide), join_white_space(slide.notes)) for slide in read_deck(state, FILE).slides]
        for state in (submission, submission.untouched)
    )
    other = [number for number, (first, two) in enumerate(zip(wordings, was, strict=False), 1) if first != two]
    return make_finding(wordings == was, f"{len(wordings)} of {len(was)} slides; other words on slides {other}")


def _list_texts(slide: Slide) -> list[str]:
    cells = [cell for shape in slide.shapes for row in shape.table for cell in row]
    return sorted(filter(None, map(join_white_space, [*(shape.text for shape in slide.shapes), *cells])))


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
    same = (was.kind, len(was.series)) == (now.kind, len(now.series))
    for old, new in zip(was.series, now.series, strict=False):
        pairs = zip(old.values, new.values, strict=False)
        other = sum(not _is_same_series([a], [b]) for a, b in pairs)
        same &= (old.name, old.categories, len(old.values)) == (new.name, new.categories, len(new.values))
        same &= other <= int(figure)
    return same


def _list_expected_changes(facts: Facts) -> tuple[str, ...]:
    """The shapes of slides with a fault."""
    titles = [facts["titles"][facts["slides"][fault] - 1][:60] for fault in _MOVED]
    figure = facts["titles"][facts["chart"]["slide"] - 1][:60]
    return *(f"shape#{title}!*" for title in titles), f"shape#{figure}!Chart*"


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


def _make_leaf(name: str, statement: str, check: Any, *kinds: str, weight: float = 1.0, kind: Any = "content") -> Any:
    covers = tuple(f"{part}:{FILE}" for part in kinds)
    return make_checkpoint(name, statement, check, covers=covers, weight=weight, kind=kind)


_check_list, _check_pictures, _check_remark = (
    partial(_check_tidy, fault=fault) for fault in ("overflow", "beyond", "overlap")
)
TEXTS, PIECES = ("slides", "titles", "texts", "notes"), ("slides", "charts", "pictures", "shapes")
CHECKS = make_group(
    "deck_repair",
    "Every slide follows the rules, and no word has changed",
    make_group(
        "places",
        "Nothing overflows or overlaps anything",
        _make_leaf("list", "The list has room above its source", _check_list, "shapes", "texts", weight=2),
        _make_leaf(
            "title", "The long title has two lines, clear of the chart", _check_title, "shapes", "titles", weight=2
        ),
        _make_leaf(
            "pictures", "Both pictures and captions are on the slide", _check_pictures, "shapes", "pictures", weight=2
        ),
        _make_leaf("remark", "The remark is beside the chart", _check_remark, "shapes", weight=2),
        _make_leaf("inside", "Nothing reaches over the edge", _check_inside, "shapes"),
        weight=5,
    ),
    make_group(
        "readable",
        "Everything can be read",
        _make_leaf("large", "No text is smaller than 12 pt", _check_text_sizes, "shapes", "texts", weight=2),
        _make_leaf("contrasts", "Text stands out from what is behind it", _check_contrasts, "texts", weight=2),
        _make_leaf(
            "described", "Pictures and charts have alternative texts", _check_descriptions, "pictures", weight=2
        ),
        weight=3,
    ),
    _make_leaf("figure", "The wrong figure of the chart is corrected", _check_figure, "charts", weight=2),
    leaves.answer_number("The answer names the wrong figure", lambda facts: facts["wrong"], 0.01),
    leaves.check_looked_at("The slides were looked at", FILE),
    _make_leaf("wording", "No word has changed, in texts and notes", _check_wording, *TEXTS, kind="guardrail"),
    _make_leaf(
        "pieces", "All shapes, charts and pictures are there as they were", _check_pieces, *PIECES, kind="guardrail"
    ),
    leaves.check_unchanged(
        "kept",
        "Slides without a fault are as they were",
        FILE,
        covers=(f"shapes:{FILE}", f"slides:{FILE}"),
        also=_list_expected_changes,
    ),
    _make_leaf(
        "unchanged",
        "Slides without a fault look as they did",
        _check_unchanged_looks,
        "shapes",
        "slides",
        kind="guardrail",
    ),
    leaves.nothing_else(FILE, id="others", statement="No other file was touched"),
)
