"""Each picture lies on the slide that it fits, whole and described; one is gone, one slide waits."""

import re
from collections.abc import Iterator
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.office.presentations import Shape, Slide, read_deck
from yardkit.evaluators.submission import Submission

DECK = "open_day.pptx"
WAITS = "Picture to follow"
WORDS = {
    "cup": r"cups?|coffee|espresso|mug",
    "cat": r"cats?|kitten|tabby",
    "astronaut": r"astronaut|woman|spacesuit|space suit|collins|commander",
    "rocket": r"rocket|launch|launch pad|falcon",
    "bottles": r"bottles?|drinks",
    "menu": r"menu|prices?|price list|dishes",
    "sign": r"sign|street sign|signpost",
    "chart": r"chart|graph|diagram|bars",
}
"""What an alternative text has to name; it must not name what another picture shows."""


def _pictures(submission: Submission) -> dict[int, list[Shape]]:
    """The pictures by the number of their slide."""
    slides = read_deck(submission, DECK).slides
    return {slide.number: [shape for shape in slide.shapes if shape.digest] for slide in slides}


def _kinds(submission: Submission, facts: Facts) -> dict[str, str]:
    """What each picture of the untouched deck shows, by its digest."""
    before = _pictures(submission.untouched)
    return {shape.digest: facts["shown"][str(number)] for number, shapes in before.items() for shape in shapes}


def _placed(submission: Submission, facts: Facts) -> Finding:
    kinds, pictures, before = _kinds(submission, facts), _pictures(submission), _pictures(submission.untouched)
    wrong = {}
    for number, kind in facts["wanted"].items():
        shapes = pictures.get(int(number), [])
        found = [kinds.get(shape.digest, "another one") for shape in shapes]
        if kind and (found != [kind] or not shapes[0].overlap_mm2(before[int(number)][0])):
            wrong[number] = f"{found} for {kind}"
    return finding(not wrong, f"slides with wrong pictures: {wrong or 'none'}")


def _waits(submission: Submission, facts: Facts) -> Finding:
    """The slide without a picture says so in its place, and the picture that fits nowhere is gone."""
    slides, kinds = read_deck(submission, DECK).slides, _kinds(submission, facts)
    number = next(int(number) for number, kind in facts["wanted"].items() if not kind)
    place = _pictures(submission.untouched)[number][0]
    shapes = slides[number - 1].shapes if len(slides) >= number else ()
    notes = [shape for shape in shapes if fold(shape.text) == fold(WAITS) and shape.overlap_mm2(place)]
    odd = [shape.name for shape in shapes if shape.digest]
    left = [shape.name for slide in slides for shape in slide.shapes if kinds.get(shape.digest) == "other chart"]
    return finding(len(notes) == 1 and not odd and not left, f"{len(notes)} notes; still there: {odd}, {left}")


def _described(submission: Submission, facts: Facts) -> Finding:
    kinds, shapes = _kinds(submission, facts), [shape for found in _pictures(submission).values() for shape in found]
    wrong = [shape.alt for shape in shapes if not _tells(shape.alt, kinds.get(shape.digest, ""), facts["year"])]
    enough = len(shapes) == sum(bool(kind) for kind in facts["wanted"].values())
    return finding(enough and not wrong, f"{len(shapes)} pictures; alternative texts without a description: {wrong}")


def _tells(alt: str, kind: str, year: int) -> bool:
    named = {name for name, words in WORDS.items() if re.search(rf"\b({words})\b", fold(alt))}
    return named == {kind} and (kind != "chart" or str(year) in alt) and len(alt.split()) > 1


def _kept(submission: Submission, _facts: Facts) -> Finding:
    before, after = (read_deck(one, DECK).slides for one in (submission.untouched, submission))
    old, new = ([list(_texts(slide)) for slide in slides] for slides in (before, after))
    changed = [number for number, (one, other) in enumerate(zip(old, new, strict=False), 1) if one != other]
    return finding(len(old) == len(new) and not changed, f"{len(new)} slides for {len(old)}; other texts on {changed}")


def _texts(slide: Slide) -> Iterator[Any]:
    """What a slide says, and where, but for the note that waits for a picture."""
    yield slide.layout, slide.notes, slide.hidden
    for shape in slide.shapes:
        if shape.text.strip() and fold(shape.text) != fold(WAITS):
            yield shape.role, shape.text, tuple(round(value) for value in shape.box_mm), shape.lines


def _of(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{DECK}" for kind in kinds)


CHECKS = group(
    "slide_pictures",
    "The pictures of the deck are sorted",
    leaf("places", "Each is where it fits", _placed, observes=_of("file", "pictures", "slides"), weight=4),
    leaf("waits", "One slide waits, one picture is gone", _waits, observes=_of("file", "texts", "shapes"), weight=2),
    leaf("alternatives", "Each picture is described", _described, observes=_of("file", "pictures"), weight=2),
    leaves.answer_name("It names the slide that waits", lambda facts: facts["missing"], lambda facts: facts["titles"]),
    leaves.pictures_whole("whole", "No picture is distorted, cut, beside its slide or over a text", DECK),
    leaf("slides", "All else is as it was", _kept, observes=_of("slides", "titles", "texts", "notes", "shapes"),
         kind="guardrail"),
    leaves.nothing_else(DECK),
)  # fmt: skip
