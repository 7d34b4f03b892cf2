"""Names that MusicXML gives to lengths, chords and keys of drums."""

from fractions import Fraction

TYPES = {
    0: "breve",
    1: "whole",
    2: "half",
    4: "quarter",
    8: "eighth",
    16: "16th",
    32: "32nd",
    64: "64th",
    128: "128th",
    256: "256th",
    512: "512th",
}
"""Lengths by their denominator, 0 for two whole notes."""
LENGTHS = {name: Fraction(1, number) if number else Fraction(2) for number, name in TYPES.items()} | {
    "long": Fraction(4)
}
CHORD_KINDS = {
    "": "major",
    "m": "minor",
    "7": "dominant",
    "maj7": "major-seventh",
    "m7": "minor-seventh",
    "mmaj7": "major-minor",
    "dim": "diminished",
    "m7b5": "half-diminished",
    "dim7": "diminished-seventh",
    "aug": "augmented",
    "sus4": "suspended-fourth",
    "sus2": "suspended-second",
    "6": "major-sixth",
    "m6": "minor-sixth",
    "9": "dominant-ninth",
    "maj9": "major-ninth",
    "m9": "minor-ninth",
    "5": "power",
    "13": "dominant-13th",
    "11": "dominant-11th",
}
DRUM_PLACES = {
    36: ("F", 4),
    38: ("C", 5),
    40: ("C", 5),
    42: ("G", 5),
    44: ("D", 4),
    46: ("G", 5),
    49: ("A", 5),
    51: ("F", 5),
}
"""Where keys of the drum channel are written."""
CROSSES = (42, 44, 46, 49, 51, 57, 59)
"""Keys whose notes have a cross for a head."""


def place_drum(key: int) -> tuple[str, int]:
    """Step and octave at which a key of the drum channel is written."""
    return DRUM_PLACES.get(key, ("E", 5 if key > 48 else 4))
