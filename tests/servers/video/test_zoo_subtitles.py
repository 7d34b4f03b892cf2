"""Every subtitle file of the zoo: read as its program meant it, drawn, and kept as a track."""

from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.answers import Call, Golden, read_text
from zoo.film_recipes import Recipe, write_film
from zoo.subtitles import BY_NAME, FPS, SUBTITLES, SubtitleSample

from yardkit.evaluators.readers.media import films as grader
from yardkit.evaluators.submission import Submission
from yardkit.servers.video.engine.subtitle_files import Subtitle, read_subtitles
from yardkit.servers.video.engine.subtitles import stack_subtitles, unstack_subtitles
from yardkit.world import World

FILM = Recipe(stored=(320, 180), fps=FPS, times_s=tuple(number / 5 for number in range(20)), sound_s=None)


@pytest.fixture
def film(golden: Golden) -> Path:
    return golden("film.mp4", lambda path: write_film(path, FILM))


@pytest.mark.parametrize("sample", SUBTITLES, ids=lambda sample: sample.name)
def test_subtitles_are_read_as_their_program_meant_them(sample: SubtitleSample, files: Path) -> None:
    (files / sample.name).write_bytes(sample.data)
    read = read_subtitles(files / sample.name, Fraction(FPS))
    assert [cue.text for cue in read.subtitles] == [text for _, _, text in sample.cues]
    times = [time_s for cue in read.subtitles for time_s in (cue.start_s, cue.end_s)]
    assert times == pytest.approx([time_s for start_s, end_s, _ in sample.cues for time_s in (start_s, end_s)])
    assert sample.warning in read.note
    assert sample.warning or not read.note


@pytest.mark.parametrize("name", ["windows.srt", "two-speakers.srt", "anime.ass"])
def test_subtitles_of_a_track_come_out_as_they_went_in(name: str, film: Path, files: Path, call: Call) -> None:
    (files / name).write_bytes(BY_NAME[name].data)
    answer = call("add_video_subtitles", path=film.name, source=name, target="made.mp4", burn=False)
    assert BY_NAME[name].warning in read_text(answer)
    call("extract_video_subtitles", path="made.mp4", target="out.srt")
    read = read_subtitles(files / "out.srt", Fraction(FPS))
    assert tuple((cue.start_s, cue.end_s, cue.text) for cue in read.subtitles) == BY_NAME[name].cues


def test_subtitles_of_one_time_are_drawn_one_above_the_other(film: Path, files: Path, call: Call, world: World) -> None:
    (files / "two.srt").write_bytes(BY_NAME["two-speakers.srt"].data)
    call("add_video_subtitles", path=film.name, source="two.srt", target="made.mp4", size_px=16)
    submission = Submission(world.files.parent)
    before, both, after = (find_rows(frame) for frame in grader.frames_at(submission, "made.mp4", [1.45, 1.7, 2.5]))
    assert before == after
    assert both[1] == before[1]
    assert both[0] < before[0] - 12


def find_rows(frame: Any) -> tuple[int, int]:
    """The first and the last row with white letters."""
    rows = np.flatnonzero((frame.min(axis=2) > 190).any(axis=1))
    return int(rows[0]), int(rows[-1])


def test_no_files_of_subtitles_are_refused_in_words(film: Path, files: Path, call: Call) -> None:
    (files / "a.ttml").write_text('<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><body/></tt>')
    (files / "b.srt").write_bytes(bytes(range(256)) * 20)
    for name, words in (("a.ttml", "holds TTML; convert it to SRT"), ("b.srt", "contains no subtitles")):
        assert words in read_text(call("add_video_subtitles", path=film.name, source=name, target="made.mp4"))


TIMES = st.integers(0, 40).map(lambda number: number / 4)
CUES = st.lists(
    st.tuples(TIMES, st.integers(1, 12).map(lambda number: number / 4), st.sampled_from("ABCDEFGH")),
    max_size=8,
    unique_by=lambda cue: cue[2],
)


@given(CUES)
def test_a_track_shows_at_each_time_what_the_file_shows_then(cues: list[tuple[float, float, str]]) -> None:
    subtitles = [Subtitle(start_s, start_s + length_s, text) for start_s, length_s, text in sorted(cues)]
    stacked = list(stack_subtitles(subtitles))
    assert all(first.end_s <= second.start_s for first, second in pairwise(stacked))
    for tracked in (stacked, unstack_subtitles(stacked)):
        for moment in (number / 4 + 0.1 for number in range(60)):
            lines = [line for cue in tracked if cue.start_s <= moment < cue.end_s for line in cue.text.split("\n")]
            assert sorted(lines) == sorted(cue.text for cue in subtitles if cue.start_s <= moment < cue.end_s)
