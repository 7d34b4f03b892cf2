"""A song written down: notes set on a grid, in bars and voices, spelled by the key."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from yardkit.servers.music.engine.instruments import DRUM_CHANNEL
from yardkit.servers.music.engine.keys import estimate_key
from yardkit.servers.music.engine.score import STEPS, Event, KeySignature, Measure, Part, Pitch, Score
from yardkit.servers.music.engine.song import Key, Meter, Note, Song, Track

_MAX_VOICES = 4
_SIXTEENTHS, _TRIPLETS = 4, 3
_GRIDS = (_SIXTEENTHS, _TRIPLETS, 8, 6, 5, 7, 16, 12)
"""Into how many parts a quarter may be divided, the plainest first."""
_TUPLETS = {3: (3, 2), 6: (6, 4), 12: (12, 8), 5: (5, 4), 7: (7, 4)}
_EXACT, _TOGETHER = Fraction(1, 200), Fraction(11, 200)
"""In quarters: what is so close to a grid is on it; notes that begin so close together are a chord."""
_OCTAVE_LOWER = (*range(32, 40), 43)
"""Programs of basses, which are written an octave higher than they sound."""
_SHARPS = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
_FLATS = ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")
_Chord = tuple[Fraction, Fraction, list[int], int]
"""Start and end in whole notes, pitches, velocity."""
_Piece = tuple[Fraction, Fraction, list[int], int, bool]
"""The same within a bar, and whether it goes on behind it."""


def write_down(song: Song) -> Score:
    """The score of a song, at most four voices a part.

    Each quarter is divided into sixteenths or triplets, or finer where the notes are that fast.
    """
    score = Score(title=song.title)
    guess = estimate_key(song)
    stated = song.keys or ((guess[0],) if guess else ())
    for track in song.tracks:
        if track.notes:
            score.parts.append(_Writer(song, track, stated).part(score.notes))
    for part in score.parts[1:]:
        for measure in part.measures:
            measure.tempos = []
    return score


class _Writer:
    """Writes one track."""

    def __init__(self, song: Song, track: Track, keys: Sequence[Key]) -> None:
        self.song, self.track = song, track
        self.keys = keys
        self.quarter = song.ticks
        self.grids: dict[Fraction, int] = {}
        self.syllables = dict[Fraction, str]()
        self.starts = sorted({note.start for note in track.notes})
        self.raised = 12 if not track.is_drums and track.program in _OCTAVE_LOWER else 0

    def part(self, notes: list[str]) -> Part:
        """The part of the track; what could not be written is told."""
        track = self.track
        mean = sum(note.pitch for note in track.notes) / len(track.notes)
        clef = "perc" if track.is_drums else "bass" if mean < 57 else "treble"
        new_part = Part(track.label, track.program, track.channel == DRUM_CHANNEL, clef, -self.raised)
        self._choose_grids()
        placed = sorted({self._set_note(note) for note in track.notes})
        voices, lost = _in_voices(_limit_drum_lengths(placed) if track.is_drums else _let_go(placed))
        self._place_lyrics(notes)
        if lost:
            notes.append(f"{lost} notes of {track.label!r} need more than {_MAX_VOICES} voices and are left out")
        new_part.measures = self._make_measures(voices)
        return new_part

    def _choose_grids(self) -> None:
        """Find how each quarter is divided."""
        offsets: dict[int, list[Fraction]] = {}
        places = {*self.starts, *(self._list_ends() if self.track.notes else ())}
        for place in sorted(places):
            cell = self._find_cell(place)
            offsets.setdefault(cell, []).append(Fraction(place - cell, self.quarter))
        is_exact = _are_on_grids(list(offsets.values()))
        for cell, cell_offsets in offsets.items():
            bar_end = next(iter(self.song.bars[bisect_right(self.song.bars, cell) :]), cell)
            grids = [grid for grid in _GRIDS if grid not in _TUPLETS or cell + self.quarter <= bar_end]
            self.grids[self._to_notes(cell)] = _choose_grid(cell_offsets, grids, is_exact=is_exact)

    def _list_ends(self) -> list[int]:
        """The ends of notes, where they are on a grid as their beginnings are."""
        cells = [(note.end, self._find_cell(note.end)) for note in self.track.notes]
        offsets = [[Fraction(end - cell, self.quarter)] for end, cell in cells]
        return [end for end, _ in cells] if _are_on_grids(offsets) else []

    def _place_lyrics(self, notes: list[str]) -> None:
        """Give the syllables of the track to the notes that begin with them."""
        starts, lost = set(self.starts), 0
        for tick, syllable in self.track.lyrics:
            if tick in starts:
                self.syllables[self._snap_to_grid(tick)] = syllable
            else:
                lost += 1
        if lost:
            notes.append(f"{lost} syllables of {self.track.label!r} are not at a note and are left out")

    def _find_cell(self, tick: int) -> int:
        """The tick at which the quarter of a bar begins in which a tick lies."""
        bar = self.song.bars[bisect_right(self.song.bars, tick) - 1]
        return bar + (tick - bar) // self.quarter * self.quarter

    def _to_notes(self, tick: int) -> Fraction:
        return Fraction(tick, 4 * self.quarter)

    def _snap_to_grid(self, tick: int) -> Fraction:
        """A tick on the grid, in whole notes."""
        cell = self._find_cell(tick)
        parts = self.grids.get(self._to_notes(cell), _SIXTEENTHS)
        return self._to_notes(cell) + Fraction(round(Fraction((tick - cell) * parts, self.quarter)), 4 * parts)

    def _set_note(self, note: Note) -> tuple[Fraction, Fraction, int, int]:
        start, end = self._snap_to_grid(note.start), self._snap_to_grid(self._find_release(note))
        if end <= start:
            cell = self._to_notes(self._find_cell(note.start))
            end = start + Fraction(1, 4 * self.grids.get(cell, _SIXTEENTHS))
        return start, end, note.pitch, note.velocity

    def _find_release(self, note: Note) -> int:
        """Where a note ends on paper: one that is let go shortly before the next, or the beat, lasts until then."""
        if abs(self._snap_to_grid(note.end) - self._to_notes(note.end)) <= Fraction(1, 128):
            return note.end
        after = bisect_right(self.starts, note.start)
        following = self.starts[after] if after < len(self.starts) else self.song.end + self.quarter
        beat = self._find_cell(note.end - 1) + self.quarter
        goal = min([tick for tick in (following, beat) if tick > note.end], default=note.end)
        short = goal - note.end <= min(self.quarter // 4, note.length * 2 // 3)
        return goal if short and goal <= following else note.end

    def _make_measures(self, voices: list[list[_Chord]]) -> list[Measure]:
        starts = [Fraction(tick, 4 * self.quarter) for tick in self.song.bars]
        measures = []
        spans = list(pairwise(starts))
        tempos = [(Fraction(tick, 4 * self.quarter), bpm) for tick, bpm in self.song.tempos]
        cursors = [_Cursor(voice) for voice in voices]
        for index, (begin, end) in enumerate(spans):
            tick = self.song.bars[index]
            meter = self.song.meter_at(tick)
            measure = Measure(self._find_meter(index, meter), self._find_key(tick), voices=[])
            measure.tempos = [(at - begin, bpm) for at, bpm in tempos if begin <= at < end]
            for number, cursor in enumerate(cursors):
                events = self._make_events(cursor.between(begin, end), begin, end, measure, hidden=number > 0)
                if number == 0 or any(event.pitches for event in events):
                    measure.voices.append(events)
            measures.append(measure)
        return measures

    def _find_meter(self, index: int, meter: Meter) -> tuple[int, int]:
        """The metre of a bar; that of the next for a first bar that is shorter, an upbeat."""
        later = self.song.meters[1] if len(self.song.meters) > 1 else meter
        is_upbeat = (
            index == 0 and self.song.bars[1] == later.tick and meter.beats * later.unit < later.beats * meter.unit
        )
        chosen = later if is_upbeat else meter
        return chosen.beats, chosen.unit

    def _find_key(self, tick: int) -> KeySignature:
        current_keys = [key for key in self.keys if key.tick <= tick]
        return KeySignature(current_keys[-1].fifths, current_keys[-1].minor) if current_keys else KeySignature()

    def _make_events(
        self,
        spans: list[_Piece],
        begin: Fraction,
        end: Fraction,
        measure: Measure,
        *,
        hidden: bool,
    ) -> list[Event]:
        """What a voice has in a bar, with rests, cut where it must be."""
        events, at = list[Event](), begin
        for start, stop, pitches, velocity, goes_on in spans:
            if start > at:
                events += self._cut_event(Event(start - at, hidden=hidden), at, begin, measure)
            written = tuple(spell_pitch(pitch + self.raised, measure.key) for pitch in pitches)
            tied_pitches = frozenset(written) if goes_on else frozenset[Pitch]()
            cut_events = self._cut_event(
                Event(stop - start, written, tied_pitches, velocity=velocity), start, begin, measure
            )
            if not hidden and start in self.syllables:
                cut_events[0].lyrics = [self.syllables.pop(start)]
            events += cut_events
            at = stop
        if at < end:
            events += self._cut_event(Event(end - at, hidden=hidden), at, begin, measure)
        _mark_tuplets(events)
        return events

    def _cut_event(self, event: Event, start: Fraction, bar: Fraction, measure: Measure) -> list[Event]:
        """An event in pieces that a note can have, triplets for themselves."""
        pieces, at, end = list[Event](), start, start + event.duration
        while at < end:
            cell = bar + int((at - bar) * 4) * Fraction(1, 4)
            tuplet = _TUPLETS.get(self.grids.get(cell, _SIXTEENTHS))
            until = min(end, cell + Fraction(1, 4)) if tuplet else self._next_tuplet(cell, end)
            lengths = [until - at] if tuplet else _split_length(until - at, at - bar, measure.meter)
            for length in lengths:
                pieces.append(replace(event, duration=length, lyrics=[], tuplet=tuplet))
                at += length
        for piece in pieces[:-1]:
            piece.tied = frozenset(piece.pitches)
        for piece in pieces[1:]:
            piece.chord = ""
        return pieces

    def _next_tuplet(self, cell: Fraction, end: Fraction) -> Fraction:
        """Where the next quarter with a tuplet begins, or the end."""
        later = cell + Fraction(1, 4)
        while later < end and self.grids.get(later) not in _TUPLETS:
            later += Fraction(1, 4)
        return min(later, end)


def _are_on_grids(cells: list[list[Fraction]]) -> bool:
    """Whether the places of quarters are on a grid, nine in ten of them, as in music that nobody played by hand."""
    exact = sum(min(_measure_error(offsets, grid) for grid in _GRIDS) < _EXACT for offsets in cells)
    return exact * 10 >= len(cells) * 9


def _measure_error(offsets: list[Fraction], grid: int) -> Fraction:
    """How far the places in a quarter are from a grid at most."""
    return max(abs(offset * grid - round(offset * grid)) for offset in offsets) / grid


def _choose_grid(offsets: list[Fraction], grids: list[int], *, is_exact: bool) -> int:
    """Into how many parts a quarter is divided: the plainest that fits and keeps apart what is not a chord."""
    if is_exact:
        fitting = [grid for grid in grids if _measure_error(offsets, grid) < _EXACT]
        if fitting:
            return fitting[0]
    totals = {grid: sum(abs(offset * grid - round(offset * grid)) for offset in offsets) / grid for grid in grids}
    is_triplet = _TRIPLETS in totals and totals[_TRIPLETS] < totals[_SIXTEENTHS] * Fraction(7, 10)
    simplest = _TRIPLETS if is_triplet else _SIXTEENTHS
    heads = [second for first, second in pairwise([Fraction(-1), *offsets]) if second - first > _TOGETHER]
    merged = {grid: len(heads) - len({round(head * grid) for head in heads}) for grid in grids}
    if not merged[simplest]:
        return simplest
    return min(grids, key=lambda grid: (merged[grid], totals[grid]))


def spell_pitch(pitch: int, key: KeySignature) -> Pitch:
    """A pitch as it is written in a key: its own tones as the key has them, others as sharps or flats by its side."""
    for step in STEPS:
        alter = key.alter_of(step)
        tone = Pitch(step, alter, pitch // 12 - 1)
        for octave in (tone.octave - 1, tone.octave, tone.octave + 1):
            if Pitch(step, alter, octave).midi == pitch:
                return Pitch(step, alter, octave)
    plain_sharps = (6, 8) if key.minor else (1, 6, 8)
    sharp = key.fifths > 0 or (key.fifths == 0 and pitch % 12 in plain_sharps)
    leading = key.minor and key.fifths > -3 and (pitch + 1 - _get_tonic(key)) % 12 == 0
    name = (_SHARPS if sharp or leading else _FLATS)[pitch % 12]
    return Pitch(name[0], {"": 0, "#": 1, "b": -1}[name[1:]], pitch // 12 - 1)


def _get_tonic(key: KeySignature) -> int:
    return (7 * (key.fifths + 3 * key.minor)) % 12


class _Cursor:
    """Goes through the spans of a voice bar by bar."""

    def __init__(self, spans: list[_Chord]) -> None:
        self.spans, self.starts = spans, [span[0] for span in spans]

    def between(self, begin: Fraction, end: Fraction) -> list[_Piece]:
        """Spans of a bar, cut at its ends; the last word says whether the span goes on behind it."""
        first = max(0, bisect_right(self.starts, begin) - 1)
        events = []
        for start, stop, pitches, velocity in self.spans[first:]:
            if start >= end:
                break
            if stop > begin:
                events.append((max(start, begin), min(stop, end), pitches, velocity, stop > end))
        return events


def _limit_drum_lengths(notes: list[tuple[Fraction, Fraction, int, int]]) -> list[tuple[Fraction, Fraction, int, int]]:
    """Notes of drums, each as long as until the next is struck, at most to the end of its quarter."""
    starts = sorted({start for start, *_ in notes})
    following = dict(pairwise(starts))
    return [
        (start, min(following.get(start, start + 1), Fraction(int(start * 4) + 1, 4)), pitch, velocity)
        for start, _, pitch, velocity in notes
    ]


def _let_go(notes: list[tuple[Fraction, Fraction, int, int]]) -> list[tuple[Fraction, Fraction, int, int]]:
    """Notes that begin together and end within a sixteenth, as a strum does, end together."""
    latest: dict[tuple[Fraction, Fraction], Fraction] = {}
    shortened_notes = []
    for start, end, pitch, velocity in sorted(notes, reverse=True):
        together = next((note_end for note_end in (end, end + Fraction(1, 16)) if (start, note_end) in latest), end)
        latest[start, together] = together
        shortened_notes.append((start, together, pitch, velocity))
    return sorted(set(shortened_notes))


def _in_voices(
    notes: list[tuple[Fraction, Fraction, int, int]],
) -> tuple[list[list[_Chord]], int]:
    """Notes as chords in as few voices as they need, and how many found no place."""
    chords: dict[tuple[Fraction, Fraction], tuple[list[int], int]] = {}
    for start, end, pitch, velocity in notes:
        pitches, loudest = chords.get((start, end), ([], 0))
        chords[start, end] = ([*pitches, *([pitch] if pitch not in pitches else [])], max(loudest, velocity))
    voices: list[list[_Chord]] = []
    lost = 0
    ordered = sorted(chords.items(), key=lambda item: (item[0][0], -max(item[1][0]), item[0][1]))
    for (start, end), (pitches, velocity) in ordered:
        free = next((voice for voice in voices if voice[-1][1] <= start), None)
        if free is None and len(voices) == _MAX_VOICES:
            lost += len(pitches)
            continue
        if free is None:
            free = []
            voices.append(free)
        free.append((start, end, sorted(pitches), velocity))
    return voices, lost


def _split_length(length: Fraction, start: Fraction, meter: tuple[int, int]) -> list[Fraction]:
    """Lengths of notes that make up a length; they meet on beats of three eighths where the metre has such."""
    beat = Fraction(3, 8)
    compound = meter[1] == 8 and meter[0] % 3 == 0
    if find_notation(length) and not (compound and length > beat - start % beat and start % beat):
        return [length]
    if compound and length > beat - start % beat:
        first = beat - start % beat
        return [*_split_length(first, start, meter), *_split_length(length - first, start + first, meter)]
    pieces, left = list[Fraction](), length
    while left > 0:
        piece = next(value for value in _VALUES if value <= left)
        pieces.append(piece)
        left -= piece
    return pieces if start % Fraction(1, 4) == 0 else pieces[::-1]


def find_notation(length: Fraction) -> tuple[int, int] | None:
    """(value, dots) of a length that one note can have: value 4 is a quarter, 0 a breve."""
    for dots, factor in enumerate((Fraction(1), Fraction(3, 2), Fraction(7, 4))):
        value = length / factor
        if value == 2:
            return 0, dots
        if value.numerator == 1 and value.denominator <= 512 and value.denominator & (value.denominator - 1) == 0:
            return value.denominator, dots
    return None


_VALUES = sorted(
    (Fraction(1, 2**power) * factor for power in range(10) for factor in (Fraction(1), Fraction(3, 2))), reverse=True
)


def _mark_tuplets(events: list[Event]) -> None:
    """Say where tuplets begin and end: each fills a quarter."""
    filled = Fraction(0)
    for event in events:
        if event.tuplet:
            event.tuplet_starts = filled == 0
            filled += event.duration
            event.tuplet_stops = filled >= Fraction(1, 4)
            filled = Fraction(0) if event.tuplet_stops else filled
