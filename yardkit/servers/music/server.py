"""The tools of the `music` server."""

import os
from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.music.engine import description, editing, files, patterns, piano_roll, synthesis
from yardkit.servers.music.engine.abc.reading import read_abc
from yardkit.servers.music.engine.editing import MidiEdit, WrittenMidi
from yardkit.servers.music.engine.engraving import DrawnScore
from yardkit.servers.music.engine.engraving import draw_score as engrave
from yardkit.servers.music.engine.performing import perform
from yardkit.servers.music.engine.sound_chords import guess_chords
from yardkit.world import InFile, OutDir, OutFile

mcp = make_server(
    "music",
    "Composes, plays, describes, edits and engraves music as notes: MIDI (.mid), ABC (.abc), MusicXML (.musicxml). "
    "Bars, beats and tracks count from 1, pitch 60 is C4. To hear it, render_music; to see it, draw_score or "
    "draw_piano_roll. Music from a description in words is made by the server text_to_music.",
)

Music = Annotated[InFile, Field(description="Music as notes: .mid, .abc or .musicxml, relative to the workspace.")]
Midi = Annotated[OutFile, Field(description="MIDI file to write, .mid.")]
FirstBar = Annotated[int, Field(description="Begin with this bar.", ge=1, le=5000)]
LastBar = Annotated[int | None, Field(description="End with this bar; by default the last.", ge=1, le=5000)]
Offset = Annotated[int, Field(description="Skip so many.", ge=0, le=1_000_000)]


@tool(mcp, writes=True, destructive=True)
def compose_abc(
    text: Annotated[
        str,
        Field(
            description="A tune in ABC: X: T: M: L: Q: K: V:, then notes; several voices, chords [CEG], repeats |: :|, "
            'endings [1 [2, triplets (3abc, words w:, "Am" above notes, %%MIDI program 40.',
            min_length=1,
            max_length=400_000,
        ),
    ],
    target: Midi,
    accompany: Annotated[bool, Field(description="Also play the chord names.")] = False,
) -> WrittenMidi:
    """Write a tune in ABC notation as MIDI; faults are told with their line, odd bars with their length."""
    score = read_abc(text)
    return editing.save_song(perform(score, accompany), target, score.notes)


@tool(mcp, writes=True, destructive=True)
def compose_pattern(
    chords: Annotated[
        str,
        Field(
            description="A chord for each bar, 'Am F C G', or with bar lines, 'C G/B | Am F'; % repeats a bar.",
            min_length=1,
            max_length=20_000,
        ),
    ],
    target: Midi,
    tempo_bpm: Annotated[float, Field(description="Quarters a minute.", ge=20, le=400)] = 120,
    meter: Annotated[str, Field(description="Such as 4/4, 3/4, 6/8.", max_length=8)] = "4/4",
    style: Annotated[patterns.Style, Field(description="How chords are played.")] = "held",
    instrument: Annotated[str, Field(description="Name of General MIDI or number, of the chords.")] = "piano",
    bass: Annotated[patterns.Bass, Field(description="How a bass plays with them.")] = "none",
    bass_instrument: Annotated[str, Field(description="Name of General MIDI or number.")] = "bass",
    drums: Annotated[
        dict[str, str] | None,
        Field(
            description="Steps of a bar by drum: {'kick': 'x---x---', 'snare': '----x---', 'closed_hat': 'xxxxxxxx'}; "
            "x hit, X loud, o soft.",
            max_length=20,
        ),
    ] = None,
    repeats: Annotated[int, Field(description="How often all of it is played.", ge=1, le=200)] = 1,
    swing: Annotated[
        float, Field(description="How late the second eighth of two comes; 0.33 is jazz.", ge=0, le=0.6)
    ] = 0,
) -> WrittenMidi:
    """Compose an accompaniment from chords, a style, a bass and drums on a grid, as MIDI."""
    pattern = patterns.Pattern(
        chords, tempo_bpm, meter, style, instrument, bass, bass_instrument, drums, repeats, swing
    )
    return editing.save_song(patterns.compose(pattern), target)


@tool(mcp, writes=True, destructive=True)
def render_music(
    path: Music,
    target: Annotated[OutFile, Field(description="Sound to write: .wav, .flac, .mp3, .ogg, .opus or .m4a.")],
    mute_tracks: Annotated[
        list[int] | None, Field(description="Numbers of tracks that are not heard.", max_length=256)
    ] = None,
    peak_dbfs: Annotated[float, Field(description="Level of the loudest sample.", ge=-60, le=0)] = -1,
    sample_rate_hz: Annotated[
        Literal[22050, 32000, 44100, 48000, 96000], Field(description="Samples a second.")
    ] = 44100,
    reverb: Annotated[bool, Field(description="With the sound of a room.")] = True,
) -> synthesis.RenderedSound:
    """Play music into a sound file with the instruments of General MIDI, up to 15 minutes."""
    how = synthesis.Rendering(sample_rate_hz, peak_dbfs, reverb, tuple(mute_tracks or ()))
    return synthesis.render(files.open_song(path), target, how, os.environ.get("YARDKIT_MUSIC_SOUNDFONT"))


@tool(mcp)
def describe_music(path: Music) -> description.MusicDescription:
    """Tell tempo, metre, key, length and bars of music, and instrument, range and notes of each track."""
    return description.describe(files.open_song(path))


@tool(mcp, bulk=True)
def list_notes(
    path: Music,
    track_number: Annotated[int | None, Field(description="Only this track, from 1.", ge=1, le=256)] = None,
    first_bar: FirstBar = 1,
    last_bar: LastBar = None,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=500)] = 100,
    offset: Offset = 0,
) -> description.ListedNotes:
    """List notes with bar, beat, time, pitch, length and velocity, in the order in which they are heard."""
    return description.list_notes(files.open_song(path), track_number, (first_bar, last_bar), offset, limit)


@tool(mcp, bulk=True)
def find_chords(
    path: Annotated[InFile, Field(description="Music as notes, or a sound, of which chords are guessed.")],
    per_bar: Annotated[int, Field(description="Chords a bar of music as notes.", ge=1, le=8)] = 1,
    every_s: Annotated[float, Field(description="A chord of a sound for so many seconds.", ge=0.5, le=30)] = 2,
    limit: Annotated[int, Field(description="How many at most.", ge=1, le=500)] = 100,
    offset: Offset = 0,
) -> description.FoundChords:
    """Name the chord of each bar of music, or guess those of a sound (major and minor only)."""
    if path.suffix.lower() in files.READ:
        return description.find_chords(files.open_song(path), per_bar, offset, limit)
    return guess_chords(path, every_s, offset, limit)


@tool(mcp, writes=True, destructive=True)
def edit_midi(
    path: Music,
    target: Midi,
    edits: Annotated[
        list[MidiEdit],
        Field(description="Changes in order, all or none.", min_length=1, max_length=50),
    ],
) -> WrittenMidi:
    """Transpose, change tempo or instruments, quantize, scale velocities, keep bars, remove or rename tracks."""
    song, said = editing.edit(files.open_song(path), edits)
    return editing.save_song(song, target, said)


@tool(mcp, writes=True, destructive=True)
def join_midi(
    paths: Annotated[list[InFile], Field(description="Music as notes, in order.", min_length=2, max_length=50)],
    target: Midi,
    how: Annotated[editing.Together, Field(description="One after the other, or all from the beginning.")] = "after",
) -> WrittenMidi:
    """Put pieces one after the other, or together, as a melody and its accompaniment; channels are kept apart."""
    return editing.save_song(editing.join([files.open_song(path) for path in paths], how), target)


@tool(mcp, writes=True, destructive=True)
def split_midi(
    path: Music,
    folder: Annotated[OutDir, Field(description="Folder for the files, which are called NAME-01.mid and so on.")],
) -> editing.SplitMidi:
    """Write each track of music into a MIDI file of its own."""
    return editing.split_tracks(files.open_song(path), folder, path.stem)


@tool(mcp, writes=True, destructive=True)
def convert_music(
    path: Music, target: Annotated[OutFile, Field(description="File to write: .mid, .abc or .musicxml.")]
) -> files.ConvertedMusic:
    """Write music as MIDI, ABC or MusicXML; notes of MIDI are set to sixteenths or triplets."""
    return files.convert(path, target)


@tool(mcp, writes=True, destructive=True)
def draw_score(
    path: Music,
    target: Annotated[OutFile, Field(description="File to write: .png or .svg of one page, .pdf of all.")],
    page: Annotated[int, Field(description="Page of a .png or .svg.", ge=1, le=1000)] = 1,
    width_px: Annotated[int, Field(description="Width of a .png.", ge=400, le=4000)] = 1400,
) -> DrawnScore:
    """Engrave music as a score: staves, clefs, notes, words, chord names. Look at it after composing."""
    xml, notes = files.open_musicxml(path)
    return engrave(xml, target, page, width_px, notes)


@tool(mcp, writes=True, destructive=True)
def draw_piano_roll(
    path: Music,
    target: Annotated[OutFile, Field(description="Picture to write, .png.")],
    first_bar: FirstBar = 1,
    last_bar: LastBar = None,
    width_px: Annotated[int, Field(description="Width.", ge=300, le=4000)] = 1200,
    height_px: Annotated[int, Field(description="Height.", ge=200, le=3000)] = 600,
) -> piano_roll.PianoRoll:
    """Draw the notes over time as a piano roll, with bars, a colour for each track, drums below."""
    return piano_roll.draw_roll(files.open_song(path), target, first_bar, last_bar, (width_px, height_px))
