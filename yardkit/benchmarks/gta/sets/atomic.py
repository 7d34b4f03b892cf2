"""The set Atomic of GTA: queries about pictures with gold chains of calls (``dataset.json``, ``toolmeta.json``)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.benchmarks.gta.sets.kinds import unknown_tools
from yardkit.benchmarks.gta.sets.records import Record, list_numbered_records, read_json
from yardkit.world import Problem

Kind = Literal["objective", "subjective", "image generation"]


@dataclass(frozen=True)
class GoldCall:
    """A step that calls a tool.

    Attributes:
        tool, arguments: the call.
        result: the tool's result as text; for a picture or other file, its path.
    """

    tool: str
    arguments: Mapping[str, Any]
    result: str = ""


@dataclass(frozen=True)
class GoldAnswer:
    """A step with a text and no call."""

    text: str


GoldStep = GoldCall | GoldAnswer


@dataclass(frozen=True)
class Objective:
    """The answer must contain one alias of each group in `whitelist`, and none of `blacklist`."""

    whitelist: tuple[tuple[str, ...], ...]
    blacklist: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Subjective:
    """The answer should have the meaning of one of these texts."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Sample:
    """A query with the steps that lead to its answer.

    Attributes:
        id: as in the file.
        tools: names of the tools that it needs and its agent may use.
        files: paths relative to the folder of the set.
        query: the user's request.
        steps: the assistant's steps, in order.
        answer: the expected answer; None if pictures are the answer.
    """

    id: str
    tools: tuple[str, ...]
    files: tuple[str, ...]
    query: str
    steps: tuple[GoldStep, ...]
    answer: Objective | Subjective | None

    @property
    def kind(self) -> Kind:
        if self.answer is None:
            return "image generation"
        return "objective" if isinstance(self.answer, Objective) else "subjective"

    @property
    def calls(self) -> list[GoldCall]:
        """The steps that call a tool."""
        return [step for step in self.steps if isinstance(step, GoldCall)]


@dataclass(frozen=True)
class AtomicSet:
    """The set.

    Attributes:
        samples: the samples by id, in the order of the file.
        broken: the faults of unusable samples, by id.
        tools: the entries of ``toolmeta.json`` by name; empty without that file.
        remarks: unknown fields and tools and missing files, with their places.
        ids: the ids of all samples, in the order of the file.
    """

    samples: Mapping[str, Sample]
    broken: Mapping[str, str]
    tools: Mapping[str, Mapping[str, Any]]
    remarks: tuple[str, ...]
    ids: tuple[str, ...] = ()

    @property
    def defaults(self) -> dict[str, dict[str, Any]]:
        """The optional arguments of each tool with their defaults."""
        return {
            name: {
                str(given["name"]): given.get("default")
                for given in meta.get("inputs") or ()
                if isinstance(given, dict) and given.get("optional") and "name" in given
            }
            for name, meta in self.tools.items()
        }


def read_atomic(folder: Path) -> AtomicSet:
    """Read the set in a folder.

    Raises:
        Problem: ``dataset.json`` is missing or not JSON, or no sample in it can be used.
    """
    samples: dict[str, Sample] = {}
    broken, remarks, ids = {}, [], []
    for key, record in list_numbered_records("dataset.json", read_json(folder / "dataset.json")):
        ids.append(key)
        try:
            samples[key], unknown = _parse_sample(key, record)
        except Problem as problem:
            broken[key] = str(problem)
            continue
        remarks += unknown
        remarks += unknown_tools(record.where, [*samples[key].tools, *(call.tool for call in samples[key].calls)])
        remarks += [
            f"{record.where}: there is no {path!r}" for path in samples[key].files if not (folder / path).is_file()
        ]
    if not samples:
        words = "".join(f"; {words}" for words in broken.values())
        raise Problem(f"dataset.json holds no sample that can be used{words}")
    meta = folder / "toolmeta.json"
    tools = (
        {name: record.value for name, record in list_numbered_records("toolmeta.json", read_json(meta))}
        if meta.exists()
        else {}
    )
    return AtomicSet(samples, broken, tools, tuple(remarks), tuple(ids))


def _parse_sample(key: str, record: Record) -> tuple[Sample, list[str]]:
    tools = record.records("tools")
    files = record.records("files", optional=True)
    turns = record.records("dialogs")
    users = [turn.text("content") for turn in turns if turn.text("role") == "user"]
    if not users:
        raise Problem(f"{record.where}.dialogs has no turn of the user")
    steps = tuple(
        _make_step(turn, following)
        for turn, following in zip(turns, [*turns[1:], None], strict=True)
        if turn.text("role") == "assistant"
    )
    answer = gold_answer(f"{record.where}.gt_answer", record.get_any("gt_answer"))
    sample = Sample(
        key,
        tuple(tool.text("name") for tool in tools),
        tuple(file.text("path") for file in files),
        users[0],
        steps,
        answer,
    )
    return sample, record.unknown()


def _make_step(turn: Record, following: Record | None) -> GoldStep:
    calls = turn.records("tool_calls", optional=True)
    if not calls:
        return GoldAnswer(turn.text("content"))
    # A step has one call; the original reads only the first.
    function = Record.make_record(f"{calls[0].where}.function", calls[0].get_any("function"))
    arguments = function.get_any("arguments")
    called = Record.make_record(f"{function.where}.arguments", arguments).value
    return GoldCall(function.text("name"), called, _read_result(following) if following else "")


def _read_result(turn: Record) -> str:
    """Read a tool's turn: text, or the path of a file, which the original shows as a link."""
    if turn.text("role") != "tool":
        return ""
    content = turn.get_any("content")
    if not isinstance(content, dict):
        return str(content)
    kind, value = content.get("type"), content.get("content")
    return str(value) if kind == "text" else f"[{kind}]({value})"


def gold_answer(where: str, value: object) -> Objective | Subjective | None:
    """Parse the expected answer from a ``gt_answer``; None if a picture is expected.

    Raises:
        Problem: it has another form; the message says `where` it is.
    """
    if not value:
        return None
    if isinstance(value, list):
        return Subjective(tuple(_read_texts(where, value)))
    gold = Record.make_record(where, value)
    white = tuple(tuple(_read_texts(f"{where}.whitelist", group)) for group in gold.items("whitelist"))
    black = tuple(tuple(_read_texts(f"{where}.blacklist", group)) for group in gold.items("blacklist", optional=True))
    return Objective(white, black)


def _read_texts(where: str, value: object) -> Sequence[str]:
    if not isinstance(value, list) or not all(isinstance(item, str | int | float) for item in value):
        raise Problem(f"{where} should hold lists of texts")
    return [str(item) for item in value]
