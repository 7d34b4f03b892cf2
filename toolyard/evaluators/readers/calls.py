"""What the ledger tells: whether the agent looked at what it delivers."""

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from toolyard.evaluators.checkpoints import Finding, finding
from toolyard.evaluators.submission import Submission

_PAGES = {".pdf", ".png", ".jpg", ".jpeg", ".webp"}
"""What a file is turned into in order to be looked at."""


def looked_at(submission: Submission, relative: str) -> Finding:
    """Whether the agent saw a picture of a delivered file after its last change to it.

    Any tool serves that returns a picture for a call that names the file, or names a PDF or picture that an earlier
    call made from it. A call that names the file and changes the workspace counts as a change of the file.
    """
    views, seen, last = {relative}, False, "it never looked"
    for call in submission.calls:
        named = set(_paths(call["arguments"]))
        if call["error"] or not named & views:
            continue
        if relative in named and call["state_before"] != call["state_after"]:
            views = {relative, *(name for name in named if PurePosixPath(name).suffix.lower() in _PAGES)}
            seen, last = False, f"it did not look after call {call['number']} ({call['tool']})"
        if call["media"]:
            seen, last = True, f"it looked with call {call['number']} ({call['tool']})"
    return finding(seen, f"{relative}: {last}")


def _paths(value: Any) -> Iterator[str]:
    """All texts in the arguments of a call, as normalised relative paths."""
    if isinstance(value, str) and len(value) < 1000:
        yield str(PurePosixPath(value)).lstrip("/")
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _paths(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _paths(item)
