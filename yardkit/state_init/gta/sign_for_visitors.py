"""The world of gta/sign_for_visitors: two signs at a gate, one for visitors and one for drivers."""

import random
from dataclasses import dataclass
from typing import Any

from yardkit.state_init.rendering import photograph_picture, save_image
from yardkit.state_init.rendering.ink import Color, Face, get_pen, make_paper, write_line
from yardkit.world import World

ACTIONS = (
    ("Sign the gate book", ("gate book", "gatebook")),
    ("Collect a badge", ("badge",)),
    ("Leave your telephone", ("telephone", "phone")),
    ("Put on a helmet", ("helmet",)),
    ("Show your passport", ("passport",)),
)
"""What is asked, and the words by which it is known."""
PLACES = ("Window 3", "Window 8", "Desk B", "Desk D", "Door 12", "Door 21", "Hut 4", "Hut 7")
COLORS: tuple[Color, ...] = ((20, 84, 150), (150, 30, 36), (20, 104, 72))


@dataclass(frozen=True)
class Sign:
    """What a sign says: for whom, what they are to do, by which words that is known, where, and from when on."""

    who: str
    action: str
    words: tuple[str, ...]
    place: str
    hour: int

    @property
    def time(self) -> str:
        return f"{self.hour}:30"

    def draw(self, rng: random.Random) -> Any:
        sheet = make_paper(1000, 560, (248, 248, 246), rng)
        draw, face = get_pen(sheet), Face("Liberation Sans", 54, bold=True)
        draw.rectangle([0, 0, 1000, 130], fill=rng.choice(COLORS))
        write_line(draw, (500, 28), self.who.upper(), face.scale(1.2), (255, 255, 255), "center")
        write_line(draw, (500, 190), self.action, face, (24, 24, 28), "center")
        write_line(draw, (500, 290), f"at {self.place}", face, (24, 24, 28), "center")
        write_line(draw, (500, 420), f"open from {self.time}", face.scale(0.8), (60, 60, 66), "center")
        return photograph_picture(sheet, rng, strength=0.3)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """The facts hold what a text must name, and what stands on the other sign."""
    actions, places, hours = rng.sample(ACTIONS, 2), rng.sample(PLACES, 2), rng.sample(range(6, 10), 2)
    own, other = (
        Sign(who, *action, place, hour)
        for who, action, place, hour in zip(("Visitors", "Drivers"), actions, places, hours, strict=True)
    )
    for number, sign in enumerate(rng.sample((own, other), 2), 1):
        save_image(sign.draw(rng), world.files / f"sign_{number}.jpg")
    action = own.action.lower()
    return {
        "named": [list(own.words), [own.place], [own.time, f"0{own.time}", f"half past {own.hour}"]],
        "others": {"action": other.words[-1], "place": other.place, "time": other.time},
        "of_drivers": f"{other.action} at {other.place}, which is open from {other.time} on.",
        "gt_answer": [
            f"As a visitor you have to {action} at {own.place}; somebody is there from {own.time} on.",
            f"Please {action}. You do that at {own.place}, which opens at {own.time}.",
            f"Visitors are asked to {action} at {own.place}, open from {own.time}.",
        ],
    }
