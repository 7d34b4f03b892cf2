"""Where on the x axis each value goes: categories by number, dates by days, numbers as they are."""

import math
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from yardkit.servers.plot.engine.spec import MAX_CATEGORIES, MAX_POINTS, MAX_SERIES, AxisKind, Scale, Series
from yardkit.world import Problem


@dataclass(frozen=True)
class Positions:
    """The kind of the x axis and, for categories, their order."""

    kind: AxisKind
    categories: list[str] = field(default_factory=list)

    def get_position(self, value: float | str) -> float:
        """The position of an x value.

        Raises:
            Problem: it is no number, date or category of this axis.
        """
        if self.kind == "category":
            if format_category(value) not in self.categories:
                raise Problem(
                    f"{value!r} is not a category of the x axis; use one of {', '.join(self.categories[:20])}"
                )
            return float(self.categories.index(format_category(value)))
        return _to_day_number(value) if self.kind == "date" else _parse_number(value)


def lay_out(x: list[float | str] | None, series: list[Series], kind: AxisKind, bars: bool) -> tuple[Positions, Any]:
    """The axis for the x values of all series, and the positions of each series.

    Numbers under bars are categories unless `kind` says otherwise; texts that are all ISO dates are dates.

    Raises:
        Problem: x and values do not fit each other or the limits, or are not of the stated kind.
    """
    columns = [_get_column(x, series_values, index) for index, series_values in enumerate(series, 1)]
    _check_amount(series)
    if kind == "auto":
        kind = _guess_kind([value for column in columns for value in column], bars and x is not None)
    if kind != "category":
        positions = Positions(kind)
        return positions, [[positions.get_position(value) for value in column] for column in columns]
    order: dict[str, int] = {}
    for column in columns:
        for value in column:
            order.setdefault(format_category(value), len(order))
    if len(order) > MAX_CATEGORIES:
        raise Problem(f"there are {len(order):,} categories on the x axis; the limit is {MAX_CATEGORIES}")
    return Positions(kind, list(order)), [
        [float(order[format_category(value)]) for value in column] for column in columns
    ]


def format_category(value: float | str) -> str:
    """A category as text: whole numbers without a point."""
    return f"{value:.12g}" if isinstance(value, int | float) else value


def check_positive(values: list[float], scale: Scale, axis: str) -> None:
    """Refuse what a logarithmic axis cannot show.

    Raises:
        Problem: a value is not positive.
    """
    bad = [value for value in values if value <= 0]
    if scale == "log" and bad:
        raise Problem(
            f"the {axis} axis is logarithmic but has the value {bad[0]:g}; use 'symlog', 'linear' or positive values"
        )


def _get_column(x: list[float | str] | None, data_series: Series, index: int) -> list[float | str]:
    column = data_series.x if data_series.x is not None else x
    if column is None:
        column = [float(place) for place in range(1, len(data_series.values) + 1)]
    name = repr(data_series.name) if data_series.name else f"number {index}"
    if len(column) != len(data_series.values):
        raise Problem(
            f"series {name} has {len(data_series.values)} values for {len(column)} x values; give one for each x"
        )
    for label, extra in (("errors", data_series.errors), ("labels", data_series.labels)):
        if extra is not None and len(extra) != len(data_series.values):
            raise Problem(
                f"series {name} has {len(extra)} {label} for {len(data_series.values)} values; give one for each"
            )
    if not any(value is not None for value in data_series.values):
        raise Problem(f"series {name} has no values; give at least one number")
    if any(value is not None and not math.isfinite(value) for value in data_series.values):
        raise Problem(f"series {name} holds an infinite value or NaN; use null for a gap")
    return column


def _check_amount(series: list[Series]) -> None:
    if not series:
        raise Problem("there is nothing to draw; give series, or source with y_columns")
    if len(series) > MAX_SERIES:
        raise Problem(f"there are {len(series)} series; the limit is {MAX_SERIES}. Draw fewer")
    points = sum(len(series_values.values) for series_values in series)
    if points > MAX_POINTS:
        raise Problem(f"there are {points:,} points; the limit is {MAX_POINTS:,}. Aggregate them first")


def _guess_kind(values: list[float | str], bars: bool) -> AxisKind:
    if all(isinstance(value, int | float) for value in values):
        return "category" if bars else "number"
    if all(isinstance(value, str) and _is_date(value) for value in values):
        return "date"
    return "category"


def _is_date(value: str) -> bool:
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return len(value) >= 8


def _to_day_number(value: float | str) -> float:
    """Days since 1970-01-01, Matplotlib's unit of dates."""
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError:
        raise Problem(
            f"{value!r} is not a valid ISO date; use one like 2026-03-14 or set x_kind to 'category'"
        ) from None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.timestamp() / 86_400


def _parse_number(value: float | str) -> float:
    try:
        result = float(value)
    except ValueError:
        raise Problem(f"{value!r} on the x axis is not a number; set x_kind to 'category' or give numbers") from None
    if not math.isfinite(result):
        raise Problem(f"{value!r} on the x axis is not finite; leave it out")
    return result
