"""Measures of numbers: counts, classes, sounds, and verification of pairs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def count_errors(pairs: Sequence[tuple[int, int]]) -> dict[str, float]:
    """Compute the share of exact counts, and the mean absolute error (MAE)."""
    off = [abs(true_count - given) for true_count, given in pairs]
    return {"exact": off.count(0) / max(1, len(off)), "MAE": sum(off) / max(1, len(off))}


def class_accuracy(pairs: Sequence[tuple[str, Sequence[str]]]) -> dict[str, float]:
    """Compute how often the right class is the first prediction, and among the first five."""
    return {
        f"top-{most}": sum(true_class in given[:most] for true_class, given in pairs) / max(1, len(pairs))
        for most in (1, 5)
    }


def sound_ratio_db(clean: "NDArray[Any]", heard: "NDArray[Any]") -> float:
    """Compute SI-SDR, the level in decibels of the wanted signal over everything else, independent of loudness.

    Source: J. Le Roux et al., "SDR - half-baked or well done?" (2019).
    """
    import numpy as np

    clean_sound, given = clean - clean.mean(), heard - heard.mean()
    part = (given @ clean_sound) / max(float(clean_sound @ clean_sound), 1e-20) * clean_sound
    return float(10 * np.log10(max(float(part @ part), 1e-20) / max(float(np.sum((given - part) ** 2)), 1e-20)))


def equal_error(pairs: Sequence[tuple[bool, float]]) -> dict[str, float]:
    """Compute the equal error rate (EER) from scores of pairs that are the same or not: the rate at which false accepts
    equal false rejects, and the score at that point.
    """
    same = sorted(score for is_same, score in pairs if is_same)
    other = sorted(score for is_same, score in pairs if not is_same)
    if not same or not other:
        return {}

    def rates(least: float) -> tuple[float, float]:
        return sum(score < least for score in same) / len(same), sum(score >= least for score in other) / len(other)

    least = min((score for _, score in pairs), key=lambda score: abs(rates(score)[0] - rates(score)[1]))
    return {"EER": sum(rates(least)) / 2, "threshold": least}
