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

from yardkit.kit.containers import SOUND_FORMATS, TAG_ERRORS, find_origin, has_times, state_seconds
from yardkit.kit.sound_headers import read_stated_seconds
from yardkit.programs.bounded import run_bounded
from yardkit.world import Problem
from yardkit.world.limits import check_bytes
from yardkit.world.wording import format_count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = ("numpy", "av")
"""What the process that reads keeps loaded."""
_KINDS = "WAV, MP3, FLAC, OGG, OPUS, M4A, AAC, AIFF, or the sound track of MP4, MOV, MKV, WEBM, AVI"
MAX_SECONDS = 600.0
"""Of sound that are read at a time."""
_LIMIT_S, _LIMIT_BYTES = 60.0, 1_500_000_000
_MAX_CHANNELS, _RATES_HZ = 16, (1000, 768_000)
_START_S, _GAP_S = 0.001, 0.06
"""From which on a sound is late: at its beginning, and within, where some formats round times."""
_LONGEST_GAP_S, _LONGEST_OVERLAP_S = 3600.0, 1.0
"""Beyond which times are not those of this sound, but of a clock that was set anew."""
_TOLD_S = 0.05
_COMPLETE_SHARE, _LONGEST_LAST_S = 0.95, 0.2
"""Share of what a file states that is there in a whole one, and what encoders add."""
_MISTAKEN = ("pcm_f24le", "pcm_f16le")
"""What FFmpeg takes whole numbers in wider places for: it would be noise."""
_CANCELS = 0.02
"""Below this share of the power of its channels a mix is nothing but what they differ in: they cancel one another."""


@dataclass(frozen=True, eq=False)
class Sound:
    """A part of the sound of a file, its channels mixed.

    Attributes:
        samples: float32 in [-1, 1], one channel.
        rate_hz: of `samples`.
        start_s: where the part begins in the file.
        total_s: how long the file is: exact where `ended`, else as its header says; 0 where that says nothing.
        ended: whether the part goes to the end of the file.
        channels: of the file.
        codec: of the file, as FFmpeg calls it.
        faults: packets that could not be decoded, and are silence or left out.
        about: what to know of its times, such as that it begins after the pictures.
    """

    samples: "NDArray[np.float32]"
    rate_hz: int
    start_s: float
    total_s: float
    ended: bool
    channels: int
    codec: str
    faults: int
    about: str = ""

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
        faults.header_s = read_stated_seconds(file, container.format.name, stream.rate)
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
        whole_s = at / rate_hz if ended else _guess_seconds(container, stream)
        channels, codec = stream.channels, stream.codec_context.name
    if not at:
        raise Problem(f"{path.name!r} cannot be read as a sound: nothing in it can be decoded; save it again")
    if first >= at:
        raise Problem(f"{path.name!r} ends at {at / rate_hz:.2f} s; begin before that, not at {start_s:g} s")
    samples = np.concatenate(parts)
    sound = Sound(samples, rate_hz, first / rate_hz, whole_s, ended, channels, codec, faults.count, str(faults))
    cancels = channel is None and channels > 1 and mixed < _CANCELS * power.sum() / channels
    return sound, bool(cancels), int(power.argmax())


@dataclass
class Faults:
    """What is not as it should be in a sound that is read.

    Attributes:
        count: packets that cannot be decoded.
        late_s: how long after the first picture it begins.
        early_s: how much of it comes before the first picture, and is left out.
        gap_s: how much is missing within.
        gaps: how often some is missing.
        header_s: how long its header says that it is, where FFmpeg does not tell it; else 0.
        stated_s, read_s: how long the file says that it is, and how much of it there is, where it is cut off; else 0.
        is_broken, end_s: whether the file cannot be read on, and how much was read.
    """

    count: int = 0
    late_s: float = 0.0
    early_s: float = 0.0
    gap_s: float = 0.0
    gaps: int = 0
    header_s: float = 0.0
    stated_s: float = 0.0
    read_s: float = 0.0
    is_broken: bool = False
    end_s: float = 0.0

    @property
    def lost(self) -> str:
        """What of it is left out or missing; empty for nothing."""
        notes = [f"{self.early_s:.2f} s of sound before the first picture are left out."]
        notes = notes if self.early_s >= _TOLD_S else []
        if self.stated_s:
            read = f"{self.read_s:.2f} s can be read"
            notes.append(f"The sound is cut off: of the {self.stated_s:.2f} s that the file states, {read}.")
        elif self.is_broken:
            notes.append(f"The file cannot be read on from {self.end_s:.2f} s; what follows is left out.")
        if self.count:
            notes.append(f"{format_count(self.count, 'packet')} of the sound cannot be decoded and had to be left out.")
        return " ".join(notes)

    def add_silence(self, seconds: float, *, begun: bool) -> None:
        """Count silence that was put where the file has no sound."""
        if begun:
            self.gaps, self.gap_s = self.gaps + 1, self.gap_s + seconds
        else:
            self.late_s = seconds

    def compare_length(self, stated_s: float, read_s: float) -> None:
        """Note a sound that ends before its file says so."""
        if read_s < stated_s * _COMPLETE_SHARE - _LONGEST_LAST_S:
            self.stated_s, self.read_s = stated_s, read_s

    def __str__(self) -> str:
        """What to know of the times of a sound; empty where they are as usual."""
        notes = []
        if self.late_s >= _TOLD_S:
            notes.append(f"The sound begins at {self.late_s:.2f} s; before that there is silence.")
        if self.lost:
            notes.append(self.lost)
        if self.gaps:
            notes.append(f"{format_count(self.gaps, 'gap')} of {self.gap_s:.2f} s in all are silent.")
        return " ".join(notes)


def open_container(file: BinaryIO, path: Path) -> Any:
    """Open a file with PyAV. Call it in a separate process.

    Raises:
        Problem: it is not a sound or video.
    """
    import av

    try:
        # Through an open file: FFmpeg is given no name, by which it would choose a format or a protocol.
        return av.open(file, mode="r", options={"format_whitelist": SOUND_FORMATS}, metadata_errors=TAG_ERRORS)
    except (
        av.FFmpegError,
        ValueError,
        OverflowError,
        OSError,
    ) as error:  # of a short file: a seek before its beginning
        raise Problem(f"{path.name!r} cannot be read as a sound ({_format_reason(error)}); give {_KINDS}") from error


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
    if stream.codec_context is None:
        raise Problem(f"the sound track of {path.name!r} has a codec that cannot be decoded")
    if stream.codec_context.name in _MISTAKEN:
        raise Problem(
            f"{path.name!r} keeps 24 bits in 32, which cannot be read; save it as a WAV of 24 bits or as FLAC"
        )
    if not 0 < (stream.channels or 0) <= _MAX_CHANNELS or not _RATES_HZ[0] <= (stream.rate or 0) <= _RATES_HZ[1]:
        raise Problem(
            f"{path.name!r} says that it has {stream.channels} channels at {stream.rate} Hz; at most {_MAX_CHANNELS} "
            f"channels at {_RATES_HZ[0]} to {_RATES_HZ[1]} Hz can be read"
        )
    return stream


def resampled_pieces(
    container: Any, stream: Any, rate_hz: int, faults: Faults, layout: str = ""
) -> "Iterator[NDArray[Any]]":
    """Samples (channels, n) at a rate and in a layout, piece by piece, from the first picture on, if there are any.

    Where the file has no sound, before it begins and in gaps, there is silence, so that all stays at its time.
    """
    import av

    resampler: Any = None
    made_for: tuple[int, str, str] | None = None
    for frame in _timed_sound(container, stream, faults):
        kind = (frame.sample_rate, frame.layout.name, frame.format.name)
        if resampler is None or kind != made_for:  # broadcasts go over to another one on the way
            yield from (rest.to_ndarray() for rest in resampler.resample(None)) if resampler else ()
            layout, made_for = layout or stream.layout.name, kind
            resampler = av.AudioResampler(format="fltp", layout=layout, rate=rate_hz)
        frame.pts = None
        try:
            for resampled in resampler.resample(frame):
                yield resampled.to_ndarray()
        except (av.FFmpegError, ValueError):  # a frame that is not what it says
            faults.count += 1
    for resampled in resampler.resample(None) if resampler else ():
        yield resampled.to_ndarray()


def _timed_sound(container: Any, stream: Any, faults: Faults) -> Iterator[Any]:
    """Decoded frames without a gap between them: silence where there is none, and none before the origin of time."""
    origin, at_s, begun = find_origin(container), 0.0, False
    timed, rate = has_times(container), stream.rate
    for frame in decoded_frames(container, stream, faults):
        # A chain of Ogg streams counts the samples of each at the rate of the first.
        timed = timed and (container.format.name != "ogg" or frame.sample_rate == rate)
        late_s = frame.time - origin - at_s if timed and frame.time is not None else 0.0
        least_s = _GAP_S if begun else _START_S
        if not -(_LONGEST_OVERLAP_S if begun else _LONGEST_GAP_S) < late_s < _LONGEST_GAP_S:
            origin, late_s = origin + late_s, 0.0  # its clock was set anew
        skipped = 0
        if late_s > least_s:
            yield from _silent_frames(frame, late_s)
            faults.add_silence(late_s, begun=begun)
            at_s += late_s
        elif late_s < -least_s:
            skipped = min(frame.samples, round(-late_s * frame.sample_rate))
            faults.early_s += 0.0 if begun else skipped / frame.sample_rate
        if skipped == frame.samples:
            continue
        begun = True
        at_s += (frame.samples - skipped) / frame.sample_rate
        yield _cut_frame(frame, skipped) if skipped else frame
    faults.end_s = at_s
    faults.compare_length(faults.header_s or state_seconds(container, stream), at_s)


def _silent_frames(frame: Any, seconds: float) -> Iterator[Any]:
    """Silence as a frame is: its rate, its layout, its format."""
    import av
    import numpy as np

    left = round(seconds * frame.sample_rate)
    like = frame.to_ndarray()
    value = 128 if like.dtype == np.uint8 else 0
    while left > 0:
        count = min(left, frame.sample_rate)
        shape = (like.shape[0], count * (1 if frame.format.is_planar else len(frame.layout.channels)))
        silent = av.AudioFrame.from_ndarray(
            np.full(shape, value, like.dtype), format=frame.format.name, layout=frame.layout.name
        )
        silent.sample_rate = frame.sample_rate
        yield silent
        left -= count


def _cut_frame(frame: Any, count: int) -> Any:
    """A frame without its first samples."""
    import av
    import numpy as np

    step = 1 if frame.format.is_planar else len(frame.layout.channels)
    rest = np.ascontiguousarray(frame.to_ndarray()[:, count * step :])
    cut = av.AudioFrame.from_ndarray(rest, format=frame.format.name, layout=frame.layout.name)
    cut.sample_rate = frame.sample_rate
    return cut


def decoded_frames(container: Any, stream: Any, faults: Faults) -> Iterator[Any]:
    """Yield the frames that can be decoded."""
    import av

    try:
        for packet in container.demux(stream):
            try:
                yield from packet.decode()
            except av.FFmpegError:
                faults.count += 1
    except av.FFmpegError:  # the container is truncated, or goes on in another form
        faults.is_broken = True


def _guess_seconds(container: Any, stream: Any) -> float:
    if stream.duration:
        start = float((stream.start_time or 0) * stream.time_base)
        stated = start + float(stream.duration * stream.time_base) - find_origin(container)
    else:
        stated = (container.duration or 0) / 1e6
    return stated if math.isfinite(stated) and stated > 0 else 0.0
