"""Leaves about texts set on a picture: their legibility, place and size."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.leaves.compositions import list_observed
from yardkit.evaluators.readers.media.compositions import read_upright_picture
from yardkit.evaluators.readers.media.legibility import capital_height, ink_box, least_contrast, lines_of
from yardkit.evaluators.readers.media.tints import find_color_patches, measure_tint
from yardkit.evaluators.readers.media.writing import Box, Line, read_lines
from yardkit.evaluators.submission import Submission
from yardkit.world.wording import format_count

_SMALLER, _NEARER_PX, _PALER = 0.92, 8, 0.88
"""What measuring may lose of the height of letters, of a distance, of a contrast."""
_INKED = 0.08
"""Which part of the box of a line its letters fill at least."""


@dataclass(frozen=True)
class Lettering:
    """Texts on a picture.

    Attributes:
        path: the picture.
        texts: the texts by name, from the facts; each may have several lines.
    """

    path: str
    texts: Callable[[Facts], Mapping[str, str]]

    def read_text_lines(self, submission: Submission, facts: Facts) -> dict[str, list[Line]]:
        """Find the lines in which each text is read; none for a text that is not found."""
        lines = read_lines(submission, read_upright_picture(submission, self.path))
        return {name: lines_of(lines, text) for name, text in self.texts(facts).items()}

    def says(self, name: str, statement: str, *, weight: float = 1.0) -> Checkpoint:
        """A text is on the picture, word for word; the leaf has the name of the text."""

        def check(submission: Submission, facts: Facts) -> Finding:
            text_lines = self.read_text_lines(submission, facts)[name]
            return make_finding(
                bool(text_lines), f"{self.texts(facts)[name]!r} is read in {format_count(len(text_lines), 'line')}"
            )

        return self._make_leaf(name, statement, check, weight)

    def check_heights(
        self, id: str, statement: str, least: Callable[[Facts], Mapping[str, float]], *, weight: float = 1.0
    ) -> Checkpoint:
        """The capitals of texts, by name, have at least this height in pixels."""

        def check(submission: Submission, facts: Facts) -> Finding:
            picture, lines = read_upright_picture(submission, self.path), self._require_all_lines(submission, facts)
            heights = {name: capital_height(picture, lines[name]) for name in least(facts)}
            holds = all(heights[name] >= _SMALLER * least_height for name, least_height in least(facts).items())
            return make_finding(
                holds, f"capitals are {heights} pixels high; at least {dict(least(facts))} are asked for"
            )

        return self._make_leaf(id, statement, check, weight)

    def check_margin(
        self, id: str, statement: str, margin: Callable[[Facts], float], *, weight: float = 1.0
    ) -> Checkpoint:
        """No letter is nearer to an edge of the picture than this many pixels."""

        def check(submission: Submission, facts: Facts) -> Finding:
            high, wide = read_upright_picture(submission, self.path).shape[:2]
            room = margin(facts) - _NEARER_PX
            boxes = self._list_boxes(submission, facts)
            near = [text for text, box in boxes if min(*box[:2], wide - box[2], high - box[3]) < room]
            return make_finding(not near, f"lines too near to the edge: {near or 'none'}")

        return self._make_leaf(id, statement, check, weight)

    def check_contrast(self, id: str, statement: str, least: float, *, weight: float = 1.0) -> Checkpoint:
        """Each letter has at least this contrast to its background (WCAG 2.2)."""

        def check(submission: Submission, facts: Facts) -> Finding:
            lines = self._require_all_lines(submission, facts).values()
            words = [box for text_line in lines for line in text_line for _, box in line.words]
            weakest = least_contrast(read_upright_picture(submission, self.path), words)
            return make_finding(weakest >= least * _PALER, f"the weakest letter has a contrast of {weakest:.1f} to 1")

        return self._make_leaf(id, statement, check, weight)

    def check_clearance(
        self,
        id: str,
        statement: str,
        place: Callable[[Submission, Facts], Box],
        room: Callable[[Facts], float],
        *,
        weight: float = 1.0,
    ) -> Checkpoint:
        """No letter is nearer to a place on the picture than this many pixels."""

        def check(submission: Submission, facts: Facts) -> Finding:
            (left, top, right, bottom), clear = place(submission, facts), room(facts) - _NEARER_PX
            near = [
                text
                for text, box in self._list_boxes(submission, facts)
                if max(left - box[2], box[0] - right, top - box[3], box[1] - bottom) < clear
            ]
            return make_finding(not near, f"lines too near to {left:.0f}, {top:.0f}: {near or 'none'}")

        return self._make_leaf(id, statement, check, weight)

    def check_position(
        self, id: str, statement: str, place: Callable[[Submission, Facts], Box], *, weight: float = 1.0
    ) -> Checkpoint:
        """Every letter is inside a place on the picture."""

        def check(submission: Submission, facts: Facts) -> Finding:
            left, top, right, bottom = place(submission, facts)
            boxes = self._list_boxes(submission, facts)
            room = (left - _NEARER_PX, top - _NEARER_PX, right + _NEARER_PX, bottom + _NEARER_PX)
            out = [
                (text, box)
                for text, box in boxes
                if min(box[0] - room[0], box[1] - room[1], room[2] - box[2], room[3] - box[3]) < 0
            ]
            return make_finding(not out, f"not within {room}: {out or 'none'}")

        return self._make_leaf(id, statement, check, weight)

    def check_ink(self, id: str, statement: str, color: Callable[[Facts], str], *, weight: float = 1.0) -> Checkpoint:
        """The letters have the hue of a colour such as ``#2F7FD1``."""

        def check(submission: Submission, facts: Facts) -> Finding:
            picture = read_upright_picture(submission, self.path)
            parts = {
                text: measure_tint(picture, box, color(facts)) for text, box in self._list_boxes(submission, facts)
            }
            return make_finding(min(parts.values()) >= _INKED, f"which part of each line has that hue: {parts}")

        return self._make_leaf(id, statement, check, weight)

    def check_patches(
        self,
        id: str,
        statement: str,
        colors: Callable[[Facts], Mapping[str, str]],
        within: Callable[[Facts], Box],
        *,
        side_px: float = 14,
        weight: float = 1.0,
    ) -> Checkpoint:
        """Left of each text, in its line, is a patch of its full colour, both within a box."""

        def check(submission: Submission, facts: Facts) -> Finding:
            picture, room, missing_patches = read_upright_picture(submission, self.path), within(facts), []
            for name, lines in self.read_text_lines(submission, facts).items():
                inside = [line.box for line in lines if line.box[1] >= room[1] - _NEARER_PX and line.box[3] <= room[3]]
                large = [
                    patch
                    for patch in find_color_patches(picture, colors(facts)[name])
                    if min(patch[2] - patch[0], patch[3] - patch[1]) >= side_px
                ]
                missing_patches += [] if any(_is_left_of(patch, box) for patch in large for box in inside) else [name]
            return make_finding(
                not missing_patches, f"without a line there, or a patch of their colour: {missing_patches or 'none'}"
            )

        return self._make_leaf(id, statement, check, weight)

    def _require_all_lines(self, submission: Submission, facts: Facts) -> dict[str, list[Line]]:
        lines_by_name = self.read_text_lines(submission, facts)
        if missing_names := [name for name, lines in lines_by_name.items() if not lines]:
            raise InvalidArtifact(f"{self.path} cannot be read: {', '.join(missing_names)} not found")
        return lines_by_name

    def _list_boxes(self, submission: Submission, facts: Facts) -> list[tuple[str, Box]]:
        """List each line with the box of its letters."""
        picture, lines_by_name = read_upright_picture(submission, self.path), self._require_all_lines(submission, facts)
        return [(line.text, ink_box(picture, line)) for lines in lines_by_name.values() for line in lines]

    def _make_leaf(
        self, id: str, statement: str, check: Callable[[Submission, Facts], Finding], weight: float
    ) -> Checkpoint:
        return make_checkpoint(id, statement, check, covers=list_observed(self.path), weight=weight)


def _is_left_of(patch: Box, box: Box) -> bool:
    """Whether a patch is directly left of a line of text."""
    middle, high = (box[1] + box[3]) / 2, box[3] - box[1]
    return patch[1] - 6 <= middle <= patch[3] + 6 and -6 <= box[0] - patch[2] <= 3 * high
