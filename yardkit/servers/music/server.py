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
from yardkit.servers.music.engine.performing import perform_score
from yardkit.servers.music.engine.sound_chords import guess_chords
from yardkit.world import InFile, OutDir, OutFile

mcp = make_server(
    "music",
    "Composes, plays, describes, edits and engraves music as notes: MIDI (.mid), ABC (.abc), "
    "MusicXML (.musicxml). Bars, beats and tracks count from 1; pitch 60 is C4. Use render_music "
    "to hear it, draw_score or draw_piano_roll to see it. The text_to_music server makes music "
    "from a description.",
)

Music = Annotated[InFile, Field(description="Music file: .mid, .abc or .musicxml, relative to the workspace.")]
Midi = Annotated[OutFile, Field(description="MIDI file to write.")]
FirstBar = Annotated[int, Field(description="First bar.", ge=1, le=5000)]
LastBar = Annotated[int | None, Field(description="Last bar; by default the end.", ge=1, le=5000)]
Offset = Annotated[int, Field(description="Items to skip.", ge=0, le=1_000_000)]


@tool(mcp, writes=True, destructive=True)
def compose_abc(
    text: Annotated[
        str,
        Field(
            description="ABC tune: X: T: M: L: Q: K: V:, then notes; several voices, chords [CEG], repeats |: :|, "
            'endings [1 [2, triplets (3abc, words w:, "Am" above notes, %%MIDI program 40.',
            min_length=1,
            max_length=400_000,
        ),
    ],
    target: Midi,
    accompany: Annotated[bool, Field(description="Also play the chord symbols.")] = False,
) -> WrittenMidi:
    """Convert a tune in ABC notation to MIDI; reports errors by line, and bars of the wrong length."""
    score = read_abc(text)
    song = perform_score(score, accompany)
    return editing.save_song(song, target, song.ignored)


@tool(mcp, writes=True, destructive=True)
def compose_pattern(
    chords: Annotated[
        str,
        Field(
            description="A chord per bar, 'Am F C G', or with bar lines, 'C G/B | Am F'; % repeats a bar.",
            min_length=1,
            max_length=20_000,
        ),
    ],
    target: Midi,
    tempo_bpm: Annotated[float, Field(description="Quarter notes per minute.", ge=20, le=400)] = 120,
    meter: Annotated[str, Field(description="Time signature, such as 4/4, 3/4, 6/8.", max_length=8)] = "4/4",
    style: Annotated[patterns.Style, Field(description="Style of the chords.")] = "held",
    instrument: Annotated[str, Field(description="General MIDI name or number of the chords' instrument.")] = "piano",
    bass: Annotated[patterns.Bass, Field(description="Style of the bass.")] = "none",
    bass_instrument: Annotated[str, Field(description="General MIDI name or number.")] = "bass",
    drums: Annotated[
        dict[str, str] | None,
        Field(
            description="Steps of a bar by drum: {'kick': 'x---x---', 'snare': '----x---', 'closed_hat': "
            "'xxxxxxxx'}; x hit, X loud, o soft.",
            max_length=20,
        ),
    ] = None,
    repeats: Annotated[int, Field(description="Number of times to play it.", ge=1, le=200)] = 1,
    swing: Annotated[float, Field(description="Delay of every second eighth note; 0.33 is jazz.", ge=0, le=0.6)] = 0,
) -> WrittenMidi:
    """Compose a MIDI accompaniment from chords, a style, a bass and a drum grid."""
    pattern = patterns.Pattern(
        chords, tempo_bpm, meter, style, instrument, bass, bass_instrument, drums, repeats, swing
    )
    return editing.save_song(patterns.compose_song(pattern), target)


@tool(mcp, writes=True, destructive=True)
def render_music(
    path: Music,
    target: Annotated[OutFile, Field(description="Audio file to write: .wav, .flac, .mp3, .ogg, .opus or .m4a.")],
    mute_tracks: Annotated[list[int] | None, Field(description="Numbers of tracks to mute.", max_length=256)] = None,
    peak_dbfs: Annotated[float, Field(description="Peak level.", ge=-60, le=0)] = -1,
    sample_rate_hz: Annotated[
        Literal[22050, 32000, 44100, 48000, 96000], Field(description="Samples per second.")
    ] = 44100,
    reverb: Annotated[bool, Field(description="Add reverb.")] = True,
) -> synthesis.RenderedSound:
    """Render music to an audio file with General MIDI instruments, up to 15 minutes."""
    how = synthesis.Rendering(sample_rate_hz, peak_dbfs, reverb, tuple(mute_tracks or ()))
    return synthesis.render_song(files.open_song(path), target, how, os.environ.get("YARDKIT_MUSIC_SOUNDFONT"))


@tool(mcp)
def describe_music(path: Music) -> description.MusicDescription:
    """Describe music: tempo, time signature, key, length, bars, and each track's instrument, range and notes."""
    return description.describe_song(files.open_song(path))


@tool(mcp, bulk=True)
def list_notes(
    path: Music,
    track_number: Annotated[
        int | None, Field(description="Track number, from 1; by default all.", ge=1, le=256)
    ] = None,
    first_bar: FirstBar = 1,
    last_bar: LastBar = None,
    limit: Annotated[int, Field(description="Maximum number of items.", ge=1, le=500)] = 100,
    offset: Offset = 0,
) -> description.ListedNotes:
    """List notes with bar, beat, time, pitch, length and velocity, in playing order."""
    return description.list_notes(files.open_song(path), track_number, (first_bar, last_bar), offset, limit)


@tool(mcp, bulk=True)
def find_chords(
    path: Annotated[InFile, Field(description="Music file, or audio whose chords are estimated.")],
    per_bar: Annotated[int, Field(description="Chords per bar, for music files.", ge=1, le=8)] = 1,
    every_s: Annotated[float, Field(description="Seconds per chord, for audio.", ge=0.5, le=30)] = 2,
    limit: Annotated[int, Field(description="Maximum number of items.", ge=1, le=500)] = 100,
    offset: Offset = 0,
) -> description.DetectedChords:
    """Find the chord of each bar of music, or estimate those of audio (major and minor only)."""
    if path.suffix.lower() in files.READ:
        return description.find_chords(files.open_song(path), per_bar, offset, limit)
    return guess_chords(path, every_s, offset, limit)


@tool(mcp, writes=True, destructive=True)
def edit_midi(
    path: Music,
    target: Midi,
    edits: Annotated[
        list[MidiEdit],
        Field(description="Edits in order, applied all or none.", min_length=1, max_length=50),
    ],
) -> WrittenMidi:
    """Transpose, change tempo or instruments, quantize, scale velocities, keep bars, remove or rename tracks."""
    song, messages = editing.edit_song(files.open_song(path), edits)
    return editing.save_song(song, target, [*messages, *song.ignored])


@tool(mcp, writes=True, destructive=True)
def join_midi(
    paths: Annotated[list[InFile], Field(description="Music files in order.", min_length=2, max_length=50)],
    target: Midi,
    how: Annotated[editing.Together, Field(description="One after the other, or all from the beginning.")] = "after",
) -> WrittenMidi:
    """Join pieces in sequence, or layer them, such as melody and accompaniment; channels stay separate."""
    songs = [files.open_song(path) for path in paths]
    messages = [f"{path.name}: {what}" for path, song in zip(paths, songs, strict=True) for what in song.ignored]
    return editing.save_song(editing.join_songs(songs, how), target, messages)


@tool(mcp, writes=True, destructive=True)
def split_midi(
    path: Music,
    folder: Annotated[OutDir, Field(description="Folder for the files, named NAME-01.mid and so on.")],
) -> editing.SplitMidi:
    """Split music into one MIDI file per track."""
    return editing.split_tracks(files.open_song(path), folder, path.stem)


@tool(mcp, writes=True, destructive=True)
def convert_music(
    path: Music, target: Annotated[OutFile, Field(description="File to write: .mid, .abc or .musicxml.")]
) -> files.ConvertedMusic:
    """Convert music to MIDI, ABC or MusicXML; reports what the new format cannot keep."""
    return files.convert_music(path, target)


@tool(mcp, writes=True, destructive=True)
def draw_score(
    path: Music,
    target: Annotated[OutFile, Field(description="File to write: .png or .svg of one page, .pdf of all pages.")],
    page: Annotated[int, Field(description="Page number for .png or .svg.", ge=1, le=1000)] = 1,
    width_px: Annotated[int, Field(description="Width of a .png in pixels.", ge=400, le=4000)] = 1400,
) -> DrawnScore:
    """Engrave music as a score with staves, clefs, notes, lyrics and chord symbols. Check it after composing."""
    xml, notes = files.open_musicxml(path)
    return engrave(xml, target, page, width_px, notes)


@tool(mcp, writes=True, destructive=True)
def draw_piano_roll(
    path: Music,
    target: Annotated[OutFile, Field(description="PNG file to write.")],
    first_bar: FirstBar = 1,
    last_bar: LastBar = None,
    width_px: Annotated[int, Field(description="Width in pixels.", ge=300, le=4000)] = 1200,
    height_px: Annotated[int, Field(description="Height in pixels.", ge=200, le=3000)] = 600,
) -> piano_roll.PianoRoll:
    """Draw music as a piano roll, with bars, a colour per track, drums below."""
    return piano_roll.draw_roll(files.open_song(path), target, first_bar, last_bar, (width_px, height_px))
