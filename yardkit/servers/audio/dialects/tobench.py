"""Sounds converted, taken out of videos and freed of silence, in the dialect of TOBench (video-audio-mcp)."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import Field

from yardkit.kit.dialect import Saved
from yardkit.kit.surface import make_server, tool
from yardkit.servers.audio.engine import changes, silences
from yardkit.servers.audio.engine.changes import BITRATE_KBPS, ChangedSound
from yardkit.world import InFile, OutFile, Problem

mcp = make_server("audio", "Converts sounds, takes them out of videos, and takes silence out of them.")

Audio = Annotated[InFile, Field(description="Source audio file.")]
Target = Annotated[OutFile, Field(description="Audio file to write.")]
Format = Annotated[
    str, Field(description="mp3, wav, flac, ogg, opus, m4a or aac; as the output path ends.", max_length=8)
]
Bitrate = Annotated[str, Field(description="Such as '128k'.", max_length=12)]
Rate = Annotated[int, Field(description="Hz.", ge=8000, le=192_000)]
Channels = Annotated[int, Field(description="1 is mono, 2 stereo.", ge=1, le=2)]
_BITRATE = re.compile(r"^(\d{1,7})(k?)$")


@tool(mcp, writes=True, destructive=True)
def extract_audio_from_video(
    video_path: Annotated[InFile, Field(description="Video file.")],
    output_audio_path: Target,
    audio_codec: Annotated[str | None, Field(description="As the output path ends.", max_length=12)] = None,
) -> Saved:
    """Extract the audio of a video, and save it."""
    if audio_codec is not None:
        _check_format(output_audio_path, audio_codec)
    return _saved(changes.convert(video_path, output_audio_path, None, None, BITRATE_KBPS), "Audio extracted")


@tool(mcp, writes=True, destructive=True)
def convert_audio_properties(
    input_audio_path: Audio,
    output_audio_path: Target,
    target_format: Format,
    bitrate: Bitrate | None = None,
    sample_rate: Rate | None = None,
    channels: Channels | None = None,
) -> Saved:
    """Convert format, bitrate, sample rate and channels of audio."""
    _check_format(output_audio_path, target_format)
    kbps = _kbps(bitrate) if bitrate else BITRATE_KBPS
    return _saved(changes.convert(input_audio_path, output_audio_path, sample_rate, channels, kbps), "Audio converted")


@tool(mcp, writes=True, destructive=True)
def convert_audio_format(input_audio_path: Audio, output_audio_path: Target, target_format: Format) -> Saved:
    """Convert audio to another format."""
    _check_format(output_audio_path, target_format)
    return _saved(changes.convert(input_audio_path, output_audio_path, None, None, BITRATE_KBPS), "Audio converted")


@tool(mcp, writes=True, destructive=True)
def set_audio_bitrate(input_audio_path: Audio, output_audio_path: Target, bitrate: Bitrate) -> Saved:
    """Set the bitrate of audio."""
    return _saved(changes.convert(input_audio_path, output_audio_path, None, None, _kbps(bitrate)), "Bitrate set")


@tool(mcp, writes=True, destructive=True)
def set_audio_sample_rate(input_audio_path: Audio, output_audio_path: Target, sample_rate: Rate) -> Saved:
    """Set the sample rate of audio."""
    made = changes.convert(input_audio_path, output_audio_path, sample_rate, None, BITRATE_KBPS)
    return _saved(made, "Sample rate set")


@tool(mcp, writes=True, destructive=True)
def set_audio_channels(input_audio_path: Audio, output_audio_path: Target, channels: Channels) -> Saved:
    """Make audio mono or stereo."""
    return _saved(changes.convert(input_audio_path, output_audio_path, None, channels, BITRATE_KBPS), "Channels set")


@tool(mcp, writes=True, destructive=True)
def remove_silence(
    media_path: Annotated[InFile, Field(description="Audio file; videos are refused.")],
    output_media_path: Target,
    silence_threshold_db: Annotated[float, Field(description="dBFS; what is softer is silent.", ge=-90, le=-5)] = -30.0,
    min_silence_duration_ms: Annotated[int, Field(description="Shorter pauses stay.", ge=50, le=60_000)] = 500,
) -> Saved:
    """Remove silent segments of audio."""
    if output_media_path.suffix.lower() == ".mp4":
        raise Problem(
            "silence is taken out of sounds, not of videos; name a sound such as .wav, or cut with trim_video"
        )
    made = silences.remove_silences(media_path, output_media_path, silence_threshold_db, min_silence_duration_ms / 1000)
    return _saved(made, f"{made.note} Saved")


def _saved(made: ChangedSound, words: str) -> Saved:
    return Saved(f"{words} to {made.sound.path}: {made.duration_s:.2f} s, {made.sample_rate_hz} Hz", made.sound)


def _check_format(target: Path, named: str) -> None:
    """Refuse a format that the file's name does not say: the other suite writes MP3 into a .wav."""
    suffix = target.suffix.lower().lstrip(".")
    same = {
        "aac": "m4a",
        "libmp3lame": "mp3",
        "libopus": "opus",
        "pcm_s16le": "wav",
        "vorbis": "ogg",
        "libvorbis": "ogg",
    }
    wanted = named.lower().lstrip(".")
    if suffix not in {wanted, same.get(wanted, wanted)}:
        raise Problem(f"{target.name!r} does not end as its format {named!r} does; give both the same ending")


def _kbps(bitrate: str) -> int:
    found = _BITRATE.match(bitrate.strip().lower())
    kbps = round(int(found.group(1)) / (1 if found.group(2) else 1000)) if found else 0
    if not 16 <= kbps <= 320:
        raise Problem(f"bitrate {bitrate!r} is none from 16k to 320k; write such as '128k'")
    return kbps
