"""Solutions and near misses of sight/slide_pictures."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from toolyard.evaluators import misses
from toolyard.evaluators.misses import opened
from toolyard.evaluators.proof import Agent

DECK = "open_day.pptx"
WAITS = "Picture to follow"
SAYS = {
    "cup": "A cup of coffee on a saucer",
    "cat": "The face of a tabby cat",
    "astronaut": "An astronaut in an orange suit",
    "rocket": "A rocket on its launch pad at dusk",
    "bottles": "Bottles on a wooden table",
    "menu": "The menu of the day with its prices",
    "sign": "A street sign: {words}",
    "chart": "Bar chart of the visitors in {year}",
}
TITLES = {
    "cup": "café|espresso",
    "cat": "staff|mice",
    "astronaut": "orbit|commander",
    "rocket": "Lift-off|Three, two",
    "bottles": "Drinks|to drink",
    "menu": "lunch|hungry",
    "sign": "find us|the bus",
    "chart": r"\d{4}",
}
CLASSES = {"cup": "cup", "cat": "cat", "person": "astronaut"}
SCRATCH = "scratch"


def solve(agent: Agent) -> str:
    """Save the pictures, find out what they show by words and objects, place them; a note where one is missing."""
    return _sort(agent, SAYS)


def also_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Other words for the pictures; python-pptx saves the deck again, with the texts behind the pictures."""
    says = {
        "cup": "Red espresso cup, seen from above",
        "cat": "Close-up of our cat",
        "astronaut": "Portrait of a woman in a space suit",
        "rocket": "Night picture: the Falcon before the launch",
        "bottles": "Cold drinks",
        "menu": "Price list of the kitchen",
        "sign": "Blue sign with the name of a street",
        "chart": "Diagram: visitors per month, {year}",
    }
    answer = _sort(agent, says)
    with opened(files / DECK):
        pass
    return f"The slide that has to wait is\n**{answer}**"


def also_pictures_moved_in_the_file(agent: Agent, files: Path) -> str:
    """All pictures are taken off and set down anew, smaller, in the room that they have."""
    answer = solve(agent)
    with opened(files / DECK) as deck:
        for slide in deck.slides:
            for shape in [shape for shape in slide.shapes if hasattr(shape, "image")]:
                shape.left, shape.top = shape.left + 90_000, shape.top + 90_000
                shape.width, shape.height = round(shape.width * 0.9), round(shape.height * 0.9)
                shape.name = f"Picture of slide {slide.slide_id}"
    return f"{answer}."


def _pictures_of(deck: Any) -> list[Any]:
    return [shape for slide in deck.slides for shape in slide.shapes if hasattr(shape, "image")]


@misses.edits(DECK, kills="places")
def miss_two_pictures_swapped(deck: Any) -> None:
    one, other = (shape._element.blipFill.blip for shape in _pictures_of(deck)[:2])
    slides = [slide for slide in deck.slides if any(hasattr(shape, "image") for shape in slide.shapes)][:2]
    parts = [slide.part.related_part(blip.rEmbed) for slide, blip in zip(slides, (one, other), strict=True)]
    one.rEmbed, other.rEmbed = (
        slide.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image")
        for slide, part in zip(slides, reversed(parts), strict=True)
    )


@misses.edits(DECK, kills="slides")
def miss_a_picture_stretched(deck: Any) -> None:
    shape = _pictures_of(deck)[0]
    shape.width = round(shape.width * 0.8)


@misses.edits(DECK, kills="slides")
def miss_a_picture_over_the_text(deck: Any) -> None:
    _pictures_of(deck)[-1].left = 6_000_000


@misses.edits(DECK, kills="slides")
def miss_a_picture_cut_to_fill_its_place(deck: Any) -> None:
    _pictures_of(deck)[2].crop_left = _pictures_of(deck)[2].crop_right = 0.1


@misses.edits(DECK, kills="alternatives")
def miss_file_names_as_alternative_texts(deck: Any) -> None:
    for shape in _pictures_of(deck):
        shape._element.nvPicPr.cNvPr.set("descr", "IMG_4711.jpg")


@misses.edits(DECK, kills="alternatives")
def miss_every_word_in_every_alternative_text(deck: Any) -> None:
    for shape in _pictures_of(deck):
        shape._element.nvPicPr.cNvPr.set(
            "descr", "cup cat astronaut rocket bottles menu sign chart 2022 2023 2024 2025"
        )


@misses.edits(DECK, kills="waits")
def miss_the_picture_too_many_in_place_of_the_one_that_lacks(deck: Any, work: Any) -> None:
    number = next(int(number) for number, kind in work.facts["wanted"].items() if not kind)
    shape = _pictures_of(deck)[0]
    deck.slides[number - 1].shapes.add_picture(__import__("io").BytesIO(shape.image.blob), 0, 3_000_000, width=900_000)


miss_note_in_other_words = misses.text_changed(DECK, (WAITS, "To be announced"), "waits")
miss_another_slide_named = misses.answered(
    lambda work: next(title for title in work.facts["titles"] if title != work.facts["missing"])
)
miss_draft_deleted = misses.deleted("poster_draft.jpg")


def _sort(agent: Agent, says: Mapping[str, str]) -> str:
    first, last = map(int, re.findall(r"slides (\d+) to (\d+)", agent.prompt)[0])
    slides = agent.call("read_slides", path=DECK, slides=list(range(first, last + 1)))["slides"]
    titles = {slide["number"]: _title_of(slide) for slide in slides}
    shapes = {slide["number"]: _picture_of(slide) for slide in slides}
    shown = _shown(agent, {number: shape["id"] for number, shape in shapes.items()})
    missing = ""
    for number, title in titles.items():
        kind = next(kind for kind, words in TITLES.items() if re.search(words, title))
        year = re.search(r"\d{4}", title)
        words = shown.get(f"chart {year.group()}" if year else kind)
        if words is None:
            missing = title
            _let_wait(agent, number, shapes[number])
        else:
            alt = says[kind].format(words=words[1], year=year.group() if year else "")
            agent.call(
                "place_slide_picture", path=DECK, slide=number, image=words[0], shape=shapes[number]["id"], alt_text=alt
            )
    agent.call("delete_path", path=SCRATCH, recursive=True)
    return missing


def _title_of(slide: Mapping[str, Any]) -> str:
    shape = next(shape for shape in slide["shapes"] if shape["role"] == "title")
    return "".join(paragraph["text"] for paragraph in shape["paragraphs"])


def _picture_of(slide: Mapping[str, Any]) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(shape for shape in slide["shapes"] if shape["kind"] == "picture")
    return found


def _shown(agent: Agent, shapes: Mapping[int, int]) -> dict[str, tuple[str, str]]:
    """The path of each picture and the words on it, by what it shows."""
    found: dict[str, tuple[str, str]] = {}
    scores: dict[str, float] = {}
    for number, shape in shapes.items():
        path = f"{SCRATCH}/{number}.jpg"
        agent.call("save_slide_picture", path=DECK, slide=number, shape=shape, target=path)
        words = " ".join(piece["text"] for piece in agent.call("read_image_text", path=path)["pieces"])
        kind = _kind_by_words(words)
        score = 1.0
        if not kind:
            objects = agent.call("detect_objects", path=path, classes=list(CLASSES), min_confidence=0.35)["objects"]
            known = [(thing["score"], CLASSES[thing["label"]]) for thing in objects if thing["label"] != "person"]
            known = known or [(thing["score"], "astronaut") for thing in objects]
            score, kind = max(known, default=(0.0, "rocket"))
        if score > scores.get(kind, -1.0):
            found[kind], scores[kind] = (path, words), score
    return found


def _kind_by_words(words: str) -> str:
    year = re.search(r"Visitors in (\d{4})", words)
    if year:
        return f"chart {year.group(1)}"
    if re.search("Lager|Cola|Lemonade", words):
        return "bottles"
    if "Today" in words or "Lunch" in words:
        return "menu"
    return "sign" if re.search("Lane|Road|Street|Row", words) else ""


def _let_wait(agent: Agent, number: int, shape: Mapping[str, Any]) -> None:
    left, top, width, height = shape["box_cm"]
    agent.call("edit_slide_shapes", path=DECK, edits=[{"slide": number, "op": "delete", "shapes": [shape["id"]]}])
    note = {
        "kind": "textbox",
        "left_cm": left,
        "top_cm": top + height / 3,
        "width_cm": width,
        "height_cm": 2,
        "text": [WAITS],
    }
    agent.call("add_slide_shapes", path=DECK, slide=number, shapes=[note])
