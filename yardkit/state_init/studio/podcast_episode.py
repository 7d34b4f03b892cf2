"""The tracks of a podcast: a hot jingle, an interview with hum, a slip and a long pause, a soft outro."""

import random
from pathlib import Path
from typing import Any

from yardkit.state_init import sounds
from yardkit.state_init.material import fill_in
from yardkit.state_init.names import make_people
from yardkit.world import World

TOPICS = {
    "soil": ("Better soil", "Let us begin with the soil"),
    "water": ("How much water", "Now let us talk about water"),
    "bees": ("Bees and flowers", "Another topic is bees"),
    "winter": ("The winter", "Let us come to the winter"),
}
"""What a chapter is called, and how its question begins."""
SLIPS = ("slip-1", "slip-2")
RATE_HZ, MUSIC_HZ = 24_000, 44_100
_VOICES = Path(__file__).parent / "voices" / "podcast"


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Record three topics in order, with a slip before one question and a long pause behind one answer."""
    topics = ["soil", *rng.sample(("water", "bees", "winter"), 2)]
    slipped, paused = topics[rng.randint(1, 2)], rng.choice(topics)
    spoken_keys = ["welcome"]
    for topic in topics:
        spoken_keys += [rng.choice(SLIPS), "cut"] if topic == slipped else []
        spoken_keys += [f"{topic}-question", f"{topic}-answer"]
    spoken_keys.append("thanks")
    places = _record_interview(world, rng, spoken_keys, long_after=f"{paused}-answer")
    _save_music(world, rng)
    number = rng.randint(20, 80)
    guest, host = (person.name for person in make_people(rng, 2))
    host = f"Anna {host.split()[-1]}"
    tags = {"title": f"Episode {number}: A visit by {guest}", "artist": host, "album": "The Garden Hour"}
    rows = [f"| {TOPICS[topic][0]} | {TOPICS[topic][1]} ... |" for topic in rng.sample(topics, 3)]
    fill_in(world, "show_sheet.md", number=number, title=tags["title"], artist=host, chapters="\n".join(rows))
    cut = [name for name in spoken_keys if name in (*SLIPS, "cut")]
    return {
        "kept": [[name, *places[name]] for name in spoken_keys if name not in cut],
        "cut": [[name, *places[name]] for name in cut],
        "chapters": [[TOPICS[topic][0], f"{topic}-question"] for topic in topics],
        "tags": tags,
    }


def _record_interview(
    world: World, rng: random.Random, spoken_keys: list[str], long_after: str
) -> dict[str, tuple[float, float]]:
    """Save the interview; when each sentence begins and ends in it."""
    parts, places, at_s = [], dict[str, tuple[float, float]](), rng.uniform(0.8, 1.4)
    for name in spoken_keys:
        voice = sounds.normalize_level(sounds.load_speech(_VOICES / f"{name}.wav", RATE_HZ), -25)
        parts.append((at_s, sounds.in_room(rng, voice, RATE_HZ, 0.12, -22)))
        places[name] = (round(at_s, 3), round(at_s + len(voice) / RATE_HZ, 3))
        at_s = places[name][1] + (rng.uniform(4, 6) if name == long_after else rng.uniform(0.6, 0.9))
    seconds = at_s + 0.5
    hiss = sounds.apply_gain(sounds.pink_noise(rng, seconds, RATE_HZ), -47)
    hum = sounds.apply_gain(sounds.make_hum(seconds, RATE_HZ), rng.uniform(-42, -39))
    sounds.save_sound(sounds.mix_sounds([*parts, (0, hiss), (0, hum)], RATE_HZ), world.files / "interview.wav", RATE_HZ)
    return places


def _save_music(world: World, rng: random.Random) -> None:
    """Both jingles, far too loud, and the outro, far too soft."""
    for name in ("jingle", "jingle_2025"):
        bed = sounds.music_bed(rng, 4.0, MUSIC_HZ, 1.0)
        parts = [(0, sounds.apply_gain(bed, 4)), (2.4, sounds.make_gong(880, 1.6, MUSIC_HZ) * 0.25)]
        jingle = sounds.fade_sound(sounds.mix_sounds(parts, MUSIC_HZ), MUSIC_HZ, out_s=0.6)
        sounds.save_sound(jingle, world.files / f"{name}.wav", MUSIC_HZ)
    voice = sounds.normalize_level(sounds.load_speech(_VOICES / "goodbye.wav", MUSIC_HZ), -32)
    seconds = len(voice) / MUSIC_HZ + 3
    bed = sounds.fade_sound(sounds.music_bed(rng, seconds, MUSIC_HZ), MUSIC_HZ, in_s=0.5, out_s=2)
    outro = sounds.mix_sounds([(1, voice), (0, sounds.apply_gain(bed, -34))], MUSIC_HZ)
    sounds.save_sound(outro, world.files / "outro.wav", MUSIC_HZ)
