"""What a sound file says, and how two sounds differ."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.media_contents import content_of
from yardkit.kit.media_labels import Chapter, Labels, labels_in
from yardkit.kit.sound_streams import LAYOUTS, Blocks, form_of, read_blocks
from yardkit.kit.sounds import Faults, open_container, read_sound, sound_track
from yardkit.programs.bounded import run_bounded
from yardkit.servers.audio.engine.changes import LIMIT_BYTES, LIMIT_S
from yardkit.servers.audio.engine.levels import Levels, measure_levels, to_decibels
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

PRELOAD = ("numpy", "av", "scipy.signal")
"""What the process that works on sounds keeps loaded."""
_COMPARED_HZ = 16_000
_COMPARED_S = 600.0


@dataclass(frozen=True)
class SoundInfo:
    """What a file says of its sound, and its levels.

    Attributes:
        format: of the file, as FFmpeg calls it.
        codec: of the sound track.
        duration_s: counted, not as the header says; from the first picture, if there are any.
        sample_rate_hz: of it.
        channels: of it.
        layout: of the channels, such as stereo, 5.1.
        bit_rate_kbps: of the file.
        size_bytes: of the file.
        levels: of all of it, in at most two channels.
        tags: such as title, artist.
        chapters: by time; each goes to the beginning of the next.
        cover: whether it has a picture.
        video: whether the file holds moving pictures, too.
        faults: packets that cannot be decoded.
        tracks: of sound in the file; what is said here is of the one that players choose.
        note: what to know of its times.
    """

    format: str
    codec: str
    duration_s: float
    sample_rate_hz: int
    channels: int
    layout: str
    bit_rate_kbps: float
    size_bytes: int
    levels: Levels
    tags: dict[str, str]
    chapters: tuple[Chapter, ...]
    cover: bool
    video: bool
    faults: int
    tracks: int = 1
    note: str = ""

    def __str__(self) -> str:
        head = (
            f"{self.format}, {self.codec}, {self.duration_s:.3f} s, {self.sample_rate_hz} Hz, {self.layout} "
            f"({self.channels}), {self.bit_rate_kbps:.0f} kbit/s, {self.size_bytes:,} bytes"
        )
        rest = ["holds moving pictures, too"] if self.video else []
        rest += ["has a cover picture"] if self.cover else []
        rest += [f"{self.tracks} sound tracks; this is the one that players choose"] if self.tracks > 1 else []
        rest += [self.note] if self.note else []
        labels = str(Labels(self.tags, self.chapters))
        return "\n".join([head, str(self.levels), *rest, *([labels] if labels else [])])


@dataclass(frozen=True)
class SoundDifference:
    """How a sound differs from another, at 16 kHz in mono, of the first ten minutes.

    Attributes:
        offset_s: by which the other is later; negative where it is earlier.
        correlation: of the two, moved together, in [-1, 1]; 1 for the same.
        gain_db: by which the other is louder, as far as it is the same.
        si_sdr_db: signal to distortion ratio of the other, whatever its loudness (Le Roux 2019); at most 100.
        duration_difference_s: by which the other is longer.
    """

    offset_s: float
    correlation: float
    gain_db: float
    si_sdr_db: float
    duration_difference_s: float

    def __str__(self) -> str:
        same = "the same" if self.correlation > 0.9999 else "alike" if self.correlation > 0.9 else "different"
        return (
            f"{same}: correlation {self.correlation:.4f} with the other {self.offset_s:+.3f} s later, "
            f"{self.gain_db:+.1f} dB louder, SI-SDR {self.si_sdr_db:.1f} dB; "
            f"it is {self.duration_difference_s:+.3f} s longer"
        )


def read_info(path: Path) -> SoundInfo:
    """What a sound file says, and how loud it is.

    Raises:
        Problem: it is not a sound, or cannot be read.
    """
    return run_bounded(_read_info, path, seconds=LIMIT_S, memory_bytes=LIMIT_BYTES, stays=True)


def compare_sounds(path: Path, other: Path) -> SoundDifference:
    """How a sound differs from another.

    Raises:
        Problem: one cannot be read, or is silent.
    """
    return run_bounded(_compare_samples, path, other, seconds=LIMIT_S, memory_bytes=LIMIT_BYTES, stays=True)


def _read_info(path: Path) -> SoundInfo:
    size = check_bytes(path)
    form, faults = form_of(path), Faults()
    counter = _Counter(form.rate_hz)
    levels = measure_levels(counter.count_blocks(read_blocks(path, form, faults=faults)), form)
    with path.open("rb") as file, open_container(file, path) as container:
        track = sound_track(container, path)
        content = content_of(container)
        seconds = counter.seconds
        labels = labels_in(container, track)
        return SoundInfo(
            format=container.format.name.split(",")[0],
            codec=track.codec_context.name,
            duration_s=seconds,
            sample_rate_hz=track.rate,
            channels=track.channels,
            layout=LAYOUTS.get(track.channels, track.layout.name),
            bit_rate_kbps=8 * size / seconds / 1000 if seconds else 0.0,
            size_bytes=size,
            levels=levels,
            tags={name: text[:200] for name, text in labels.tags.items()},
            chapters=labels.chapters,
            video=content.pictures > 0,
            cover=content.covers > 0,
            faults=faults.count,
            tracks=content.sounds,
            note=str(faults),
        )


class _Counter:
    """Counts how long a sound is while it is read."""

    def __init__(self, rate_hz: int) -> None:
        self.rate_hz, self.samples = rate_hz, 0

    @property
    def seconds(self) -> float:
        return self.samples / self.rate_hz

    def count_blocks(self, blocks: Blocks) -> Blocks:
        for block in blocks:
            self.samples += block.shape[1]
            yield block


def _compare_samples(path: Path, other: Path) -> SoundDifference:
    import numpy as np
    from scipy.signal import correlate

    first_sound, two = (read_sound(sound, _COMPARED_HZ, 0.0, _COMPARED_S) for sound in (path, other))
    first, second = first_sound.samples.astype(np.float64), two.samples.astype(np.float64)
    for samples, sound in ((first, path), (second, other)):
        if not np.any(samples):
            raise Problem(f"{sound.name!r} is silent and cannot be compared")
    likeness: Any = correlate(second, first, mode="full", method="fft")
    lag = int(np.abs(likeness).argmax()) - (len(first) - 1)
    start, count = max(0, -lag), min(len(first) - max(0, -lag), len(second) - max(0, lag))
    mine, theirs = first[start : start + count], second[max(0, lag) : max(0, lag) + count]
    scale = float(mine @ theirs) / float(mine @ mine)
    matching_samples = scale * mine
    rest = float(np.square(theirs - matching_samples).sum())
    matching_power = float(matching_samples @ matching_samples)
    ratio = min(100.0, 10 * math.log10(max(matching_power, 1e-20) / max(rest, 1e-20 + matching_power * 1e-10)))
    return SoundDifference(
        lag / _COMPARED_HZ,
        float(mine @ theirs / math.sqrt(max(float(mine @ mine) * float(theirs @ theirs), 1e-20))),
        to_decibels(abs(scale)),
        ratio,
        len(second) / _COMPARED_HZ - len(first) / _COMPARED_HZ,
    )
