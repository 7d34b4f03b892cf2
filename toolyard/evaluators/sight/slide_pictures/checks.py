"""Each picture lies on the slide that it fits, whole and described; one is gone, one slide waits."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from toolyard.evaluators import leaves
from toolyard.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from toolyard.evaluators.readers.answers import fold
from toolyard.evaluators.readers.files import parse_file
from toolyard.evaluators.readers.office.presentations import Shape, Slide, read_deck
from toolyard.evaluators.submission import Submission

DECK = "open_day.pptx"
WAITS = "Picture to follow"
WORDS: Mapping[str, str] = {
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
_PLACE_MM, _DISTORTED = 3.0, 0.03


def _pictures(submission: Submission) -> dict[int, list[Shape]]:
    """The pictures by the number of their slide."""
    slides = read_deck(submission, DECK).slides
    return {slide.number: [shape for shape in slide.shapes if shape.digest] for slide in slides}


def _kinds(submission: Submission, facts: Facts) -> dict[str, str]:
    """What each picture of the untouched deck shows, by its digest."""
    before = _pictures(submission.untouched)
    return {shape.digest: facts["shown"][str(number)] for number, shapes in before.items() for shape in shapes}


def _placed(submission: Submission, facts: Facts) -> Finding:
    kinds, pictures = _kinds(submission, facts), _pictures(submission)
    before = _pictures(submission.untouched)
    wrong = {}
    for number, kind in facts["wanted"].items():
        shapes = pictures.get(int(number), [])
        found = [kinds.get(shape.digest, "another one") for shape in shapes]
        if kind and (found != [kind] or not _inside(shapes[0], before[int(number)][0])):
            wrong[number] = f"{found} for {kind}"
    return finding(not wrong, f"slides with wrong pictures: {wrong or 'none'}")


def _inside(shape: Shape, place: Shape) -> bool:
    """Whether a picture lies in the place of another one: it reaches no farther than the room of pictures."""
    left, top, width, height = shape.box_mm
    middle = left + width / 2, top + height / 2
    return place.box_mm[0] <= middle[0] <= place.right_mm and place.box_mm[1] <= middle[1] <= place.bottom_mm


def _waits(submission: Submission, facts: Facts) -> Finding:
    """The slide without a picture says so in its place, and the picture that fits nowhere is gone."""
    slides, kinds = read_deck(submission, DECK).slides, _kinds(submission, facts)
    number = next(int(number) for number, kind in facts["wanted"].items() if not kind)
    place = _pictures(submission.untouched)[number][0]
    shapes = slides[number - 1].shapes if len(slides) >= number else ()
    notes = [shape for shape in shapes if fold(shape.text) == fold(WAITS) and shape.overlap_mm2(place) > 0]
    odd = [shape.name for shape in shapes if shape.digest]
    left = [shape.name for slide in slides for shape in slide.shapes if kinds.get(shape.digest) == "other chart"]
    return finding(len(notes) == 1 and not odd and not left, f"{len(notes)} notes; still there: {odd}, {left}")


def _described(submission: Submission, facts: Facts) -> Finding:
    kinds, wrong = _kinds(submission, facts), []
    shapes = [shape for found in _pictures(submission).values() for shape in found]
    for shape in shapes:
        kind = kinds.get(shape.digest, "")
        text = fold(shape.alt)
        named = {name for name, words in WORDS.items() if re.search(rf"\b({words})\b", text)}
        year = kind != "chart" or re.search(rf"\b{facts['year']}\b", text)
        if named != {kind} or not year or len(text.split()) < 2 or re.search(r"\.jpe?g|\.png", text):
            wrong.append(f"{shape.alt!r} for {kind}")
    enough = len(shapes) == sum(bool(kind) for kind in facts["wanted"].values())
    return finding(enough and not wrong, f"{len(shapes)} pictures; alternative texts that do not tell: {wrong}")


def _kept(submission: Submission, _facts: Facts) -> Finding:
    """Slides, titles, texts and notes are as before; pictures are whole, on their slide, and cover no text."""
    before, after = (read_deck(one, DECK).slides for one in (submission.untouched, submission))
    old, new = ([list(_texts(slide)) for slide in slides] for slides in (before, after))
    crooked = [*_distorted(submission), *(name for slide in after for name in _in_the_way(slide))]
    changed = [number for number, (one, other) in enumerate(zip(old, new, strict=False), 1) if one != other]
    return finding(
        len(old) == len(new) and not changed and not crooked,
        f"{len(new)} slides for {len(old)}; changed texts on {changed}; pictures distorted or in the way: {crooked}",
    )


def _texts(slide: Slide) -> Iterator[Any]:
    """What a slide says, and where, but for the note that waits for a picture."""
    yield slide.layout, slide.notes, slide.hidden
    for shape in slide.shapes:
        if shape.text.strip() and fold(shape.text) != fold(WAITS):
            yield shape.role, shape.text, tuple(round(value) for value in shape.box_mm), shape.lines


def _in_the_way(slide: Slide) -> Iterator[str]:
    for shape in slide.of_kind("picture"):
        others = [other for other in slide.shapes if other.id != shape.id and (other.text.strip() or other.digest)]
        beside = min(shape.box_mm[:2]) < -1 or shape.right_mm > 339.7 or shape.bottom_mm > 191.5
        if beside or any(shape.overlap_mm2(other) > 25 for other in others):
            yield f"{shape.name} of slide {slide.number}"


def _distorted(submission: Submission) -> list[str]:
    return parse_file(submission, DECK, _find_distorted, "presentation")


def _find_distorted(path: Path) -> list[str]:
    """The pictures whose box has other proportions than they have, or of which a part is cut off."""
    import pptx

    found = []
    for number, slide in enumerate(pptx.Presentation(str(path)).slides, 1):
        for shape in (shape for shape in slide.shapes if hasattr(shape, "image")):
            width, height = _size(shape.image.blob)
            off = abs(shape.width / shape.height / (width / height) - 1)
            cut = max(abs(side) for side in (shape.crop_left, shape.crop_right, shape.crop_top, shape.crop_bottom))
            if off > _DISTORTED or cut > _DISTORTED:
                found.append(f"{shape.name} of slide {number}")
    return found


def _size(data: bytes) -> tuple[int, int]:
    import io

    import PIL.Image

    with PIL.Image.open(io.BytesIO(data)) as image:
        return image.size


CHECKS = group(
    "slide_pictures",
    "The pictures of the deck are sorted",
    leaf(
        "places",
        "Each picture lies on the slide that it fits",
        _placed,
        observes=(f"file:{DECK}", f"pictures:{DECK}", f"slides:{DECK}", f"shapes:{DECK}"),
        weight=4,
    ),
    leaf(
        "waits",
        "One slide waits for its picture, and the picture too many is gone",
        _waits,
        observes=(f"file:{DECK}", f"texts:{DECK}", f"slides:{DECK}", f"shapes:{DECK}"),
        weight=2,
    ),
    leaf(
        "alternatives", "Each picture is described", _described, observes=(f"file:{DECK}", f"pictures:{DECK}"), weight=2
    ),
    leaves.answer_name(
        "The answer names the slide that waits", lambda facts: facts["missing"], lambda facts: facts["titles"]
    ),
    leaf(
        "slides",
        "All else on the slides is as it was, and nothing is distorted or covered",
        _kept,
        observes=tuple(f"{kind}:{DECK}" for kind in ("slides", "titles", "texts", "notes", "shapes")),
        kind="guardrail",
    ),
    leaves.nothing_else(DECK),
)
