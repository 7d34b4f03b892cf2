"""The clip holds just the answer, in step, with subtitles that can be read at their times, and is small enough."""

import itertools

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.media.films import Cue, find_sound, frames_at, read_film, read_track
from yardkit.evaluators.readers.media.lettering import Lettering, find_lettering
from yardkit.evaluators.readers.media.webvtt import find_cue_faults, read_webvtt
from yardkit.evaluators.submission import Submission

FILM, CUES, RECORDING = "clip.mp4", "clip.vtt", "customer_hour.mp4"
FRAMES, SOUND, LENGTH, WHOLE = (*(f"film:{FILM}#{part}" for part in ("frames", "sound", "length")), f"file:{FILM}")
_ROOM_S, _NEAR_S = 0.65, 0.06
_CORE = 0.42
"""How high an x is at least, as a part of the height of the letters."""


def _begins(submission: Submission) -> tuple[float, float]:
    """At which second of the recording the sound of the clip begins, and how like it is."""
    return find_sound(read_track(submission.untouched, RECORDING), read_track(submission, FILM))


def _spoken(submission: Submission, facts: Facts) -> list[Cue]:
    """When each sentence is spoken in the clip."""
    begin, _ = _begins(submission)
    return [Cue(one["start_s"] - begin, one["end_s"] - begin, one["text"]) for one in facts["sentences"]]


def _passage(submission: Submission, facts: Facts) -> Finding:
    """All words of the answer are heard and no others, with little before and behind."""
    begin, alike = _begins(submission)
    end = begin + read_film(submission, FILM).duration_s
    first, last = facts["sentences"][0]["start_s"], facts["sentences"][-1]["end_s"]
    starts = max(first - _ROOM_S, facts["before_s"]) <= begin <= first + _NEAR_S
    ends = last - _NEAR_S <= end <= min(last + _ROOM_S, facts["after_s"])
    told = f"{begin:.2f} to {end:.2f} s, for {first:.2f} to {last:.2f}; alike by {alike:.2f}"
    return finding(starts and ends and alike > 0.9, told)


def _in_step(submission: Submission, _facts: Facts) -> Finding:
    """At many times the upper part of the picture is that of the recording at the same sound."""
    import numpy as np

    film, recording = read_film(submission, FILM), read_film(submission.untouched, RECORDING)
    begin, rows = _begins(submission)[0], round(film.sketches.shape[1] * 0.6)
    off = {}
    for late in (-0.5, -0.25, 0.0, 0.25, 0.5):
        parts = []
        for time_s in np.linspace(0.3, film.duration_s - 0.3, 24):
            one, other = film.sketch_at(time_s), recording.sketch_at(time_s + begin + late)
            one, other = (picture[:rows].astype(np.int16) for picture in (one, other))
            parts.append(float(np.percentile(np.abs(one[: len(other)] - other[: len(one)]), 99)))
        off[late] = round(float(np.mean(parts)), 1)
    return finding(off[0.0] == min(off.values()) < 40, f"differences by how late the sound is taken to be: {off}")


def _letters(submission: Submission, times_s: list[float]) -> list[Lettering | None]:
    """The subtitles that are seen in the clip at some times."""
    begin = _begins(submission)[0]
    before = frames_at(submission.untouched, RECORDING, [time_s + begin for time_s in times_s])
    return list(map(find_lettering, before, frames_at(submission, FILM, times_s)))


def _inside(spans: list[Cue]) -> list[float]:
    return [span.start_s + part * (span.end_s - span.start_s) for span in spans for part in (0.2, 0.5, 0.8)]


def _shown(submission: Submission, facts: Facts) -> Finding:
    """Letters are seen while each sentence is spoken, and none in the pauses."""
    spans = _spoken(submission, facts)
    wanted = _inside(spans)
    pauses = [(one.end_s + other.start_s) / 2 for one, other in itertools.pairwise(spans)]
    seen = _letters(submission, [*wanted, *pauses])
    lacking = [round(time, 1) for time, one in zip(wanted, seen, strict=False) if one is None]
    left = [round(time, 1) for time, one in zip(pauses, seen[len(wanted) :], strict=True) if one is not None]
    return finding(not lacking and not left, f"no letters at {lacking} s, letters in the pauses at {left} s")


def _readable(submission: Submission, facts: Facts) -> Finding:
    """Subtitles have at most two lines, are large enough, and keep away from the edges."""
    film, faults = read_film(submission, FILM), list[str]()
    times = _inside(_spoken(submission, facts))
    for time, one in zip(times, _letters(submission, times), strict=True):
        if one is None:
            faults.append(f"none at {time:.1f} s")
            continue
        left, _, right, bottom = one.box
        faults += [f"{len(one.lines)} lines at {time:.1f} s"] if len(one.lines) > 2 else []
        faults += [f"an x is {one.core_px:g} px high"] if one.core_px < _CORE * film.height / 14 else []
        outside = min(left, film.width - right) < 0.01 * film.width or bottom > 0.995 * film.height
        faults += [f"at the edge at {time:.1f} s: {one.box}"] if outside else []
    return finding(not faults, f"{faults[:4] or 'two lines at most, large and inside'}")


def _same_words(submission: Submission, _facts: Facts) -> Finding:
    """What is seen is as wide as the words of its cue are long: in each cue by about the same measure."""
    cues = [cue for cue in read_webvtt(submission, CUES) if cue.text]
    seen = _letters(submission, [(cue.start_s + cue.end_s) / 2 for cue in cues])
    if not cues or None in seen:
        return finding(holds=False, evidence=f"{len(cues)} cues, letters seen in {len([one for one in seen if one])}")
    shares = [sum(one.lines) / (len(cue.text)) for cue, one in zip(cues, seen, strict=True) if one]
    return finding(max(shares) < 1.3 * min(shares), f"pixels for each letter: {[round(one, 1) for one in shares]}")


def _cues(submission: Submission, facts: Facts) -> Finding:
    """The cues hold the sentences word for word, each within the time of its sentence, without gaps."""
    faults = find_cue_faults(read_webvtt(submission, CUES), _spoken(submission, facts))
    return finding(not faults, f"{faults[:3] or 'each at its time'}")


TEXT = (f"text:{CUES}", f"file:{CUES}")
CHECKS = group(
    "customer_clip",
    "The customer gets the answer",
    leaf("passage", "The clip holds just the answer", _passage, observes=(SOUND, LENGTH, WHOLE), weight=3),
    leaf("in_step", "Pictures and sound are in step", _in_step, observes=(FRAMES, SOUND), weight=2),
    leaf("shown", "Subtitles are seen while it is spoken", _shown, observes=(FRAMES, LENGTH), weight=3),
    leaf("readable", "They can be read", _readable, observes=(FRAMES,), weight=2),
    leaf("same_words", "They show what the cues say", _same_words, observes=(FRAMES, *TEXT)),
    leaf("cues", "The cues hold the sentences at their times", _cues, observes=TEXT, weight=2),
    leaves.plays("It plays in every browser", FILM, (16, 9)),
    leaves.plays("It fits into the mail box", FILM, (16, 9), at_least_px=400, max_bytes=450_000, id="small", weight=2),
    leaves.answer_number("The answer is where it begins", lambda facts: facts["sentences"][0]["start_s"] - 0.25, 0.36),
    leaves.inspected("The agent looked at the clip after its last change", FILM),
    leaves.nothing_else(FILM, CUES),
)
