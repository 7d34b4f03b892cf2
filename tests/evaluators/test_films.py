"""Films: what seeds write is what readers read; every mutant differs in what it names; hostile films are refused."""

import contextlib
import shutil
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageOps

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.misses import FilmEdit, rewrite_film
from yardkit.evaluators.misses.film_paints import with_subtitles
from yardkit.evaluators.mutations.films import generate_mutants
from yardkit.evaluators.readers.media.films import (
    Cue,
    Film,
    find_picture_spans,
    find_sound,
    frames_at,
    read_film,
    read_track,
)
from yardkit.evaluators.readers.media.lettering import find_lettering
from yardkit.evaluators.studio.customer_clip.webvtt import find_cue_faults, read_webvtt
from yardkit.evaluators.studio.vertical_reel.crops import find_crop
from yardkit.evaluators.submission import Submission
from yardkit.sandbox.proofs.hostile_formats import list_makers
from yardkit.state_init.films import save_film
from yardkit.state_init.photographs import load_photograph

FPS, SIZE = 12, (320, 180)
CUP = load_photograph("cup").resize((90, 160))
CAT = load_photograph("cat").resize(SIZE)


def _make_world(root: Path, source: Path) -> Submission:
    (root / "files").mkdir(parents=True)
    shutil.copy(source, root / "files" / "a.mp4")
    return Submission(root)


def _read_spans(submission: Submission) -> tuple[Film, list[float]]:
    film = read_film(submission, "a.mp4")
    return film, [side for span in find_picture_spans(film, np.asarray(CUP)) for side in (span.start_s, span.end_s)]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cat, then a cup on black, upright, each for 1.5 s; a tone from 1.5 s to 2 s that rises."""
    path = tmp_path_factory.mktemp("films") / "a.mp4"
    still = CAT.point(lambda _: 0)
    still.paste(CUP, (115, 10))
    frames = [CAT] * 18 + [still] * 18
    at = np.arange(8_000)
    rising = 0.3 * np.sin((0.2 + at / 40_000) * at)
    save_film(path, frames, FPS, np.concatenate([np.zeros(24_000), rising]))
    return path


def test_a_film_of_a_seed_plays_anywhere_and_has_its_frames_and_sound_in_time(film: Path, tmp_path: Path) -> None:
    submission = _make_world(tmp_path / "w", film)
    read, seen = _read_spans(submission)
    assert (read.duration_s, read.width, read.height, read.fps, read.plays_anywhere) == (3.0, *SIZE, FPS, True)
    assert seen == [1.5, 3.0]
    heard = read_track(submission, "a.mp4")
    assert find_sound(heard, heard[24_000:32_000])[0] == pytest.approx(1.5)
    assert abs(frames_at(submission, "a.mp4", [0.5])[0].astype(int) - np.asarray(CAT)).mean() < 6
    save_film(tmp_path / "again.mp4", [CAT] * 3, FPS)
    save_film(tmp_path / "twice.mp4", [CAT] * 3, FPS)
    assert (tmp_path / "again.mp4").read_bytes() == (tmp_path / "twice.mp4").read_bytes()


def test_every_mutant_of_a_film_differs_in_what_it_names(film: Path, tmp_path: Path) -> None:
    right = _make_world(tmp_path / "right", film)
    seen, original_track = _read_spans(right)[1], read_track(right, "a.mp4")
    for mutant in generate_mutants(film.parent, film.name):
        submission = _make_world(tmp_path / mutant.operator, film)
        mutant.apply(submission.files, "")
        changed, mutated_spans = _read_spans(submission)
        heard = read_track(submission, "a.mp4")
        differs = {
            "sound": not len(heard) or abs(find_sound(heard, original_track)[0]) > 0.9,
            "length": changed.duration_s < 2.2,
            "frames": mutated_spans[:1] != seen[:1],
        }
        assert [name for name, differ in differs.items() if differ] == [mutant.target.partition("#")[2]], mutant
        assert [path.name for path in submission.files.iterdir()] == ["a.mp4"]


def test_a_film_that_another_encoder_wrote_reads_the_same(film: Path, tmp_path: Path) -> None:
    submission = _make_world(tmp_path / "w", film)
    path = submission.files / "a.mp4"
    rewrite_film(path, path, FilmEdit(options=(("preset", "slow"), ("crf", "28"), ("bf", "3"))))
    read, seen = _read_spans(submission)
    assert (read.duration_s, seen, read.plays_anywhere) == (3.0, [1.5, 3.0], True)
    rewrite_film(path, path, FilmEdit(start_s=1.0, end_s=2.5, pixels="yuv444p"))
    read, seen = _read_spans(submission)
    assert (read.duration_s, seen, read.plays_anywhere) == (1.5, [0.5, 1.5], False)
    original_track = read_track(_make_world(tmp_path / "v", film), "a.mp4")
    assert abs(find_sound(read_track(submission, "a.mp4"), original_track)[0] + 1.0) < 0.01


@pytest.mark.parametrize("name", ["playlist", "endless_film"])
def test_a_hostile_film_is_refused_or_another_one(name: str, film: Path, tmp_path: Path) -> None:
    submission = _make_world(tmp_path / "w", film)
    (submission.files / "a.mp4").write_bytes(list_makers(".mp4")[name](film.read_bytes()))
    with contextlib.suppress(InvalidArtifact):
        assert read_film(submission, "a.mp4").duration_s > 30


def test_letters_that_were_set_into_a_frame_are_found_by_their_lines() -> None:
    cat = load_photograph("cat").resize((640, 360))
    cues = [Cue(0.0, 1.0, "The cat of our office is asleep, and nobody may wake her up before noon")]
    before, after = np.asarray(cat), np.asarray(with_subtitles(cues, width=480, size=20)(cat, 0.5))
    lettering = find_lettering(before, after)
    assert lettering is not None
    assert len(lettering.lines) == 2
    assert 9 <= lettering.core_px <= 14
    assert 0 < lettering.box[0] < lettering.box[2] < 480
    assert find_lettering(before, np.asarray(cat.resize((480, 270)))) is None


def test_the_part_that_a_frame_shows_is_found_whatever_its_size() -> None:
    cat = load_photograph("cat").convert("L").resize((480, 270))
    part = cat.crop((200, 0, 352, 270)).resize((90, 160))
    crop = find_crop(np.asarray(part), np.asarray(cat))
    assert abs(crop.left - 200) < 3
    assert abs(crop.right - 352) < 3
    assert crop.likeness > 0.9
    assert find_crop(np.asarray(ImageOps.mirror(part)), np.asarray(cat)).likeness < 0.75


def test_cues_must_hold_the_words_at_the_times_at_which_they_are_spoken(tmp_path: Path) -> None:
    (tmp_path / "files").mkdir()
    spoken = [Cue(1.0, 3.0, "One two, three four."), Cue(4.0, 5.0, "Five.")]
    first = "WEBVTT\n\n1\n00:01.000 --> 00:02.000\nOne two,\n\n00:02.000 --> 00:03.000\nthree four.\n\n"
    right = first + "00:04.000 --> 00:05.000\nFive.\n"
    for text, faults in {right: 0, right.replace("04.000", "05.000"): 1, right.replace("Five", "Six"): 1}.items():
        (tmp_path / "files" / "a.vtt").write_text(text, "utf-8")
        assert len(find_cue_faults(read_webvtt(Submission(tmp_path), "a.vtt"), spoken)) == faults
    (tmp_path / "files" / "a.vtt").write_text(right.replace("WEBVTT", "1"), "utf-8")
    with pytest.raises(InvalidArtifact, match="WEBVTT"):
        read_webvtt(Submission(tmp_path), "a.vtt")
