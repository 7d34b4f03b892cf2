"""The ledger: the server's own record of an episode, one line per call, whichever agent was used."""

import base64
import errno
import hashlib
import json
import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from yardkit.world import Problem, save_bytes

if TYPE_CHECKING:  # Graders read ledgers, too, and each of their processes would load all of MCP.
    from mcp.types import AudioContent, ContentBlock, ImageContent

MAX_RECORDED_TEXT = 8_000
"""Characters of a result's text that the ledger keeps; the digest covers all of it."""


@dataclass(frozen=True)
class Call:
    """One tool call.

    Attributes:
        number: 1, 2, ... in the order of arrival.
        time: the time of arrival, ISO 8601, wall clock.
        server: the server of the tool; empty for a tool that this episode does not have.
        error: the tool error's text, empty on success.
        crashed: the tool failed through a fault of ours, not through its arguments.
        latency_ms: wall time of the call.
        bytes_in, bytes_out: JSON size of arguments and result.
        result_digest: SHA-256 of the canonical JSON of the whole result.
        text: the result's text, cut at `MAX_RECORDED_TEXT`.
        media: names, in ``media/`` beside the ledger, of the pictures and sounds in the result.
        state_before, state_after: world hashes.
        fault: id of the injected fault, if any.
    """

    number: int
    time: str
    server: str
    tool: str
    arguments: Mapping[str, Any]
    error: str
    crashed: bool
    latency_ms: float
    bytes_in: int
    bytes_out: int
    result_digest: str
    text: str
    media: tuple[str, ...]
    state_before: str
    state_after: str
    fault: str = ""


@dataclass
class Ledger:
    """Calls in memory and, line by line, in ``ledger.jsonl``: written lines survive a killed process."""

    directory: Path
    calls: list[Call] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def open(cls, directory: Path) -> "Ledger":
        """Open the ledger in `directory` with its calls; a half-written last line is removed."""
        ledger = cls(directory)
        lines = parse_lines(read_complete_lines(ledger.path))
        ledger.calls += [Call(**{**line, "media": tuple(line["media"])}) for line in lines]
        return ledger

    @property
    def path(self) -> Path:
        return self.directory / "ledger.jsonl"

    def append(self, call: Call) -> None:
        """Add a call, in memory and on disk.

        Raises:
            OSError: it cannot be written; the ledger is unchanged.
        """
        with self._lock:
            append_lines(self.path, as_line(call))
            self.calls.append(call)

    def keep_media(self, content: "list[ContentBlock]") -> tuple[str, ...]:
        """Store the pictures and sounds of a result under their digests; return their names in order.

        If the disk is full they are left out: they only illustrate, and the result's digest covers them.
        """
        names = []
        for block in content:
            if is_media(block):
                data = base64.b64decode(block.data)
                suffix = block.mime_type.split("/")[-1].split("+")[0]
                name = f"{hashlib.sha256(data).hexdigest()[:24]}.{suffix}"
                path = self.directory / "media" / name
                with suppress(Problem):
                    if not path.exists():
                        save_bytes(path, data)
                    names.append(name)
        return tuple(names)


def append_lines(path: Path, lines: bytes) -> None:
    """Append lines to a file, creating it if needed.

    Raises:
        OSError: they cannot be written; the file is unchanged.
    """
    with path.open("ab", buffering=0) as handle:
        end = handle.tell()
        try:
            if handle.write(lines) != len(lines):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            # A partial line would make the next one unreadable.
            handle.truncate(end)
            raise


def read_complete_lines(path: Path) -> bytes:
    """Read a file of lines, empty if it does not exist; a half-written last line is removed from the file."""
    written = path.read_bytes() if path.exists() else b""
    complete_lines = written[: written.rfind(b"\n") + 1]
    if complete_lines != written:
        save_bytes(path, complete_lines)
    return complete_lines


def as_line(call: Call) -> bytes:
    """Format a call as a line of ``ledger.jsonl``."""
    # UTF-8 cannot encode a lone surrogate; its backslash escape is valid JSON.
    return (json.dumps(vars(call), ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def parse_lines(written: bytes) -> list[Any]:
    """Parse JSON lines. Only line feeds end a line, since texts may contain U+2028 and similar characters."""
    return [json.loads(line) for line in written.split(b"\n") if line]


def is_media(block: "ContentBlock") -> "TypeGuard[ImageContent | AudioContent]":
    """Whether a block of a result is a picture or a sound."""
    return block.type in ("image", "audio")


def text_of(content: "list[ContentBlock]") -> str:
    """The text blocks of a result, joined."""
    return "\n".join(block.text for block in content if block.type == "text")


def picture_of(content: "Iterable[ContentBlock]") -> bytes:
    """The first picture of a result; empty if it has none."""
    return next((base64.b64decode(block.data) for block in content if block.type == "image"), b"")


def data_of(content: "list[ContentBlock]", structured: Mapping[str, Any] | None) -> dict[str, Any]:
    """The data of a result: its structured content, or its text where that is a JSON object (bulk tools)."""
    if structured is not None:
        return dict(structured)
    text = text_of(content)
    if not text.startswith("{"):
        return {}
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def encode_canonical(value: Any) -> bytes:
    """Encode as JSON with sorted keys and without spaces, in UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str).encode(
        "utf-8", "backslashreplace"
    )
