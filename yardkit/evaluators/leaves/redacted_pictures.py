"""Leaves about pictures of papers on which some things must be removed and all others stay visible."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.leaves.compositions import list_observed
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.media.compositions import (
    Placement,
    detail_left,
    inked_tiles,
    locate_picture,
    most_left,
    read_upright_picture,
)
from yardkit.evaluators.readers.media.inner_pictures import find_inner_pictures
from yardkit.evaluators.readers.media.writing import normalize_text, read_lines
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

Boxes = Callable[[Facts], Iterable[Any]]
_SEEN, _LEAST_DETAIL, _ALL = 0.3, 0.4, 0.97
"""How much detail of a secret may be left, how much a part that stays must keep, and how many such parts must."""
_RUN, _ROOM = 5, 8


@dataclass(frozen=True)
class RedactedPicture:
    """A picture of a paper from which some content was removed.

    Attributes:
        path: the delivered picture.
        truth: the complete paper, flat, as an array (height, width, 3), light with dark print.
        part: width and height of the tiles to compare, about two letters.
    """

    path: str
    truth: Callable[[Submission, Facts], Any]
    part: tuple[float, float] = (60, 30)

    def check_straight(
        self, id: str, statement: str, *, edge: float, shape: float, width_px: int, weight: float
    ) -> Checkpoint:
        """The paper fills the picture and is upright.

        Its corners are at most `edge` of a side away from those of the picture, its proportions at most `shape` from
        the true ones.
        """

        def check(submission: Submission, facts: Facts) -> Finding:
            truth, delivered, place = self._locate_paper(submission, facts)
            height, width = delivered.shape[:2]
            goals = ((0, 0), (width, 0), (width, height), (0, height))
            off = max(
                max(abs(x - goal[0]) / width, abs(y - goal[1]) / height)
                for (x, y), goal in zip(place.corners, goals, strict=True)
            )
            part = width / height / (truth.shape[1] / truth.shape[0])
            seen = f"{width} x {height} px, corners off by {off:.1%}, proportions {part:.2f} of the true ones"
            return make_finding(off <= edge and abs(part - 1) <= shape and width >= width_px, seen)

        return self._make_leaf(id, statement, check, weight)

    def check_removed(self, id: str, statement: str, boxes: Boxes, words: Boxes, *, weight: float) -> Checkpoint:
        """The content of some boxes can neither be seen nor read; of a number, no five consecutive digits."""

        def check(submission: Submission, facts: Facts) -> Finding:
            truth, delivered, place = self._locate_paper(submission, facts)
            seen = most_left(truth, place.take_back(delivered), boxes(facts), *self.part)
            lines = [line.text for line in read_lines(submission, delivered)]
            read = [line for line in lines if any(_has_word(line, str(word)) for word in words(facts))]
            return make_finding(
                seen <= _SEEN and not read, f"detail left: {seen:.2f}; read in {format_count(len(read), 'line')}"
            )

        return self._make_leaf(id, statement, check, weight)

    def nothing_below(self, id: str, statement: str, boxes: Boxes, *, weight: float) -> Checkpoint:
        """No picture inside the file, such as a preview, shows the content of some boxes of the paper."""

        def check(submission: Submission, facts: Facts) -> Finding:
            truth = self.truth(submission, facts)
            inner = parse_file(submission, self.path, find_inner_pictures, "picture")
            places = [(picture, locate_picture(submission, truth, picture)) for picture in inner]
            left = [
                most_left(truth, place.take_back(picture), boxes(facts), *self.part)
                for picture, place in places
                if place
            ]
            return make_finding(
                max(left, default=1.0) <= _SEEN,
                f"{format_count(len(inner), 'picture')} in the file, detail left: {left}",
            )

        return self._make_leaf(id, statement, check, weight)

    def check_readable(self, id: str, statement: str, but: Boxes, words: Boxes, *, weight: float) -> Checkpoint:
        """All print looks unchanged, except in the lines of some boxes, and these words can be read."""

        def check(submission: Submission, facts: Facts) -> Finding:
            truth, delivered, place = self._locate_paper(submission, facts)
            straightened, lines = place.take_back(delivered), read_lines(submission, delivered)
            rows = [(box[1] - _ROOM, box[3] + _ROOM) for box in but(facts)]
            parts = [
                part
                for part in inked_tiles(truth, *self.part)
                if not any(top < part[3] and part[1] < bottom for top, bottom in rows)
            ]
            readable_share = sum(detail_left(truth, straightened, part) >= _LEAST_DETAIL for part in parts) / max(
                1, len(parts)
            )
            missing_words = [
                word for word in words(facts) if not any(normalize_text(word) in line.text for line in lines)
            ]
            return make_finding(
                readable_share >= _ALL and not missing_words,
                f"{readable_share:.1%} of {len(parts)} parts as before; not read: {missing_words}",
            )

        return self._make_leaf(id, statement, check, weight)

    def _locate_paper(self, submission: Submission, facts: Facts) -> tuple[Any, Any, Placement]:
        """Read the true paper and the delivered picture, and locate the paper in it."""
        truth, delivered = self.truth(submission, facts), read_upright_picture(submission, self.path)
        place = locate_picture(submission, truth, delivered)
        if place is None:
            raise InvalidArtifact(f"{self.path} does not show the paper")
        return truth, delivered, place

    def _make_leaf(
        self, id: str, statement: str, check: Callable[[Submission, Facts], Finding], weight: float
    ) -> Checkpoint:
        return make_checkpoint(id, statement, check, covers=list_observed(self.path), weight=weight)


def _has_word(line: str, word: str) -> bool:
    if not word.isdigit():
        return normalize_text(word) in line
    digits = "".join(letter for letter in line if letter.isdigit())
    return any(word[at : at + _RUN] in digits for at in range(len(word) - _RUN + 1))
