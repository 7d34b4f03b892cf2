"""A score written as ABC."""

from collections.abc import Iterator
from fractions import Fraction

from yardkit.servers.music.engine.score import Event, KeySignature, Measure, Part, Pitch, Score

_UNIT = Fraction(1, 8)
_BARS_A_LINE = 4
_SIGNS = {-2: "__", -1: "_", 0: "=", 1: "^", 2: "^^"}
_CLEFS = {"treble": "", "bass": " clef=bass", "perc": " clef=perc"}


def write_abc(score: Score) -> str:
    """A score as a tune in ABC. Each voice of a part becomes a voice of the tune."""
    first = score.parts[0].measures[0]
    head = ["X:1", f"T:{_clean_line(score.title) or 'Untitled'}"]
    head += [f"C:{_clean_line(score.composer)}"] if score.composer else []
    head += [f"M:{first.meter[0]}/{first.meter[1]}", "L:1/8"]
    head += [f"Q:1/4={first.tempos[0][1]:g}"] if first.tempos else []
    voices = [(part, index) for part in score.parts for index in range(_count_voices(part))]
    body: list[str] = []
    for number, (part, index) in enumerate(voices, start=1):
        several = len(voices) > 1
        if several:
            name = _clean_line(part.name).replace('"', "'")
            lower = f" transpose={part.transpose}" if part.transpose else ""
            head.append(f'V:{number}{lower}{_CLEFS.get(part.clef, "")} name="{name if index == 0 else ""}"')
        body += [f"V:{number}"] if several else []
        body += ["%%MIDI channel 10"] if part.drums else [f"%%MIDI program {part.program}"]
        body += _VoiceWriter(part, index, tempos=number == 1).iter_lines()
    return "\n".join([*head, f"K:{_format_key(first.key)}", *body]) + "\n"


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

    def __init__(self, part: Part, index: int, *, tempos: bool) -> None:
        self.part, self.index, self.tempos = part, index, tempos
        self._altered: dict[str, int] = {}

    def iter_lines(self) -> Iterator[str]:
        """Four bars a line, and the words below."""
        line, words, sung = list[str](), list[str](), False
        before: Measure | None = None
        for number, measure in enumerate(self.part.measures, start=1):
            after = self.part.measures[number] if number < len(self.part.measures) else None
            line.append(self._write_bar(measure, before) + _bar_line(measure, after))
            words.append(self._write_words(measure))
            before = measure
            if len(line) == _BARS_A_LINE or after is None:
                yield " ".join(line)
                sung = any(set(part) - set("* |") for part in words)
                if sung:
                    yield "w: " + " | ".join(words)
                line, words = [], []

    def _write_bar(self, measure: Measure, before: Measure | None) -> str:
        self._altered = {}
        text = "|:" if measure.repeat_starts and before is None else ""
        text += f"[{','.join(map(str, measure.endings))} " if measure.endings else ""
        if before is not None and before.meter != measure.meter:
            text += f"[M:{measure.meter[0]}/{measure.meter[1]}]"
        if before is not None and before.key != measure.key:
            text += f"[K:{_format_key(measure.key)}]"
        changes = dict(
            measure.tempos if self.tempos and before is not None else measure.tempos[1:] if self.tempos else ()
        )
        voice = (
            measure.voices[self.index] if self.index < len(measure.voices) else [Event(measure.duration, hidden=True)]
        )
        at = Fraction(0)
        for index, event in enumerate(voice):
            due = [place for place in changes if place <= at]
            for place in due:
                text += f"[Q:1/4={changes.pop(place):g}]"
            text += _format_tuplet(voice[index:]) + self._write_event(event, measure.key)
            at += event.duration
            if event.beam_ends or at % Fraction(1, 4) == 0:
                text += " "
        return text.rstrip() + " "

    def _write_event(self, event: Event, key: KeySignature) -> str:
        text = f'"{event.chord}"' if event.chord else ""
        length = event.duration * event.tuplet[0] / event.tuplet[1] if event.tuplet else event.duration
        if not event.pitches:
            return text + ("x" if event.hidden else "z") + _format_length(length)
        names = [self._write_pitch(pitch, key) + ("-" if pitch in event.tied else "") for pitch in event.pitches]
        if len(names) == 1:
            tie = "-" if event.tied else ""
            return text + names[0].removesuffix("-") + _format_length(length) + tie
        return text + f"[{''.join(names)}]{_format_length(length)}"

    def _write_pitch(self, pitch: Pitch, key: KeySignature) -> str:
        expected = self._altered.get(pitch.step, key.alter_of(pitch.step))
        sign = "" if expected == pitch.alter else _SIGNS[pitch.alter]
        self._altered[pitch.step] = pitch.alter
        letter = pitch.step if pitch.octave < 5 else pitch.step.lower()
        return sign + letter + "," * (4 - pitch.octave) + "'" * (pitch.octave - 5)

    def _write_words(self, measure: Measure) -> str:
        """Syllables of the first verse; * for a note without one."""
        voice = measure.voices[self.index] if self.index < len(measure.voices) else []
        syllables = [event.lyrics[0] if event.lyrics else "" for event in voice if event.pitches]
        return " ".join(syllable.replace(" ", "~") or "*" for syllable in syllables)


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
