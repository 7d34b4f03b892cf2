"""Plots as inline SVG: lines with intervals, and stacked bars. Colours come from the page's style sheet.

Each has a title and a description for screen readers, and shows each figure when the mouse rests on it.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from yardkit.kit.markup import Html, make_tag
from yardkit.sandbox.reports.curves import round_numbers

COLOURS = 6
"""The classes ``tone0`` to ``tone5`` of the page; more series begin anew, with dashed lines."""
_WIDTH, _HEIGHT = 460, 290
_LEFT, _RIGHT, _TOP, _BOTTOM = 66, 8, 12, 50
_LEAST_GAP = 30.0
"""Pixels between the middles of two numbers on an axis, at least."""
_LETTER = 6.5
"""Pixels of a letter of a name on an axis, about."""
_DODGE, _CAP = 5.0, 3.0
_CROWDED = 40
"""Of more points than these the intervals are drawn faintly."""
_SHAPES = ("M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", "M-3.5-3.5h7v7h-7z", "M0-4.8L4.6 3.4H-4.6z", "M0-5L5 0L0 5L-5 0z")


@dataclass(frozen=True)
class Mark:
    """A point of a line: its position, its height with an interval, and its text."""

    x: float
    y: float
    interval: tuple[float, float] | None
    says: str


@dataclass(frozen=True)
class Line:
    """A series; `number` gives it its colour and shape."""

    number: int
    name: str
    marks: Sequence[Mark]


@dataclass(frozen=True)
class Bars:
    """A series of bars, given by their heights. `number` gives it its colour."""

    number: int
    name: str
    heights: Sequence[int]


@dataclass(frozen=True)
class Shares:
    """A series of shares between 0 and 1; None for a missing share. `number` gives it its colour."""

    number: int
    name: str
    heights: Sequence[float | None]


@dataclass(frozen=True)
class Words:
    """The texts of a plot: an id that is unique in the page, title, description, and the names of its axes."""

    id: str
    title: str
    description: str
    x: str
    y: str


def line_plot(words: Words, lines: Sequence[Line], ticks: Sequence[float]) -> Html:
    """Plot shares between 0 and 1 as percentages against lengths; `ticks` are the lengths to label on the axis."""
    across = _choose_scale([mark.x for line in lines for mark in line.marks], ticks)
    places = sorted(map(across, ticks))
    gap = min((right - left for left, right in pairwise(places)), default=_LEAST_GAP)
    # Points of several series at one length are side by side, closer to each other than to the next length.
    dodge = min(_DODGE, 0.6 * gap / len(lines))
    interval = "interval faint" if sum(len(line.marks) for line in lines) > _CROWDED else "interval"
    parts = [
        _draw_frame(words, [(y / 5, f"{20 * y} %") for y in range(6)], _to_height),
        _draw_ticks([(across(tick), f"{tick:g}") for tick in sorted(ticks)]),
        *(
            _draw_line(line, (place - (len(lines) - 1) / 2) * dodge, across, interval)
            for place, line in enumerate(lines)
        ),
    ]
    return _build_svg(words, parts)


def bar_plot(words: Words, bars: Sequence[Bars], labels: Sequence[str]) -> Html:
    """Plot stacked counts, one stack for each of `labels`."""
    totals = [sum(bar.heights[place] for bar in bars) for place in range(len(labels))]
    step = next(number for number in round_numbers() if number >= max(totals) / 5)
    most = step * -(-max(totals) // step)
    width = (_WIDTH - _LEFT - _RIGHT) / len(labels)

    def up(count: float) -> float:
        return _to_height(count / most)

    parts = [
        _draw_frame(words, [(count, str(count)) for count in range(0, most + 1, step)], up, _compute_slant(labels)),
        _draw_names(labels),
        *(_draw_stack(bars, place, _LEFT + (place + 0.5) * width, 0.7 * width, up) for place in range(len(labels))),
    ]
    return _build_svg(words, parts, _compute_slant(labels))


def share_plot(words: Words, shares: Sequence[Shares], labels: Sequence[str]) -> Html:
    """Plot shares as percentages, one group of bars for each of `labels`; bars above 100 % are cut there."""
    width = (_WIDTH - _LEFT - _RIGHT) / len(labels)
    bar = 0.8 * width / len(shares)
    parts = [
        _draw_frame(words, [(y / 5, f"{20 * y} %") for y in range(6)], _to_height, _compute_slant(labels)),
        _draw_names(labels),
        *(
            _draw_upright_bar(series, height, labels[place], _LEFT + (place + 0.1) * width + beside * bar, bar)
            for beside, series in enumerate(shares)
            for place, height in enumerate(series.heights)
            if height is not None
        ),
    ]
    return _build_svg(words, parts, _compute_slant(labels))


def _draw_upright_bar(series: Shares, height: float, label: str, left: float, width: float) -> Html:
    tooltip = make_tag("title", f"{series.name}, {label}: {100 * height:.1f} %")
    top = _to_height(min(1.0, height))
    box = {"x": f"{left:.1f}", "width": f"{width:.1f}", "y": f"{top:.1f}", "height": f"{_to_height(0) - top:.1f}"}
    return make_tag("rect", tooltip, class_=f"bar {_get_tone(series.number)}", **box)


def build_legend(names: Sequence[str]) -> Html:
    """Build the legend of colours and shapes."""
    entries = [
        make_tag(
            "li",
            make_tag(
                "svg",
                make_tag("path", d="M0 8H30", class_=_get_stroke(number)),
                make_tag("path", d=_get_shape(number), transform="translate(15 8)", class_="spot"),
                viewBox="0 0 30 16",
                class_=_get_tone(number),
                aria_hidden="true",
            ),
            name,
        )
        for number, name in enumerate(names)
    ]
    return make_tag("ul", entries, class_="legend")


def _build_svg(words: Words, parts: Sequence[Html], below: float = 0.0) -> Html:
    return make_tag(
        "svg",
        make_tag("title", words.title, id=f"{words.id}-title"),
        make_tag("desc", words.description, id=f"{words.id}-desc"),
        *parts,
        viewBox=f"0 0 {_WIDTH} {_HEIGHT + below:g}",
        role="img",
        aria_labelledby=f"{words.id}-title",
        aria_describedby=f"{words.id}-desc",
    )


def _to_height(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)


def _choose_scale(values: Sequence[float], ticks: Sequence[float]) -> Callable[[float], float]:
    """Choose a linear or a logarithmic axis, whichever keeps the closest two ticks further from each other."""
    bend: Callable[[float], float] = float
    if min(values) > 0 and min(ticks) > 0 and _find_smallest_gap(ticks, log) > _find_smallest_gap(ticks, float):
        bend = log
    low, high = bend(min(*values, *ticks)), bend(max(*values, *ticks))
    left, width = _LEFT + 18, _WIDTH - _LEFT - _RIGHT - 36
    return lambda value: left + width * ((bend(value) - low) / (high - low) if high > low else 0.5)


def _find_smallest_gap(ticks: Sequence[float], bend: Callable[[float], float]) -> float:
    """The smallest gap as a share of the axis."""
    bent = sorted(map(bend, set(ticks)))
    gaps = [right - left for left, right in pairwise(bent)]
    return min(gaps) / sum(gaps) if gaps else 0.0


def _draw_frame(
    words: Words, levels: Sequence[tuple[float, str]], up: Callable[[float], float], below: float = 0.0
) -> Html:
    """Draw the horizontal grid lines with their figures, and the names of the axes; the lower name is shifted down."""
    middle = (_TOP + _HEIGHT - _BOTTOM) / 2
    parts = [
        [
            make_tag("path", d=f"M{_LEFT} {up(level):.1f}H{_WIDTH - _RIGHT}", class_="grid"),
            make_tag("text", label, x=f"{_LEFT - 6}", y=f"{up(level) + 4:.1f}", text_anchor="end"),
        ]
        for level, label in levels
    ]
    lower = _HEIGHT + below - 7
    across = make_tag("text", words.x, x=f"{(_LEFT + _WIDTH - _RIGHT) / 2:.0f}", y=f"{lower:g}", text_anchor="middle")
    upwards = make_tag("text", words.y, transform=f"translate(14 {middle:.0f}) rotate(-90)", text_anchor="middle")
    return make_tag("g", parts, across, upwards)


def _draw_ticks(places: Sequence[tuple[float, str]]) -> Html:
    """Draw the numbers below the axis, as many as fit."""
    base, visible_ticks = _HEIGHT - _BOTTOM, list(_with_room(places))
    parts = [
        [
            make_tag("path", d=f"M{x:.1f} {base}v4", class_="axis"),
            make_tag("text", label, x=f"{x:.1f}", y=f"{base + 19}", text_anchor="middle"),
        ]
        for x, label in visible_ticks
    ]
    return make_tag("g", make_tag("path", d=f"M{_LEFT} {base}H{_WIDTH - _RIGHT}", class_="axis"), parts)


def _draw_names(labels: Sequence[str]) -> Html:
    """Draw the names of the groups below the axis, slanted if they would overlap."""
    base, width = _HEIGHT - _BOTTOM, (_WIDTH - _LEFT - _RIGHT) / len(labels)
    parts = []
    for place, label in enumerate(labels):
        x = _LEFT + (place + 0.5) * width
        at = {"transform": f"translate({x + 4:.1f} {base + 15}) rotate(-45)", "text_anchor": "end"}
        straight = {"x": f"{x:.1f}", "y": f"{base + 19}", "text_anchor": "middle"}
        name = make_tag("text", label, **(at if _compute_slant(labels) else straight))
        parts.append([make_tag("path", d=f"M{x:.1f} {base}v4", class_="axis"), name])
    return make_tag("g", make_tag("path", d=f"M{_LEFT} {base}H{_WIDTH - _RIGHT}", class_="axis"), parts)


def _compute_slant(labels: Sequence[str]) -> float:
    """The additional height, in pixels, of slanted group names; 0 if they fit side by side."""
    longest = _LETTER * max(map(len, labels))
    # Names are slanted by 45 degrees, whose sine is 0.7.
    return round(longest * 0.7) if longest > (_WIDTH - _LEFT - _RIGHT) / len(labels) else 0


def _with_room(places: Sequence[tuple[float, str]]) -> Iterator[tuple[float, str]]:
    last = float("-inf")
    for x, label in places:
        if x - last >= _LEAST_GAP:
            yield x, label
            last = x


def _draw_line(line: Line, aside: float, across: Callable[[float], float], interval: str) -> Html:
    """Draw the series, shifted a little to the side; `interval` is the class of its intervals."""
    places = [(across(mark.x) + aside, _to_height(mark.y)) for mark in line.marks]
    way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    marks = [_draw_mark(mark, x, y, line.number, interval) for mark, (x, y) in zip(line.marks, places, strict=True)]
    return make_tag("g", make_tag("path", d=way, class_=_get_stroke(line.number)), marks, class_=_get_tone(line.number))


def _draw_mark(mark: Mark, x: float, y: float, number: int, interval: str) -> Html:
    bar = None
    if mark.interval:
        low, high = map(_to_height, mark.interval)
        caps = "".join(f"M{x - _CAP:.1f} {end:.1f}h{2 * _CAP:g}" for end in (low, high))
        bar = make_tag("path", d=f"M{x:.1f} {low:.1f}V{high:.1f}{caps}", class_=interval)
    shape = make_tag("path", d=_get_shape(number), transform=f"translate({x:.1f} {y:.1f})", class_="spot")
    return make_tag("g", make_tag("title", mark.says), bar, shape)


def _draw_stack(bars: Sequence[Bars], place: int, middle: float, width: float, up: Callable[[float], float]) -> Html:
    """Draw the bars of one stack with their sum on top."""
    parts, below = [], 0
    for bar in bars:
        count = bar.heights[place]
        if count:
            top = up(below + count)
            tooltip = make_tag("title", f"{bar.name}: {count}")
            box = {"x": f"{middle - width / 2:.1f}", "width": f"{width:.1f}"}
            height = f"{up(below) - top:.1f}"
            parts.append(
                make_tag("rect", tooltip, y=f"{top:.1f}", height=height, class_=f"bar {_get_tone(bar.number)}", **box)
            )
        below += count
    total = (
        make_tag("text", below, x=f"{middle:.1f}", y=f"{up(below) - 4:.1f}", text_anchor="middle") if below else None
    )
    return make_tag("g", parts, total)


def _get_tone(number: int) -> str:
    return f"tone{number % COLOURS}"


def _get_stroke(number: int) -> str:
    return "line" if number < COLOURS else "line dashed"


def _get_shape(number: int) -> str:
    return _SHAPES[number % len(_SHAPES)]
