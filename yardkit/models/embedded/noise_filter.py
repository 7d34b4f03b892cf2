"""Removing noise from speech by DeepFilterNet3, at 48 kHz: gains for 32 bands, five-frame filters below 4.8 kHz.

Source: H. Schroeter et al., "DeepFilterNet: Perceptually Motivated Real-Time Speech Enhancement" (2023).
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.running import infer_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "deepfilternet3"
RATE_HZ = 48_000
PRELOAD = ("numpy", "onnxruntime")
"""What the process that runs it keeps loaded."""
_POINTS, _STEP = 960, 480
_BANDS, _LEAST_WIDTH = 32, 2
_LOW = 96
"""Frequencies, of 481, that are filtered over frames."""
_ORDER, _AHEAD = 5, 2
_MEAN_SHARE = 0.99
"""Of a running mean at each frame: about a second."""
_PART, _LEAD = 2000, 300
"""Frames that are worked on at a time, and those before them that the network hears to get into it."""


def remove_noise(folder: Path, samples: "NDArray[np.float32]", at_most_db: float) -> "NDArray[np.float32]":
    """Remove the noise from speech, keeping its length. Call it in a separate process.

    Args:
        folder: the folder of `MODEL`.
        samples: the samples in [-1, 1], at `RATE_HZ`.
        at_most_db: the maximum reduction of noise; some remaining noise sounds natural.
    """
    import numpy as np

    padded = np.concatenate([np.zeros(_STEP, np.float32), samples, np.zeros(2 * _STEP, np.float32)])
    frames = np.lib.stride_tricks.sliding_window_view(padded, _POINTS)[::_STEP]
    spectrum = np.fft.rfft(frames * _make_window()) / _POINTS
    bands, low = _band_features(spectrum), _low_features(spectrum)
    clean = np.empty_like(spectrum)
    for start in range(0, len(spectrum), _PART):
        first, end = max(0, start - _LEAD), min(len(spectrum), start + _PART)
        clean[start:end] = _clean_frames(folder, spectrum, bands, low, first, end)[start - first :]
    remaining_share = 10 ** (-at_most_db / 20)
    return _compute_samples(spectrum * remaining_share + clean * (1 - remaining_share))[_STEP : _STEP + len(samples)]


def _make_window() -> "NDArray[Any]":
    import numpy as np

    sines = np.sin(0.5 * np.pi * (np.arange(_POINTS) + 0.5) / _STEP)
    return np.asarray(np.sin(0.5 * np.pi * sines**2))


def _compute_samples(spectrum: "NDArray[Any]") -> "NDArray[np.float32]":
    """Compute samples from frames that overlap by half."""
    import numpy as np

    parts = np.fft.irfft(spectrum * _POINTS, _POINTS) * _make_window()
    total = np.zeros((len(parts) + 1) * _STEP)
    total[:-_STEP] += parts[:, :_STEP].ravel()
    total[_STEP:] += parts[:, _STEP:].ravel()
    return total.astype(np.float32)


def band_widths() -> list[int]:
    """Compute the number of the 481 frequencies in each band: as wide as the ear's bands, at least two."""
    import numpy as np

    # The ERB scale of Glasberg and Moore (1990).
    def hertz(bands: float) -> float:
        return 24.7 * 9.265 * float(np.exp(bands / 9.265) - 1)

    most = 9.265 * float(np.log1p(RATE_HZ / 2 / (24.7 * 9.265)))
    widths, before, over = [], 0, 0
    for number in range(1, _BANDS + 1):
        edge = round(hertz(number * most / _BANDS) / (RATE_HZ / _POINTS))
        width = edge - before - over
        over = max(0, _LEAST_WIDTH - width)
        widths.append(width + over)
        before = edge
    widths[-1] += _POINTS // 2 + 1 - sum(widths)
    return widths


def _band_features(spectrum: "NDArray[Any]") -> "NDArray[np.float32]":
    """Compute the decibels of the bands (frames, 32) relative to their running mean."""
    import numpy as np

    widths = band_widths()
    starts = np.cumsum([0, *widths[:-1]])
    power = np.add.reduceat(np.abs(spectrum) ** 2, starts, axis=1) / widths
    decibels = 10 * np.log10(power + 1e-10)
    return np.asarray((decibels - _running_mean(decibels, np.linspace(-60, -90, _BANDS))) / 40, np.float32)


def _low_features(spectrum: "NDArray[Any]") -> "NDArray[Any]":
    """Normalize the low frequencies (frames, 96) by their running mean."""
    import numpy as np

    low = spectrum[:, :_LOW]
    return np.asarray(low / np.sqrt(_running_mean(np.abs(low), np.linspace(0.001, 0.0001, _LOW))))


def _running_mean(values: "NDArray[Any]", mean: "NDArray[Any]") -> "NDArray[Any]":
    import numpy as np

    means = np.empty_like(values)
    for number, frame in enumerate(values):
        mean = frame * (1 - _MEAN_SHARE) + mean * _MEAN_SHARE
        means[number] = mean
    return means


def _clean_frames(
    folder: Path, spectrum: "NDArray[Any]", bands: "NDArray[np.float32]", low: "NDArray[Any]", first: int, end: int
) -> "NDArray[Any]":
    """Return the frames from `first` to `end` without noise."""
    import numpy as np

    ahead = np.minimum(np.arange(first, end) + _AHEAD, len(spectrum) - 1)
    parts = np.stack([low[ahead].real, low[ahead].imag])[None].astype(np.float32)
    inputs = {"feat_erb": bands[ahead][None, None], "feat_spec": parts}
    wide, half, quarter, narrow, heard, early = infer_outputs(folder / "enc.onnx", inputs)[:6]
    decoded = {"emb": heard, "e3": narrow, "e2": quarter, "e1": half, "e0": wide}
    gains = infer_outputs(folder / "erb_dec.onnx", decoded)[0][0, 0]
    weights = infer_outputs(folder / "df_dec.onnx", {"emb": heard, "c0": early})[0][0]
    clean = spectrum[first:end] * np.repeat(gains, band_widths(), axis=1)
    clean[:, :_LOW] = _filter_frames(spectrum[:, :_LOW], weights.reshape(end - first, _LOW, _ORDER, 2), first, end)
    return np.asarray(clean)


def _filter_frames(low: "NDArray[Any]", weights: "NDArray[Any]", first: int, end: int) -> "NDArray[Any]":
    """Compute each frame as a sum of those around it, weighted for each frequency."""
    import numpy as np

    around = np.pad(low, ((_ORDER - 1 - _AHEAD, _AHEAD), (0, 0)))
    factors = weights[..., 0] + 1j * weights[..., 1]
    taps = [around[first + tap : end + tap] * factors[..., tap] for tap in range(_ORDER)]
    return np.asarray(np.sum(taps, axis=0))
