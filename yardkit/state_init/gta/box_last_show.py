"""The world of gta/box_last_show: the programme of a cinema whose shows begin with trailers."""

import random
from typing import Any

from yardkit.state_init.rendering import Show, save_image, schedule_page
from yardkit.world import World

TITLES = ("The Long Shore", "Winter Harvest", "Paper Moons", "A Quiet Engine", "Glass Mountain", "The Last Ferry")
SITES = ("Odeon Nord", "Lantern Cinema", "The Rialto")
GAP = 20
"""Minutes from the right show to the next one, which ends too late by its trailers alone."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Five films, one of them with a sequel; the facts hold where the times of the film stand."""
    title, *others = rng.sample(TITLES, 4)
    trailers, minutes = rng.choice((10, 12, 15)), rng.randint(96, 134)
    right = rng.randrange(17 * 60, 19 * 60, 5)
    times = [right - rng.randrange(120, 180, 5), right, right + GAP, right + rng.randrange(95, 130, 5)]
    limit = right + trailers + minutes + rng.randint(GAP - trailers + 1, GAP - 3)
    shows = [
        _make_show(title, minutes, times, rng),
        _make_show(f"{title} II", rng.randint(88, 95), [time + 5 for time in times[:3]], rng),
        *(_make_show(name, rng.randint(90, 140), _choose_times(rng), rng) for name in others),
    ]
    rng.shuffle(shows)
    heading = f"Today - all shows begin with {trailers} minutes of trailers"
    page = schedule_page(rng.choice(SITES), heading, shows, rng.choice(("light", "warm")), rng)
    save_image(page.image, world.files / "cinema.png")
    places = {
        name: (left + 20, top + 15, right - 20, bottom - 13)  # the letters on a button
        for name, (left, top, right, bottom) in page.boxes.items()
        if "/" in name
    }
    return {
        "wanted": [places.pop(f"{title}/{_format_clock(right)}")],
        "others": list(places.values()),
        "without_trailers": places[f"{title}/{_format_clock(right + GAP)}"],
        "of_the_sequel": places[f"{title} II/{_format_clock(right + 5)}"],
        "gt_answer": None,
        "prompt": {"title": title, "limit": _format_clock(limit)},
    }


def _make_show(title: str, minutes: int, times: list[int], rng: random.Random) -> Show:
    facts = f"{minutes // 60} h {minutes % 60} min - Screen {rng.randint(1, 6)} - English subtitles"
    return Show(title, facts, [_format_clock(time) for time in times])


def _choose_times(rng: random.Random) -> list[int]:
    return sorted(rng.sample(range(14 * 60, 22 * 60, 25), 4))


def _format_clock(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02}"
