"""A score played: repeats unfolded, ties joined, chord names sounded."""

from fractions import Fraction

from yardkit.servers.music.engine.chords import read_chord
from yardkit.servers.music.engine.instruments import DRUM_CHANNEL
from yardkit.servers.music.engine.score import Event, KeySignature, Measure, Part, Score, played_order
from yardkit.servers.music.engine.song import DEFAULT_BPM, TICKS, Key, Meter, Note, Song, Track, sorted_track
from yardkit.world import Problem

_TICKS_PER_NOTE = 4 * TICKS
_CHORD_VELOCITY = 62


def perform_score(score: Score, accompany: bool = False) -> Song:
    """A score as it sounds.

    Args:
        score: what is written.
        accompany: whether chord names are played, too, by a piano.

    Raises:
        Problem: there is too much of it, or a name is not that of a chord.
    """
    tracks = list[Track]()
    channels = _assign_channels(score.parts)
    for part, channel in zip(score.parts, channels, strict=True):
        tracks.append(_Player(part).make_track(channel))
    first = _Player(score.parts[0])
    first.make_track(0)
    if accompany:
        names = next((player.chords for player in map(_play_part, score.parts) if player.chords), [])
        if not names:
            raise Problem('the tune has no chord symbols to play; write them as "Am" above notes')
        tracks.append(_make_accompaniment(names, first.at, next(iter(set(range(16)) - {*channels, DRUM_CHANNEL}), 0)))
    tempos = dict([(0, DEFAULT_BPM), *first.tempos])
    return Song(
        TICKS,
        tuple(tracks),
        tuple(sorted(tempos.items())),
        tuple(first.meters),
        tuple(first.keys),
        score.title,
    ).check()


def _play_part(part: Part) -> "_Player":
    player = _Player(part)
    player.make_track(0)
    return player


def _assign_channels(parts: list[Part]) -> list[int]:
    """A channel for each part: drums on theirs, equal instruments share one when there are too many."""
    free = [channel for channel in range(16) if channel != DRUM_CHANNEL]
    taken: dict[object, int] = {}
    crowded = len(parts) > len(free)
    channels = []
    for number, part in enumerate(parts):
        kind: object = part.program if crowded else number
        if kind not in taken and not part.drums:
            taken[kind] = free[len(taken) % len(free)]
        channels.append(DRUM_CHANNEL if part.drums else taken[kind])
    return channels


class _Player:
    """Goes through the bars of a part in the order in which they are played."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.at = 0
        self.tempos: list[tuple[int, float]] = []
        self.meters: list[Meter] = []
        self.keys: list[Key] = []
        self.chords: list[tuple[int, str]] = []
        self.notes: list[Note] = []
        self.lyrics: list[tuple[int, str]] = []
        self._held: dict[int, Note] = {}
        self._seen: dict[int, int] = {}

    def make_track(self, channel: int) -> Track:
        """All of it as a track."""
        begin = Fraction(0)
        for index in played_order(self.part.measures):
            measure = self.part.measures[index]
            passes = self._seen[index] = self._seen.get(index, 0) + 1
            self._enter_measure(measure, _to_ticks(begin))
            for voice in measure.voices:
                place = begin
                for event in voice:
                    self._play_event(event, place, passes)
                    place += event.duration
            begin += measure.duration
        self.at = _to_ticks(begin)
        self.notes += self._held.values()
        self._held = {}
        name = self.part.name
        track = Track(name, channel, self.part.program, tuple(self.notes), lyrics=tuple(self.lyrics))
        return sorted_track(track)

    def _enter_measure(self, measure: Measure, tick: int) -> None:
        size = measure.meter
        if measure.duration < measure.full and tick == 0:
            size = _find_pickup(measure) or size
        if not self.meters or (self.meters[-1].beats, self.meters[-1].unit) != size:
            self.meters.append(Meter(tick, *size))
        key = _make_key(measure.key, tick)
        if not self.keys or (self.keys[-1].fifths, self.keys[-1].minor) != (key.fifths, key.minor):
            self.keys.append(key)
        for offset, bpm in measure.tempos:
            if not self.tempos or self.tempos[-1][1] != bpm:
                self.tempos.append((tick + _to_ticks(offset), bpm))

    def _play_event(self, event: Event, place: Fraction, passes: int) -> None:
        start, end = _to_ticks(place), _to_ticks(place + event.duration)
        if event.chord:
            self.chords.append((start, event.chord))
        verse = event.lyrics[min(passes, len(event.lyrics)) - 1] if event.lyrics else ""
        if verse:
            self.lyrics.append((start, verse))
        for pitch in event.pitches:
            key = pitch.midi + self.part.transpose
            pending_note = self._held.pop(key, None)
            begin = pending_note.start if pending_note and pending_note.end == start else start
            if pending_note and pending_note.end != start:
                self.notes.append(pending_note)
            note = Note(begin, key, max(1, end - begin), event.velocity)
            if pitch in event.tied:
                self._held[key] = note
            else:
                self.notes.append(note)


def _find_pickup(measure: Measure) -> tuple[int, int] | None:
    """The metre of an upbeat, such as 1/8."""
    length = measure.duration
    unit = max(measure.meter[1], length.denominator)
    return (int(length * unit), unit) if length and unit <= 64 and unit & (unit - 1) == 0 else None


def _make_key(key: KeySignature, tick: int) -> Key:
    return Key(tick, key.fifths, key.minor)


def _to_ticks(place: Fraction) -> int:
    return round(place * _TICKS_PER_NOTE)


def _make_accompaniment(names: list[tuple[int, str]], end: int, channel: int) -> Track:
    """Chords held until the next, the root an octave lower."""
    notes = []
    for index, (tick, name) in enumerate(names):
        until = names[index + 1][0] if index + 1 < len(names) else end
        notes += [Note(tick, pitch, max(1, until - tick), _CHORD_VELOCITY) for pitch in read_chord(name).get_voicing()]
    return sorted_track(Track("Chords", channel, 0, tuple(notes)))
