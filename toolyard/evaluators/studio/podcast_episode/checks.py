"""What is heard in the episode, and what is not; noise, levels, chapters and tags."""

from itertools import pairwise
from typing import Any

from toolyard.evaluators import leaves
from toolyard.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from toolyard.evaluators.readers.answers import fold
from toolyard.evaluators.readers.media import sounds
from toolyard.evaluators.readers.media.sounds import Place, Sound, find_in, read_sound
from toolyard.evaluators.submission import Submission

EPISODE = "episode.mp3"
LIKE, UNLIKE = 0.5, 0.4
LONGEST_PAUSE_S, NOISE_DB, HUM_DB = 2.1, 29.0, 12.0
HUM_HZ = (40, 110)
SPAN = tuple[Place, float]
"""Where a sentence is heard, and when it is over."""


def _spans(submission: Submission, named: list[list[Any]]) -> list[tuple[Place, float]]:
    """Where sentences of the raw interview are heard in the episode."""
    episode, raw = read_sound(submission, EPISODE), read_sound(submission.untouched, "interview.wav")
    found = [(find_in(episode, raw.part(start_s, end_s)), end_s - start_s) for _, start_s, end_s in named]
    return [(place, place.offset_s + seconds) for place, seconds in found]


def _track(submission: Submission, path: str) -> tuple[Place, float]:
    track = read_sound(submission.untouched, path)
    place = find_in(read_sound(submission, EPISODE), track)
    return place, place.offset_s + track.duration_s


def _said(submission: Submission, facts: Facts) -> Finding:
    spans = [_track(submission, "jingle.wav"), *_spans(submission, facts["kept"]), _track(submission, "outro.wav")]
    likeness = [place.similarity for place, _ in spans]
    ordered = all(after[0].offset_s > before[1] - 0.3 for before, after in pairwise(spans))
    begins, left = spans[0][0].offset_s, read_sound(submission, EPISODE).duration_s - spans[-1][1]
    seen = ", ".join(f"{share:.2f}" for share in likeness)
    holds = min(likeness) > LIKE and ordered and begins < 1 and left < 2
    return finding(holds, f"likeness of the tracks and sentences: {seen}; in order: {ordered}; {left:.1f} s left")


def _cut(submission: Submission, facts: Facts) -> Finding:
    likeness = [place.similarity for place, _ in _spans(submission, facts["cut"])]
    return finding(max(likeness) < UNLIKE, f"likeness of what was to be cut: {likeness}")


def _pauses(submission: Submission, facts: Facts) -> Finding:
    spans = _spans(submission, facts["kept"])
    longest = max(after[0].offset_s - before[1] for before, after in pairwise(spans))
    return finding(longest < LONGEST_PAUSE_S, f"the longest pause has {longest:.2f} s")


def _clean(submission: Submission, facts: Facts) -> Finding:
    episode, raw = read_sound(submission, EPISODE), read_sound(submission.untouched, "interview.wav")
    spans = _spans(submission, facts["kept"])
    voices = _level(episode.part(place.offset_s, end_s) for place, end_s in spans)
    pauses = [(end_s + 0.2, after.offset_s - 0.1) for (_, end_s), (after, _) in pairwise(spans)]
    noise = _level(episode.part(*pause) for pause in pauses if pause[1] - pause[0] > 0.05)
    less = _hum(raw.part(facts["kept"][0][1], facts["kept"][0][2])) - _hum(
        episode.part(spans[0][0].offset_s, spans[0][1])
    )
    return finding(
        voices - noise > NOISE_DB and less > HUM_DB,
        f"the pauses are {voices - noise:.1f} dB below the voices; the hum below words is {less:.1f} dB less",
    )


def _level(parts: Any) -> float:
    """The level of stretches together."""
    import numpy as np

    samples = [part.samples for part in parts]
    return sounds.rms_dbfs(np.concatenate(samples)) if samples else sounds.SILENCE_DB


def _hum(sound: Sound) -> float:
    """How loud the hum is against all else, in decibels."""
    import scipy.signal

    band = scipy.signal.butter(4, HUM_HZ, "bandpass", fs=sound.sample_rate_hz, output="sos")
    return sounds.rms_dbfs(scipy.signal.sosfiltfilt(band, sound.mono)) - sounds.rms_dbfs(sound.narrow)


def _balance(submission: Submission, facts: Facts) -> Finding:
    episode, spans = read_sound(submission, EPISODE), _spans(submission, facts["kept"])
    stretches = [(spans[0][0].offset_s, spans[-1][1])]
    stretches += [
        (place.offset_s, end_s) for place, end_s in (_track(submission, f"{name}.wav") for name in ("jingle", "outro"))
    ]
    interview, *music = [sounds.loudness_lufs(episode.part(*stretch)) for stretch in stretches]
    apart = [loudness - interview for loudness in music]
    return finding(
        max(map(abs, apart)) < 3.3, f"jingle and outro are {apart[0]:+.1f} and {apart[1]:+.1f} LU off the interview"
    )


def _loudness(submission: Submission, _facts: Facts) -> Finding:
    loudness = sounds.loudness_lufs(read_sound(submission, EPISODE))
    return finding(abs(loudness + 16) < 0.55, f"{loudness:.2f} LUFS, expected -16")


def _peak(submission: Submission, _facts: Facts) -> Finding:
    peak = sounds.true_peak_dbtp(read_sound(submission, EPISODE))
    return finding(peak < -0.9, f"true peak {peak:.2f} dBTP, expected at most -1")


def _form(submission: Submission, _facts: Facts) -> Finding:
    episode = read_sound(submission, EPISODE)
    told = (episode.format, episode.codec, episode.sample_rate_hz, episode.channels)
    levels = [sounds.rms_dbfs(episode.samples[:, side]) for side in range(episode.channels)]
    holds = told == ("mp3", "mp3", 44_100, 2) and max(levels) - min(levels) < 3
    return finding(holds, f"{told}, sides at {levels} dBFS")


def _chapters(submission: Submission, facts: Facts) -> Finding:
    chapters = read_sound(submission, EPISODE).chapters
    starts = {
        name: place.offset_s
        for (name, *_), (place, _) in zip(facts["kept"], _spans(submission, facts["kept"]), strict=True)
    }
    outro = _track(submission, "outro.wav")[0].offset_s
    wanted = [("Opening", 0.0), *((title, starts[name]) for title, name in facts["chapters"]), ("Goodbye", outro)]
    seen = [(chapter.title, round(chapter.start_s, 2)) for chapter in chapters]
    holds = len(seen) == len(wanted) and all(
        fold(title) == fold(right) and at_s - 1.1 < start_s < at_s + 0.25
        for (title, start_s), (right, at_s) in zip(seen, wanted, strict=True)
    )
    return finding(holds, f"chapters {seen}, expected {[(title, round(at_s, 2)) for title, at_s in wanted]}")


def _tags(submission: Submission, facts: Facts) -> Finding:
    tags = read_sound(submission, EPISODE).tags
    wrong = {name: tags.get(name) for name, text in facts["tags"].items() if fold(tags.get(name, "")) != fold(text)}
    return finding(not wrong, f"wrong tags: {wrong}, expected {facts['tags']}")


def _of(*details: str) -> tuple[str, ...]:
    return (f"file:{EPISODE}", *(f"sound:{EPISODE}#{detail}" for detail in details))


CHECKS = group(
    "podcast_episode",
    "The episode is as the show sheet wants it",
    group(
        "content",
        "What is said",
        leaf(
            "said",
            "Jingle, each sentence and outro are heard, in order",
            _said,
            observes=_of("part", "length", "speed"),
            weight=2,
        ),
        leaf("cut", "The slip is not heard", _cut, observes=_of("slip"), weight=2),
        leaf("pauses", "No pause is long", _pauses, observes=_of("pauses")),
        weight=3,
    ),
    group(
        "sound",
        "How it sounds",
        leaf("clean", "Hum and hiss are gone", _clean, observes=_of("noise"), weight=2),
        leaf("balance", "Jingle and outro are as loud as the interview", _balance, observes=_of("balance"), weight=2),
        leaf("loudness", "It has -16 LUFS", _loudness, observes=_of("loudness"), weight=2),
        leaf("peak", "No true peak is above -1 dBTP", _peak, observes=_of("peak")),
        leaf("format", "It is an MP3 of 44,100 Hz, heard on both sides", _form, observes=_of("channels")),
        weight=3,
    ),
    group(
        "labels",
        "How one finds one's way",
        leaf("chapters", "Each chapter begins with its question", _chapters, observes=_of("chapters"), weight=2),
        leaf("tags", "Title, artist and album are set", _tags, observes=_of("tags")),
        weight=2,
    ),
    leaves.inspected("The finished file was listened to", EPISODE),
    leaves.nothing_else(EPISODE),
)
