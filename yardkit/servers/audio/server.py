"""The tools of the `audio` server."""

from typing import Annotated, Literal

from pydantic import Field

from yardkit.kit.media_labels import Chapter
from yardkit.kit.surface import make_server, tool
from yardkit.servers.audio.engine import changes, description, files, noise, pictures, silences, tagging, together
from yardkit.servers.audio.engine.changes import ChangedSound
from yardkit.servers.audio.engine.equalizer import Band, equalizer_filters
from yardkit.servers.audio.engine.together import Track
from yardkit.world import InFile, OutDir, OutFile, Problem

mcp = make_server(
    "audio",
    "Works on audio files (WAV, MP3, FLAC, OGG, OPUS, M4A, AAC, AIFF, or the audio of a video). "
    "Times are in seconds from the start. Output is .wav, .flac, .mp3, .ogg, .opus or .m4a, by "
    "the suffix of `target`.",
)

Source = Annotated[InFile, Field(description="Audio or video file, relative to the workspace.")]
Target = Annotated[OutFile, Field(description="Audio file to write: .wav, .flac, .mp3, .ogg, .opus or .m4a.")]
Start = Annotated[float, Field(description="Start, in seconds.", ge=0)]
End = Annotated[float | None, Field(description="End, in seconds; by default the end of the file.", gt=0)]
Quiet = Annotated[float, Field(description="Level below which audio counts as silent.", ge=-90, le=-5)]


@tool(mcp)
def get_audio_info(path: Source) -> files.SoundInfo:
    """Report format, duration, channels, tags, chapters and levels (LUFS, peak, true peak, clipping) of audio."""
    return files.read_info(path)


@tool(mcp, writes=True, destructive=True)
def clip_audio(path: Source, target: Target, start_s: Start = 0, end_s: End = None) -> ChangedSound:
    """Cut a section out of an audio file, sample-accurate."""
    return changes.clip_sound(path, target, start_s, end_s)


@tool(mcp, writes=True, destructive=True)
def join_audio(
    paths: Annotated[list[InFile], Field(description="Audio files in order.", min_length=2, max_length=100)],
    target: Target,
    gap_s: Annotated[float, Field(description="Seconds of silence between files.", ge=0, le=60)] = 0,
    crossfade_s: Annotated[float, Field(description="Seconds of crossfade between files.", ge=0, le=30)] = 0,
) -> ChangedSound:
    """Join audio files of any format, one after the other."""
    return together.join_sounds(paths, target, gap_s, crossfade_s)


@tool(mcp, writes=True, destructive=True)
def mix_audio(
    tracks: Annotated[
        list[Track],
        Field(
            description="Tracks to mix: path, start_s, gain_db; loop repeats it until the others end; duck_db lowers "
            "it by that much while the first track plays.",
            min_length=2,
            max_length=20,
        ),
    ],
    target: Target,
) -> ChangedSound:
    """Mix audio tracks, such as speech over music with ducking; the sum never clips."""
    return together.mix_sounds(tracks, target)


@tool(mcp, writes=True, destructive=True)
def fade_audio(
    path: Source,
    target: Target,
    fade_in_s: Annotated[float, Field(description="Fade-in, in seconds.", ge=0, le=600)] = 0,
    fade_out_s: Annotated[float, Field(description="Fade-out, in seconds.", ge=0, le=600)] = 0,
    curve: Annotated[changes.Curve, Field(description="linear, or smooth at both ends.")] = "smooth",
) -> ChangedSound:
    """Fade audio in and out."""
    if not fade_in_s and not fade_out_s:
        raise Problem("give fade_in_s, fade_out_s or both")
    return changes.fade_sound(path, target, fade_in_s, fade_out_s, curve)


@tool(mcp, writes=True, destructive=True)
def change_volume(
    path: Source,
    target: Target,
    gain_db: Annotated[float, Field(description="Decibels to add; negative is quieter.", ge=-80, le=60)],
) -> ChangedSound:
    """Change the volume of audio by decibels; to reach a loudness use normalize_loudness."""
    return changes.change_sound(path, target, [("volume", f"{gain_db:.4f}dB")])


@tool(mcp, writes=True, destructive=True)
def normalize_loudness(
    path: Source,
    target: Target,
    loudness_lufs: Annotated[
        float, Field(description="-16 for podcasts, -14 for streaming, -23 for broadcast.", ge=-50, le=-5)
    ] = -16,
    true_peak_dbtp: Annotated[float, Field(description="Maximum true peak.", ge=-20, le=0)] = -1,
) -> ChangedSound:
    """Normalize audio to a loudness (BS.1770) with limited true peaks; reports both before and after."""
    return changes.normalize_sound(path, target, loudness_lufs, true_peak_dbtp)


@tool(mcp)
def find_silence(
    path: Source,
    below_dbfs: Quiet = -45,
    at_least_s: Annotated[float, Field(description="Minimum length of a pause.", ge=0.05, le=60)] = 0.3,
) -> silences.Silences:
    """Find the silent sections of audio."""
    return silences.find_silences(path, below_dbfs, at_least_s)


@tool(mcp, writes=True, destructive=True)
def trim_silence(
    path: Source,
    target: Target,
    below_dbfs: Quiet = -45,
    keep_s: Annotated[float, Field(description="Silence to keep at both ends.", ge=0, le=10)] = 0.1,
    longest_pause_s: Annotated[
        float | None, Field(description="Also shorten pauses within the audio to this length.", ge=0.05, le=60)
    ] = None,
) -> ChangedSound:
    """Trim silence from the start and end of audio, and optionally shorten its pauses."""
    return silences.trim_sound(path, target, below_dbfs, keep_s, longest_pause_s)


@tool(mcp, writes=True, destructive=True)
def split_audio(
    path: Source,
    folder: Annotated[OutDir, Field(description="Folder for the parts, named NAME-01 and so on.")],
    at_s: Annotated[
        list[float] | None, Field(description="Times to cut at; by default the middle of each pause.", max_length=199)
    ] = None,
    format: Annotated[  # noqa: A002 - the word of all servers
        Literal["wav", "flac", "mp3", "ogg", "m4a"], Field(description="Format of the parts.")
    ] = "wav",
    below_dbfs: Quiet = -45,
    at_least_s: Annotated[float, Field(description="Minimum length of a pause.", ge=0.05, le=60)] = 0.5,
) -> silences.SoundParts:
    """Split audio into files, at given times or in its pauses."""
    return silences.split_sound(path, folder, f".{format}", at_s, below_dbfs, at_least_s)


@tool(mcp, writes=True, destructive=True)
def convert_audio(
    path: Source,
    target: Target,
    sample_rate_hz: Annotated[int | None, Field(description="Samples per second.", ge=8000, le=192_000)] = None,
    channels: Annotated[Literal[1, 2] | None, Field(description="1 for mono, 2 for stereo.")] = None,
    bitrate_kbps: Annotated[int, Field(description="Bit rate for .mp3, .ogg, .opus and .m4a.", ge=16, le=320)] = 160,
) -> ChangedSound:
    """Convert audio, or the audio of a video, to another format, sample rate or channel count."""
    return changes.convert_sound(path, target, sample_rate_hz, channels, bitrate_kbps)


Tag = Annotated[str | None, Field(description="By default unchanged; empty removes it.", max_length=2000)]


@tool(mcp, writes=True, destructive=True)
def set_audio_tags(
    path: Source,
    target: Annotated[OutFile, Field(description="Audio file to write, in the same format.")],
    chapters: Annotated[
        list[Chapter] | None,
        Field(
            description="All chapters: start_s and title; each ends where the next starts. By default unchanged.",
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
    """Set tags and chapters (.mp3, .m4a, .ogg, .opus) without changing the audio; do it last."""
    tags = {"title": title, "artist": artist, "album": album, "date": date, "genre": genre, "comment": comment}
    return tagging.set_tags(path, target, tags, chapters)


@tool(mcp, writes=True, destructive=True)
def shift_pitch(
    path: Source,
    target: Target,
    semitones: Annotated[float, Field(description="Semitones up, or down if negative.", ge=-24, le=24)],
) -> ChangedSound:
    """Shift the pitch of audio without changing its duration."""
    return changes.shift_pitch(path, target, semitones)


@tool(mcp, writes=True, destructive=True)
def change_speed(
    path: Source, target: Target, factor: Annotated[float, Field(description="2 is twice as fast.", ge=0.25, le=4)]
) -> ChangedSound:
    """Change the speed of audio without changing its pitch."""
    return changes.change_speed(path, target, factor)


@tool(mcp, writes=True, destructive=True)
def reduce_noise(
    path: Source,
    target: Target,
    noise_start_s: Annotated[
        float | None, Field(description="Start of a section of pure noise; by default detected.", ge=0)
    ] = None,
    noise_end_s: Annotated[float | None, Field(description="End of that section.", gt=0)] = None,
    strength: Annotated[float, Field(description="Strength of the reduction, up to 1.", gt=0, le=1)] = 0.9,
    steady: Annotated[bool, Field(description="Assume constant noise: preserves sustained notes in music.")] = False,
) -> ChangedSound:
    """Reduce noise (hiss, hum, fan, wind) in any audio; for speech, remove_noise of the speech server does more."""
    return noise.reduce_noise(path, target, noise_start_s, noise_end_s, strength, steady=steady)


@tool(mcp, writes=True, destructive=True)
def equalize_audio(
    path: Source,
    target: Target,
    bands: Annotated[
        list[Band],
        Field(
            description="Bands of kind peak, low_shelf, high_shelf (gain_db) or low_cut, high_cut, at frequency_hz.",
            min_length=1,
            max_length=20,
        ),
    ],
) -> ChangedSound:
    """Equalize audio: boost or cut frequency bands."""
    return changes.change_sound(path, target, equalizer_filters(bands))


@tool(mcp, writes=True, destructive=True)
def draw_sound(
    path: Source,
    target: Annotated[OutFile, Field(description="PNG file to write.")],
    kind: Annotated[pictures.Kind, Field(description="Level over time, or frequencies over time.")] = "waveform",
    start_s: Start = 0,
    end_s: End = None,
    width_px: Annotated[int, Field(description="Width in pixels.", ge=200, le=4000)] = 1000,
    height_px: Annotated[int, Field(description="Height in pixels.", ge=120, le=2000)] = 320,
) -> pictures.SoundPicture:
    """Draw a waveform or spectrogram of audio as a picture."""
    return pictures.draw_sound(path, target, kind, start_s, end_s, (width_px, height_px))


@tool(mcp)
def describe_sound(path: Source) -> description.SoundDescription:
    """Measure audio: levels, brightness, MFCC, tempo, key, pitch. It does not recognize content."""
    return description.describe_sound(path)


@tool(mcp)
def compare_audio(
    path: Source, other: Annotated[InFile, Field(description="Audio file to compare with.")]
) -> files.SoundDifference:
    """Compare two audio files: time offset, similarity, level difference, distortion."""
    return files.compare_sounds(path, other)
