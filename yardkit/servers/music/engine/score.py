"""Music as it is written: parts of bars with notes, rests, ties, tuplets, words, chord names, repeats."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

STEPS = "CDEFGAB"
_SEMITONES = (0, 2, 4, 5, 7, 9, 11)
_SHARPS = "FCGDAEB"
MAX_PASSES = 10
"""Limit on how often a repeated section is played."""


@dataclass(frozen=True)
class Pitch:
    """A written pitch. step: C to B. alter: half tones that an accidental or the key adds. octave: 4 has middle C."""

    step: str
    alter: int
    octave: int

    def is_at(self, step: str, octave: int) -> bool:
        """Whether it is written on this line or in this space."""
        return (self.step, self.octave) == (step, octave)

    @property
    def midi(self) -> int:
        return 12 * (self.octave + 1) + _SEMITONES[STEPS.index(self.step)] + self.alter


@dataclass(frozen=True)
class KeySignature:
    """fifths: sharps, or flats where negative. minor: of the scale. altered: further accidentals by step."""

    fifths: int = 0
    minor: bool = False
    altered: tuple[tuple[str, int], ...] = ()

    def alter_of(self, step: str) -> int:
        """What the signature does to a step."""
        given = dict(self.altered)
        if step in given:
            return given[step]
        place = _SHARPS.index(step)
        return int(place < self.fifths) - int(6 - place < -self.fifths)


@dataclass
class Event:
    """A note, a chord or a rest.

    Attributes:
        duration: as it sounds, in whole notes.
        pitches: none for a rest.
        tied: of the pitches, those held into the next event of the voice.
        tuplet: (3, 2) for three in the time of two; the written value is `duration` * 3 / 2.
        tuplet_starts, tuplet_stops: whether it is the first, the last of its tuplet.
        lyrics: a syllable for each verse; one that goes on in the next note ends with -.
        chord: name of a chord above it.
        velocity: 1 to 127.
        beam_ends: whether no beam leads to the next event.
        hidden: a rest that is not drawn.
        grace: grace notes before it, each with one pitch or the pitches of a chord.
        grace_slashed: whether the first grace note has a slash.
        marks: articulations and ornaments, by the names of `signs.MARKS`.
        slurs: how many begin and how many end with it.
    """

    duration: Fraction
    pitches: tuple[Pitch, ...] = ()
    tied: frozenset[Pitch] = frozenset()
    tuplet: tuple[int, int] | None = None
    tuplet_starts: bool = False
    tuplet_stops: bool = False
    lyrics: list[str] = field(default_factory=list)
    chord: str = ""
    velocity: int = 90
    beam_ends: bool = False
    hidden: bool = False
    grace: tuple[tuple[Pitch, ...], ...] = ()
    grace_slashed: bool = False
    marks: tuple[str, ...] = ()
    slurs: tuple[int, int] = (0, 0)


SignKind = Literal[
    "dynamics",
    "crescendo",
    "diminuendo",
    "wedge end",
    "words",
    "rehearsal",
    "pedal",
    "segno",
    "coda",
    "to coda",
    "fine",
    "da capo",
    "dal segno",
]
JUMPS: tuple[SignKind, ...] = ("segno", "coda", "to coda", "fine", "da capo", "dal segno")
"""Signs that change the order in which bars are played."""


@dataclass(frozen=True)
class Sign:
    """A sign of a bar.

    Attributes:
        offset: in whole notes from the beginning of the bar.
        kind: what it means.
        text: as it is written; for a pedal, down or up.
    """

    offset: Fraction
    kind: SignKind
    text: str = ""


@dataclass
class Measure:
    """A bar.

    Attributes:
        meter: (beats, unit) that holds in it.
        key: that holds in it.
        voices: events one after the other, of each voice.
        tempos: (offset in whole notes, quarters a minute).
        repeat_starts: whether a repeated section begins with it.
        repeat_times: how often the section that ends with it is played; 0 if none ends.
        endings: the passes in which it and what follows are played; none for all.
        section_ends: whether a double bar line follows.
        line: of the text that it came from, 0 for none.
        signs: of it, by their offsets.
        clef: that begins with it; empty where the clef does not change.
    """

    meter: tuple[int, int]
    key: KeySignature
    voices: list[list[Event]] = field(default_factory=lambda: [[]])
    tempos: list[tuple[Fraction, float]] = field(default_factory=list)
    repeat_starts: bool = False
    repeat_times: int = 0
    endings: tuple[int, ...] = ()
    section_ends: bool = False
    line: int = 0
    signs: list[Sign] = field(default_factory=list)
    clef: str = ""

    @property
    def duration(self) -> Fraction:
        return max(sum((event.duration for event in voice), Fraction(0)) for voice in self.voices)

    @property
    def full(self) -> Fraction:
        return Fraction(*self.meter)


@dataclass
class Part:
    """What one player or singer has.

    Attributes:
        name: of the part.
        program: of General MIDI, from 0.
        drums: whether its pitches are keys of the drum channel.
        clef: one of `signs.CLEFS`, with -8, +8, -15 or +15 behind it where it moves the octave.
        transpose: half tones that it sounds higher than it is written.
        measures: its bars.
    """

    name: str = ""
    program: int = 0
    drums: bool = False
    clef: str = "treble"
    transpose: int = 0
    measures: list[Measure] = field(default_factory=list)


@dataclass
class Score:
    """A piece.

    Attributes:
        title: of it.
        composer: of it.
        parts: of equally many bars, as a rule.
        notes: what looks wrong.
        left_out: what of the file has no place here, with counts.
    """

    title: str = ""
    composer: str = ""
    parts: list[Part] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def fill_voices(measures: Sequence[Measure]) -> None:
    """Make all voices of bars that sound together equally long, with hidden rests."""
    length = max(measure.duration for measure in measures)
    for measure in measures:
        for voice in measure.voices:
            missing = length - sum((event.duration for event in voice), Fraction(0))
            if missing > 0:
                voice.append(Event(missing, hidden=True))
