"""A recorded customer hour of many questions, its transcript with times of the whole recording, and who wants what."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.state_init.films import save_film, to_srt
from yardkit.state_init.material import take_out
from yardkit.state_init.names import people
from yardkit.state_init.photographs import load_photograph, vary_photograph
from yardkit.state_init.rendering.ink import noise
from yardkit.state_init.rendering.webinars import Webinar
from yardkit.state_init.sounds import Samples, spoken
from yardkit.state_init.speech import SAMPLE_RATE_HZ
from yardkit.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

FPS = 10
_HOUR = Path(__file__).parent / "customer_hour"
ASKED = {"scale": "why her machine has become so slow", "steam": "why the pump of her machine is so loud"}
"""The chapters that somebody asks for: the first sentence reads the question out, the others answer it."""


@dataclass(frozen=True)
class Said:
    """A sentence of the recording: its chapter, its number there, its words, and when it is spoken."""

    chapter: str
    number: int
    text: str
    start_s: float
    end_s: float


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Record the hour and write its transcript and the assignment; the facts hold the passage."""
    told = json.loads((_HOUR / "chapters.json").read_text("utf-8"))
    asked = rng.choice(sorted(ASKED))
    before, after = rng.sample(["filter", "clean", "order"], 2)
    said, sound = _speak(told, [before, asked, after, "bye"], rng)
    frames = _frames(told, said, sound, rng)
    save_film(world.files / "customer_hour.mp4", frames, FPS, sound, SAMPLE_RATE_HZ, quality=20)
    late = rng.uniform(2.5, 4.0)
    times = [(one.start_s, one.end_s, one.text) for one in said]
    draft = [(start + late, end + late, text.replace("the ", "teh ", 1)) for start, end, text in times]
    save_text(world.files / "customer_hour.srt", to_srt(times))
    save_text(world.files / "old" / "customer_hour_uncut.srt", to_srt(draft))
    sender, customer = people(rng, 2)
    words = {"sender": sender.name, "customer": customer.name, "asked": ASKED[asked]}
    save_text(world.files / "assignment.txt", take_out(world, "assignment.txt").format(**words))
    passage = [one for one in said if one.chapter == asked and one.number]
    around = [one for one in said if one not in passage]
    return {
        "sentences": [{"text": one.text, "start_s": one.start_s, "end_s": one.end_s} for one in passage],
        "before_s": max(one.end_s for one in around if one.end_s < passage[0].start_s),
        "after_s": min(one.start_s for one in around if one.start_s > passage[-1].end_s),
    }


def _speak(told: Any, chapters: Sequence[str], rng: random.Random) -> tuple[list[Said], Samples]:
    names = [(name, number) for name in chapters for number in range(len(told[name]["sentences"]))]
    parts: list[Path | float] = [rng.uniform(0.8, 1.3)]
    for name, number in names:
        parts += [_HOUR / f"{name}-{number + 1}.wav", rng.uniform(0.7, 1.1)]
    sound, times = spoken(parts, SAMPLE_RATE_HZ)
    return [
        Said(name, number, told[name]["sentences"][number]["says"], *time)
        for (name, number), time in zip(names, times, strict=True)
    ], sound


def _frames(told: Any, said: Sequence[Said], sound: Samples, rng: random.Random) -> "Iterator[Image]":
    portrait = load_photograph("caller").crop((60, 30, 418, 388)).resize((150, 150))
    look = ("Customer hour - 12 March 2026", "Roastery Lindt & Sons", vary_photograph("cup", rng))
    webinar = Webinar(*look, portrait, "Maria, service", noise(rng))
    step, slides = SAMPLE_RATE_HZ // FPS, {}
    for number in range(len(sound) * FPS // SAMPLE_RATE_HZ):
        time_s = number / FPS
        one = next((one for one in reversed(said) if one.start_s - 0.3 <= time_s), said[0])
        key = (one.chapter, one.number)
        if key not in slides:
            notes = [sentence["slide"] for sentence in told[one.chapter]["sentences"][: one.number + 1]]
            slides[key] = webinar.slide(told[one.chapter]["head"], notes)
        level = 1.6 * float(abs(sound[number * step : (number + 1) * step]).max(initial=0))
        yield webinar.frame(slides[key], number, time_s, level)
