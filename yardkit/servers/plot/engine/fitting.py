"""A chart is measured after it is laid out: what is cut off or lies over its neighbour is laid out anew, or said."""

import itertools
import math
import re
import textwrap
import warnings
from collections.abc import Sequence
from typing import Any

from yardkit.world.wording import format_count

_MARGIN_PX = 4.0
_LINE = 1.25
"""Height of a line of text in sizes of its font."""
_LONGEST = 32
"""Letters of a label that is turned by 90 degrees."""
_GLYPH = re.compile(r"Glyph (\d+) ")
_POWER = re.compile(r"\$\\mathdefault\{([^${}]*)(?:\^\{([^{}]*)\})?\}\$")
_RAISED = str.maketrans(
    "0123456789-\u2212.", "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207b\u02d9"
)
_LEAST_SIZE = 0.6
"""How small a title becomes at most before it is said that it does not fit."""


def read_words(text: str) -> str:
    """What a text of the figure shows: the powers that Matplotlib writes on axes as TeX, and dollar signs."""
    words = _POWER.sub(lambda match: match[1] + (match[2] or "").translate(_RAISED), text)
    return words.replace(r"\$", "$").replace(r"\times", "\u00d7")


def fit_figure(figure: Any) -> list[str]:
    """Wrap titles and turn, shorten or thin out labels until nothing is cut off or overlaps; what remains, in words."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
        remarks = [remark for axes in panels for remark in _fit_panel(figure, axes)]
        figure.draw_without_rendering()
        remarks += _list_outside(figure)
    return [*dict.fromkeys(remarks), *_list_missing_glyphs(str(warning.message) for warning in caught)]


def _fit_panel(figure: Any, axes: Any) -> list[str]:
    remarks = _fit_across(figure, axes) if axes.axison else []
    remarks += _fit_upright(figure, axes) if axes.axison else []
    for words in (axes.title, axes.xaxis.label):
        _fit_words(figure, words)
    return remarks


def _fit_words(figure: Any, words: Any) -> None:
    """Break a centred text into lines that lie within the figure, smaller where a word is longer than that."""
    if not words.get_text():
        return
    single_line = " ".join(words.get_text().split())
    size = words.get_fontsize()
    for _ in range(6):
        figure.draw_without_rendering()
        box = words.get_window_extent()
        middle = (box.x0 + box.x1) / 2
        room = 2 * (min(middle, figure.bbox.width - middle) - _MARGIN_PX)
        if box.width <= room:
            return
        longest = max(len(line) for line in words.get_text().split("\n"))
        per_line = max(4, int(longest * room / box.width * 0.97))
        if max(map(len, single_line.split())) > per_line and words.get_fontsize() > _LEAST_SIZE * size:
            words.set_fontsize(max(words.get_fontsize() * 0.85, _LEAST_SIZE * size))
        words.set_text(textwrap.fill(single_line, per_line))


def _fit_across(figure: Any, axes: Any) -> list[str]:
    """Turn the labels of the x axis as far as is needed for none to touch the next; then shorten or thin them out."""
    for angle in (0, 30):
        _turn_labels(axes, angle)
        if not _has_touching_labels(figure, axes, angle):
            return []
    labels = [label.get_text() for label in axes.get_xticklabels()]
    one_line = [" ".join(label.split()) for label in labels]
    short_labels = [_shorten_label(label) for label in one_line]
    fixed = any(label != other for label, other in zip(labels, short_labels, strict=True))
    if fixed:
        axes.set_xticks(axes.get_xticks(), short_labels)
    _turn_labels(axes, 90)
    cut = sum(label != other for label, other in zip(one_line, short_labels, strict=True))
    remarks = [
        f"{format_count(cut, 'label')} of the x axis shortened to {_LONGEST} letters: horizontal bars have more room"
    ]
    return [*(remarks if cut else []), *_thin_out(figure, axes.xaxis, "x")]


def _fit_upright(figure: Any, axes: Any) -> list[str]:
    return _thin_out(figure, axes.yaxis, "y")


def _shorten_label(label: str) -> str:
    return label if len(label) <= _LONGEST else label[: _LONGEST - 1].rstrip() + "\u2026"


def _turn_labels(axes: Any, angle: int) -> None:
    axes.tick_params(axis="x", labelrotation=angle)
    for label in axes.get_xticklabels():
        label.set_horizontalalignment("right" if angle == 30 else "center")
        label.set_rotation_mode("anchor" if angle == 30 else "default")


def _thin_out(figure: Any, axis: Any, name: str) -> list[str]:
    """Show every second label, or fewer, of an axis whose labels lie over each other."""
    figure.draw_without_rendering()
    labels = _list_visible(axis.get_ticklabels())
    across = name == "x"
    places = [(box.x0 + box.x1 if across else box.y0 + box.y1) / 2 for box in map(_measure_extent, labels)]
    if len(places) < 3:
        return []
    step = min(abs(b - a) for a, b in itertools.pairwise(places))
    thickest = max((box.width if across else box.height) for box in map(_measure_extent, labels))
    every = math.ceil(thickest * 1.02 / step) if step > 0 else len(labels)
    if every < 2 or thickest <= step * 1.02:
        return []
    ticks = list(axis.get_ticklocs())
    words = [label.get_text() for label in axis.get_ticklabels()]
    axis.set_ticks(ticks[::every], words[::every])
    if across:
        axis.set_tick_params(labelrotation=90)
    return [
        f"only every {every}. label of the {name} axis is shown ({len(ticks)} have no room): a larger chart has more"
    ]


def _has_touching_labels(figure: Any, axes: Any, angle: int) -> bool:
    figure.draw_without_rendering()
    labels = _list_visible(axes.get_xticklabels())
    boxes = [_measure_extent(label) for label in labels]
    low, high = axes.get_window_extent().intervalx
    if angle == 30:  # slanted boxes overlap long before their words do; compare the distance of their lines
        lines = max((label.get_text().count("\n") + 1 for label in labels), default=1)
        step = min((abs(b.x1 - a.x1) for a, b in itertools.pairwise(boxes)), default=1e9)
        height = figure.dpi / 72 * labels[0].get_fontsize() if labels else 0.0
        return bool(step * math.sin(math.radians(angle)) < height * (1.05 + _LINE * (lines - 1)))
    boxes = [box for box in boxes if low - 2 <= (box.x0 + box.x1) / 2 <= high + 2]
    return any(a.x1 + 3 > b.x0 for a, b in itertools.pairwise(boxes))


def _list_visible(labels: Sequence[Any]) -> list[Any]:
    return [label for label in labels if label.get_text() and label.get_visible()]


def _measure_extent(label: Any) -> Any:
    return label.get_window_extent()


def _list_outside(figure: Any) -> list[str]:
    """Texts that leave the figure all the same."""
    from matplotlib.text import Text

    axes = [axis for panel in figure.axes for axis in (panel.xaxis, panel.yaxis)]
    unseen = {id(label) for axis in axes for label in _list_undrawn_labels(axis)}
    cut = []
    for words in figure.findobj(lambda artist: isinstance(artist, Text) and artist.get_visible()):
        if not words.get_text().strip() or id(words) in unseen:
            continue
        box = words.get_window_extent()
        if min(box.x0, box.y0, figure.bbox.width - box.x1, figure.bbox.height - box.y1) < -1:
            cut.append(" ".join(read_words(words.get_text()).split())[:40])
    named = ", ".join(map(repr, cut[:3]))
    return (
        [f"{format_count(len(cut), 'text')} cut off at the edge ({named}): a larger chart or shorter texts"]
        if cut
        else []
    )


def _list_undrawn_labels(axis: Any) -> list[Any]:
    """Labels that are not drawn: of an axis that is not shown, or of ticks beyond its ends."""
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    unseen = [tick for tick in ticks if not (axis.get_visible() and is_within(axis, tick.get_loc()))]
    return [label for tick in unseen for label in (tick.label1, tick.label2)]


def is_within(axis: Any, place: float) -> bool:
    """Whether a place lies between the ends of an axis, on its scale."""
    import numpy as np

    with np.errstate(all="ignore"):
        low, high, at = axis.get_transform().transform(np.array([*sorted(axis.get_view_interval()), place], float))
    reach = abs(high - low) * 1e-6
    return bool(min(low, high) - reach <= at <= max(low, high) + reach)


def _list_missing_glyphs(messages: Any) -> list[str]:
    codes = sorted({int(glyph_match[1]) for message in messages if (glyph_match := _GLYPH.match(message))})
    signs = ", ".join(f"{chr(code)!r} (U+{code:04X})" for code in codes[:5])
    return [f"no installed font has {signs}, so empty boxes are shown; use other characters"] if codes else []
