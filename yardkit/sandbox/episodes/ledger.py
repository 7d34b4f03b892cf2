"""The ledger: the server's own record of an episode, one line per call, whichever agent was used."""

import base64
import errno
import hashlib
import json
import os
import re
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copytree
from typing import TYPE_CHECKING, Any, TypeGuard

from yardkit.world import Problem, save_bytes
from yardkit.world.tree import link_file

if TYPE_CHECKING:  # Graders read ledgers, too, and each of their processes would load all of MCP.
    from mcp.types import AudioContent, ContentBlock, ImageContent

MAX_RECORDED_TEXT = 8_000
"""Characters of a result's text, or of an error, that the ledger keeps; the digest covers all of it."""
MAX_LEDGER_BYTES = 200_000_000
MAX_MEDIA_BYTES = 1_000_000_000
"""What the ledger of an episode, and the pictures and sounds of its results, may take before it takes no more calls."""
_PART = re.compile(r"ledger-(\d{4})-(\d+)\.jsonl")


@dataclass(frozen=True)
class Call:
    """One tool call.

    Attributes:
        number: 1, 2, ... in the order of arrival.
        time: when it arrived, ISO 8601, wall clock.
        server: whose tool it is; empty for a tool that this episode does not have.
        arguments: as they came, or shortened (`yardkit.sandbox.episodes.recorded_arguments`).
        error: the tool error's text, cut at `MAX_RECORDED_TEXT`; empty on success.
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
    """Calls in memory and, line by line, in ``ledger.jsonl``: what was written outlives a killed process.

    What a fork takes over is shared as links: parts called ``ledger-PART-CALLS.jsonl``, which are no more written to
    and of which the first so many calls count.
    """

    directory: Path
    calls: list[Call] = field(default_factory=list)
    max_bytes: int = MAX_LEDGER_BYTES
    max_media_bytes: int = MAX_MEDIA_BYTES
    _own: int = 0
    _bytes: int = 0
    _media_bytes: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    @classmethod
    def open(cls, directory: Path) -> "Ledger":
        """Open the ledger in `directory` with its calls; a half-written last line is removed."""
        ledger = cls(directory)
        for path, count in ledger._list_parts():
            ledger._read_calls(path.read_bytes(), count)
        inherited = len(ledger.calls)
        ledger._read_calls(read_complete_lines(ledger.path))
        ledger._own = len(ledger.calls) - inherited
        media = directory / "media"
        ledger._media_bytes = sum(path.stat().st_size for path in media.iterdir()) if media.is_dir() else 0
        return ledger

    @property
    def path(self) -> Path:
        """The file that calls are added to; it holds all of them where there is no fork, or after `join_parts`."""
        return self.directory / "ledger.jsonl"

    def append(self, call: Call) -> None:
        """Add a call, in memory and on disk.

        Raises:
            OSError: it cannot be written; the ledger is unchanged.
        """
        with self._lock:
            line = as_line(call)
            append_lines(self.path, line)
            self.calls.append(call)
            self._own += 1
            self._bytes += len(line)

    def find_excess(self) -> str:
        """What of the record is full, so that no call can be recorded; empty if nothing is."""
        if self._bytes >= self.max_bytes:
            return f"the record of its calls has reached {self.max_bytes:,} bytes"
        if self._media_bytes >= self.max_media_bytes:
            return f"the pictures and sounds of its results have reached {self.max_media_bytes:,} bytes"
        return ""

    def share_calls(self, count: int, directory: Path) -> "Ledger":
        """The ledger of a fork in `directory` that goes on after the first `count` calls."""
        with self._lock:
            self._close_part()
            left = count
            for number, (path, part_calls) in enumerate(self._list_parts(), 1):
                if left:
                    link_file(path, directory / _name_part(number, min(part_calls, left)))
                    left -= min(part_calls, left)
        if (self.directory / "media").is_dir():
            copytree(self.directory / "media", directory / "media", copy_function=_link_entry)
        return Ledger.open(directory)

    def join_parts(self) -> Path:
        """The path of the ledger, which holds all calls from now on."""
        with self._lock:
            if parts := self._list_parts():
                save_bytes(self.path, b"".join(map(as_line, self.calls)))
                self._own = len(self.calls)
                for path, _ in parts:
                    path.unlink()
        return self.path

    def _close_part(self) -> None:
        """Make a part of the calls since the last one; what may be linked to is not written to."""
        if self._own:
            self.path.rename(self.directory / _name_part(len(self._list_parts()) + 1, self._own))
            self._own = 0

    def _list_parts(self) -> list[tuple[Path, int]]:
        """The parts in their order, with how many of their calls count."""
        names = sorted(path.name for path in self.directory.glob("ledger-*.jsonl"))
        matches = [(name, match) for name in names if (match := _PART.fullmatch(name))]
        return [(self.directory / name, int(match[2])) for name, match in matches]

    def _read_calls(self, written: bytes, count: int | None = None) -> None:
        for line in parse_lines(written)[:count]:
            # A process that died while it joined parts left the calls of both.
            if line["number"] > len(self.calls):
                self.calls.append(Call(**{**line, "media": tuple(line["media"])}))
        self._bytes += len(written)

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
                        self._media_bytes += len(data)
                    names.append(name)
        return tuple(names)


def _name_part(number: int, count: int) -> str:
    return f"ledger-{number:04}-{count}.jsonl"


def _link_entry(source: str, target: str) -> None:
    link_file(Path(source), Path(target))


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
