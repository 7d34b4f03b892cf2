"""The clip is the asked board alone with its caption, and the table holds what it offers in the end."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Number, Table, Text
from yardkit.evaluators.readers.media.films import frames_at, read_film
from yardkit.evaluators.readers.media.writing import normalize_text, read_lines
from yardkit.evaluators.submission import Submission

FILM, CLIP, PRICES = "boards.mp4", "clip.mp4", "prices.csv"
FRAMES, LENGTH, CLIP_FILE = f"film:{CLIP}#frames", f"film:{CLIP}#length", f"file:{CLIP}"
OFFERS = Table(PRICES, "", {"Item": Text(), "Price": Number(0.001)}, ("Item",), lambda facts: facts["rows"])
_SLACK_S, _BARE_S, _SIMILAR_LEVELS, _BOARD = 0.25, 2.05, 12.0, 0.84
"""What may lack of the time of the board; how long the wall is bare, and half a frame; levels by which a frame may be
off; where the board ends, as a part of the height."""
_WHITE, _INKED = 190, 0.004
"""From which level on a pixel is white; which part of the ground the letters cover at least."""


def _find_beginning(submission: Submission) -> tuple[float, float]:
    """At which second of the film the clip begins, and by how many levels their upper parts differ then."""
    import numpy as np

    film, clip = read_film(submission.untouched, FILM), read_film(submission, CLIP)
    times = np.linspace(0.15, max(0.2, clip.duration_s - 0.15), 14)
    rows = round(film.sketches.shape[1] * _BOARD)

    def off(begin_s: float) -> float:
        differences = []
        for time_s in times:
            clip_frame, other = (
                film.sketch_at(begin_s + time_s)[:rows].astype(np.int16),
                clip.sketch_at(time_s)[:rows].astype(np.int16),
            )
            differences.append(
                float(np.percentile(np.abs(clip_frame - other), 97)) if clip_frame.shape == other.shape else 255.0
            )
        return float(np.mean(differences))

    begins = [number / 10 for number in range(round(max(0.0, film.duration_s - clip.duration_s) * 10) + 1)]
    offsets = {begin: off(begin) for begin in begins}
    best = min(offsets, key=lambda begin: offsets[begin])
    return best, offsets[best]


def _check_part(submission: Submission, facts: Facts) -> Finding:
    """All of the time in which the board is seen, and nothing of the other boards."""
    begin, off = _find_beginning(submission)
    end = begin + read_film(submission, CLIP).duration_s
    starts = facts["begin_s"] - _BARE_S <= begin <= facts["begin_s"] + _SLACK_S
    ends = facts["end_s"] - _SLACK_S <= end <= facts["end_s"] + _BARE_S
    evidence = f"{begin:.1f} to {end:.1f} s, for {facts['begin_s']:.1f} to {facts['end_s']:.1f}; {off:.1f} levels off"
    return make_finding(starts and ends and off <= _SIMILAR_LEVELS, evidence)


def _check_caption(submission: Submission, facts: Facts) -> Finding:
    """At the beginning, between and at the end the caption is read below the board, in white letters."""
    length = read_film(submission, CLIP).duration_s
    wrong = []
    for frame in frames_at(submission, CLIP, [0.05, 0.4 * length, 0.7 * length, length - 0.15]):
        low = frame[round(_BOARD * frame.shape[0]) :]
        read = "".join(line.text for line in read_lines(submission, low))
        white = float((low.min(axis=2) > _WHITE).mean())
        wrong += (
            []
            if normalize_text(facts["caption"]) in read and white > _INKED
            else [f"{read!r}, {white:.1%} of it white"]
        )
    return make_finding(not wrong, f"{wrong or 'read in all frames'}")


def _check_format(submission: Submission, _facts: Facts) -> Finding:
    film, clip = read_film(submission.untouched, FILM), read_film(submission, CLIP)
    same = abs(clip.width / clip.height / (film.width / film.height) - 1) < 0.02 and clip.width >= film.width
    evidence = (
        f"{clip.width} x {clip.height}, {clip.video_codec} ({clip.pixel_format}), index in front: {clip.faststart}"
    )
    return make_finding(same and clip.plays_anywhere, evidence)


CHECKS = make_group(
    "price_board",
    "The board can be shown and its prices be used",
    make_group(
        "clip",
        "The clip is right",
        make_checkpoint(
            "part",
            "It shows the board, all of its time, and no other",
            _check_part,
            covers=(FRAMES, LENGTH, CLIP_FILE),
            weight=3,
        ),
        make_checkpoint(
            "caption",
            "It states its content, from beginning to end",
            _check_caption,
            covers=(FRAMES, LENGTH, CLIP_FILE),
            weight=2,
        ),
        make_checkpoint(
            "form",
            "It plays in every browser, as large as the film",
            _check_format,
            covers=(FRAMES, CLIP_FILE),
            kind="format",
        ),
        weight=3,
    ),
    make_group(
        "table",
        "The table is right",
        leaves.check_rows("items", "It has what is offered, and no more", OFFERS, weight=2),
        leaves.check_cells("prices", "It has the prices of the end", OFFERS, "Price", weight=2),
        weight=3,
    ),
    leaves.answer_number("The answer is by how much the price went up", lambda facts: facts["rise"], 0.001),
    leaves.drafts_open(),
    leaves.nothing_else(CLIP, PRICES, "generated/"),
)
