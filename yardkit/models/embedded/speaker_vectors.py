"""Vectors of voices by Resemblyzer's encoder; those of one speaker have a similar direction."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.running import infer_outputs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "resemblyzer"
RATE_HZ = 16_000
PRELOAD = ("numpy", "onnxruntime")
"""What the process that runs it keeps loaded."""
_MELS, _POINTS, _STEP = 40, 400, 160
_FRAMES, _HOP = 160, 80
"""A vector is of 1.6 s; the next one begins 0.8 s later."""
_BATCH = 64
_QUIET_DB = -30.0
"""To which a sound is made as loud."""
_LINEAR_HZ, _LINEAR_MEL = 1000.0, 15.0


def piece_vectors(model: Path, pieces: "Sequence[NDArray[np.float32]]") -> "NDArray[np.float32]":
    """Compute vectors [n, 256] of length 1, each of the first 1.6 s of a piece of speech. Call it in `run_in_process`.

    Args:
        model: the file of `MODEL`.
        pieces: pieces at `RATE_HZ`, none of them empty.
    """
    import numpy as np

    windows = [_pad_mels(_compute_mels(_loud_enough(piece[: _FRAMES * _STEP])))[:_FRAMES] for piece in pieces]
    batches = [np.stack(windows[start : start + _BATCH]) for start in range(0, len(windows), _BATCH)]
    return np.concatenate([infer_outputs(model, {"mels": batch})[0] for batch in batches])


def voice_vector(model: Path, samples: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Compute the vector [256] of a voice, of length 1: the mean over windows of 1.6 s with a step of 0.8 s.

    Args:
        model: the file of `MODEL`.
        samples: speech without long pauses, at `RATE_HZ`.
    """
    import numpy as np

    mels = _pad_mels(_compute_mels(_loud_enough(samples)))
    windows = np.stack([mels[start : start + _FRAMES] for start in range(0, len(mels) - _FRAMES + 1, _HOP)])
    mean = infer_outputs(model, {"mels": windows})[0].mean(0)
    return np.asarray(mean / np.linalg.norm(mean), np.float32)


def _pad_mels(mels: "NDArray[np.float32]") -> "NDArray[np.float32]":
    import numpy as np

    return np.pad(mels, ((0, max(0, _FRAMES - len(mels))), (0, 0)))


def _loud_enough(samples: "NDArray[np.float32]") -> "NDArray[np.float32]":
    import numpy as np

    power = float(np.sqrt(np.mean(np.square(samples, dtype=np.float64))))
    target_level = 10 ** (_QUIET_DB / 20)
    return samples if power >= target_level else (samples * (target_level / max(power, 1e-6))).astype(np.float32)


def _compute_mels(samples: "NDArray[np.float32]") -> "NDArray[np.float32]":
    """Compute the power of 40 mel bands in each 10 ms (frames, 40)."""
    import numpy as np

    padded = np.pad(samples, _POINTS // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _POINTS)[::_STEP]
    window = np.hanning(_POINTS + 1)[:-1]
    power = np.abs(np.fft.rfft(frames * window)) ** 2
    mel_powers: NDArray[np.float32] = (power @ _make_bands().T).astype(np.float32)
    return mel_powers


def _make_bands() -> "NDArray[Any]":
    """Make triangular filters of equal area (40, 201) on Slaney's scale: linear to 1 kHz, then logarithmic."""
    import numpy as np

    step = np.log(6.4) / 27
    top = _LINEAR_MEL + np.log(RATE_HZ / 2 / _LINEAR_HZ) / step
    mels = np.linspace(0, top, _MELS + 2)
    hertz = np.where(mels < _LINEAR_MEL, 200 / 3 * mels, _LINEAR_HZ * np.exp(step * (mels - _LINEAR_MEL)))
    points = np.linspace(0, RATE_HZ / 2, _POINTS // 2 + 1)
    rising = (points - hertz[:-2, None]) / np.diff(hertz)[:-1, None]
    falling = (hertz[2:, None] - points) / np.diff(hertz)[1:, None]
    return np.asarray(np.maximum(0, np.minimum(rising, falling)) * (2 / (hertz[2:] - hertz[:-2]))[:, None])
