"""Films of high dynamic range (PQ, HLG) and of wide colours (BT.2020) brought into those of standard screens.

White of paper, which is 203 nits in both (ITU-R BT.2408), keeps its place near the top, and darker values keep theirs;
brighter ones, which a standard screen cannot show, are compressed into what is left. BT.2020 colours that BT.709 has
not are mixed with grey until they fit.
"""

import functools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]

Curve = Literal["", "PQ", "HLG", "BT.2020"]
"""How colours are coded: SMPTE ST 2084, ARIB STD-B67, wide colours of standard brightness; empty for usual screens."""
HDR: tuple[Curve, ...] = ("PQ", "HLG")
_CURVES: dict[int, Curve] = {16: "PQ", 18: "HLG"}
_WIDE_PRIMARIES = 9
"""By the numbers of ITU-T H.273."""
_WHITE_NITS, _HLG_PEAK_NITS, _HLG_GAMMA = 203.0, 1000.0, 1.2
_GAMMA = 2.4
_KNEE = 0.6
"""Share of white up to which brightness is kept."""
_SIDE = 33
"""Entries of the table along each colour."""
_TO_709 = ((1.6605, -0.5876, -0.0728), (-0.1246, 1.1329, -0.0083), (-0.0182, -0.1006, 1.1187))
_WEIGHTS_709 = (0.2126, 0.7152, 0.0722)
_WEIGHTS_2020 = (0.2627, 0.6780, 0.0593)


def find_curve(*described: Any) -> Curve:
    """How the colours of a film are coded, by what its frame or its codec says, the first that says it."""
    curves = [_CURVES[int(part.color_trc)] for part in described if int(part.color_trc) in _CURVES]
    if curves:
        return curves[0]
    return "BT.2020" if any(int(part.color_primaries) == _WIDE_PRIMARIES for part in described) else ""


@contextmanager
def table_file(curve: Curve) -> Iterator[Path]:
    """A table of colours for FFmpeg's filter lut3d, which reads it when it is made."""
    with tempfile.TemporaryDirectory(prefix="yardkit-colors-") as folder:
        path = Path(folder) / "table.cube"
        path.write_text(_make_table(curve), "ascii")
        yield path


@functools.cache
def _make_table(curve: Curve) -> str:
    import numpy as np

    steps = np.linspace(0, 1, _SIDE)
    blue, green, red = np.meshgrid(steps, steps, steps, indexing="ij")
    colors = map_colors(np.stack([red, green, blue], axis=-1).reshape(-1, 3), curve)
    rows = "\n".join(f"{red:.6f} {green:.6f} {blue:.6f}" for red, green, blue in colors.tolist())
    return f"LUT_3D_SIZE {_SIDE}\n{rows}\n"


def map_colors(colors: "Values", curve: Curve) -> "Values":
    """Coded BT.2020 colours (n, 3) in [0, 1] as coded colours of a standard screen (sRGB)."""
    import numpy as np

    if curve == "BT.2020":
        return _narrow_colors(colors)
    light = _light_of_pq(colors) if curve == "PQ" else _light_of_hlg(colors)
    light = (light / _WHITE_NITS) @ np.array(_TO_709).T
    grey = np.maximum(light @ np.array(_WEIGHTS_709), 0.0)[:, None]
    lowest = light.min(axis=1, keepdims=True)
    share = np.where(lowest < 0, grey / np.maximum(grey - lowest, 1e-9), 1.0)
    light = np.maximum(grey + (light - grey) * share, 0.0)
    peak = light.max(axis=1, keepdims=True)
    room = 1 - _KNEE
    compressed = np.where(peak > _KNEE, _KNEE + room * -np.expm1(-np.maximum(peak - _KNEE, 0) / room), peak)
    light = light * (compressed / np.maximum(peak, 1e-9))
    coded: Values = np.where(
        light <= 0.0031308, 12.92 * light, 1.055 * np.power(np.maximum(light, 1e-9), 1 / 2.4) - 0.055
    )
    return coded


def _narrow_colors(colors: "Values") -> "Values":
    """Those of standard brightness (ITU-R BT.1886), whose curve stays."""
    import numpy as np

    light = np.power(colors, _GAMMA) @ np.array(_TO_709).T
    narrow: Values = np.power(np.clip(light, 0, 1), 1 / _GAMMA)
    return narrow


def _light_of_pq(values: "Values") -> "Values":
    """Nits (SMPTE ST 2084)."""
    import numpy as np

    m1, m2, c1, c2, c3 = 2610 / 16384, 2523 / 32, 3424 / 4096, 2413 / 128, 2392 / 128
    power = np.power(values, 1 / m2)
    light: Values = 10_000 * np.power(np.maximum(power - c1, 0) / (c2 - c3 * power), 1 / m1)
    return light


def _light_of_hlg(values: "Values") -> "Values":
    """Nits on a screen of 1,000 nits (ITU-R BT.2100)."""
    import numpy as np

    a = 0.17883277
    b, c = 1 - 4 * a, 0.55991073
    scene = np.where(values <= 0.5, values**2 / 3, (np.exp((values - c) / a) + b) / 12)
    grey = (scene @ np.array(_WEIGHTS_2020))[:, None]
    light: Values = _HLG_PEAK_NITS * scene * np.power(np.maximum(grey, 1e-9), _HLG_GAMMA - 1)
    return light
