"""The tools of the `audio` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.audio.engine import changes, description, files, noise, pictures, silences, tagging, together
from yardkit.servers.audio.engine.changes import ChangedSound
from yardkit.servers.audio.engine.equalizer import Band, equalizer_filters
from yardkit.servers.audio.engine.labels import Chapter
from yardkit.servers.audio.engine.together import Track
from yardkit.world import InFile, OutDir, OutFile, Problem

mcp = make_server(
    "audio",
    "Works on sounds (WAV, MP3, FLAC, OGG, OPUS, M4A, AAC, AIFF, or the sound track of a video). Times are in seconds "
    "from the beginning. What is written is .wav, .flac, .mp3, .ogg, .opus or .m4a, by the name of `target`.",
)

Source = Annotated[InFile, Field(description="Sound or video, relative to the workspace.")]
Target = Annotated[OutFile, Field(description="Sound to write: .wav, .flac, .mp3, .ogg, .opus or .m4a.")]
Start = Annotated[float, Field(description="Begin here, in seconds.", ge=0)]
End = Annotated[float | None, Field(description="End here; by default at the end.", gt=0)]
Quiet = Annotated[float, Field(description="What is softer counts as silent.", ge=-90, le=-5)]


@tool(mcp)
def get_audio_info(path: Source) -> files.SoundInfo:
    """Tell format, length, channels, tags, chapters and levels (LUFS, peak, true peak, clipping) of a sound."""
    return files.read_info(path)


@tool(mcp, writes=True, destructive=True)
def clip_audio(path: Source, target: Target, start_s: Start = 0, end_s: End = None) -> ChangedSound:
    """Cut a part out of a sound, exact to the sample."""
    return changes.clip(path, target, start_s, end_s)


@tool(mcp, writes=True, destructive=True)
def join_audio(
    paths: Annotated[list[InFile], Field(description="Sounds in order.", min_length=2, max_length=100)],
    target: Target,
    gap_s: Annotated[float, Field(description="Seconds of silence between them.", ge=0, le=60)] = 0,
    crossfade_s: Annotated[float, Field(description="Seconds in which two are heard together.", ge=0, le=30)] = 0,
) -> ChangedSound:
    """Put sounds of any formats one after the other."""
    return together.join(paths, target, gap_s, crossfade_s)


@tool(mcp, writes=True, destructive=True)
def mix_audio(
    tracks: Annotated[
        list[Track],
        Field(
            description="Sounds that are heard together: path, start_s, gain_db; loop repeats it until the others are "
            "over; duck_db makes it so much softer while the first track is heard.",
            min_length=2,
            max_length=20,
        ),
    ],
    target: Target,
) -> ChangedSound:
    """Mix sounds, such as speech over music that steps back for it; the sum never clips."""
    return together.mix(tracks, target)


@tool(mcp, writes=True, destructive=True)
def fade_audio(
    path: Source,
    target: Target,
    fade_in_s: Annotated[float, Field(description="Seconds.", ge=0, le=600)] = 0,
    fade_out_s: Annotated[float, Field(description="Seconds.", ge=0, le=600)] = 0,
    curve: Annotated[changes.Curve, Field(description="Linear, or soft at both ends.")] = "smooth",
) -> ChangedSound:
    """Let a sound begin and end softly."""
    if not fade_in_s and not fade_out_s:
        raise Problem("give fade_in_s, fade_out_s or both")
    return changes.fade(path, target, fade_in_s, fade_out_s, curve)


@tool(mcp, writes=True, destructive=True)
def change_volume(
    path: Source, target: Target, gain_db: Annotated[float, Field(description="Louder, or softer.", ge=-80, le=60)]
) -> ChangedSound:
    """Make a sound louder or softer by decibels; to reach a loudness use normalize_loudness."""
    return changes.change(path, target, [("volume", f"{gain_db:.4f}dB")])


@tool(mcp, writes=True, destructive=True)
def normalize_loudness(
    path: Source,
    target: Target,
    loudness_lufs: Annotated[
        float, Field(description="-16 for podcasts, -14 for streaming, -23 for broadcast.", ge=-50, le=-5)
    ] = -16,
    true_peak_dbtp: Annotated[float, Field(description="No peak goes above.", ge=-20, le=0)] = -1,
) -> ChangedSound:
    """Bring a sound to a loudness (BS.1770), with its true peaks below a level; tells both before and after."""
    return changes.normalize(path, target, loudness_lufs, true_peak_dbtp)


@tool(mcp)
def find_silence(
    path: Source,
    below_dbfs: Quiet = -45,
    at_least_s: Annotated[float, Field(description="Shorter pauses are left out.", ge=0.05, le=60)] = 0.3,
) -> silences.Silences:
    """Find where a sound is silent."""
    return silences.find_silences(path, below_dbfs, at_least_s)


@tool(mcp, writes=True, destructive=True)
def trim_silence(
    path: Source,
    target: Target,
    below_dbfs: Quiet = -45,
    keep_s: Annotated[float, Field(description="Silence that stays at both ends.", ge=0, le=10)] = 0.1,
    longest_pause_s: Annotated[
        float | None, Field(description="Also cut longer pauses within to this.", ge=0.05, le=60)
    ] = None,
) -> ChangedSound:
    """Take away the silence before and behind a sound, and shorten its pauses if wanted."""
    return silences.trim(path, target, below_dbfs, keep_s, longest_pause_s)


@tool(mcp, writes=True, destructive=True)
def split_audio(
    path: Source,
    folder: Annotated[OutDir, Field(description="Folder for the parts, which are called NAME-01 and so on.")],
    at_s: Annotated[
        list[float] | None, Field(description="Where to cut; by default in the middle of each pause.", max_length=199)
    ] = None,
    format: Annotated[  # noqa: A002 - the word of all servers
        Literal["wav", "flac", "mp3", "ogg", "m4a"], Field(description="Of the parts.")
    ] = "wav",
    below_dbfs: Quiet = -45,
    at_least_s: Annotated[float, Field(description="How long a pause is.", ge=0.05, le=60)] = 0.5,
) -> silences.SoundParts:
    """Cut a sound into files, at times or in its pauses."""
    return silences.split(path, folder, f".{format}", at_s, below_dbfs, at_least_s)


@tool(mcp, writes=True, destructive=True)
def convert_audio(
    path: Source,
    target: Target,
    sample_rate_hz: Annotated[int | None, Field(description="Samples a second.", ge=8000, le=192_000)] = None,
    channels: Annotated[Literal[1, 2] | None, Field(description="1 is mono, 2 stereo.")] = None,
    bitrate_kbps: Annotated[int, Field(description="Of .mp3, .ogg, .opus and .m4a.", ge=16, le=320)] = 160,
) -> ChangedSound:
    """Write a sound in another format, sample rate or number of channels; or the sound track of a video."""
    return changes.convert(path, target, sample_rate_hz, channels, bitrate_kbps)


Tag = Annotated[str | None, Field(description="By default as it was; empty takes it out.", max_length=2000)]


@tool(mcp, writes=True, destructive=True)
def set_audio_tags(
    path: Source,
    target: Annotated[OutFile, Field(description="Sound to write, of the same format.")],
    chapters: Annotated[
        list[Chapter] | None,
        Field(
            description="All chapters: start_s and title; each goes to the next. By default as they were.",
            max_length=500,
        ),
    ] = None,
    title: Tag = None,
    artist: Tag = None,
    album: Tag = None,
    date: Tag = None,
    genre: Tag = None,
    comment: Tag = None,
) -> ChangedSound:
    """Set tags and chapters (.mp3, .m4a, .ogg, .opus) of a sound, which itself stays as it is; do it last."""
    tags = {"title": title, "artist": artist, "album": album, "date": date, "genre": genre, "comment": comment}
    return tagging.set_tags(path, target, tags, chapters)


@tool(mcp, writes=True, destructive=True)
def shift_pitch(
    path: Source, target: Target, semitones: Annotated[float, Field(description="Higher, or lower.", ge=-24, le=24)]
) -> ChangedSound:
    """Make a sound higher or lower and keep its length."""
    return changes.shift_pitch(path, target, semitones)


@tool(mcp, writes=True, destructive=True)
def change_speed(
    path: Source, target: Target, factor: Annotated[float, Field(description="2 is twice as fast.", ge=0.25, le=4)]
) -> ChangedSound:
    """Make a sound faster or slower and keep its pitch."""
    return changes.change_speed(path, target, factor)


@tool(mcp, writes=True, destructive=True)
def reduce_noise(
    path: Source,
    target: Target,
    noise_start_s: Annotated[
        float | None, Field(description="A stretch of noise alone begins here; by default it is looked for.", ge=0)
    ] = None,
    noise_end_s: Annotated[float | None, Field(description="And ends here.", gt=0)] = None,
    strength: Annotated[float, Field(description="How far noise is pushed down.", gt=0, le=1)] = 0.9,
    steady: Annotated[
        bool, Field(description="The noise is as loud all the time: keeps the held notes of music.")
    ] = False,
) -> ChangedSound:
    """Take noise (hiss, hum, fan, wind) out of any sound; for speech remove_noise of the server speech does more."""
    return noise.reduce_noise(path, target, noise_start_s, noise_end_s, strength, steady=steady)


@tool(mcp, writes=True, destructive=True)
def equalize_audio(
    path: Source,
    target: Target,
    bands: Annotated[
        list[Band],
        Field(
            description="Each of kind peak, low_shelf, high_shelf (gain_db) or low_cut, high_cut, at frequency_hz.",
            min_length=1,
            max_length=20,
        ),
    ],
) -> ChangedSound:
    """Make some pitches of a sound louder or softer."""
    return changes.change(path, target, equalizer_filters(bands))


@tool(mcp, writes=True, destructive=True)
def draw_sound(
    path: Source,
    target: Annotated[OutFile, Field(description="Picture to write, .png.")],
    kind: Annotated[pictures.Kind, Field(description="Level over time, or pitches over time.")] = "waveform",
    start_s: Start = 0,
    end_s: End = None,
    width_px: Annotated[int, Field(description="Width.", ge=200, le=4000)] = 1000,
    height_px: Annotated[int, Field(description="Height.", ge=120, le=2000)] = 320,
) -> pictures.SoundPicture:
    """Draw the waveform or spectrogram of a sound, to look at what cannot be heard."""
    return pictures.draw_sound(path, target, kind, start_s, end_s, (width_px, height_px))


@tool(mcp)
def describe_sound(path: Source) -> description.SoundDescription:
    """Measure how a sound sounds: levels, brightness, MFCC, tempo, key, pitch. It names nothing that is heard."""
    return description.describe(path)


@tool(mcp)
def compare_audio(
    path: Source, other: Annotated[InFile, Field(description="Sound that is compared with it.")]
) -> files.SoundDifference:
    """Tell whether two sounds are the same: offset in time, likeness, difference of level, distortion."""
    return files.compare(path, other)
