"""Each ready leaf of sounds holds on the right sound and notices the near misses made for it."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yardkit.evaluators import leaves
from yardkit.evaluators.readers.media.sounds import decode_sound, loudness_lufs
from yardkit.evaluators.sound_files import save_sound
from yardkit.evaluators.submission import Submission

RATE = 48_000
TAGS = {"title": "Day one", "artist": "Ada"}
LEAVES = {
    "form": leaves.sound_form("form", "", "a.wav", "pcm_s16le", RATE, 2),
    "length": leaves.sound_length("length", "", "a.wav", lambda facts: facts["seconds"], 0.05),
    "levels": leaves.sound_levels("levels", "", "a.wav", -20, 0.5),
    "tags": leaves.sound_tags("tags", "", "a.wav", lambda _facts: TAGS),
}


def make_right_sound() -> Any:
    """Two seconds of a tone at -20 LUFS on both sides."""
    tone = np.sin(2 * math.pi * 997 * np.arange(2 * RATE) / RATE)[:, None]
    return np.repeat(tone, 2, axis=1) * 10 ** (-20 / 20)


def list_passing_leaves(folder: Path, samples: Any, rate_hz: int = RATE, tags: dict[str, str] = TAGS) -> set[str]:
    """The leaves that hold for a sound."""
    (folder / "files").mkdir(exist_ok=True)
    save_sound(folder / "files" / "a.wav", samples, rate_hz, tags=tags)

    submission = Submission(folder)
    findings = {
        name: checkpoint.check(submission, {"seconds": 2}) for name, checkpoint in LEAVES.items() if checkpoint.check
    }
    return {name for name, leaf_finding in findings.items() if leaf_finding.outcome == "pass"}


def test_the_right_sound_passes_all(tmp_path: Path) -> None:
    assert list_passing_leaves(tmp_path, make_right_sound(), tags={**TAGS, "date": "2026"}) == set(LEAVES)
    assert loudness_lufs(decode_sound(tmp_path / "files" / "a.wav")) == pytest.approx(-20, abs=0.1)


@pytest.mark.parametrize(
    ("name", "samples", "rate_hz", "tags"),
    [
        ("form", make_right_sound()[:, :1] * math.sqrt(2), RATE, TAGS),
        ("form", make_right_sound() * (math.sqrt(2), 0), RATE, TAGS),
        ("form", make_right_sound()[::2], RATE // 2, TAGS),
        ("length", make_right_sound()[: -RATE // 10], RATE, TAGS),
        ("levels", make_right_sound() * 1.1, RATE, TAGS),
        ("levels", make_right_sound() + np.eye(2 * RATE, 1, -RATE)[:, :1], RATE, TAGS),
        ("tags", make_right_sound(), RATE, {**TAGS, "title": "Day two"}),
    ],
)
def test_a_near_miss_fails_its_leaf_alone(
    tmp_path: Path, name: str, samples: Any, rate_hz: int, tags: dict[str, str]
) -> None:
    assert list_passing_leaves(tmp_path, samples, rate_hz, tags) == set(LEAVES) - {name}
