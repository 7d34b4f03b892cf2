"""Statistics of a list of numbers, computed exactly and rounded once."""

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from yardkit.servers.calculator.engine import numbers
from yardkit.world import Problem

MAX_VALUES = 100_000
_MAX_DENOMINATOR_BITS = 2000


@dataclass(frozen=True)
class Percentile:
    """The value below which `percent` per cent of the values lie."""

    percent: float
    value: float


@dataclass(frozen=True)
class Statistics:
    """What describes a list of numbers.

    Attributes:
        sum_exact: the sum without rounding, as an integer or fraction.
        mean_exact: the mean without rounding.
        modes: the most frequent values if one occurs more than once, at most 20; else empty.
        sample_stdev: standard deviation of a sample (division by n - 1); null for a single value.
        population_stdev: standard deviation of a whole population (division by n).
        quartiles: first, second and third.
    """

    count: int
    sum: float
    sum_exact: str
    mean: float
    mean_exact: str
    median: float
    modes: list[float]
    minimum: float
    maximum: float
    range: float
    sample_stdev: float | None
    sample_variance: float | None
    population_stdev: float
    population_variance: float
    quartiles: list[float]
    percentiles: list[Percentile]

    def __str__(self) -> str:
        facts = {name: value for name, value in vars(self).items() if value not in (None, []) and "exact" not in name}
        facts["percentiles"] = ", ".join(f"{item.percent:g} %: {item.value!r}" for item in self.percentiles)
        return "\n".join(f"{name}: {value}" for name, value in facts.items() if value != "")


def describe_values(
    values: Sequence[float | str],
    *,
    percents: Sequence[float] = (),
    method: Literal["inclusive", "exclusive"] = "inclusive",
) -> Statistics:
    """Location, spread and percentiles of `values`.

    Percentiles are interpolated linearly: ``inclusive`` between the smallest and largest value (Excel's PERCENTILE.INC,
    NumPy's default, R type 7), ``exclusive`` for samples of a larger population (PERCENTILE.EXC, R type 6).

    Raises:
        Problem: no values, too many, or one that is no finite number.
    """
    if not 0 < len(values) <= MAX_VALUES:
        raise Problem(f"there are {len(values):,} values; give 1 to {MAX_VALUES:,} numbers")
    exact = sorted(_to_finite(value) for value in values)
    count, common = len(exact), _common_denominator(exact)
    scaled_integers = [value.numerator * (common // value.denominator) for value in exact]
    total = Fraction(sum(scaled_integers), common)
    # n * sum(x^2) - sum(x)^2 in whole numbers: exact, so nothing cancels.
    squares = Fraction(
        count * sum(number * number for number in scaled_integers) - sum(scaled_integers) ** 2, count * common * common
    )
    mean = total / count
    several = count > 1
    return Statistics(
        count=count,
        sum=float(total),
        sum_exact=numbers.exact_text(numbers.simplify_fraction(total)),
        mean=float(mean),
        mean_exact=numbers.exact_text(numbers.simplify_fraction(mean)),
        median=float(statistics.median(exact)),
        modes=_find_modes(exact),
        minimum=float(exact[0]),
        maximum=float(exact[-1]),
        range=float(exact[-1] - exact[0]),
        sample_stdev=math.sqrt(squares / (count - 1)) if several else None,
        sample_variance=float(squares / (count - 1)) if several else None,
        population_stdev=math.sqrt(squares / count),
        population_variance=float(squares / count),
        quartiles=[_compute_percentile(exact, percent, method) for percent in (25, 50, 75)],
        percentiles=[Percentile(percent, _compute_percentile(exact, percent, method)) for percent in percents],
    )


def _to_finite(value: float | str) -> Fraction:
    if isinstance(value, float) and not math.isfinite(value):
        raise Problem(f"{value} is not a finite number; leave it out")
    number = Fraction(numbers.parse_exact(str(value)))
    if abs(number) > 10**150 or number.denominator > 10**150:
        raise Problem(
            f"{str(value)[:40]!r} is too large or too precise; use numbers up to 1e150 with up to 150 decimals"
        )
    return number


def _common_denominator(values: Sequence[Fraction]) -> int:
    common = 1
    for value in values:
        common = math.lcm(common, value.denominator)
        if common.bit_length() > _MAX_DENOMINATOR_BITS:
            raise Problem("the fractions have no common denominator of a usable size; use decimals")
    return common


def _find_modes(values: Sequence[Fraction]) -> list[float]:
    counts = Counter(values)
    most = max(counts.values())
    return [float(value) for value, count in counts.items() if count == most][:20] if most > 1 else []


def _compute_percentile(ordered: Sequence[Fraction], percent: float, method: str) -> float:
    if not 0 <= percent <= 100:
        raise Problem(f"{percent:g} is not a valid percentile; use 0 to 100")
    share = Fraction(str(percent)) / 100
    if method == "inclusive":
        position = share * (len(ordered) - 1)
    else:
        position = min(max(share * (len(ordered) + 1) - 1, Fraction(0)), Fraction(len(ordered) - 1))
    below = math.floor(position)
    above = min(below + 1, len(ordered) - 1)
    return float(ordered[below] + (position - below) * (ordered[above] - ordered[below]))
