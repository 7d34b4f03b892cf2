"""Photographs, a script and a recorded narration; the pictures are numbered in an old order, the pauses are uneven."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.state_init.documents import Paper
from yardkit.state_init.names import make_people
from yardkit.state_init.photographs import vary_photograph
from yardkit.state_init.photos import as_taken
from yardkit.state_init.sounds import join_speech, save_sound
from yardkit.state_init.speech import SAMPLE_RATE_HZ
from yardkit.world import World, save_bytes, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

_VOICES = Path(__file__).parent / "narration"
PICTURES_OF_A_SHOW = 5


PARTS = json.loads((_VOICES / "parts.json").read_text("utf-8"))
"""Pictures of the show: the photograph, the sentences, and for portraits the sides that it is cut to."""


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write pictures, script and narration; the facts hold, by picture, when it is spoken of."""
    show_parts = rng.sample(sorted(PARTS), PICTURES_OF_A_SHOW)
    while sum(len(PARTS[name]["says"]) > 1 for name in show_parts) < 2:
        show_parts = rng.sample(sorted(PARTS), PICTURES_OF_A_SHOW)
    numbered = rng.sample(sorted(PARTS), len(PARTS))
    while [name for name in numbered if name in show_parts] == show_parts:
        numbered = rng.sample(numbered, len(PARTS))
    files = {name: f"photos/{number:02d}_{name}.jpg" for number, name in enumerate(numbered, 1)}
    turned = rng.choice([name for name in show_parts if "sides" in PARTS[name]])
    for name, path in files.items():
        save_bytes(
            world.files / path, as_taken(_crop_part(PARTS[name], rng), "", orientation=6 if name == turned else 1)
        )
    spoken, length_s = _record_narration(world, rng, show_parts)
    _write_script(world, rng, [(Path(files[name]).name, " ".join(PARTS[name]["says"])) for name in show_parts])
    notes = "Old plan (do not use): pictures in the order of their numbers, each for the same time.\n"
    save_text(world.files / "notes_old.txt", notes)
    parts = [
        {"picture": files[name], "start_s": start, "end_s": end}
        for name, (start, end) in zip(show_parts, spoken, strict=True)
    ]
    return {"parts": parts, "length_s": length_s}


def _crop_part(part: Any, rng: random.Random) -> "Image":
    """A photograph as it lies in the folder."""
    picture = vary_photograph(part["photograph"], rng)
    if "sides" in part:
        width = round(picture.height * part["sides"][0] / part["sides"][1])
        left = (picture.width - width) // 2
        picture = picture.crop((left, 0, left + width, picture.height))
    scale = rng.uniform(1.05, 1.3)
    return picture.resize((round(picture.width * scale), round(picture.height * scale)), 1)


def _record_narration(
    world: World, rng: random.Random, show_parts: Sequence[str]
) -> tuple[list[tuple[float, float]], float]:
    """Save the narration: when each picture is spoken of, and how long all of it is, in seconds."""
    parts: list[Path | float] = [rng.uniform(1.0, 1.8)]
    for name in show_parts:
        for number in range(len(PARTS[name]["says"])):
            parts += [rng.uniform(0.8, 1.2)] if number else []
            parts.append(_VOICES / f"{name}{'_more' if number else ''}.wav")
        parts.append(rng.uniform(0.8, 1.9))
    parts[-1] = rng.uniform(1.2, 2.0)
    sound, times = join_speech(parts, SAMPLE_RATE_HZ)
    save_sound(sound, world.files / "narration.wav", SAMPLE_RATE_HZ)
    remaining_times = iter(times)
    own = [[next(remaining_times) for _ in PARTS[name]["says"]] for name in show_parts]
    return [(some[0][0], some[-1][1]) for some in own], round(len(sound) / SAMPLE_RATE_HZ, 3)


def _write_script(world: World, rng: random.Random, rows: Sequence[tuple[str, str]]) -> None:
    paper = Paper("A day at the museum of computing", author=make_people(rng, 1)[0].name, now=world.now)
    paper.add_heading("Script of the film")
    paper.add_paragraph(
        "Final version. Each picture stays while its words are spoken; the pictures are in the folder photos."
    )
    paper.table([("Picture", "Words"), *rows])
    paper.save(world.files / "script.docx")
