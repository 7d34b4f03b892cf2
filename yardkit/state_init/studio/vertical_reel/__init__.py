"""A film from the shore of a lake: a boat that moves on, a stretch in which the lens was covered, a soft sound."""

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from yardkit.state_init.films import save_film
from yardkit.state_init.material import take_out
from yardkit.state_init.names import make_people
from yardkit.state_init.rendering.ink import new_image
from yardkit.state_init.sounds import Samples, apply_gain, mix_sounds, music_bed, normalize_level, pink_noise
from yardkit.state_init.studio.vertical_reel.lakes import SIZE_PX, boat_box, build_lake
from yardkit.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

FPS, RATE_HZ = 12, 24_000
TITLES = ("Sunday on the lake", "First sail of spring", "Wind from the west", "Out on the water")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the film and the rules; the facts hold where the boat is on each frame, and which stretch is black."""
    places = _plot_course(rng)
    black_s = round(rng.uniform(6.0, 9.0), 2)
    black = (round(black_s * FPS), round((black_s + rng.uniform(1.8, 2.6)) * FPS))
    places = [*places[: black[0]], *[places[black[0]]] * (black[1] - black[0]), *places[black[0] :]]
    frames = _draw_frames(rng, places, black)
    sound = _make_sound(rng, len(places), black)
    save_film(world.files / "lake.mp4", frames, FPS, sound, RATE_HZ, quality=20)
    title = rng.choice(TITLES)
    sender = make_people(rng, 1)[0].name
    save_text(world.files / "request.txt", take_out(world, "request.txt").format(title=title, sender=sender))
    return {
        "title": title,
        "black": [at / FPS for at in black],
        "length_s": round((len(places) - black[1] + black[0]) / FPS, 3),
        "boats": [list(boat_box(x, number)) for number, x in enumerate(places)],
        "prompt": {"title": title},
    }


def _plot_course(rng: random.Random) -> list[float]:
    """Where the middle of the boat is on each frame: it rests near one side, sails to the other, comes back a part."""
    left, right = rng.uniform(110, 170), SIZE_PX[0] - rng.uniform(110, 170)
    back = rng.uniform(420, 560)
    stops = [left, left, right, right, back, back]
    if rng.random() < 0.5:
        stops = [SIZE_PX[0] - stop for stop in stops]
    seconds = [rng.uniform(2.5, 3.5), rng.uniform(5.0, 6.0), rng.uniform(2.0, 3.0), rng.uniform(3.0, 4.0), 1.5]
    course: list[float] = []
    for start, end, lasts in zip(stops, stops[1:], seconds, strict=False):
        count = round(lasts * FPS)
        course += [start + (end - start) * (3 * part**2 - 2 * part**3) for part in (at / count for at in range(count))]
    return course


def _draw_frames(rng: random.Random, places: Sequence[float], black: tuple[int, int]) -> "Iterator[Image]":
    scene, dark = build_lake(rng), new_image(*SIZE_PX, (4, 4, 5))
    for number, x in enumerate(places):
        yield dark if black[0] <= number < black[1] else scene.frame(x, number)


def _make_sound(rng: random.Random, count: int, black: tuple[int, int]) -> Samples:
    """Water, and music from somewhere; nothing while the lens is covered."""
    seconds = count / FPS
    water = apply_gain(pink_noise(rng, seconds, RATE_HZ), -42)
    sound = normalize_level(
        mix_sounds([(0.0, music_bed(rng, seconds, RATE_HZ)), (0.0, water)], RATE_HZ), rng.uniform(-35, -31)
    )
    start, end = (round(at / FPS * RATE_HZ) for at in black)
    sound[start:end] = 0.0
    return sound[: round(seconds * RATE_HZ)]
