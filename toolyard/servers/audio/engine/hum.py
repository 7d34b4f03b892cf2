"""The hum of the mains, found in a sound and taken out by narrow notches, which leave what lies between its tones."""

from pathlib import Path
from typing import Any

from toolyard.kit.sound_streams import Filter, Form, read_blocks

_FORM = Form(4000, 1)
_SEARCHED_S = 600.0
_WINDOW_S, _HOP_S = 2.0, 0.5
_HERTZ = ((49.5, 50.5), (59.4, 60.6))
_STEP_HZ = 0.05
_TONES = 20
_NEAR_HZ, _OWN_HZ = 12.0, 2.0
_STANDS_OUT = 30.0
"""How many times the power of what is near a tone has, in all but a quarter of the time."""
_NOTCH_HZ = 2.0


def hum_of(path: Path) -> list[float]:
    """The tones of hum in a sound, in hertz: multiples of about 50 or 60, at least two; none where it has no hum."""
    steady = _steady_power(path)
    if steady is None:
        return []
    bases = [low + step * _STEP_HZ for low, high in _HERTZ for step in range(round((high - low) / _STEP_HZ) + 1)]
    return max(_tones(steady, base_hz) for base_hz in bases)[1]


def notches(tones: list[float]) -> list[Filter]:
    """Filters that take tones out of a stream."""
    return [("bandreject", f"f={hertz:.3f}:t=h:w={_NOTCH_HZ}:r=f64") for hertz in tones]


def _steady_power(path: Path) -> Any:
    """The power of each half hertz that is there in all but a quarter of the time; None for a sound of under 5 s."""
    import numpy as np

    sound = np.concatenate([block[0] for block in read_blocks(path, _FORM, 0.0, _SEARCHED_S)])
    size, hop = round(_WINDOW_S * _FORM.rate_hz), round(_HOP_S * _FORM.rate_hz)
    if len(sound) < 2.5 * size:
        return None
    pieces = np.lib.stride_tricks.sliding_window_view(sound, size)[::hop] * np.hanning(size).astype(np.float32)
    return np.percentile(np.square(np.abs(np.fft.rfft(pieces, axis=1))), 25, axis=0)


def _tones(steady: Any, base_hz: float) -> tuple[float, list[float]]:
    """How much the multiples of a tone stand out, in decibels, and which of them do."""
    import numpy as np

    tones, sum_db = [], 0.0
    for number in range(1, _TONES + 1):
        at, near, own = (round(hertz * _WINDOW_S) for hertz in (base_hz * number, _NEAR_HZ, _OWN_HZ))
        around = np.concatenate([steady[at - near : at - own], steady[at + own + 1 : at + near + 1]])
        share = steady[at - 1 : at + 2].max() / max(float(np.median(around)), 1e-12)
        if share > _STANDS_OUT:
            tones.append(base_hz * number)
            sum_db += 10 * float(np.log10(share))
    return (sum_db, tones) if len(tones) > 1 else (0.0, [])
