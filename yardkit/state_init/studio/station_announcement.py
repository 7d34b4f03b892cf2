"""What a station announcement is mixed from: takes without telling names, a gong, and music that is far too loud."""

import random
from pathlib import Path
from typing import Any

from yardkit.state_init import sounds
from yardkit.state_init.material import fill_in
from yardkit.world import World

CITIES, MINUTES, PLATFORMS = ("Oxford", "Bristol", "Cambridge"), {10: "ten", 20: "twenty", 40: "forty"}, (2, 5, 7, 9)
NUMBERS = {2: "two", 5: "five", 7: "seven", 9: "nine"}
RATE_HZ, TAKE_HZ = 48_000, 16_000
MUSIC_S = 34.0
_VOICES = Path(__file__).parent / "voices" / "announcement"


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Draw the delay and the platform, and record other ones as well; the facts name the takes that are meant."""
    city, (minutes, wrong) = rng.choice(CITIES), rng.sample(sorted(MINUTES), 2)
    platform, old = rng.sample(PLATFORMS, 2)
    announcement_keys = ["attention", f"{city.lower()}-{minutes}", f"platform-{platform}", "sorry"]
    others = [f"{city.lower()}-{wrong}", f"platform-{old}"]
    takes = {
        name: f"takes/take_{number:02}.wav" for number, name in enumerate(rng.sample(announcement_keys + others, 6), 1)
    }
    for name, path in takes.items():
        _record_take(world.files / path, _VOICES / f"{name}.wav", rng)
    gong_hz = rng.choice((523.25, 587.33, 659.26))
    gong = sounds.mix_sounds(
        [(0, sounds.make_gong(gong_hz, 2, RATE_HZ)), (0.5, sounds.make_gong(gong_hz * 0.75, 2, RATE_HZ))], RATE_HZ
    )
    sounds.save_sound(sounds.fade_sound(gong, RATE_HZ, out_s=0.3) * 0.45, world.files / "gong.wav", RATE_HZ)
    bed = sounds.music_bed(rng, MUSIC_S, RATE_HZ, rng.uniform(1.6, 2.2))
    sounds.save_sound(bed * 1.9, world.files / "music.flac", RATE_HZ)
    seconds = rng.randint(20, 24)
    fill_in(
        world,
        "sheet.md",
        attention="Attention, please.",
        delay=f"The train to {city} is delayed by {MINUTES[minutes]} minutes.",
        platform=f"It will leave from platform {NUMBERS[platform]} today.",
        sorry="We are sorry for the delay.",
        seconds=str(seconds),
    )
    return {
        "takes": [takes[name] for name in announcement_keys],
        "others": [takes[name] for name in others],
        "seconds": seconds,
    }


def _record_take(path: Path, sentence: Path, rng: random.Random) -> None:
    """A take: soft, in a room, with some silence around it."""
    voice = sounds.normalize_level(sounds.load_speech(sentence, TAKE_HZ), rng.uniform(-31, -27))
    silences = [sounds.make_silence(rng.uniform(0.4, 0.9), TAKE_HZ) for _ in range(2)]
    take = sounds.join_sounds([silences[0], sounds.in_room(rng, voice, TAKE_HZ, 0.15, -20), silences[1]])
    sounds.save_sound(
        take + sounds.apply_gain(sounds.pink_noise(rng, len(take) / TAKE_HZ, TAKE_HZ), -72)[: len(take)], path, TAKE_HZ
    )
