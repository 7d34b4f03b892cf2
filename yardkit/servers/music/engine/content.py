"""What is in a score or a song, counted: so that a result can tell what was not played and what a format lost."""

from collections import Counter
from collections.abc import Iterator

from yardkit.servers.music.engine.playing_order import describe_jumps
from yardkit.servers.music.engine.score import JUMPS, Event, Part, Score
from yardkit.servers.music.engine.song import Song

_PLAYED = {"grace notes", "syllables", "loudness signs", "pedal signs", "tempos", *(f"{kind} signs" for kind in JUMPS)}
_CONTROLLERS = {1: "modulation", 7: "volume", 10: "pan", 11: "expression", 64: "pedal"}
_MAX_NAMED = 12


def count_content(score: Score) -> Counter[str]:
    """All that a score has beside pitches and lengths of notes, by names in the plural."""
    counts = Counter[str]()
    for part in score.parts:
        counts["part names"] += bool(part.name)
        for measure in part.measures:
            counts.update(_name_sign(sign.kind) for sign in measure.signs)
            counts["clef changes"] += bool(measure.clef)
        for event in _iter_events(part):
            counts.update(f"{mark.removesuffix('-mark').replace('-', ' ')} marks" for mark in event.marks)
            counts["chord names"] += bool(event.chord)
            counts["syllables"] += sum(map(bool, event.lyrics))
            counts["grace notes"] += sum(map(len, event.grace))
            counts["slurs"] += event.slurs[0]
    counts["tempos"] = len({(n, place) for n, place in _iter_tempos(score)})
    counts["titles"], counts["composers"] = bool(score.title), bool(score.composer)
    return +counts


def count_song_content(song: Song) -> Counter[str]:
    """What a song has that a score does not show, by names in the plural."""
    counts = Counter[str]()
    for track in song.tracks:
        for _, data in track.events:
            kind = data[0] & 0xF0
            if kind == 0xB0:
                counts[f"{_CONTROLLERS.get(data[1], 'other')} controls"] += 1
            else:
                counts[{0xE0: "pitch bends", 0xC0: "instrument changes"}.get(kind, "aftertouch messages")] += 1
    return counts


def describe_notes(score: Score) -> list[str]:
    """What looks wrong in a score, and what of its file is left out."""
    return [*score.notes, *([f"left out: {name_counts(score.left_out)}"] if score.left_out else [])]


def describe_unplayed(score: Score, *, accompany: bool = False) -> list[str]:
    """What of a score is not heard, and in which order the bars are played where it has jumps."""
    counts = count_content(score)
    silent = {"part names", "titles", "composers", "clef changes", *_PLAYED, *(["chord names"] if accompany else [])}
    unplayed = Counter({name: count for name, count in counts.items() if name not in silent})
    return [*describe_jumps(score.parts), *([f"not played: {name_counts(unplayed)}"] if unplayed else [])]


def name_counts(counts: Counter[str]) -> str:
    """Counts in words, such as '3 slurs, 1 fermata mark'."""
    named = [f"{count} {name.removesuffix('s') if count == 1 else name}" for name, count in sorted(counts.items())]
    more = [f"and {len(named) - _MAX_NAMED} more kinds"] if len(named) > _MAX_NAMED else []
    return ", ".join([*named[:_MAX_NAMED], *more])


def compare_content(before: Counter[str], after: Counter[str]) -> list[str]:
    """What is no longer there after a conversion."""
    lost = before - after
    return [f"not kept: {name_counts(lost)}"] if lost else []


def compare_songs(before: Song, after: Song) -> int:
    """How many notes are in one song and not in the other, by their times, pitches and lengths."""
    old, new = (
        Counter(
            (round(note.start * 960 / song.ticks), note.pitch, round(note.length * 960 / song.ticks))
            for track in song.tracks
            for note in track.notes
        )
        for song in (before, after)
    )
    return max((old - new).total(), (new - old).total())


def measure_shifts(song: Song, written: Song) -> list[float]:
    """How far the notes of a song begin from those that were written, in quarters, track by track in their order."""
    shifts = []
    for track, copy in zip((track for track in song.tracks if track.notes), written.tracks, strict=False):
        old_notes = sorted((note.pitch, note.start / song.ticks) for note in track.notes)
        new_notes = sorted((note.pitch, note.start / written.ticks) for note in copy.notes)
        pairs = zip(old_notes, new_notes, strict=False) if len(old_notes) == len(new_notes) else ()
        shifts += [abs(first[1] - second[1]) for first, second in pairs if first[0] == second[0]]
    return [shift if shift > 1e-6 else 0.0 for shift in shifts]


def _name_sign(kind: str) -> str:
    return {"dynamics": "loudness signs", "words": "texts", "rehearsal": "rehearsal marks"}.get(kind, f"{kind} signs")


def _iter_events(part: Part) -> Iterator[Event]:
    return (event for measure in part.measures for voice in measure.voices for event in voice)


def _iter_tempos(score: Score) -> Iterator[tuple[int, object]]:
    for part in score.parts:
        for number, measure in enumerate(part.measures):
            for place, _ in measure.tempos:
                yield number, place
