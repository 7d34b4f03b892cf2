"""A brief with late changes, shots of which one of the wanted subject is sharp, and a card with addresses."""

import datetime
import random
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from yardkit.state_init.material import take_out, typeset_markdown
from yardkit.state_init.names import CITIES, STREETS, make_people
from yardkit.state_init.photographs import Fault, take_shot, vary_photograph
from yardkit.state_init.rendering import save_image
from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_paper, new_image, write_line
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

SUBJECTS = {"cat": "cat", "cup": "cup", "plane": "airplane", "jockey": "horse"}
"""Photographs, and what the brief calls their subject."""
TITLES = {
    "cat": ("Nine Lives: an Evening for the Shelter", "Whiskers and Tales"),
    "cup": ("Slow Coffee: a Tasting", "The Long Brew: an Evening of Coffee"),
    "plane": ("Above the Clouds: Stories of Pilots", "Wings over the Valley"),
    "jockey": ("A Day at the Races, Retold", "Turf and Thunder: an Evening"),
}
HOUSES = ("Harbour Hall", "Kestrel Theatre", "Orchard Forum", "Mill House", "Lantern Rooms")
WIDE, HIGH, BAND = 800, 540, 180
"""Of a shot: its width, the height of the photograph, and of the plain ground below it."""
GROUNDS: Mapping[str, Color] = {"light": (245, 239, 224), "dark": (30, 34, 44)}


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the brief, the shots and the card; the facts hold the right shot, the texts, and what was true before."""
    subject, *others = rng.sample(sorted(SUBJECTS), 3)
    ground = rng.choice(sorted(GROUNDS))
    names = [f"photos/IMG_{number}.jpg" for number in sorted(rng.sample(range(2100, 9800), 5))]
    rng.shuffle(names)
    varied_photograph = vary_photograph(subject, rng, 0.02)
    plan: list[tuple[Image, Fault]] = [
        (varied_photograph, ""),
        (varied_photograph, "soft"),
        (varied_photograph, "moved"),
    ]
    plan += [(vary_photograph(other, rng, 0.02), "") for other in others]
    for name, (image, fault) in zip(names, plan, strict=True):
        save_image(_draw_shot(image, fault, GROUNDS[ground], rng), world.files / name, 93)
    houses = _write_card(world, rng)
    (old_house, _), (house, (street, town)) = rng.sample(sorted(houses.items()), 2)
    day = datetime.date(2026, 4, 6) + datetime.timedelta(days=rng.randint(0, 40))
    old_day, (old_time, time) = (
        day - datetime.timedelta(days=rng.choice((1, 2, 5))),
        rng.sample(("18:30", "19:00", "19:30"), 2),
    )
    title, sender = rng.choice(TITLES[subject]), make_people(rng, 1)[0]
    facts = {
        "texts": {"title": title, "when": f"{_format_day(day)}, {time}", "where": f"{house}, {street}"},
        "town": town,
        "answer_by": f"Please answer by {_format_day(day - datetime.timedelta(days=7))}",
        "mail": sender.email,
        "old": [_format_day(old_day), old_time, old_house],
        "shot": names[0],
        "soft": names[1],
        "ground": ground,
    }
    _write_brief(
        world, sender.name, title=title, subject=SUBJECTS[subject], ground=ground, mail=sender.email, house=house,
        day=_format_day(day), time=time, old_day=_format_day(old_day), old_time=old_time, old_house=old_house,
    )  # fmt: skip
    listed = [f"`{name}`" for name in sorted(names)]
    prompt = {"shots": f"{', '.join(listed[:-1])} and {listed[-1]}"}
    return {**facts, "workflow_category": "Creative Design", "prompt": prompt}


def _format_day(day: datetime.date) -> str:
    return f"{day:%A}, {day.day} {day:%B}"


def _draw_shot(image: "Image", fault: Fault, ground: Color, rng: random.Random) -> "Image":
    """A shot on its ground."""
    card = new_image(WIDE, HIGH + BAND, ground)
    card.paste(take_shot(image, (WIDE, HIGH), fault, rng))
    return card


def _write_card(world: World, rng: random.Random) -> dict[str, tuple[str, str]]:
    """A card with houses and their addresses; street and town of each."""
    sheet = make_paper(900, 640, (250, 246, 236), rng, grain=1.4)
    draw, face = get_pen(sheet), Face("Liberation Serif", 34)
    draw.rectangle((0, 0, 900, 104), fill=(32, 74, 96))
    write_line(draw, (50, 28), "Our houses", face.scale(1.4).make_bold(), (255, 255, 255))
    city, postcode, *_ = rng.choice(CITIES)
    houses = {}
    for row, (name, street) in enumerate(zip(rng.sample(HOUSES, 4), rng.sample(STREETS, 4), strict=True)):
        houses[name] = (f"{rng.randint(2, 89)} {street}", f"{postcode[:-1]}{rng.randint(0, 9)} {city}")
        write_line(draw, (50, 136 + 122 * row), name, face.make_bold(), (32, 74, 96))
        write_line(draw, (430, 136 + 122 * row), houses[name][0], face, (40, 40, 44))
        write_line(draw, (430, 182 + 122 * row), houses[name][1], face, (40, 40, 44))
    save_image(sheet, world.files / "houses.png")
    return houses


def _write_brief(world: World, author: str, **values: str) -> None:
    text = take_out(world, "brief.md").format(**values)
    written = world.now - datetime.timedelta(days=4)
    typeset_markdown(text, author=author, now=written, header=["Evenings"]).save(world.files / "brief.docx")
