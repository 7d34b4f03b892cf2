"""A leaf about a frame drawn around one of the texts on a picture."""

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, InvalidArtifact, make_checkpoint, make_finding
from yardkit.evaluators.leaves.compositions import list_observed
from yardkit.evaluators.leaves.lettering import Lettering
from yardkit.evaluators.readers.media.compositions import read_upright_picture
from yardkit.evaluators.readers.media.legibility import ink_box
from yardkit.evaluators.readers.media.tints import find_frame
from yardkit.evaluators.readers.media.writing import Box
from yardkit.evaluators.submission import Submission

_CLOSED = 0.85
"""How much of each side of a frame is there at least."""


def check_framed_text(
    id: str, statement: str, texts: Lettering, name: str, *, within: Box, redder: int = 80, weight: float = 1.0
) -> Checkpoint:
    """A closed red frame encloses one of the texts and no other; nothing else in that box of the picture is red.

    A pixel is red if its red is this many levels above its green and its blue.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        picture = read_upright_picture(submission, texts.path)
        frame, closed = find_frame(picture, within, redder)
        framed_texts = []
        for text_name, lines in texts.read_text_lines(submission, facts).items():
            if not lines:
                raise InvalidArtifact(f"{text_name} is not found on {texts.path}")
            places = {_compare_boxes(ink_box(picture, line), frame) for line in lines}
            framed_texts += (
                [text_name] if places == {"inside"} else [] if places == {"apart"} else [f"a part of {text_name}"]
            )
        return make_finding(
            closed >= _CLOSED and framed_texts == [name], f"a red frame, closed by {closed:.0%}, holds {framed_texts}"
        )

    return make_checkpoint(id, statement, check, covers=list_observed(texts.path), weight=weight)


def _compare_boxes(box: Box, frame: Box) -> str:
    if box[2] < frame[0] or frame[2] < box[0] or box[3] < frame[1] or frame[3] < box[1]:
        return "apart"
    inside = frame[0] <= box[0] and frame[1] <= box[1] and box[2] <= frame[2] and box[3] <= frame[3]
    return "inside" if inside else "across"
