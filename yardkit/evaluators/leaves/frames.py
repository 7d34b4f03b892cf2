"""A leaf about a frame that is drawn around one of the texts on a picture."""

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, finding, leaf
from yardkit.evaluators.leaves.compositions import observed
from yardkit.evaluators.leaves.lettering import Lettering
from yardkit.evaluators.readers.media.compositions import read_shown
from yardkit.evaluators.readers.media.legibility import ink_box
from yardkit.evaluators.readers.media.tints import find_frame
from yardkit.evaluators.readers.media.writing import Box
from yardkit.evaluators.submission import Submission

_CLOSED = 0.85
"""How much of each side of a frame is there at least."""


def framed(
    id: str, says: str, texts: Lettering, name: str, *, within: Box, redder: int = 80, weight: float = 1.0
) -> Checkpoint:
    """A closed red frame holds one of the texts and no other; nothing else in that box of the picture is red.

    Red is a pixel whose red is so many levels above its green and its blue.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        picture = read_shown(submission, texts.path)
        frame, closed = find_frame(picture, within, redder)
        held = []
        for one, lines in texts.lines(submission, facts).items():
            if not lines:
                raise InvalidArtifact(f"{one} is not found on {texts.path}")
            places = {_place(ink_box(picture, line), frame) for line in lines}
            held += [one] if places == {"inside"} else [] if places == {"apart"} else [f"a part of {one}"]
        return finding(closed >= _CLOSED and held == [name], f"a red frame, closed by {closed:.0%}, holds {held}")

    return leaf(id, says, check, observes=observed(texts.path), weight=weight)


def _place(box: Box, frame: Box) -> str:
    if box[2] < frame[0] or frame[2] < box[0] or box[3] < frame[1] or frame[3] < box[1]:
        return "apart"
    inside = frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]
    return "inside" if inside else "across"
