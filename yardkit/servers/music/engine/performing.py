"""A score played: repeats unfolded, ties joined, grace notes and chord names sounded."""

from fractions import Fraction

from yardkit.servers.music.engine.chords import read_chord
from yardkit.servers.music.engine.content import describe_notes, describe_unplayed
from yardkit.servers.music.engine.instruments import DRUM_CHANNEL
from yardkit.servers.music.engine.playing_order import Stretch, order_bars
from yardkit.servers.music.engine.score import Event, KeySignature, Measure, Part, Score
from yardkit.servers.music.engine.song import DEFAULT_BPM, TICKS, Key, Meter, Note, Song, Track, sorted_track
from yardkit.world import Problem

_TICKS_PER_NOTE = 4 * TICKS
_CHORD_VELOCITY = 62
_GRACE_TICKS = TICKS // 8
_PEDAL = 64


def perform_score(score: Score, accompany: bool = False) -> Song:
    """A score as it sounds.

    Args:
        score: what is written.
        accompany: whether chord names are played, too, by a piano.

    Raises:
        Problem: there is too much of it, or a name is not that of a chord.
    """
    channels = _assign_channels(score.parts)
    players = [_Player(part, order_bars(score.parts, number)) for number, part in enumerate(score.parts)]
    tracks = [player.make_track(channel) for player, channel in zip(players, channels, strict=True)]
    first = players[0]
    if accompany:
        names = next((player.chords for player in players if player.chords), [])
        if not names:
            raise Problem('the tune has no chord symbols to play; write them as "Am" above notes')
        tracks.append(_make_accompaniment(names, first.at, next(iter(set(range(16)) - {*channels, DRUM_CHANNEL}), 0)))
    tempos = dict([(0, DEFAULT_BPM), *(tempo for player in reversed(players) for tempo in player.tempos)])
    return Song(
        TICKS,
        tuple(tracks),
        _drop_repeated_tempos(tempos),
        tuple(first.meters),
        tuple(first.keys),
        score.title,
        (*describe_notes(score), *describe_unplayed(score, accompany=accompany)),
    ).check()


def _drop_repeated_tempos(tempos: dict[int, float]) -> tuple[tuple[int, float], ...]:
    changes: list[tuple[int, float]] = []
    for tick, bpm in sorted(tempos.items()):
        if not changes or changes[-1][1] != bpm:
            changes.append((tick, bpm))
    return tuple(changes)


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

    def __init__(self, part: Part, order: list[Stretch]) -> None:
        self.part, self.order = part, order
        self.at = 0
        self.tempos: list[tuple[int, float]] = []
        self.meters: list[Meter] = []
        self.keys: list[Key] = []
        self.chords: list[tuple[int, str]] = []
        self.notes: list[Note] = []
        self.lyrics: list[tuple[int, str]] = []
        self._controls: list[tuple[int, bytes]] = []
        self._held: dict[int, Note] = {}
        self._seen: dict[int, int] = {}

    def make_track(self, channel: int) -> Track:
        """All of it as a track."""
        begin = Fraction(0)
        lengths = [self._measure_length(stretch) for stretch in self.order]
        meters = iter(_choose_meters([self.part.measures[s.index] for s in self.order], lengths))
        for stretch, length in zip(self.order, lengths, strict=True):
            measure = self.part.measures[stretch.index]
            passes = self._seen[stretch.index] = self._seen.get(stretch.index, 0) + 1
            self._enter_measure(measure, next(meters), begin)
            for voice in measure.voices:
                place = Fraction(0)
                for event in voice:
                    if stretch.begin <= place and (stretch.end is None or place < stretch.end):
                        self._play_event(event, begin + place - stretch.begin, passes)
                    place += event.duration
            self._play_signs(measure, stretch, begin, channel)
            begin += length
        self.at = _to_ticks(begin)
        self.notes += self._held.values()
        self._held = {}
        track = Track(
            self.part.name, channel, self.part.program, tuple(self.notes), tuple(self._controls), tuple(self.lyrics)
        )
        return sorted_track(track)

    def _measure_length(self, stretch: Stretch) -> Fraction:
        end = self.part.measures[stretch.index].duration if stretch.end is None else stretch.end
        return end - stretch.begin

    def _enter_measure(self, measure: Measure, size: tuple[int, int] | None, begin: Fraction) -> None:
        tick = _to_ticks(begin)
        if size and (not self.meters or (self.meters[-1].beats, self.meters[-1].unit) != size):
            self.meters.append(Meter(tick, *size))
        key = _make_key(measure.key, tick, self.part.transpose)
        if not self.keys or (self.keys[-1].fifths, self.keys[-1].minor) != (key.fifths, key.minor):
            self.keys.append(key)

    def _play_signs(self, measure: Measure, stretch: Stretch, begin: Fraction, channel: int) -> None:
        """Tempos and the pedal."""

        def is_played(offset: Fraction) -> bool:
            return stretch.begin <= offset and (stretch.end is None or offset < stretch.end)

        for offset, bpm in measure.tempos:
            if is_played(offset):
                self.tempos.append((_to_ticks(begin + offset - stretch.begin), bpm))
        for sign in measure.signs:
            if sign.kind == "pedal" and is_played(sign.offset):
                message = bytes([0xB0 | channel, _PEDAL, 127 if sign.text == "down" else 0])
                self._controls.append((_to_ticks(begin + sign.offset - stretch.begin), message))

    def _play_event(self, event: Event, place: Fraction, passes: int) -> None:
        start, end = _to_ticks(place), _to_ticks(place + event.duration)
        if event.chord:
            self.chords.append((start, event.chord))
        verse = event.lyrics[min(passes, len(event.lyrics)) - 1] if event.lyrics else ""
        if verse:
            self.lyrics.append((start, verse))
        start = self._play_grace(event, start, end)
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

    def _play_grace(self, event: Event, start: int, end: int) -> int:
        """Play grace notes in the time of their note, at most half of it; when the note itself begins."""
        if not event.grace:
            return start
        length = min(_GRACE_TICKS, (end - start) // (2 * len(event.grace)))
        for number, pitches in enumerate(event.grace if length else ()):
            for pitch in pitches:
                self.notes.append(
                    Note(start + number * length, pitch.midi + self.part.transpose, length, event.velocity)
                )
        return start + len(event.grace) * length


def _choose_meters(measures: list[Measure], lengths: list[Fraction]) -> list[tuple[int, int] | None]:
    """The metre that begins with each bar as it is played; None where a bar goes on that a bar line divides.

    A bar that is not as long as its metre gets a metre of its length, unless the next bars complete it.
    """
    meters: list[tuple[int, int] | None] = []
    while len(meters) < len(measures):
        at = len(meters)
        measure, length = measures[at], lengths[at]
        run = 1
        while at and length < measure.full and at + run < len(measures) and measures[at + run].meter == measure.meter:
            length += lengths[at + run]
            run += 1
        is_last = at + run == len(measures) and length < measure.full
        if at and (length == measure.full or is_last):
            meters += [measure.meter, *[None] * (run - 1)]
        else:
            meters.append(measure.meter if lengths[at] == measure.full else _find_meter(measure, lengths[at]))
    return meters


def _find_meter(measure: Measure, length: Fraction) -> tuple[int, int]:
    """The metre of a bar of another length, such as an upbeat of 1/8; that of the bar where MIDI has none."""
    unit = max(measure.meter[1], length.denominator)
    beats = int(length * unit)
    return (beats, unit) if 0 < beats < 256 and unit <= 64 and unit & (unit - 1) == 0 else measure.meter


def _make_key(key: KeySignature, tick: int, transpose: int) -> Key:
    """The key as it sounds."""
    fifths = key.fifths if transpose % 12 == 0 else (key.fifths + 7 * transpose + 5) % 12 - 5
    return Key(tick, fifths, key.minor)


def _to_ticks(place: Fraction) -> int:
    return round(place * _TICKS_PER_NOTE)


def _make_accompaniment(names: list[tuple[int, str]], end: int, channel: int) -> Track:
    """Chords held until the next, the root an octave lower."""
    notes = []
    for index, (tick, name) in enumerate(names):
        until = names[index + 1][0] if index + 1 < len(names) else end
        notes += [Note(tick, pitch, max(1, until - tick), _CHORD_VELOCITY) for pitch in read_chord(name).get_voicing()]
    return sorted_track(Track("Chords", channel, 0, tuple(notes)))
