"""A sound as a picture: its waveform, or its spectrogram on a logarithmic scale of pitch."""

import io
import math
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from yardkit.kit.sounds import read_sound
from yardkit.programs.bounded import run_bounded
from yardkit.servers.audio.engine.changes import LIMIT_BYTES, LIMIT_S
from yardkit.world import FileRef, Problem, save_bytes
from yardkit.world.fonts import font_file

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

PRELOAD = ("numpy", "av", "PIL.Image", "PIL.ImageDraw", "PIL.ImageFont")
"""What the process that draws keeps loaded."""
Kind = Literal["waveform", "spectrogram"]
MAX_S = 600.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 62, 12, 12, 30
_INK, _GRID, _WAVE, _RMS = "#333333", "#dddddd", "#7fa8d9", "#1f5fa8"
_RATE_HZ, _WINDOW = 32_000, 2048
_LOWEST_HZ, _RANGE_DB = 40.0, 80.0
_FREQUENCIES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000)
_SHADES = ((0, 0, 4), (66, 10, 104), (147, 38, 103), (221, 81, 58), (252, 165, 10), (252, 255, 164))
"""Stops of the colour map inferno (CC0, Smith and van der Walt), dark to light."""


@dataclass(frozen=True)
class SoundPicture:
    """A picture of a sound.

    Attributes:
        picture: where it is.
        kind: of it.
        start_s, end_s: the part that it shows.
    """

    picture: FileRef
    kind: Kind
    start_s: float
    end_s: float

    def __str__(self) -> str:
        return f"Saved {self.picture}: {self.kind} of {self.start_s:.2f} to {self.end_s:.2f} s"


def draw_sound(
    path: Path, target: Path, kind: Kind, start_s: float, end_s: float | None, size: tuple[int, int]
) -> SoundPicture:
    """Draw a sound, or a part of it of at most ten minutes.

    Raises:
        Problem: it cannot be read, or the name is not that of a PNG.
    """
    if target.suffix.lower() != ".png":
        raise Problem(f"{target.name!r} must end with .png")
    if end_s is not None and end_s <= start_s:
        raise Problem(f"end_s {end_s:g} is not after start_s {start_s:g}")
    sound = read_sound(path, _RATE_HZ, start_s, MAX_S if end_s is None else end_s - start_s)
    data = run_bounded(
        _draw_picture, sound.samples, kind, sound.start_s, size, seconds=LIMIT_S, memory_bytes=LIMIT_BYTES, stays=True
    )
    save_bytes(target, data)
    return SoundPicture(FileRef.from_path(target), kind, sound.start_s, sound.end_s)


def _draw_picture(samples: Any, kind: Kind, start_s: float, size: tuple[int, int]) -> bytes:
    from PIL import Image, ImageDraw

    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    area = (_LEFT, _TOP, size[0] - _RIGHT, size[1] - _BOTTOM)
    if kind == "spectrogram":
        image.paste(_draw_spectrogram(samples, (area[2] - area[0], area[3] - area[1])), area[:2])
        _scale_frequencies(draw, area)
    else:
        _draw_waveform(draw, samples, area)
    _scale_time(draw, area, start_s, len(samples) / _RATE_HZ)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _draw_waveform(draw: "ImageDraw", samples: Any, area: tuple[int, int, int, int]) -> None:
    """The range of the samples of each column, and in it their root mean square."""
    import numpy as np

    left, top, right, bottom = area
    middle, half = (top + bottom) / 2, (bottom - top) / 2
    for level in (-1.0, -0.5, 0.0, 0.5, 1.0):
        y = middle - level * half
        draw.line((left, y, right, y), fill=_GRID)
        words = "-∞ dB" if not level else f"{20 * math.log10(abs(level)):.0f} dB"
        draw.text((left - 6, y), words, fill=_INK, font=_load_font(12), anchor="rm")
    edges = np.linspace(0, len(samples), right - left + 1).astype(int)
    for column, (start, end) in enumerate(pairwise(edges)):
        part = samples[start : max(end, start + 1)]
        if not len(part):
            continue
        low, high, mean = float(part.min()), float(part.max()), float(np.sqrt(np.square(part).mean()))
        x = left + column
        draw.line((x, middle - high * half, x, middle - low * half), fill=_WAVE)
        draw.line((x, middle - mean * half, x, middle + mean * half), fill=_RMS)


def _draw_spectrogram(samples: Any, size: tuple[int, int]) -> Any:
    import numpy as np
    from PIL import Image

    width, height = size
    hop = max(64, len(samples) // width)
    padded = np.pad(samples, _WINDOW // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::hop]
    window = np.hanning(_WINDOW).astype(np.float32)
    parts = [np.abs(np.fft.rfft(frames[at : at + 512] * window, axis=1)) for at in range(0, len(frames), 512)]
    level = 20 * np.log10(np.maximum(np.concatenate(parts).T, 1e-6))
    high = _RATE_HZ / 2
    frequencies = _LOWEST_HZ * (high / _LOWEST_HZ) ** np.linspace(1, 0, height)
    bins = np.clip(frequencies / high * (level.shape[0] - 1), 0, level.shape[0] - 1)
    below = np.floor(bins).astype(int)
    share = (bins - below)[:, None]
    rows = level[below] * (1 - share) + level[np.minimum(below + 1, level.shape[0] - 1)] * share
    intensity = np.clip((rows - rows.max() + _RANGE_DB) / _RANGE_DB, 0, 1)
    stops = np.linspace(0, 1, len(_SHADES))
    pixels = np.stack([np.interp(intensity, stops, [shade[part] for shade in _SHADES]) for part in range(3)], axis=2)
    return Image.fromarray(pixels.astype(np.uint8)).resize(size, Image.Resampling.BILINEAR)


def _scale_frequencies(draw: "ImageDraw", area: tuple[int, int, int, int]) -> None:
    left, top, _, bottom = area
    high = _RATE_HZ / 2
    for frequency in _FREQUENCIES:
        y = bottom - (bottom - top) * math.log(frequency / _LOWEST_HZ) / math.log(high / _LOWEST_HZ)
        draw.line((left - 4, y, left, y), fill=_INK)
        words = f"{frequency} Hz" if frequency < 1000 else f"{frequency // 1000} kHz"
        draw.text((left - 6, y), words, fill=_INK, font=_load_font(12), anchor="rm")


def _scale_time(draw: "ImageDraw", area: tuple[int, int, int, int], start_s: float, seconds: float) -> None:
    left, _, right, bottom = area
    step = _round_step(seconds / max(2, (right - left) / 90))
    draw.line((left, bottom, right, bottom), fill=_INK)
    number = math.ceil(start_s / step - 1e-9)
    while number * step <= start_s + seconds + 1e-9:
        x = left + (number * step - start_s) / max(seconds, 1e-9) * (right - left)
        draw.line((x, bottom, x, bottom + 4), fill=_INK)
        anchor = "rt" if x > right - 24 else "mt"
        draw.text(
            (min(x + 4, right) if anchor == "rt" else x, bottom + 7),
            f"{number * step:g} s",
            fill=_INK,
            font=_load_font(12),
            anchor=anchor,
        )
        number += 1


def _round_step(about: float) -> float:
    """The round number of 1, 2, 5 times a power of ten that is not below `about`."""
    power = 10.0 ** math.floor(math.log10(max(about, 1e-3)))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= about * 0.999)


def _load_font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.truetype(str(font_file("DejaVu Sans")), size)
