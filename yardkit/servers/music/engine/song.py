"""Music as it is heard: notes at ticks, in tracks, with tempo, metre and key."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from yardkit.servers.music.engine.instruments import DRUM_CHANNEL, INSTRUMENTS
from yardkit.world import Problem

TICKS = 480
"""Ticks of a quarter note in what is composed here."""
MAX_NOTES, MAX_TRACKS, MAX_BARS, MAX_SECONDS = 100_000, 256, 5_000, 4 * 3600.0
DEFAULT_BPM = 120.0


@dataclass(frozen=True, order=True)
class Note:
    """A note. start, length: in ticks. pitch: 60 is the middle C. velocity: 1 to 127."""

    start: int
    pitch: int
    length: int
    velocity: int = 90

    @property
    def end(self) -> int:
        return self.start + self.length


@dataclass(frozen=True, order=True)
class Meter:
    """A metre that holds from a tick on: `beats` of 1/`unit` notes."""

    tick: int
    beats: int
    unit: int

    def __str__(self) -> str:
        return f"{self.beats}/{self.unit}"


@dataclass(frozen=True, order=True)
class Key:
    """A key that holds from a tick on. fifths: sharps, or flats where negative."""

    tick: int
    fifths: int
    minor: bool = False

    def __str__(self) -> str:
        names = ["Cb", "Gb", "Db", "Ab", "Eb", "Bb", "F", "C", "G", "D", "A", "E", "B", "F#", "C#", "G#", "D#", "A#"]
        return f"{names[self.fifths + 7 + 3 * self.minor]} {'minor' if self.minor else 'major'}"


@dataclass(frozen=True)
class Track:
    """Notes of one channel.

    Attributes:
        name: of it, may be empty.
        channel: 0 to 15; 9 is drums.
        program: the instrument it begins with, 0 to 127.
        notes: sorted.
        events: other messages of the channel (controls, bends, changes of program) as (tick, bytes), sorted.
        lyrics: as (tick, syllable).
    """

    name: str
    channel: int
    program: int
    notes: tuple[Note, ...]
    events: tuple[tuple[int, bytes], ...] = ()
    lyrics: tuple[tuple[int, str], ...] = ()

    @property
    def is_drums(self) -> bool:
        return self.channel == DRUM_CHANNEL

    @property
    def instrument(self) -> str:
        return "drums" if self.is_drums else INSTRUMENTS[self.program]

    @property
    def label(self) -> str:
        return self.name or self.instrument


@dataclass(frozen=True)
class Song:
    """All of a piece.

    Attributes:
        ticks: of a quarter note.
        tracks: that have notes or events.
        tempos: as (tick, quarters a minute), sorted, the first at 0.
        meters: sorted, the first at 0.
        keys: that are stated, sorted.
        title: may be empty.
    """

    ticks: int
    tracks: tuple[Track, ...]
    tempos: tuple[tuple[int, float], ...] = ((0, DEFAULT_BPM),)
    meters: tuple[Meter, ...] = (Meter(0, 4, 4),)
    keys: tuple[Key, ...] = ()
    title: str = ""
    ignored: tuple[str, ...] = field(default=(), compare=False)

    @cached_property
    def end(self) -> int:
        """The tick at which the last note is over."""
        return max((note.end for track in self.tracks for note in track.notes), default=0)

    @property
    def notes(self) -> int:
        return sum(len(track.notes) for track in self.tracks)

    @cached_property
    def seconds(self) -> float:
        return self.second_of(self.end)

    @cached_property
    def _tempo_seconds(self) -> list[float]:
        """The second at which each tempo begins."""
        seconds, last_tick, last_bpm = [0.0], 0, self.tempos[0][1]
        for tick, bpm in self.tempos[1:]:
            seconds.append(seconds[-1] + (tick - last_tick) * 60 / last_bpm / self.ticks)
            last_tick, last_bpm = tick, bpm
        return seconds

    def second_of(self, tick: int) -> float:
        """When a tick is heard."""
        at = bisect_right(self.tempos, (tick, float("inf"))) - 1
        begin, bpm = self.tempos[at]
        return self._tempo_seconds[at] + (tick - begin) * 60 / bpm / self.ticks

    @cached_property
    def bars(self) -> tuple[int, ...]:
        """The tick at which each bar begins, and behind them that at which the last is over."""
        starts, at = [], 0
        for index, meter in enumerate(self.meters):
            size = self.bar_ticks(meter)
            until = self.meters[index + 1].tick if index + 1 < len(self.meters) else max(self.end, 1)
            while at < until:
                starts.append(at)
                at += size
                if len(starts) > MAX_BARS:
                    raise Problem(f"the music has more than {MAX_BARS:,} bars; split it")
            at = at if index + 1 == len(self.meters) else until
            if at >= self.end and index + 1 < len(self.meters):
                break
        return (*starts, at)

    def bar_ticks(self, meter: Meter) -> int:
        """How many ticks a bar of a metre has."""
        return max(1, self.ticks * 4 * meter.beats // meter.unit)

    def meter_at(self, tick: int) -> Meter:
        return [meter for meter in self.meters if meter.tick <= tick][-1]

    def bar_of(self, tick: int) -> int:
        """The number of the bar in which a tick lies, from 1."""
        return max(1, bisect_right(self.bars, tick))

    def beat_of(self, tick: int) -> float:
        """The beat of its bar at which a tick lies, from 1, in beats of the metre."""
        start = self.bars[self.bar_of(tick) - 1]
        return 1 + (tick - start) / (self.ticks * 4 / self.meter_at(start).unit)

    def with_tracks(self, tracks: Sequence[Track]) -> "Song":
        return replace(self, tracks=tuple(tracks))

    def check(self) -> "Song":
        """The same, where it is within the limits.

        Raises:
            Problem: it has too many notes, tracks or bars, or lasts too long.
        """
        if self.notes > MAX_NOTES:
            raise Problem(f"the music has {self.notes:,} notes; the limit is {MAX_NOTES:,}. Split it")
        if len(self.tracks) > MAX_TRACKS:
            raise Problem(f"the music has {len(self.tracks)} tracks; the limit is {MAX_TRACKS}")
        if self.seconds > MAX_SECONDS:
            raise Problem(f"the music lasts {self.seconds:,.0f} s; the limit is {MAX_SECONDS:,.0f} s")
        _ = self.bars
        return self


def sorted_track(track: Track) -> Track:
    """A track with what it holds in order."""
    return replace(
        track,
        notes=tuple(sorted(track.notes)),
        events=tuple(sorted(track.events)),
        lyrics=tuple(sorted(track.lyrics)),
    )
