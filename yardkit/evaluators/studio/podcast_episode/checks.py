"""What is heard in the episode, and what is not; noise, levels, chapters and tags."""

from collections.abc import Iterable
from itertools import pairwise
from statistics import median
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.media import sounds
from yardkit.evaluators.readers.media.sounds import Place, Sound, find_in, read_sound
from yardkit.evaluators.submission import Submission

EPISODE = "episode.mp3"
LIKE, UNLIKE = 0.5, 0.4
LONGEST_PAUSE_S, NOISE_DB, HUM_DB = 2.1, 29.0, 12.0
HUM_HZ = (40, 110)


def _places(submission: Submission, named: list[list[Any]]) -> list[Place]:
    """Where sentences of the raw interview are heard in the episode."""
    episode, raw = read_sound(submission, EPISODE), read_sound(submission.untouched, "interview.wav")
    return [find_in(episode, raw.part(start_s, end_s)) for _, start_s, end_s in named]


def _track(submission: Submission, path: str) -> Place:
    return find_in(read_sound(submission, EPISODE), read_sound(submission.untouched, path))


def _said(submission: Submission, facts: Facts) -> Finding:
    places = [_track(submission, "jingle.wav"), *_places(submission, facts["kept"]), _track(submission, "outro.wav")]
    likeness = [place.similarity for place in places]
    ordered = all(after.offset_s > before.end_s - 0.3 for before, after in pairwise(places))
    begins, left = places[0].offset_s, read_sound(submission, EPISODE).duration_s - places[-1].end_s
    seen = ", ".join(f"{share:.2f}" for share in likeness)
    holds = min(likeness) > LIKE and ordered and begins < 1 and left < 2
    return finding(holds, f"likeness of the tracks and sentences: {seen}; in order: {ordered}; {left:.1f} s left")


def _cut(submission: Submission, facts: Facts) -> Finding:
    likeness = [place.similarity for place in _places(submission, facts["cut"])]
    return finding(max(likeness) < UNLIKE, f"likeness of what was to be cut: {likeness}")


def _pauses(submission: Submission, facts: Facts) -> Finding:
    places = _places(submission, facts["kept"])
    longest = max(after.offset_s - before.end_s for before, after in pairwise(places))
    return finding(longest < LONGEST_PAUSE_S, f"the longest pause has {longest:.2f} s")


def _clean(submission: Submission, facts: Facts) -> Finding:
    episode, raw = read_sound(submission, EPISODE), read_sound(submission.untouched, "interview.wav")
    places = _places(submission, facts["kept"])
    voices = _level(episode.part(place.offset_s, place.end_s) for place in places)
    pauses = [(before.end_s + 0.2, after.offset_s - 0.1) for before, after in pairwise(places)]
    noise = _level(episode.part(*pause) for pause in pauses if pause[1] - pause[0] > 0.05)
    less = _hum(raw.part(*facts["kept"][0][1:])) - _hum(episode.part(places[0].offset_s, places[0].end_s))
    seen = f"the pauses are {voices - noise:.1f} dB below the voices; the hum below words is {less:.1f} dB less"
    return finding(voices - noise > NOISE_DB and less > HUM_DB, seen)


def _level(parts: Iterable[Sound]) -> float:
    return median([sounds.rms_dbfs(part.samples) for part in parts] or [sounds.SILENCE_DB])


def _hum(sound: Sound) -> float:
    """How loud the hum is against all else, in decibels."""
    import scipy.signal

    band = scipy.signal.butter(4, HUM_HZ, "bandpass", fs=sound.sample_rate_hz, output="sos")
    return sounds.rms_dbfs(scipy.signal.sosfiltfilt(band, sound.mono)) - sounds.rms_dbfs(sound.narrow)


def _balance(submission: Submission, facts: Facts) -> Finding:
    episode, places = read_sound(submission, EPISODE), _places(submission, facts["kept"])
    tracks = [_track(submission, f"{name}.wav") for name in ("jingle", "outro")]
    stretches = [(places[0].offset_s, places[-1].end_s), *((place.offset_s, place.end_s) for place in tracks)]
    interview, *music = [sounds.loudness_lufs(episode.part(*stretch)) for stretch in stretches]
    apart = [round(loudness - interview, 1) for loudness in music]
    return finding(max(map(abs, apart)) < 3.3, f"jingle and outro are {apart} LU off the interview")


def _chapters(submission: Submission, facts: Facts) -> Finding:
    chapters = read_sound(submission, EPISODE).chapters
    places = _places(submission, facts["kept"])
    starts = {name: place.offset_s for (name, *_), place in zip(facts["kept"], places, strict=True)}
    outro = _track(submission, "outro.wav").offset_s
    wanted = [("Opening", 0.0), *((title, starts[name]) for title, name in facts["chapters"]), ("Goodbye", outro)]
    seen = [(chapter.title, round(chapter.start_s, 2)) for chapter in chapters]
    holds = len(seen) == len(wanted) and all(
        fold(title) == fold(right) and at_s - 1.1 < start_s < at_s + 0.25
        for (title, start_s), (right, at_s) in zip(seen, wanted, strict=True)
    )
    return finding(holds, f"chapters {seen}, expected {[(title, round(at_s, 2)) for title, at_s in wanted]}")


WORDS = leaves.sound_targets(EPISODE, "part", "length", "speed")
CHAPTERS = leaves.sound_targets(EPISODE, "chapters")
SAID = leaf("said", "Jingle, each sentence and outro are heard, in order", _said, observes=WORDS, weight=2)
CUT = leaf("cut", "The slip is not heard", _cut, observes=(f"file:{EPISODE}",), weight=2)
PAUSES = leaf("pauses", "No pause is long", _pauses, observes=(f"file:{EPISODE}",))
CLEAN = leaf("clean", "Hum and hiss are gone", _clean, observes=(f"sound:{EPISODE}#noise",), weight=2)
BALANCE = leaf(
    "balance", "Jingle and outro are as loud as the interview", _balance, observes=(f"file:{EPISODE}",), weight=2
)
LEVELS = leaves.sound_levels("levels", "It has -16 LUFS, no true peak above -1 dBTP", EPISODE, -16, 0.5, weight=3)
FORM = leaves.sound_form("format", "It is an MP3 of 44,100 Hz, heard on both sides", EPISODE, "mp3", 44_100, 2)
FOUND = leaf("chapters", "Each chapter begins with its question", _chapters, observes=CHAPTERS, weight=2)
TAGS = leaves.sound_tags("tags", "Title, artist and album are set", EPISODE, lambda facts: facts["tags"])
CHECKS = group(
    "podcast_episode",
    "The episode is as the show sheet wants it",
    group("content", "The spoken content", SAID, CUT, PAUSES, weight=3),
    group("sound", "The sound", CLEAN, BALANCE, LEVELS, FORM, weight=3),
    group("labels", "Navigation", FOUND, TAGS, weight=2),
    leaves.inspected("The finished file was listened to", EPISODE),
    leaves.nothing_else(EPISODE),
)
