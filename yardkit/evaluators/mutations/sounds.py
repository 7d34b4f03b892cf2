"""Mutants of sounds: their length, level, speed, sides, noise, tags and chapters."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.mutations.mutant import Mutant, on_files
from yardkit.evaluators.readers.media.sounds import Sound, decode_sound
from yardkit.evaluators.sound_files import save_again

Change = Callable[[Sound], dict[str, Any]]
"""What of a sound is saved otherwise: its samples, tags or chapters."""


def generate_mutants(workspace: Path, path: str) -> Iterator[Mutant]:
    """Generate mutants: the sound cut short, with a gap, louder, slower, one-sided, noisy, without tags or chapters."""
    try:
        sound = decode_sound(workspace / path)
    except (InvalidArtifact, OSError):
        return
    yield _make_mutant("sound_cut", path, "length", "lacks its last third", _cut_sound)
    yield _make_mutant("sound_hole", path, "part", "is silent in its middle fifth", _add_hole)
    yield _make_mutant("sound_louder", path, "loudness", "is 6 dB louder", lambda sound: {"samples": sound.samples * 2})
    yield _make_mutant("sound_slow", path, "speed", "is played at half the speed", _slow_down)
    yield _make_mutant("sound_noisy", path, "noise", "has noise at -35 dBFS", _add_noise)
    if sound.channels == 2:
        yield _make_mutant(
            "sound_left",
            path,
            "channels",
            "is heard on the left channel only",
            lambda sound: {"samples": sound.samples * (1, 0)},
        )
    if sound.tags:
        yield _make_mutant("sound_tags", path, "tags", "has no tags", lambda _sound: {"tags": {}})
    if sound.chapters:
        yield _make_mutant("sound_chapters", path, "chapters", "has no chapters", lambda _sound: {"chapters": ()})


def _cut_sound(sound: Sound) -> dict[str, Any]:
    return {"samples": sound.samples[: len(sound.samples) * 2 // 3]}


def _add_hole(sound: Sound) -> dict[str, Any]:
    samples = sound.samples.copy()
    samples[len(samples) * 2 // 5 : len(samples) * 3 // 5] = 0
    return {"samples": samples}


def _slow_down(sound: Sound) -> dict[str, Any]:
    return {"samples": sound.samples.repeat(2, axis=0)}


def _add_noise(sound: Sound) -> dict[str, Any]:
    import numpy as np

    noise = np.random.default_rng(0).standard_normal(sound.samples.shape, dtype=np.float32)
    return {"samples": sound.samples + noise * 10 ** (-35 / 20)}


def _make_mutant(operator: str, path: str, detail: str, description: str, change: Change) -> Mutant:
    def edit(files: Path) -> None:
        sound = decode_sound(files / path)
        save_again(files / path, sound, **change(sound))

    return Mutant(operator, f"sound:{path}#{detail}", f"{path} {description}", on_files(edit))
