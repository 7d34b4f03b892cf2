"""A recorded customer hour of many questions, its transcript with times of the whole recording, and who wants what."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.state_init.films import save_film, to_srt
from yardkit.state_init.material import take_out
from yardkit.state_init.names import make_people
from yardkit.state_init.photographs import load_photograph, vary_photograph
from yardkit.state_init.rendering.ink import make_noise_generator
from yardkit.state_init.sounds import Samples, join_speech
from yardkit.state_init.speech import SAMPLE_RATE_HZ
from yardkit.state_init.studio.customer_clip.webinars import Webinar
from yardkit.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

FPS = 10
_HOUR = Path(__file__).parent / "customer_hour"
ASKED = {"scale": "why her machine has become so slow", "steam": "why the pump of her machine is so loud"}
"""The chapters that somebody asks for: the first sentence reads the question out, the others answer it."""


@dataclass(frozen=True)
class SpokenSentence:
    """A sentence of the recording: its chapter, its number there, its words, and when it is spoken."""

    chapter: str
    number: int
    text: str
    start_s: float
    end_s: float


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Record the hour and write its transcript and the assignment; the facts hold the passage."""
    recording_data = json.loads((_HOUR / "chapters.json").read_text("utf-8"))
    asked = rng.choice(sorted(ASKED))
    before, after = rng.sample(["filter", "clean", "order"], 2)
    sentences, sound = _speak_chapters(recording_data, [before, asked, after, "bye"], rng)
    frames = _draw_frames(recording_data, sentences, sound, rng)
    save_film(world.files / "customer_hour.mp4", frames, FPS, sound, SAMPLE_RATE_HZ, quality=20)
    late = rng.uniform(2.5, 4.0)
    times = [(sentence.start_s, sentence.end_s, sentence.text) for sentence in sentences]
    draft = [(start + late, end + late, text.replace("the ", "teh ", 1)) for start, end, text in times]
    save_text(world.files / "customer_hour.srt", to_srt(times))
    save_text(world.files / "old" / "customer_hour_uncut.srt", to_srt(draft))
    sender, customer = make_people(rng, 2)
    words = {"sender": sender.name, "customer": customer.name, "asked": ASKED[asked]}
    save_text(world.files / "assignment.txt", take_out(world, "assignment.txt").format(**words))
    passage = [sentence for sentence in sentences if sentence.chapter == asked and sentence.number]
    around = [sentence for sentence in sentences if sentence not in passage]
    return {
        "sentences": [
            {"text": sentence.text, "start_s": sentence.start_s, "end_s": sentence.end_s} for sentence in passage
        ],
        "before_s": max(sentence.end_s for sentence in around if sentence.end_s < passage[0].start_s),
        "after_s": min(sentence.start_s for sentence in around if sentence.start_s > passage[-1].end_s),
    }


def _speak_chapters(
    recording_data: Any, chapters: Sequence[str], rng: random.Random
) -> tuple[list[SpokenSentence], Samples]:
    names = [(name, number) for name in chapters for number in range(len(recording_data[name]["sentences"]))]
    parts: list[Path | float] = [rng.uniform(0.8, 1.3)]
    for name, number in names:
        parts += [_HOUR / f"{name}-{number + 1}.wav", rng.uniform(0.7, 1.1)]
    sound, times = join_speech(parts, SAMPLE_RATE_HZ)
    return [
        SpokenSentence(name, number, recording_data[name]["sentences"][number]["says"], *time)
        for (name, number), time in zip(names, times, strict=True)
    ], sound


def _draw_frames(
    recording_data: Any, sentences: Sequence[SpokenSentence], sound: Samples, rng: random.Random
) -> "Iterator[Image]":
    portrait = load_photograph("caller").crop((60, 30, 418, 388)).resize((150, 150))
    look = ("Customer hour - 12 March 2026", "Roastery Lindt & Sons", vary_photograph("cup", rng))
    webinar = Webinar(*look, portrait, "Maria, service", make_noise_generator(rng))
    step, slides = SAMPLE_RATE_HZ // FPS, {}
    for number in range(len(sound) * FPS // SAMPLE_RATE_HZ):
        time_s = number / FPS
        current_sentence = next(
            (sentence for sentence in reversed(sentences) if sentence.start_s - 0.3 <= time_s), sentences[0]
        )
        key = (current_sentence.chapter, current_sentence.number)
        if key not in slides:
            notes = [
                sentence["slide"]
                for sentence in recording_data[current_sentence.chapter]["sentences"][: current_sentence.number + 1]
            ]
            slides[key] = webinar.draw_slide(recording_data[current_sentence.chapter]["head"], notes)
        level = 1.6 * float(abs(sound[number * step : (number + 1) * step]).max(initial=0))
        yield webinar.frame(slides[key], number, time_s, level)
