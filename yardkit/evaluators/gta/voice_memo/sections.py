"""The content below a heading of a delivered document."""

from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.office.documents import read_document
from yardkit.evaluators.submission import Submission


def points_below(submission: Submission, path: str, heading: str) -> list[str]:
    """List the paragraphs and rows of tables from a heading to the next one, in lower case, without empty ones.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a readable document.
    """
    points, here = list[str](), False
    for block in read_document(submission, path).blocks:
        text = getattr(block, "text", "")
        if getattr(block, "level", None):
            here = simplify_text(text) == simplify_text(heading)
        elif here:
            points += [text] if text else [" ".join(row) for row in getattr(block, "rows", ())]
    return [point for point in map(simplify_text, points) if point]
