"""The scores of the zoo read by every tool; what a conversion loses is told; nothing else is lost."""

import base64
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.answers import Call, make_caller, read_facts, read_text
from support.scale import count_tries
from zoo.scores import ZooScore, build_all, make_midi, play_notes

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.music.engine.abc.reading import read_abc
from yardkit.servers.music.engine.abc.writing import write_abc
from yardkit.servers.music.engine.content import compare_songs, count_content
from yardkit.servers.music.engine.files import open_musicxml, open_song
from yardkit.servers.music.engine.midi_files import read_midi_bytes
from yardkit.servers.music.engine.musicxml.reading import read_musicxml
from yardkit.servers.music.engine.musicxml.writing import write_musicxml
from yardkit.servers.music.engine.performing import perform_score
from yardkit.servers.music.engine.score import Event, KeySignature, Measure, Part, Pitch, Score, Sign, fill_voices
from yardkit.servers.music.engine.signs import MARKS
from yardkit.servers.music.engine.song import Song

ZOO = build_all()
READING: dict[str, dict[str, Any]] = {
    "find_chords": {},
    "draw_score": {"target": "score.svg"},
    "draw_piano_roll": {"target": "roll.png", "width_px": 300, "height_px": 200},
}


@pytest.fixture
def call(files: Path) -> Call:
    return make_caller(load_server("music"))


def list_heard(song: Song) -> list[tuple[Fraction, int, Fraction]]:
    return sorted(
        (Fraction(note.start, song.ticks), note.pitch, Fraction(note.length, song.ticks))
        for track in song.tracks
        for note in track.notes
    )


@pytest.mark.parametrize("score", ZOO, ids=lambda score: score.name)
def test_a_score_is_read_as_it_is_written(score: ZooScore, call: Call, files: Path) -> None:
    (files / score.name).write_bytes(score.data)
    song = open_song(files / score.name)
    assert list_heard(song) == sorted(score.notes)
    about = call("describe_music", path=score.name)
    facts, text = about.structured_content, read_text(about)
    assert facts["bars"] == score.bars
    for expected in (score.title, score.words, *score.messages, *score.tempos, *score.meters):
        assert expected in text
    listed = read_facts(call("list_notes", path=score.name))["notes"]
    assert sorted(note["key"] for note in listed) == sorted(pitch for _, pitch, _ in score.notes)


@pytest.mark.parametrize("score", ZOO, ids=lambda score: score.name)
def test_every_tool_that_reads_music_takes_it(score: ZooScore, call: Call, files: Path) -> None:
    (files / score.name).write_bytes(score.data)
    for name, more in READING.items():
        done = call(name, path=score.name, **more)
        assert not done.is_error, f"{name}: {read_text(done)}"


@pytest.mark.parametrize(
    "score", [score for score in ZOO if score.verovio and "xml" in score.name[-4:]], ids=lambda score: score.name
)
def test_verovio_plays_the_same_notes(score: ZooScore, files: Path) -> None:
    import verovio

    (files / score.name).write_bytes(score.data)
    verovio.enableLog(verovio.LOG_OFF)
    toolkit = verovio.toolkit()
    toolkit.setOptions({"inputFrom": "musicxml"})
    assert toolkit.loadData(open_musicxml(files / score.name)[0])
    song = read_midi_bytes(base64.b64decode(toolkit.renderToMIDI()), score.name)
    played = [(pytest.approx(float(start), abs=0.01), pitch) for start, pitch, _ in list_heard(song)]
    assert [(float(start), pitch) for start, pitch, _ in sorted(score.notes)] == played


@pytest.mark.parametrize("score", ZOO, ids=lambda score: score.name)
def test_a_converted_score_sounds_the_same(score: ZooScore, call: Call, files: Path) -> None:
    (files / score.name).write_bytes(score.data)
    for target in ("copy.abc", "copy.musicxml", *(["copy.mid"] if score.messages else [])):
        done = call("convert_music", path=score.name, target=target)
        assert not done.is_error, read_text(done)
        assert "sound differently" not in read_text(done)
        assert list_heard(open_song(files / target)) == sorted(score.notes)
        for text in score.messages if target == "copy.mid" else ():
            assert text in read_text(done)


@pytest.mark.parametrize(
    ("tune", "message"),
    [
        ('C4|D4 "D.C. al Fine"|]', "no sign of a Fine, so it is played to the end"),
        ('C4|D4 "D.S."|]', "no sign of a segno, so D.S. goes to the beginning"),
        ("C4 !fine!|D4|]", "no D.C. or D.S., so these signs change nothing: Fine"),
    ],
)
def test_a_jump_that_leads_nowhere_is_told(tune: str, message: str, call: Call) -> None:
    text = f"X:1\nM:4/4\nL:1/4\nK:C\n{tune}\n"
    assert message in read_text(call("compose_abc", text=text, target="a.mid"))


def test_what_midi_or_abc_cannot_hold_is_counted(call: Call, files: Path) -> None:
    for name in ("pedal.mid", "grace.musicxml"):
        (files / name).write_bytes(next(score.data for score in ZOO if score.name == name))
    assert "not kept: 1 pedal control, 1 pitch bend" in read_text(
        call("convert_music", path="pedal.mid", target="pedal.abc")
    )
    # A text of its own, since MIDI has neither marks nor slurs.
    assert "not played: 1 fermata mark, 1 slur, 1 trill mark" in read_text(
        call("convert_music", path="grace.musicxml", target="grace.mid")
    )
    (files / "roll.abc").write_text("X:1\nL:1/4\nK:C\n~C D|\n")
    assert "not kept: 1 roll mark" in read_text(call("convert_music", path="roll.abc", target="roll.musicxml"))


def test_notes_that_a_hand_played_are_rounded_and_told(call: Call, files: Path) -> None:
    (files / "hand.mid").write_bytes(make_midi([*play_notes("60 62 64 65", 470), *play_notes("67 69 71 72", 233)]))
    done = read_text(call("convert_music", path="hand.mid", target="hand.abc"))
    assert "7 of 8 notes begin up to" in done
    assert "[" not in (files / "hand.abc").read_text().split("%%MIDI")[1].split("\n", 1)[1].replace("[M:", "")


@pytest.mark.parametrize(
    ("tune", "key", "chord"),
    [
        ("[CEG]4|", "none (3 different tones are too few to tell a key)", "C"),
        ("C4|", "none (1 different tones are too few to tell a key)", "-"),
        ("[CG]4|", "none (2 different tones are too few to tell a key)", "C5"),
        ("CDEF|GABc|", "C major", None),
    ],
)
def test_no_key_and_no_chord_is_named_where_none_can_be_told(
    tune: str, key: str, chord: str | None, call: Call, files: Path
) -> None:
    (files / "short.abc").write_text(f"X:1\nL:1/4\nK:C\n{tune}\n")
    assert key in call("describe_music", path="short.abc").structured_content["estimated_key"]
    if chord:
        assert read_facts(call("find_chords", path="short.abc"))["chords"][0]["chord"] == chord


MARKED = [name for name, (_, abc) in MARKS.items() if abc and name != "roll"]
LENGTHS = [Fraction(1, 32), Fraction(1, 16), Fraction(1, 8), Fraction(3, 16), Fraction(1, 4), Fraction(3, 8)]
METERS = [(4, 4), (3, 4), (6, 8), (2, 2)]
pitches = st.builds(Pitch, st.sampled_from("CDEFGAB"), st.integers(-1, 1), st.integers(3, 5))
chords = st.lists(pitches, min_size=0, max_size=3, unique_by=lambda pitch: pitch.midi)
SIGNS = [("dynamics", "f"), ("words", "dolce"), ("rehearsal", "B"), ("segno", ""), ("crescendo", ""), ("pedal", "down")]


@st.composite
def draw_events(draw: st.DrawFn, length: Fraction) -> list[Event]:
    """Events that fill a bar, some of them triplets, ties, grace notes, marks, words and chord names."""
    events, at = list[Event](), Fraction(0)
    while at < length:
        left = length - at
        if left >= Fraction(1, 4) and (at * 4).denominator == 1 and draw(st.integers(0, 4)) == 0:
            for number in range(3):
                tones = tuple(sorted(draw(chords), key=lambda pitch: pitch.midi))
                triplet = Event(Fraction(1, 12), tones, tuplet=(3, 2))
                triplet.tuplet_starts, triplet.tuplet_stops = number == 0, number == 2
                events.append(triplet)
            at += Fraction(1, 4)
            continue
        size = draw(st.sampled_from([size for size in LENGTHS if size <= left]))
        event = Event(size, tuple(sorted(draw(chords), key=lambda pitch: pitch.midi)))
        if event.pitches:
            event.marks = tuple(draw(st.lists(st.sampled_from(MARKED), max_size=2, unique=True)))
            event.grace = tuple((pitch,) for pitch in draw(st.lists(pitches, max_size=2)))
            event.lyrics = draw(st.lists(st.sampled_from(["la", "a-", "men", "o~h", "well-known"]), max_size=2))
            event.slurs = (draw(st.integers(0, 1)), 0)
        event.chord = draw(st.sampled_from(["", "", "Am", "F#m7/C#", "N.C."]))
        events.append(event)
        at += size
    for event, after in pairwise(events):
        if draw(st.booleans()) and event.pitches and after.pitches and not after.grace:
            shared = [pitch for pitch in event.pitches if pitch in after.pitches]
            event.tied = frozenset(shared)
    return events


@st.composite
def draw_part(draw: st.DrawFn, meters: list[tuple[int, int]], upbeat: bool, repeats: list[int]) -> Part:
    clef = draw(st.sampled_from(["treble", "bass", "treble-8", "alto", "bass-8", "treble+8"]))
    transpose = draw(st.sampled_from([0, 0, -2, -12, 3]))
    part = Part("Line", draw(st.integers(0, 127)), clef=clef, transpose=transpose)
    for index, (meter, times) in enumerate(zip(meters, repeats, strict=True)):
        length = Fraction(1, 4) if upbeat and index == 0 else Fraction(*meter)
        key = KeySignature(draw(st.integers(-4, 4)), draw(st.booleans()))
        measure = Measure(meter, key, repeat_times=times, section_ends=bool(times))
        measure.voices = [draw(draw_events(length)) for _ in range(draw(st.integers(1, 2)))]
        if draw(st.integers(0, 3)) == 0:
            measure.signs = [Sign(Fraction(0), *draw(st.sampled_from(SIGNS)))]  # type: ignore[arg-type]
        if index and draw(st.integers(0, 5)) == 0:
            measure.clef = draw(st.sampled_from(["treble", "bass-8"]))
        part.measures.append(measure)
    return part


@st.composite
def draw_score(draw: st.DrawFn) -> Score:
    meters = draw(st.lists(st.sampled_from(METERS), min_size=1, max_size=3))
    repeats = [draw(st.sampled_from([0, 0, 0, 2])) for _ in meters]
    upbeat = draw(st.booleans()) and len(meters) > 1
    parts = [draw(draw_part(meters, upbeat, repeats)) for _ in range(draw(st.integers(1, 2)))]
    parts[0].measures[-1].tempos = draw(st.sampled_from([[], [(Fraction(0), 90.0)]]))
    for measures in zip(*(part.measures for part in parts), strict=True):
        fill_voices(measures)
    return Score("A title", "A composer", parts)


def count_kept(score: Score) -> Counter[str]:
    """What a format must keep: names of parts are those of voices in ABC."""
    counts = count_content(score)
    del counts["part names"], counts["clef changes"]
    return counts


@settings(max_examples=count_tries(300, 8), deadline=None)
@given(draw_score())
def test_nothing_is_lost_between_a_score_and_a_file(score: Score) -> None:
    """Each sign has a place in both formats, and each note sounds when, how long and how high it did."""
    song = perform_score(score)
    assume(song.notes)
    for text, back in (
        (write_abc(score), read_abc(write_abc(score))),
        (write_musicxml(score), read_musicxml(write_musicxml(score))),
    ):
        assert compare_songs(song, perform_score(back)) == 0, text
        assert count_kept(back) == count_kept(score), text
        assert not back.left_out, text
