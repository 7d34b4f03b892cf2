"""What is heard in the episode, and what is not; noise, levels, chapters and tags."""

from collections.abc import Iterable
from itertools import pairwise
from statistics import median
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.media import sounds
from yardkit.evaluators.readers.media.sounds import Place, Sound, find_in, read_sound
from yardkit.evaluators.submission import Submission

EPISODE = "episode.mp3"
LIKE, UNLIKE = 0.5, 0.4
LONGEST_PAUSE_S, NOISE_DB, HUM_DB = 2.1, 29.0, 12.0
HUM_HZ = (40, 110)


def _locate_sentences(submission: Submission, named: list[list[Any]]) -> list[Place]:
    """Where sentences of the raw interview are heard in the episode."""
    episode, raw = read_sound(submission, EPISODE), read_sound(submission.untouched, "interview.wav")
    return [find_in(episode, raw.part(start_s, end_s)) for _, start_s, end_s in named]


def _locate_track(submission: Submission, path: str) -> Place:
    return find_in(read_sound(submission, EPISODE), read_sound(submission.untouched, path))


def _check_content(submission: Submission, facts: Facts) -> Finding:
    places = [
        _locate_track(submission, "jingle.wav"),
        *_locate_sentences(submission, facts["kept"]),
        _locate_track(submission, "outro.wav"),
    ]
    likeness = [place.similarity for place in places]
    ordered = all(after.offset_s > before.end_s - 0.3 for before, after in pairwise(places))
    begins, left = places[0].offset_s, read_sound(submission, EPISODE).duration_s - places[-1].end_s
    seen = ", ".join(f"{share:.2f}" for share in likeness)
    holds = min(likeness) > LIKE and ordered and begins < 1 and left < 2
    return make_finding(holds, f"likeness of the tracks and sentences: {seen}; in order: {ordered}; {left:.1f} s left")


def _check_cuts(submission: Submission, facts: Facts) -> Finding:
    likeness = [place.similarity for place in _locate_sentences(submission, facts["cut"])]
    return make_finding(max(likeness) < UNLIKE, f"likeness of what was to be cut: {likeness}")


def _check_pauses(submission: Submission, facts: Facts) -> Finding:
    places = _locate_sentences(submission, facts["kept"])
    longest = max(after.offset_s - before.end_s for before, after in pairwise(places))
    return make_finding(longest < LONGEST_PAUSE_S, f"the longest pause has {longest:.2f} s")


def _check_noise(submission: Submission, facts: Facts) -> Finding:
    episode, raw = read_sound(submission, EPISODE), read_sound(submission.untouched, "interview.wav")
    places = _locate_sentences(submission, facts["kept"])
    voices = _compute_level(episode.part(place.offset_s, place.end_s) for place in places)
    pauses = [(before.end_s + 0.2, after.offset_s - 0.1) for before, after in pairwise(places)]
    noise = _compute_level(episode.part(*pause) for pause in pauses if pause[1] - pause[0] > 0.05)
    less = _measure_hum(raw.part(*facts["kept"][0][1:])) - _measure_hum(
        episode.part(places[0].offset_s, places[0].end_s)
    )
    seen = f"the pauses are {voices - noise:.1f} dB below the voices; the hum below words is {less:.1f} dB less"
    return make_finding(voices - noise > NOISE_DB and less > HUM_DB, seen)


def _compute_level(parts: Iterable[Sound]) -> float:
    return median([sounds.rms_dbfs(part.samples) for part in parts] or [sounds.SILENCE_DB])


def _measure_hum(sound: Sound) -> float:
    """How loud the hum is against all else, in decibels."""
    import scipy.signal

    band = scipy.signal.butter(4, HUM_HZ, "bandpass", fs=sound.sample_rate_hz, output="sos")
    return sounds.rms_dbfs(scipy.signal.sosfiltfilt(band, sound.mono)) - sounds.rms_dbfs(sound.narrow)


def _check_balance(submission: Submission, facts: Facts) -> Finding:
    episode, places = read_sound(submission, EPISODE), _locate_sentences(submission, facts["kept"])
    tracks = [_locate_track(submission, f"{name}.wav") for name in ("jingle", "outro")]
    stretches = [(places[0].offset_s, places[-1].end_s), *((place.offset_s, place.end_s) for place in tracks)]
    interview, *music = [sounds.loudness_lufs(episode.part(*stretch)) for stretch in stretches]
    differences = [round(loudness - interview, 1) for loudness in music]
    return make_finding(max(map(abs, differences)) < 3.3, f"jingle and outro are {differences} LU off the interview")


def _check_chapters(submission: Submission, facts: Facts) -> Finding:
    chapters = read_sound(submission, EPISODE).chapters
    places = _locate_sentences(submission, facts["kept"])
    starts = {name: place.offset_s for (name, *_), place in zip(facts["kept"], places, strict=True)}
    outro = _locate_track(submission, "outro.wav").offset_s
    expected_chapters = [
        ("Opening", 0.0),
        *((title, starts[name]) for title, name in facts["chapters"]),
        ("Goodbye", outro),
    ]
    seen = [(chapter.title, round(chapter.start_s, 2)) for chapter in chapters]
    holds = len(seen) == len(expected_chapters) and all(
        simplify_text(title) == simplify_text(right) and at_s - 1.1 < start_s < at_s + 0.25
        for (title, start_s), (right, at_s) in zip(seen, expected_chapters, strict=True)
    )
    return make_finding(
        holds, f"chapters {seen}, expected {[(title, round(at_s, 2)) for title, at_s in expected_chapters]}"
    )


WORDS = leaves.sound_targets(EPISODE, "part", "length", "speed")
CHAPTERS = leaves.sound_targets(EPISODE, "chapters")
CONTENT_LEAF = make_checkpoint(
    "said", "Jingle, each sentence and outro are heard, in order", _check_content, covers=WORDS, weight=2
)
CUT = make_checkpoint("cut", "The slip is not heard", _check_cuts, covers=(f"file:{EPISODE}",), weight=2)
PAUSES = make_checkpoint("pauses", "No pause is long", _check_pauses, covers=(f"file:{EPISODE}",))
CLEAN = make_checkpoint("clean", "Hum and hiss are gone", _check_noise, covers=(f"sound:{EPISODE}#noise",), weight=2)
BALANCE = make_checkpoint(
    "balance", "Jingle and outro are as loud as the interview", _check_balance, covers=(f"file:{EPISODE}",), weight=2
)
LEVELS = leaves.sound_levels("levels", "It has -16 LUFS, no true peak above -1 dBTP", EPISODE, -16, 0.5, weight=3)
FORM = leaves.sound_form("format", "It is an MP3 of 44,100 Hz, heard on both sides", EPISODE, "mp3", 44_100, 2)
CHAPTERS_LEAF = make_checkpoint(
    "chapters", "Each chapter begins with its question", _check_chapters, covers=CHAPTERS, weight=2
)
TAGS = leaves.sound_tags("tags", "Title, artist and album are set", EPISODE, lambda facts: facts["tags"])
CHECKS = make_group(
    "podcast_episode",
    "The episode is as the show sheet wants it",
    make_group("content", "The spoken content", CONTENT_LEAF, CUT, PAUSES, weight=3),
    make_group("sound", "The sound", CLEAN, BALANCE, LEVELS, FORM, weight=3),
    make_group("labels", "Navigation", CHAPTERS_LEAF, TAGS, weight=2),
    leaves.check_inspected("The finished file was listened to", EPISODE),
    leaves.nothing_else(EPISODE),
)
