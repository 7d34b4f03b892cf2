"""Which tests a change can touch: by what they import, the servers and tasks that they name, the data beside them."""

import re
import subprocess
import tomllib
from collections.abc import Collection, Iterable
from functools import cached_property
from pathlib import Path

import grimp

from support.sources import Source, read_test

_EVERY_TEST = ("pyproject.toml", "uv.lock", "docker/", "tests/conftest.py")
_DOCUMENTS = "tests/docs"
"""Its tests read all documents, and run all examples."""
_SERVERS, _TASKS = "yardkit.sandbox.serving.registry", "yardkit.sandbox.tasks.task"
"""Who reaches these modules may load servers or tasks by the names that stand in the test."""
_COMMAND_LINE = "yardkit.sandbox.cli"
"""Who reaches it may run the commands whose names stand in the test."""


class Reach:
    """What the tests of one checkout rest on."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.graph = grimp.build_graph("yardkit", cache_dir=None)
        self._imports = {module: self.graph.find_modules_directly_imported_by(module) for module in self.graph.modules}
        self.servers = {path.parent.name for path in (root / "yardkit/servers").glob("*/server.py")}
        self.suites = {path.parts[-2] for path in (root / "yardkit/compat").glob("*/schemas")}
        cards = (root / "yardkit/fixtures").glob("*/*/task.toml")
        self.tasks = {"/".join(path.parts[-3:-1]): tomllib.loads(path.read_text("utf-8")) for path in cards}

    @cached_property
    def tests(self) -> dict[str, tuple[Source, set[str]]]:
        """The files of tests from the root, and what each rests on."""
        paths = sorted((self.root / "tests").rglob("test_*.py"))
        sources = {path: read_test(path, self.root / "tests") for path in paths}
        return {str(path.relative_to(self.root)): (source, self.find_needs(source)) for path, source in sources.items()}

    def find_needs(self, source: Source) -> set[str]:
        """Modules, tasks, and paths from the root; without the servers of a test that walks over all of them."""
        reached = self._find_closure(source.imports)
        if _COMMAND_LINE in reached:
            for command in (f"{_COMMAND_LINE}.commands.{{}}", "yardkit.benchmarks.{}.commands"):
                reached |= self._find_closure(map(command.format, source.words))
        loaded = set[str]()
        if _SERVERS in reached:
            loaded |= self._of_servers(self._servers_named(source))
        if _TASKS in reached:
            for task in self._tasks_named(source):
                loaded |= {task} | self._list_modules_under(
                    f"yardkit.{part}.{task.replace('/', '.')}" for part in ("evaluators", "state_init")
                )
                loaded |= self._of_servers(self.tasks[task]["servers"])
        return (
            reached | loaded | self._find_closure(loaded) | {str(file.relative_to(self.root)) for file in source.files}
        )

    @cached_property
    def of_servers(self) -> dict[str, set[str]]:
        """What each server rests on."""
        return {name: self._find_closure(self._of_servers([name])) for name in self.servers}

    def _servers_named(self, source: Source) -> set[str]:
        if source.folder in self.servers:  # the kit of fixtures calls the server in whose folder the test stands
            return {source.folder}
        if {"server_names()", "all"} & source.words:
            return self.servers
        return self.servers & {word.partition("/")[0] for word in source.words}

    def _tasks_named(self, source: Source) -> list[str]:
        words = {word.partition("@")[0] for word in source.words}
        every = "suites()" in words
        return [task for task in self.tasks if every or {task, task.partition("/")[0]} & words]

    def _of_servers(self, names: Iterable[str]) -> set[str]:
        rooms = ["yardkit.servers", *(f"yardkit.compat.{suite}" for suite in self.suites)]
        return self._list_modules_under(f"{room}.{name}" for name in names for room in rooms)

    def _list_modules_under(self, packages: Iterable[str]) -> set[str]:
        starts = tuple(f"{package}." for package in packages)
        return {module for module in self._imports if f"{module}.".startswith(starts)}

    def _find_closure(self, modules: Iterable[str]) -> set[str]:
        """The modules, what they import, and the packages in which they stand, whose ``__init__`` runs too."""
        reached, waiting = set[str](), list(modules)
        while waiting:
            module = waiting.pop()
            if module in self._imports and module not in reached:
                reached.add(module)
                waiting += [module.rpartition(".")[0], *self._imports[module]]
        return reached

    def of_change(self, path: str) -> set[str]:
        """What a changed file is or belongs to: modules, a task, files or folders of tests."""
        parts = path.split("/")
        if path.startswith("yardkit/fixtures/"):
            return {"/".join(parts[2:4])}
        if path.startswith("yardkit/compat/") and parts[3] == "schemas":
            return {".".join([*parts[:3], parts[4].removesuffix(".json")])}
        if path.endswith(".md") or parts[0] == "examples":
            return {_DOCUMENTS}
        if parts[0] != "yardkit":
            return {path} if path.endswith(".py") else {path.rpartition("/")[0]}
        module = ".".join(parts).removesuffix(".py").removesuffix(".__init__")
        if module in self.graph.modules and self.graph.find_modules_that_directly_import(module):
            return {module}
        # What is loaded by its name, run as a program, or no Python, belongs to all that stands beside it.
        package = ".".join(parts[:-1])
        return {module, package, *(self.graph.find_children(package) if package in self.graph.modules else ())}


def changed_since(root: Path, ref: str) -> list[str]:
    """Files that differ from where `ref` was left, and new ones, by their paths from the root."""
    base = _run_git(root, "merge-base", ref, "HEAD")[0]
    changed = _run_git(root, "diff", "--name-only", "--no-renames", base)
    return changed + _run_git(root, "ls-files", "--others", "--exclude-standard")


def _run_git(root: Path, *arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()


def choose_tests(reach: Reach, changed: Collection[str]) -> dict[str, list[str]]:
    """What need not run, by files of tests from the root: all but the tests of these servers, or all.

    A file that is not named runs whole.
    """
    if any(path.startswith(_EVERY_TEST) for path in changed):
        return {}
    parts = {part for path in changed for part in reach.of_change(path)}
    servers = sorted(name for name, rests_on in reach.of_servers.items() if rests_on & parts)
    chosen = {}
    names = {path.rpartition("/")[2] for path in changed if not path.endswith(".py")}
    for path, (source, reached) in reach.tests.items():
        beside = any(f"{part}/".startswith(f"{path.rpartition('/')[0]}/") for part in parts if not part.endswith(".py"))
        if not (beside or names & source.words or parts & reached):
            chosen[path] = servers if source.walks else []
    return chosen


def is_about(name: str, servers: Collection[str]) -> bool:
    """Whether the id of a test names one of the servers, or has no parameters."""
    return "[" not in name or bool(set(re.split(r"[^a-z]+", name.partition("[")[2])).intersection(servers))
