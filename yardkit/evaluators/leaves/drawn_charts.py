"""Leaves about charts that are pictures: bars measured in pixels, their colours and lettering."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, finding, leaf
from yardkit.evaluators.readers.answers import find_last_line
from yardkit.evaluators.readers.pages import pictures
from yardkit.evaluators.readers.pages.chart_bars import Bars, Patch, are_proportional, find_bars, has_lettering
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import counted

_DARK = 130
DELIVERED = ("file:generated/*.png", "image:generated/*.png")
"""The targets of a picture whose name a tool chose."""


def delivered_picture(submission: Submission, _facts: Facts) -> str:
    """The PNG picture in the folder ``generated`` that the last line of the answer names, else the only one.

    Raises:
        InvalidArtifact: there is none, or there are several.
    """
    found = _pictures(submission)
    named = [path for path in found if submission.answer.strip() and path == find_last_line(submission.answer)]
    if len(named or found) != 1:
        raise InvalidArtifact(f"the answer names none of {len(found)} pictures in generated")
    return (named or found)[0]


def answer_picture(says: str, *, weight: float = 1.0, id: str = "answer") -> Checkpoint:
    """The last line of the answer is the path of a PNG picture in the folder ``generated``."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        named, found = find_last_line(submission.answer), _pictures(submission)
        if named in found:
            pictures.read_picture(submission, named)
        return finding(named in found, f"the answer names {named[:80]!r}, of {found[:5]}")

    return leaf(id, says, check, observes=("answer", *DELIVERED), weight=weight)


@dataclass(frozen=True)
class DrawnBars:
    """A chart of upright bars that was drawn into a picture of a name that a tool chose.

    Attributes:
        colors: of the bars, such as ``#1f4e79``.
        values: the truth, from left to right.
        colored: for each of the values the number of its colour.
    """

    colors: tuple[str, ...]
    values: Callable[[Facts], Sequence[float]]
    colored: Callable[[Facts], Sequence[int]]

    def to_scale(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """There is a bar for each value, in order, as high as it is, from zero."""

        def check(submission: Submission, facts: Facts) -> Finding:
            lengths, values = self._read(submission, facts)[1].lengths, self.values(facts)
            return finding(are_proportional(lengths, values), f"bars of {lengths} px, the values are {values}")

        return leaf(id, says, check, observes=DELIVERED, weight=weight)

    def in_colors(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """Each bar has its colour."""

        def check(submission: Submission, facts: Facts) -> Finding:
            found, wanted = self._read(submission, facts)[1].colors, list(self.colored(facts))
            return finding(found == wanted, f"colours {found}, expected {wanted}, of {self.colors}")

        return leaf(id, says, check, observes=DELIVERED, weight=weight)

    def lettered(self, id: str, says: str, *, weight: float = 1.0) -> Checkpoint:
        """Something is written above and below each bar, and a title above the plot."""

        def check(submission: Submission, facts: Facts) -> Finding:
            pixels, bars = self._read(submission, facts)
            bare = [bar for bar in bars.patches if not all(has_lettering(pixels, box) for box in _places(bar))]
            height, width = pixels.shape[:2]
            top = min((_top_of_label(pixels, bar) for bar in bars.patches), default=height // 4)
            titled = has_lettering(pixels, Patch(width // 12, 0, width, top), least=8)
            return finding(
                bool(bars.patches) and not bare and titled,
                f"{counted(len(bars.patches), 'bar')}, without lettering above or below: {bare}; a title: {titled}",
            )

        return leaf(id, says, check, observes=DELIVERED, kind="format", weight=weight)

    def _read(self, submission: Submission, facts: Facts) -> tuple[Any, Bars]:
        pixels = pictures.read_picture(submission, delivered_picture(submission, facts))
        return pixels, find_bars(pixels, self.colors, horizontal=False)


def _pictures(submission: Submission) -> list[str]:
    return sorted(path.relative_to(submission.files).as_posix() for path in submission.files.glob("generated/*.png"))


def _top_of_label(pixels: Any, bar: Patch) -> int:
    """Where what is written above a bar ends, going up."""
    ink = (pixels[: bar.top - 2, max(0, bar.left) : bar.right].min(axis=(1, 2)) < _DARK)[::-1].tolist()
    start = ink.index(True) if True in ink else 0
    end = ink.index(False, start) if False in ink[start:] else len(ink)
    return len(ink) - end


def _places(bar: Patch) -> tuple[Patch, Patch]:
    """Where the value and the name of a bar stand."""
    above = Patch(bar.left - 12, bar.top - 60, bar.right + 12, bar.top - 2)
    return above, Patch(bar.left - 12, bar.bottom + 3, bar.right + 12, bar.bottom + 70)
