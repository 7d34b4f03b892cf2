"""The dependencies of each part of a proof. A part is stale if any of them has changed since the proof.

- `solve`: the task's prompt and files, its seed script, the solver, and the tools that the solver calls, with the
  versions of the libraries that these import. If any of them changed, the solver runs again; while its solved world is
    the same, everything that was shown with copies of it remains valid.
- `checks`, `misses` and `mutants`: the solved world, and the code that judges and spoils it.

See `yardkit.sandbox.proofs.sources` for the dependencies of code. Programs such as LibreOffice are no dependency: what
they draw in the solved world is part of it, and what they show to a reader is proved again by ``yardkit prove`` without
a lock.
"""

import hashlib
import json
from collections.abc import Collection, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import yardkit
from yardkit.sandbox.proofs.sources import Node, digest_of, is_module, rests_on, source_of
from yardkit.sandbox.tasks.task import Task

Part = Literal["solve", "checks", "misses", "mutants"]
PARTS: tuple[Part, ...] = ("solve", "checks", "misses", "mutants")
_PROVING = "yardkit.sandbox.proofs.proving"
_SHOWING_CHECKS = (
    "_show_untouched_fails",
    "_show_hostile_files_are_survived",
    "_show_blanks_earn_nothing",
    "_show_other_programs_pass",
)
_HOSTILE = ("yardkit.sandbox.proofs.hostile", "yardkit.sandbox.proofs.hostile_formats")
_JUDGES = (_PROVING, *_HOSTILE, "yardkit.sandbox.episodes.grading")
_WRITTEN = "written:"
"""How the targets of ways begin in which other programs write deliverables."""
_RECORDS = "yardkit.evaluators.mutations.records"
"""Mutations of the apps' records, mails and events, which many worlds do not have."""
_OF_APPS = (".sqlite", ".ics", ".yardkit:2")
"""How the suffixes of such files begin."""
_CARRIERS = frozenset({"anyio", "fastmcp", "mcp", "pydantic", "pydantic_core"})
"""Packages that only carry calls and check arguments: contract tests hold what they do, whichever task is solved."""
_DIGITS = 8


def digest_parts(task: Task, tools: Collection[str], suffixes: Collection[str]) -> dict[Part, str]:
    """Compute the digest of each part's dependencies for a task's proof.

    Args:
        task: the task, with its parameters.
        tools: ``server.tool`` of each tool that the solver and its alternatives called.
        suffixes: the suffixes of the files in the solved world.
    """
    return {
        part: _compute_digest(digest_sources(task, part, tuple(sorted(tools)), tuple(sorted(suffixes))))
        for part in PARTS
    }


def digest_sources(task: Task, part: Part, tools: tuple[str, ...], suffixes: tuple[str, ...]) -> dict[str, str]:
    """Compute the digests of a part's dependencies, by module, file and package."""
    own = f"yardkit.evaluators.{task.suite}.{task.name}"
    if part == "solve":
        roots = [
            *_list_solver_functions(f"{own}.proof"),
            (f"yardkit.state_init.{task.suite}.{task.name}", "seed"),
            *_list_tool_functions(tools, task.dialect),
        ]
        roots += [("yardkit.sandbox.episodes.episode", "open_new"), ("yardkit.sandbox.episodes.replies", "ToolAgent")]
        schemas = _digest_schemas(tools, task.dialect)
        carried = rests_on(roots, packages=lambda package: package not in _CARRIERS)
        return {**_read_task_statement(task), **schemas, **carried}
    if part == "checks":
        roots = [(f"{own}.checks", "CHECKS"), ("yardkit.evaluators.scoring", "run_checkpoints")]
        roots += [(_PROVING, name) for name in _SHOWING_CHECKS]
    elif part == "misses":
        roots = [*_list_functions(f"{own}.proof", "near_miss_"), (_PROVING, "_show_misses_are_killed")]
    else:
        roots = [("yardkit.evaluators.mutations", "generate_mutants"), (_PROVING, "_show_mutants_are_killed")]
    named = {target: why for target, why in task.free.items() if part == "mutants" or target.startswith(_WRITTEN)}
    free = {"[free] in task.toml": _compute_digest(named)} if part in ("checks", "mutants") and named else {}
    apps = any(suffix.startswith(_OF_APPS) for suffix in suffixes)

    def counts(module: str) -> bool:
        return _is_judging(module) and (apps or module != _RECORDS)

    # A new version of a library already runs `solve` again, which shows whether it changes the solved world.
    return {**free, **rests_on(roots, suffixes, counts, packages=lambda _: False)}


def _read_task_statement(task: Task) -> dict[str, str]:
    """Read the parts of the task's folder that matter to the solver; a proof ignores its title and descriptions."""
    paths = [path for path in (task.folder / "prompt.md", task.folder / "files") if path.exists()]
    settings = [task.servers, task.now, task.time_limit_s, [asdict(parameter) for parameter in task.parameters]]
    settings += [task.dialect, task.tools] if task.dialect or task.tools else []
    folder = f"fixtures/{task.suite}/{task.name}"
    return {f"{folder}/task.toml": _compute_digest(settings)} | {
        f"{folder}/{path.name}": digest_of(path) for path in paths
    }


def _digest_schemas(tools: tuple[str, ...], dialect: str) -> dict[str, str]:
    """Compute the digests of the tool lists of a dialect."""
    folder = Path(yardkit.__file__).parent / "compat" / dialect / "schemas"
    paths = [folder / f"{server}.json" for server in sorted({tool.split(".")[0] for tool in tools})]
    return {f"compat/{dialect}/{path.name}": digest_of(path) for path in paths if dialect and path.exists()}


def _is_judging(module: str) -> bool:
    """Whether a module judges; modules that make, copy and keep worlds do not."""
    room = module.split(".")[1] if "." in module else ""
    return module in _JUDGES or (room != "sandbox" and module != "yardkit.world.world")


def _list_solver_functions(proof: str) -> Iterator[Node]:
    yield proof, "solve"
    yield from _list_functions(proof, "alternative_")


def _list_functions(module: str, prefix: str) -> Iterator[Node]:
    """List the names in a module that begin with `prefix`."""
    source = source_of(module)
    names = {name for statement in source.statements for name in statement.binds} | source.imports.keys()
    yield from ((module, name) for name in sorted(names) if name.startswith(prefix))


def _list_tool_functions(tools: tuple[str, ...], dialect: str) -> Iterator[Node]:
    """List the functions of tools and the code that servers run around every call; for a dialect, the module."""
    if dialect:
        servers = sorted({tool.split(".")[0] for tool in tools})
        modules = [module for server in servers for module in _list_handler_modules(dialect, server)]
        yield from ((module, "") for module in modules if is_module(module))
        yield "yardkit.compat.dispatcher", "load_dialect"
        return
    known = [tool.split(".") for tool in tools if is_module(f"yardkit.servers.{tool.split('.')[0]}.server")]
    for server, name in known:
        yield f"yardkit.servers.{server}.server", "mcp"
        yield _find_tool_module(server, name), name


def _list_handler_modules(suite: str, server: str) -> Iterator[str]:
    """List the modules that the dispatcher finds by their names."""
    yield f"yardkit.compat.{suite}.{server}"
    folder = Path(yardkit.__file__).parent / "compat" / suite / server
    yield from (f"yardkit.compat.{suite}.{server}.{path.stem}" for path in sorted(folder.glob("[!_]*.py")))


def _find_tool_module(server: str, tool: str) -> str:
    """Find the module of a server that defines a tool."""
    folder = Path(yardkit.__file__).parent / "servers" / server
    for path in sorted(folder.glob("**/*.py")):
        parts = path.relative_to(folder).with_suffix("").parts
        module = ".".join(["yardkit.servers", server, *(part for part in parts if part != "__init__")])
        if f"def {tool}(" in path.read_text("utf-8"):
            source = source_of(module)
            if any(tool in statement.binds and ("tool",) in statement.names for statement in source.statements):
                return module
    return f"yardkit.servers.{server}.server"


def _compute_digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:_DIGITS]
