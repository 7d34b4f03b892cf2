"""Names of chords read and found."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from yardkit.servers.music.engine.instruments import pitch_class_name
from yardkit.world import Problem

_NAME = re.compile(r"^([A-G])([#b♯♭]?)([^/]*)(?:/([A-G])([#b♯♭]?))?$")
_LETTERS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
_SIGNS = {"": 0, "#": 1, "♯": 1, "b": -1, "♭": -1}
QUALITIES: dict[str, tuple[int, ...]] = {
    "": (0, 4, 7),
    "m": (0, 3, 7),
    "7": (0, 4, 7, 10),
    "maj7": (0, 4, 7, 11),
    "m7": (0, 3, 7, 10),
    "dim": (0, 3, 6),
    "m7b5": (0, 3, 6, 10),
    "dim7": (0, 3, 6, 9),
    "aug": (0, 4, 8),
    "sus4": (0, 5, 7),
    "sus2": (0, 2, 7),
    "6": (0, 4, 7, 9),
    "m6": (0, 3, 7, 9),
    "mmaj7": (0, 3, 7, 11),
    "7sus4": (0, 5, 7, 10),
    "9": (0, 4, 7, 10, 14),
    "maj9": (0, 4, 7, 11, 14),
    "m9": (0, 3, 7, 10, 14),
    "add9": (0, 4, 7, 14),
    "5": (0, 7),
    "7b9": (0, 4, 7, 10, 13),
    "7#9": (0, 4, 7, 10, 15),
    "13": (0, 4, 7, 10, 14, 21),
    "11": (0, 7, 10, 14, 17),
}
"""Half tones above the root, by what follows it in the name."""
_OTHER = {
    "M": "",
    "maj": "",
    "min": "m",
    "-": "m",
    "M7": "maj7",
    "Δ": "maj7",
    "min7": "m7",
    "-7": "m7",
    "°": "dim",
    "o": "dim",
    "ø": "m7b5",
    "°7": "dim7",
    "o7": "dim7",
    "+": "aug",
    "sus": "sus4",
    "mM7": "mmaj7",
    "M9": "maj9",
}
_DETECTED_QUALITIES = ("", "m", "7", "maj7", "m7", "dim", "m7b5", "dim7", "aug", "sus4", "sus2")
"""Qualities that are looked for in notes: those that differ by what is heard."""
_OUTSIDE, _MISSING, _BASS, _FOUR, _THERE, _HALF = 0.65, 0.16, 0.12, 0.06, 0.04, 0.5


@dataclass(frozen=True)
class Chord:
    """A chord. root, bass: pitch classes, C is 0. tones: half tones above the root."""

    name: str
    root: int
    tones: tuple[int, ...]
    bass: int

    def get_voicing(self) -> list[int]:
        """Pitches of a hand around the middle C, the bass below."""
        low = 48 + (self.bass if self.bass < 8 else self.bass - 12)
        middle = {55 + (self.root + tone - 55) % 12 for tone in self.tones}
        return [low, *sorted(middle - {low})]


def read_chord(name: str) -> Chord:
    """A chord by its name, such as C, F#m7, Bb/D.

    Raises:
        Problem: it is not a known chord.
    """
    name_match = _NAME.match(name.strip())
    quality = name_match.group(3).strip().strip("()") if name_match else ""
    quality = _OTHER.get(quality, quality)
    if not name_match or quality not in QUALITIES:
        known = ", ".join(filter(None, QUALITIES))
        raise Problem(
            f"{name[:30]!r} is not a valid chord; use a root such as C, F#, Bb and nothing (major) or one of {known}"
        )
    root = (_LETTERS[name_match.group(1)] + _SIGNS[name_match.group(2)]) % 12
    bass = (_LETTERS[name_match.group(4)] + _SIGNS[name_match.group(5)]) % 12 if name_match.group(4) else root
    return Chord(name.strip(), root, QUALITIES[quality], bass)


def name_chord(weights: Mapping[int, float], bass: int | None = None, *, is_simple: bool = False) -> tuple[str, float]:
    """The name of the chord that fits the weights of pitch classes best, and the share that belongs to it, in [0, 1].

    Where it `is_simple`, only major and minor chords are looked for. A single tone is not a chord, nor are two whose
    third is missing, except a fifth; nor is what belongs to the best chord by less than half.
    """
    total = sum(weights.values())
    if total <= 0:
        return "-", 0.0
    shares = [weights.get(pitch, 0.0) / total for pitch in range(12)]
    low = None if bass is None else bass % 12
    qualities = _DETECTED_QUALITIES[:2] if is_simple else _DETECTED_QUALITIES
    fits = [
        (_measure_fit(shares, root, quality, low), -order, -root, quality)
        for root in range(12)
        for order, quality in enumerate(qualities)
    ]
    _, _, turned, quality = max(fits)
    heard = {pitch for pitch, share in enumerate(shares) if share >= _THERE}
    third = (QUALITIES[quality][1] - turned) % 12
    if len(heard) < 2 or (len(heard) == 2 and third not in heard):
        return _name_fifth(heard), round(sum(shares[tone] for tone in heard), 3) if len(heard) == 2 else 0.0
    tones = {(tone - turned) % 12 for tone in QUALITIES[quality]}
    name = pitch_class_name(-turned) + quality
    if low is not None and low != -turned and low in tones:
        name += f"/{pitch_class_name(low)}"
    share = round(sum(shares[tone] for tone in tones), 3)
    return (name, share) if share >= _HALF else ("-", share)


def _name_fifth(tones: set[int]) -> str:
    """The name of two tones that are a fifth, such as C5."""
    return next((f"{pitch_class_name(root)}5" for root in tones if (root + 7) % 12 in tones), "-")


def _measure_fit(shares: Sequence[float], root: int, quality: str, bass: int | None) -> float:
    """How well a chord fits shares of pitch classes: what it explains, less what it leaves and what is not there."""
    tones = [(root + tone) % 12 for tone in QUALITIES[quality]]
    inside = sum(shares[tone] for tone in tones)
    absent = sum(1 for tone in tones if shares[tone] < _THERE)
    return inside - _OUTSIDE * (1 - inside) - _MISSING * absent - _FOUR * (len(tones) - 3) + _BASS * (bass == root)
