"""The bars of one part of MusicXML, read element by element."""

from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import accumulate, zip_longest
from xml.etree.ElementTree import Element

from yardkit.servers.music.engine.musicxml.directions import read_barline, read_direction, read_harmony, read_sound
from yardkit.servers.music.engine.musicxml.notes import RawNote, read_note
from yardkit.servers.music.engine.score import Event, KeySignature, Measure, Part, Pitch, Sign
from yardkit.servers.music.engine.signs import CLEFS, VELOCITIES, join_clef
from yardkit.world import Problem

_SILENT = {"print", "grouping", "link", "bookmark"}
_MAX_LENGTH = 64
_SNARE = 38


@dataclass
class _Bar:
    """What is read of a bar. notes: by staff and voice. chords: names by their place."""

    notes: dict[tuple[int, str], list[RawNote]] = field(default_factory=dict)
    chords: list[tuple[Fraction, str]] = field(default_factory=list)
    signs: list[tuple[int, Sign]] = field(default_factory=list)
    tempos: list[tuple[Fraction, float]] = field(default_factory=list)
    clefs: dict[int, str] = field(default_factory=dict)
    at: Fraction = Fraction(0)
    end: Fraction = Fraction(0)
    shape: Measure = field(default_factory=lambda: Measure((4, 4), KeySignature()))


@dataclass
class Player:
    """What the head of MusicXML says of a part.

    Attributes:
        name: of the part.
        program: of General MIDI, from 0.
        is_drums: whether it plays on the drum channel.
        drum_keys: keys of its drums by the identifiers of its instruments.
    """

    name: str = ""
    program: int = 0
    is_drums: bool = False
    drum_keys: dict[str, int] = field(default_factory=dict)


class PartReader:
    """Reads one part; each of its staves becomes a part of the score."""

    def __init__(self, player: Player, left_out: Counter[str]) -> None:
        self.player, self.left_out = player, left_out
        self.divisions = Fraction(1)
        self.key, self.meter = KeySignature(), (4, 4)
        self.transpose = 0
        self.staves = 1
        self.clefs: dict[int, str] = {}
        self.velocity = 90
        self.unpitched = False
        self.bars: list[_Bar] = []
        self._bar = _Bar()

    def read_part(self, element: Element) -> list[Part]:
        """The staves of the part."""
        for number, measure in enumerate(element.findall("measure"), start=1):
            self._bar = _Bar()
            try:
                for child in measure:
                    self._read_child(child)
            except (ValueError, ZeroDivisionError) as error:
                raise Problem(
                    f"bar {number} of {self.player.name or 'a part'} is damaged ({str(error)[:100]})"
                ) from error
            self._bar.shape = replace(self._bar.shape, meter=self.meter, key=self.key)
            self.bars.append(self._bar)
        used = {staff for bar in self.bars for staff, _ in bar.notes}
        count = max([self.staves, *used])
        if count > 1:
            self.left_out["staff braces"] += 1
        return [_StaffWriter(self, staff).make_part() for staff in range(1, count + 1)]

    def _read_child(self, child: Element) -> None:
        bar = self._bar
        if child.tag == "note":
            self._read_note(child)
        elif child.tag in ("backup", "forward"):
            length = self._read_length(child.findtext("duration"))
            bar.at = max(Fraction(0), bar.at + (length if child.tag == "forward" else -length))
        elif child.tag == "attributes":
            self._read_attributes(child)
        elif child.tag in ("direction", "sound"):
            self._read_direction(child)
        elif child.tag == "harmony":
            place = bar.at + self._read_length(child.findtext("offset"))
            bar.chords += [(place, name) for name in read_harmony(child, self.left_out)]
        elif child.tag == "barline":
            signs = read_barline(child, bar.shape, self.left_out)
            bar.signs += [(1, Sign(bar.at, kind)) for kind in signs]
        elif child.tag not in _SILENT:
            self.left_out[f"{child.tag} elements"] += 1

    def _read_length(self, text: str | None) -> Fraction:
        """A duration in whole notes."""
        length = Fraction((text or "0").strip()) / self.divisions / 4
        if abs(length) > _MAX_LENGTH:
            raise Problem(f"a note lasts {float(length):g} whole notes; the limit is {_MAX_LENGTH}")
        return length

    def _read_note(self, element: Element) -> None:
        bar = self._bar
        staff = int(element.findtext("staff") or 1)
        is_grace = element.find("grace") is not None
        length = Fraction(0) if is_grace else self._read_length(element.findtext("duration"))
        note = read_note(element, length, self.left_out)
        self._set_pitch(note, element)
        note.event.velocity = note.velocity or self.velocity
        voice = bar.notes.setdefault((staff, (element.findtext("voice") or "1").strip()), [])
        is_chord = element.find("chord") is not None and bool(voice)
        note.start = voice[-1].start if is_chord else bar.at
        if is_chord:
            voice[-1].add_pitch(note)
        elif note.is_cue:
            self.left_out["cue notes"] += 1
        else:
            voice.append(note)
        if not is_chord:
            bar.at += note.event.duration

    def _set_pitch(self, note: RawNote, element: Element) -> None:
        """The key of a drum, by the instrument of the note."""
        keys, instrument = self.player.drum_keys, element.find("instrument")
        key = keys.get(instrument.get("id", "") if instrument is not None else "")
        if element.find("unpitched") is not None:
            self.unpitched = True
            if key is None and len(keys) == 1:
                key = next(iter(keys.values()))
            if key is None:
                key = _SNARE
                self.left_out["drum notes played as snare, for lack of a MIDI key"] += 1
        elif not self.player.is_drums:
            return
        if key is not None and note.event.pitches:
            tied = bool(note.event.tied)
            note.event.pitches = (drum_pitch(key),)
            note.event.tied = frozenset(note.event.pitches if tied else ())

    def _read_direction(self, element: Element) -> None:
        bar = self._bar
        staff = int(element.findtext("staff") or 1)
        place = max(Fraction(0), bar.at + self._read_length(element.findtext("offset")))
        signs = read_direction(element, self.left_out) if element.tag == "direction" else []
        sound = element if element.tag == "sound" else element.find("sound")
        sounding = read_sound(sound, element, self.left_out)
        kinds = {kind for kind, _ in signs}
        signs += [(kind, text) for kind, text in sounding.signs if kind not in kinds]
        if {"to coda", "da capo", "dal segno"} & {kind for kind, _ in signs}:
            signs = [sign for sign in signs if sign[0] != "coda"]
        for kind, text in signs:
            if kind == "dynamics":
                self.velocity = VELOCITIES[text]
            bar.signs.append((staff, Sign(place, kind, text)))
        self.velocity = sounding.velocity or self.velocity
        if sounding.bpm:
            bar.tempos.append((place, sounding.bpm))

    def _read_attributes(self, element: Element) -> None:
        starts = self._bar.at == 0
        if divisions := element.findtext("divisions"):
            self.divisions = Fraction(divisions.strip())
            if self.divisions <= 0:
                raise Problem("the MusicXML has divisions that are not above 0; it is damaged")
        self.staves = max(self.staves, min(8, int(element.findtext("staves") or 1)))
        self._read_signature(element, starts=starts)
        for clef in element.findall("clef"):
            self._read_clef(clef, starts=starts)
        for transpose in element.findall("transpose")[:1]:
            self._read_transpose(transpose)
        for sign in element.findall("measure-style/*"):
            self.left_out[f"{sign.tag} signs"] += sign.tag != "multiple-rest" and sign.get("type") != "stop"
        if element.find("staff-details/staff-tuning") is not None:
            self.left_out["tablature staves"] += 1

    def _read_signature(self, element: Element, *, starts: bool) -> None:
        for key in element.findall("key")[:1]:
            self._count_late("mid-bar key changes", starts=starts)
            self.key = _read_key(key)
        for time in element.findall("time")[:1]:
            self._count_late("mid-bar time signatures", starts=starts)
            self.meter = self._read_meter(time)

    def _count_late(self, what: str, *, starts: bool) -> None:
        if not starts:
            self.left_out[what] += 1

    def _read_meter(self, time: Element) -> tuple[int, int]:
        if time.find("senza-misura") is not None:
            return self.meter
        units = [int(text.text or 4) for text in time.findall("beat-type")]
        groups = [sum(map(int, (text.text or "4").split("+"))) for text in time.findall("beats")]
        if not units or len(units) != len(groups) or min(units) < 1 or min(groups) < 1:
            raise Problem("a time signature is damaged")
        length = sum((Fraction(beats, unit) for beats, unit in zip(groups, units, strict=True)), Fraction(0))
        unit = max(units)
        return int(length * unit), unit

    def _read_clef(self, clef: Element, *, starts: bool) -> None:
        staff = int(clef.get("number") or 1)
        sign, line = (clef.findtext("sign") or "G").strip(), (clef.findtext("line") or "").strip()
        first_line = {"G": "2", "F": "4", "C": "3", "percussion": "2"}.get(sign, "2")
        name = next((name for name, place in CLEFS.items() if place == (sign, line or first_line)), "")
        if sign == "percussion":
            name = "perc"
        if not name:
            self.left_out[f"{sign}{line} clefs"] += 1
            name = "treble"
        written = join_clef(name, int(clef.findtext("clef-octave-change") or 0))
        if not self.bars and starts:
            self.clefs[staff] = written
        elif starts:
            self._bar.clefs[staff] = written
        else:
            self.left_out["mid-bar clef changes"] += 1

    def _read_transpose(self, transpose: Element) -> None:
        steps = int(transpose.findtext("chromatic") or 0) + 12 * int(transpose.findtext("octave-change") or 0)
        if self.bars and steps != self.transpose:
            self.left_out["transposition changes"] += 1
        else:
            self.transpose = max(-48, min(48, steps))


def _read_key(element: Element) -> KeySignature:
    steps = [(text.text or "").strip() for text in element.findall("key-step")]
    alters = [round(float(text.text or 0)) for text in element.findall("key-alter")]
    if steps:
        return KeySignature(altered=tuple(zip(steps, alters, strict=False)))
    fifths = int(element.findtext("fifths") or 0)
    if abs(fifths) > 7:
        raise Problem(f"a key has {abs(fifths)} accidentals; at most 7 are valid")
    return KeySignature(fifths, (element.findtext("mode") or "").strip() in ("minor", "aeolian"))


def drum_pitch(key: int) -> Pitch:
    """A key of the drum channel as a pitch."""
    names = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
    name = names[key % 12]
    return Pitch(name[0], len(name) - 1, key // 12 - 1)


class _StaffWriter:
    """Makes a part of the score from one staff."""

    def __init__(self, reader: PartReader, staff: int) -> None:
        self.reader, self.staff = reader, staff
        voices = {voice for bar in reader.bars for number, voice in bar.notes if number == staff}
        self.voices = sorted(
            voices, key=lambda name: (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)
        )

    def make_part(self) -> Part:
        reader = self.reader
        clef = reader.clefs.get(self.staff, "treble")
        drums = reader.player.is_drums or reader.unpitched
        part = Part(
            reader.player.name,
            reader.player.program,
            drums,
            "perc" if drums else clef,
            0 if drums else reader.transpose,
        )
        part.measures = [self._make_measure(bar) for bar in reader.bars]
        return part

    def _make_measure(self, bar: _Bar) -> Measure:
        voices = [self._fill_voice(bar.notes.get((self.staff, name), [])) for name in self.voices]
        signs = dict.fromkeys(sign for staff, sign in bar.signs if staff == self.staff)
        is_first = self.staff == 1
        measure = replace(
            bar.shape,
            voices=voices or [[]],
            signs=sorted(signs, key=lambda sign: sign.offset),
            tempos=sorted(bar.tempos) if is_first else [],
            clef=bar.clefs.get(self.staff, ""),
        )
        for place, name in bar.chords if is_first else ():
            if not _place_chord(measure, place, name):
                self.reader.left_out["unplaced chord names"] += 1
        return measure

    def _fill_voice(self, notes: list[RawNote]) -> list[Event]:
        """Notes of a voice one after the other, with hidden rests where it has none; grace notes before theirs."""
        events, at = list[Event](), Fraction(0)
        grace: list[RawNote] = []
        for note in notes:
            if note.is_grace:
                grace.append(note)
                continue
            if note.start < at:
                self.reader.left_out["overlapping notes"] += len(note.event.pitches)
                continue
            if note.start > at:
                events.append(Event(note.start - at, hidden=True))
            note.event.grace = tuple(before.event.pitches for before in grace)
            note.event.grace_slashed = any(before.is_slashed for before in grace)
            grace = []
            events.append(note.event)
            at = note.start + note.event.duration
        self.reader.left_out["trailing grace notes"] += len(grace)
        _mark_tuplets(events)
        return events


def _mark_tuplets(events: list[Event]) -> None:
    """Say where tuplets begin and end, where the file does not: as soon as they fill a plain length."""
    filled, is_open = Fraction(0), False
    for event, after in zip_longest(events, events[1:]):
        if not event.tuplet:
            continue
        event.tuplet_starts = not is_open
        filled = event.duration if event.tuplet_starts else filled + event.duration
        is_plain = filled.denominator & (filled.denominator - 1) == 0
        is_open = not (event.tuplet_stops or is_plain or after is None or after.tuplet != event.tuplet)
        event.tuplet_stops = not is_open


def _place_chord(measure: Measure, place: Fraction, name: str) -> bool:
    """Give a chord name to the event that begins there, or divide the one that sounds there."""
    placed = [
        (at, voice, index)
        for voice in measure.voices
        for index, at in enumerate(accumulate((event.duration for event in voice), initial=Fraction(0)))
        if index < len(voice)
    ]
    for at, voice, index in placed:
        if at == place and not voice[index].chord:
            voice[index].chord = name
            return True
    for at, voice, index in placed:
        if at < place < at + voice[index].duration and not voice[index].tuplet:
            voice[index : index + 1] = _divide_event(voice[index], place - at, name)
            return True
    voice = measure.voices[0]
    end = sum((event.duration for event in voice), Fraction(0))
    if not end <= place < measure.full:
        return False
    voice += [Event(place - end, hidden=True)] if place > end else []
    voice.append(Event(measure.full - place, hidden=True, chord=name))
    return True


def _divide_event(event: Event, first: Fraction, chord: str) -> list[Event]:
    before = replace(event, duration=first, tied=frozenset(event.pitches), slurs=(event.slurs[0], 0))
    after = Event(
        event.duration - first,
        event.pitches,
        event.tied,
        chord=chord,
        velocity=event.velocity,
        hidden=event.hidden,
        slurs=(0, event.slurs[1]),
    )
    return [before, after]
