"""Every sound of the zoo: read at its times by the server and by the graders, and what a conversion loses is said."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.answers import Call, Golden, read_text
from zoo.sounds import BY_NAME, SOUNDS, SoundSample

from yardkit.evaluators.readers.media.sounds import decode_sound, levels_dbfs


@pytest.fixture(params=SOUNDS, ids=lambda sample: sample.name)
def sample(request: pytest.FixtureRequest, golden: Golden) -> SoundSample:
    """A sound of the zoo, in the workspace."""
    chosen: SoundSample = request.param
    golden(chosen.name, chosen.build)
    return chosen


def list_beeps(path: Path) -> list[float]:
    """When beeps begin, in seconds, by the graders' reader."""
    loud = np.concatenate([[False], levels_dbfs(decode_sound(path), 0.01) > -25])
    return [float(at) / 100 for at in np.flatnonzero(loud[1:] & ~loud[:-1])]


def test_a_sound_is_heard_at_its_times_and_what_is_lost_is_said(sample: SoundSample, call: Call, files: Path) -> None:
    info = call("get_audio_info", path=sample.name).structured_content
    assert info["duration_s"] == pytest.approx(sample.seconds, abs=0.08)
    assert {name: info[name] for name in sample.info} == sample.info
    answer = read_text(call("convert_audio", path=sample.name, target="made.wav"))
    assert sample.warning in answer
    assert sample.warning or "Not kept" not in answer
    assert list_beeps(files / "made.wav") == pytest.approx(sample.beeps_s, abs=0.06)


def test_graders_hear_a_sound_at_its_times(sample: SoundSample, files: Path) -> None:
    if sample.name not in ("changing.aac", "phone.3gp", "other-form.opus", "other-rate.oga"):  # which no task delivers
        assert list_beeps(files / sample.name) == pytest.approx(sample.beeps_s, abs=0.03)


WAYS: dict[str, dict[str, Any]] = {
    "clip_audio": {"start_s": 0.5},
    "join_audio": {"paths": ["cinema.flac", "cinema.flac"]},
    "mix_audio": {"tracks": [{"path": "cinema.flac"}] * 2},
    "fade_audio": {"fade_in_s": 0.1},
    "change_volume": {"gain_db": -1},
    "normalize_loudness": {},
    "trim_silence": {},
    "split_audio": {"at_s": [1.0]},
    "convert_audio": {},
    "shift_pitch": {"semitones": 1},
    "change_speed": {"factor": 2},
    "reduce_noise": {},
    "equalize_audio": {"bands": [{"kind": "low_cut", "frequency_hz": 100}]},
}


@pytest.mark.parametrize("tool", WAYS)
def test_whoever_writes_a_sound_says_what_is_lost(golden: Golden, call: Call, tool: str) -> None:
    golden("cinema.flac", BY_NAME["cinema.flac"].build)
    target = {"folder": "parts"} if tool == "split_audio" else {"target": "made.wav"}
    source = {} if "paths" in WAYS[tool] or "tracks" in WAYS[tool] else {"path": "cinema.flac"}
    assert "6 channels (mixed into 2)" in read_text(call(tool, **source, **target, **WAYS[tool]))
