"""The hum of the mains, found in a sound and taken out by narrow notches, which leave what lies between its tones."""

from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from yardkit.kit.sound_streams import Blocks, Filter, Form, filter_blocks, read_blocks

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


@dataclass(frozen=True)
class Hum:
    """The hum of a sound.

    Attributes:
        base_hz: about 50 or 60.
        numbers: which multiples of it are heard.
    """

    base_hz: float
    numbers: tuple[int, ...]

    def __str__(self) -> str:
        return f"Hum of {self.base_hz:.1f} Hz was taken out at {len(self.numbers)} of its multiples."


def find_hum(path: Path) -> Hum | None:
    """The hum in a sound: at least two multiples of about 50 or 60 Hz; None where there is none."""
    steady = _steady_power(path)
    if steady is None:
        return None
    bases = [low + step * _STEP_HZ for low, high in _HERTZ for step in range(round((high - low) / _STEP_HZ) + 1)]
    heard = [(base_hz, _find_multiples(steady, base_hz)) for base_hz in bases]
    base_hz, levels = max(heard, key=lambda hum_tone: sum(hum_tone[1].values()))
    if len(levels) < 2:
        return None
    peaks = {number: _peak_hz(steady, base_hz * number) for number in levels}
    fitting = sum(number * hertz for number, hertz in peaks.items()) / sum(number * number for number in peaks)
    return Hum(fitting, tuple(levels))


def without_hum(blocks: Blocks, form: Form, hum: Hum) -> Blocks:
    """A stream without the tones of a hum.

    The notches ring until they know a tone; so they first hear a second of the beginning, in whole periods.
    """
    import numpy as np

    notches: list[Filter] = [
        ("bandreject", f"f={hum.base_hz * number:.3f}:t=h:w={_NOTCH_HZ}:r=f64") for number in hum.numbers
    ]
    size = round(round(hum.base_hz) / hum.base_hz * form.rate_hz)
    pending_blocks, count = [], 0
    for block in blocks:
        pending_blocks.append(block)
        count += block.shape[1]
        if count >= size:
            break
    first = np.concatenate(pending_blocks, axis=1)
    before = first[:, :size] if count >= size else first[:, :0]
    left = before.shape[1]
    for block in filter_blocks(chain([before, first], blocks), form, notches):
        if left < block.shape[1]:
            yield block[:, left:]
        left = max(0, left - block.shape[1])


def _steady_power(path: Path) -> Any:
    """The power of each half hertz that is there in all but a quarter of the time; None for a sound of under 5 s."""
    import numpy as np

    sound = np.concatenate([block[0] for block in read_blocks(path, _FORM, 0.0, _SEARCHED_S)])
    size, hop = round(_WINDOW_S * _FORM.rate_hz), round(_HOP_S * _FORM.rate_hz)
    if len(sound) < 2.5 * size:
        return None
    pieces = np.lib.stride_tricks.sliding_window_view(sound, size)[::hop] * np.hanning(size).astype(np.float32)
    return np.percentile(np.square(np.abs(np.fft.rfft(pieces, axis=1))), 25, axis=0)


def _find_multiples(steady: Any, base_hz: float) -> dict[int, float]:
    """Which multiples of a tone stand out, and by how many decibels."""
    import numpy as np

    levels = {}
    for number in range(1, _TONES + 1):
        at, near, own = (round(hertz * _WINDOW_S) for hertz in (base_hz * number, _NEAR_HZ, _OWN_HZ))
        around = np.concatenate([steady[at - near : at - own], steady[at + own + 1 : at + near + 1]])
        share = float(steady[at] / max(float(np.median(around)), 1e-12))
        if share > _STANDS_OUT:
            levels[number] = 10 * float(np.log10(share))
    return levels


def _peak_hz(steady: Any, hertz: float) -> float:
    """Where the peak near a tone stands: that of the parabola through the logarithms of three bins."""
    import numpy as np

    at = round(hertz * _WINDOW_S)
    at += int(np.argmax(steady[at - 1 : at + 2])) - 1
    low, top, high = np.log(steady[at - 1 : at + 2])
    bend = low - 2 * top + high
    return float((at + (0.5 * (low - high) / bend if bend < 0 else 0.0)) / _WINDOW_S)
