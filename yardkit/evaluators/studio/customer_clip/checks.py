"""The clip holds just the answer, in step, with subtitles that can be read at their times, and is small enough."""

import itertools

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.media.films import Cue, find_sound, frames_at, read_film, read_track
from yardkit.evaluators.readers.media.lettering import Lettering, find_lettering
from yardkit.evaluators.studio.customer_clip.webvtt import find_cue_faults, read_webvtt
from yardkit.evaluators.submission import Submission

FILM, CUES, RECORDING = "clip.mp4", "clip.vtt", "customer_hour.mp4"
FRAMES, SOUND, LENGTH, CLIP_FILE = (*(f"film:{FILM}#{part}" for part in ("frames", "sound", "length")), f"file:{FILM}")
_ROOM_S, _NEAR_S = 0.65, 0.06
_CORE = 0.42
"""How high an x is at least, as a part of the height of the letters."""


def _find_beginning(submission: Submission) -> tuple[float, float]:
    """At which second of the recording the sound of the clip begins, and how like it is."""
    return find_sound(read_track(submission.untouched, RECORDING), read_track(submission, FILM))


def _list_spoken_cues(submission: Submission, facts: Facts) -> list[Cue]:
    """When each sentence is spoken in the clip."""
    begin, _ = _find_beginning(submission)
    return [
        Cue(sentence["start_s"] - begin, sentence["end_s"] - begin, sentence["text"]) for sentence in facts["sentences"]
    ]


def _check_passage(submission: Submission, facts: Facts) -> Finding:
    """All words of the answer are heard and no others, with little before and behind."""
    begin, similarity = _find_beginning(submission)
    end = begin + read_film(submission, FILM).duration_s
    first, last = facts["sentences"][0]["start_s"], facts["sentences"][-1]["end_s"]
    starts = max(first - _ROOM_S, facts["before_s"]) <= begin <= first + _NEAR_S
    ends = last - _NEAR_S <= end <= min(last + _ROOM_S, facts["after_s"])
    evidence = f"{begin:.2f} to {end:.2f} s, for {first:.2f} to {last:.2f}; alike by {similarity:.2f}"
    return make_finding(starts and ends and similarity > 0.9, evidence)


def _in_step(submission: Submission, _facts: Facts) -> Finding:
    """At many times the upper part of the picture is that of the recording at the same sound."""
    import numpy as np

    film, recording = read_film(submission, FILM), read_film(submission.untouched, RECORDING)
    begin, rows = _find_beginning(submission)[0], round(film.sketches.shape[1] * 0.6)
    off = {}
    for late in (-0.5, -0.25, 0.0, 0.25, 0.5):
        parts = []
        for time_s in np.linspace(0.3, film.duration_s - 0.3, 24):
            clip_sketch, other = film.sketch_at(time_s), recording.sketch_at(time_s + begin + late)
            clip_sketch, other = (picture[:rows].astype(np.int16) for picture in (clip_sketch, other))
            parts.append(float(np.percentile(np.abs(clip_sketch[: len(other)] - other[: len(clip_sketch)]), 99)))
        off[late] = round(float(np.mean(parts)), 1)
    return make_finding(off[0.0] == min(off.values()) < 40, f"differences by how late the sound is taken to be: {off}")


def _find_letterings(submission: Submission, times_s: list[float]) -> list[Lettering | None]:
    """The subtitles that are seen in the clip at some times."""
    begin = _find_beginning(submission)[0]
    before = frames_at(submission.untouched, RECORDING, [time_s + begin for time_s in times_s])
    return list(map(find_lettering, before, frames_at(submission, FILM, times_s)))


def _list_inner_times(spans: list[Cue]) -> list[float]:
    return [span.start_s + part * (span.end_s - span.start_s) for span in spans for part in (0.2, 0.5, 0.8)]


def _check_subtitles_seen(submission: Submission, facts: Facts) -> Finding:
    """Letters are seen while each sentence is spoken, and none in the pauses."""
    spans = _list_spoken_cues(submission, facts)
    expected_times = _list_inner_times(spans)
    pauses = [(span.end_s + other.start_s) / 2 for span, other in itertools.pairwise(spans)]
    seen = _find_letterings(submission, [*expected_times, *pauses])
    missing_times = [round(time, 1) for time, lettering in zip(expected_times, seen, strict=False) if lettering is None]
    left = [
        round(time, 1)
        for time, lettering in zip(pauses, seen[len(expected_times) :], strict=True)
        if lettering is not None
    ]
    return make_finding(
        not missing_times and not left, f"no letters at {missing_times} s, letters in the pauses at {left} s"
    )


def _check_readable(submission: Submission, facts: Facts) -> Finding:
    """Subtitles have at most two lines, are large enough, and keep away from the edges."""
    film, faults = read_film(submission, FILM), list[str]()
    times = _list_inner_times(_list_spoken_cues(submission, facts))
    for time, lettering in zip(times, _find_letterings(submission, times), strict=True):
        if lettering is None:
            faults.append(f"none at {time:.1f} s")
            continue
        left, _, right, bottom = lettering.box
        faults += [f"{len(lettering.lines)} lines at {time:.1f} s"] if len(lettering.lines) > 2 else []
        faults += [f"an x is {lettering.core_px:g} px high"] if lettering.core_px < _CORE * film.height / 14 else []
        outside = min(left, film.width - right) < 0.01 * film.width or bottom > 0.995 * film.height
        faults += [f"at the edge at {time:.1f} s: {lettering.box}"] if outside else []
    return make_finding(not faults, f"{faults[:4] or 'two lines at most, large and inside'}")


def _same_words(submission: Submission, _facts: Facts) -> Finding:
    """What is seen is as wide as the words of its cue are long: in each cue by about the same measure."""
    cues = [cue for cue in read_webvtt(submission, CUES) if cue.text]
    seen = _find_letterings(submission, [(cue.start_s + cue.end_s) / 2 for cue in cues])
    if not cues or None in seen:
        return make_finding(
            holds=False,
            evidence=f"{len(cues)} cues, letters seen in {len([lettering for lettering in seen if lettering])}",
        )
    shares = [sum(lettering.lines) / (len(cue.text)) for cue, lettering in zip(cues, seen, strict=True) if lettering]
    return make_finding(
        max(shares) < 1.3 * min(shares), f"pixels for each letter: {[round(share, 1) for share in shares]}"
    )


def _check_cues(submission: Submission, facts: Facts) -> Finding:
    """The cues hold the sentences word for word, each within the time of its sentence, without gaps."""
    faults = find_cue_faults(read_webvtt(submission, CUES), _list_spoken_cues(submission, facts))
    return make_finding(not faults, f"{faults[:3] or 'each at its time'}")


TEXT = (f"text:{CUES}", f"file:{CUES}")
CHECKS = make_group(
    "customer_clip",
    "The customer gets the answer",
    make_checkpoint(
        "passage", "The clip holds just the answer", _check_passage, covers=(SOUND, LENGTH, CLIP_FILE), weight=3
    ),
    make_checkpoint("in_step", "Pictures and sound are in step", _in_step, covers=(FRAMES, SOUND), weight=2),
    make_checkpoint(
        "shown", "Subtitles are seen while it is spoken", _check_subtitles_seen, covers=(FRAMES, LENGTH), weight=3
    ),
    make_checkpoint("readable", "They can be read", _check_readable, covers=(FRAMES,), weight=2),
    make_checkpoint("same_words", "They show what the cues say", _same_words, covers=(FRAMES, *TEXT)),
    make_checkpoint("cues", "The cues hold the sentences at their times", _check_cues, covers=TEXT, weight=2),
    leaves.check_film_playback("It plays in every browser", FILM, (16, 9)),
    leaves.check_film_playback(
        "It fits into the mail box", FILM, (16, 9), at_least_px=400, max_bytes=450_000, id="small", weight=2
    ),
    leaves.answer_number("The answer is where it begins", lambda facts: facts["sentences"][0]["start_s"] - 0.25, 0.36),
    leaves.check_inspected("The agent looked at the clip after its last change", FILM),
    leaves.nothing_else(FILM, CUES),
)
