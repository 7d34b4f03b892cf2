"""Every slide keeps to the rules when it is shown, no word is another, and what was right is untouched."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.collateral import kept_outside
from yardkit.evaluators.office.deck_repair.looks import behind_charts, crops, look_otherwise, pale
from yardkit.evaluators.readers.answers import read_number
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.office.charts import Chart
from yardkit.evaluators.readers.office.presentations import Shape, Slide, read_deck
from yardkit.evaluators.readers.pages.pdf import Box, Page
from yardkit.evaluators.readers.pages.rendered import render_slides
from yardkit.evaluators.submission import Submission

FILE = "deck/investor_update.pptx"
COMPANY = "Halden Works"
BAR_MM = 6.0
_SLACK_PT = 1.5
_MOVED = ("overflow", "title", "beyond", "overlap", "tiny", "contrast")
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def _page(submission: Submission, facts: Facts, slide: Slide) -> Page:
    """The slide as it is shown; all that are looked at are rendered at once."""
    there = len(read_deck(submission, FILE).slides)
    numbers = [number for fault in _MOVED if (number := facts["slides"][fault]) <= there]
    return render_slides(submission, FILE, numbers)[slide.number]


def _slide(submission: Submission, facts: Facts, fault: str) -> Slide | None:
    slides, number = read_deck(submission, FILE).slides, facts["slides"][fault]
    return slides[number - 1] if len(slides) >= number else None


def _untidy(submission: Submission, facts: Facts, slide: Slide) -> list[str]:
    """What on the page of a slide runs out, lies on something else, or cannot be seen."""
    read, page = read_deck(submission, FILE), _page(submission, facts, slide)
    scale = page.width / read.width_mm
    things = {shape.name: box for shape in slide.shapes if (box := _seen(page, shape, scale)) is not None}
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
    return lost + out + [f"{a} overlaps {b}" for (a, one), (b, two) in pairs if _shared(one, two)]


def _seen(page: Page, shape: Shape, scale: float) -> Box | None:
    """Where the text of a shape stands on the page, or the box of a picture, chart or table."""
    left, top, width, height = shape.box_mm
    if shape.kind in ("picture", "chart", "table"):
        return (left * scale, top * scale, (left + width) * scale, (top + height) * scale)
    found = [page.find(line.text) for line in shape.lines if line.text.strip()]
    if not found or not all(found):
        return None
    near = [min(boxes, key=lambda box: abs(box[0] - left * scale) + abs(box[1] - top * scale)) for boxes in found]
    lefts, tops, rights, bottoms = zip(*near, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _shared(one: Box, two: Box) -> bool:
    wide, tall = (min(one[n + 2], two[n + 2]) - max(one[n], two[n]) for n in (0, 1))
    return wide > _SLACK_PT and tall > _SLACK_PT


def _tidy(submission: Submission, facts: Facts, fault: str) -> Finding:
    slide = _slide(submission, facts, fault)
    if slide is None:
        return finding(holds=False, evidence="the slide is missing")
    untidy = _untidy(submission, facts, slide)
    return finding(not untidy, f"slide {slide.number}: {'; '.join(untidy) or 'all in its place'}")


def _list(submission: Submission, facts: Facts) -> Finding:
    return _tidy(submission, facts, "overflow")


def _title(submission: Submission, facts: Facts) -> Finding:
    """The long title has at most two lines of 20 pt or more, clear of the chart."""
    slide = _slide(submission, facts, "title")
    if slide is None:
        return finding(holds=False, evidence="the slide is missing")
    page = _page(submission, facts, slide)
    title = next((shape for shape in slide.shapes if shape.role == "title"), None)
    size = _sizes(submission).get((slide.number, title.name), 32.0) if title else 0.0
    lines = _lines(page, title) if title else 0
    untidy = _untidy(submission, facts, slide)
    holds = not untidy and 1 <= lines <= 2 and size >= 20
    return finding(holds, f"the title has {lines} lines of {size:g} pt; {'; '.join(untidy)}")


def _lines(page: Page, title: Shape) -> int:
    """On how many lines the title stands."""
    found = page.find(title.text)
    if not found:
        return 0
    left, top, right, bottom = found[0]
    inside = [w.box for w in page.words if w.box[0] >= left - 1 and w.box[1] >= top - 1 and w.box[3] <= bottom + 1]
    feet = sorted(round(box[3]) for box in inside if box[2] <= right + 1)
    return 1 + sum(after - before > 10 for before, after in pairwise(feet))


def _pictures(submission: Submission, facts: Facts) -> Finding:
    return _tidy(submission, facts, "beyond")


def _remark(submission: Submission, facts: Facts) -> Finding:
    return _tidy(submission, facts, "overlap")


def _sizes(submission: Submission) -> dict[tuple[int, str], float]:
    """The smallest stated size of the text of each shape, as far as it is made to fit, by slide and name."""
    return parse_file(submission, FILE, _read_sizes, "presentation")


def _read_sizes(path: Any) -> dict[tuple[int, str], float]:
    import pptx

    found = {}
    for number, slide in enumerate(pptx.Presentation(str(path)).slides, 1):
        for shape in slide.shapes:
            fit = next(shape._element.iter(f"{_A}normAutofit"), None)
            share = int(str(fit.get("fontScale", "100000")).rstrip("%")) / 100_000 if fit is not None else 1.0
            runs = [run.find(f"{_A}rPr") for run in shape._element.iter(f"{_A}r") if (run.findtext(f"{_A}t") or "")]
            stated = [int(run.get("sz")) / 100 for run in runs if run is not None and run.get("sz")]
            usual = 32.0 if shape == slide.shapes.title else 18.0
            found[number, shape.name] = (
                min([*stated, *([usual] if len(stated) < len(runs) else [])], default=usual) * share
            )
    return found


def _large(submission: Submission, facts: Facts) -> Finding:
    """No text is smaller than 12 pt, and the terms that were have room."""
    small = {place: size for place, size in _sizes(submission).items() if size < 11.95}
    slide = _slide(submission, facts, "tiny")
    untidy = _untidy(submission, facts, slide) if slide is not None and not small else []
    return finding(slide is not None and not small and not untidy, f"too small: {small}; {'; '.join(untidy)}")


def _contrasts(submission: Submission, facts: Facts) -> Finding:
    """Each text of the slide with the tiles, and of the others that were repaired, stands out."""
    slides = {slide.number: slide for fault in _MOVED if (slide := _slide(submission, facts, fault))}
    wrong = {
        number: faint
        for number, slide in slides.items()
        if (faint := pale(submission, FILE, slide, _page(submission, facts, slide)))
    }
    complete = len(slides) == len({facts["slides"][fault] for fault in _MOVED})
    return finding(complete and not wrong, f"contrast below 4.5 or not to be seen, by slide: {wrong}")


def _described(submission: Submission, facts: Facts) -> Finding:
    """Every picture and chart has an alternative text; the new ones name the subject."""
    read = read_deck(submission, FILE)
    bare = [
        f"slide {slide.number}: {shape.name} {shape.alt!r}"
        for slide in read.slides
        for shape in slide.shapes
        if shape.kind in ("picture", "chart") and not _says_what(shape.alt, slide, facts)
    ]
    return finding(not bare, f"without a fitting alternative text: {bare}")


def _says_what(alt: str, slide: Slide, facts: Facts) -> bool:
    words = re.findall(r"\w+", alt.casefold())
    if slide.number not in (facts["slides"]["picture_alt"], facts["slides"]["chart_alt"]):
        return len(words) >= 2
    subject = {word[:6] for word in re.findall(r"\w{5,}", slide.title.casefold())}
    return len(words) >= 2 and any(word[:6] in subject for word in words)


def _figure(submission: Submission, facts: Facts) -> Finding:
    """The chart with the wrong figure shows what the data say."""
    slides, wanted = read_deck(submission, FILE).slides, facts["chart"]
    charts = [shape.chart for shape in slides[wanted["slide"] - 1].shapes if shape.chart] if len(slides) > 1 else []
    shown = list(charts[0].series[0].values) if len(charts) == 1 and charts[0].series else []
    behind = behind_charts(submission, FILE).get(wanted["slide"], [])
    stays = [value for value in behind if abs(value - facts["wrong"]) < 0.01 and facts["wrong"] not in wanted["values"]]
    return finding(
        _same(shown, wanted["values"]) and not stays,
        f"slide {wanted['slide']} shows {shown}, expected {wanted['values']}; still in the data behind it: {stays}",
    )


def _same(shown: Sequence[float | None], wanted: Sequence[float | None]) -> bool:
    pairs = list(zip(shown, wanted, strict=False))
    return len(shown) == len(wanted) and all(a is not None and b is not None and abs(a - b) <= 0.051 for a, b in pairs)


def _answer(submission: Submission, facts: Facts) -> Finding:
    return finding(abs(float(read_number(submission.answer)) - facts["wrong"]) < 0.01, f"expected {facts['wrong']}")


def _wording(submission: Submission, _facts: Facts) -> Finding:
    """Texts and notes, slide by slide."""
    now, before = (read_deck(state, FILE).slides for state in (submission, submission.untouched))
    said, was = ([(_texts(slide), " ".join(slide.notes.split())) for slide in version] for version in (now, before))
    other = [number for number, (one, two) in enumerate(zip(said, was, strict=False), 1) if one != two]
    return finding(said == was, f"{len(said)} of {len(was)} slides; other words on slides {other}")


def _texts(slide: Slide) -> list[str]:
    cells = [cell for shape in slide.shapes for row in shape.table for cell in row]
    texts = [*(shape.text for shape in slide.shapes), *cells]
    return sorted(" ".join(text.split()) for text in texts if text.strip())


def _pieces(submission: Submission, facts: Facts) -> Finding:
    """The same shapes on each slide; charts, pictures and alternative texts as they were, hardly smaller."""
    now, before = (read_deck(state, FILE).slides for state in (submission, submission.untouched))
    pairs = list(zip(now, before, strict=False))
    odd = [f"slide {new.number}: {says}" for new, old in pairs for says in _other_pieces(new, old, facts)]
    odd += ["pictures are cut otherwise"] if crops(submission, FILE) != crops(submission.untouched, FILE) else []
    return finding(
        len(now) == len(before) and not odd, f"{len(now)} slides; {'; '.join(odd) or 'all pieces are there'}"
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
    for one, two in zip(was.series, now.series, strict=True):
        other = [n for n, (a, b) in enumerate(zip(one.values, two.values, strict=False)) if not _same([a], [b])]
        same = (one.name, one.categories, len(one.values)) == (two.name, two.categories, len(two.values))
        if not same or len(other) > int(figure):
            return False
    return True


def _kept(submission: Submission, facts: Facts) -> Finding:
    """Slides without a fault are as they were."""
    titles = {fault: facts["titles"][facts["slides"][fault] - 1][:60] for fault in _MOVED}
    figure = facts["titles"][facts["chart"]["slide"] - 1][:60]
    return kept_outside(submission, FILE, *(f"shape#{title}!*" for title in titles.values()), f"shape#{figure}!Chart*")


def _unchanged(submission: Submission, facts: Facts) -> Finding:
    """Slides without a fault that shows look as they did."""
    faulty = {facts["chart"]["slide"], *(facts["slides"][fault] for fault in _MOVED)}
    numbers = [number for number in range(1, len(facts["titles"]) + 1) if number not in faulty]
    other = look_otherwise(submission, FILE, numbers)
    return finding(not other, f"slides that look different: {other}")


def _inside(submission: Submission, _facts: Facts) -> Finding:
    """No shape of any slide reaches over its edge."""
    read = read_deck(submission, FILE)
    off = [f"slide {slide.number}: {shape.name}" for slide in read.slides for shape in read.off_slide(slide)]
    return finding(not off, f"over the edge: {off}")


def _of(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{FILE}" for kind in kinds)


CHECKS = group(
    "deck_repair",
    "Every slide follows the rules, and no word has changed",
    group(
        "places",
        "Nothing overflows or overlaps anything",
        leaf("list", "The list has room above its source", _list, observes=_of("shapes", "texts"), weight=2),
        leaf(
            "title",
            "The long title has two lines, clear of the chart",
            _title,
            observes=_of("shapes", "titles"),
            weight=2,
        ),
        leaf(
            "pictures",
            "Both pictures and captions are on the slide",
            _pictures,
            observes=_of("shapes", "pictures"),
            weight=2,
        ),
        leaf("remark", "The remark is beside the chart", _remark, observes=_of("shapes"), weight=2),
        leaf("inside", "Nothing reaches over the edge", _inside, observes=_of("shapes")),
        weight=5,
    ),
    group(
        "readable",
        "Everything can be read",
        leaf("large", "No text is smaller than 12 pt", _large, observes=_of("shapes", "texts"), weight=2),
        leaf("contrasts", "Text stands out from what is behind it", _contrasts, observes=_of("texts"), weight=2),
        leaf("described", "Pictures and charts have alternative texts", _described, observes=_of("pictures"), weight=2),
        weight=3,
    ),
    leaf("figure", "The wrong figure of the chart is corrected", _figure, observes=_of("charts"), weight=2),
    leaf("answer", "The answer names the wrong figure", _answer, observes=("answer",)),
    leaves.looked("The slides were looked at", FILE),
    leaf(
        "wording",
        "No word has changed, in texts and notes",
        _wording,
        observes=_of("slides", "titles", "texts", "notes"),
        kind="guardrail",
    ),
    leaf(
        "pieces",
        "All shapes, charts and pictures are there as they were",
        _pieces,
        observes=_of("slides", "charts", "pictures", "shapes"),
        kind="guardrail",
    ),
    leaf("kept", "Slides without a fault are as they were", _kept, observes=_of("shapes", "slides"), kind="guardrail"),
    leaf(
        "unchanged",
        "Slides without a fault look as they did",
        _unchanged,
        observes=_of("shapes", "slides"),
        kind="guardrail",
    ),
    leaves.nothing_else(FILE, id="others", says="No other file was touched"),
)
