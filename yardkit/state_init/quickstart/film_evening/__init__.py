"""Screenshots of a booking page with one entry circled in red and of a cinema's programme, photographs of its films."""

import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from yardkit.state_init.photographs import vary_photograph
from yardkit.state_init.quickstart.film_evening.cinema import FILMS, Film, read_clock, save_programme, show_clock
from yardkit.state_init.rendering import Show, circle_by_hand, save_image, schedule_page
from yardkit.state_init.rendering.screens import PageStyle
from yardkit.world import World, save_text

RESTAURANTS = {
    "Trattoria Lucia": "Italian",
    "Golden Wok": "Chinese",
    "Casa Morena": "Spanish",
    "Bistro Malou": "French",
    "Green Bowl": "vegetarian",
    "Blue Harbour": "seafood",
}
THINGS = {"a horse": "jockey", "an airplane": "plane", "a football": "soccer", "a cup of coffee": "cup"}
"""Photographs by what is on them: the embedded detector finds each of these, and none of them where it is not."""
STILLS = (*THINGS.values(), "apollo", "cat", "city", "rocket", "collins", "hopper", "douglass", "caller")
FRIENDS = ("Mira", "Tom", "Leila", "Pavel")
_TRIES = 5_000
_DAY = "Saturday, 21 March 2026"


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Render the screenshots; the facts hold the plan and what careless readers would plan."""
    restaurants = rng.sample(list(RESTAURANTS), 4)
    booked, other = rng.sample(range(4), 2)
    tables = [[show_clock(time) for time in sorted(rng.sample(range(1080, 1186, 15), 3))] for _ in restaurants]
    place = rng.randrange(3)
    stay, walks = rng.choice([75, 90, 105]), rng.sample(range(6, 30), 4)
    ready = read_clock(tables[booked][place]) + stay + walks[booked]
    liked = rng.sample(list(THINGS), 2)
    liked_stills = [THINGS[thing] for thing in liked]
    films = _make_programme(rng, ready, liked_stills, stay)
    friday = _make_films(rng, rng.sample(STILLS, 4))
    pages = world.files / "screenshots"
    styles: list[PageStyle] = rng.sample(get_args(PageStyle), 2)
    bright: list[PageStyle] = ["light", "warm"]  # the dark page has red buttons: the ring would be lost on it
    circled = (restaurants[booked], tables[booked][place])
    _booking_page(pages / "tables.png", list(zip(restaurants, tables, strict=True)), circled, rng.choice(bright), rng)
    save_programme(pages / "cinema_saturday.jpg", _DAY, films, styles[0], rng)
    save_programme(pages / "cinema_friday.jpg", "Friday, 20 March 2026", friday, styles[1], rng)
    for day, programme in (("saturday", films), ("friday", friday)):
        for film in programme:
            still = vary_photograph(film.still, rng)
            save_image(still, world.files / "stills" / day / f"screen_{film.screen}.jpg", 88)
    _write_notes(world.files, dict(zip(restaurants, walks, strict=True)), stay, rng)
    plan = {
        "restaurant": restaurants[booked],
        "dinner_ends": show_clock(ready - walks[booked]),
        "at_cinema": show_clock(ready),
        **_find_showing(films, ready, liked_stills),
    }
    careless = {
        "sold_out": _find_showing([_reopen_film(film) for film in films], ready, liked_stills),
        "still": _find_showing(films, ready, STILLS),
        "walk": _find_showing(films, ready - walks[booked], liked_stills),
        "stay": _find_showing(films, ready - stay, liked_stills),
        "other_restaurant": restaurants[other],
    }
    prompt = {"friend": rng.choice(FRIENDS), "things": " or ".join(liked)}
    return {"prompt": prompt, "plan": plan, "careless": careless, "films": list(FILMS)}


def _make_programme(rng: random.Random, ready: int, liked_stills: list[str], stay: int) -> list[Film]:
    """Five films in which overlooking any condition leads to another showing."""
    for _ in range(_TRIES):
        films = _make_films(rng, liked_stills + rng.sample([still for still in STILLS if still not in liked_stills], 3))
        begins = [time for film in films for time in film.times if _fits_wish(film, time, 0, liked_stills)]
        after = sorted(time for time in begins if time >= ready)
        if not after or after[1:2] == after[:1]:
            continue
        right = _find_showing(films, ready, liked_stills)
        wrong = [
            _find_showing([_reopen_film(film) for film in films], ready, liked_stills),
            _find_showing(films, ready, STILLS),
            _find_showing(films, ready - 6, liked_stills),
            _find_showing(films, ready - stay, liked_stills),
        ]
        if all(record["film_begins"] != right["film_begins"] for record in wrong):
            return films
    raise RuntimeError(f"no programme in {_TRIES} tries")


def _make_films(rng: random.Random, stills: list[str]) -> list[Film]:
    """A film for each still, in any order, each on a screen of its own."""
    films = []
    titles, screens = rng.sample(FILMS, len(stills)), rng.sample(range(1, 9), len(stills))
    for title, screen, still in zip(titles, screens, rng.sample(stills, len(stills)), strict=True):
        times = sorted(rng.sample(range(17 * 60, 22 * 60 + 50, 5), 4))
        sold_out = sorted(rng.sample(times, rng.choice([1, 2])))
        films.append(Film(title, still, rng.randint(86, 151), screen, times, sold_out))
    return films


def _reopen_film(film: Film) -> Film:
    return replace(film, sold_out=[])


def _find_showing(films: list[Film], ready: int, liked_stills: Sequence[str]) -> dict[str, str]:
    """The earliest showing from `ready` on of a film with a wanted still."""
    begins, film = min(
        ((time, film) for film in films for time in film.times if _fits_wish(film, time, ready, liked_stills)),
        key=lambda showing: showing[0],
    )
    return {"film": film.title, "film_begins": show_clock(begins), "film_ends": show_clock(begins + film.length)}


def _fits_wish(film: Film, time: int, ready: int, liked_stills: Sequence[str]) -> bool:
    return time >= ready and time not in film.sold_out and film.still in liked_stills


def _booking_page(
    path: Path, tables: list[tuple[str, list[str]]], circled: tuple[str, str], style: PageStyle, rng: random.Random
) -> None:
    shows = [
        Show(name, f"{RESTAURANTS[name]} - table for two - {rng.randint(38, 49) / 10} stars", times)
        for name, times in tables
    ]
    page = schedule_page("TableTime", f"Free tables, {_DAY}", shows, style, rng)
    ringed = circle_by_hand(page.image, page.boxes["/".join(circled)], rng, width=5)
    save_image(ringed, path)


def _write_notes(files: Path, walks: dict[str, int], stay: int, rng: random.Random) -> None:
    lines = "".join(f"- {name}: {minutes} minutes\n" for name, minutes in sorted(walks.items()))
    text = f"# Saturday\n\nEvery restaurant gives us the table for {stay} minutes, and we stay that long.\n\n"
    save_text(files / "notes.md", f"{text}On foot to the Lumen Cinema:\n\n{lines}")
    old = "".join(f"- {name}: {minutes + 9} minutes\n" for name, minutes in sorted(walks.items()))
    save_text(files / "notes_bus.md", f"# By bus, if it rains\n\n{old}")
    save_text(files / "gift.txt", f"Gift card of the Lumen Cinema, number {rng.randint(100000, 999999)}\n")
    save_text(files / "todo.txt", "water the plants\ncall the garage\n")
