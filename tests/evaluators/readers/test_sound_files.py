import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from yardkit.evaluators.checkpoints import InsufficientEvidence, InvalidArtifact
from yardkit.evaluators.mutations.sounds import generate_mutants
from yardkit.evaluators.readers.media import sounds
from yardkit.evaluators.readers.media.sounds import Chapter, Sound, read_sound
from yardkit.evaluators.sound_files import FORMATS, save_sound
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.proofs.hostile_formats import list_makers

RATE = 48_000


@pytest.fixture
def submission(tmp_path: Path) -> Submission:
    (tmp_path / "files").mkdir()
    return Submission(tmp_path)


def make_sine(seconds: float, level_db: float, frequency_hz: float = 1000.0, rate_hz: int = RATE) -> Any:
    time = np.arange(round(seconds * rate_hz)) / rate_hz
    return (10 ** (level_db / 20) * np.sin(2 * math.pi * frequency_hz * time))[:, None]


def make_sound(*parts: Any, rate_hz: int = RATE) -> Sound:
    return Sound(np.concatenate(parts).astype(np.float32), rate_hz, "", "", {}, ())


def make_babble(seed: int, seconds: float) -> Any:
    """Something like speech: noise whose level goes up and down."""
    noise = np.random.default_rng(seed).standard_normal(round(seconds * RATE))
    level = np.interp(
        np.arange(len(noise)),
        np.arange(0, len(noise), RATE // 8),
        np.random.default_rng(seed + 1).random(math.ceil(len(noise) / (RATE // 8))),
    )
    return (noise * level * 0.1)[:, None]


@pytest.mark.parametrize("rate_hz", [16_000, 44_100, 48_000])
def test_loudness_is_that_of_the_test_signals_of_ebu_tech_3341(rate_hz: int) -> None:
    both = np.repeat(make_sine(5, -23, rate_hz=rate_hz), 2, axis=1)
    assert sounds.loudness_lufs(make_sound(both, rate_hz=rate_hz)) == pytest.approx(-23.0, abs=0.1)
    steps = [(2, -36), (12, -23), (2, -36)]  # test 3: the softer parts lie below the relative gate
    gated = np.repeat(np.concatenate([make_sine(s, db, rate_hz=rate_hz) for s, db in steps]), 2, axis=1)
    assert sounds.loudness_lufs(make_sound(gated, rate_hz=rate_hz)) == pytest.approx(-23.0, abs=0.1)


def test_a_true_peak_lies_between_the_samples() -> None:
    quarter = np.sin(math.pi / 4 + np.arange(RATE) * math.pi / 2)[:, None] * 0.5  # samples at 0.354 only
    assert sounds.true_peak_dbtp(make_sound(quarter)) == pytest.approx(-6.0, abs=0.3)


def test_silences_noise_and_cut_off_tops_are_found() -> None:
    noise = np.random.default_rng(1).standard_normal((RATE, 1)) * 10 ** (-50 / 20)
    tone = make_sound(make_sine(1, -12), noise, make_sine(1, -12))
    ((start, end),) = sounds.find_silences(tone, -40)
    assert (start, end) == pytest.approx((1.0, 2.0), abs=0.03)
    assert sounds.noise_floor_dbfs(tone) == pytest.approx(-50, abs=0.5)
    assert sounds.count_clipped(tone) == 0
    assert sounds.count_clipped(make_sound(np.clip(make_sine(1, 6), -1, 1))) > 1000


@pytest.mark.parametrize("suffix", FORMATS)
def test_what_is_written_is_read_with_its_tags_and_chapters(submission: Submission, suffix: str) -> None:
    path = f"a{suffix}"
    both = np.concatenate([make_babble(3, 2), make_babble(5, 2)], axis=1)
    chapters = (Chapter(0, 0.5, "Öffnung"), Chapter(0.5, 2, "Rest"))
    save_sound(submission.files / path, both, RATE, tags={"title": "Ä"}, chapters=chapters)
    read = read_sound(submission, path)
    assert (read.duration_s, read.channels, read.tags["title"]) == (pytest.approx(2, abs=0.05), 2, "Ä")
    if suffix in (".mp3", ".m4a"):  # the others hold none, or FFmpeg rounds them to seconds
        assert [(chapter.start_s, chapter.title) for chapter in read.chapters] == [(0, "Öffnung"), (0.5, "Rest")]
    place = sounds.find_in(read, make_sound(make_babble(3, 2)[RATE // 2 : RATE]))
    assert place.offset_s == pytest.approx(0.5, abs=0.002)


def test_a_piece_is_found_below_noise_and_another_one_is_not() -> None:
    piece, other = make_babble(3, 1.0), make_babble(7, 1.0)
    noise = np.random.default_rng(1).standard_normal((5 * RATE, 1)) * 0.01
    noise[RATE : 2 * RATE] += 0.3 * piece
    place = sounds.find_in(make_sound(noise), make_sound(piece))
    assert place.offset_s == pytest.approx(1.0, abs=0.001)
    assert place.similarity > 0.6
    assert sounds.find_in(make_sound(noise), make_sound(other)).similarity < 0.2


@pytest.mark.parametrize("name", [*list_makers(".mp3"), "text"])
def test_a_file_that_is_no_sound_is_an_invalid_artifact(submission: Submission, name: str) -> None:
    (submission.files / "a.mp3").write_bytes(list_makers(".mp3")[name](b"") if name != "text" else b"Dear all,\n")
    if name == "lying_length":
        assert read_sound(submission, "a.mp3").duration_s < 1
        return
    with pytest.raises(InvalidArtifact):
        read_sound(submission, "a.mp3")
    with pytest.raises(InsufficientEvidence):
        read_sound(submission, "b.mp3")


def test_each_mutant_of_a_sound_changes_what_it_names(submission: Submission) -> None:
    both = np.repeat(make_sine(3, -20), 2, axis=1)
    save_sound(submission.files / "a.mp3", both, RATE, tags={"title": "x"}, chapters=[Chapter(0, 1, "one")])
    before, data = sounds.decode_sound(submission.files / "a.mp3"), (submission.files / "a.mp3").read_bytes()
    differs: dict[str, Callable[[Any], bool]] = {
        "length": lambda now: now.duration_s < 0.7 * before.duration_s,
        "part": lambda now: sounds.find_silences(now) != [],
        "loudness": lambda now: sounds.loudness_lufs(now) > sounds.loudness_lufs(before) + 5,
        "speed": lambda now: now.duration_s > 1.9 * before.duration_s,
        "noise": lambda now: sounds.rms_dbfs(now.mono[: RATE // 2] - before.mono[: RATE // 2]) > -45,
        "channels": lambda now: abs(now.samples[:, 1]).max() < 0.001,
        "tags": lambda now: now.tags == {} and now.chapters,
        "chapters": lambda now: now.chapters == () and now.tags,
    }
    sound_mutants = list(generate_mutants(submission.files, "a.mp3"))
    assert [mutant.target.partition("#")[2] for mutant in sound_mutants] == list(differs)
    for mutant in sound_mutants:
        mutant.apply(submission.files, "")
        assert differs[mutant.target.partition("#")[2]](sounds.decode_sound(submission.files / "a.mp3")), mutant.says
        (submission.files / "a.mp3").write_bytes(data)


def test_of_a_moment_all_can_be_measured() -> None:
    for moment in (make_sound(make_sine(0.001, -6)), make_sound(make_sine(0, 0))):
        assert sounds.loudness_lufs(moment) == sounds.SILENCE_DB
        assert sounds.noise_floor_dbfs(moment) == sounds.SILENCE_DB
        assert sounds.find_silences(moment) == []
        assert sounds.find_in(moment, make_sound(make_babble(3, 0.1))).similarity < 1
        assert sounds.share_and_rest_dbfs(moment, make_sound(make_babble(3, 0.1)), 0.0)[0] < 0
        assert moment.heard.duration_s <= moment.duration_s
        assert sounds.true_peak_dbtp(moment) <= 0
