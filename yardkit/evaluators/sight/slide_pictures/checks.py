"""Each picture lies on the slide that it fits, whole and described; one is gone, one slide waits."""

import re
from collections.abc import Iterator
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
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


def _map_pictures(submission: Submission) -> dict[int, list[Shape]]:
    """The pictures by the number of their slide."""
    slides = read_deck(submission, DECK).slides
    return {slide.number: [shape for shape in slide.shapes if shape.digest] for slide in slides}


def _map_kinds(submission: Submission, facts: Facts) -> dict[str, str]:
    """What each picture of the untouched deck shows, by its digest."""
    before = _map_pictures(submission.untouched)
    return {shape.digest: facts["shown"][str(number)] for number, shapes in before.items() for shape in shapes}


def _check_pictures(submission: Submission, facts: Facts) -> Finding:
    kinds, pictures, before = (
        _map_kinds(submission, facts),
        _map_pictures(submission),
        _map_pictures(submission.untouched),
    )
    wrong = {}
    for number, kind in facts["wanted"].items():
        shapes = pictures.get(int(number), [])
        picture_kinds = [kinds.get(shape.digest, "another one") for shape in shapes]
        if kind and (picture_kinds != [kind] or not shapes[0].overlap_mm2(before[int(number)][0])):
            wrong[number] = f"{picture_kinds} for {kind}"
    return make_finding(not wrong, f"slides with wrong pictures: {wrong or 'none'}")


def _check_waiting_slide(submission: Submission, facts: Facts) -> Finding:
    """The slide without a picture says so in its place, and the picture that fits nowhere is gone."""
    slides, kinds = read_deck(submission, DECK).slides, _map_kinds(submission, facts)
    number = next(int(number) for number, kind in facts["wanted"].items() if not kind)
    place = _map_pictures(submission.untouched)[number][0]
    shapes = slides[number - 1].shapes if len(slides) >= number else ()
    notes = [
        shape for shape in shapes if simplify_text(shape.text) == simplify_text(WAITS) and shape.overlap_mm2(place)
    ]
    unexpected = [shape.name for shape in shapes if shape.digest]
    left = [shape.name for slide in slides for shape in slide.shapes if kinds.get(shape.digest) == "other chart"]
    return make_finding(
        len(notes) == 1 and not unexpected and not left, f"{len(notes)} notes; still there: {unexpected}, {left}"
    )


def _check_descriptions(submission: Submission, facts: Facts) -> Finding:
    kinds, shapes = (
        _map_kinds(submission, facts),
        [shape for slide_shapes in _map_pictures(submission).values() for shape in slide_shapes],
    )
    wrong = [
        shape.alt for shape in shapes if not _describes_kind(shape.alt, kinds.get(shape.digest, ""), facts["year"])
    ]
    enough = len(shapes) == sum(bool(kind) for kind in facts["wanted"].values())
    return make_finding(
        enough and not wrong, f"{len(shapes)} pictures; alternative texts without a description: {wrong}"
    )


def _describes_kind(alt: str, kind: str, year: int) -> bool:
    named = {name for name, words in WORDS.items() if re.search(rf"\b({words})\b", simplify_text(alt))}
    return named == {kind} and (kind != "chart" or str(year) in alt) and len(alt.split()) > 1


def _check_unchanged(submission: Submission, _facts: Facts) -> Finding:
    before, after = (read_deck(version, DECK).slides for version in (submission.untouched, submission))
    old, new = ([list(_list_texts(slide)) for slide in slides] for slides in (before, after))
    changed = [number for number, (old_texts, other) in enumerate(zip(old, new, strict=False), 1) if old_texts != other]
    return make_finding(
        len(old) == len(new) and not changed, f"{len(new)} slides for {len(old)}; other texts on {changed}"
    )


def _list_texts(slide: Slide) -> Iterator[Any]:
    """What a slide says, and where, but for the note that waits for a picture."""
    yield slide.layout, slide.notes, slide.hidden
    for shape in slide.shapes:
        if shape.text.strip() and simplify_text(shape.text) != simplify_text(WAITS):
            yield shape.role, shape.text, tuple(round(value) for value in shape.box_mm), shape.lines


def _list_targets(*kinds: str) -> tuple[str, ...]:
    return tuple(f"{kind}:{DECK}" for kind in kinds)


CHECKS = make_group(
    "slide_pictures",
    "The pictures of the deck are sorted",
    make_checkpoint(
        "places", "Each is where it fits", _check_pictures, covers=_list_targets("file", "pictures", "slides"), weight=4
    ),
    make_checkpoint(
        "waits",
        "One slide waits, one picture is gone",
        _check_waiting_slide,
        covers=_list_targets("file", "texts", "shapes"),
        weight=2,
    ),
    make_checkpoint(
        "alternatives",
        "Each picture is described",
        _check_descriptions,
        covers=_list_targets("file", "pictures"),
        weight=2,
    ),
    leaves.answer_name("It names the slide that waits", lambda facts: facts["missing"], lambda facts: facts["titles"]),
    leaves.check_complete_pictures("whole", "No picture is distorted, cut, beside its slide or over a text", DECK),
    make_checkpoint(
        "slides",
        "All else is as it was",
        _check_unchanged,
        covers=_list_targets("slides", "titles", "texts", "notes", "shapes"),
        kind="guardrail",
    ),
    leaves.nothing_else(DECK),
)
