"""Reading sounds from files as samples, and writing WAV.

A file can keep a decoder busy forever, exhaust the memory or crash the process, and a playlist may name any other file.
So files are opened in a separate process, and only containers of sound are read, recognized by content, not by name.
"""

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = ("numpy", "av")
"""What the process that reads keeps loaded."""
SOUND_FORMATS = "WAV, MP3, FLAC, OGG, OPUS, M4A, AAC, AIFF, or the sound track of MP4, MOV, MKV, WEBM, AVI"
MAX_SECONDS = 600.0
"""Of sound that are read at a time."""
_DEMUXERS = ("wav", "w64", "mp3", "flac", "ogg", "mov", "matroska", "avi", "aiff", "aac", "au", "caf")
_ALLOWED = ",".join([*_DEMUXERS, "mp4", "m4a", "3gp", "3g2", "mj2", "webm"])
"""As FFmpeg calls them: no playlists (hls, concat, dash), which open other files, and no pictures."""
_LIMIT_S, _LIMIT_BYTES = 60.0, 1_500_000_000
_MAX_CHANNELS, _RATES_HZ = 16, (1000, 768_000)
_CANCELS = 0.02
"""Below this share of the power of its channels a mix is nothing but what they differ in: they cancel one another."""


@dataclass(frozen=True, eq=False)
class Sound:
    """A part of the sound of a file, its channels mixed.

    Attributes:
        samples: float32 in [-1, 1], one channel.
        rate_hz: the sample rate.
        start_s: the start of the part in the file.
        total_s: the length of the file: exact if `ended`, else from its header; 0 if unknown.
        ended: whether the part extends to the end of the file.
        channels: the channels of the file.
        codec: FFmpeg's name of the file's codec.
        faults: the number of undecodable packets, which are silent or left out.
    """

    samples: "NDArray[np.float32]"
    rate_hz: int
    start_s: float
    total_s: float
    ended: bool
    channels: int
    codec: str
    faults: int

    @property
    def seconds(self) -> float:
        """The length of the part."""
        return len(self.samples) / self.rate_hz

    @property
    def end_s(self) -> float:
        """The end of the part in the file."""
        return self.start_s + self.seconds


def read_sound(path: Path, rate_hz: int, start_s: float = 0.0, seconds: float = MAX_SECONDS) -> Sound:
    """Read the sound of a file, or a part of it, at a sample rate, in one channel.

    Channels are averaged; if they cancel each other (one is the inverse of the other), the loudest one is used.

    Args:
        path: a sound or a video.
        rate_hz: the sample rate of the result.
        start_s: the start of the part.
        seconds: its maximum length, up to `MAX_SECONDS`.

    Raises:
        Problem: it is not a sound, damaged, too large, without a sound track, or ends before `start_s`.
    """
    check_bytes(path)
    limited_seconds = min(seconds, MAX_SECONDS)
    return run_bounded(
        _read_samples, path, rate_hz, start_s, limited_seconds, seconds=_LIMIT_S, memory_bytes=_LIMIT_BYTES, stays=True
    )


def read_full_sound(path: Path, rate_hz: int) -> "NDArray[np.float32]":
    """Read the complete sound of a file that we made or requested, in one channel. Raises as `read_sound` does."""
    import numpy as np

    parts = [read_sound(path, rate_hz)]
    while not parts[-1].ended:
        parts.append(read_sound(path, rate_hz, parts[-1].end_s))
    return np.concatenate([part.samples for part in parts])


def wav_bytes(samples: "NDArray[np.float32]", rate_hz: int) -> bytes:
    """Encode samples in [-1, 1], of one channel, as a 16-bit WAV file; louder samples are clipped."""
    import wave

    import numpy as np

    integer_samples = np.round(np.clip(samples, -1, 1) * 32767).astype("<i2")
    packed = io.BytesIO()
    with wave.open(packed, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(integer_samples.tobytes())
    return packed.getvalue()


def _read_samples(path: Path, rate_hz: int, start_s: float, seconds: float) -> Sound:
    sound, cancels, loudest = _decode_sound(path, rate_hz, start_s, seconds, None)
    return _decode_sound(path, rate_hz, start_s, seconds, loudest)[0] if cancels else sound


def _decode_sound(
    path: Path, rate_hz: int, start_s: float, seconds: float, channel: int | None
) -> tuple[Sound, bool, int]:
    """Decode the sound, mixed or of one channel; find whether its channels cancel each other, and the loudest one."""
    import numpy as np

    first, last = round(start_s * rate_hz), round((start_s + seconds) * rate_hz)
    parts, at, ended, power, mixed = [], 0, True, np.zeros(_MAX_CHANNELS), 0.0
    with path.open("rb") as file, open_container(file, path) as container:
        stream, faults = sound_track(container, path), Faults()
        for piece in resampled_pieces(container, stream, rate_hz, faults):
            part = piece[:, max(0, first - at) : max(0, last - at)]
            at += piece.shape[1]
            mix = part.mean(0) if channel is None else part[channel]
            parts.append(mix.astype(np.float32))
            power[: len(part)] += np.square(part, dtype=np.float64).sum(1)
            mixed += float(np.square(mix, dtype=np.float64).sum())
            if at > last:
                ended = False
                break
        whole_s = at / rate_hz if ended else _stated_seconds(container, stream)
        channels, codec = stream.channels, stream.codec_context.name
    if not at:
        raise Problem(f"{path.name!r} cannot be read as a sound: nothing in it can be decoded; save it again")
    if first >= at:
        raise Problem(f"{path.name!r} ends at {at / rate_hz:.2f} s; begin before that, not at {start_s:g} s")
    sound = Sound(np.concatenate(parts), rate_hz, first / rate_hz, whole_s, ended, channels, codec, faults.count)
    cancels = channel is None and channels > 1 and mixed < _CANCELS * power.sum() / channels
    return sound, bool(cancels), int(power.argmax())


class Faults:
    """Counts undecodable packets."""

    count = 0


def open_container(file: BinaryIO, path: Path) -> Any:
    """Open a file with PyAV. Call it in a separate process.

    Raises:
        Problem: it is not a sound or video.
    """
    import av

    try:
        # Pass an open file instead of a name, by which FFmpeg would choose a format or a protocol.
        return av.open(file, mode="r", options={"format_whitelist": _ALLOWED}, metadata_errors="replace")
    except (
        av.FFmpegError,
        ValueError,
        OverflowError,
        OSError,
    ) as error:  # a short file may cause a seek before its beginning
        raise Problem(
            f"{path.name!r} cannot be read as a sound ({_format_reason(error)}); give {SOUND_FORMATS}"
        ) from error


def _format_reason(error: Exception) -> str:
    """Format FFmpeg's reason without the file name, which contains folders of this machine."""
    return str(getattr(error, "strerror", None) or "damaged or of another type")


def sound_track(container: Any, path: Path) -> Any:
    """Return the sound track of a container.

    Raises:
        Problem: it has none, or one whose channels or rate are out of bounds.
    """
    stream = container.streams.best("audio")
    if stream is None:
        raise Problem(f"{path.name!r} has no sound track")
    if not 0 < (stream.channels or 0) <= _MAX_CHANNELS or not _RATES_HZ[0] <= (stream.rate or 0) <= _RATES_HZ[1]:
        raise Problem(
            f"{path.name!r} says that it has {stream.channels} channels at {stream.rate} Hz; at most {_MAX_CHANNELS} "
            f"channels at {_RATES_HZ[0]} to {_RATES_HZ[1]} Hz can be read"
        )
    return stream


def resampled_pieces(container: Any, stream: Any, rate_hz: int, faults: Faults) -> "Iterator[NDArray[Any]]":
    """Yield samples (channels, n) at a rate, piece by piece."""
    import av

    resampler = None
    for frame in decoded_frames(container, stream, faults):
        if resampler is None:
            resampler = av.AudioResampler(format="fltp", layout=stream.layout.name, rate=rate_hz)
        frame.pts = None  # without times, gaps of missing packets are closed
        try:
            for resampled in resampler.resample(frame):
                yield resampled.to_ndarray()
        except (av.FFmpegError, ValueError):  # a frame of a different format than those before
            faults.count += 1
    for resampled in resampler.resample(None) if resampler else ():
        yield resampled.to_ndarray()


def decoded_frames(container: Any, stream: Any, faults: Faults) -> Iterator[Any]:
    """Yield the frames that can be decoded."""
    import av

    try:
        for packet in container.demux(stream):
            try:
                yield from packet.decode()
            except av.FFmpegError:
                faults.count += 1
    except av.FFmpegError:  # the container is truncated
        faults.count += 1


def _stated_seconds(container: Any, stream: Any) -> float:
    # A container's duration is in microseconds (AV_TIME_BASE).
    stated = float(stream.duration * stream.time_base) if stream.duration else (container.duration or 0) / 1e6
    return stated if math.isfinite(stated) and stated > 0 else 0.0
