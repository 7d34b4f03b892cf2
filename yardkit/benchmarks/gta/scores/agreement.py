"""Agreement of two raters, such as a judge and a person, on points from 0 to 10 for the same leaves or roots."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from yardkit.benchmarks.gta.sets.records import list_numbered_records, read_json
from yardkit.benchmarks.gta.sets.workflow import Workflow, score_tree
from yardkit.world import Problem

Ratings = Mapping[tuple[str, str], float]
"""Points by task and leaf."""
COLUMNS = ("task", "leaf", "requirement", "points")


@dataclass(frozen=True)
class Agreement:
    """Figures over the items that both rated; None if they are undefined (too few items, or no variance).

    Attributes:
        items: the number of items.
        pearson, spearman, kendall: correlations of points, of ranks, and tau-b of pairs (Kendall, 1945).
        icc: intraclass correlation ICC(2,1) of single raters, absolute agreement (Shrout and Fleiss, 1979).
        mae: mean absolute difference.
        within_one: the share of items that differ by at most one point.
        kappa: Cohen's kappa with quadratic weights, on rounded points (Cohen, 1968).
    """

    items: int
    pearson: float | None
    spearman: float | None
    kendall: float | None
    icc: float | None
    mae: float | None
    within_one: float | None
    kappa: float | None


def measure_agreement(first: Sequence[float], other: Sequence[float]) -> Agreement:
    """Measure the agreement of two raters on the same items, given in the same order."""
    if not first:
        return Agreement(0, None, None, None, None, None, None, None)
    differences = [abs(a - b) for a, b in zip(first, other, strict=True)]
    return Agreement(
        len(first),
        _compute_pearson(first, other),
        _compute_pearson(_compute_ranks(first), _compute_ranks(other)),
        _compute_kendall(first, other),
        _compute_icc(first, other),
        round(fmean(differences), 4),
        round(fmean(distance <= 1 for distance in differences), 4),
        _compute_kappa([round(value) for value in first], [round(value) for value in other]),
    )


def agree_on(first: Ratings, other: Ratings, tasks: Mapping[str, Workflow]) -> dict[str, Agreement]:
    """Measure agreement on leaves, and on the roots of tasks in which both rated every leaf."""
    common = sorted(set(first) & set(other))
    roots = [
        (_score_root(task, first), _score_root(task, other))
        for name, task in tasks.items()
        if all((name, leaf.id) in first and (name, leaf.id) in other for leaf in task.root.list_leaves())
    ]
    return {
        "leaves": measure_agreement([first[key] for key in common], [other[key] for key in common]),
        "roots": measure_agreement([first for first, _ in roots], [second for _, second in roots]),
    }


def read_ratings(path: Path) -> Ratings:
    """Read ratings from a sheet (CSV with the columns task, leaf, points) or from the output of `yardkit gta judge`.

    Raises:
        Problem: it is neither, or points are not from 0 to 10.
    """
    if path.suffix.lower() == ".json":
        return {
            (name, leaf.text("id")): leaf.number("points", 0.0)
            for name, task in list_numbered_records(path.name, read_json(path))
            for leaf in task.records("leaves")
            if leaf.get_any("points") is not None
        }
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"))))
    except (OSError, ValueError, csv.Error) as error:
        raise Problem(f"{path.name!r} cannot be read as a sheet of ratings") from error
    return {
        (str(row.get("task")), str(row.get("leaf"))): _parse_points(path.name, number, str(row.get("points")).strip())
        for number, row in enumerate(rows, 2)
        if (row.get("points") or "").strip()
    }


def write_sheet(tasks: Mapping[str, Workflow]) -> str:
    """Write a sheet to fill in: a row for each leaf, without points."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(
        [name, leaf.id, leaf.requirements, ""] for name, task in tasks.items() for leaf in task.root.list_leaves()
    )
    return buffer.getvalue()


def _score_root(task: Workflow, ratings: Ratings) -> float:
    points = {leaf: value for (name, leaf), value in ratings.items() if name == task.id}
    return score_tree(task.root, points) or 0.0


def _parse_points(name: str, row: int, text: str) -> float:
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = math.nan
    if not 0 <= points <= 10:
        raise Problem(f"{name!r}, row {row}: {text!r} are not points from 0 to 10")
    return points


def _compute_pearson(first_ratings: Sequence[float], other: Sequence[float]) -> float | None:
    first, second = fmean(first_ratings), fmean(other)
    product = sum((a - first) * (b - second) for a, b in zip(first_ratings, other, strict=True))
    spread = math.sqrt(sum((a - first) ** 2 for a in first_ratings) * sum((b - second) ** 2 for b in other))
    # Rounding may leave a spread just above 0 although all ratings are equal.
    return round(product / spread, 4) if spread > 1e-12 else None


def _compute_ranks(values: Sequence[float]) -> list[float]:
    """Compute ranks from 1; equal values get their mean rank."""
    order = sorted(range(len(values)), key=lambda at: values[at])
    places: dict[float, list[int]] = {}
    for rank, at in enumerate(order, 1):
        places.setdefault(values[at], []).append(rank)
    return [fmean(places[value]) for value in values]


def _compute_kendall(first: Sequence[float], other: Sequence[float]) -> float | None:
    signs = [
        (_get_sign(first[at] - first[before]), _get_sign(other[at] - other[before]))
        for at in range(len(first))
        for before in range(at)
    ]
    spread = math.sqrt(sum(a != 0 for a, _ in signs) * sum(b != 0 for _, b in signs))
    return round(sum(a * b for a, b in signs) / spread, 4) if spread else None


def _get_sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _compute_icc(first: Sequence[float], other: Sequence[float]) -> float | None:
    """Compute Shrout and Fleiss' ICC(2,1) from the mean squares of items, raters and residuals."""
    count = len(first)
    if count < 2:
        return None
    overall_mean = fmean([*first, *other])
    means = [(a + b) / 2 for a, b in zip(first, other, strict=True)]
    raters = (fmean(first), fmean(other))
    items = 2 * sum((mean - overall_mean) ** 2 for mean in means) / (count - 1)
    between = count * sum((rater - overall_mean) ** 2 for rater in raters)
    rest = sum(
        (value - mean - rater + overall_mean) ** 2
        for values, rater in zip((first, other), raters, strict=True)
        for value, mean in zip(values, means, strict=True)
    ) / (count - 1)
    spread = items + rest + 2 * (between - rest) / count
    return round((items - rest) / spread, 4) if abs(spread) > 1e-12 else None


def _compute_kappa(first: Sequence[int], other: Sequence[int]) -> float | None:
    count = len(first)
    seen = sum((a - b) ** 2 for a, b in zip(first, other, strict=True)) / count
    chance = sum((a - b) ** 2 for a in first for b in other) / count**2
    return round(1 - seen / chance, 4) if chance else None


def check_known(ratings: Ratings, tasks: Mapping[str, Workflow], name: str) -> None:
    """Refuse ratings of leaves that the set does not have.

    Raises:
        Problem: there is such a rating.
    """
    known = {(task, leaf.id) for task, workflow in tasks.items() for leaf in workflow.root.list_leaves()}
    if strange := sorted(set(ratings) - known):
        raise Problem(f"{name!r} rates {strange[0][1]!r} of task {strange[0][0]!r}, which the set does not have")
