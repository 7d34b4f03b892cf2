"""How loud a sound is: peak, true peak, loudness by ITU-R BS.1770-4 and its range, from one pass over its blocks."""

import math
from dataclasses import dataclass
from typing import Any

from yardkit.kit.sound_streams import Blocks, Form

SILENCE_DB = -100.0
"""What is said for the level of nothing."""
_BLOCK_S, _STEP_S = 0.4, 0.1
_ABSOLUTE_GATE, _RELATIVE_GATE = -70.0, -10.0
_RANGE_BLOCK_S, _RANGE_GATE = 3.0, -20.0
_EDGE = 32
"""Samples at the ends of a block between which nothing can be said: the filter there sees what is not there."""


@dataclass(frozen=True)
class Levels:
    """Levels of a sound.

    Attributes:
        loudness_lufs: integrated loudness (BS.1770-4, gated); null where all of it is below -70 LUFS or it is shorter
            than 0.4 s.
        range_lu: loudness range between quiet and loud passages (EBU Tech 3342); null for less than 3 s.
        peak_dbfs: of the samples.
        true_peak_dbtp: between the samples, by four times as many.
        rms_dbfs: root mean square of all.
        clipped_samples: at or over full scale.
    """

    loudness_lufs: float | None
    range_lu: float | None
    peak_dbfs: float
    true_peak_dbtp: float
    rms_dbfs: float
    clipped_samples: int

    def __str__(self) -> str:
        loudness = (
            "no loudness (silent or too short)" if self.loudness_lufs is None else f"{self.loudness_lufs:.1f} LUFS"
        )
        spread = "" if self.range_lu is None else f", range {self.range_lu:.1f} LU"
        clipped = f", {self.clipped_samples:,} samples clipped" if self.clipped_samples else ""
        return (
            f"{loudness}{spread}, peak {self.peak_dbfs:.1f} dBFS, true peak {self.true_peak_dbtp:.1f} dBTP, "
            f"RMS {self.rms_dbfs:.1f} dBFS{clipped}"
        )


def to_decibels(amplitude: float) -> float:
    """An amplitude in dB of full scale."""
    return max(SILENCE_DB, 20 * math.log10(amplitude)) if amplitude > 0 else SILENCE_DB


def measure_levels(blocks: Blocks, form: Form) -> Levels:
    """The levels of a stream."""
    import numpy as np
    from scipy.signal import resample_poly, sosfilt

    weighting = k_weighting(form.rate_hz)
    state = np.zeros((len(weighting), form.channels, 2))
    step = round(_STEP_S * form.rate_hz)
    powers, left = [], np.zeros((form.channels, 0))
    peak = true_peak = square = 0.0
    count = clipped = 0
    tail = np.zeros((form.channels, 0), np.float32)
    for block in blocks:
        peak = max(peak, float(np.abs(block).max(initial=0.0)))
        clipped += int((np.abs(block) >= 1.0).sum())
        square += float(np.square(block, dtype=np.float64).sum())
        count += block.size
        near = np.concatenate([tail, block], axis=1)
        between = resample_poly(near, 4, 1, axis=1)[:, 4 * _EDGE : -4 * _EDGE]
        true_peak = max(true_peak, float(np.abs(between).max(initial=0.0)))
        tail = near[:, -2 * _EDGE :]
        weighted, state = sosfilt(weighting, block, axis=1, zi=state)
        left = np.concatenate([left, weighted**2], axis=1)
        step_count = left.shape[1] // step
        if step_count:
            powers.append(
                left[:, : step_count * step].reshape(form.channels, step_count, step).mean(axis=2).sum(axis=0)
            )
            left = left[:, step_count * step :]
    steps = np.concatenate(powers) if powers else np.zeros(0)
    return Levels(
        _integrate_loudness(_average_windows(steps, round(_BLOCK_S / _STEP_S))),
        _compute_range(_average_windows(steps, round(_RANGE_BLOCK_S / _STEP_S))),
        to_decibels(peak),
        to_decibels(max(peak, true_peak)),
        to_decibels(math.sqrt(square / count)) if count else SILENCE_DB,
        clipped,
    )


def k_weighting(rate_hz: int) -> Any:
    """The two filters of BS.1770 for a sample rate, as second-order sections (1, 6) each.

    The high shelf and the high pass are given there for 48 kHz; these are the analogue filters behind them (after
    the parameters that De Man found), made digital for any rate.
    """
    import numpy as np

    gain, quality, center = 3.999843853973347, 0.7071752369554196, 1681.974450955533
    k = math.tan(math.pi * center / rate_hz)
    high = 10 ** (gain / 20)
    band = high**0.4996667741545416
    below = 1 + k / quality + k * k
    shelf = [
        (high + band * k / quality + k * k) / below,
        2 * (k * k - high) / below,
        (high - band * k / quality + k * k) / below,
        1.0,
        2 * (k * k - 1) / below,
        (1 - k / quality + k * k) / below,
    ]
    quality, center = 0.5003270373238773, 38.13547087602444
    k = math.tan(math.pi * center / rate_hz)
    below = 1 + k / quality + k * k
    passed = [1.0, -2.0, 1.0, 1.0, 2 * (k * k - 1) / below, (1 - k / quality + k * k) / below]
    return np.array([shelf, passed])


def _average_windows(steps: Any, length: int) -> Any:
    """Mean powers of windows of `length` steps, one step apart."""
    import numpy as np

    if len(steps) < length:
        return np.zeros(0)
    return np.convolve(steps, np.ones(length) / length, mode="valid")


def _compute_loudness(power: Any) -> Any:
    import numpy as np

    return -0.691 + 10 * np.log10(np.maximum(power, 1e-12))


def _integrate_loudness(powers: Any) -> float | None:
    loud = powers[_compute_loudness(powers) > _ABSOLUTE_GATE]
    if not len(loud):
        return None
    loud_powers = loud[_compute_loudness(loud) > _compute_loudness(loud.mean()) + _RELATIVE_GATE]
    return float(_compute_loudness(loud_powers.mean())) if len(loud_powers) else None


def _compute_range(powers: Any) -> float | None:
    import numpy as np

    loud = powers[_compute_loudness(powers) > _ABSOLUTE_GATE]
    if not len(loud):
        return None
    gated_loudness = _compute_loudness(loud[_compute_loudness(loud) > _compute_loudness(loud.mean()) + _RANGE_GATE])
    return float(np.percentile(gated_loudness, 95) - np.percentile(gated_loudness, 10)) if len(gated_loudness) else None
