"""Whether the agent looked at, or listened to, its deliverables, derived from the ledger."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Literal

from yardkit.evaluators.checkpoints import Finding, make_finding
from yardkit.evaluators.submission import Submission

Depth = Literal["none", "metadata", "outdated", "content"]
"""How an agent checked a file that it made: not at all, by its size, length or name alone, by its content but before
its last change, or by its content as it is delivered."""

_VIEWS = {".pdf", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".wav", ".mp3", ".flac", ".txt", ".srt", ".vtt", ""}
"""What a file is turned into in order to be looked at or listened to: pages, frames, a transcript, a folder of them."""
_METADATA = re.compile(r"get_(image|audio|video|pdf)_info|describe_path|list_folder|show_tree|find_files")
"""Tools that tell of a file, and not of what is seen or heard in it."""


@dataclass(frozen=True)
class Inspection:
    """How deeply a file was checked, and a description of the call that shows it."""

    depth: Depth
    says: str


def looked_at(submission: Submission, relative: str) -> Finding:
    """Whether the agent saw a picture of a delivered file after its last change to it.

    Any tool counts that returns a picture for a call that names the file, or a file that an earlier call made from it.
    A call that names the file and changes the workspace counts as a change of the file.
    """
    seen, last = False, "it never looked"
    for call, changes in _calls_naming(submission, relative):
        if changes:
            seen, last = False, f"it did not look after call {call['number']} ({call['tool']})"
        if call["media"]:
            seen, last = True, f"it looked with call {call['number']} ({call['tool']})"
    return make_finding(seen, f"{relative}: {last}")


def inspection_of(submission: Submission, relative: str) -> Inspection:
    """Find how deeply the agent checked a delivered file: by its content after the last change, or less.

    Content is the result of a call that changed nothing and asked for more than metadata (the words of a sound, the
    objects in a picture), or a picture or sound that it showed. A call that names the file and changes the workspace
    counts as a change of the file, and its other outputs (frames, a transcript) as views of the file.
    """
    depth: Depth = "none"
    last = "it was never looked at or listened to"
    for call, changes in _calls_naming(submission, relative):
        call_description = f"call {call['number']} ({call['tool']})"
        if changes and depth == "content":
            depth, last = "outdated", f"it was not looked at or listened to after {call_description}"
        if call["media"] or not (changes or _METADATA.fullmatch(call["tool"])):
            depth, last = "content", f"{call_description} shows what is in it"
        elif depth == "none" and not changes:
            depth, last = "metadata", f"{call_description} shows its metadata only"
    return Inspection(depth, f"{relative}: {last}")


def heard_in(submission: Submission, relative: str) -> str:
    """List the transcriptions of a delivered sound or film after its last change, from the ledger."""
    description = ""
    for call, changes in _calls_naming(submission, relative):
        description = "" if changes else description
        if call["tool"] == "transcribe_speech":
            description += f"{call['text']}\n"
    return description


def _calls_naming(submission: Submission, relative: str) -> Iterator[tuple[Mapping[str, Any], bool]]:
    """List the calls without an error that name the file or a view of it, and whether each changes the file."""
    views = {relative}
    for call in submission.calls:
        named = set(_list_paths(call["arguments"]))
        if call["error"] or not any(_is_view(name, views) for name in named):
            continue
        changes = relative in named and call["state_before"] != call["state_after"]
        if changes:
            views = {relative, *(name for name in named if PurePosixPath(name).suffix.lower() in _VIEWS)}
        yield call, changes


def _is_view(name: str, views: set[str]) -> bool:
    """Whether a path is a view or a file in a folder of views; a word without suffix may be anything, so it is not."""
    path = PurePosixPath(name)
    return (name in views and bool(path.suffix)) or any(str(folder) in views for folder in path.parents)


def _list_paths(value: Any) -> Iterator[str]:
    """List all texts in the arguments of a call, as normalized relative paths."""
    if isinstance(value, str) and len(value) < 1000:
        yield str(PurePosixPath(value)).lstrip("/")
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _list_paths(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _list_paths(item)
