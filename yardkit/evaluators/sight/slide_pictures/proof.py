"""Solutions and near misses of sight/slide_pictures."""

import io
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.misses import open_edited
from yardkit.evaluators.proof import Agent, Solved

DECK = "open_day.pptx"
WAITS = "Picture to follow"
KINDS = {
    "cup": ("café|espresso", "A cup on a saucer"),
    "cat": ("staff|mice", "The face of a tabby cat"),
    "astronaut": ("orbit|commander", "An astronaut in an orange suit"),
    "rocket": ("Lift-off|Three, two", "A rocket at dusk"),
    "bottles": ("Drinks|to drink", "Bottles on a wooden table"),
    "menu": ("lunch|hungry", "The menu of the day"),
    "sign": ("find us|the bus", "A blue sign that says {words}"),
    "chart": (r"\d{4}", "Bar chart of the visitors in {year}"),
}
"""What a title of a slide says, and what its picture shows."""
LETTERING = {"Visitors in": "chart", "Lager|Cola": "bottles", "Today|Lunch": "menu", "Lane|Road|Street|Row": "sign"}
CLASSES = {"cup": "cup", "cat": "cat", "person": "astronaut"}


def solve(agent: Agent) -> str:
    """Save the pictures, find out what they show by objects and words, place them; a note where one is missing."""
    return _sort_pictures(agent, lambda description: description)


def alternative_longer_texts_and_saved_by_another_program(agent: Agent, files: Path) -> str:
    """Other words for the pictures; python-pptx saves the deck again."""
    answer = _sort_pictures(agent, lambda description: f"On this picture: {description.lower()}.")
    with open_edited(files / DECK):
        pass
    return f"The slide that has to wait is\n**{answer}**"


def alternative_smaller_pictures(agent: Agent, files: Path) -> str:
    """All pictures are a little smaller, elsewhere in the room that they have, and have other names."""
    answer = solve(agent)
    with open_edited(files / DECK) as deck:
        for shape in _list_picture_shapes(deck):
            shape.left, shape.top = shape.left + 90_000, shape.top + 90_000
            shape.width, shape.height = round(shape.width * 0.9), round(shape.height * 0.9)
            shape.name = "Photograph"
    return f"{answer}."


@misses.make_edit_decorator(DECK, caught_by="places")
def near_miss_two_slides_have_the_same_picture(deck: Any) -> None:
    first, second = _list_picture_shapes(deck)[:2]
    part, embedded = first.part.related_part(first._element.blip_rId), second._element.blipFill.blip
    embedded.rEmbed = second.part.relate_to(part, f"{embedded.nsmap['r']}/image")


@misses.make_edit_decorator(DECK, caught_by="whole")
def near_miss_a_picture_stretched(deck: Any) -> None:
    _list_picture_shapes(deck)[0].width = round(_list_picture_shapes(deck)[0].width * 0.8)


@misses.make_edit_decorator(DECK, caught_by="whole")
def near_miss_a_picture_cut_to_fill_its_place(deck: Any) -> None:
    _list_picture_shapes(deck)[2].crop_left = _list_picture_shapes(deck)[2].crop_right = 0.1


@misses.make_edit_decorator(DECK, caught_by="alternatives")
def near_miss_every_word_in_every_alternative_text(deck: Any) -> None:
    for shape in _list_picture_shapes(deck):
        shape._element.nvPicPr.cNvPr.set(
            "descr", "cup cat astronaut rocket bottles menu sign chart 2022 2023 2024 2025"
        )


@misses.make_edit_decorator(DECK, caught_by="waits")
def near_miss_another_picture_in_place_of_the_one_that_lacks(deck: Any, work: Solved) -> None:
    number = next(int(number) for number, kind in work.facts["wanted"].items() if not kind)
    picture = io.BytesIO(_list_picture_shapes(deck)[0].image.blob)
    deck.slides[number - 1].shapes.add_picture(picture, 0, 3_000_000, width=900_000)


near_miss_note_in_other_words = misses.text_changed(DECK, (WAITS, "To be announced"), "waits")
near_miss_another_slide_named = misses.change_answer(
    lambda work: next(title for title in work.facts["titles"] if title != work.facts["missing"])
)
near_miss_draft_deleted = misses.delete_file("poster_draft.jpg")


def _list_picture_shapes(deck: Any) -> list[Any]:
    return [shape for slide in deck.slides for shape in slide.shapes if hasattr(shape, "image")]


def _sort_pictures(agent: Agent, phrase_description: Callable[[str], str]) -> str:
    first, last = map(int, re.findall(r"slides (\d+) to (\d+)", agent.prompt)[0])
    slides = agent.call("read_slides", path=DECK, slides=list(range(first, last + 1)))["slides"]
    places = {slide["number"]: shape for slide in slides for shape in slide["shapes"] if shape["kind"] == "picture"}
    pictures_by_kind, missing = _look_at_pictures(agent, {number: place["id"] for number, place in places.items()}), ""
    for slide in slides:
        heading = next(shape for shape in slide["shapes"] if shape["role"] == "title")
        title = "".join(paragraph["text"] for paragraph in heading["paragraphs"])
        kind, description = next(
            (kind, description) for kind, (words, description) in KINDS.items() if re.search(words, title)
        )
        year = next(iter(re.findall(r"\d{4}", title)), "")
        image, words = pictures_by_kind.get(f"{kind}{year}", ("", ""))
        place = {"path": DECK, "slide": slide["number"]}
        if image:
            alt = phrase_description(description.format(words=words, year=year))
            agent.call("place_slide_picture", **place, image=image, shape=places[slide["number"]]["id"], alt_text=alt)
        else:
            missing = title
            _let_wait(agent, place, places[slide["number"]])
    agent.call("delete_path", path="scratch", recursive=True)
    return missing


def _look_at_pictures(agent: Agent, shapes: Mapping[int, int]) -> dict[str, tuple[str, str]]:
    """The path of each picture and the words on it, by what it shows; of two cats the one of which it is surer."""
    likeliest_pictures: dict[str, tuple[float, str, str]] = {}
    for number, shape in shapes.items():
        path = f"scratch/{number}.jpg"
        agent.call("save_slide_picture", path=DECK, slide=number, shape=shape, target=path)
        words = " ".join(piece["text"] for piece in agent.call("read_image_text", path=path)["pieces"])
        kind, score = next((kind for form, kind in LETTERING.items() if re.search(form, words)), ""), 1.0
        if not kind:
            objects = agent.call("detect_objects", path=path, classes=list(CLASSES), min_confidence=0.35)["objects"]
            thing = max(objects, key=lambda thing: (thing["label"] != "person", thing["score"]), default=None)
            kind, score = (CLASSES[thing["label"]], thing["score"]) if thing else ("rocket", 0.0)
        kind += "".join(re.findall(r"Visitors in (\d{4})", words))
        likeliest_pictures[kind] = max(likeliest_pictures.get(kind, (score, path, words)), (score, path, words))
    return {kind: (path, words) for kind, (_, path, words) in likeliest_pictures.items()}


def _let_wait(agent: Agent, place: Mapping[str, Any], shape: Mapping[str, Any]) -> None:
    left, top, width, _ = shape["box_cm"]
    edit = {"op": "delete", "slide": place["slide"], "shapes": [shape["id"]]}
    agent.call("edit_slide_shapes", path=DECK, edits=[edit])
    box = {"left_cm": left, "top_cm": top + 2, "width_cm": width, "height_cm": 2}
    agent.call("add_slide_shapes", **place, shapes=[{"kind": "textbox", **box, "text": [WAITS]}])
