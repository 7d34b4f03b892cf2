"""Examples of music: a tune in two voices with words, and the backing of a song."""

from pathlib import Path

from tools.example import Example, Gallery

TUNE = """X:1
T:Greensleeves
C:Trad.
M:6/8
L:1/8
Q:3/8=66
K:Am
V:1 name="Flute"
V:2 clef=bass name="Cello"
V:1
%%MIDI program 73
A|"Am"c2 d e>^fe|"G"d2 B G>AB|"Am"c2 A A>^GA|"E"B2 ^G E2 A|
w: A-las my love you do me wrong, to cast me off dis-cour-teous-ly, for
"Am"c2 d e>^fe|"G"d2 B G>AB|"Am"c>BA "E"^G>^F^G|"Am"A3- A2|]
w: I have lov-ed you so long, de-light-ing in your com-pa-ny.
V:2
%%MIDI program 42
z|A,3 E,3|G,3 D,3|A,3 E,3|E,3 B,,3|
A,3 E,3|G,3 D,3|A,3 E,3|A,3- A,2|]
"""
DRUMS = {"kick": "x---x---", "snare": "----x---", "closed_hat": "xoxoxoxo"}
EDITS = [
    {"kind": "transpose", "semitones": 2},
    {"kind": "tempo", "factor": 1.2},
    {"kind": "instrument", "tracks": [1], "instrument": "violin"},
    {"kind": "quantize", "grid": "1/16"},
    {"kind": "keep_bars", "first_bar": 2, "last_bar": 5},
]


def prepare_files(files: Path) -> None:
    (files / "green.abc").write_text(TUNE, encoding="utf-8")


GALLERY = Gallery(
    prepare_files,
    (
        Example("compose_abc", {"text": TUNE, "target": "green.mid", "accompany": True}),
        Example(
            "compose_pattern",
            {
                "chords": "Am F | C G/B | Dm7 E7 | Am",
                "target": "backing.mid",
                "tempo_bpm": 96,
                "style": "strum",
                "instrument": "guitar",
                "bass": "walking",
                "drums": DRUMS,
                "repeats": 2,
                "swing": 0.2,
            },
        ),
        Example("describe_music", {"path": "green.mid"}),
        Example("list_notes", {"path": "green.abc", "track_number": 1, "first_bar": 2, "last_bar": 3}),
        Example("find_chords", {"path": "backing.mid", "per_bar": 2}),
        Example("edit_midi", {"path": "green.mid", "target": "higher.mid", "edits": EDITS}),
        Example("join_midi", {"paths": ["green.mid", "backing.mid"], "target": "both.mid"}),
        Example("split_midi", {"path": "green.mid", "folder": "parts"}),
        Example("convert_music", {"path": "higher.mid", "target": "higher.abc"}),
        Example("draw_score", {"path": "green.abc", "target": "green.png"}, ("green.png",)),
        Example("draw_score", {"path": "backing.mid", "target": "backing.pdf"}, ("backing.pdf",)),
        Example("draw_piano_roll", {"path": "backing.mid", "target": "roll.png"}, ("roll.png",)),
        Example("render_music", {"path": "both.mid", "target": "both.mp3"}, ("both.mp3",)),
    ),
)
