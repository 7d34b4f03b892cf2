"""A score written as MusicXML, which notation programs read."""

import re
from fractions import Fraction
from math import lcm
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from yardkit.servers.music.engine.chords import QUALITIES, read_chord
from yardkit.servers.music.engine.instruments import drum_name
from yardkit.servers.music.engine.musicxml.marks import add_direction, add_marks, list_directions, number_bars
from yardkit.servers.music.engine.musicxml.names import CHORD_KINDS, CROSSES, TYPES, place_drum
from yardkit.servers.music.engine.notation import find_notation
from yardkit.servers.music.engine.score import Event, KeySignature, Measure, Part, Pitch, Score
from yardkit.servers.music.engine.signs import CLEFS, split_clef
from yardkit.world import Problem

_CHORD = re.compile(r"^([A-G][#b♯♭]?)([^/]*)(?:/([A-G][#b♯♭]?))?$")
_ACCIDENTALS = {-2: "flat-flat", -1: "flat", 0: "natural", 1: "sharp", 2: "double-sharp"}


def write_musicxml(score: Score) -> str:
    """A score as MusicXML."""
    root = Element("score-partwise", version="4.0")
    if score.title:
        SubElement(SubElement(root, "work"), "work-title").text = score.title
    identification = SubElement(root, "identification")
    if score.composer:
        SubElement(identification, "creator", type="composer").text = score.composer
    SubElement(SubElement(identification, "encoding"), "software").text = "Yardkit"
    _add_credits(root, score)
    names = SubElement(root, "part-list")
    for number, part in enumerate(score.parts, start=1):
        _add_part_name(names, part, number)
    for number, part in enumerate(score.parts, start=1):
        _PartWriter(SubElement(root, "part", id=f"P{number}"), part, number).write()
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _add_credits(root: Element, score: Score) -> None:
    """Title and composer as they stand on the page."""
    for text, justify, kind in ((score.title, "center", "title"), (score.composer, "right", "composer")):
        if text:
            credit = SubElement(root, "credit", page="1")
            SubElement(credit, "credit-type").text = kind
            valign = "top" if kind == "title" else "bottom"
            size = "20" if kind == "title" else "11"
            words = SubElement(credit, "credit-words", justify=justify, valign=valign)
            words.set("font-size", size)
            words.text = text


def _add_part_name(names: Element, part: Part, number: int) -> None:
    entry = SubElement(names, "score-part", id=f"P{number}")
    SubElement(entry, "part-name").text = part.name
    free = number + (number >= 10)
    channel = "10" if part.drums else str((free - 1) % 16 + 1)
    keys = _list_drums(part) if part.drums else [None]
    for key in keys:
        name = part.name or "voice" if key is None else drum_name(key).replace("_", " ")
        instrument = SubElement(entry, "score-instrument", id=_name_instrument(number, key))
        SubElement(instrument, "instrument-name").text = name
    for key in keys:
        midi = SubElement(entry, "midi-instrument", id=_name_instrument(number, key))
        SubElement(midi, "midi-channel").text = channel
        SubElement(midi, "midi-program").text = str(part.program + 1)
        if key is not None:
            SubElement(midi, "midi-unpitched").text = str(key + 1)


def _list_drums(part: Part) -> list[int | None]:
    """The keys of the drums of a part."""
    events = (event for measure in part.measures for voice in measure.voices for event in voice)
    return [*sorted({pitch.midi for event in events for pitch in event.pitches})]


def _name_instrument(number: int, key: int | None) -> str:
    return f"P{number}-I{1 if key is None else key + 1}"


class _PartWriter:
    """Writes the bars of one part."""

    def __init__(self, element: Element, part: Part, number: int) -> None:
        self.element, self.part, self.number = element, part, number
        lengths = [event.duration for measure in part.measures for voice in measure.voices for event in voice]
        places = [sign.offset for measure in part.measures for sign in measure.signs]
        places += [place for measure in part.measures for place, _ in measure.tempos]
        self.divisions = lcm(4, *(length.denominator for length in [*lengths, *places]))
        self._altered: dict[tuple[str, int], int] = {}
        self._held: dict[int, frozenset[Pitch]] = {}
        self._slurs: list[int] = []

    def write(self) -> None:
        before: Measure | None = None
        open_ending = ""
        names = number_bars(self.part.measures)
        for number, measure in enumerate(self.part.measures, start=1):
            after = self.part.measures[number] if number < len(self.part.measures) else None
            bar = SubElement(self.element, "measure", number=names[number - 1])
            if not names[number - 1].isdecimal() or names[number - 1] == "0":
                bar.set("implicit", "yes")
            if measure.endings:
                open_ending = ",".join(map(str, measure.endings))
            self._write_left_barline(bar, measure)
            self._write_attributes(bar, measure, before)
            self._altered = {}
            for voice, events in enumerate(measure.voices, start=1):
                if voice > 1:
                    back = sum((event.duration for event in measure.voices[voice - 2]), Fraction(0))
                    SubElement(SubElement(bar, "backup"), "duration").text = self._units(back)
                self._write_voice(bar, events, voice, measure)
            open_ending = self._write_right_barline(bar, measure, after, open_ending)
            before = measure

    def _units(self, length: Fraction) -> str:
        return str(int(length * self.divisions))

    def _write_left_barline(self, bar: Element, measure: Measure) -> None:
        if not measure.repeat_starts and not measure.endings:
            return
        line = SubElement(bar, "barline", location="left")
        if measure.repeat_starts:
            SubElement(line, "bar-style").text = "heavy-light"
        if measure.endings:
            SubElement(line, "ending", number=",".join(map(str, measure.endings)), type="start")
        if measure.repeat_starts:
            SubElement(line, "repeat", direction="forward")

    def _write_right_barline(self, bar: Element, measure: Measure, after: Measure | None, ending: str) -> str:
        """The bar line behind a bar; which ending is still open."""
        closes = bool(ending) and bool(
            measure.repeat_times or measure.section_ends or after is None or after.endings or after.repeat_starts
        )
        if not (closes or measure.repeat_times or measure.section_ends or after is None):
            return ending
        line = SubElement(bar, "barline", location="right")
        heavy = measure.repeat_times or after is None
        SubElement(line, "bar-style").text = "light-heavy" if heavy else "light-light"
        if closes:
            SubElement(line, "ending", number=ending, type="stop")
        if measure.repeat_times:
            times = {"times": str(measure.repeat_times)} if measure.repeat_times > 2 else {}
            SubElement(line, "repeat", {"direction": "backward", **times})
        return "" if closes else ending

    def _write_attributes(self, bar: Element, measure: Measure, before: Measure | None) -> None:
        key_changes = before is None or before.key != measure.key
        meter_changes = before is None or before.meter != measure.meter
        if key_changes or meter_changes or measure.clef:
            attributes = SubElement(bar, "attributes")
            if before is None:
                SubElement(attributes, "divisions").text = str(self.divisions // 4)
                # divisions count a quarter; `_units` counts whole notes by `self.divisions`
            if key_changes and self.part.clef != "perc":
                _add_key(SubElement(attributes, "key"), measure.key)
            if meter_changes:
                time = SubElement(attributes, "time")
                SubElement(time, "beats").text, SubElement(time, "beat-type").text = map(str, measure.meter)
            if before is None:
                _add_clef(attributes, self.part.clef)
                if self.part.transpose:
                    _add_transposition(attributes, self.part.transpose)
            elif measure.clef:
                _add_clef(attributes, measure.clef)

    def _write_voice(self, bar: Element, events: list[Event], voice: int, measure: Measure) -> None:
        beams = _assign_beams(events, measure.meter)
        pieces = [piece for event, beam in zip(events, beams, strict=True) for piece in _split_event(event, beam)]
        waiting = list_directions(measure) if voice == 1 else []
        at = Fraction(0)
        for event, beam in pieces:
            while waiting and waiting[0].offset < at + event.duration:
                direction = waiting.pop(0)
                add_direction(bar, direction, self._units(direction.offset - at))
            at += event.duration
            if event.chord:
                _add_chord_name(bar, event.chord)
            self._write_grace(bar, event, voice)
            if event.pitches:
                for index, pitch in enumerate(event.pitches):
                    self._write_note(bar, event, pitch, voice, measure.key, index, beam)
            else:
                self._write_rest(bar, event, voice, is_full_bar=len(events) == 1 and event.duration == measure.full)
            self._held[voice] = event.tied
        for direction in waiting:
            add_direction(bar, direction, self._units(min(direction.offset, at) - at))

    def _write_grace(self, bar: Element, event: Event, voice: int) -> None:
        for pitches in event.grace:
            for index, pitch in enumerate(pitches):
                note = SubElement(bar, "note")
                SubElement(note, "grace", {"slash": "yes"} if event.grace_slashed else {})
                if index:
                    SubElement(note, "chord")
                _add_pitch(note, pitch)
                SubElement(note, "voice").text = str(voice)
                SubElement(note, "type").text = "eighth" if len(event.grace) == 1 else "16th"

    def _write_rest(self, bar: Element, event: Event, voice: int, *, is_full_bar: bool) -> None:
        note = SubElement(bar, "note")
        if event.hidden:
            note.set("print-object", "no")
        rest = SubElement(note, "rest")
        if is_full_bar:
            rest.set("measure", "yes")
        self._write_length(note, event, voice, typed=not is_full_bar)

    def _write_note(
        self, bar: Element, event: Event, pitch: Pitch, voice: int, key: KeySignature, index: int, beam: str
    ) -> None:
        note = SubElement(bar, "note", dynamics=f"{event.velocity / 90 * 100:.0f}")
        if index:
            SubElement(note, "chord")
        if self.part.drums:
            step, octave = place_drum(pitch.midi)
            unpitched = SubElement(note, "unpitched")
            SubElement(unpitched, "display-step").text = step
            SubElement(unpitched, "display-octave").text = str(octave)
        else:
            _add_pitch(note, pitch)
        stops = pitch in self._held.get(voice, ())
        starts = pitch in event.tied
        accidental = "" if self.part.drums or stops else self._get_accidental(pitch, key)
        self._write_length(note, event, voice, ties=(stops, starts), accidental=accidental, drum_key=pitch.midi)
        if self.part.drums and pitch.midi in CROSSES:
            SubElement(note, "notehead").text = "x"
        if beam and not index:
            SubElement(note, "beam", number="1").text = beam
        self._write_notations(note, event, (stops, starts), first=not index)
        if not index:
            _add_lyrics(note, event.lyrics)

    def _write_length(
        self,
        note: Element,
        event: Event,
        voice: int,
        *,
        typed: bool = True,
        ties: tuple[bool, bool] = (False, False),
        accidental: str = "",
        drum_key: int | None = None,
    ) -> None:
        SubElement(note, "duration").text = self._units(event.duration)
        for kind, present in zip(("stop", "start"), ties, strict=True):
            if present:
                SubElement(note, "tie", type=kind)
        if self.part.drums and event.pitches:
            key = drum_key if drum_key is not None else event.pitches[0].midi
            SubElement(note, "instrument", id=_name_instrument(self.number, key))
        SubElement(note, "voice").text = str(voice)
        value, dots = find_notation(_compute_written_length(event)) or (4, 0)
        if typed:
            SubElement(note, "type").text = TYPES[value]
            for _ in range(dots):
                SubElement(note, "dot")
        if accidental:
            SubElement(note, "accidental").text = accidental
        if event.tuplet:
            change = SubElement(note, "time-modification")
            SubElement(change, "actual-notes").text, SubElement(change, "normal-notes").text = map(str, event.tuplet)

    def _get_accidental(self, pitch: Pitch, key: KeySignature) -> str:
        """The sign that must stand before a note, by the key and what stood in the bar."""
        place = (pitch.step, pitch.octave)
        if self._altered.get(place, key.alter_of(pitch.step)) == pitch.alter:
            return ""
        self._altered[place] = pitch.alter
        return _ACCIDENTALS.get(pitch.alter, "")

    def _write_notations(self, note: Element, event: Event, ties: tuple[bool, bool], *, first: bool) -> None:
        edges = [("start", event.tuplet_starts), ("stop", event.tuplet_stops)] if event.tuplet and first else []
        marks = [("tied", kind) for kind, present in zip(("stop", "start"), ties, strict=True) if present]
        notations = Element("notations")
        for tag, kind in marks + [("tuplet", kind) for kind, present in edges if present]:
            SubElement(notations, tag, type=kind)
        if first:
            self._write_slurs(notations, event)
            add_marks(notations, event.marks)
        if len(notations):
            note.append(notations)

    def _write_slurs(self, notations: Element, event: Event) -> None:
        """Ends of slurs, the latest first, and beginnings, each with a number that is free."""
        for _ in range(event.slurs[1]):
            number = self._slurs.pop() if self._slurs else 1
            SubElement(notations, "slur", type="stop", number=str(number))
        for _ in range(event.slurs[0]):
            number = next(free for free in range(1, len(self._slurs) + 2) if free not in self._slurs)
            self._slurs.append(number)
            SubElement(notations, "slur", type="start", number=str(number))


def _compute_written_length(event: Event) -> Fraction:
    return event.duration * event.tuplet[0] / event.tuplet[1] if event.tuplet else event.duration


def _split_event(event: Event, beam: str) -> list[tuple[Event, str]]:
    """An event that no single note can be, such as of five eighths, as tied notes."""
    length = _compute_written_length(event)
    if find_notation(length):
        return [(event, beam)]
    scale = event.duration / length
    pieces, left = list[tuple[Event, str]](), length
    while left > 0:
        value = Fraction(2)
        while value > left:
            value /= 2
            if value < Fraction(1, 512):
                raise Problem(f"a length of {length} whole notes cannot be notated")
        left -= value
        piece = Event(
            value * scale,
            event.pitches,
            frozenset(event.pitches) if left else event.tied,
            event.tuplet,
            tuplet_starts=event.tuplet_starts and not pieces,
            tuplet_stops=event.tuplet_stops and not left,
            lyrics=[] if pieces else event.lyrics,
            chord="" if pieces else event.chord,
            velocity=event.velocity,
            hidden=event.hidden,
            grace=() if pieces else event.grace,
            grace_slashed=event.grace_slashed,
            marks=() if pieces else event.marks,
            slurs=(0 if pieces else event.slurs[0], 0 if left else event.slurs[1]),
        )
        pieces.append((piece, ""))
    return pieces


def _assign_beams(events: list[Event], meter: tuple[int, int]) -> list[str]:
    """For each event begin, continue, end or nothing: eighths and shorter within a beat are joined."""
    beat = Fraction(3, 8) if meter[1] == 8 and meter[0] % 3 == 0 else Fraction(1, 4)
    window = Fraction(1, 2) if meter in ((4, 4), (2, 2)) else beat
    groups: list[list[int]] = [[]]
    at = Fraction(0)
    for index, event in enumerate(events):
        if (
            event.pitches
            and _compute_written_length(event) < Fraction(1, 4)
            and find_notation(_compute_written_length(event))
        ):
            short = min(
                (_compute_written_length(events[event_index]) for event_index in groups[-1]), default=Fraction(1, 8)
            )
            if at % window == 0 or (at % beat == 0 and min(short, _compute_written_length(event)) < Fraction(1, 8)):
                groups.append([])
            groups[-1].append(index)
            if event.beam_ends:
                groups.append([])
        else:
            groups.append([])
        at += event.duration
    words = [""] * len(events)
    for group in groups:
        if len(group) > 1:
            for index in group:
                words[index] = "continue"
            words[group[0]], words[group[-1]] = "begin", "end"
    return words


def _add_key(element: Element, key: KeySignature) -> None:
    if key.altered:
        for step in "FCGDAEB":
            if key.alter_of(step):
                SubElement(element, "key-step").text = step
                SubElement(element, "key-alter").text = str(key.alter_of(step))
        return
    SubElement(element, "fifths").text = str(key.fifths)
    SubElement(element, "mode").text = "minor" if key.minor else "major"


def _add_clef(attributes: Element, clef: str) -> None:
    name, octaves = split_clef(clef)
    sign, line = CLEFS.get(name, CLEFS["treble"])
    element = SubElement(attributes, "clef")
    SubElement(element, "sign").text = sign
    SubElement(element, "line").text = line
    if octaves:
        SubElement(element, "clef-octave-change").text = str(octaves)


def _add_transposition(attributes: Element, semitones: int) -> None:
    octaves = int(semitones / 12)
    transpose = SubElement(attributes, "transpose")
    SubElement(transpose, "chromatic").text = str(semitones - 12 * octaves)
    if octaves:
        SubElement(transpose, "octave-change").text = str(octaves)


def _add_pitch(note: Element, pitch: Pitch) -> None:
    element = SubElement(note, "pitch")
    SubElement(element, "step").text = pitch.step
    if pitch.alter:
        SubElement(element, "alter").text = str(pitch.alter)
    SubElement(element, "octave").text = str(pitch.octave)


def _add_lyrics(note: Element, verses: list[str]) -> None:
    for number, syllable in enumerate(verses, start=1):
        if syllable:
            lyric = SubElement(note, "lyric", number=str(number))
            SubElement(lyric, "syllabic").text = "begin" if syllable.endswith("-") else "single"
            SubElement(lyric, "text").text = syllable.removesuffix("-")


def _add_chord_name(bar: Element, name: str) -> None:
    """A chord name; what does not begin with a root is written as words."""
    match = _CHORD.match(name)
    if name == "N.C.":
        SubElement(SubElement(bar, "harmony"), "kind", text="N.C.").text = "none"
        return
    if not match:
        direction = SubElement(SubElement(bar, "direction", placement="above"), "direction-type")
        SubElement(direction, "words").text = name
        return
    root, displayed_kind, bass = match.groups()
    harmony = SubElement(bar, "harmony")
    _add_step(SubElement(harmony, "root"), "root", root)
    SubElement(harmony, "kind", text=displayed_kind).text = _find_kind(root + displayed_kind)
    if bass:
        _add_step(SubElement(harmony, "bass"), "bass", bass)


def _find_kind(name: str) -> str:
    try:
        tones = read_chord(name).tones
    except Problem:
        return "other"
    quality = next(quality for quality, known in QUALITIES.items() if known == tones)
    return CHORD_KINDS.get(quality, "other")


def _add_step(element: Element, word: str, name: str) -> None:
    SubElement(element, f"{word}-step").text = name[0]
    alter = {"#": 1, "♯": 1, "b": -1, "♭": -1}.get(name[1:2], 0)
    if alter:
        SubElement(element, f"{word}-alter").text = str(alter)
