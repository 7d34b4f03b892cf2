"""Leaves about charts that are pictures: bars measured in pixels, their colours and lettering."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import find_last_line
from yardkit.evaluators.readers.pages import pictures
from yardkit.evaluators.readers.pages.chart_bars import Bars, Patch, are_proportional, find_bars, has_lettering
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

_DARK = 130
DELIVERED = ("file:generated/*.png", "image:generated/*.png")
"""The targets of a picture whose name a tool chose."""


def delivered_picture(submission: Submission, _facts: Facts) -> str:
    """Find the PNG picture in the folder ``generated`` that the last line of the answer names, else the only one.

    Raises:
        InvalidArtifact: there is none, or there are several.
    """
    pictures = _list_pictures(submission)
    named = [path for path in pictures if submission.answer.strip() and path == find_last_line(submission.answer)]
    if len(named or pictures) != 1:
        raise InvalidArtifact(f"the answer names none of {len(pictures)} pictures in generated")
    return (named or pictures)[0]


def answer_picture(statement: str, *, weight: float = 1.0, id: str = "answer") -> Checkpoint:
    """The last line of the answer is the path of a PNG picture in the folder ``generated``."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        named, picture_names = find_last_line(submission.answer), _list_pictures(submission)
        if named in picture_names:
            pictures.read_picture(submission, named)
        return make_finding(named in picture_names, f"the answer names {named[:80]!r}, of {picture_names[:5]}")

    return make_checkpoint(id, statement, check, covers=("answer", *DELIVERED), weight=weight)


@dataclass(frozen=True)
class DrawnBars:
    """A chart of vertical bars in a picture whose name a tool chose.

    Attributes:
        colors: the colours of the bars, such as ``#1f4e79``.
        values: the true values, from left to right.
        colored: the number of the colour of each value.
    """

    colors: tuple[str, ...]
    values: Callable[[Facts], Sequence[float]]
    colored: Callable[[Facts], Sequence[int]]

    def to_scale(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """There is a bar for each value, in order, with a height proportional to it from zero."""

        def check(submission: Submission, facts: Facts) -> Finding:
            lengths, values = self._read_bars(submission, facts)[1].lengths, self.values(facts)
            return make_finding(are_proportional(lengths, values), f"bars of {lengths} px, the values are {values}")

        return make_checkpoint(id, statement, check, covers=DELIVERED, weight=weight)

    def in_colors(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """Each bar has its colour."""

        def check(submission: Submission, facts: Facts) -> Finding:
            bar_colors, expected_colors = self._read_bars(submission, facts)[1].colors, list(self.colored(facts))
            return make_finding(
                bar_colors == expected_colors, f"colours {bar_colors}, expected {expected_colors}, of {self.colors}"
            )

        return make_checkpoint(id, statement, check, covers=DELIVERED, weight=weight)

    def check_lettering(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """There is text above and below each bar, and a title above the plot."""

        def check(submission: Submission, facts: Facts) -> Finding:
            pixels, bars = self._read_bars(submission, facts)
            bare = [bar for bar in bars.patches if not all(has_lettering(pixels, box) for box in _locate_labels(bar))]
            height, width = pixels.shape[:2]
            top = min((_top_of_label(pixels, bar) for bar in bars.patches), default=height // 4)
            titled = has_lettering(pixels, Patch(width // 12, 0, width, top), least=8)
            return make_finding(
                bool(bars.patches) and not bare and titled,
                f"{format_count(len(bars.patches), 'bar')}, without lettering above or below: {bare}; a title:"
                f" {titled}",
            )

        return make_checkpoint(id, statement, check, covers=DELIVERED, kind="format", weight=weight)

    def _read_bars(self, submission: Submission, facts: Facts) -> tuple[Any, Bars]:
        pixels = pictures.read_picture(submission, delivered_picture(submission, facts))
        return pixels, find_bars(pixels, self.colors, horizontal=False)


def _list_pictures(submission: Submission) -> list[str]:
    return sorted(path.relative_to(submission.files).as_posix() for path in submission.files.glob("generated/*.png"))


def _top_of_label(pixels: Any, bar: Patch) -> int:
    """The upper end of the text above a bar."""
    ink = (pixels[: bar.top - 2, max(0, bar.left) : bar.right].min(axis=(1, 2)) < _DARK)[::-1].tolist()
    start = ink.index(True) if True in ink else 0
    end = ink.index(False, start) if False in ink[start:] else len(ink)
    return len(ink) - end


def _locate_labels(bar: Patch) -> tuple[Patch, Patch]:
    """Locate the value and the name of a bar."""
    above = Patch(bar.left - 12, bar.top - 60, bar.right + 12, bar.top - 2)
    return above, Patch(bar.left - 12, bar.bottom + 3, bar.right + 12, bar.bottom + 70)
