"""Photographs, a script and a recorded narration; the pictures are numbered in an old order, the pauses are uneven."""

import io
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolyard.state_init.documents import Paper
from toolyard.state_init.names import people
from toolyard.state_init.photographs import vary_photograph
from toolyard.state_init.sounds import save_sound, spoken
from toolyard.state_init.speech import SAMPLE_RATE_HZ
from toolyard.world import World, save_bytes, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

_VOICES = Path(__file__).parent / "narration"
_ORIENTATION, _TURNED_RIGHT = 0x0112, 6
PICTURES_OF_A_SHOW = 5


@dataclass(frozen=True)
class Part:
    """A picture of the show: its photograph, what is said, and the sides that it is cut to, if any."""

    photograph: str
    sentences: tuple[str, ...]
    sides: tuple[int, int] | None = None


PARTS = {
    "coffee": Part("cup", ("The morning begins with a cup of strong coffee.", "Nobody says a word before that.")),
    "cat": Part("cat", ("Our office cat wakes up, and nobody may use her chair.",)),
    "rocket": Part("rocket", ("At noon the rocket leaves the launch pad.",)),
    "astronaut": Part(
        "collins",
        ("Colonel Eileen Collins was the first woman to command a space shuttle.", "She flew four times."),
        (3, 4),
    ),
    "officer": Part(
        "hopper",
        (
            "Grace Hopper wrote one of the first compilers.",
            "She used to say: it is easier to ask for forgiveness than to get permission.",
        ),
        (2, 3),
    ),
    "portrait": Part(
        "douglass", ("Frederick Douglass sat for more photographs than anybody else of his time.",), (3, 4)
    ),
}
LONG, PORTRAITS = ("coffee", "astronaut", "officer"), ("astronaut", "officer", "portrait")
"""Parts of two sentences, and those whose pictures are higher than wide."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write pictures, script and narration; the facts hold, by picture, when it is spoken of."""
    shown = rng.sample(sorted(PARTS), PICTURES_OF_A_SHOW)
    while len({*shown} & {*LONG}) < 2:
        shown = rng.sample(sorted(PARTS), PICTURES_OF_A_SHOW)
    numbered = rng.sample(sorted(PARTS), len(PARTS))
    while [name for name in numbered if name in shown] == shown:
        numbered = rng.sample(numbered, len(PARTS))
    files = {name: f"photos/{number:02d}_{name}.jpg" for number, name in enumerate(numbered, 1)}
    turned = rng.choice([name for name in shown if name in PORTRAITS])
    for name, path in files.items():
        _save(world, path, _cut(PARTS[name], rng), turned=name == turned)
    spoken, length_s = _record(world, rng, shown)
    _write_script(world, rng, [(Path(files[name]).name, " ".join(PARTS[name].sentences)) for name in shown])
    notes = "Old plan (do not use): pictures in the order of their numbers, each for the same time.\n"
    save_text(world.files / "notes_old.txt", notes)
    parts = [
        {"picture": files[name], "start_s": start, "end_s": end}
        for name, (start, end) in zip(shown, spoken, strict=True)
    ]
    return {"parts": parts, "length_s": length_s}


def _cut(part: Part, rng: random.Random) -> "Image":
    """A photograph as it lies in the folder."""
    picture = vary_photograph(part.photograph, rng)
    if part.sides:
        width = round(picture.height * part.sides[0] / part.sides[1])
        left = (picture.width - width) // 2
        picture = picture.crop((left, 0, left + width, picture.height))
    scale = rng.uniform(1.05, 1.3)
    return picture.resize((round(picture.width * scale), round(picture.height * scale)), 1)


def _save(world: World, path: str, picture: "Image", *, turned: bool) -> None:
    """Save a photograph as a camera does: one that was held upright lies on its side, and says so."""
    from PIL import Image

    exif = Image.Exif()
    if turned:
        picture = picture.rotate(90, expand=True)
        exif[_ORIENTATION] = _TURNED_RIGHT
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=88, exif=exif)
    save_bytes(world.files / path, buffer.getvalue())


def _record(world: World, rng: random.Random, shown: Sequence[str]) -> tuple[list[tuple[float, float]], float]:
    """Save the narration: when each picture is spoken of, and how long all of it is, in seconds."""
    parts: list[Path | float] = [rng.uniform(1.0, 1.8)]
    for name in shown:
        for number in range(len(PARTS[name].sentences)):
            parts += [rng.uniform(0.8, 1.2)] if number else []
            parts.append(_VOICES / f"{name}{'_more' if number else ''}.wav")
        parts.append(rng.uniform(0.8, 1.9))
    parts[-1] = rng.uniform(1.2, 2.0)
    sound, times = spoken(parts, SAMPLE_RATE_HZ)
    save_sound(sound, world.files / "narration.wav", SAMPLE_RATE_HZ)
    told = iter(times)
    own = [[next(told) for _ in PARTS[name].sentences] for name in shown]
    return [(some[0][0], some[-1][1]) for some in own], round(len(sound) / SAMPLE_RATE_HZ, 3)


def _write_script(world: World, rng: random.Random, rows: Sequence[tuple[str, str]]) -> None:
    paper = Paper("A day at the museum of computing", author=people(rng, 1)[0].name, now=world.now)
    paper.heading("Script of the film")
    paper.paragraph(
        "Final version. Each picture stays while its words are spoken; the pictures are in the folder photos."
    )
    paper.table([("Picture", "Words"), *rows])
    paper.save(world.files / "script.docx")
