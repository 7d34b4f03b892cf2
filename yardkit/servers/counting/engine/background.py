"""The ground of a picture: a smooth surface of colour, from which things stand out."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROUNDS = 6
_SAMPLES = 20_000
_NEAR = 0.1
_LEAST = 0.02
"""Differences in OKLab: of what begins as ground, and below which nothing is told from it."""
_OUTLIER = 3.0
_SHARE = 0.1
"""Of the picture that must be ground."""


@dataclass(frozen=True)
class Ground:
    """What a picture shows behind its things.

    Attributes:
        distance: of each pixel from it in OKLab, (height, width).
        scatter: its own standard deviation.
    """

    distance: "NDArray[np.float32]"
    scatter: float


def find_ground(lab: "NDArray[np.float32]") -> Ground | None:
    """A second-order surface through most of what is like the edge of a picture; None where nothing is enough like it.

    It follows light that fades from one side to the other, as on the photograph of a table.

    Args:
        lab: (height, width, 3), without noise.
    """
    import numpy as np

    terms = _compute_terms(*lab.shape[:2])
    step = max(1, int((lab.shape[0] * lab.shape[1] / _SAMPLES) ** 0.5))
    some, values = terms[::step, ::step].reshape(-1, terms.shape[-1]), lab[::step, ::step].reshape(-1, 3)
    rim = np.concatenate([lab[0], lab[-1], lab[:, 0], lab[:, -1]])
    ground_pixels = np.linalg.norm(values - np.median(rim, axis=0), axis=1) < _NEAR
    scatter = 0.0
    for number in range(_ROUNDS):
        if ground_pixels.mean() < _SHARE:
            return None
        degree = 1 if number == 0 else terms.shape[-1]
        surface, *_ = np.linalg.lstsq(some[ground_pixels][:, :degree], values[ground_pixels], rcond=None)
        away = np.linalg.norm(values - some[:, :degree] @ surface, axis=1)
        scatter = float(1.4826 * np.median(away[ground_pixels]))
        ground_pixels = away < max(_OUTLIER * scatter, _LEAST)
    distance = np.linalg.norm(lab - terms @ surface, axis=2).astype(np.float32)
    return Ground(distance, scatter)


def _compute_terms(height: int, width: int) -> "NDArray[np.float32]":
    """1, x, y, xy, x², y² of each pixel, x and y from -1 to 1."""
    import numpy as np

    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    terms: NDArray[Any] = np.stack([np.ones_like(x), x, y, x * y, x * x, y * y], -1)
    return terms
