"""MIDI files read and written. mido (MIT, pure Python, no dependencies but `packaging`) parses their bytes."""

import io
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from yardkit.programs.bounded import run_bounded
from yardkit.servers.music.engine.song import DEFAULT_BPM, MAX_NOTES, Key, Meter, Note, Song, Track, sorted_track
from yardkit.world import Problem, save_atomically
from yardkit.world.limits import check_bytes

PRELOAD = ("mido",)
MAX_BYTES = 4_000_000
SUFFIXES = (".mid", ".midi")
_SECONDS, _MEMORY_BYTES = 60.0, 1_500_000_000
_TEXTS = {"text": "texts", "marker": "markers", "cue_marker": "cue points"}
_BPM = (1.0, 2000.0)
_MAX_TICK = 2**40
_KEYS = ["Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#"]
_MINOR_KEYS = ["Abm", "Ebm", "Bbm", "Fm", "Cm", "Gm", "Dm", "Am", "Em", "Bm", "F#m", "C#m", "G#m", "D#m", "A#m"]


def read_song(path: Path) -> Song:
    """The music of a MIDI file.

    Raises:
        Problem: it is not a MIDI file, is damaged, or is beyond the limits of `song`.
    """
    check_bytes(path, MAX_BYTES)
    return read_midi_bytes(path.read_bytes(), path.name)


def read_midi_bytes(data: bytes, name: str) -> Song:
    """The music in the bytes of a MIDI file. Raises what `read_song` raises."""
    song: Song = run_bounded(_read_midi, data, name, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True)
    return song


def write_song(song: Song, target: Path) -> None:
    """Write music as a MIDI file of format 1.

    Raises:
        Problem: the name does not end with .mid, or the music is beyond the limits.
    """
    if target.suffix.lower() not in SUFFIXES:
        raise Problem(f"{target.name!r} must end with .mid")
    data = midi_bytes(song.check())
    with save_atomically(target) as draft:
        draft.write_bytes(data)


def _read_midi(data: bytes, name: str) -> Song:
    import mido

    if data[:4] != b"MThd":
        raise Problem(f"{name!r} is not a MIDI file: it does not begin with MThd; give a .mid")
    try:
        file = mido.MidiFile(file=io.BytesIO(data), clip=True)
    except EOFError as error:
        raise Problem(f"{name!r} is truncated; get a complete copy") from error
    except (OSError, ValueError, IndexError, KeyError, TypeError, AttributeError, mido.KeySignatureError) as error:
        raise Problem(f"{name!r} cannot be read as MIDI ({str(error)[:200]}); it is damaged") from error
    if file.ticks_per_beat <= 0:
        raise Problem(f"{name!r} counts time in SMPTE frames, not in beats; save it with beats")
    if file.type not in (0, 1):
        raise Problem(f"{name!r} is MIDI format {file.type}, whose tracks are independent; use format 0 or 1")
    return _Reader(name, file).read_song().check()


class _Reader:
    """Turns mido's messages into a song."""

    def __init__(self, name: str, file: Any) -> None:
        self.name, self.file = name, file
        self.tempos: dict[int, float] = {}
        self.meters: dict[int, Meter] = {}
        self.keys: dict[int, Key] = {}
        self.tracks: list[Track] = []
        self.notes, self.ignored, self.title = 0, dict[str, int](), ""
        self._loose_lyrics: list[tuple[int, str]] = []

    def read_song(self) -> Song:
        for number, messages in enumerate(self.file.tracks):
            self._read_track(number, messages)
        self._place_loose_lyrics()
        self.tempos.setdefault(0, DEFAULT_BPM)
        self.meters.setdefault(0, Meter(0, 4, 4))
        ignored = tuple(f"{count} {what} left out" for what, count in self.ignored.items())
        return Song(
            self.file.ticks_per_beat,
            tuple(self.tracks),
            tuple(sorted(self.tempos.items())),
            tuple(self.meters[tick] for tick in sorted(self.meters)),
            tuple(self.keys[tick] for tick in sorted(self.keys)),
            self.title,
            ignored,
        )

    def _read_track(self, number: int, messages: Iterable[Any]) -> None:
        channels: dict[int, _Channel] = {}
        name, sung, tick = "", list[tuple[int, str]](), 0
        for message in messages:
            tick += message.time
            if tick > _MAX_TICK:
                raise Problem(f"{self.name!r} has a message after {tick:,} ticks; it is damaged")
            if message.is_meta:
                if message.type == "track_name":
                    name = name or _decode_text(message.name)
                elif message.type == "lyrics":
                    sung.append((tick, message.text))
                else:
                    self._read_meta(tick, message)
            elif hasattr(message, "channel"):
                channels.setdefault(message.channel, _Channel()).take_message(tick, message)
            else:
                self._count_ignored("system messages")
        self.title = self.title or (name if number == 0 else "")
        lyrics = _join_syllables(sung)
        if lyrics and not any(channel.has_notes for channel in channels.values()):
            self._loose_lyrics += lyrics
        self._add_tracks(channels, name, lyrics)

    def _place_loose_lyrics(self) -> None:
        """Give words of a track without notes, as in karaoke, to the track whose notes begin with most of them."""
        if not self._loose_lyrics:
            return
        ticks = {tick for tick, _ in self._loose_lyrics}
        matches = [len(ticks & {note.start for note in track.notes}) for track in self.tracks]
        best = max(range(len(matches)), key=lambda index: (matches[index], -index), default=0)
        if not matches or matches[best] * 2 < len(ticks) or self.tracks[best].lyrics:
            self._count_ignored("syllables without notes", len(self._loose_lyrics))
        else:
            self.tracks[best] = sorted_track(replace(self.tracks[best], lyrics=tuple(self._loose_lyrics)))

    def _add_tracks(self, channels: dict[int, "_Channel"], name: str, lyrics: list[tuple[int, str]]) -> None:
        for order, (channel, channel_notes) in enumerate(sorted(channels.items())):
            channel_notes.finish()
            if channel_notes.hanging:
                self._count_ignored("notes that never end", channel_notes.hanging)
            self.notes += len(channel_notes.notes)
            if self.notes > MAX_NOTES:
                raise Problem(f"{self.name!r} has more than {MAX_NOTES:,} notes; split it")
            if channel_notes.notes:
                words = tuple(lyrics) if order == 0 else ()
                track = Track(
                    name, channel, channel_notes.program, tuple(channel_notes.notes), tuple(channel_notes.events), words
                )
                self.tracks.append(sorted_track(track))

    def _read_meta(self, tick: int, message: Any) -> None:
        if message.type == "set_tempo":
            bpm = _compute_bpm(message.tempo)
            if _BPM[0] <= bpm <= _BPM[1]:
                self.tempos[tick] = bpm
            else:
                self._count_ignored("impossible tempos")
        elif message.type == "time_signature":
            if message.numerator and message.denominator <= 64:
                self.meters[tick] = Meter(tick, message.numerator, message.denominator)
            else:
                self._count_ignored("impossible metres")
        elif message.type == "key_signature":
            minor = message.key.endswith("m")
            names = _MINOR_KEYS if minor else _KEYS
            if message.key in names:
                self.keys[tick] = Key(tick, names.index(message.key) - 7, minor)
        elif message.type in _TEXTS and message.text.strip():
            self._count_ignored(_TEXTS[message.type])

    def _count_ignored(self, what: str, count: int = 1) -> None:
        self.ignored[what] = self.ignored.get(what, 0) + count


def _compute_bpm(microseconds: int) -> float:
    """Quarters a minute, as round as a number can be that gives these microseconds a quarter."""
    if not microseconds:
        return 0.0
    exact = 60e6 / microseconds
    rounded = (round(exact, digits) for digits in range(4))
    return next((bpm for bpm in rounded if bpm and round(60e6 / bpm) == microseconds), exact)


class _Channel:
    """Notes and events of one channel as they come in."""

    def __init__(self) -> None:
        self.notes: list[Note] = []
        self.events: list[tuple[int, bytes]] = []
        self.program, self.has_program, self.hanging = 0, False, 0
        self._sounding: dict[int, list[tuple[int, int]]] = {}
        self._tick = 0

    def take_message(self, tick: int, message: Any) -> None:
        self._tick = tick
        if message.type == "note_on" and message.velocity:
            self._sounding.setdefault(message.note, []).append((tick, message.velocity))
        elif message.type in ("note_on", "note_off"):
            if self._sounding.get(message.note):
                start, velocity = self._sounding[message.note].pop(0)
                self.notes.append(Note(start, message.note, max(1, tick - start), velocity))
        else:
            if message.type == "program_change" and not self.has_program:
                self.program, self.has_program = message.program, True
                if not self.notes and not any(self._sounding.values()):
                    return
            self.events.append((tick, bytes(message.bin())))

    @property
    def has_notes(self) -> bool:
        return bool(self.notes or self._sounding)

    def finish(self) -> None:
        """Let notes that were never ended end with the track."""
        for pitch, sounding_notes in self._sounding.items():
            for start, velocity in sounding_notes:
                self.hanging += 1
                self.notes.append(Note(start, pitch, max(1, self._tick - start), velocity))


def _decode_text(text: str) -> str:
    """Text of a file, which does not say how it is encoded: UTF-8 where it can be, else Latin-1; one line."""
    with suppress(UnicodeError):
        text = text.encode("latin-1").decode("utf-8")
    return "".join(letter for letter in " ".join(text.split()) if letter.isprintable())[:200]


def _join_syllables(sung: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Syllables, of which each that goes on in the next ends with a dash.

    Where blanks divide words, as in most files, a syllable without one behind it goes on.
    """
    bare = [(tick, _decode_text(text.strip("/\\\r\n"))) for tick, text in sung]
    has_blanks = any(text[:1].isspace() or text[-1:].isspace() for _, text in sung)
    syllables = []
    for index, (tick, text) in enumerate(bare):
        raw, after = sung[index][1], sung[index + 1][1] if index + 1 < len(sung) else " "
        ends_word = raw[-1:].isspace() or after[:1].isspace() or after[:1] in ("/", "\\") or text.endswith("-")
        if text.strip("-"):
            syllables.append((tick, text if ends_word or not has_blanks else f"{text}-"))
    return syllables


def midi_bytes(song: Song) -> bytes:
    """Music as the bytes of a MIDI file of format 1: a track of tempos and metres, then the tracks."""
    import mido

    file = mido.MidiFile(type=1, ticks_per_beat=song.ticks, charset="utf-8")
    for messages in (_write_conductor(song), *(_track_messages(track) for track in song.tracks)):
        track, last = mido.MidiTrack(), 0
        for tick, _, message in sorted(messages, key=lambda timed: timed[:2]):
            message.time, last = tick - last, tick
            track.append(message)
        track.append(mido.MetaMessage("end_of_track"))
        file.tracks.append(track)
    packed = io.BytesIO()
    file.save(file=packed)
    return packed.getvalue()


_Timed = tuple[int, int, Any]
"""A tick, the order among messages of one tick, and the message."""


def _write_conductor(song: Song) -> Iterator[_Timed]:
    import mido

    if song.title:
        yield 0, 0, mido.MetaMessage("track_name", name=song.title)
    for tick, bpm in song.tempos:
        yield tick, 1, mido.MetaMessage("set_tempo", tempo=min(2**24 - 1, max(1, round(60e6 / bpm))))
    for meter in song.meters:
        yield meter.tick, 2, mido.MetaMessage("time_signature", numerator=meter.beats, denominator=meter.unit)
    for key in song.keys:
        name = (_MINOR_KEYS if key.minor else _KEYS)[key.fifths + 7]
        yield key.tick, 3, mido.MetaMessage("key_signature", key=name)


def _track_messages(track: Track) -> Iterator[_Timed]:
    import mido

    if track.name:
        yield 0, 0, mido.MetaMessage("track_name", name=track.name)
    if not track.is_drums or track.program:
        yield 0, 1, mido.Message("program_change", channel=track.channel, program=track.program)
    for tick, data in track.events:
        yield tick, 2, mido.Message.from_bytes(bytes([data[0] & 0xF0 | track.channel, *data[1:]]))
    for tick, syllable in track.lyrics:
        yield tick, 3, mido.MetaMessage("lyrics", text=syllable)
    for note in track.notes:
        yield note.end, -1, mido.Message("note_off", channel=track.channel, note=note.pitch)
        sounding = mido.Message("note_on", channel=track.channel, note=note.pitch, velocity=note.velocity)
        yield note.start, 4, sounding
