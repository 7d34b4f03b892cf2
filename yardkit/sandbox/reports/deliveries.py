"""The results of runs with feedback after each delivery."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from yardkit.kit.markup import Html
from yardkit.sandbox.reports.tables import Table, section_of
from yardkit.sandbox.runs.results import Result

_NONE = "-"


@dataclass(frozen=True)
class Delivered:
    """Valid runs after a delivery; a run with fewer deliveries counts with its last one.

    Attributes:
        number: the number of the delivery, from 1.
        runs, passed: the number of runs, and of those that passed.
        reward: the mean reward.
        handed_in: the number of runs with that many deliveries.
    """

    number: int
    runs: int
    passed: int
    reward: float
    handed_in: int

    def as_dict(self) -> dict[str, Any]:
        """The figures as JSON values."""
        return dict(vars(self))

    @property
    def rate(self) -> float:
        return self.passed / self.runs


def deliveries_of(results: Sequence[Result]) -> list[Delivered]:
    """Compute the figures after each delivery; empty for runs without feedback."""
    runs = [result.deliveries for result in results if result.valid and result.deliveries]
    delivery_columns = []
    for number in range(1, max(map(len, runs), default=0) + 1):
        after = [deliveries[min(number, len(deliveries)) - 1] for deliveries in runs]
        passed = sum(bool(delivery["passed"]) for delivery in after)
        reward = round(fmean(delivery["reward"] for delivery in after), 6)
        delivery_columns.append(
            Delivered(number, len(runs), passed, reward, sum(len(deliveries) >= number for deliveries in runs))
        )
    return delivery_columns


def delivery_rows(columns: Sequence[Sequence[Delivered]]) -> Iterator[list[str]]:
    """Make a row for each delivery with a cell for each run, and the effect of the feedback."""
    for number in range(max(map(len, columns), default=0)):
        yield [f"delivery {number + 1}", *(_format_cell(column[min(number, len(column) - 1)]) for column in columns)]
    if any(len(column) > 1 for column in columns):
        yield ["gain by feedback", *(_format_gain(column) if len(column) > 1 else _NONE for column in columns)]


def deliveries_section(results: Sequence[Result]) -> Html | None:
    """Make the report's table; None without feedback."""
    delivery_columns = deliveries_of(results)
    if not delivery_columns:
        return None
    about = "Runs that needed fewer deliveries count with their last one."
    return section_of(
        Table("After each delivery", ["", "passed, reward"], list(delivery_rows([delivery_columns])), about)
    )


def _format_cell(delivery: Delivered) -> str:
    return f"{delivery.passed}/{delivery.runs} ({100 * delivery.rate:.0f} %), {delivery.reward:.3f}"


def _format_gain(column: Sequence[Delivered]) -> str:
    first, last = column[0], column[-1]
    return f"{100 * (last.rate - first.rate):+.1f} points, {last.reward - first.reward:+.3f}"
