"""The key of notes, estimated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from yardkit.servers.music.engine.song import Key, Song

_MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
_MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)
"""How well tones fit a key, above its tonic (Krumhansl and Kessler 1982)."""
_FIFTHS = {pitch: (7 * pitch + 5) % 12 - 5 for pitch in range(12)}


@dataclass(frozen=True)
class KeyGuess:
    """A key by what is heard. likeness: correlation with the profile of the key, at most 1; over 0.8 it is plain."""

    key: str
    likeness: float


MIN_TONES = 5
"""Fewer different tones fit too many keys."""
_CLEAR = 0.6


def describe_key(song: Song) -> str:
    """The estimated key in words, or why there is none."""
    tones = {note.pitch % 12 for track in song.tracks if not track.is_drums for note in track.notes}
    guess = estimate_key(song)
    if guess is None:
        return "none (no pitched notes)"
    if len(tones) < MIN_TONES:
        return f"none ({len(tones)} different tones are too few to tell a key)"
    if guess[1] < _CLEAR:
        return f"none (no key fits clearly; the nearest is {guess[0]}, likeness {guess[1]:.2f})"
    return f"{guess[0]} (likeness {guess[1]:.2f})"


def estimate_key(song: Song) -> tuple[Key, float] | None:
    """The key whose profile is most like the lengths of the song's pitch classes; None without notes."""
    weights = dict.fromkeys(range(12), 0.0)
    for track in song.tracks:
        for note in () if track.is_drums else track.notes:
            weights[note.pitch % 12] += note.length
    return estimate_from(weights)


def estimate_from(weights: Mapping[int, float]) -> tuple[Key, float] | None:
    """The key that fits weights of pitch classes best."""
    if not any(weights.values()):
        return None
    guesses = []
    for tonic in range(12):
        heard = [weights.get((tonic + step) % 12, 0.0) for step in range(12)]
        for minor, profile in ((False, _MAJOR), (True, _MINOR)):
            fifths = _FIFTHS[(tonic + 3 * minor) % 12]
            guesses.append((_compute_correlation(heard, profile), -abs(fifths), Key(0, fifths, minor)))
    likeness, _, key = max(guesses, key=lambda guess: guess[:2])
    return key, round(likeness, 3)


def _compute_correlation(first_values: Sequence[float], two: Sequence[float]) -> float:
    mean_one, mean_two = sum(first_values) / len(first_values), sum(two) / len(two)
    first, second = [value - mean_one for value in first_values], [value - mean_two for value in two]
    norm = (sum(value * value for value in first) * sum(value * value for value in second)) ** 0.5
    return sum(a * b for a, b in zip(first, second, strict=True)) / norm if norm else 0.0
