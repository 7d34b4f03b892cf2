"""A score written as ABC."""

from collections.abc import Iterator
from fractions import Fraction

from yardkit.servers.music.engine.score import Event, KeySignature, Measure, Part, Pitch, Score, Sign
from yardkit.servers.music.engine.signs import ABC_WRITTEN, MARKS, split_clef

_UNIT = Fraction(1, 8)
_BARS_A_LINE = 4
_SIGNS = {-2: "__", -1: "_", 0: "=", 1: "^", 2: "^^"}
_END_SIGNS = ("fine", "to coda", "da capo", "dal segno", "wedge end")


def write_abc(score: Score) -> str:
    """A score as a tune in ABC. Each voice of a part becomes a voice of the tune."""
    first = score.parts[0].measures[0]
    head = ["X:1", f"T:{_clean_line(score.title) or 'Untitled'}"]
    head += [f"C:{_clean_line(score.composer)}"] if score.composer else []
    head += [f"M:{first.meter[0]}/{first.meter[1]}", "L:1/8"]
    head += [f"Q:1/4={bpm:.9g}" for place, bpm in first.tempos if not place][:1]
    voices = [(part, index) for part in score.parts for index in range(_count_voices(part))]
    body: list[str] = []
    for number, (part, index) in enumerate(voices, start=1):
        several = len(voices) > 1
        if several:
            name = _clean_line(part.name).replace('"', "'")
            lower = f" transpose={part.transpose}" if part.transpose else ""
            head.append(f'V:{number}{lower}{_format_clef(part.clef)} name="{name if index == 0 else ""}"')
        elif part.transpose or part.clef != "treble" or part.name:
            name = _clean_line(part.name).replace('"', "'")
            lower = f" transpose={part.transpose}" if part.transpose else ""
            head.append(f'V:1{lower}{_format_clef(part.clef)} name="{name}"')
        body += [f"V:{number}"] if several else []
        body += ["%%MIDI channel 10"] if part.drums else [f"%%MIDI program {part.program}"]
        body += _VoiceWriter(part, index, first.key, tempos=number == 1).iter_lines()
    return "\n".join([*head, f"K:{_format_key(first.key)}", *body]) + "\n"


def _format_clef(clef: str) -> str:
    return "" if clef == "treble" else f" clef={clef}"


def _count_voices(part: Part) -> int:
    return max((len(measure.voices) for measure in part.measures), default=1)


def _clean_line(text: str) -> str:
    return " ".join(text.replace("%", "").split())


def _format_key(key: KeySignature) -> str:
    names = ["Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#"]
    extra = "".join(f" {_SIGNS[alter]}{step.lower()}" for step, alter in key.altered)
    return f"{names[key.fifths + 7 + 3 * key.minor]}{'m' if key.minor else ''}{extra}"


class _VoiceWriter:
    """Writes one voice of a part."""

    def __init__(self, part: Part, index: int, key: KeySignature, *, tempos: bool) -> None:
        self.part, self.index, self.key, self.tempos = part, index, key, tempos
        self._altered: dict[str, int] = {}
        self._tied: frozenset[Pitch] = frozenset()
        self._octaves = split_clef(part.clef)[1]

    def iter_lines(self) -> Iterator[str]:
        """Four bars a line, and the words below, a line for each verse."""
        line, bars = list[str](), list[Measure]()
        before: Measure | None = None
        for number, measure in enumerate(self.part.measures, start=1):
            after = self.part.measures[number] if number < len(self.part.measures) else None
            line.append(self._write_bar(measure, before) + _bar_line(measure, after))
            bars.append(measure)
            before = measure
            if len(line) == _BARS_A_LINE or after is None:
                yield " ".join(line)
                yield from self._write_words(bars)
                line, bars = [], []

    def _write_bar(self, measure: Measure, before: Measure | None) -> str:
        self._altered = {}
        text = "|:" if measure.repeat_starts and before is None else ""
        text += f"[{','.join(map(str, measure.endings))} " if measure.endings else ""
        if before is not None and before.meter != measure.meter:
            text += f"[M:{measure.meter[0]}/{measure.meter[1]}]"
        if measure.key != (before.key if before else self.key):
            text += f"[K:{_format_key(measure.key)}]"
        if measure.clef:
            self._octaves = split_clef(measure.clef)[1]
            text += f"[K:clef={measure.clef}]"
        voice = self._get_events(measure) or [Event(measure.duration or measure.full, hidden=True)]
        signs = self._list_signs(measure, is_first=before is None)
        at = Fraction(0)
        for index, event in enumerate(voice):
            end = at + event.duration
            due = [sign for sign in signs if sign[1] < end or (sign[1] == end and sign[2] and end < measure.duration)]
            signs = signs[len(due) :]
            text += "".join(sign[0] for sign in due)
            text += _format_tuplet(voice[index:]) + self._write_event(event, measure.key)
            at = end
            if event.beam_ends or at % Fraction(1, 4) == 0:
                text += " "
        return text.rstrip() + " " + "".join(sign[0] for sign in signs)

    def _get_events(self, measure: Measure) -> list[Event]:
        return measure.voices[self.index] if self.index < len(measure.voices) else []

    def _list_signs(self, measure: Measure, *, is_first: bool) -> list[tuple[str, Fraction, bool]]:
        """What is written between notes: a text, its place, and whether it holds behind the note that follows it.

        Signs at the beginning of a bar that hold for all of it are written at its end.
        """
        if self.index:
            return []
        tempos = measure.tempos if self.tempos else []
        signs = [(f"[Q:1/4={bpm:.9g}]", place, False) for place, bpm in tempos if place or not is_first]
        for sign in measure.signs:
            is_end = sign.kind in _END_SIGNS
            place = sign.offset if sign.offset or not is_end or sign.kind == "wedge end" else measure.duration
            signs.append((_format_sign(sign), place, is_end))
        return sorted(signs, key=lambda sign: sign[1])

    def _write_event(self, event: Event, key: KeySignature) -> str:
        text = "(" * event.slurs[0] + (f'"{event.chord}"' if event.chord else "")
        text += "".join(
            f"!{MARKS[mark][1]}!" if MARKS[mark][1] != "." else "." for mark in event.marks if MARKS[mark][1]
        )
        if event.grace:
            graces = ("".join(self._write_pitch(pitch, key) for pitch in pitches) for pitches in event.grace)
            chords = (
                f"[{name}]" if len(pitches) > 1 else name for name, pitches in zip(graces, event.grace, strict=True)
            )
            text += f"{{{'/' if event.grace_slashed else ''}{''.join(chords)}}}"
        length = event.duration * event.tuplet[0] / event.tuplet[1] if event.tuplet else event.duration
        text += self._write_sound(event, key, _format_length(length)) + ")" * event.slurs[1]
        self._tied = event.tied
        return text

    def _write_sound(self, event: Event, key: KeySignature, length: str) -> str:
        """The pitches of an event with its length."""
        if not event.pitches:
            return ("x" if event.hidden else "z") + length
        names = [self._write_pitch(pitch, key) + ("-" if pitch in event.tied else "") for pitch in event.pitches]
        if len(names) == 1:
            return names[0].removesuffix("-") + length + ("-" if event.tied else "")
        return f"[{''.join(names)}]{length}"

    def _write_pitch(self, pitch: Pitch, key: KeySignature) -> str:
        tied_alters = [tied.alter for tied in self._tied if tied.is_at(pitch.step, pitch.octave)]
        expected = self._altered.get(pitch.step, tied_alters[0] if tied_alters else key.alter_of(pitch.step))
        sign = ""
        if expected != pitch.alter:
            sign = _SIGNS[pitch.alter]
            self._altered[pitch.step] = pitch.alter
        octave = pitch.octave - self._octaves
        letter = pitch.step if octave < 5 else pitch.step.lower()
        return sign + letter + "," * (4 - octave) + "'" * (octave - 5)

    def _write_words(self, bars: list[Measure]) -> Iterator[str]:
        """A line for each verse; * for a note without a syllable."""
        notes = ([event for event in self._get_events(bar) if event.pitches] for bar in bars)
        sung = [[event.lyrics for event in events] for events in notes if events]
        verses = max((len(lyrics) for bar in sung for lyrics in bar), default=0)
        for verse in range(verses):
            words = [[_format_syllable(lyrics[verse] if verse < len(lyrics) else "") for lyrics in bar] for bar in sung]
            yield "w: " + " | ".join(" ".join(bar) for bar in words)


def _format_syllable(syllable: str) -> str:
    """A syllable, whose blanks and dashes are not those between syllables."""
    goes_on = syllable.endswith("-")
    bare = _clean_line(syllable.removesuffix("-")).replace("-", "\\-").replace(" ", "~")
    bare = bare.replace("*", "").replace("_", "").replace("|", "")
    return (bare + "-" * goes_on) or "*"


def _format_sign(sign: Sign) -> str:
    if sign.kind == "dynamics":
        return f"!{sign.text}!"
    if sign.kind == "rehearsal":
        return f"[P:{_clean_line(sign.text).replace(']', '')}]"
    if sign.kind == "pedal":
        return "!ped!" if sign.text == "down" else "!ped-up!"
    if sign.kind in ABC_WRITTEN and not (sign.text and sign.kind not in ("fine", "to coda")):
        return f"!{ABC_WRITTEN[sign.kind]}!"
    return f'"^{_clean_line(sign.text or sign.kind).replace(chr(34), chr(39))}"'


def _format_tuplet(events: list[Event]) -> str:
    """What stands before the first event, if a tuplet begins with it."""
    first = events[0]
    if not first.tuplet or not first.tuplet_starts:
        return ""
    count = next((number for number, event in enumerate(events, start=1) if event.tuplet_stops), len(events))
    return f"({first.tuplet[0]}:{first.tuplet[1]}:{count}"


def _format_length(length: Fraction) -> str:
    ratio = length / _UNIT
    if ratio == 1:
        return ""
    if ratio.denominator == 1:
        return str(ratio.numerator)
    return f"{ratio.numerator if ratio.numerator != 1 else ''}/{ratio.denominator if ratio.denominator != 2 else ''}"


def _bar_line(measure: Measure, after: Measure | None) -> str:
    """The line behind a bar, with the beginning of what is repeated next."""
    if measure.repeat_times:
        return ":" * (measure.repeat_times - 1) + "|" + (":" if after and after.repeat_starts else "")
    if after is None:
        return "|]"
    if after.repeat_starts:
        return "|:"
    return "||" if measure.section_ends else "|"
