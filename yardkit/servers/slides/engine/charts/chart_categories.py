"""The categories of a chart: labels, numbers, dates, and labels of several levels, kept as what they are."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from typing import Any

from yardkit.servers.slides.engine.text.paragraphs import clean_text

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
    if _list_levels(holder):
        return [BETWEEN.join(label for _, label in path if label) for path in _list_paths(holder)]
    return [_format_point(holder, point) for point in cached_points(holder)]


def cached_points(holder: Any) -> list[str | None]:
    """The cached points of a data reference, in order, None where there is none."""
    if holder is None:
        return []
    count = holder.find(f".//{C}ptCount")
    points = {int(point.get("idx", "0")): point.findtext(f"{C}v") for point in holder.iter(f"{C}pt")}
    size = int(count.get("val", "0")) if count is not None else len(points)
    return [points.get(at) for at in range(min(size, MAX_POINTS))]


def set_categories(data: Any, holder: Any, given: list[str] | None) -> None:
    """Give chart data its categories: those given, else those in `holder`; dates, numbers and levels stay such."""
    names = category_labels(holder) if given is None else given
    paths = (
        _list_paths(holder)
        if _list_levels(holder) and names == category_labels(holder)
        else _split_levels(holder, names)
    )
    numbers = [_to_number(holder, name) for name in names] if _is_numeric(holder) else []
    if paths:
        _nest_paths(data, paths)
    elif numbers and None not in numbers:
        data.categories = numbers
        data.categories.number_format = _get_format_code(holder)
    else:
        data.categories = [clean_text(name) for name in names]


def _list_levels(holder: Any) -> list[Any]:
    """The levels of categories that have several, the innermost first."""
    return [] if holder is None else holder.findall(f"{C}multiLvlStrRef/{C}multiLvlStrCache/{C}lvl")


def _list_paths(holder: Any) -> list[Path]:
    levels = [
        {int(point.get("idx", "0")): point.findtext(f"{C}v") or "" for point in level.iter(f"{C}pt")}
        for level in reversed(_list_levels(holder))
    ]
    count = len(cached_points(holder.find(f"{C}multiLvlStrRef")))
    return [tuple(_get_label_at(level, at, inner=level is levels[-1]) for level in levels) for at in range(count)]


def _get_label_at(level: dict[int, str], at: int, *, inner: bool) -> tuple[int, str]:
    """The label of a level that stands over the category `at`."""
    start = at if inner else max((number for number in level if number <= at), default=0)
    return start, level.get(start, "")


def _split_levels(holder: Any, names: list[str]) -> list[Path]:
    """Labels given anew as categories of as many levels as there were; none where they do not say so many."""
    parts = [name.split(BETWEEN) for name in names]
    depth = len(_list_levels(holder))
    if not depth or {len(part) for part in parts} != {depth}:
        return []
    return [(*((0, label) for label in part[:-1]), (at, part[-1])) for at, part in enumerate(parts)]


def _nest_paths(data: Any, paths: list[Path]) -> None:
    open_ones: list[Any] = []
    last: Path = ()
    for path in paths:
        same = next((at for at, (label, two) in enumerate(zip(path, last, strict=False)) if label != two), len(last))
        del open_ones[same:]
        for _, label in path[len(open_ones) :]:
            new_category = (
                open_ones[-1].add_sub_category(clean_text(label)) if open_ones else data.add_category(clean_text(label))
            )
            open_ones.append(new_category)
        last = path


def _is_numeric(holder: Any) -> bool:
    return holder is not None and (holder.find(f"{C}numRef") is not None or holder.find(f"{C}numLit") is not None)


def _get_format_code(holder: Any) -> str:
    return (None if holder is None else holder.findtext(f".//{C}formatCode")) or "General"


def _is_date(holder: Any) -> bool:
    return _is_numeric(holder) and bool(re.search("[ymdYMD]", _UNSEEN.sub("", _get_format_code(holder))))


def _first_day(holder: Any) -> datetime:
    """The day from which the days of dates are counted."""
    space = next(holder.iterancestors(f"{C}chartSpace"), None)
    later = None if space is None else space.find(f"{C}date1904")
    since_1904 = later is not None and later.get("val", "1") in ("1", "true")
    return datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001 - dates of no zone


def _format_point(holder: Any, point: str | None) -> str:
    value = _parse_amount(point) if _is_numeric(holder) else None
    if value is None:
        return point or ""
    if not _is_date(holder) or not 0 <= value < 2_900_000:
        return f"{value:.15g}"
    moment = _first_day(holder) + timedelta(seconds=round(value * _DAY.total_seconds()))
    return moment.isoformat(" ").removesuffix(" 00:00:00")


def _to_number(holder: Any, name: str) -> float | int | None:
    """The number that a label stands for; None where it stands for none."""
    value = _parse_amount(name)
    if value is None and _is_date(holder):
        try:
            value = (datetime.fromisoformat(name) - _first_day(holder)) / _DAY
        except (ValueError, TypeError):
            return None
    return int(value) if value is not None and value.is_integer() else value


def _parse_amount(text: str | None) -> float | None:
    return float(text) if text and re.fullmatch(r"-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", text, re.ASCII) else None
