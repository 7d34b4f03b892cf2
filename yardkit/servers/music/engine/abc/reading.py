"""A tune in ABC, read into a score."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import takewhile

from yardkit.servers.music.engine.abc.fields import (
    VoiceField,
    decode_accents,
    default_unit,
    read_key,
    read_meter,
    read_options,
    read_tempo,
    read_tempo_words,
    read_unit,
    read_voice,
)
from yardkit.servers.music.engine.abc.voices import MusicError, VoiceReader
from yardkit.servers.music.engine.abc.words import assign_syllables
from yardkit.servers.music.engine.instruments import DRUM_CHANNEL
from yardkit.servers.music.engine.score import KeySignature, Measure, Part, Score
from yardkit.servers.music.engine.song import MAX_TRACKS
from yardkit.world import Problem

MAX_CHARACTERS, MAX_LINE = 400_000, 4_000
_FIELD = re.compile(r"^([A-Za-z+]):(.*)$")
_INLINE = re.compile(r"\[([A-Za-z]):([^\]]*)\]")
_MIDI = re.compile(r"^%%\s*MIDI\s+(\w+)\s*(.*)$")
_TEXT_FIELDS = set("ABDFGHNORSZWrsmUIPXE")
_UNUSED_FIELDS = {
    **{name: f"{name}: fields" for name in "ABDFGHNORSZ"},
    "W": "W: lines of words",
    "s": "s: symbol lines",
    "m": "m: macros",
}
_USER_LETTER = re.compile(r"^([H-Wh-w~])\s*=\s*!?([^!\s]+)!?")
_TEXT_BLOCK = re.compile(r"^%%\s*begin(text|ps|svg)")
_PLAYED_DIRECTIVES = ("score", "staves", "propagate-accidentals", "percmap", "map")
_MAX_LISTED = 6


def read_abc(text: str) -> Score:
    """The first tune of a text.

    Raises:
        Problem: it is not ABC, with line and column; or is beyond the limits.
    """
    if len(text) > MAX_CHARACTERS:
        raise Problem(f"the tune has {len(text):,} characters; the limit is {MAX_CHARACTERS:,}")
    reader = _TuneReader()
    for number, line in enumerate(_join_continued(text.splitlines()), start=1):
        try:
            if not reader.take_line(line, number):
                break
        except MusicError as error:
            raise Problem(f"line {number}, column {error.column}: {error}") from error
        except Problem as error:
            raise Problem(f"line {number}: {error}") from error
    return reader.score()


class _TuneReader:
    """Takes line after line; the header ends with K:."""

    def __init__(self) -> None:
        self.key = KeySignature()
        self.header_meter: tuple[int, int] | None = (4, 4)
        self.unit: Fraction | None = None
        self.tempo = ""
        self.in_body, self.tunes, self.line = False, 0, 0
        self.made = Score()
        self.voices: dict[str, VoiceReader] = {}
        self.options: dict[str, VoiceField] = {}
        self.programs: dict[str, list[tuple[str, str]]] = {}
        self.current = ""
        self.other = VoiceField("")
        self.letters: dict[str, str] = {}
        self._block = ""

    def take_line(self, line: str, number: int) -> bool:
        """Take a line; False where a second tune begins."""
        self.line = number
        if len(line) > MAX_LINE:
            raise Problem(f"the line has {len(line):,} characters; the limit is {MAX_LINE:,}")
        if self._skips_text(line):
            return True
        if directive := _MIDI.match(line):
            self._read_directive(directive.group(1), directive.group(2))
            return True
        bare = _without_comment(line).rstrip()
        if not bare.strip():
            return True
        if field := _FIELD.match(bare):
            return self._read_field(field.group(1), field.group(2).strip())
        if not self.in_body:
            if self.tunes:
                raise Problem("there is music before K:; the header must end with a line such as K:C")
            raise Problem(f"{bare.strip()[:40]!r} is not valid ABC; a tune begins with X:1, T:title, M:4/4, L:1/8, K:C")
        self._read_music(bare)
        return True

    def _skips_text(self, line: str) -> bool:
        """Whether a line belongs to a block of text, or is a directive that is not for MIDI."""
        if self._block:
            self._block = "" if line.startswith(f"%%end{self._block}") else self._block
            return True
        if block := _TEXT_BLOCK.match(line):
            self._block = block.group(1)
            return True
        if line.startswith("%%") and line[2:].split()[:1] in [[name] for name in _PLAYED_DIRECTIVES]:
            self.made.left_out[f"%%{line[2:].split()[0]} lines"] += 1
        return False

    def _read_field(self, name: str, text: str) -> bool:
        if name == "X":
            self.tunes += 1
            if self.in_body:
                self.made.notes.append("the text contains several tunes; only the first is read")
                return False
        elif name == "w" and self.in_body:
            self._read_words(text)
        elif name in ("T", "C"):
            self._read_heading(name, text)
        elif name in ("K", "M", "L", "Q", "V"):
            self.tunes = self.tunes or 1
            self._read_musical(name, text)
        elif name not in _TEXT_FIELDS and name != "+":
            raise Problem(f"{name}: is not a supported ABC field")
        else:
            self._read_other(name, text)
        return True

    def _read_other(self, name: str, text: str) -> None:
        """Fields that are not played."""
        if name == "P" and self.in_body:
            self._get_voice().add_sign("rehearsal", text[:40])
        elif name == "P" and len(text) > 1:
            self.made.notes.append(f"the part order P:{text[:40]} is ignored; parts are played as written")
        elif name == "U" and (letter := _USER_LETTER.match(text)):
            self.letters[letter.group(1)] = letter.group(2)
        elif name == "I" and text.lower().startswith("midi"):
            self._read_instruction(text)
        elif name in _UNUSED_FIELDS and text:
            self.made.left_out[_UNUSED_FIELDS[name]] += 1

    def _read_instruction(self, text: str) -> None:
        name, _, value = text[4:].strip(" =").partition(" ")
        self._read_directive(name, value)

    def _read_heading(self, name: str, text: str) -> None:
        self.tunes = self.tunes or 1
        if name == "T":
            self.made.title = self.made.title or decode_accents(text[:200])
        else:
            self.made.composer = self.made.composer or decode_accents(text[:200])

    def _read_musical(self, name: str, text: str) -> None:
        if self.in_body:
            self._change_field(name, text)
        elif name == "K":
            self.key, self.other, self.in_body = read_key(text, self.key), read_options(text), True
            self.made.left_out.update(self.other.unknown)
        elif name == "M":
            self.header_meter = read_meter(text)
        elif name == "L":
            self.unit = read_unit(text)
        elif name == "Q":
            self.tempo = text
        else:
            self._declare_voice(text)

    def _declare_voice(self, text: str) -> str:
        field = read_voice(text)
        self.made.left_out.update(field.unknown)
        before = self.options.get(field.voice, field)
        if field.name or field.clef or field.octave or field.transpose or field.voice not in self.options:
            self.options[field.voice] = VoiceField(
                field.voice,
                field.name or before.name,
                field.clef or before.clef,
                field.octave or before.octave,
                field.transpose or before.transpose,
            )
        if len(self.options) > MAX_TRACKS:
            raise Problem(f"there are more than {MAX_TRACKS} voices")
        self.current = field.voice
        return field.voice

    def _change_field(self, name: str, text: str) -> None:
        """A field in the music."""
        if name == "V":
            self._declare_voice(text)
            self._dress_voice(self._get_voice(), self.options[self.current])
            return
        voice = self._get_voice()
        if name == "K":
            voice.key = read_key(text, voice.key)
            options = read_options(text)
            self.made.left_out.update(options.unknown)
            self._dress_voice(voice, options)
        elif name == "M":
            voice.meter = read_meter(text)
        elif name == "L":
            voice.unit = read_unit(text)
        else:
            self._set_tempo(voice, text)

    def _set_tempo(self, voice: VoiceReader, text: str) -> None:
        bpm, words = read_tempo(text, voice.unit), read_tempo_words(text)
        voice.tempo = voice.tempo if bpm is None else bpm
        if words:
            voice.add_sign("words", words)
        if bpm is None and words:
            self.made.notes.append(f"the tempo {words!r} has no number, so it does not change how fast it is played")

    def _get_voice(self) -> VoiceReader:
        """The voice that is written now."""
        if not self.current and len(self.options) and not self.voices:
            self.current = next(iter(self.options))
        if self.current not in self.voices:
            unit = self.unit or default_unit(self.header_meter)
            voice = VoiceReader(self.key, self.header_meter, unit)
            voice.letters, voice.left_out = self.letters, self.made.left_out
            if not self.voices and self.tempo:
                self._set_tempo(voice, self.tempo)
            self._dress_voice(voice, self.other)
            self._dress_voice(voice, self.options.get(self.current, VoiceField(self.current)))
            for name, text in [
                *self.programs.get("", []),
                *(self.programs.get(self.current, []) if self.current else []),
            ]:
                _set_midi(voice.part, name, text)
            self.voices[self.current] = voice
        return self.voices[self.current]

    @staticmethod
    def _dress_voice(voice: VoiceReader, field: VoiceField) -> None:
        part = voice.part
        part.name = field.name[:60] or part.name
        if field.clef:
            voice.set_clef(field.clef)
        part.drums = part.drums or part.clef == "perc"
        part.transpose = field.transpose or part.transpose
        voice.octave = field.octave or voice.octave

    def _read_directive(self, name: str, text: str) -> None:
        if name not in ("program", "channel", "transpose"):
            self.made.left_out[f"%%MIDI {name} lines"] += 1
            return
        if self.in_body and self.voices:
            _set_midi(self._get_voice().part, name, text)
        else:
            self.programs.setdefault(self.current, []).append((name, text))

    def _read_music(self, text: str) -> None:
        """A line of music, with fields in it."""
        self._get_voice().line_notes, self._get_voice().verse = [], 0
        at = 0
        for field in _INLINE.finditer(text):
            self._read_notes(text[: field.start()], at)
            self._inline(field.group(1), field.group(2).strip())
            at = field.end()
        self._read_notes(text, at)
        if not text.endswith("\\"):
            for voice in self.voices.values():
                voice._read_token(" ", 0)

    def _read_notes(self, text: str, begin: int) -> None:
        # Blanks in place of what was read keep the columns of what is told.
        self._get_voice().read(" " * min(begin, 1) * begin + text[begin:], self.line)

    def _inline(self, name: str, text: str) -> None:
        if name in "KMLQV":
            self._change_field(name, text)
        else:
            self._read_other(name, text)

    def _read_words(self, text: str) -> None:
        voice = self._get_voice()
        voice.verse += 1
        if not assign_syllables(voice.line_notes, decode_accents(text), voice.verse):
            self.made.notes.append(f"line {self.line}: there are more syllables than notes")

    def score(self) -> Score:
        """What was read, with what looks wrong in it."""
        if not self.in_body:
            raise Problem("the text has no K:; an ABC tune needs a header that ends with a line such as K:C")
        named = [voice for voice in self.voices.values() if voice.events]
        if not named:
            raise Problem("the tune has a header but no music; write notes below K:, such as CDEF|")
        self.made.parts = [voice.close() for voice in named]
        self.made.notes += _bar_faults(self.made.parts)
        return self.made


def _join_continued(lines: list[str]) -> Iterator[str]:
    """Lines, each with the fields +: that continue it; these become empty, so that the numbers of lines stay."""
    for at, line in enumerate(lines):
        later = takewhile(lambda following: following.startswith("+:"), lines[at + 1 :])
        yield "" if line.startswith("+:") and at else " ".join([line, *(part[2:].strip() for part in later)])


def _set_midi(part: Part, name: str, text: str) -> None:
    numbers = [int(word) for word in text.split() if word.lstrip("-").isdecimal() and len(word) < 5]
    if not numbers:
        raise Problem(f"%%MIDI {name} {text[:40]} has no number")
    if name == "transpose":
        part.transpose = max(-48, min(48, numbers[0]))
    elif name == "channel":
        part.drums = numbers[0] == DRUM_CHANNEL + 1
    elif not 0 <= numbers[-1] <= 127:
        raise Problem(f"{numbers[-1]} is not a valid %%MIDI program; use 0 to 127")
    else:
        part.program = numbers[-1]


def _without_comment(line: str) -> str:
    """A line up to its %, which starts a comment where no backslash stands before it."""
    return re.split(r"(?<!\\)%", line, maxsplit=1)[0]


def _bar_faults(parts: list[Part]) -> list[str]:
    """Bars that are not as long as their metre says, and voices of different lengths."""
    faults = []
    for number, part in enumerate(parts, start=1):
        who = f" of voice {number}" if len(parts) > 1 else ""
        for index, measure in _list_irregular_bars(part.measures):
            faults.append(
                f"bar {index + 1}{who} (line {measure.line}) lasts {measure.duration} whole notes; its time "
                f"signature {measure.meter[0]}/{measure.meter[1]} needs {measure.full}"
            )
    lengths = [sum((measure.duration for measure in part.measures), Fraction(0)) for part in parts]
    if len(set(lengths)) > 1:
        faults.append(f"the voices have different lengths: {', '.join(map(str, lengths))} whole notes without repeats")
    more = [f"and {len(faults) - _MAX_LISTED} more such bars"] if len(faults) > _MAX_LISTED else []
    return faults[:_MAX_LISTED] + more


def _list_irregular_bars(measures: list[Measure]) -> Iterator[tuple[int, Measure]]:
    """Too long, or too short where no upbeat can be."""
    for index, measure in enumerate(measures):
        after = measures[index + 1] if index + 1 < len(measures) else None
        before = measures[index - 1] if index else None
        edge = before is None or after is None or before.section_ends or measure.section_ends or measure.repeat_starts
        edge = edge or bool(measure.endings or (after and (after.repeat_starts or after.endings)))
        if measure.duration > measure.full or (measure.duration < measure.full and not edge):
            yield index, measure
