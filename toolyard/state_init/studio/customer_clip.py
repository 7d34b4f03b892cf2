"""A recorded customer hour of many questions, its transcript with times of the whole recording, and who wants what."""

import array
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolyard.state_init.films import save_film
from toolyard.state_init.material import take_out
from toolyard.state_init.names import people
from toolyard.state_init.photographs import load_photograph, vary_photograph
from toolyard.state_init.rendering.ink import Face, new_image, noise, pen, text_width, wrap, write
from toolyard.state_init.speech import SAMPLE_RATE_HZ, load_sentence
from toolyard.world import World, save_text

if TYPE_CHECKING:
    from PIL.Image import Image

FPS, SIZE_PX = 12, (640, 360)
_VOICES = Path(__file__).parent / "customer_hour"
_PAPER, _INK, _ACCENT, _NIGHT = (250, 249, 246), (38, 44, 58), (196, 88, 32), (22, 28, 44)
_TITLE, _BODY, _SMALL = Face("Liberation Sans", 25, bold=True), Face("Liberation Sans", 16), Face("Liberation Sans", 13)
_SPEAKER = (484, 76, 612, 204)


@dataclass(frozen=True)
class Chapter:
    """A question with its answer: the head of its slide, and for each sentence what is said and put on the slide."""

    head: str
    sentences: tuple[tuple[str, str], ...]


CHAPTERS = {
    "hello": Chapter(
        "Welcome", (("Welcome to our customer hour. Today we talk about the coffee machine.", "Your coffee machine"),)
    ),
    "filter": Chapter(
        "Water filter",
        (
            ("The first question is about the water filter.", "When, and how?"),
            ("Change the filter every two months, or after fifty litres of water.", "Every two months"),
            ("Rinse the new filter for a minute before you put it in.", "Rinse it first"),
        ),
    ),
    "clean": Chapter(
        "Milk nozzle",
        (
            ("The second question is how to clean the milk nozzle.", "How to clean it?"),
            ("Take the nozzle off, and put it into warm water for ten minutes.", "Ten minutes in warm water"),
            ("Never use a needle, because it scratches the metal.", "No needles!"),
        ),
    ),
    "scale": Chapter(
        "It gets slower",
        (
            ("Many of you ask why the machine gets slower and slower.", "Why is it so slow?"),
            ("Most of the time there is chalk in the pipes.", "Chalk in the pipes"),
            (
                "Fill the tank with water, add one bag of the powder, and start the programme for cleaning with the "
                "button on the left.",
                "Water, powder, left button",
            ),
            ("Then wait for twenty minutes, and rinse twice with fresh water.", "Rinse twice"),
        ),
    ),
    "steam": Chapter(
        "Noise of the pump",
        (
            ("The next question is about the noise of the pump.", "Why is it so loud?"),
            ("A loud pump means that there is air in the hose.", "Air in the hose"),
            (
                "Open the valve for steam, and let the water run until it comes out in an even stream without any "
                "bubbles in it.",
                "Let the water run",
            ),
            ("Close it again, and the noise is gone.", "Close the valve"),
        ),
    ),
    "order": Chapter(
        "New prices",
        (
            ("Before we go on, a word about our new prices.", "New prices"),
            ("From May on, the powder costs eight euros.", "Powder: 8 euros"),
        ),
    ),
    "bye": Chapter("Goodbye", (("Thank you for your questions, and see you next month.", "See you next month"),)),
}
ASKED = {"scale": "why her machine has become so slow", "steam": "why the pump of her machine is so loud"}


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
    asked = rng.choice(sorted(ASKED))
    before, after = rng.sample(["filter", "clean", "order"], 2)
    said, sound = _speak(["hello", before, asked, after, "bye"], rng)
    save_film(world.files / "customer_hour.mp4", _frames(said, sound, rng), FPS, sound, quality="20")
    save_text(world.files / "customer_hour.srt", _srt(said, 0.0))
    draft = [Said(one.chapter, one.number, one.text.replace("the ", "teh ", 1), one.start_s, one.end_s) for one in said]
    save_text(world.files / "old" / "customer_hour_uncut.srt", _srt(draft, rng.uniform(2.5, 4.0)))
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


def _speak(chapters: Sequence[str], rng: random.Random) -> "tuple[list[Said], array.array[int]]":
    said: list[Said] = []
    sound = _quiet(rng.uniform(0.8, 1.3))
    for name in chapters:
        for number, (text, _) in enumerate(CHAPTERS[name].sentences):
            start = len(sound)
            voice = f"{name}-{number + 1}" if len(CHAPTERS[name].sentences) > 1 else name
            sound.extend(load_sentence(_VOICES / f"{voice}.wav"))
            said.append(Said(name, number, text, *(round(at / SAMPLE_RATE_HZ, 3) for at in (start, len(sound)))))
            sound.extend(_quiet(rng.uniform(0.7, 1.1)))
    return said, sound


def _quiet(seconds: float) -> "array.array[int]":
    return array.array("h", bytes(2 * round(seconds * SAMPLE_RATE_HZ)))


def _srt(said: Sequence[Said], late_s: float) -> str:
    blocks = (
        f"{number}\n{_time(one.start_s + late_s)} --> {_time(one.end_s + late_s)}\n{one.text}\n"
        for number, one in enumerate(said, 1)
    )
    return "\n".join(blocks)


def _time(seconds: float) -> str:
    whole, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d},{thousandths:03d}"


def _frames(said: Sequence[Said], sound: "array.array[int]", rng: random.Random) -> "Iterator[Image]":
    """Slides, with a picture of the speaker that moves a little, a ring that grows with her voice, and a clock."""
    portrait = load_photograph("caller").crop((60, 30, 418, 388)).resize((150, 150))
    photograph, chance = vary_photograph("cup", rng).resize((150, 100)), noise(rng)
    step, slides = SAMPLE_RATE_HZ // FPS, {}
    for number in range(len(sound) * FPS // SAMPLE_RATE_HZ):
        time_s = number / FPS
        one = next((one for one in reversed(said) if one.start_s - 0.3 <= time_s), said[0])
        key = (one.chapter, one.number)
        if key not in slides:
            slides[key] = _slide(CHAPTERS[one.chapter], one.number, photograph)
        frame = slides[key].copy()
        level = max(map(abs, sound[number * step : (number + 1) * step : 40]), default=0) / 20_000
        _add_speaker(frame, portrait, level, number, chance)
        whole = int(time_s)
        write(pen(frame), (612, 14), f"{whole // 60:02d}:{whole % 60:02d}", _SMALL, (235, 238, 245), "right")
        yield frame


def _slide(chapter: Chapter, number: int, photograph: "Image") -> "Image":
    frame = new_image(*SIZE_PX, _NIGHT)
    draw = pen(frame)
    draw.ellipse((14, 15, 26, 27), fill=(222, 62, 54))
    write(draw, (36, 14), "Customer hour - 12 March 2026", _SMALL, (235, 238, 245))
    draw.rounded_rectangle((24, 46, 456, 274), 10, fill=_PAPER)
    draw.rectangle((24, 100, 456, 103), fill=_ACCENT)
    write(draw, (44, 60), chapter.head, _TITLE, _INK)
    for at, (_, note) in enumerate(chapter.sentences[: number + 1]):
        y = 122 + 36 * at
        draw.ellipse((46, y + 7, 54, y + 15), fill=_ACCENT)
        for line in wrap(note, _BODY, 200):
            write(draw, (66, y), line, _BODY, _INK)
    frame.paste(photograph, (286, 128))
    draw.rectangle((286, 128, 436, 228), outline=(220, 214, 204))
    write(draw, (436, 246), "Roastery Lindt & Sons", _SMALL.sized(0.85), (150, 146, 138), "right")
    name = "Maria, service"
    write(draw, (548 - text_width(name, _SMALL) / 2, 222), name, _SMALL, (235, 238, 245))
    return frame


def _add_speaker(frame: "Image", portrait: "Image", level: float, number: int, chance: Any) -> None:
    """The camera of the speaker: she sways, the picture has the noise of a small camera."""
    import math

    import numpy as np
    from PIL import Image, ImageDraw

    ring = 4 + round(9 * min(1.0, level))
    left, top, right, bottom = _SPEAKER
    draw = pen(frame)
    draw.ellipse((left - ring, top - ring, right + ring, bottom + ring), fill=(86, 178, 142))
    x, y = 11 + 6 * math.sin(number / 9), 11 + 4 * math.sin(number / 5 + level)
    tile = portrait.transform((128, 128), Image.Transform.AFFINE, (1, 0, x, 0, 1, y), Image.Resampling.BILINEAR)
    grain = chance.normal(0.0, 7.0, (128, 128, 1))
    noisy = Image.fromarray(np.clip(np.asarray(tile) + grain, 0, 255).astype(np.uint8))
    mask = Image.new("L", (128, 128), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, 127, 127), fill=255)
    frame.paste(noisy, (left, top), mask)
