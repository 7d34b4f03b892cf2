"""Each picture is seen while its words are spoken, whole and softly coming, and the narration is heard in step."""

from itertools import pairwise
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.media.films import SAMPLE_RATE_HZ, find_picture_spans, find_sound, read_film, read_track
from yardkit.evaluators.readers.media.sounds import decode_sound
from yardkit.evaluators.submission import Submission

FILM, NARRATION = "slideshow.mp4", "narration.wav"
FRAMES, SOUND, LENGTH = (f"film:{FILM}#{part}" for part in ("frames", "sound", "length"))
_EDGE_S = 0.12
"""So much of the words may be spoken before their picture is seen wholly, or after."""
_HARD = 0.6
"""Which part of a change may happen from one frame to the next."""
_LARGE = 0.85
_DARK = 14


def _load_pictures(submission: Submission, facts: Facts) -> list[Any]:
    """The pictures of the parts, upright, as they were given."""
    import numpy as np
    from PIL import Image, ImageOps

    pictures = []
    for part in facts["parts"]:
        with Image.open(submission.untouched.files / part["picture"]) as picture:
            pictures.append(np.asarray(ImageOps.exif_transpose(picture).convert("RGB")))
    return pictures


def _while_spoken(submission: Submission, facts: Facts) -> Finding:
    """Each picture is seen all the time that its words are spoken: whole, undistorted and large."""
    film, wrong = read_film(submission, FILM), []
    for part, picture in zip(facts["parts"], _load_pictures(submission, facts), strict=True):
        spans = find_picture_spans(film, picture, smallest=_LARGE)
        start, end = part["start_s"] + _EDGE_S, part["end_s"] - _EDGE_S
        if not any(span.start_s <= start and span.end_s >= end for span in spans):
            span_times = ", ".join(f"{span.start_s:.1f}-{span.end_s:.1f}" for span in spans[:3]) or "never"
            wrong.append(f"{part['picture']} is seen {span_times}, for {start:.1f}-{end:.1f}")
    return make_finding(not wrong, "; ".join(wrong) or f"{len(facts['parts'])} pictures at their times")


def _check_transitions(submission: Submission, facts: Facts) -> Finding:
    """Between two pictures no frame differs from the one before by most of what changes in all.

    That is how far the frames get from the first picture: to the other one, or to the black between them.
    """
    import numpy as np

    film, parts = read_film(submission, FILM), facts["parts"]
    sketches = film.sketches.astype(np.float32)
    steps = []
    for part, after in pairwise(parts):
        inside = [at for at, time in enumerate(film.times) if part["end_s"] - 0.3 <= time <= after["start_s"] + 0.3]
        if len(inside) < 3:
            return make_finding(holds=False, evidence=f"{len(inside)} frames around {part['end_s']:.1f} s")
        between = sketches[inside[0] : inside[-1] + 1]
        full_change = max(float(np.abs(frame - between[0]).mean()) for frame in between)
        largest = max(float(np.abs(first_frame - other).mean()) for first_frame, other in pairwise(between))
        steps.append(round(largest / max(full_change, 1.0), 2))
    return make_finding(max(steps) < _HARD, f"the largest step of each change, of 1 for a hard cut: {steps}")


def _black_ends(submission: Submission, facts: Facts) -> Finding:
    """The first and last frames are dark; all words are spoken in the light."""
    film, parts = read_film(submission, FILM), facts["parts"]
    ends = [float(film.sketches[at].mean()) for at in (0, -1)]
    spoken = [float(film.sketch_at(time_s).mean()) for time_s in (parts[0]["start_s"], parts[-1]["end_s"] - 0.1)]
    return make_finding(
        max(ends) < _DARK < min(spoken),
        f"light at both ends, of 255: {list(map(round, ends))}, in the words: {list(map(round, spoken))}",
    )


def _in_step(submission: Submission, _facts: Facts) -> Finding:
    """The narration is heard in the film where it is in the recording, all of it."""
    narration = decode_sound(submission.untouched.files / NARRATION).samples[:, 0]
    heard = read_track(submission, FILM)
    late, similarity = find_sound(heard, narration)
    missing = max(0, len(narration) - len(heard)) / SAMPLE_RATE_HZ
    holds = abs(late) < 0.08 and similarity > 0.9 and missing < 0.3
    return make_finding(
        holds, f"the narration is {late:.2f} s late, alike by {similarity:.2f}, {missing:.2f} s are missing"
    )


CHECKS = make_group(
    "slideshow",
    "The film goes with the narration",
    make_checkpoint(
        "while_spoken", "Each picture is seen while its words are spoken", _while_spoken, covers=(FRAMES,), weight=4
    ),
    make_checkpoint("softly", "Pictures fade into each other", _check_transitions, covers=(FRAMES,), weight=2),
    make_checkpoint(
        "black_ends", "The film fades in from black and out to black", _black_ends, covers=(FRAMES, LENGTH)
    ),
    make_checkpoint("in_step", "The narration is heard in step", _in_step, covers=(SOUND,), weight=3),
    leaves.film_length("The film is as long as the narration", FILM, lambda facts: facts["length_s"], 0.25),
    leaves.check_film_playback("It is wide and plays in every browser", FILM, (16, 9), at_least_px=640),
    leaves.answer_number("The answer is the length", lambda facts: facts["length_s"], 0.25),
    leaves.check_inspected("The agent looked at the film after its last change", FILM),
    leaves.nothing_else(FILM),
)
