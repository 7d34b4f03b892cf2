"""Films: what seeds write is what readers read; every mutant differs in what it names; hostile films are refused."""

import array
import contextlib
import math
import shutil
from pathlib import Path

import numpy as np
import pytest

from toolyard.evaluators.checkpoints import InvalidArtifact
from toolyard.evaluators.misses import FilmEdit, rewrite_film
from toolyard.evaluators.mutations.films import mutants
from toolyard.evaluators.readers.media.films import Film, find_shown, find_sound, frame_at, read_film
from toolyard.evaluators.submission import Submission
from toolyard.sandbox.proofs.hostile_formats import makers
from toolyard.state_init.films import save_film
from toolyard.state_init.photographs import load_photograph

FPS, SIZE = 12, (320, 180)
CUP = load_photograph("cup").resize((90, 160))
CAT = load_photograph("cat").resize(SIZE)


def _world(root: Path, source: Path) -> Submission:
    (root / "files").mkdir(parents=True)
    shutil.copy(source, root / "files" / "a.mp4")
    return Submission(root)


def _seen(submission: Submission) -> tuple[Film, list[float]]:
    film = read_film(submission, "a.mp4")
    return film, [side for span in find_shown(film, np.asarray(CUP)) for side in (span.start_s, span.end_s)]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cat, then a cup on black, upright, each for 1.5 s; a tone from 1.5 s to 2 s that rises."""
    path = tmp_path_factory.mktemp("films") / "a.mp4"
    still = CAT.point(lambda _: 0)
    still.paste(CUP, (115, 10))
    frames = [CAT] * 18 + [still] * 18
    tone = (int(9000 * math.sin((0.2 + at / 40_000) * at)) for at in range(8_000))
    sound = array.array("h", [*[0] * 24_000, *tone, *[0] * 16_000])
    save_film(path, frames, FPS, sound)
    return path


def test_a_film_of_a_seed_plays_anywhere_and_has_its_frames_and_sound_in_time(film: Path, tmp_path: Path) -> None:
    submission = _world(tmp_path / "w", film)
    read, seen = _seen(submission)
    assert (read.duration_s, read.width, read.height, read.fps, read.plays_anywhere) == (3.0, *SIZE, FPS, True)
    assert seen == [1.5, 3.0]
    assert find_sound(read.sound, read.sound[24_000:32_000])[0] == pytest.approx(1.5)
    assert abs(frame_at(submission, "a.mp4", 0.5).astype(int) - np.asarray(CAT)).mean() < 6
    save_film(tmp_path / "again.mp4", [CAT] * 3, FPS)
    save_film(tmp_path / "twice.mp4", [CAT] * 3, FPS)
    assert (tmp_path / "again.mp4").read_bytes() == (tmp_path / "twice.mp4").read_bytes()


def test_every_mutant_of_a_film_differs_in_what_it_names(film: Path, tmp_path: Path) -> None:
    read, seen = _seen(_world(tmp_path / "right", film))
    for mutant in mutants(film.parent, film.name):
        submission = _world(tmp_path / mutant.operator, film)
        mutant.apply(submission.files, "")
        changed, shown = _seen(submission)
        differs = {
            "sound": not len(changed.sound) or abs(find_sound(changed.sound, read.sound)[0]) > 0.9,
            "length": changed.duration_s < 2.2,
            "frames": shown[:1] != seen[:1],
        }
        assert [name for name, differ in differs.items() if differ] == [mutant.target.partition("#")[2]], mutant
        assert [path.name for path in submission.files.iterdir()] == ["a.mp4"]


def test_a_film_that_another_encoder_wrote_reads_the_same(film: Path, tmp_path: Path) -> None:
    submission = _world(tmp_path / "w", film)
    path = submission.files / "a.mp4"
    rewrite_film(path, path, FilmEdit(options=(("preset", "slow"), ("crf", "28"), ("bf", "3"))))
    read, seen = _seen(submission)
    assert (read.duration_s, seen, read.plays_anywhere) == (3.0, [1.5, 3.0], True)
    rewrite_film(path, path, FilmEdit(start_s=1.0, end_s=2.5, pixels="yuv444p"))
    read, seen = _seen(submission)
    assert (read.duration_s, seen, read.plays_anywhere) == (1.5, [0.5, 1.5], False)
    assert abs(find_sound(read.sound, _seen(_world(tmp_path / "v", film))[0].sound)[0] + 1.0) < 0.01


@pytest.mark.parametrize("name", ["playlist", "endless_film"])
def test_a_hostile_film_is_refused_or_another_one(name: str, film: Path, tmp_path: Path) -> None:
    submission = _world(tmp_path / "w", film)
    (submission.files / "a.mp4").write_bytes(makers(".mp4")[name](film.read_bytes()))
    with contextlib.suppress(InvalidArtifact):
        assert read_film(submission, "a.mp4").duration_s > 30
