"""Fields of ABC: what stands behind K:, M:, L:, Q:, V:."""

import html
import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from yardkit.servers.music.engine.score import KeySignature
from yardkit.servers.music.engine.signs import join_clef
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
_CLEF_NAME = "treble|bass|alto|tenor|soprano|mezzosoprano|baritone|perc"
_CLEF_OCTAVE = r"(?:([+\-^_])(8|15))?"
_BARE_CLEF = re.compile(rf"^({_CLEF_NAME})(\d?){_CLEF_OCTAVE}$")
_CLEF = re.compile(rf"^({_CLEF_NAME}|none|[GFCP])?(\d?){_CLEF_OCTAVE}$")
_CLEF_LETTERS = {"G": "treble", "F": "bass", "C": "alto", "P": "perc", "none": "treble"}
_CLEFS_OF_LINES = {
    ("bass", "3"): "baritone",
    ("alto", "1"): "soprano",
    ("alto", "2"): "mezzosoprano",
    ("alto", "4"): "tenor",
}
_LAYOUT = frozenset(
    (
        *(
            "brace",
            "bracket",
            "cue",
            "down",
            "dyn",
            "gchords",
            "lyrics",
            "m",
            "merge",
            "middle",
            "snm",
            "sname",
            "space",
        ),
        *("stafflines", "staffscale", "stem", "stems", "style", "subname", "up"),
    )
)
"""Options that only say how a voice is drawn."""
_FRACTION = re.compile(r"^(\d{1,4})\s*/\s*(\d{1,4})$")
_UNITS = (1, 2, 4, 8, 16, 32, 64)


class FieldError(Problem):
    """What is wrong with a field, without its line."""


def read_key(text: str, before: KeySignature) -> KeySignature:
    """The signature of a field K:, which may also hold only a clef."""
    words = " ".join(word for word in _OPTION.sub("", text).split() if not _BARE_CLEF.match(word))
    if not words:
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


def read_tempo_words(text: str) -> str:
    """The words of a field Q:, such as Allegro."""
    return " ".join(word.strip() for word in re.findall(r'"([^"]*)"', text))[:60].strip()


@dataclass(frozen=True)
class VoiceField:
    """What V: (or K:) says of a voice. An empty word or None where it says nothing. unknown: options left out."""

    voice: str
    name: str = ""
    clef: str = ""
    octave: int = 0
    transpose: int = 0
    unknown: tuple[str, ...] = ()


def read_voice(text: str) -> VoiceField:
    """The name of a voice and its options."""
    first = text.strip().split()[0] if text.strip() else ""
    return read_options(text, "" if "=" in first else first)


def read_options(text: str, voice: str = "") -> VoiceField:
    """Options that V: and K: share: clef, name, octave, transpose."""
    options = {name.lower(): value.strip('"') for name, value in _OPTION.findall(text)}
    bare = [word for word in _OPTION.sub("", text).split() if word != voice and _BARE_CLEF.match(word)]
    written = options.pop("clef", bare[0] if bare else "")
    clef = _read_clef(written)
    octave, transpose = (_parse_small(options.pop(word, "0"), word) for word in ("octave", "transpose"))
    short, name = options.pop("nm", ""), options.pop("name", "")
    unknown = [f"{option}= options" for option in options if option not in _LAYOUT]
    unknown += [f"clef={written} options"] if written and not clef else []
    return VoiceField(voice, decode_accents(name or short), clef, octave, transpose, tuple(unknown))


def _read_clef(written: str) -> str:
    """A clef as `Part.clef` has it; empty for one that is not known."""
    match = _CLEF.match(written)
    if not match or not written:
        return ""
    name = _CLEF_LETTERS.get(match.group(1) or "", match.group(1) or "treble")
    up = {"+": 1, "^": 1, "-": -1, "_": -1}.get(match.group(3) or "", 0)
    octaves = up * (2 if match.group(4) == "15" else 1)
    return join_clef(_CLEFS_OF_LINES.get((name, match.group(2)), name), octaves)


def decode_accents(text: str) -> str:
    """Text with the accents that ABC writes with a backslash before a letter, and the entities of HTML."""
    if "\\" in text:
        text = re.sub(r"\\([`'\"^~c])([A-Za-z])", lambda match: _join_accent(match.group(2), match.group(1)), text)
    return html.unescape(text) if "&" in text else text


def _join_accent(letter: str, accent: str) -> str:
    combining = {"`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", '"': "\u0308", "c": "\u0327"}
    return unicodedata.normalize("NFC", letter + combining[accent])


def _parse_small(text: str, word: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 99
    if abs(number) > 48:
        raise FieldError(f"{word}={text} is not an integer from -48 to 48")
    return number
