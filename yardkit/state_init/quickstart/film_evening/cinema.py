"""A cinema, for seeds: its films and the page of its programme."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from yardkit.state_init.rendering import Show, photograph_picture, save_image, schedule_page
from yardkit.state_init.rendering.screens import PageStyle

FILMS = (
    "The Glass Harbour",
    "Night Train North",
    "A Summer in Porto",
    "Seven Lanterns",
    "The Quiet Valley",
    "Beyond the Dunes",
    "Paper Moons",
    "The Last Orchard",
)
VERSIONS = ("English", "English with subtitles", "dubbed")


@dataclass(frozen=True)
class Film:
    """A film on the programme; times in minutes after midnight. `still`: its photograph."""

    title: str
    still: str
    length: int
    screen: int
    times: list[int]
    sold_out: list[int]


def show_clock(minutes: int) -> str:
    """Minutes after midnight as a clock shows them."""
    return f"{minutes // 60 % 24:02}:{minutes % 60:02}"


def read_clock(clock: str) -> int:
    """Minutes after midnight."""
    return int(clock[:2]) * 60 + int(clock[3:])


def save_programme(path: Path, day: str, films: Sequence[Film], style: PageStyle, rng: random.Random) -> None:
    """A picture of the programme of a day, as somebody took it off a screen."""
    shows = [
        Show(
            film.title,
            f"{rng.choice(VERSIONS)} - {film.length // 60} h {film.length % 60} min - Screen {film.screen}",
            [show_clock(time) for time in film.times],
            [show_clock(time) for time in film.sold_out],
        )
        for film in films
    ]
    page = schedule_page("Lumen Cinema", day, shows, style, rng, tabs=["Programme", "Tickets", "Bar"])
    save_image(photograph_picture(page.image, rng, strength=0.1, frame=False), path)
