"""Fields of ABC: what stands behind K:, M:, L:, Q:, V:."""

import re
from dataclasses import dataclass
from fractions import Fraction

from yardkit.servers.music.engine.score import KeySignature
from yardkit.world import Problem

_MODES = {
    "": 0,
    "maj": 0,
    "ion": 0,
    "m": -3,
    "min": -3,
    "aeo": -3,
    "mix": -1,
    "dor": -2,
    "phr": -4,
    "lyd": 1,
    "loc": -5,
}
_TONICS = {"C": 0, "D": 2, "E": 4, "F": -1, "G": 1, "A": 3, "B": 5}
_KEY = re.compile(r"^([A-G])([#b]?)\s*([A-Za-z]*)(.*)$")
_ACCIDENTAL = re.compile(r"(\^\^|\^|__|_|=)([A-Ga-g])")
ALTERS = {"^^": 2, "^": 1, "=": 0, "_": -1, "__": -2}
_OPTION = re.compile(r"(\w+)\s*=\s*(\"[^\"]*\"|\S+)")
_FRACTION = re.compile(r"^(\d{1,4})\s*/\s*(\d{1,4})$")
_UNITS = (1, 2, 4, 8, 16, 32, 64)


class FieldError(Problem):
    """What is wrong with a field, without its line."""


def read_key(text: str, before: KeySignature) -> KeySignature:
    """The signature of a field K:, which may also hold only a clef."""
    words = _OPTION.sub("", text).strip()
    if not words or words.split()[0] in ("treble", "bass", "alto", "tenor", "perc"):
        return before
    if words.lower() == "none" or words in ("HP", "Hp"):
        return KeySignature(2, altered=(("G", 0),)) if words == "Hp" else KeySignature()
    key_match = _KEY.match(words)
    mode = key_match.group(3).lower()[:3] if key_match else ""
    if not key_match or (mode not in _MODES and mode != "exp"):
        raise FieldError(f"K:{text} is not a valid key; use one such as K:G, K:Am, K:Bb, K:D dor")
    fifths = _TONICS[key_match.group(1)] + 7 * ({"#": 1, "b": -1}.get(key_match.group(2), 0)) + _MODES.get(mode, 0)
    if mode == "exp":
        fifths = 0
    if abs(fifths) > 7:
        raise FieldError(f"K:{text} would have {abs(fifths)} accidentals; write the key with at most 7")
    altered = tuple((step.upper(), ALTERS[sign]) for sign, step in _ACCIDENTAL.findall(key_match.group(4)))
    return KeySignature(fifths, _MODES.get(mode, 0) == -3, altered)


def read_meter(text: str) -> tuple[int, int] | None:
    """Beats and unit of a field M:, None for a free metre."""
    bare = text.strip()
    if bare in ("C", "C|"):
        return (4, 4) if bare == "C" else (2, 2)
    if bare.lower() in ("none", ""):
        return None
    upper, slash, lower = bare.replace("(", "").replace(")", "").partition("/")
    beats = [part.strip() for part in upper.split("+")]
    unit = lower.strip()
    if not slash or not all(part.isdecimal() and len(part) < 3 for part in [*beats, unit]) or int(unit) not in _UNITS:
        raise FieldError(f"M:{text} is not a valid time signature; use one such as M:4/4, M:6/8, M:C")
    total = sum(map(int, beats))
    if not total:
        raise FieldError(f"M:{text} has no beats")
    return total, int(unit)


def read_unit(text: str) -> Fraction:
    """The length of a field L:."""
    if text.strip() == "1":
        return Fraction(1)
    unit_match = _FRACTION.match(text.strip())
    if not unit_match or int(unit_match.group(2)) not in (*_UNITS, 128, 256) or not int(unit_match.group(1)):
        raise FieldError(f"L:{text} is not a valid note length; use one such as L:1/8")
    return Fraction(int(unit_match.group(1)), int(unit_match.group(2)))


def default_unit(meter: tuple[int, int] | None) -> Fraction:
    """The length of notes where no L: says it."""
    return Fraction(1, 16) if meter and Fraction(*meter) < Fraction(3, 4) else Fraction(1, 8)


def read_tempo(text: str, unit: Fraction) -> float | None:
    """Quarters a minute of a field Q:; None where it holds only words."""
    bare = re.sub(r'"[^"]*"', "", text).strip()
    if not bare:
        return None
    beat, equals, number = bare.rpartition("=")
    lengths = re.findall(r"(\d{1,4})/(\d{1,4})", beat)
    if equals and lengths and all(int(lower) for _, lower in lengths):
        length = sum((Fraction(int(upper), int(lower)) for upper, lower in lengths), Fraction(0))
    else:
        length = unit if equals else Fraction(1, 4)
    try:
        bpm = float(number) * float(length) * 4
    except ValueError:
        bpm = 0.0
    if not 5 <= bpm <= 1000:
        raise FieldError(f"Q:{text} is not a tempo from 5 to 1000 quarter notes per minute; use one such as Q:1/4=120")
    return bpm


@dataclass(frozen=True)
class VoiceField:
    """What V: (or K:) says of a voice. An empty word or None where it says nothing."""

    voice: str
    name: str = ""
    clef: str = ""
    octave: int = 0
    transpose: int = 0


def read_voice(text: str) -> VoiceField:
    """The name of a voice and its options."""
    first = text.strip().split()[0] if text.strip() else ""
    return read_options(text, "" if "=" in first else first)


def read_options(text: str, voice: str = "") -> VoiceField:
    """Options that V: and K: share: clef, name, octave, transpose."""
    options = {name.lower(): value.strip('"') for name, value in _OPTION.findall(text)}
    clef = options.get("clef", "")
    if not clef:
        bare = [word for word in _OPTION.sub("", text).split() if word in ("bass", "alto", "tenor", "perc", "treble")]
        clef = bare[0] if bare else ""
    name = options.get("name") or options.get("nm") or ""
    octave, transpose = (_parse_small(options.get(word, "0"), word) for word in ("octave", "transpose"))
    return VoiceField(voice, name, clef.rstrip("+-8"), octave, transpose)


def _parse_small(text: str, word: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 99
    if abs(number) > 48:
        raise FieldError(f"{word}={text} is not an integer from -48 to 48")
    return number
