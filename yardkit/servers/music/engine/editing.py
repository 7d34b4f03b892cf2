"""Changes of a song: transposed, faster, on another instrument, on the grid, cut; songs joined and split."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from yardkit.servers.music.engine.instruments import DRUM_CHANNEL, find_program
from yardkit.servers.music.engine.midi_files import write_song
from yardkit.servers.music.engine.piano_roll import bar_range
from yardkit.servers.music.engine.song import Key, Meter, Note, Song, Track, sorted_track
from yardkit.world import FileRef, Problem

EditKind = Literal["transpose", "tempo", "instrument", "quantize", "volume", "keep_bars", "remove_tracks", "rename"]
Grid = Literal["1/4", "1/8", "1/16", "1/32", "1/8t", "1/16t"]
Together = Literal["after", "together"]
_GRIDS: dict[str, Fraction] = {
    "1/4": Fraction(1),
    "1/8": Fraction(1, 2),
    "1/16": Fraction(1, 4),
    "1/32": Fraction(1, 8),
    "1/8t": Fraction(1, 3),
    "1/16t": Fraction(1, 6),
}
_BPM = (10.0, 1000.0)


@dataclass(frozen=True)
class MidiEdit:
    """A change.

    Attributes:
        kind: transpose (semitones), tempo (tempo_bpm or factor), instrument (instrument), quantize (grid, strength),
            volume (factor of the velocities), keep_bars (first_bar, last_bar), remove_tracks, rename (name).
        tracks: numbers from 1 that it is about; all where none are given. Drums are never transposed.
        semitones: higher, or lower where negative.
        tempo_bpm: quarters a minute, from the beginning on.
        factor: how many times as fast, or as loud.
        instrument: a name of General MIDI, or its number from 1.
        grid: what starts of notes are moved to; t for triplets.
        strength: how far they are moved, up to 1.
        first_bar: that is kept.
        last_bar: that is kept.
        name: of a track.
    """

    kind: EditKind
    tracks: list[int] | None = None
    semitones: int = 0
    tempo_bpm: float | None = None
    factor: float = 1.0
    instrument: str = ""
    grid: Grid = "1/16"
    strength: float = 1.0
    first_bar: int = 1
    last_bar: int | None = None
    name: str = ""


@dataclass(frozen=True)
class WrittenMidi:
    """Music that was written.

    Attributes:
        midi: where it is.
        duration_s: until the last note ends.
        bars, notes, tracks: how many.
        changes: what was done.
    """

    midi: FileRef
    duration_s: float
    bars: int
    notes: int
    tracks: int
    changes: tuple[str, ...] = ()

    def __str__(self) -> str:
        head = (
            f"Saved {self.midi}: {self.duration_s:.2f} s, {self.bars} bars, {self.notes} notes in {self.tracks} tracks"
        )
        return "\n".join([head, *self.changes])


def save_song(song: Song, target: Path, messages: Sequence[str] = ()) -> WrittenMidi:
    """Write a song and tell what is in it.

    Raises:
        Problem: it has no notes, is beyond the limits, or the name does not end with .mid.
    """
    if not song.notes:
        raise Problem("the edits would leave no notes; nothing was written")
    write_song(song, target)
    file_reference = FileRef.from_path(target)
    return WrittenMidi(
        file_reference, round(song.seconds, 3), len(song.bars) - 1, song.notes, len(song.tracks), tuple(messages)
    )


def edit_song(song: Song, edits: Sequence[MidiEdit]) -> tuple[Song, list[str]]:
    """A song after changes in order, and what each did.

    Raises:
        Problem: one of them cannot be done.
    """
    messages = []
    for number, change in enumerate(edits, start=1):
        try:
            song, done = _EDITS[change.kind](song, change)
        except Problem as problem:
            raise Problem(f"edit {number} ({change.kind}): {problem}") from problem
        messages.append(f"{number}. {done}")
    return song.check(), messages


def _choose_tracks(song: Song, change: MidiEdit) -> set[int]:
    """The indices of the tracks that a change is about."""
    numbers = range(1, len(song.tracks) + 1) if change.tracks is None else change.tracks
    strange = [number for number in numbers if not 1 <= number <= len(song.tracks)]
    if strange:
        raise Problem(f"there is no track {strange[0]}; the music has tracks 1 to {len(song.tracks)}")
    return {number - 1 for number in numbers}


def _change_each(song: Song, change: MidiEdit, work: Callable[[Track], Track]) -> Song:
    chosen = _choose_tracks(song, change)
    return song.with_tracks(
        [sorted_track(work(track)) if index in chosen else track for index, track in enumerate(song.tracks)]
    )


def _transpose_song(song: Song, change: MidiEdit) -> tuple[Song, str]:
    steps = change.semitones
    if not steps or abs(steps) > 60:
        raise Problem(f"semitones={steps} is not valid; use a number from -60 to 60 other than 0")

    def work(track: Track) -> Track:
        if track.is_drums:
            return track
        return replace(track, notes=tuple(replace(note, pitch=note.pitch + steps) for note in track.notes))

    moved = _change_each(song, change, work)
    for track in moved.tracks:
        outside = [note.pitch for note in track.notes if not 0 <= note.pitch <= 127]
        if outside:
            raise Problem(
                f"track {track.label!r} would leave the MIDI pitch range (a note at {outside[0]}); transpose it less"
            )
    keys = tuple(_moved_key(key, steps) for key in song.keys) if change.tracks is None else song.keys
    return replace(moved, keys=keys), f"transposed by {steps:+d} semitones, drums left as they are"


def _moved_key(key: Key, steps: int) -> Key:
    fifths = (key.fifths + 7 * steps + 5) % 12 - 5
    return replace(key, fifths=fifths)


def _change_tempo(song: Song, change: MidiEdit) -> tuple[Song, str]:
    if change.tempo_bpm is not None:
        tempos: tuple[tuple[int, float], ...] = ((0, change.tempo_bpm),)
        message = f"tempo is {change.tempo_bpm:g} BPM throughout"
    elif change.factor != 1:
        tempos = tuple((tick, bpm * change.factor) for tick, bpm in song.tempos)
        message = f"{change.factor:g} times as fast, from {tempos[0][1]:.4g} BPM"
    else:
        raise Problem("the new tempo is missing: give tempo_bpm or factor")
    if any(not _BPM[0] <= bpm <= _BPM[1] for _, bpm in tempos):
        raise Problem(f"the tempo would be outside {_BPM[0]:g} to {_BPM[1]:g} BPM")
    return replace(song, tempos=tempos), message


def _change_instrument(song: Song, change: MidiEdit) -> tuple[Song, str]:
    program = find_program(change.instrument)
    drums = [
        track for index, track in enumerate(song.tracks) if index in _choose_tracks(song, change) and track.is_drums
    ]
    if drums and change.tracks is not None:
        raise Problem("the drum channel has no other instrument; omit its track")

    def work(track: Track) -> Track:
        if track.is_drums:
            return track
        remaining_events = tuple((tick, data) for tick, data in track.events if data[0] & 0xF0 != 0xC0)
        return replace(track, program=program, events=remaining_events)

    changed = _change_each(song, change, work)
    name = next((track.instrument for track in changed.tracks if track.program == program and not track.is_drums), "")
    return changed, f"played by {name}"


def _quantize_notes(song: Song, change: MidiEdit) -> tuple[Song, str]:
    if not 0 < change.strength <= 1:
        raise Problem(f"strength={change.strength:g} is not valid; use a number above 0 and at most 1")
    step = _GRIDS[change.grid] * song.ticks
    moved = 0

    def work(track: Track) -> Track:
        nonlocal moved
        notes = []
        for note in track.notes:
            goal = round(note.start / step) * step
            start = round(note.start + float(goal - note.start) * change.strength)
            moved += start != note.start
            notes.append(replace(note, start=start))
        return replace(track, notes=tuple(notes))

    return _change_each(song, change, work), f"{moved} notes moved to the grid of {change.grid}"


def _change_volume(song: Song, change: MidiEdit) -> tuple[Song, str]:
    if not 0 < change.factor <= 10 or change.factor == 1:
        raise Problem(f"factor={change.factor:g} is not valid; use a number above 0, at most 10 and not 1")

    def work(track: Track) -> Track:
        notes = (replace(note, velocity=min(127, max(1, round(note.velocity * change.factor)))) for note in track.notes)
        return replace(track, notes=tuple(notes))

    return _change_each(song, change, work), f"velocities times {change.factor:g}"


def _remove_tracks(song: Song, change: MidiEdit) -> tuple[Song, str]:
    if change.tracks is None:
        raise Problem("give the tracks to remove")
    chosen = _choose_tracks(song, change)
    remaining_tracks = [track for index, track in enumerate(song.tracks) if index not in chosen]
    return song.with_tracks(remaining_tracks), f"{len(chosen)} tracks removed"


def _rename_tracks(song: Song, change: MidiEdit) -> tuple[Song, str]:
    if not change.name.strip() or change.tracks is None:
        raise Problem("give a name, and the tracks to rename")
    return _change_each(
        song, change, lambda track: replace(track, name=change.name[:60])
    ), f"named {change.name[:60]!r}"


def _keep_bars(song: Song, change: MidiEdit) -> tuple[Song, str]:
    first, last = bar_range(song, change.first_bar, change.last_bar)
    begin, end = song.bars[first - 1], song.bars[last]
    return cut_song(song, begin, end), f"kept bars {first} to {last}"


def cut_song(song: Song, begin: int, end: int) -> Song:
    """What of a song lies between two ticks; notes that ring over the border are cut there."""

    def part(track: Track) -> Track:
        notes = [
            replace(note, start=max(note.start, begin) - begin, length=min(note.end, end) - max(note.start, begin))
            for note in track.notes
            if note.start < end and note.end > begin
        ]
        events = [(max(tick, begin) - begin, data) for tick, data in track.events if tick < end]
        lyrics = [(tick - begin, lyric) for tick, lyric in track.lyrics if begin <= tick < end]
        return sorted_track(replace(track, notes=tuple(notes), events=tuple(events), lyrics=tuple(lyrics)))

    def moved_tempos() -> tuple[tuple[int, float], ...]:
        before = [bpm for tick, bpm in song.tempos if tick <= begin]
        return ((0, before[-1]), *((tick - begin, bpm) for tick, bpm in song.tempos if begin < tick < end))

    meters = (
        replace(song.meter_at(begin), tick=0),
        *(replace(meter, tick=meter.tick - begin) for meter in song.meters if begin < meter.tick < end),
    )
    current_keys = [key for key in song.keys if key.tick <= begin][-1:]
    keys = (
        *(replace(key, tick=0) for key in current_keys),
        *(replace(key, tick=key.tick - begin) for key in song.keys if begin < key.tick < end),
    )
    tracks = [track for track in map(part, song.tracks) if track.notes]
    return replace(song, tracks=tuple(tracks), tempos=moved_tempos(), meters=meters, keys=keys)


_EDITS: dict[EditKind, Callable[[Song, MidiEdit], tuple[Song, str]]] = {
    "transpose": _transpose_song,
    "tempo": _change_tempo,
    "instrument": _change_instrument,
    "quantize": _quantize_notes,
    "volume": _change_volume,
    "keep_bars": _keep_bars,
    "remove_tracks": _remove_tracks,
    "rename": _rename_tracks,
}


def join_songs(songs: Sequence[Song], how: Together) -> Song:
    """Songs one after the other, at full bars, or together from the beginning with tempo and metre of the first."""
    ticks = max(song.ticks for song in songs)
    scaled = [_scale_ticks(song, ticks) for song in songs]
    if how == "together":
        tracks = _on_free_channels([track for song in scaled for track in song.tracks])
        return replace(scaled[0], tracks=tuple(tracks)).check()
    tracks, at = list[Track](), 0
    tempos, meters, keys = list[tuple[int, float]](), list[Meter](), list[Key]()
    for song in scaled:
        tracks = _append_tracks(tracks, song.tracks, at)
        tempos += [(tick + at, bpm) for tick, bpm in song.tempos if tick < song.bars[-1]]
        meters += [replace(meter, tick=meter.tick + at) for meter in song.meters if meter.tick < song.bars[-1]]
        keys += [replace(key, tick=key.tick + at) for key in song.keys if key.tick < song.bars[-1]]
        at += song.bars[-1]
    joined = Song(ticks, tuple(tracks), tuple(tempos), tuple(meters), tuple(keys), songs[0].title)
    return replace(joined, tracks=tuple(_on_free_channels(joined.tracks))).check()


def _append_tracks(tracks: list[Track], later: Sequence[Track], at: int) -> list[Track]:
    """Tracks with others behind: those of the same name and instrument go on."""
    joined_tracks = list(tracks)
    taken = set[int]()
    for track in later:
        shifted = replace(
            track,
            notes=tuple(replace(note, start=note.start + at) for note in track.notes),
            events=tuple((tick + at, data) for tick, data in track.events),
            lyrics=tuple((tick + at, lyric) for tick, lyric in track.lyrics),
        )
        same = (track.name, track.program, track.is_drums)
        track_index = next(
            (
                index
                for index, joined_track in enumerate(joined_tracks[: len(tracks)])
                if (joined_track.name, joined_track.program, joined_track.is_drums) == same and index not in taken
            ),
            None,
        )
        if track_index is None:
            joined_tracks.append(shifted)
            continue
        taken.add(track_index)
        matching_track = joined_tracks[track_index]
        joined_tracks[track_index] = replace(
            matching_track,
            notes=matching_track.notes + shifted.notes,
            events=matching_track.events + shifted.events,
            lyrics=matching_track.lyrics + shifted.lyrics,
        )
    return [sorted_track(track) for track in joined_tracks]


def _on_free_channels(tracks: Sequence[Track]) -> list[Track]:
    """Tracks that play different instruments on one channel moved to free ones.

    Raises:
        Problem: there are more instruments than channels.
    """
    taken: dict[int, int] = {}
    placed_tracks = []
    for track in tracks:
        if track.is_drums:
            placed_tracks.append(track)
            continue
        channel = track.channel
        if taken.get(channel, track.program) != track.program:
            same = [known for known, program in taken.items() if program == track.program]
            free = [number for number in range(16) if number != DRUM_CHANNEL and number not in taken]
            if not same and not free:
                raise Problem("together they have more than 15 instruments, the MIDI limit; join fewer")
            channel = (same or free)[0]
        taken[channel] = track.program
        placed_tracks.append(replace(track, channel=channel))
    return placed_tracks


def _scale_ticks(song: Song, ticks: int) -> Song:
    """The same on another number of ticks a quarter."""
    if song.ticks == ticks:
        return song

    def at(tick: int) -> int:
        return round(tick * ticks / song.ticks)

    def scaled(track: Track) -> Track:
        notes = tuple(Note(at(n.start), n.pitch, max(1, at(n.end) - at(n.start)), n.velocity) for n in track.notes)
        events = tuple((at(tick), data) for tick, data in track.events)
        return replace(
            track, notes=notes, events=events, lyrics=tuple((at(tick), lyric) for tick, lyric in track.lyrics)
        )

    return replace(
        song,
        ticks=ticks,
        tracks=tuple(map(scaled, song.tracks)),
        tempos=tuple((at(tick), bpm) for tick, bpm in song.tempos),
        meters=tuple(replace(meter, tick=at(meter.tick)) for meter in song.meters),
        keys=tuple(replace(key, tick=at(key.tick)) for key in song.keys),
    )


@dataclass(frozen=True)
class SplitMidi:
    """Files that music was split into. parts: where they are. names: of what is in each."""

    parts: list[FileRef]
    names: list[str]

    def __str__(self) -> str:
        return "\n".join(f"Saved {part}: {name}" for part, name in zip(self.parts, self.names, strict=True))


def split_tracks(song: Song, folder: Path, stem: str) -> SplitMidi:
    """Write each track into a file of its own, with tempo, metre and key."""
    parts, names = [], []
    for number, track in enumerate(song.tracks, start=1):
        target = folder / f"{stem}-{number:02d}.mid"
        write_song(song.with_tracks([track]), target)
        parts.append(FileRef.from_path(target))
        names.append(f"{track.label}, {len(track.notes)} notes")
    return SplitMidi(parts, names)
