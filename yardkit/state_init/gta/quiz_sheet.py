"""A chapter on the buildings of a harbour quarter, and slides whose notes say what to ask and what is wrong in it."""

import random
from dataclasses import dataclass, replace
from typing import Any

from yardkit.state_init.decks import Brand, Deck
from yardkit.state_init.documents import Paper
from yardkit.state_init.names import CITIES, make_people
from yardkit.world import World

NAMES = (
    *("Clock Warehouse", "Customs House", "Dry Dock Hall", "Fish Auction", "Grain Silo", "Ice House", "Lock House"),
    *("North Lighthouse", "Old Crane", "Pilot Tower", "Rope Walk", "Salt Store"),
)
CHAPTER_TEXTS = (
    "The {name} was built in {year} by {builder}. It is {height} m high. In {restored} it was restored; the scaffold "
    "reached a height of {scaffold} m.",
    "{builder} built the {name}, after a fire had destroyed what stood there in {before}. The work was finished in "
    "{year}. With a height of {height} m, the building can be seen from the pier, {scaffold} m away.",
    "Ships that came in before {before} found only a shed here. The {name} followed in {year}. {builder}, who built "
    "it, had planned a height of {scaffold} m; it became {height} m.",
)
USES = ("Today it holds a workshop.", "It is open on Sundays.", "It cannot be entered.", "A cafe has moved in.")
ASKED = {
    "year": "In which year was it built?",
    "builder": "Who built it?",
    "height": "How high is it, in metres?",
}
WRONG = {
    "year": "The chapter is wrong: it was built in {}.",
    "builder": "The chapter is wrong: {} built it.",
    "height": "The chapter is wrong: it is {} m high.",
}


@dataclass(frozen=True)
class Building:
    """What is true of a building."""

    name: str
    year: int
    builder: str
    height: int


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write chapter, slides and an older deck; the facts hold the buildings, where they are told, what is asked."""
    town = rng.choice(CITIES)[0]
    chapter_buildings = _make_buildings(rng)
    chapter = Paper(f"The harbour quarter of {town}", "Museum office", world.now)
    chapter.add_heading(f"2 The harbour quarter of {town}")
    chapter.add_paragraph(f"Nine buildings are left of the old harbour of {town}. Guides need to know all of them.")
    for number, building in enumerate(chapter_buildings, 1):
        chapter.add_heading(f"2.{number} {building.name}", 2)
        chapter.add_paragraph(_write_prose(building, rng), f" {rng.choice(USES)}")
    chapter.save(world.files / "chapter_2.docx")
    slide_buildings = rng.sample(chapter_buildings, 7)
    left_out = slide_buildings.pop(rng.randrange(7))
    kinds = rng.sample([*ASKED, *ASKED], 6)
    asked = [[building.name, kind] for building, kind in zip(slide_buildings, kinds, strict=True)]
    wrong = rng.randrange(6)
    old = getattr(slide_buildings[wrong], kinds[wrong])
    other = _choose_other_value(old, kinds[wrong], chapter_buildings, rng)
    notes = {name: f"Quiz: {ASKED[kind]}" for name, kind in asked}
    notes[slide_buildings[wrong].name] += f" {WRONG[kinds[wrong]].format(other)}"
    notes[left_out.name] = "We had no time for it. Not in the quiz."
    order = list(notes)
    rng.shuffle(order)
    asked.sort(key=lambda pair: order.index(pair[0]))
    _write_lesson(world, "lesson.pptx", f"The harbour quarter of {town}", {name: notes[name] for name in order}, rng)
    earlier = {building.name: f"Quiz: {rng.choice([*ASKED.values()])}" for building in rng.sample(chapter_buildings, 6)}
    _write_lesson(world, "lesson_2024.pptx", f"The harbour quarter of {town}, lesson of 2024", earlier, rng)
    true = [
        replace(building, **{kinds[wrong]: other}) if building is slide_buildings[wrong] else building
        for building in chapter_buildings
    ]
    return {
        "title": f"The harbour quarter of {town}",
        "buildings": {
            building.name: {"year": building.year, "builder": building.builder, "height": building.height}
            for building in true
        },
        "slides": {name: number for number, name in enumerate(order, 3)},
        "asked": asked,
        "workflow_category": "Education & Instruction",
    }


def _make_buildings(rng: random.Random) -> list[Building]:
    years, heights = rng.sample(range(1784, 1899), 9), rng.sample(range(20, 68), 9)
    builders = [person.name for person in make_people(rng, 9)]
    return [Building(*facts) for facts in zip(rng.sample(NAMES, 9), years, builders, heights, strict=True)]


def _write_prose(building: Building, rng: random.Random) -> str:
    """What the chapter says of it, with years and lengths that nobody asks for."""
    return rng.choice(CHAPTER_TEXTS).format(
        **vars(building),
        restored=rng.randint(1951, 2019),
        before=building.year - rng.randint(3, 60),
        scaffold=building.height + rng.randint(2, 9),
    )


def _choose_other_value(value: Any, kind: str, buildings: list[Building], rng: random.Random) -> Any:
    """Another value, which no building has."""
    if kind == "builder":
        firsts = {building.builder.split()[0] for building in buildings}
        return next(person.name for person in make_people(rng, 40) if person.first not in firsts)
    known = {getattr(building, kind) for building in buildings}
    return next(value + step for step in rng.sample((-9, -7, -6, -4, 3, 4, 6, 8, 11), 9) if value + step not in known)


def _write_lesson(world: World, path: str, title: str, notes: dict[str, str], rng: random.Random) -> None:
    deck = Deck(title, "Museum office", world.now, Brand("Harbour museum", "1B4965"))
    deck.title_slide(title, "Training of guides")
    deck.add_bullets("Today", ["What is left of the harbour", "What guests ask", "A quiz at the end"])
    for name, note in notes.items():
        deck.add_bullets(name, ["Where it stands", "What it was for", rng.choice(USES)], notes=note)
    deck.save(world.files / path)
