"""Music composed, read, edited, written down, played and drawn."""

import struct
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from support.answers import Call, make_caller, read_facts, read_text
from support.scale import count_tries

from yardkit.kit.sounds import read_sound
from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.music.engine.abc.reading import read_abc
from yardkit.servers.music.engine.abc.writing import write_abc
from yardkit.servers.music.engine.chords import name_chord, read_chord
from yardkit.servers.music.engine.keys import estimate_key
from yardkit.servers.music.engine.midi_files import midi_bytes, read_midi_bytes
from yardkit.servers.music.engine.notation import write_down
from yardkit.servers.music.engine.patterns import Pattern, compose_song
from yardkit.servers.music.engine.performing import perform_score
from yardkit.servers.music.engine.song import Key, Meter, Note, Song, Track
from yardkit.world import Problem

TUNE = """X:1
T:Two voices
C:Trad.
M:6/8
L:1/8
Q:3/8=60
K:Am
V:1 name="Flute"
V:2 clef=bass name="Cello"
V:1
%%MIDI program 73
A|"Am"c2 d e>^fe|"G"d2 B (3GAB G|[1 "E"B3 ^G2:|[2 "Am"[Ace]3- [Ace]2|]
w: A-las my love you do me wrong
V:2
%%MIDI program 42
z|A,3 E,3|G,3 D,3|[1 E,3 B,,2:|[2 A,3- A,2|]
"""


@pytest.fixture
def call(files: Path) -> Call:
    (files / "tune.abc").write_text(TUNE)
    return make_caller(load_server("music"))


def notes_of(text: str) -> list[tuple[float, int, float]]:
    """Notes of the first voice: start and length in eighths, and pitch."""
    track = perform_score(read_abc(f"X:1\nL:1/8\nK:C\n{text}\n")).tracks[0]
    return [(note.start / 240, note.pitch, note.length / 240) for note in track.notes]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C c C, c'", [(0, 60, 1), (1, 72, 1), (2, 48, 1), (3, 84, 1)]),
        ("C2 D/ E// F3/2", [(0, 60, 2), (2, 62, 0.5), (2.5, 64, 0.25), (2.75, 65, 1.5)]),
        ("^C C _D | C", [(0, 61, 1), (1, 61, 1), (2, 61, 1), (3, 60, 1)]),
        ("^F f =f F", [(0, 66, 1), (1, 78, 1), (2, 77, 1), (3, 65, 1)]),
        ("A>B A<<B", [(0, 69, 1.5), (1.5, 71, 0.5), (2, 69, 0.25), (2.25, 71, 1.75)]),
        (
            "(3CDE F",
            [
                (0, 60, pytest.approx(2 / 3)),
                (2 / 3, 62, pytest.approx(2 / 3)),
                (4 / 3, 64, pytest.approx(2 / 3)),
                (2, 65, 1),
            ],
        ),
        ("C2-|C2 C", [(0, 60, 4), (4, 60, 1)]),
        ("[CE]2 z [C2E2]", [(0, 60, 2), (0, 64, 2), (3, 60, 2), (3, 64, 2)]),
        ("[K:D] F [L:1/4] C", [(0, 66, 1), (1, 61, 2)]),
        ('"^loud" C {AB} "Am"D !f! E ~F (GA)', [(at, pitch, 1) for at, pitch in enumerate((60, 62, 64, 65, 67, 69))]),
    ],
)
def test_notes_of_abc_are_as_the_standard_says(text: str, expected: Any) -> None:
    assert notes_of(text) == [pytest.approx(note) if isinstance(note, tuple) else note for note in expected]


@pytest.mark.parametrize(
    ("text", "played"),
    [
        ("|:C|D:|E|", "CDCDE"),
        ("C|D:|E|", "CDCDE"),
        ("|:C|[1D:|[2E|]F|", "CDCEF"),
        ("|:C|1D:|2E:|F|", "CDCEF"),
        ("|:C|[1,3D:|[2E:|F|", "CDCECDF"),
        ("|:C::D:|", "CCDD"),
        ("|::C::|D|", "CCCD"),
    ],
)
def test_repeats_and_endings_are_played_in_their_order(text: str, played: str) -> None:
    letters = {60: "C", 62: "D", 64: "E", 65: "F"}
    assert "".join(letters[pitch] for _, pitch, _ in notes_of(text)) == played


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Hello world", "line 1: 'Hello world' is not valid ABC"),
        ("X:1\nK:C\nCDEF|GA?B", "line 3, column 8: '?' is not valid ABC"),
        ("X:1\nK:Q\nC", "line 2: K:Q is not a valid key"),
        ("X:1\nM:4/0\nK:C\nC", "line 2: M:4/0 is not a valid time signature"),
        ("X:1\nK:C\nC/3", "divided by 3"),
        ("X:1\nK:C\nC,,,,,,,,", "is not a MIDI pitch"),
        ("X:1\nK:C\n[CEG", "column 5: a chord in [ ] may contain only notes"),
        ("X:1\nK:C\nCD & EF", "write them as V:1, V:2"),
        ("X:1\nT:x\n", "the text has no K:"),
        ("X:1\nK:C\n", "no music"),
        ("X:1\nK:C\n" + "A" * 5000, "line 3: the line has 5,000 characters"),
        ("X:1\nK:C\n" + "|:C:|:::\n" * 3000, "more than 5,000 bars"),
    ],
)
def test_a_fault_in_abc_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(Problem) as error:
        perform_score(read_abc(text))
    assert message in str(error.value)


def test_a_bar_of_another_length_is_told_and_written_all_the_same(call: Call) -> None:
    done = call("compose_abc", text="X:1\nM:4/4\nL:1/4\nK:C\nCDEF|CDE|CDEF|", target="a.mid")
    assert "bar 2 (line 5) lasts 3/4 whole notes; its time signature 4/4 needs 1" in read_text(done)


def test_a_tune_is_described_listed_and_named_in_chords(call: Call) -> None:
    about = call("describe_music", path="tune.abc").structured_content
    assert (about["title"], about["bars"], about["notes"]) == ("Two voices", 7, 40)
    assert about["tempos"] == ["90 BPM from bar 1"]
    assert about["meters"][:2] == ["1/8 from bar 1", "6/8 from bar 2"]
    flute, cello = about["tracks"]
    assert (flute["instrument"], flute["lowest"], flute["highest"], flute["lyrics"][:28]) == (
        "Flute",
        "G4",
        "F#5",
        "Alas my love you do me wrong",
    )
    assert (cello["instrument"], cello["notes"]) == ("Cello", 11)
    page = read_facts(call("list_notes", path="tune.abc", track_number=2, first_bar=3, last_bar=3))
    assert [(note["pitch"], note["beat"], note["start_s"]) for note in page["notes"]] == [
        ("G3", 1.0, 2.3333),
        ("D3", 4.0, 3.3333),
    ]
    chords = read_facts(call("find_chords", path="tune.abc"))
    assert [chord["chord"] for chord in chords["chords"]][1:4] == ["Am", "G", "E"]


def test_what_is_written_is_read_back_and_is_the_same_twice() -> None:
    song = perform_score(read_abc(TUNE))
    data = midi_bytes(song)
    assert data == midi_bytes(perform_score(read_abc(TUNE)))
    back = read_midi_bytes(data, "a.mid")
    assert (back.tracks, back.meters, back.keys, back.tempos) == (song.tracks, song.meters, song.keys, song.tempos)


@settings(max_examples=count_tries(200, 25), deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 60), st.integers(1, 12), st.integers(30, 90)),
        min_size=1,
        max_size=24,
        unique_by=lambda note: note[0],
    ),
    st.sampled_from([(4, 4), (3, 4), (6, 8), (5, 4)]),
    st.integers(-5, 5),
)
def test_music_on_the_grid_comes_through_abc_unchanged(notes: Any, meter: Any, fifths: int) -> None:
    """Sixteenths, in a melody of which each note ends by the next."""
    starts = sorted(notes)
    ends = [start for start, _, _ in starts[1:]] + [10**6]
    random_notes = tuple(
        Note(start * 120, pitch, min(length, end - start) * 120)
        for (start, length, pitch), end in zip(starts, ends, strict=True)
    )
    song = Song(480, (Track("Line", 0, 11, random_notes),), meters=(Meter(0, *meter),), keys=(Key(0, fifths),))
    text = write_abc(write_down(song))
    back = perform_score(read_abc(text))
    assert [(note.start, note.pitch, note.length) for note in back.tracks[0].notes] == [
        (note.start, note.pitch, note.length) for note in random_notes
    ], text


def test_a_score_comes_through_musicxml(call: Call, files: Path) -> None:
    assert not call("convert_music", path="tune.abc", target="tune.musicxml").is_error
    assert not call("convert_music", path="tune.musicxml", target="back.mid").is_error
    about = call("describe_music", path="back.mid").structured_content
    assert [track["notes"] for track in about["tracks"]] == [29, 11]
    assert about["duration_s"] == pytest.approx(
        call("describe_music", path="tune.abc").structured_content["duration_s"], abs=0.05
    )


def test_triplets_and_late_releases_are_written_as_they_are_meant() -> None:
    played = [Note(0, 60, 150), Note(160, 62, 150), Note(320, 64, 150), Note(480, 65, 430), Note(960, 67, 900)]
    events = write_down(Song(480, (Track("", 0, 0, tuple(played)),))).parts[0].measures[0].voices[0]
    assert [event.duration for event in events] == [Fraction(1, 12)] * 3 + [Fraction(1, 4), Fraction(1, 2)]
    assert [(event.tuplet_starts, event.tuplet_stops) for event in events[:3]] == [
        (True, False),
        (False, False),
        (False, True),
    ]


def test_a_pattern_is_played_by_chords_bass_and_drums() -> None:
    song = compose_song(
        Pattern("Am F | C G/B", style="beats", bass="roots", drums={"kick": "x---", "snare": "--x-"}, repeats=2)
    )
    chords, bass, drums = song.tracks
    assert song.seconds == pytest.approx(8, abs=0.1)
    assert [note.pitch % 12 for note in bass.notes][:8] == [9, 9, 5, 5, 0, 0, 11, 11]
    assert {note.pitch % 12 for note in chords.notes if note.start == 0} == {9, 0, 4}
    assert [(note.start, note.pitch) for note in drums.notes][:3] == [(0, 36), (960, 38), (1920, 36)]
    late = compose_song(Pattern("C", style="none", drums={"ride": "xxxxxxxx"}, swing=0.33)).tracks[0].notes
    assert [note.start for note in late[:4]] == [0, 319, 480, 799]
    for wrong, message in (
        (Pattern("Hm"), "is not a valid chord"),
        (Pattern("C", drums={"gong": "x"}), "is not a drum"),
        (Pattern("C", meter="7/9"), "is not a valid time signature"),
    ):
        with pytest.raises(Problem, match=message):
            compose_song(wrong)


def test_edits_change_what_they_name_and_all_or_none(call: Call, files: Path) -> None:
    edits = [
        {"kind": "transpose", "semitones": 2},
        {"kind": "tempo", "factor": 2},
        {"kind": "instrument", "tracks": [1], "instrument": "violin"},
        {"kind": "keep_bars", "first_bar": 2, "last_bar": 3},
    ]
    done = call("edit_midi", path="tune.abc", target="new.mid", edits=edits)
    assert not done.is_error, read_text(done)
    about = call("describe_music", path="new.mid").structured_content
    assert (about["bars"], about["tempos"], about["keys"]) == (2, ["180 BPM from bar 1"], ["B minor from bar 1"])
    assert [track["instrument"] for track in about["tracks"]] == ["Violin", "Cello"]
    assert about["tracks"][0]["highest"] == "Ab5"
    refused = call(
        "edit_midi", path="tune.abc", target="none.mid", edits=[edits[0], {"kind": "remove_tracks", "tracks": [5]}]
    )
    assert "edit 2 (remove_tracks): there is no track 5" in read_text(refused)
    assert not (files / "none.mid").exists()


def test_quantizing_moves_notes_to_the_grid(call: Call, files: Path) -> None:
    song = Song(480, (Track("", 0, 0, (Note(10, 60, 100), Note(235, 62, 100))),))
    (files / "loose.mid").write_bytes(midi_bytes(song))
    done = call("edit_midi", path="loose.mid", target="tight.mid", edits=[{"kind": "quantize", "grid": "1/8"}])
    assert "2 notes moved" in read_text(done)
    starts = [note.start for note in read_midi_bytes((files / "tight.mid").read_bytes(), "t").tracks[0].notes]
    assert starts == [0, 240]


def test_pieces_are_joined_and_taken_apart(call: Call, files: Path) -> None:
    assert not call("compose_pattern", chords="C G", target="two.mid", bass="roots").is_error
    after = call("join_midi", paths=["tune.abc", "two.mid"], target="after.mid").structured_content
    assert (after["bars"], after["tracks"]) == (9, 4)
    both = call("join_midi", paths=["tune.abc", "two.mid"], target="both.mid", how="together").structured_content
    assert (both["tracks"], both["notes"]) == (4, after["notes"])
    channels = [track["channel"] for track in call("describe_music", path="both.mid").structured_content["tracks"]]
    assert len(set(channels)) == 4
    parts = call("split_midi", path="both.mid", folder="parts").structured_content
    assert len(parts["parts"]) == 4


def test_it_sounds_at_its_pitches_and_times_and_the_same_each_time(call: Call, files: Path) -> None:
    assert not call("compose_abc", text="X:1\nL:1/4\nQ:1/4=120\nK:C\nC E A c|", target="four.mid").is_error
    for name in ("one.wav", "two.wav"):
        done = call("render_music", path="four.mid", target=name, reverb=False)
        assert not done.is_error, read_text(done)
    assert (files / "one.wav").read_bytes() == (files / "two.wav").read_bytes()
    sound = read_sound(files / "one.wav", 22_050).samples
    assert float(np.abs(sound).max()) > 0.5
    for beat, pitch in enumerate((60, 64, 69, 72)):
        part = sound[int((beat * 0.5 + 0.08) * 22_050) : int((beat * 0.5 + 0.45) * 22_050)]
        spectrum = np.abs(np.fft.rfft(part * np.hanning(len(part)), 1 << 16))
        expected_hz = 440 * 2 ** ((pitch - 69) / 12)
        near = slice(int(expected_hz * 0.97 / 22_050 * (1 << 16)), int(expected_hz * 1.03 / 22_050 * (1 << 16)) + 1)
        peak_hz = (near.start + int(spectrum[near].argmax())) * 22_050 / (1 << 16)
        assert peak_hz == pytest.approx(expected_hz, rel=0.004)
        assert spectrum[near].max() > 0.5 * spectrum.max()
    assert "no notes left" in read_text(call("render_music", path="four.mid", target="a.wav", mute_tracks=[1]))
    chords = read_facts(call("find_chords", path="one.wav", every_s=2))
    assert chords["basis"] == "an estimate from the audio"
    assert chords["chords"][0]["chord"] == "Am"


def test_a_score_and_a_piano_roll_can_be_looked_at(call: Call, files: Path) -> None:
    for tool, target in (("draw_score", "score.png"), ("draw_piano_roll", "roll.png")):
        assert not call(tool, path="tune.abc", target=target).is_error
        with Image.open(files / target) as picture:
            shades = np.asarray(picture.convert("L"))
        assert 0.005 < float((shades < 128).mean()) < 0.3
    assert not call("draw_score", path="tune.abc", target="score.pdf").is_error
    assert (files / "score.pdf").read_bytes().startswith(b"%PDF")
    assert "page 3 does not exist" in read_text(call("draw_score", path="tune.abc", target="a.png", page=3))


def make_midi(events: bytes, division: int = 480, kind: int = 0) -> bytes:
    return b"MThd" + struct.pack(">IHHh", 6, kind, 1, division) + b"MTrk" + struct.pack(">I", len(events)) + events


END, GOOD = b"\x00\xff\x2f\x00", b"\x00\x90\x3c\x40\x83\x60\x80\x3c\x40"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (make_midi(GOOD + END)[:-6], "is truncated"),
        (b"", "is not a MIDI file: it does not begin with MThd"),
        (make_midi(GOOD + END, division=-6360), "SMPTE"),
        (make_midi(GOOD + END, kind=2), "format 2"),
        (make_midi(b"\x00\x90\x3c\x40\xff\xff\xff\x7f\x80\x3c\x40" + END), "the limit is 14,400 s"),
        (
            make_midi(b"\x00\xff\x58\x04\x01\x06\x18\x08\x00\x90\x3c\x40\xff\xff\x7f\x80\x3c\x40" + END),
            "more than 5,000 bars",
        ),
        (make_midi(b"\x00\xff\x59\x02\x63\x07" + GOOD + END), "cannot be read as MIDI"),
        (b"MThd" + b"\0" * 4_000_001, "at most 4,000,000"),
    ],
)
def test_a_hostile_midi_file_is_refused_in_words(call: Call, files: Path, data: bytes, message: str) -> None:
    (files / "bad.mid").write_bytes(data)
    assert message in read_text(call("describe_music", path="bad.mid"))


@pytest.mark.drill
def test_a_million_messages_are_refused(call: Call, files: Path) -> None:
    (files / "many.mid").write_bytes(make_midi(b"\x00\x90" + b"\x00".join([b"\x3c\x40\x01\x3c\x00"] * 300_000) + END))
    assert "more than 100,000 notes" in read_text(call("describe_music", path="many.mid"))


def test_faults_that_do_no_harm_are_left_out_and_told(call: Call, files: Path) -> None:
    (files / "odd.mid").write_bytes(
        make_midi(
            b"\x00\xff\x51\x03\x00\x00\x00\x00\xff\x58\x04\x00\xff\x18\x08\x00\x90\x3c\x40\x83\x60\xb0\x07\x40" + END
        )
    )
    description = read_text(call("describe_music", path="odd.mid"))
    assert "1 impossible tempos left out" in description
    assert "1 impossible metres left out" in description
    assert "0.50 s" in description


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<score-partwise>", "is not well-formed XML"),
        ("<score-partwise/>", "has no notes"),
        (
            '<!DOCTYPE a [<!ENTITY b "c">]><score-partwise>&b;</score-partwise>',
            "defines XML entities, which are not allowed",
        ),
        ("<html/>", "is not MusicXML: it has no <score-partwise>"),
    ],
)
def test_what_is_no_musicxml_is_refused(call: Call, files: Path, text: str, message: str) -> None:
    (files / "bad.musicxml").write_text(text)
    assert message in read_text(call("draw_score", path="bad.musicxml", target="a.png"))


@pytest.mark.parametrize("name", ["C", "Am", "G7", "Fmaj7", "Dm7", "Bdim", "Eaug", "Asus4", "C#m7b5"])
def test_a_chord_is_found_in_its_own_tones(name: str) -> None:
    chord = read_chord(name)
    chord_name, share = name_chord(dict.fromkeys([(chord.root + tone) % 12 for tone in chord.tones], 1.0), chord.root)
    assert (chord_name, share) == (name, 1.0)


@pytest.mark.parametrize(
    ("tune", "key"),
    [("GABcdefg gdBG", "G major"), ("EFGABcde eBGE", "E minor"), ("_E F G _A _B c d _e _e _B G _E", "Eb major")],
)
def test_the_key_is_estimated_from_the_notes(tune: str, key: str) -> None:
    signature = "G" if "_" not in tune else "C"
    key_estimate = estimate_key(perform_score(read_abc(f"X:1\nK:{signature}\n{tune}\n")))
    assert key_estimate is not None
    assert str(key_estimate[0]) == key
