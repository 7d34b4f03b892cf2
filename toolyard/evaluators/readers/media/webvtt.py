"""Reading delivered subtitles in WebVTT."""

import re

from toolyard.evaluators.checkpoints import InvalidArtifact
from toolyard.evaluators.readers.files import read_text
from toolyard.evaluators.readers.media.films import Cue
from toolyard.evaluators.submission import Submission

_TIME = re.compile(r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})")
_MAX_CHARACTERS = 300_000


def read_webvtt(submission: Submission, relative: str) -> list[Cue]:
    """The cues of a WebVTT file in their order, without marks of style (https://www.w3.org/TR/webvtt1/).

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it does not begin with WEBVTT, or has a block that is no cue.
    """
    text = read_text(submission, relative, _MAX_CHARACTERS).replace("\r\n", "\n")
    head, *blocks = re.split(r"\n[ \t]*\n\s*", text.strip())
    if not re.match(r"WEBVTT([ \t\n]|$)", head):
        raise InvalidArtifact(f"{relative} does not begin with WEBVTT")
    return [_cue(block, relative) for block in blocks if not block.startswith(("NOTE", "STYLE", "REGION"))]


def _cue(block: str, relative: str) -> Cue:
    lines = block.split("\n")
    at = next((number for number, line in enumerate(lines[:2]) if "-->" in line), None)
    sides = lines[at].split("-->") if at is not None else []
    times = [_TIME.fullmatch(side.split()[0]) if side.split() else None for side in sides]
    if at is None or len(times) != 2 or None in times:
        raise InvalidArtifact(f"{relative} has no cue in {block[:80]!r}")
    start, end = (_seconds(time.groups("0")) for time in times if time)
    words = re.sub(r"<[^>]*>", "", " ".join(lines[at + 1 :]))
    return Cue(start, end, " ".join(words.split()))


def _seconds(parts: tuple[str, ...]) -> float:
    hours, minutes, seconds, thousandths = (int(part[:6]) for part in parts)
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000
