"""Each picture is seen while its words are spoken, whole and softly coming, and the narration is heard in step."""

from itertools import pairwise
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.media.films import SAMPLE_RATE_HZ, find_shown, find_sound, read_film, read_track
from yardkit.evaluators.readers.media.sounds import decode
from yardkit.evaluators.submission import Submission

FILM, NARRATION = "slideshow.mp4", "narration.wav"
FRAMES, SOUND, LENGTH = (f"film:{FILM}#{part}" for part in ("frames", "sound", "length"))
_EDGE_S = 0.12
"""So much of the words may be spoken before their picture is seen wholly, or after."""
_HARD = 0.6
"""Which part of a change may happen from one frame to the next."""
_LARGE = 0.85
_DARK = 14


def _pictures(submission: Submission, facts: Facts) -> list[Any]:
    """The pictures of the parts, upright, as they were given."""
    import numpy as np
    from PIL import Image, ImageOps

    found = []
    for part in facts["parts"]:
        with Image.open(submission.untouched.files / part["picture"]) as picture:
            found.append(np.asarray(ImageOps.exif_transpose(picture).convert("RGB")))
    return found


def _while_spoken(submission: Submission, facts: Facts) -> Finding:
    """Each picture is seen all the time that its words are spoken: whole, undistorted and large."""
    film, wrong = read_film(submission, FILM), []
    for part, picture in zip(facts["parts"], _pictures(submission, facts), strict=True):
        spans = find_shown(film, picture, smallest=_LARGE)
        start, end = part["start_s"] + _EDGE_S, part["end_s"] - _EDGE_S
        if not any(span.start_s <= start and span.end_s >= end for span in spans):
            told = ", ".join(f"{span.start_s:.1f}-{span.end_s:.1f}" for span in spans[:3]) or "never"
            wrong.append(f"{part['picture']} is seen {told}, for {start:.1f}-{end:.1f}")
    return finding(not wrong, "; ".join(wrong) or f"{len(facts['parts'])} pictures at their times")


def _softly(submission: Submission, facts: Facts) -> Finding:
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
            return finding(holds=False, evidence=f"{len(inside)} frames around {part['end_s']:.1f} s")
        between = sketches[inside[0] : inside[-1] + 1]
        whole = max(float(np.abs(frame - between[0]).mean()) for frame in between)
        largest = max(float(np.abs(one - other).mean()) for one, other in pairwise(between))
        steps.append(round(largest / max(whole, 1.0), 2))
    return finding(max(steps) < _HARD, f"the largest step of each change, of 1 for a hard cut: {steps}")


def _black_ends(submission: Submission, facts: Facts) -> Finding:
    """The first and last frames are dark; all words are spoken in the light."""
    film, parts = read_film(submission, FILM), facts["parts"]
    ends = [float(film.sketches[at].mean()) for at in (0, -1)]
    spoken = [float(film.sketch_at(time_s).mean()) for time_s in (parts[0]["start_s"], parts[-1]["end_s"] - 0.1)]
    return finding(
        max(ends) < _DARK < min(spoken),
        f"light at both ends, of 255: {list(map(round, ends))}, in the words: {list(map(round, spoken))}",
    )


def _in_step(submission: Submission, _facts: Facts) -> Finding:
    """The narration is heard in the film where it is in the recording, all of it."""
    narration = decode(submission.untouched.files / NARRATION).samples[:, 0]
    heard = read_track(submission, FILM)
    late, alike = find_sound(heard, narration)
    missing = max(0, len(narration) - len(heard)) / SAMPLE_RATE_HZ
    holds = abs(late) < 0.08 and alike > 0.9 and missing < 0.3
    return finding(holds, f"the narration is {late:.2f} s late, alike by {alike:.2f}, {missing:.2f} s are missing")


CHECKS = group(
    "slideshow",
    "The film goes with the narration",
    leaf(
        "while_spoken", "Each picture is seen while its words are spoken", _while_spoken, observes=(FRAMES,), weight=4
    ),
    leaf("softly", "Pictures fade into each other", _softly, observes=(FRAMES,), weight=2),
    leaf("black_ends", "The film fades in from black and out to black", _black_ends, observes=(FRAMES, LENGTH)),
    leaf("in_step", "The narration is heard in step", _in_step, observes=(SOUND,), weight=3),
    leaves.film_length("The film is as long as the narration", FILM, lambda facts: facts["length_s"], 0.25),
    leaves.plays("It is wide and plays in every browser", FILM, (16, 9), at_least_px=640),
    leaves.answer_number("The answer is the length", lambda facts: facts["length_s"], 0.25),
    leaves.inspected("The agent looked at the film after its last change", FILM),
    leaves.nothing_else(FILM),
)
