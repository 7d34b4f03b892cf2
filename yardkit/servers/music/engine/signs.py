"""Signs of music by their names in ABC and in MusicXML: marks of notes, clefs, loudness, words that mean a jump."""

import re

from yardkit.servers.music.engine.score import SignKind

_ARTICULATIONS, _ORNAMENTS, _TECHNICAL = "articulations", "ornaments", "technical"
MARKS: dict[str, tuple[str, str]] = {
    "staccato": (_ARTICULATIONS, "."),
    "accent": (_ARTICULATIONS, "accent"),
    "strong-accent": (_ARTICULATIONS, "marcato"),
    "tenuto": (_ARTICULATIONS, "tenuto"),
    "staccatissimo": (_ARTICULATIONS, "wedge"),
    "breath-mark": (_ARTICULATIONS, "breath"),
    "detached-legato": (_ARTICULATIONS, ""),
    "spiccato": (_ARTICULATIONS, ""),
    "scoop": (_ARTICULATIONS, ""),
    "doit": (_ARTICULATIONS, ""),
    "falloff": (_ARTICULATIONS, ""),
    "caesura": (_ARTICULATIONS, ""),
    "trill-mark": (_ORNAMENTS, "trill"),
    "mordent": (_ORNAMENTS, "lowermordent"),
    "inverted-mordent": (_ORNAMENTS, "uppermordent"),
    "turn": (_ORNAMENTS, "turn"),
    "inverted-turn": (_ORNAMENTS, "invertedturn"),
    "schleifer": (_ORNAMENTS, "slide"),
    "up-bow": (_TECHNICAL, "upbow"),
    "down-bow": (_TECHNICAL, "downbow"),
    "open-string": (_TECHNICAL, "open"),
    "thumb-position": (_TECHNICAL, "thumb"),
    "snap-pizzicato": (_TECHNICAL, "snap"),
    "stopped": (_TECHNICAL, "plus"),
    **{f"fingering {number}": (_TECHNICAL, str(number)) for number in range(6)},
    "fermata": ("", "fermata"),
    "inverted fermata": ("", "invertedfermata"),
    "arpeggiate": ("", "arpeggio"),
    "roll": ("", "roll"),
}
"""Marks of notes by their element in MusicXML: the element around it, and the name in ABC, empty where it has none."""
_ABC_NAMES = {
    **{name: mark for mark, (_, name) in MARKS.items() if name},
    "staccato": "staccato",
    ">": "accent",
    "emphasis": "accent",
    "^": "strong-accent",
    "+": "stopped",
    "mordent": "mordent",
    "pralltriller": "inverted-mordent",
}
SHORT_MARKS = {
    "~": "roll",
    ".": "staccato",
    "H": "fermata",
    "L": "accent",
    "M": "mordent",
    "O": "!coda!",
    "P": "inverted-mordent",
    "R": "roll",
    "S": "!segno!",
    "T": "trill-mark",
    "u": "up-bow",
    "v": "down-bow",
    "J": "schleifer",
}
"""Letters of ABC that stand for a decoration."""
VELOCITIES = {
    "pppp": 16,
    "ppp": 24,
    "pp": 36,
    "p": 50,
    "mp": 64,
    "mf": 80,
    "f": 96,
    "ff": 110,
    "fff": 120,
    "ffff": 127,
    "sfz": 112,
    "sf": 112,
    "fz": 112,
    "fp": 96,
    "rf": 104,
    "rfz": 104,
}
CLEFS = {
    "treble": ("G", "2"),
    "bass": ("F", "4"),
    "alto": ("C", "3"),
    "tenor": ("C", "4"),
    "soprano": ("C", "1"),
    "mezzosoprano": ("C", "2"),
    "baritone": ("F", "3"),
    "perc": ("percussion", "2"),
}
"""Clefs: sign and line in MusicXML."""
OCTAVE_MARKS = {"-8": -1, "+8": 1, "-15": -2, "+15": 2}
_ABC_SIGNS: dict[str, tuple[SignKind, str]] = {
    "segno": ("segno", ""),
    "coda": ("coda", ""),
    "fine": ("fine", "Fine"),
    "d.c.": ("da capo", "D.C."),
    "dacapo": ("da capo", "D.C."),
    "d.s.": ("dal segno", "D.S."),
    "dalsegno": ("dal segno", "D.S."),
    "d.c.alfine": ("da capo", "D.C. al Fine"),
    "d.c.alcoda": ("da capo", "D.C. al Coda"),
    "d.s.alfine": ("dal segno", "D.S. al Fine"),
    "d.s.alcoda": ("dal segno", "D.S. al Coda"),
    "dacoda": ("to coda", "To Coda"),
    "tocoda": ("to coda", "To Coda"),
    "crescendo(": ("crescendo", ""),
    "<(": ("crescendo", ""),
    "crescendo)": ("wedge end", ""),
    "<)": ("wedge end", ""),
    "diminuendo(": ("diminuendo", ""),
    ">(": ("diminuendo", ""),
    "diminuendo)": ("wedge end", ""),
    ">)": ("wedge end", ""),
    "ped": ("pedal", "down"),
    "ped-up": ("pedal", "up"),
}
ABC_WRITTEN: dict[SignKind, str] = {
    "segno": "segno",
    "coda": "coda",
    "fine": "fine",
    "to coda": "dacoda",
    "crescendo": "<(",
    "diminuendo": ">(",
    "wedge end": "<)",
}
"""Signs as decorations of ABC; others are written as words."""
_JUMP_WORDS: tuple[tuple[SignKind, re.Pattern[str]], ...] = (
    ("da capo", re.compile(r"(d\.?\s?c\b\.?|da\s?capo)(\s+(senza|al|alla|e|to)\b.*|\s*)$", re.IGNORECASE)),
    ("dal segno", re.compile(r"(d\.?\s?s\b\.?|dal\s?segno)(\s+(senza|al|alla|e|to)\b.*|\s*)$", re.IGNORECASE)),
    ("to coda", re.compile(r"(to|al|alla|da)\s+coda\s*$", re.IGNORECASE)),
    ("fine", re.compile(r"(al\s+)?fine\.?\s*$", re.IGNORECASE)),
    ("segno", re.compile(r"(al\s+)?segno\.?\s*$", re.IGNORECASE)),
    ("coda", re.compile(r"coda\.?\s*$", re.IGNORECASE)),
)


def find_mark(name: str) -> str | None:
    """The mark of a decoration of ABC, such as fermata."""
    return _ABC_NAMES.get(name)


def find_sign(name: str) -> tuple[SignKind, str] | None:
    """The sign of a decoration of ABC, such as f, fine or <(."""
    if name in VELOCITIES:
        return "dynamics", name
    return _ABC_SIGNS.get(name.lower())


def read_jump(words: str) -> SignKind | None:
    """The jump that words mean, such as "D.C. al Fine"."""
    bare = " ".join(words.split())
    return next((kind for kind, pattern in _JUMP_WORDS if pattern.match(bare)), None)


def split_clef(clef: str) -> tuple[str, int]:
    """The name of a clef without its octave, and by how many octaves it moves what is written."""
    for mark, octaves in OCTAVE_MARKS.items():
        if clef.endswith(mark):
            return clef.removesuffix(mark), octaves
    return clef, 0


def join_clef(name: str, octaves: int) -> str:
    """A clef with its octave."""
    return name + next((mark for mark, number in OCTAVE_MARKS.items() if number == octaves), "")
