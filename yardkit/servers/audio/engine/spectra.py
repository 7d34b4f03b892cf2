"""Short-time spectra as the other measures need them: mel bands, cepstra, pitch classes."""

from typing import Any

WINDOW, HOP = 2048, 512
_LONG_WINDOW = 8192
_MEL_BANDS, _CEPSTRA, _TOP_DB = 128, 13, 80.0


def power_spectra(samples: Any) -> Any:
    """Power of windows of 2048 samples every 512, (1025, frames), centred, with silence before and behind."""
    import numpy as np

    padded = np.pad(np.asarray(samples, np.float32), WINDOW // 2)
    window = np.hanning(WINDOW + 1)[:-1].astype(np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)[::HOP]
    parts = [
        np.square(np.abs(np.fft.rfft(frames[at : at + 512] * window, axis=1))) for at in range(0, len(frames), 512)
    ]
    return np.concatenate(parts).T.astype(np.float32)


def mel_cepstra(power: Any, rate_hz: int) -> Any:
    """13 mel-frequency cepstral coefficients of each window, (13, frames).

    128 bands on Slaney's scale, decibels cut 80 below the loudest, orthonormal cosine transform of type 2: the
    defaults of librosa, so that figures compare.
    """
    import numpy as np
    from scipy.fft import dct

    bands = _mel_filters(rate_hz) @ power
    level = 10 * np.log10(np.maximum(bands, 1e-10))
    return dct(np.maximum(level, level.max() - _TOP_DB), axis=0, type=2, norm="ortho")[:_CEPSTRA]


def _mel_filters(rate_hz: int) -> Any:
    import numpy as np

    edges = _to_hertz(np.linspace(0.0, _to_mel(rate_hz / 2), _MEL_BANDS + 2))
    bins = np.fft.rfftfreq(WINDOW, 1 / rate_hz)
    rising = (bins - edges[:-2, None]) / np.diff(edges)[:-1, None]
    falling = (edges[2:, None] - bins) / np.diff(edges)[1:, None]
    return np.maximum(0, np.minimum(rising, falling)) * (2.0 / (edges[2:] - edges[:-2]))[:, None]


def _to_mel(hertz: float) -> float:
    """Slaney's scale: linear up to 1000 Hz, logarithmic above."""
    import math

    return hertz / (200 / 3) if hertz < 1000 else 15 + math.log(hertz / 1000) / (math.log(6.4) / 27)


def _to_hertz(mels: Any) -> Any:
    import numpy as np

    return np.where(mels < 15, mels * 200 / 3, 1000 * np.exp(np.log(6.4) / 27 * (mels - 15)))


def pitch_classes(samples: Any, rate_hz: int) -> Any:
    """The share of each of the twelve pitch classes from C on, of the tones that stand out between 55 and 2000 Hz."""
    import numpy as np

    padded = np.pad(np.asarray(samples, np.float32), _LONG_WINDOW // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _LONG_WINDOW)[:: _LONG_WINDOW // 2]
    window = np.hanning(_LONG_WINDOW).astype(np.float32)
    shares = np.zeros(12)
    for frame in frames:
        level = np.abs(np.fft.rfft(frame * window))
        inner = level[1:-1]
        tops = np.flatnonzero((inner > level[:-2]) & (inner >= level[2:]) & (inner > 0.03 * level.max())) + 1
        before, at, after = (np.log(level[tops + step] + 1e-12) for step in (-1, 0, 1))
        exact = tops + 0.5 * (before - after) / np.minimum(before - 2 * at + after, -1e-9)
        hertz = exact * rate_hz / _LONG_WINDOW
        heard = (hertz >= 55) & (hertz <= 2000)
        keys = 69 + 12 * np.log2(hertz[heard] / 440)
        near = np.cos(np.pi * (keys - np.round(keys))) ** 2
        np.add.at(shares, np.round(keys).astype(int) % 12, level[tops[heard]] * near)
    return shares / max(float(shares.sum()), 1e-12)
