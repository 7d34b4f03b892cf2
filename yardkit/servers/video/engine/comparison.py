"""How two videos differ."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.kit.sound_streams import Form, read_blocks
from yardkit.programs.bounded import run_bounded
from yardkit.servers.video.engine.changes import PROCESS_BYTES, PROCESS_S
from yardkit.servers.video.engine.streams import has_sound, read_pictures, seconds_of, shape_of

PRELOAD = ("numpy", "av", "PIL.Image")
"""What the process that works on videos keeps loaded."""
_FPS, _WIDE_PX = 10, 320
_RATE_HZ = 8000
_SAME_DB, _CLEAR = 60.0, 8.0
"""Signal to noise ratio from which pictures are the same, mean difference (of 255) from which they clearly differ."""
_MOST_PARTS = 20


@dataclass(frozen=True)
class VideoDifference:
    """How the second of two videos differs from the first.

    Attributes:
        duration_s, size_px, fps: of both.
        sound: whether each has any.
        psnr_db: mean peak signal to noise ratio of their pictures, small, at the same times, ten a second; null where
            all are the same.
        differ_s: parts in which the pictures clearly differ, as [start, end], the first twenty.
        sound_snr_db: of the second sound against the first, of one channel each; null where one has none, or they are
            the same.
        same_sound: whether the sounds are the same, sample by sample; null where one has none.
    """

    duration_s: tuple[float, float]
    size_px: tuple[tuple[int, int], tuple[int, int]]
    fps: tuple[float, float]
    sound: tuple[bool, bool]
    psnr_db: float | None
    differ_s: tuple[tuple[float, float], ...]
    sound_snr_db: float | None
    same_sound: bool | None

    def __str__(self) -> str:
        sizes = " and ".join(f"{width} x {height}" for width, height in self.size_px)
        first_duration, other = self.duration_s
        lines = [
            f"{first_duration:.3f} s and {other:.3f} s; {sizes} px; {self.fps[0]:g} and {self.fps[1]:g} fps; "
            f"sound: {' and '.join('yes' if has else 'no' for has in self.sound)}",
            "the pictures are the same" if self.psnr_db is None else f"pictures: PSNR {self.psnr_db:.1f} dB on average",
        ]
        if self.differ_s:
            lines.append(f"they clearly differ at {', '.join(f'{a:.1f} to {b:.1f}' for a, b in self.differ_s)} s")
        if self.same_sound is not None:
            lines.append(
                "the sounds are the same" if self.same_sound else f"sounds: SNR {self.sound_snr_db or 0:.1f} dB"
            )
        return "\n".join(lines)


def compare_videos(path: Path, other: Path) -> VideoDifference:
    """How `other` differs from `path`.

    Raises:
        Problem: one cannot be read.
    """
    return run_bounded(_compare_draft, path, other, seconds=PROCESS_S, memory_bytes=PROCESS_BYTES, stays=True)


def _compare_draft(path: Path, other: Path) -> VideoDifference:
    shapes = [shape_of(video) for video in (path, other)]
    steps = _measure_steps(path, other)
    ratio = _ratio_db(steps)
    snr = _sound_snr_db(path, other) if has_sound(path) and has_sound(other) else None
    return VideoDifference(
        (round(seconds_of(path), 3), round(seconds_of(other), 3)),
        ((shapes[0].width_px, shapes[0].height_px), (shapes[1].width_px, shapes[1].height_px)),
        (round(float(shapes[0].fps), 3), round(float(shapes[1].fps), 3)),
        (has_sound(path), has_sound(other)),
        None if ratio >= _SAME_DB else round(ratio, 2),
        tuple(_list_parts([mean > _CLEAR for _, mean in steps])[:_MOST_PARTS]),
        None if snr is None or snr == math.inf else round(snr, 2),
        None if snr is None else snr == math.inf,
    )


def _measure_steps(path: Path, other: Path) -> list[tuple[float, float]]:
    """Mean squared and mean absolute difference of the pictures at each tenth of a second that both have."""
    import numpy as np

    differences = []
    fps = Fraction(_FPS)
    for first_picture, two in zip(read_pictures(path, fps), read_pictures(other, fps), strict=False):
        first = _shrink_picture(first_picture, None)
        difference = np.abs(first - _shrink_picture(two, first.shape[1::-1]))
        differences.append((float(np.square(difference).mean()), float(difference.mean())))
    return differences


def _shrink_picture(picture: Any, size: tuple[int, int] | None) -> Any:
    import numpy as np
    from PIL import Image

    image = Image.fromarray(picture)
    wide = min(_WIDE_PX, image.width)
    size = size or (wide, max(1, round(image.height * wide / image.width)))
    return np.asarray(image.resize(size, Image.Resampling.BOX), np.float32)


def _ratio_db(steps: Sequence[tuple[float, float]]) -> float:
    squared = sum(square for square, _ in steps) / len(steps)
    return 10 * math.log10(255**2 / squared) if squared else math.inf


def _list_parts(differs: Sequence[bool]) -> list[tuple[float, float]]:
    """Runs of tenths of a second, as their beginnings and ends."""
    parts: list[tuple[float, float]] = []
    for number, yes in enumerate(differs):
        if not yes:
            continue
        start, end = number / _FPS, (number + 1) / _FPS
        if parts and parts[-1][1] == start:
            parts[-1] = (parts[-1][0], end)
        else:
            parts.append((start, end))
    return parts


def _sound_snr_db(path: Path, other: Path) -> float:
    """Power of the first sound over that of what the second has otherwise, as far as both go; inf where nothing."""
    import numpy as np

    form = Form(_RATE_HZ, 1)
    first_sound, two = (np.concatenate([block[0] for block in read_blocks(video, form)]) for video in (path, other))
    count = min(len(first_sound), len(two))
    left = float(np.square(first_sound[:count] - two[:count], dtype=np.float64).sum())
    if not left and len(first_sound) == len(two):
        return math.inf
    return 10 * math.log10(float(np.square(first_sound[:count], dtype=np.float64).sum() + 1e-12) / (left + 1e-12))
