"""The music of one voice of ABC, read token by token into bars."""

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from yardkit.servers.music.engine.abc.fields import ALTERS, decode_accents
from yardkit.servers.music.engine.score import (
    MAX_PASSES,
    Event,
    KeySignature,
    Measure,
    Part,
    Pitch,
    Sign,
    SignKind,
    fill_voices,
)
from yardkit.servers.music.engine.signs import (
    SHORT_MARKS,
    VELOCITIES,
    find_mark,
    find_sign,
    read_jump,
    split_clef,
)
from yardkit.servers.music.engine.song import MAX_BARS, MAX_NOTES
from yardkit.world import Problem

_LENGTH = r"(\d{0,4})(/*)(\d{0,4})"
_NOTE = re.compile(rf"(\^\^|\^|__|_|=)?([A-Ga-g])([,']*){_LENGTH}(-?)")
_REST = re.compile(rf"([zx]){_LENGTH}")
_BARS_OF_REST = re.compile(r"[ZX](\d{0,4})")
_CHORD_END = re.compile(rf"\]{_LENGTH}(-?)")
_BAR = re.compile(r"(?:\[\||\.?\||:)[|:\]]*")
_ENDING = re.compile(r"\s*\[?(\d[\d,\-]*)")
_TUPLET = re.compile(r"\((\d{1,2})(?::(\d{0,2})(?::(\d{0,2}))?)?")
_QUOTED = re.compile(r'"([^"]*)"')
_DECORATION = re.compile(r"!([^!\s]{1,30})!|\+([a-z0-9.]{1,30})\+")
_GRACE = re.compile(r"\{(/?)([^}]*)\}")
_GRACE_NOTE = re.compile(r"\[([^\]]*)\]|([^\[\]]*?[A-Ga-g][,']*)")
_BROKEN = re.compile(r"(>{1,3}|<{1,3})")
_SILENT = "`$*!"
_SPACER = re.compile(r"y\d{0,4}")
_FREE_LETTERS = "IKNQUVWhijklmnopqrstw"
"""Letters that a tune may define as decorations with U:."""
_END_SIGNS = ("fine", "to coda", "da capo", "dal segno", "wedge end")
"""Signs that hold behind the note that they are written before."""
_TIMES = {2: 3, 3: 2, 4: 3, 6: 2, 8: 3}
_LOWEST, _HIGHEST = 0, 127
_MAX_OVERLAYS = 4


class MusicError(Problem):
    """What is wrong at a place of a line: `column` from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


def _sum_durations(events: Sequence[Event]) -> Fraction:
    return sum((event.duration for event in events), Fraction(0))


class VoiceReader:
    """One voice as it is read. Notes of the line that was read last wait in `line_notes` for their words."""

    def __init__(self, key: KeySignature, meter: tuple[int, int] | None, unit: Fraction) -> None:
        self.part = Part()
        self.key, self.meter, self.unit = key, meter, unit
        self.line, self.verse = 0, 0
        self.line_notes: list[tuple[int, Event]] = []
        self.letters: dict[str, str] = {}
        self.left_out = Counter[str]()
        self.tempo: float | None = None
        self.octave = 0
        self.events = 0
        self._measure: Measure | None = None
        self._altered: dict[str, int] = {}
        self._velocity, self._chord = 90, ""
        self._factor: Fraction | None = None
        self._tuplet: list[int] = []
        self._last: Event | None = None
        self._overlay = 0
        self._tied: dict[int, frozenset[Pitch]] = {}
        self._clef = ""
        self._octaves = 0
        self._signs: list[tuple[SignKind, str]] = []
        self._end_signs: list[tuple[SignKind, str]] = []
        self._waiting_signs: list[tuple[SignKind, str]] = []
        self._marks: list[str] = []
        self._slurs, self._grace, self._slashed = 0, tuple[tuple[Pitch, ...], ...](), False
        self._starts, self._endings = False, tuple[int, ...]()

    def read(self, text: str, line: int) -> None:
        """Take a line of music without its fields and comments.

        Raises:
            MusicError: it is no ABC.
        """
        self.line = line
        at = 0
        while at < len(text):
            at = self._read_token(text, at)

    def close(self) -> Part:
        """The part, when all is read."""
        self._close_measure()
        if self._signs:
            last = self.part.measures[-1]
            last.signs += [Sign(last.duration, kind, text) for kind, text in self._signs]
        return self.part

    def set_clef(self, clef: str) -> None:
        """The clef from here on; within a bar, from the next bar on."""
        self._octaves = split_clef(clef)[1]
        if self.events == 0:
            self.part.clef = clef
        elif clef != self.part.clef or self._clef:
            self._clef = clef

    def add_sign(self, kind: SignKind, text: str) -> None:
        """A sign before the next note."""
        if kind == "dynamics":
            self._velocity = VELOCITIES.get(text, self._velocity)
        (self._end_signs if kind in _END_SIGNS else self._signs).append((kind, text))

    def _read_token(self, text: str, at: int) -> int:
        letter = text[at]
        if letter in " \t":
            if self._last is not None:
                self._last.beam_ends = True
            return at + 1
        if match := _NOTE.match(text, at):
            return self._read_note(match, at)
        if match := _REST.match(text, at):
            hidden = match.group(1) == "x"
            self._add_event(Event(self._read_length(match.groups()[1:4], at), hidden=hidden), at)
            return match.end()
        if letter in "ZX":
            return self._rest_of_bars(text, at)
        if letter == "[" and _NOTE.match(text, at + 1):
            return self._chord_of_notes(text, at)
        if letter in "|:" or text.startswith(("[|", ".|"), at):
            return self._read_bar(text, at)
        if letter == "[" and (match := _ENDING.match(text, at)):
            self._end_measure_for(self._read_numbers(match.group(1), at))
            return match.end()
        return self._read_mark(text, at)

    def _read_mark(self, text: str, at: int) -> int:
        """What stands between notes."""
        if match := _TUPLET.match(text, at):
            self._begin_tuplet(match, at)
        elif match := _QUOTED.match(text, at):
            self._read_quoted(decode_accents(match.group(1)))
        elif match := _GRACE.match(text, at):
            self._read_grace(match, at)
        elif match := _DECORATION.match(text, at):
            self._read_decoration(match.group(1) or match.group(2))
        elif match := _BROKEN.match(text, at):
            self._break_rhythm(match.group(1), at)
        elif match := _SPACER.match(text, at):
            return match.end()
        else:
            self._read_letter(text, at)
            return at + 1
        return match.end()

    def _read_letter(self, text: str, at: int) -> None:
        """A sign of one letter."""
        letter = text[at]
        if letter in self.letters:
            self._read_decoration(self.letters[letter])
        elif letter == "." and text[at + 1 : at + 2] == "(":
            return
        elif letter in SHORT_MARKS:
            mark = SHORT_MARKS[letter]
            if mark.startswith("!"):
                self._read_decoration(mark.strip("!"))
            else:
                self._marks.append(mark)
        elif letter == "(":
            self._slurs += 1
        elif letter == ")":
            if self._last is not None:
                self._last.slurs = (self._last.slurs[0], self._last.slurs[1] + 1)
        elif letter == "&":
            self._begin_overlay(at)
        else:
            self._read_rare_letter(letter, at)

    def _read_rare_letter(self, letter: str, at: int) -> None:
        """A tie that is apart from its note, a letter without a meaning, or what is not ABC."""
        if letter == "-" and self._last is not None:
            self._last.tied = self._tied[self._overlay] = frozenset(self._last.pitches)
        elif letter in _FREE_LETTERS:
            self.left_out[f"undefined {letter} signs"] += 1
        elif letter not in _SILENT and letter != "\\":
            raise MusicError(f"{letter!r} is not valid ABC; a note is A to G or a to g, a rest z, a bar line |", at + 1)

    def _read_quoted(self, words: str) -> None:
        """A chord name, or words with a sign before them that says where they are written."""
        placed = words[:1] in ("^", "_", "<", ">", "@")
        bare = (re.sub(r"^@[-+\d.,]*", "", words) if words[:1] == "@" else words[placed:]).strip()
        if jump := read_jump(bare):
            self.add_sign(jump, bare)
        elif placed and bare:
            self.add_sign("words", bare[:60])
        elif bare:
            self._chord = bare[:40]

    def _read_decoration(self, name: str) -> None:
        if mark := find_mark(name):
            self._marks.append(mark)
        elif sign := find_sign(name):
            self.add_sign(*sign)
        else:
            self.left_out[f"!{name}! decorations"] += 1

    def _read_grace(self, match: "re.Match[str]", at: int) -> None:
        """Grace notes before the next note; their lengths are not kept."""
        grace = []
        for group in _GRACE_NOTE.finditer(match.group(2)):
            notes = _NOTE.finditer(group.group(1) or group.group(2))
            pitches = tuple(self._read_pitch(note, at) for note in notes)
            grace += [pitches] if pitches else []
        self._grace, self._slashed = (*self._grace, *grace), bool(match.group(1))

    def _begin_overlay(self, at: int) -> None:
        """A further voice from the beginning of the bar on."""
        if self._measure is None:
            raise MusicError("& must follow the notes of a bar, to which it adds a voice", at + 1)
        self._flush_end_signs(self._measure)
        self._overlay += 1
        if self._overlay >= _MAX_OVERLAYS:
            raise MusicError(f"a bar has more than {_MAX_OVERLAYS} voices; write them as V:1, V:2", at + 1)
        self._measure.voices.append([])

    def _read_note(self, match: "re.Match[str]", at: int) -> int:
        pitch = self._read_pitch(match, at)
        tied = frozenset({pitch} if match.group(7) else ())
        self._add_event(Event(self._read_length(match.groups()[3:6], at), (pitch,), tied), at)
        return match.end()

    def _chord_of_notes(self, text: str, start: int) -> int:
        pitches, tied, length, at = list[Pitch](), set[Pitch](), Fraction(0), start + 1
        while match := _NOTE.match(text, at):
            pitch = self._read_pitch(match, at)
            pitches += [] if pitch in pitches else [pitch]
            tied |= {pitch} if match.group(7) else set()
            length = length or self._read_length(match.groups()[3:6], at)
            at = match.end()
            while at < len(text) and text[at] in " ()":
                at += 1
        closing = _CHORD_END.match(text, at)
        if not closing:
            raise MusicError("a chord in [ ] may contain only notes and must end with ]", at + 1)
        chord_length = length * self._read_length(closing.groups()[:3], at) / self.unit
        tied_pitches = frozenset(pitches if closing.group(4) else tied)
        self._add_event(Event(chord_length, tuple(sorted(pitches, key=lambda pitch: pitch.midi)), tied_pitches), start)
        return closing.end()

    def _read_pitch(self, match: "re.Match[str]", at: int) -> Pitch:
        sign, letter, marks = match.group(1), match.group(2), match.group(3)
        step = letter.upper()
        octave = 4 + letter.islower() + marks.count("'") - marks.count(",") + self.octave + self._octaves
        if sign:
            self._altered[step] = ALTERS[sign]
        alter = self._altered.get(step, self.key.alter_of(step))
        if not sign and step not in self._altered:
            # A note that is held over a bar line keeps its accidental.
            tied_alters = {
                pitch.alter for pitches in self._tied.values() for pitch in pitches if pitch.is_at(step, octave)
            }
            alter = next(iter(tied_alters), alter)
        pitch = Pitch(step, alter, octave)
        if not _LOWEST <= pitch.midi + self.part.transpose <= _HIGHEST:
            raise MusicError(f"{match.group().strip()!r} is not a MIDI pitch; use C-1 to G9", at + 1)
        return pitch

    def _read_length(self, given: tuple[str | None, ...], at: int) -> Fraction:
        upper, slashes, lower = (part or "" for part in given)
        bottom = int(lower or 2) * 2 ** (len(slashes) - 1) if slashes else 1
        if not slashes and lower:
            bottom = 1
        top = int(upper or 1)
        if not top or not bottom or len(slashes) > 7 or self.unit * top / bottom > 64:
            raise MusicError("the note's length is not between 1/512 and 64 whole notes", at + 1)
        if bottom > 512 or bottom & (bottom - 1):
            raise MusicError(f"a length divided by {bottom} is not supported; use 2, 4, 8 ... or a tuplet (3", at + 1)
        return self.unit * top / bottom

    def _add_event(self, event: Event, at: int) -> None:
        self.events += 1
        if self.events > MAX_NOTES:
            raise MusicError(f"a voice has more than {MAX_NOTES:,} notes", at + 1)
        measure = self._open_measure()
        if self._factor is not None:
            event.duration *= self._factor
            self._factor = None
        if self._tuplet:
            self._join_tuplet(event)
        self._flush_end_signs(measure, is_early=True)
        self._dress_event(event)
        place = _sum_durations(measure.voices[self._overlay])
        measure.signs += [Sign(place, kind, text) for kind, text in self._signs]
        self._signs = []
        if self.tempo is not None:
            measure.tempos.append((place, self.tempo))
            self.tempo = None
        measure.voices[self._overlay].append(event)
        self._tied[self._overlay] = event.tied
        self._last = event
        if event.pitches and not self._overlay:
            self.line_notes.append((len(self.part.measures), event))

    def _dress_event(self, event: Event) -> None:
        """Give an event what was read before it."""
        event.velocity, event.chord, self._chord = self._velocity, self._chord, ""
        event.marks, self._marks = tuple(self._marks), []
        event.slurs, self._slurs = (self._slurs, 0), 0
        event.grace, event.grace_slashed, self._grace, self._slashed = self._grace, self._slashed, (), False

    def _flush_end_signs(self, measure: Measure, *, is_early: bool = False) -> None:
        """Place signs that hold behind a note: before the next one, those that were read before this one."""
        place = _sum_durations(measure.voices[self._overlay])
        measure.signs += [Sign(place, kind, text) for kind, text in self._waiting_signs]
        self._waiting_signs = self._end_signs
        self._end_signs = []
        if not is_early:
            measure.signs += [Sign(place, kind, text) for kind, text in self._waiting_signs]
            self._waiting_signs = []

    def _begin_tuplet(self, match: "re.Match[str]", at: int) -> None:
        count = int(match.group(1))
        compound = bool(self.meter and self.meter[1] == 8 and self.meter[0] % 3 == 0)
        if count < 2:
            raise MusicError("a tuplet must have 2 to 9 notes, such as (3abc", at + 1)
        times = int(match.group(2) or 0) or _TIMES.get(count) or (3 if compound else 2)
        self._tuplet = [count, times, int(match.group(3) or 0) or count, 1]

    def _join_tuplet(self, event: Event) -> None:
        count, times, left, first = self._tuplet
        event.duration = event.duration * times / count
        event.tuplet, event.tuplet_starts, event.tuplet_stops = (count, times), bool(first), left == 1
        self._tuplet = [] if left == 1 else [count, times, left - 1, 0]

    def _break_rhythm(self, signs: str, at: int) -> None:
        if self._last is None:
            raise MusicError(f"{signs} is between two notes, where it is not allowed", at + 1)
        short = Fraction(1, 2 ** len(signs))
        long = 2 - short
        before, self._factor = (long, short) if signs[0] == ">" else (short, long)
        self._last.duration *= before

    def _rest_of_bars(self, text: str, at: int) -> int:
        match = _BARS_OF_REST.match(text, at)
        count = int(match.group(1) or 1) if match else 0
        if not match or not 1 <= count <= 500:
            raise MusicError("Z must rest for 1 to 500 bars", at + 1)
        for index in range(count):
            if index:
                self._close_measure()
            self._add_event(Event(self._get_full_length(), hidden=text[at] == "X"), at)
        return match.end()

    def _get_full_length(self) -> Fraction:
        return Fraction(*(self.meter or (4, 4)))

    def _read_bar(self, text: str, at: int) -> int:
        match = _BAR.match(text, at)
        assert match is not None  # noqa: S101 - the caller saw its first letter
        signs = match.group()
        before = len(signs) - len(signs.lstrip(":"))
        after = len(signs) - len(signs.rstrip(":"))
        if before == len(signs):
            if before == 1:
                raise MusicError("a single : is not a bar line; write |: or :|", at + 1)
            before = after = before - before // 2
        measure = self._close_measure()
        if measure is not None:
            if before:
                measure.repeat_times = min(MAX_PASSES, before + 1)
            measure.section_ends = measure.section_ends or "||" in signs or "]" in signs or bool(before)
        self._starts = self._starts or bool(after)
        ending = re.compile(r"\d[\d,\-]*").match(text, match.end())
        if ending:
            self._endings = self._read_numbers(ending.group(), at)
        return (ending or match).end()

    def _end_measure_for(self, numbers: tuple[int, ...]) -> None:
        self._close_measure()
        self._endings = numbers

    def _read_numbers(self, text: str, at: int) -> tuple[int, ...]:
        numbers: set[int] = set()
        for part in filter(None, text.split(",")):
            first, dash, last = part.partition("-")
            if not first or (dash and not last):
                continue
            numbers |= set(range(int(first[:3]), int((last or first)[:3]) + 1))
        if not numbers or not 1 <= min(numbers) <= max(numbers) <= MAX_PASSES:
            raise MusicError(f"an ending must be for passes 1 to {MAX_PASSES}, such as [1 or [1,3", at + 1)
        return tuple(sorted(numbers))

    def _open_measure(self) -> Measure:
        if self._measure is None:
            self._measure = Measure(self.meter or (4, 4), self.key, line=self.line, clef=self._clef)
            self._clef = ""
            self._measure.repeat_starts, self._starts = self._starts, False
            self._measure.endings, self._endings = self._endings, ()
        return self._measure

    def _close_measure(self) -> Measure | None:
        """The bar that ends here: the open one or, where nothing stands in it yet, the one before."""
        self._altered = {}
        ended = self._measure or (self.part.measures[-1] if self.part.measures else None)
        if ended is not None:
            self._flush_end_signs(ended)
        self._overlay = 0
        if self._measure is not None:
            fill_voices([self._measure])
            self.part.measures.append(self._measure)
            if self.meter is None:
                length = self._measure.duration
                self._measure.meter = (max(1, int(length * 8)), 8)
            if len(self.part.measures) > MAX_BARS:
                raise MusicError(f"a voice has more than {MAX_BARS:,} bars", 1)
            self._measure = None
            if self._last is not None:
                self._last.beam_ends = True
        return self.part.measures[-1] if self.part.measures else None
