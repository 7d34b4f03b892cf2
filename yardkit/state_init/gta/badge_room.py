"""A photograph of a badge, and pages of conferences in which people of nearly the same name speak."""

import random
from typing import TYPE_CHECKING, Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Face, get_pen, new_image, write_line
from yardkit.state_init.websites import save_page
from yardkit.world import World

if TYPE_CHECKING:
    from PIL.Image import Image

FIRST = (("Anna", "Anne"), ("Maria", "Marie"), ("Jon", "John"), ("Erik", "Eric"), ("Sofia", "Sophia"))
LAST = ("Berger", "Lindholm", "Moreau", "Okafor", "Tanaka", "Novak")
ROOMS = ("Cedar", "Maple", "Birch", "Willow", "Juniper", "Hazel")
TOPICS = ("flood forecasts", "river sand", "clean wells", "old dams", "rain gauges")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """A picture and pages; `others` are the rooms of the namesake, of the year before, and of somebody else."""
    names, last, rooms = rng.choice(FIRST), rng.choice(LAST), rng.sample(ROOMS, 4)
    own, namesake = (f"{name} {last}" for name in rng.sample(names, 2))
    topics = rng.sample(TOPICS, 4)
    another = f"{rng.choice(names)} {_choose_other_name(last, rng)}"
    talks = [(2026, own), (2026, namesake), (2025, own), (2026, another)]
    for (year, name), room, topic in zip(talks, rooms, topics, strict=True):
        url = f"water-days.example/{year}/{name.lower().replace(' ', '-')}"
        text = f"{name} speaks about {topic} in room {room} at {rng.randint(9, 16)}:00."
        save_page(world, url, f"Water Days {year}: {name}", [text, "Doors open ten minutes before each talk."])
    save_page(world, "water-days.example/visit", "Water Days 2026: your visit", ["Badges are printed at the desk."])
    save_image(photograph_picture(_draw_badge(own, rng), rng, strength=0.25), world.files / "badge.jpg")
    return {
        "gt_answer": {"whitelist": [[rooms[0]]], "blacklist": None},
        "others": {"namesake": rooms[1], "year_before": rooms[2], "another_speaker": rooms[3]},
    }


def _choose_other_name(last: str, rng: random.Random) -> str:
    return rng.choice([name for name in LAST if name != last])


def _draw_badge(name: str, rng: random.Random) -> "Image":
    sheet = new_image(760, 480, (250, 250, 248))
    draw, color = get_pen(sheet), rng.choice([(20, 84, 140), (28, 110, 84), (140, 40, 70)])
    draw.rectangle([0, 0, 760, 120], fill=color)
    write_line(draw, (380, 34), "Water Days 2026", Face("Liberation Sans", 50, bold=True), (255, 255, 255), "center")
    write_line(draw, (380, 200), name, Face("Liberation Sans", 76, bold=True), (30, 30, 34), "center")
    kind = rng.choice(["Speaker", "Speaker and guest", "Invited speaker"])
    write_line(draw, (380, 350), kind, Face("Liberation Sans", 36), (90, 90, 96), "center")
    return sheet
