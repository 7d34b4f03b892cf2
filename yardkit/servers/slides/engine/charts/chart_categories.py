"""The categories of a chart: labels, numbers, dates, and labels of several levels, kept as what they are."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from yardkit.servers.slides.engine.text.paragraphs import clean

C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
BETWEEN = " / "
"""Between the levels of a category as it is told, the outermost first."""
MAX_POINTS = 20_000
_UNSEEN = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]')
_DAY = timedelta(days=1)
Path = tuple[tuple[int, str], ...]
"""A category of several levels, the outermost first, each with the number of the first category under it."""


def category_labels(holder: Any) -> list[str]:
    """What the categories in a `c:cat` say: dates as ISO dates, several levels one after the other."""
    if holder is None:
        return []
    if _levels(holder):
        return [BETWEEN.join(label for _, label in path if label) for path in _paths(holder)]
    return [_shown(holder, point) for point in cached_points(holder)]


def cached_points(holder: Any) -> list[str | None]:
    """The cached points of a data reference, in order, None where there is none."""
    if holder is None:
        return []
    count = holder.find(f".//{C}ptCount")
    found = {int(point.get("idx", "0")): point.findtext(f"{C}v") for point in holder.iter(f"{C}pt")}
    size = int(count.get("val", "0")) if count is not None else len(found)
    return [found.get(at) for at in range(min(size, MAX_POINTS))]


def set_categories(data: Any, holder: Any, given: list[str] | None) -> None:
    """Give chart data its categories: those given, else those in `holder`; dates, numbers and levels stay such."""
    names = category_labels(holder) if given is None else given
    paths = _paths(holder) if _levels(holder) and names == category_labels(holder) else _parted(holder, names)
    numbers = [_number(holder, name) for name in names] if _is_numeric(holder) else []
    if paths:
        _nest(data, paths)
    elif numbers and None not in numbers:
        data.categories = numbers
        data.categories.number_format = _code(holder)
    else:
        data.categories = [clean(name) for name in names]


def _levels(holder: Any) -> list[Any]:
    """The levels of categories that have several, the innermost first."""
    return [] if holder is None else holder.findall(f"{C}multiLvlStrRef/{C}multiLvlStrCache/{C}lvl")


def _paths(holder: Any) -> list[Path]:
    levels = [
        {int(point.get("idx", "0")): point.findtext(f"{C}v") or "" for point in level.iter(f"{C}pt")}
        for level in reversed(_levels(holder))
    ]
    count = len(cached_points(holder.find(f"{C}multiLvlStrRef")))
    return [tuple(_at(level, at, inner=level is levels[-1]) for level in levels) for at in range(count)]


def _at(level: dict[int, str], at: int, *, inner: bool) -> tuple[int, str]:
    """The label of a level that stands over the category `at`."""
    start = at if inner else max((number for number in level if number <= at), default=0)
    return start, level.get(start, "")


def _parted(holder: Any, names: list[str]) -> list[Path]:
    """Labels given anew as categories of as many levels as there were; none where they do not say so many."""
    parts = [name.split(BETWEEN) for name in names]
    depth = len(_levels(holder))
    if not depth or {len(part) for part in parts} != {depth}:
        return []
    return [(*((0, label) for label in part[:-1]), (at, part[-1])) for at, part in enumerate(parts)]


def _nest(data: Any, paths: list[Path]) -> None:
    open_ones: list[Any] = []
    last: Path = ()
    for path in paths:
        same = next((at for at, (one, two) in enumerate(zip(path, last, strict=False)) if one != two), len(last))
        del open_ones[same:]
        for _, label in path[len(open_ones) :]:
            made = open_ones[-1].add_sub_category(clean(label)) if open_ones else data.add_category(clean(label))
            open_ones.append(made)
        last = path


def _is_numeric(holder: Any) -> bool:
    return holder is not None and (holder.find(f"{C}numRef") is not None or holder.find(f"{C}numLit") is not None)


def _code(holder: Any) -> str:
    return (None if holder is None else holder.findtext(f".//{C}formatCode")) or "General"


def _is_date(holder: Any) -> bool:
    return _is_numeric(holder) and bool(re.search("[ymdYMD]", _UNSEEN.sub("", _code(holder))))


def _first_day(holder: Any) -> datetime:
    """The day from which the days of dates are counted."""
    space = next(holder.iterancestors(f"{C}chartSpace"), None)
    later = None if space is None else space.find(f"{C}date1904")
    since_1904 = later is not None and later.get("val", "1") in ("1", "true")
    return datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 - dates of no zone


def _shown(holder: Any, point: str | None) -> str:
    value = _amount(point) if _is_numeric(holder) else None
    if value is None:
        return point or ""
    if not _is_date(holder) or not 0 <= value < 2_900_000:
        return f"{value:.15g}"
    moment = _first_day(holder) + timedelta(seconds=round(value * _DAY.total_seconds()))
    return moment.isoformat(" ").removesuffix(" 00:00:00")


def _number(holder: Any, name: str) -> float | int | None:
    """The number that a label stands for; None where it stands for none."""
    value = _amount(name)
    if value is None and _is_date(holder):
        try:
            value = (datetime.fromisoformat(name) - _first_day(holder)) / _DAY
        except (ValueError, TypeError):
            return None
    return int(value) if value is not None and value.is_integer() else value


def _amount(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text, re.ASCII) else None
