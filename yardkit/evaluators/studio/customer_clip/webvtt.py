"""Reading delivered subtitles in WebVTT."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers.files import read_text
from yardkit.evaluators.readers.media.films import Cue
from yardkit.evaluators.submission import Submission

_TIME = re.compile(r"(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})")
_MAX_CHARACTERS = 300_000
_EDGE_S, _ABOUT_S = 0.45, 1.2


def read_webvtt(submission: Submission, relative: str) -> list[Cue]:
    """Read the cues of a WebVTT file in order, without style tags (https://www.w3.org/TR/webvtt1/).

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it does not begin with WEBVTT, or has a block that is not a cue.
    """
    text = read_text(submission, relative, _MAX_CHARACTERS).replace("\r\n", "\n")
    head, *blocks = re.split(r"\n[ \t]*\n\s*", text.strip())
    if not re.match(r"WEBVTT([ \t\n]|$)", head):
        raise InvalidArtifact(f"{relative} does not begin with WEBVTT")
    return [_parse_cue(block, relative) for block in blocks if not block.startswith(("NOTE", "STYLE", "REGION"))]


def _parse_cue(block: str, relative: str) -> Cue:
    lines = block.split("\n")
    at = next((number for number, line in enumerate(lines[:2]) if "-->" in line), None)
    sides = lines[at].split("-->") if at is not None else []
    times = [_TIME.fullmatch(side.split()[0]) if side.split() else None for side in sides]
    if at is None or len(times) != 2 or None in times:
        raise InvalidArtifact(f"{relative} has no cue in {block[:80]!r}")
    start, end = (_to_seconds(time.groups("0")) for time in times if time)
    words = re.sub(r"<[^>]*>", "", " ".join(lines[at + 1 :]))
    return Cue(start, end, " ".join(words.split()))


def _to_seconds(parts: tuple[str, ...]) -> float:
    hours, minutes, seconds, thousandths = (int(part[:6]) for part in parts)
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000


def find_cue_faults(cues: Sequence[Cue], spoken: Sequence[Cue]) -> list[str]:
    """List the faults of cues that must have sentences word for word, each in one cue or in parts without a gap.

    A sentence may start 0.45 s early and end 0.45 s late; the times between its parts must roughly match the words.
    """
    left, faults = list(cues), list[str]()
    for sentence in spoken:
        words, own = _list_words(sentence.text), list[Cue]()
        while left and sum(len(_list_words(cue.text)) for cue in own) < len(words):
            own.append(left.pop(0))
        if not own or [word for cue in own for word in _list_words(cue.text)] != words:
            return [f"{[cue.text for cue in own]} is not {sentence.text!r}"]
        faults += _list_misplaced(own, sentence, len(words))
    return faults + [f"{len(left)} cues too many"] * bool(left)


def _list_words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


def _list_misplaced(own: Sequence[Cue], sentence: Cue, count: int) -> Iterator[str]:
    early, late = sentence.start_s - own[0].start_s, own[-1].end_s - sentence.end_s
    if not (-0.3 <= early <= _EDGE_S and -0.3 <= late <= _EDGE_S) or own[0].start_s < 0:
        yield f"{own[0].start_s:.1f} to {own[-1].end_s:.1f} s, for {sentence.start_s:.1f} to {sentence.end_s:.1f}"
    spoken_count = 0
    for cue, other in pairwise(own):
        spoken_count += len(_list_words(cue.text))
        about = sentence.start_s + spoken_count / count * (sentence.end_s - sentence.start_s)
        if not -0.02 <= other.start_s - cue.end_s <= 0.3 or abs(cue.end_s - about) > _ABOUT_S:
            yield f"{cue.end_s:.1f} and {other.start_s:.1f} s, for about {about:.1f}"
