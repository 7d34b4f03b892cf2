"""Leaves about pictures on the slides of a deck: a complete photograph, a column chart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.leaves.compositions import describe_distortion
from yardkit.evaluators.readers.media.compositions import locate_picture, read_upright_picture
from yardkit.evaluators.readers.media.writing import normalize_text, read_lines
from yardkit.evaluators.readers.office.slide_pictures import read_slide_pictures
from yardkit.evaluators.readers.pages.chart_bars import Bars, are_proportional, find_bars
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

_CUT = 0.01
"""Which part of its width the corners of a photograph may be off."""


def slide_photograph(
    id: str, statement: str, deck: str, number: int, photograph: str, *, weight: float = 1.0
) -> Checkpoint:
    """A picture of a slide is a photograph of the untouched world, complete and in its proportions."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        import numpy as np

        photo, seen = read_upright_picture(submission.untouched, photograph), ["no picture"]
        for picture in read_slide_pictures(submission, deck, number):
            place = locate_picture(submission, photo, picture, flat=True)
            if place is None:
                seen.append("another picture")
                continue
            high, wide = picture.shape[:2]
            off = float(np.abs(place.corners - [(0, 0), (wide, 0), (wide, high), (0, high)]).max()) / wide
            if off <= _CUT and not describe_distortion(place):
                return make_finding(holds=True, evidence=f"{photograph}, its corners within {off:.1%}")
            seen.append(f"its corners are off by {off:.0%}; {describe_distortion(place) or 'not distorted'}")
        return make_finding(holds=False, evidence=f"slide {number} shows: {seen[-1]}")

    return make_checkpoint(id, statement, check, covers=_list_targets(deck), weight=weight)


@dataclass(frozen=True)
class ColumnChart:
    """A picture of a column chart on a slide.

    Attributes:
        deck: the presentation; the slide is counted from 1.
        color: the colour of the columns, from the facts.
        values: from the facts, names and values of the columns from left to right.
    """

    deck: str
    number: int
    color: Callable[[Facts], str]
    values: Callable[[Facts], Sequence[tuple[str, float]]]

    def check_proportions(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """There are exactly these columns, with heights proportional to their values from zero."""

        def check(submission: Submission, facts: Facts) -> Finding:
            lengths = self._find_chart(submission, facts)[1].lengths
            values = [value for _, value in self.values(facts)]
            return make_finding(are_proportional(lengths, values), f"columns of {lengths} px for {values}")

        return make_checkpoint(id, statement, check, covers=_list_targets(self.deck), weight=weight)

    def check_labels(self, id: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """The name of each column can be read in the strip below it."""

        def check(submission: Submission, facts: Facts) -> Finding:
            import numpy as np

            picture, bars = self._find_chart(submission, facts)
            strip = picture[max(bar.bottom for bar in bars.patches) + 2 :]
            words = read_lines(submission, np.pad(strip, ((20, 20), (0, 0), (0, 0)), mode="edge"))
            below = [word for line in words for word in line.words]
            wrong = []
            for (name, _), bar in zip(self.values(facts), bars.patches, strict=False):
                left, right = bar.left - bar.width / 3, bar.right + bar.width / 3
                read = "".join(text for text, box in below if left < (box[0] + box[2]) / 2 < right)
                wrong += [] if normalize_text(name) in normalize_text(read) else [f"{name}: {read!r}"]
            complete = len(bars.patches) == len(self.values(facts))
            return make_finding(
                complete and not wrong, f"{format_count(len(bars.patches), 'column')}; {wrong or 'each has its name'}"
            )

        return make_checkpoint(id, statement, check, covers=_list_targets(self.deck), weight=weight)

    def _find_chart(self, submission: Submission, facts: Facts) -> tuple[Any, Bars]:
        for picture in read_slide_pictures(submission, self.deck, self.number):
            bars = find_bars(picture, [self.color(facts)], horizontal=False)
            if bars.patches:
                return picture, bars
        raise InvalidArtifact(f"no picture on slide {self.number} of {self.deck} has columns in {self.color(facts)}")


def _list_targets(deck: str) -> tuple[str, ...]:
    return f"file:{deck}", f"slides:{deck}", f"shapes:{deck}", f"pictures:{deck}"
