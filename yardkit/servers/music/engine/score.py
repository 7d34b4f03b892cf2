"""Music as it is written: parts of bars with notes, rests, ties, tuplets, words, chord names, repeats."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from yardkit.servers.music.engine.song import MAX_BARS
from yardkit.world import Problem

STEPS = "CDEFGAB"
_SEMITONES = (0, 2, 4, 5, 7, 9, 11)
_SHARPS = "FCGDAEB"
MAX_PASSES = 10
"""How often a repeated section may be played."""


@dataclass(frozen=True)
class Pitch:
    """A written pitch. step: C to B. alter: half tones that an accidental or the key adds. octave: 4 has middle C."""

    step: str
    alter: int
    octave: int

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

    @property
    def duration(self) -> Fraction:
        return max(sum((event.duration for event in voice), Fraction(0)) for voice in self.voices)

    @property
    def full(self) -> Fraction:
        return Fraction(*self.meter)


@dataclass
class Part:
    """What one player or singer has. transpose: half tones that it sounds higher than it is written."""

    name: str = ""
    program: int = 0
    drums: bool = False
    clef: str = "treble"
    transpose: int = 0
    measures: list[Measure] = field(default_factory=list)


@dataclass
class Score:
    """All of a piece; `notes` tell what was left out or looks wrong."""

    title: str = ""
    composer: str = ""
    parts: list[Part] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def played_order(measures: Sequence[Measure]) -> list[int]:
    """The indices of the bars in the order in which they are played, with repeats and endings.

    Raises:
        Problem: that is more than `MAX_BARS`.
    """
    order: list[int] = []
    start, passes, at = 0, 1, 0
    while at < len(measures):
        measure = measures[at]
        if measure.repeat_starts and at != start:
            start, passes = at, 1
        if measure.endings and passes not in measure.endings:
            at = _next_ending(measures, at)
            continue
        order.append(at)
        if len(order) > MAX_BARS:
            raise Problem(f"with its repeats the music has more than {MAX_BARS:,} bars; use fewer repeats")
        if measure.repeat_times and passes < _count_passes(measures, start, at):
            passes, at = passes + 1, start
            continue
        if measure.repeat_times:
            start, passes = at + 1, 1
        at += 1
    return order


def _next_ending(measures: Sequence[Measure], at: int) -> int:
    """The next bar with an ending of its own, or the one behind the ending that begins at `at`."""
    for index in range(at + 1, len(measures)):
        if measures[index].endings or measures[index].repeat_starts:
            return index
        if measures[index - 1].repeat_times or measures[index - 1].section_ends:
            return index
    return len(measures)


def _count_passes(measures: Sequence[Measure], start: int, end: int) -> int:
    """How often the section that ends with `end` is played: as often as its endings say, or as its last bar says."""
    numbers = [number for measure in measures[start : end + 1] for number in measure.endings]
    following = measures[end + 1].endings if end + 1 < len(measures) else ()
    return min(MAX_PASSES, max([*numbers, *following, measures[end].repeat_times]))
