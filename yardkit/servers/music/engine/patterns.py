"""Music from a pattern: chords a bar, a style in which they are played, a bass, drums on a grid of steps."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from yardkit.servers.music.engine.chords import Chord, read_chord
from yardkit.servers.music.engine.instruments import DRUM_CHANNEL, DRUMS, find_program
from yardkit.servers.music.engine.song import MAX_BARS, TICKS, Meter, Note, Song, Track, sorted_track
from yardkit.world import Problem

Style = Literal["held", "beats", "offbeats", "arpeggio", "strum", "waltz", "none"]
Bass = Literal["none", "held", "roots", "fifths", "octaves", "walking"]
_STEPS = {"x": 96, "X": 120, "o": 60}
_REST = "-."
_MAX_STEPS = 64
_ROLL = TICKS // 48


@dataclass(frozen=True)
class Pattern:
    """What is wanted.

    Attributes:
        chords: a bar each, or with | as bar lines.
        tempo_bpm: beats of the metre's quarter a minute.
        meter: such as (4, 4).
        style, bass: how they are played.
        instrument, bass_instrument: names.
        drums: steps of a bar by drum.
        repeats: how often all of it is played.
        swing: the share of an eighth by which the second of two comes later, 0 to 0.5.
    """

    chords: str
    tempo_bpm: float = 120.0
    meter: str = "4/4"
    style: Style = "held"
    instrument: str = "piano"
    bass: Bass = "none"
    bass_instrument: str = "bass"
    drums: Mapping[str, str] | None = None
    repeats: int = 1
    swing: float = 0.0


@dataclass(frozen=True)
class _Span:
    """A chord from a tick to another, with the ticks of a beat and a bar."""

    chord: Chord
    start: int
    end: int
    beat: int
    bar: int


def compose_song(pattern: Pattern) -> Song:
    """The song of a pattern.

    Raises:
        Problem: a chord, a metre, a drum or a grid is not valid; or it is too long; or nothing would be played.
    """
    meter = read_meter(pattern.meter)
    bar = TICKS * 4 * meter.beats // meter.unit
    bars = read_bars(pattern.chords) * pattern.repeats
    if len(bars) > MAX_BARS:
        raise Problem(f"{len(bars):,} bars are too many; the limit is {MAX_BARS:,}")
    beat = TICKS * 4 // meter.unit * (3 if meter.unit == 8 and meter.beats % 3 == 0 else 1)
    spans = [
        _Span(
            chord, at * bar + bar * place // len(bar_chords), at * bar + bar * (place + 1) // len(bar_chords), beat, bar
        )
        for at, bar_chords in enumerate(bars)
        for place, chord in enumerate(bar_chords)
    ]
    composed_tracks = [
        _make_track("Chords", 0, find_program(pattern.instrument), _STYLES[pattern.style], spans),
        _make_track("Bass", 1, find_program(pattern.bass_instrument), _BASSES[pattern.bass], spans),
        _drum_track(pattern.drums or {}, len(bars), bar),
    ]
    tracks = [_swing_track(track, pattern.swing) for track in composed_tracks if track.notes]
    if not tracks:
        raise Problem("there is nothing to play: style and bass are none and there are no drums")
    return Song(TICKS, tuple(tracks), ((0, pattern.tempo_bpm),), (meter,)).check()


def read_meter(text: str) -> Meter:
    """A metre such as 3/4.

    Raises:
        Problem: it is not valid.
    """
    beats, slash, unit = (part.strip() for part in text.partition("/"))
    if not slash or not beats.isdecimal() or not 1 <= int(beats[:4]) <= 32 or unit not in ("2", "4", "8", "16"):
        raise Problem(f"{text!r} is not a valid time signature; use one such as 4/4, 3/4, 6/8")
    return Meter(0, int(beats), int(unit))


def read_bars(text: str) -> list[list[Chord]]:
    """Chords of each bar; without | each chord has a bar. % repeats the bar before.

    Raises:
        Problem: there are none, or one is not a chord.
    """
    pieces = [piece.split() for piece in text.split("|")] if "|" in text else [[word] for word in text.split()]
    bars: list[list[Chord]] = []
    for number, names in enumerate(filter(None, pieces), start=1):
        if names == ["%"] and bars:
            bars.append(bars[-1])
            continue
        if len(names) > 8:
            raise Problem(f"bar {number} has {len(names)} chords; the limit is 8")
        bars.append([read_chord(name) for name in names])
    if not bars:
        raise Problem("there are no chords; give some, such as 'Am F C G' or 'C G/B | Am F'")
    return bars


_Player = Callable[[_Span], list[Note]]


def _make_track(name: str, channel: int, program: int, play: _Player, spans: list[_Span]) -> Track:
    notes = [note for span in spans for note in play(span)]
    events = _make_pedal(spans, channel) if play is _play_arpeggio else ()
    return sorted_track(Track(name, channel, program, tuple(notes), events))


def _make_pedal(spans: list[_Span], channel: int) -> tuple[tuple[int, bytes], ...]:
    """The sustain pedal down for each chord, and up shortly before the next."""
    down, up = (bytes([0xB0 | channel, 64, value]) for value in (127, 0))
    return tuple(event for span in spans for event in ((span.start, down), (span.end - TICKS // 8, up)))


def _list_upper_tones(chord: Chord) -> list[int]:
    return chord.get_voicing()[1:] or chord.get_voicing()


def _list_beats(span: _Span) -> list[tuple[int, int]]:
    """Start and length of each beat of a span."""
    return [(start, min(span.beat, span.end - start)) for start in range(span.start, span.end, span.beat)]


def _play_sustained(span: _Span) -> list[Note]:
    return [Note(span.start, pitch, span.end - span.start, 76) for pitch in span.chord.get_voicing()]


def _on_beats(span: _Span) -> list[Note]:
    return [
        Note(start, pitch, length * 9 // 10, 84 if start % span.bar == 0 else 70)
        for start, length in _list_beats(span)
        for pitch in _list_upper_tones(span.chord)
    ]


def _off_beats(span: _Span) -> list[Note]:
    return [
        Note(start + length // 2, pitch, length // 3, 78)
        for start, length in _list_beats(span)
        for pitch in _list_upper_tones(span.chord)
    ]


def _play_arpeggio(span: _Span) -> list[Note]:
    """Eighths up and down."""
    tones = span.chord.get_voicing()
    wave = [*tones, *tones[-2:0:-1]]
    step = TICKS // 2
    starts = range(span.start, span.end, step)
    return [
        Note(start, wave[index % len(wave)], min(step, span.end - start), 82 if index == 0 else 70)
        for index, start in enumerate(starts)
    ]


def _play_strum(span: _Span) -> list[Note]:
    """Down on beats and up between them, string after string."""
    notes = []
    for start, length in _list_beats(span):
        down, up = start, start + length // 2
        tones = span.chord.get_voicing()
        notes += [Note(down + index * _ROLL, tone, length // 2, 86) for index, tone in enumerate(tones)]
        notes += [Note(up + index * _ROLL, tone, length // 3, 66) for index, tone in enumerate(reversed(tones[-3:]))]
    return [note for note in notes if note.start < span.end]


def _play_waltz(span: _Span) -> list[Note]:
    """The bass on the first beat, the chord on the others."""
    low, *upper = span.chord.get_voicing()
    notes = []
    for index, (start, length) in enumerate(_list_beats(span)):
        pitches, loud = ([low], 88) if index == 0 else (upper or [low], 68)
        notes += [Note(start, pitch, length * 4 // 5, loud) for pitch in pitches]
    return notes


def _play_nothing(_span: _Span) -> list[Note]:
    return []


def _get_low_tone(chord: Chord) -> int:
    """The bass tone between E1 and D#2."""
    return 28 + (chord.bass - 28) % 12


def _bass_of(steps: Callable[[int, Chord], int]) -> _Player:
    """A bass with a tone on each beat: so many half tones above the lowest."""

    def play(span: _Span) -> list[Note]:
        return [
            Note(start, _get_low_tone(span.chord) + steps(index, span.chord), length * 9 // 10, 92)
            for index, (start, length) in enumerate(_list_beats(span))
        ]

    return play


def _play_sustained_bass(span: _Span) -> list[Note]:
    return [Note(span.start, _get_low_tone(span.chord), span.end - span.start, 88)]


def _get_fifth(index: int, chord: Chord) -> int:
    fifth = next((tone for tone in chord.tones if tone in (6, 7, 8)), 0)
    return fifth if index % 2 and chord.bass == chord.root else 0


def _get_walking_tone(index: int, chord: Chord) -> int:
    tones = [tone for tone in chord.tones if tone < 12]
    return [*tones, tones[-2]][index % (len(tones) + 1)] if chord.bass == chord.root else 0


_STYLES: dict[Style, _Player] = {
    "held": _play_sustained,
    "beats": _on_beats,
    "offbeats": _off_beats,
    "arpeggio": _play_arpeggio,
    "strum": _play_strum,
    "waltz": _play_waltz,
    "none": _play_nothing,
}
_BASSES: dict[Bass, _Player] = {
    "none": _play_nothing,
    "held": _play_sustained_bass,
    "roots": _bass_of(lambda _index, _chord: 0),
    "fifths": _bass_of(_get_fifth),
    "octaves": _bass_of(lambda index, _chord: 12 * (index % 2)),
    "walking": _bass_of(_get_walking_tone),
}


def _drum_track(drums: Mapping[str, str], bars: int, bar: int) -> Track:
    notes = []
    for name, grid in drums.items():
        if name not in DRUMS:
            raise Problem(f"{name!r} is not a drum; use one of {', '.join(DRUMS)}")
        steps = grid.replace("|", "").replace(" ", "")
        strange = set(steps) - set(_STEPS) - set(_REST)
        if not steps or len(steps) > _MAX_STEPS or strange:
            raise Problem(
                f"the steps {grid[:80]!r} of {name} are not valid; use 1 to {_MAX_STEPS} characters per bar: "
                "x hit, X loud, o soft, - rest; such as x---x---"
            )
        hits = [(Fraction(bar * step, len(steps)), _STEPS[sign]) for step, sign in enumerate(steps) if sign in _STEPS]
        length = max(1, bar // len(steps) // 2)
        notes += [
            Note(at * bar + round(start), DRUMS[name], length, loud) for at in range(bars) for start, loud in hits
        ]
    return sorted_track(Track("Drums", DRUM_CHANNEL, 0, tuple(notes)))


def _swing_track(track: Track, swing: float) -> Track:
    """The same with what stands between two beats moved later."""
    if not swing:
        return track
    half = TICKS // 2
    late = round(half * swing)
    notes = [
        Note(note.start + late, note.pitch, max(1, note.length - late), note.velocity)
        if half <= note.start % TICKS < half + TICKS // 8
        else note
        for note in track.notes
    ]
    return sorted_track(Track(track.name, track.channel, track.program, tuple(notes)))
