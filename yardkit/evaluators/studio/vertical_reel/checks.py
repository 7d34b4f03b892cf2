"""The reel is upright and follows the boat, without the black stretch, with its title in the safe area, loud enough."""

from collections.abc import Sequence
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.media.films import Film, find_sound, frames_at, read_film, read_track
from yardkit.evaluators.readers.media.lettering import Lettering, find_lettering
from yardkit.evaluators.readers.media.sounds import find_silences, read_sound
from yardkit.evaluators.studio.vertical_reel.crops import SCALES, Crop, find_crop
from yardkit.evaluators.submission import Submission

FILM, SOURCE = "reel.mp4", "lake.mp4"
FRAMES, SOUND, LENGTH = (f"film:{FILM}#{part}" for part in ("frames", "sound", "length"))
_TITLE_TIMES_S, GONE_S = (0.3, 1.5, 2.8), 4.0
SAFE = (0.06, 0.12, 0.84, 0.70)
_FPS, _WIDTH_PX = 12, 960
_OFF_PX = 9
"""How far a part of the picture may seem to be from where it is: a sketch has a sixth of the pixels."""
_LEAST_LIKENESS, _CORE = 0.75, 0.42


def _source_time(film: Film, facts: Facts, time_s: float) -> float:
    """Which time of the source is seen, where only the black stretch is left out."""
    start, end = facts["black"]
    missing = len(facts["boats"]) / _FPS - film.duration_s
    later = 0.0 if time_s < start else min(max(missing, end - start), end - start + 0.4)
    return min(time_s + later, len(facts["boats"]) / _FPS - 0.1)


def _locate_views(submission: Submission, facts: Facts) -> list[tuple[float, Crop, list[int]]]:
    """Of many times: which part of the source is seen, in its pixels, and where the boat is there."""
    film, source = read_film(submission, FILM), read_film(submission.untouched, SOURCE)
    views, scale, scales = [], _WIDTH_PX / source.sketches.shape[2], SCALES
    times = (0.1 + 0.4 * at for at in range(int((film.duration_s - 0.1) / 0.4)))
    for time_s in (time_s for time_s in times if abs(time_s - facts["black"][0]) > 0.3):
        there = _source_time(film, facts, time_s)
        crop = find_crop(film.sketch_at(time_s), source.sketch_at(there), scales)
        scales = (1.0, (crop.bottom - crop.top) / source.sketches.shape[1])
        boat = facts["boats"][round(there * _FPS - 0.4)]
        views.append((time_s, crop.scale(scale), boat))
    return views


def _check_following(submission: Submission, facts: Facts) -> Finding:
    """All of the boat is seen at every time."""
    lost = []
    for time_s, crop, boat in _locate_views(submission, facts):
        beside = max(crop.left - boat[0], crop.top - boat[1], boat[2] - crop.right, boat[3] - crop.bottom)
        lost += [f"{time_s:.1f} s (by {beside:.0f} px)"] if beside > _OFF_PX or crop.likeness < 0.5 else []
    return make_finding(not lost, f"the boat is cut or out of the picture at {lost[:6] or 'no time'}")


def _check_undistorted(submission: Submission, facts: Facts) -> Finding:
    """Each frame is a part of the film at its time, and fills the picture."""
    off = [f"{time:.1f} s ({crop.likeness:.2f})" for time, crop, _ in _locate_views(submission, facts)
           if crop.likeness < (_LEAST_LIKENESS if time > GONE_S else 0.5)]  # fmt: skip
    return make_finding(not off, f"not as in the film at {off[:6] or 'no time'}")


def _black_gone(submission: Submission, facts: Facts) -> Finding:
    """Nothing is dark or silent, and no more than the black stretch was taken out."""
    film = read_film(submission, FILM)
    dark = int((film.sketches.reshape(len(film.times), -1).mean(axis=1) < 16).sum())
    silent = find_silences(read_sound(submission, FILM), -60.0, 0.25)
    more = facts["length_s"] - film.duration_s
    holds = not dark and not silent and -0.1 <= more <= 0.3
    return make_finding(holds, f"{dark} dark frames, silent at {silent[:3]}, {more:.2f} s shorter than it should be")


def _in_step(submission: Submission, facts: Facts) -> Finding:
    """Before and behind the cut the sound is that of the source at the time of the pictures."""
    film = read_film(submission, FILM)
    heard, source_track = read_track(submission, FILM), read_track(submission.untouched, SOURCE)
    sync_matches = []
    for start in (0.5, film.duration_s - 3.2):
        part = heard[round(start * 16_000) : round((start + 2.5) * 16_000)]
        at, similarity = find_sound(source_track, part)
        sync_matches.append((round(at - _source_time(film, facts, start), 2), round(similarity, 2)))
    return make_finding(
        all(abs(late) < 0.15 and similarity > 0.8 for late, similarity in sync_matches),
        f"how late, how alike: {sync_matches}",
    )


def _find_letterings(
    submission: Submission, facts: Facts, times_s: Sequence[float]
) -> list[tuple[Lettering | None, Any]]:
    """The letters that are seen at some times, and the box of the boat there, in pixels of the reel."""
    film, source, letterings = read_film(submission, FILM), read_film(submission.untouched, SOURCE), []
    there = [_source_time(film, facts, time_s) for time_s in times_s]
    pairs = zip(frames_at(submission, FILM, times_s), frames_at(submission.untouched, SOURCE, there), strict=True)
    for (after, before), at_s, time_s in zip(pairs, times_s, there, strict=True):
        rough = find_crop(film.sketch_at(at_s), source.sketch_at(time_s))
        grey = [picture.mean(axis=2).astype("uint8") for picture in (after, before)]
        crop = find_crop(grey[0], grey[1], ((rough.bottom - rough.top) / source.sketches.shape[1],))
        left, top, right, bottom = (round(side) for side in (crop.left, crop.top, crop.right, crop.bottom))
        boat, scale = facts["boats"][round(time_s * _FPS - 0.4)], after.shape[1] / (right - left)
        box = [(side - corner) * scale for side, corner in zip(boat, (left, top, left, top), strict=True)]
        letterings.append((find_lettering(before[top:bottom, left:right], after, 0.0), box))
    return letterings


def _check_title_times(submission: Submission, facts: Facts) -> Finding:
    """Letters in the width of the title are seen for three seconds, and none later."""
    film = read_film(submission, FILM)
    seen = [lettering for lettering, _ in _find_letterings(submission, facts, _TITLE_TIMES_S)]
    later = [
        lettering
        for lettering, _ in _find_letterings(
            submission, facts, [GONE_S + 0.2, film.duration_s / 2 + 2, film.duration_s - 0.5]
        )
    ]
    if None in seen or any(later):
        return make_finding(
            holds=False, evidence=f"seen: {[lettering is not None for lettering in seen]}, later: {later}"
        )
    shares = [sum(lettering.lines) / lettering.core_px / len(facts["title"]) for lettering in seen if lettering]
    large = min(lettering.core_px for lettering in seen if lettering) >= _CORE * film.height / 24
    evidence = f"width of a letter {[round(share, 2) for share in shares]} of the height of an x, large enough: {large}"
    return make_finding(large and all(0.6 < share < 1.7 for share in shares), evidence)


def _title_placed(submission: Submission, facts: Facts) -> Finding:
    """The title is in the safe area and not on the boat."""
    film, faults = read_film(submission, FILM), []
    safe = [part * side for part, side in zip(SAFE, (film.width, film.height) * 2, strict=True)]
    for lettering, boat in _find_letterings(submission, facts, _TITLE_TIMES_S):
        if lettering is None:
            return make_finding(holds=False, evidence="there is no title")
        left, top, right, bottom = lettering.box
        inside = left >= safe[0] - 2 and top >= safe[1] - 2 and right <= safe[2] + 2 and bottom <= safe[3] + 2
        is_clear = right < boat[0] or left > boat[2] or bottom < boat[1] or top > boat[3]
        faults += (
            []
            if inside and is_clear
            else [f"{lettering.box}, safe: {list(map(round, safe))}, boat: {list(map(round, boat))}"]
        )
    return make_finding(not faults, f"{faults[:2] or 'inside, beside the boat'}")


CHECKS = make_group(
    "vertical_reel",
    "The reel can be published",
    make_checkpoint(
        "follows", "The boat is in the picture the whole time", _check_following, covers=(FRAMES, LENGTH), weight=4
    ),
    make_checkpoint(
        "undistorted", "The picture is filled and not distorted", _check_undistorted, covers=(FRAMES,), weight=2
    ),
    make_checkpoint(
        "black_gone", "Only the black stretch is gone", _black_gone, covers=(FRAMES, LENGTH, SOUND), weight=2
    ),
    make_checkpoint("in_step", "The sound goes with its picture", _in_step, covers=(SOUND, LENGTH), weight=2),
    leaves.sound_levels("loud", "It is loud enough and nothing clips", FILM, -14.0, 1.05, -1.0, weight=2),
    make_checkpoint(
        "title_shown", "The title is there for three seconds", _check_title_times, covers=(FRAMES,), weight=2
    ),
    make_checkpoint("title_placed", "The title is in the safe area", _title_placed, covers=(FRAMES,), weight=2),
    leaves.check_film_playback("It is upright and plays everywhere", FILM, (9, 16), at_least_px=360),
    leaves.answer_number("The answer is the length", lambda facts: facts["length_s"] - 0.1, 0.25),
    leaves.check_inspected("The agent looked at the reel after its last change", FILM),
    leaves.nothing_else(FILM),
)
