"""The file of a graph: its lines as records, and back without changing what no call changed.

The reference memory server of MCP and its relatives write a JSON object per line; some write further fields, lines of
other types, a byte order mark, or other line ends. Lines that stay are written as they were, byte for byte.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yardkit.world import Problem, save_bytes
from yardkit.world.decoding import decode_bytes, decode_file, note_reading
from yardkit.world.limits import check_bytes

PLACE = "memory/memory.json"
MAX_BYTES = 5_000_000
"""Of the file."""
_BOM = b"\xef\xbb\xbf"
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
_FIELDS = {"entity": ("name", "entityType", "observations"), "relation": ("from", "to", "relationType")}
Facts = dict[str, Any]
"""The fields of an entity or a relation under the names of the file."""


@dataclass(frozen=True)
class _Line:
    """A line: its bytes, what they say, and whether some of its characters could not be read."""

    data: bytes
    facts: Facts
    lost: bool = False

    @property
    def key(self) -> tuple[str, ...]:
        return _key_of(self.facts)

    def says(self, facts: Facts) -> bool:
        return all(self.facts.get(name) == value for name, value in facts.items())


@dataclass
class GraphFile:
    """The lines of a file: `records` of entities and relations, `others` that neither are."""

    records: list[_Line] = field(default_factory=list)
    others: list[bytes] = field(default_factory=list)
    mark: bytes = b""
    line_end: bytes = b"\n"
    has_last_end: bool = True

    def save(self, path: Path, records: Iterable[Facts]) -> None:
        """Write records; those that are in the file stay as they are, with further fields if they changed.

        Raises:
            Problem: a line is to be changed of which some characters cannot be read.
        """
        lines_by_key: dict[tuple[str, ...], list[_Line]] = {}
        for line in self.records:
            lines_by_key.setdefault(line.key, []).append(line)
        lines = [*self.others, *(_write_line(facts, lines_by_key.get(_key_of(facts), [])) for facts in records)]
        data = self.line_end.join(lines) + (self.line_end if lines and self.has_last_end else b"")
        save_bytes(path, self.mark + data)


def read_graph_file(path: Path) -> GraphFile:
    """The lines of a file; none if it does not exist.

    Raises:
        Problem: it is too large, or a line is neither a JSON object nor blank.
    """
    if not path.exists():
        return GraphFile()
    check_bytes(path, MAX_BYTES)
    data = path.read_bytes()
    if data.startswith(_WIDE_MARKS):  # a change writes it as UTF-8, which other programs expect
        data = decode_file(data, PLACE).text.encode("utf-8")
    mark = _BOM if data.startswith(_BOM) else b""
    data = data.removeprefix(_BOM)
    line_end = b"\r\n" if b"\r\n" in data.partition(b"\n")[0] + b"\n" else b"\n"
    file = GraphFile(mark=mark, line_end=line_end, has_last_end=not data.strip() or data.endswith(b"\n"))
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            _add_line(file, line.removesuffix(b"\r"), number)
    return file


def _add_line(file: GraphFile, data: bytes, number: int) -> None:
    decoded = decode_bytes(data, "utf-8")
    note_reading(f"line {number} of {PLACE}", decoded)
    try:
        facts = json.loads(decoded.text)
    except (json.JSONDecodeError, RecursionError):
        facts = None
    kind = facts.get("type") if isinstance(facts, dict) else None
    if isinstance(facts, dict) and isinstance(kind, str) and kind not in _FIELDS:
        file.others.append(data)
        return
    if not isinstance(facts, dict) or not _is_record(facts):
        raise Problem(
            f"line {number} of {PLACE} is not a valid entity or relation: {decoded.text[:80]!r}; fix or remove "
            'the line, each one is {"type":"entity","name":...,"entityType":...,"observations":[...]} '
            'or {"type":"relation","from":...,"to":...,"relationType":...}'
        )
    file.records.append(_Line(data, facts, lost=bool(decoded.lost)))


def _is_record(facts: Facts) -> bool:
    names = _FIELDS.get(str(facts.get("type")), ())
    texts = [facts.get(name) for name in names if name != "observations"]
    if "observations" in names:
        seen = facts.setdefault("observations", [])
        texts += seen if isinstance(seen, list) else [None]
    return bool(names) and all(isinstance(text, str) for text in texts)


def _key_of(facts: Facts) -> tuple[str, ...]:
    return (
        ("entity", facts["name"]) if facts["type"] == "entity" else (facts["from"], facts["to"], facts["relationType"])
    )


def _write_line(facts: Facts, lines: list[_Line]) -> bytes:
    """A record as it stands in one of the lines of its key, which then is used up; or changed, or new."""
    same = next((line for line in lines if line.says(facts)), None)
    line = same or next(iter(lines), None)
    if line is not None:
        lines.remove(line)
        if same is not None:
            return line.data
        if line.lost:
            raise Problem(
                f"{facts['name']!r} cannot be changed: characters of its line in {PLACE} cannot be read as UTF-8 and "
                "would be lost; correct the line"
            )
    written = {**(line.facts if line else {}), **facts}
    return json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
