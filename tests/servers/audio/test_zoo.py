"""Every sound of the zoo: read at its times by the server and by the graders, and what a conversion loses is said."""

from pathlib import Path

import numpy as np
import pytest
from support.answers import Call, Golden, read_text
from zoo.sounds import SOUNDS, SoundSample

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
    assert sample.told in answer
    assert sample.told or "Not kept" not in answer
    assert list_beeps(files / "made.wav") == pytest.approx(sample.beeps_s, abs=0.06)


def test_graders_hear_a_sound_at_its_times(sample: SoundSample, files: Path) -> None:
    if sample.name not in ("changing.aac", "phone.3gp"):  # which no task delivers
        assert list_beeps(files / sample.name) == pytest.approx(sample.beeps_s, abs=0.03)
