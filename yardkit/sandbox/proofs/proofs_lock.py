"""``proofs.lock`` at the root of a checkout: a line with digests for each proved instance of a task.

A line names the instance and its seed, then the verdict, the version of Yardkit that proved it, and fields::

    quickstart/sort_inbox 0 proved 0.1.0 world=48798dc0 solve=f87f31a9 checks=... misses=... mutants=... accepted=2
    caught=6 killed=163 survived=40 weight=16 suffixes=.csv,.md calls=files:copy_path*0,move_path*24

See `HEADER` for the meaning of the fields, and `yardkit.sandbox.proofs.proof_parts` for the dependencies of a part.
"""

import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote

import yardkit
from yardkit.sandbox.proofs.proof_parts import PARTS, Part
from yardkit.sandbox.tasks.task import FIXTURES
from yardkit.world import Problem, lock_file, save_text

Instance = tuple[str, int]
"""The id of a task, with its parameters, and a seed."""

HEADER = """\
# What was proved of each task and seed. `make prove` writes it: do not edit. After a merge, run that again.
# world: digest of the solved world; solve, checks, misses, mutants: digests of what these parts of the proof rest on
# accepted: alternatives; caught: near misses; killed: mutants; survived: hostile files and answers; weight: seconds
# calls: of the solver by tool; *0 where only an alternative calls it
"""
_ROOT = Path(yardkit.__file__).parent.parent
_PROVED = "proved"
_COUNTS = ("accepted", "caught", "killed", "survived", "weight")


@dataclass(frozen=True)
class Entry:
    """The proof of one instance.

    Attributes:
        version: the version of Yardkit that proved it.
        world: digest of the solved world, the answer, the calls, and the seed script's facts.
        digests: the digest of each part's dependencies.
        accepted: the number of alternatives that pass.
        caught: the number of near misses that fail the checkpoints that they name.
        killed: the number of automatic mutants that a checkpoint caught.
        survived: the number of hostile files and answers that the grader survived.
        weight: the approximate seconds of the proof, as a power of two.
        suffixes: the suffixes of the files in the solved world.
        tools: calls of the solver by ``server.tool``; 0 if only an alternative calls it.
    """

    version: str
    world: str
    digests: Mapping[Part, str]
    accepted: int
    caught: int
    killed: int
    survived: int
    weight: int
    suffixes: tuple[str, ...]
    tools: Mapping[str, int]

    @property
    def calls(self) -> int:
        """The number of the solver's calls."""
        return sum(self.tools.values())

    @property
    def servers(self) -> list[str]:
        """The servers that the solver calls."""
        return sorted({tool.partition(".")[0] for tool, times in self.tools.items() if times})


def lock_path() -> Path:
    """Return the path of this checkout's lock.

    Raises:
        Problem: this is an installed package, which has none.
    """
    if not (_ROOT / "pyproject.toml").is_file():
        raise Problem(
            "proofs.lock is kept in a checkout of Yardkit, and this is an installed package: no proofs are on file. "
            "`yardkit prove SUITE|TASK` without --stale and --check proves a task here"
        )
    return _ROOT / "proofs.lock"


def read_lock() -> dict[Instance, Entry]:
    """Read all entries; lines that are not about a proof, such as merge markers, are skipped.

    Raises:
        Problem: this is an installed package.
    """
    path = lock_path()
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return dict(filter(None, map(_parse_line, lines)))


def write_entry(task_id: str, seed: int, entry: Entry) -> Path:
    """Replace the entry of an instance in the lock, and remove tasks that no longer exist; return the lock's path."""
    path = lock_path()
    with lock_file(path, Path(tempfile.gettempdir()) / f"yardkit-locks-{os.getuid()}"):
        entries = {**read_lock(), (task_id, seed): entry}
        there = {name: (FIXTURES / name.partition("@")[0]).is_dir() for name, _ in entries}
        lines = [_format_line(*item) for item in sorted(entries.items(), key=lambda item: item[0]) if there[item[0][0]]]
        save_text(path, HEADER + "".join(lines))
    return path


def _format_line(instance: Instance, entry: Entry) -> str:
    fields: dict[str, object] = {
        "world": entry.world,
        **{part: entry.digests[part] for part in PARTS},
        **{name: getattr(entry, name) for name in _COUNTS},
        "suffixes": ",".join(map(_quote_text, entry.suffixes)),
        "calls": ";".join(_calls_by_server(entry.tools)),
    }
    words = [instance[0], str(instance[1]), _PROVED, entry.version]
    return " ".join([*words, *(f"{name}={value}" for name, value in fields.items())]) + "\n"


def _calls_by_server(tools: Mapping[str, int]) -> Iterable[str]:
    servers: dict[str, list[str]] = {}
    for name, times in sorted(tools.items()):
        server, _, tool = name.partition(".")
        servers.setdefault(server, []).append(f"{_quote_text(tool)}*{times}")
    return (f"{server}:{','.join(named)}" for server, named in servers.items())


def _quote_text(text: str) -> str:
    """Quote spaces, commas and similar characters, which file names may contain."""
    return quote(text, safe=":")


def _parse_line(line: str) -> tuple[Instance, Entry] | None:
    """Parse a line; None if it is not the line of a proof."""
    try:
        task_id, seed, verdict, version, *words = line.split(" ")
        fields = dict(word.split("=", 1) for word in words)
        entry = Entry(
            version=version,
            world=fields["world"],
            digests={part: fields[part] for part in PARTS},
            suffixes=tuple(map(unquote, filter(None, fields["suffixes"].split(",")))),
            tools=_parse_calls(fields["calls"]),
            **{name: int(fields[name]) for name in _COUNTS},
        )
        return ((task_id, int(seed)), entry) if verdict == _PROVED else None
    except (ValueError, KeyError):
        return None


def _parse_calls(text: str) -> dict[str, int]:
    tools: dict[str, int] = {}
    for group in filter(None, text.split(";")):
        server, _, named = group.partition(":")
        for word in named.split(","):
            tool, _, times = word.rpartition("*")
            tools[f"{server}.{unquote(tool)}"] = int(times)
    return tools
