"""Leaves about films."""

from collections.abc import Callable

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.files import require_file
from yardkit.evaluators.readers.media.films import read_film
from yardkit.evaluators.submission import Submission

_SAME_SHAPE = 0.02


def check_film_playback(
    statement: str,
    path: str,
    shape: tuple[int, int],
    *,
    at_least_px: int = 0,
    max_bytes: int = 0,
    weight: float = 1.0,
    id: str = "plays",
) -> Checkpoint:
    """A film plays in every browser, with sound, and has the proportions `shape`, a width, and perhaps a maximum size.

    It is an MP4 with H.264 in 4:2:0 and 8 bits, AAC, and its index in front.
    """

    def check(submission: Submission, _facts: Facts) -> Finding:
        film, size = read_film(submission, path), require_file(submission, path).stat().st_size
        shaped = abs(film.width / film.height / (shape[0] / shape[1]) - 1) < _SAME_SHAPE and film.width >= at_least_px
        about = (
            f"{film.width} x {film.height}, {film.video_codec} ({film.pixel_format}), {film.audio_codec or 'no sound'}"
        )
        holds = film.plays_anywhere and bool(film.audio_codec) and shaped and size <= (max_bytes or size)
        return make_finding(holds, f"{about}, index in front: {film.faststart}, {size:,} bytes")

    covers = (f"film:{path}#frames", f"film:{path}#sound", f"file:{path}")
    return make_checkpoint(id, statement, check, covers=covers, kind="format", weight=weight)


def film_length(
    statement: str,
    path: str,
    expected: Callable[[Facts], float],
    tolerance_s: float,
    *,
    weight: float = 1.0,
    id: str = "length",
) -> Checkpoint:
    """The pictures of a film last this many seconds."""

    def check(submission: Submission, facts: Facts) -> Finding:
        seconds = read_film(submission, path).duration_s
        return make_finding(
            abs(seconds - expected(facts)) <= tolerance_s, f"{seconds:.2f} s, for {expected(facts):.2f} s"
        )

    return make_checkpoint(id, statement, check, covers=(f"film:{path}#length", f"file:{path}"), weight=weight)
