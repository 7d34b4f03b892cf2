"""What is in a song: tempo, metre, key, tracks; notes one by one; chords of its bars."""

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass

from yardkit.servers.music.engine.chords import name_chord
from yardkit.servers.music.engine.instruments import drum_name, pitch_name
from yardkit.servers.music.engine.keys import describe_key
from yardkit.servers.music.engine.piano_roll import bar_range
from yardkit.servers.music.engine.song import Song, Track
from yardkit.world import Problem

_MAX_CHANGES = 20
MAX_LISTED = 500


@dataclass(frozen=True)
class TrackSummary:
    """A track.

    Attributes:
        number: from 1, as tools take it.
        name: that the file gives it.
        instrument: of General MIDI; drums on channel 10.
        channel: of MIDI, from 1.
        notes: how many.
        lowest, highest: pitches, 60 is C4; empty without notes.
        first_s, last_s: when the first note begins and the last ends.
        voices: how many notes sound at once at most.
        velocity: mean, 1 to 127.
        lyrics: the beginning of its words.
    """

    number: int
    name: str
    instrument: str
    channel: int
    notes: int
    lowest: str
    highest: str
    first_s: float
    last_s: float
    voices: int
    velocity: int
    lyrics: str = ""

    def __str__(self) -> str:
        named = f" {self.name!r}" if self.name else ""
        sung = f", words: {self.lyrics}" if self.lyrics else ""
        if not self.notes:
            return f"{self.number}.{named} {self.instrument} (channel {self.channel}): no notes{sung}"
        return (
            f"{self.number}.{named} {self.instrument} (channel {self.channel}): {self.notes} notes "
            f"{self.lowest} to {self.highest}, {self.first_s:.2f} to {self.last_s:.2f} s, "
            f"at most {self.voices} at once, mean velocity {self.velocity}{sung}"
        )


@dataclass(frozen=True)
class MusicDescription:
    """A piece.

    Attributes:
        title: that the file gives.
        duration_s: until the last note ends.
        bars: how many.
        tempos: quarters a minute with the bar from which they hold.
        meters: with the bar from which they hold.
        keys: that are stated, with their bars.
        estimated_key: by the lengths of all pitches, with its likeness; none where the notes do not tell.
        notes: how many.
        ticks: of a quarter in the file.
        tracks: of it; parts that rest all the time have no notes.
        ignored: what of the file is left out.
    """

    title: str
    duration_s: float
    bars: int
    tempos: list[str]
    meters: list[str]
    keys: list[str]
    estimated_key: str
    notes: int
    ticks: int
    tracks: list[TrackSummary]
    ignored: tuple[str, ...] = ()

    def __str__(self) -> str:
        stated = f"key {'; '.join(self.keys)} (stated)" if self.keys else "no key stated"
        head = (
            f"{self.title + ': ' if self.title else ''}{self.duration_s:.2f} s, {self.bars} bars, {self.notes} notes, "
            f"{'; '.join(self.tempos)}; metre {'; '.join(self.meters)}; {stated}; estimated {self.estimated_key}; "
            f"{self.ticks} ticks a quarter"
        )
        return "\n".join([head, *map(str, self.tracks), *self.ignored])


def describe_song(song: Song) -> MusicDescription:
    """What is in a song."""
    return MusicDescription(
        song.title,
        round(song.seconds, 3),
        len(song.bars) - 1,
        _cut_changes([f"{bpm:.4g} BPM from bar {song.bar_of(tick)}" for tick, bpm in song.tempos]),
        _cut_changes([f"{meter} from bar {song.bar_of(meter.tick)}" for meter in song.meters]),
        _cut_changes([f"{key} from bar {song.bar_of(key.tick)}" for key in song.keys]),
        describe_key(song),
        song.notes,
        song.ticks,
        [_summarize_track(song, track, number) for number, track in enumerate(song.tracks, start=1)],
        song.ignored,
    )


def _cut_changes(changes: list[str]) -> list[str]:
    more = [f"and {len(changes) - _MAX_CHANGES} more"] if len(changes) > _MAX_CHANGES else []
    return changes[:_MAX_CHANGES] + more


def _summarize_track(song: Song, track: Track, number: int) -> TrackSummary:
    pitches = [note.pitch for note in track.notes]
    name = drum_name if track.is_drums else pitch_name
    return TrackSummary(
        number,
        track.name,
        track.instrument,
        track.channel + 1,
        len(track.notes),
        name(min(pitches)) if pitches else "",
        name(max(pitches)) if pitches else "",
        round(song.second_of(min((note.start for note in track.notes), default=0)), 3),
        round(song.second_of(max((note.end for note in track.notes), default=0)), 3),
        _most_at_once(track),
        round(sum(note.velocity for note in track.notes) / max(1, len(track.notes))),
        " ".join(syllable for _, syllable in track.lyrics).replace("- ", "")[:200],
    )


def _most_at_once(track: Track) -> int:
    steps = Counter[tuple[int, int]]()
    for note in track.notes:
        steps[note.start, 1] += 1
        steps[note.end, -1] += 1
    most = now = 0
    for (_, step), count in sorted(steps.items(), key=lambda item: item[0]):
        now += step * count
        most = max(most, now)
    return most


@dataclass(frozen=True)
class ListedNote:
    """A note. bar, beat: from 1. start_s, length_beats: in seconds and quarters. pitch: a name, 60 is C4."""

    track: int
    bar: int
    beat: float
    start_s: float
    length_beats: float
    pitch: str
    key: int
    velocity: int

    def __str__(self) -> str:
        return (
            f"track {self.track}, bar {self.bar} beat {self.beat:g} ({self.start_s:.3f} s): {self.pitch} ({self.key}), "
            f"{self.length_beats:g} quarters, velocity {self.velocity}"
        )


@dataclass(frozen=True)
class ListedNotes:
    """Notes in the order in which they are heard. total: how many there are. next_offset: where the rest begins."""

    notes: list[ListedNote]
    total: int
    next_offset: int | None = None

    def __str__(self) -> str:
        more = [f"The rest begins at offset {self.next_offset}."] if self.next_offset is not None else []
        return "\n".join([f"{self.total} notes", *map(str, self.notes), *more])


def list_notes(song: Song, track: int | None, bars: tuple[int, int | None], offset: int, limit: int) -> ListedNotes:
    """Notes that begin in some bars, of a track or of all.

    Raises:
        Problem: there is no such track, or no such bar.
    """
    if track is not None and track > len(song.tracks):
        raise Problem(f"there is no track {track}; the music has tracks 1 to {len(song.tracks)}")
    first, last = bar_range(song, *bars)
    begin, end = song.bars[first - 1], song.bars[last]
    selected_notes = sorted(
        (note, number)
        for number, song_track in enumerate(song.tracks, start=1)
        for note in song_track.notes
        if begin <= note.start < end and track in (None, number)
    )
    note_infos = [
        ListedNote(
            number,
            song.bar_of(note.start),
            round(song.beat_of(note.start), 3),
            round(song.second_of(note.start), 4),
            round(note.length / song.ticks, 3),
            drum_name(note.pitch) if song.tracks[number - 1].is_drums else pitch_name(note.pitch),
            note.pitch,
            note.velocity,
        )
        for note, number in selected_notes[offset : offset + limit]
    ]
    following = offset + len(note_infos)
    return ListedNotes(note_infos, len(selected_notes), following if following < len(selected_notes) else None)


@dataclass(frozen=True)
class DetectedChord:
    """A chord.

    Attributes:
        bar: its number; None for sound.
        start_s: when it begins.
        chord: its name, - where no chord can be told, as of a single tone.
        share: of what sounds that belongs to it.
    """

    bar: int | None
    start_s: float
    chord: str
    share: float

    def __str__(self) -> str:
        place = f"bar {self.bar} ({self.start_s:.2f} s)" if self.bar else f"{self.start_s:.2f} s"
        return f"{place}: {self.chord} ({self.share:.0%})"


@dataclass(frozen=True)
class DetectedChords:
    """Chords in order.

    Attributes:
        basis: notes (of MIDI, exact) or a guess (from a sound).
        chords: of bars or of stretches of time.
        next_offset: where the rest begins.
    """

    basis: str
    chords: list[DetectedChord]
    next_offset: int | None = None

    def __str__(self) -> str:
        more = [f"The rest begins at offset {self.next_offset}."] if self.next_offset is not None else []
        return "\n".join([f"By {self.basis}:", *map(str, self.chords), *more])


def find_chords(song: Song, per_bar: int, offset: int, limit: int) -> DetectedChords:
    """The chord that fits the notes of each bar best, or of each of `per_bar` equal parts of it."""
    spans = [
        (bar, start + (end - start) * part // per_bar, start + (end - start) * (part + 1) // per_bar)
        for bar, (start, end) in enumerate(zip(song.bars, song.bars[1:], strict=False), start=1)
        for part in range(per_bar)
    ]
    page_spans = spans[offset : offset + limit]
    begins = [start for _, start, _ in page_spans]
    weights: list[dict[int, float]] = [{} for _ in page_spans]
    lowest: list[int | None] = [None] * len(page_spans)
    for note in [note for track in song.tracks if not track.is_drums for note in track.notes]:
        first = max(0, bisect_right(begins, note.start) - 1)
        for at in range(first, len(page_spans)):
            _, start, end = page_spans[at]
            if note.end <= start:
                break
            sounding = min(note.end, end) - max(note.start, start)
            if sounding > 0:
                span_weights = weights[at]
                span_weights[note.pitch % 12] = span_weights.get(note.pitch % 12, 0.0) + sounding * note.velocity
                below = lowest[at]
                begins_it = (note.start - start) * 8 < end - start and sounding * 8 >= end - start
                if begins_it and (below is None or note.pitch < below):
                    lowest[at] = note.pitch
    chords = []
    for (bar, start, _), span_weights, below in zip(page_spans, weights, lowest, strict=True):
        name, share = name_chord(span_weights, below)
        chords.append(DetectedChord(bar, round(song.second_of(start), 3), name, share))
    following = offset + len(page_spans)
    return DetectedChords("notes", chords, following if following < len(spans) else None)
