"""What git is told to do within the walls, and what becomes of what it did."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from yardkit.programs.code_jail import WORKSPACE_SEEN_AT
from yardkit.programs.runner import Completed, RunLimits, SavedAndRemoved, run_keeping
from yardkit.programs.scratch import Scratch
from yardkit.servers.git.engine import inside
from yardkit.servers.git.engine.old_encodings import decode_field, decode_output
from yardkit.servers.git.engine.repository import Repository
from yardkit.world import Problem, Unavailable
from yardkit.world.decoding import trim_cut
from yardkit.world.save import lock_file

NAME, EMAIL = "Yardkit", "yardkit@localhost"
"""Who commits where neither the call nor the repository says it."""
OUTPUT_BYTES = 4_000_000
"""Of what one call of git prints."""
_COPY, _ORIGINAL = "/workspace", WORKSPACE_SEEN_AT
_LIMITS = RunLimits(
    cpu_s=100, wall_s=120.0, processes=64, output_bytes=100_000_000, file_bytes=1_000_000_000, files=200_000
)
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/tmp",  # noqa: S108 - that of the walls
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": str(inside.GLOBAL),
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "GIT_PAGER": "cat",
    "GIT_MERGE_AUTOEDIT": "no",
    "GIT_LITERAL_PATHSPECS": "1",
    "GIT_NO_LAZY_FETCH": "1",
}
_SETTINGS = {
    "safe.directory": "*",
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "core.untrackedCache": "false",
    "core.splitIndex": "false",
    "core.preloadIndex": "false",
    "core.fsync": "none",
    "core.alternateRefsCommand": "",
    "index.threads": "1",
    "index.skipHash": "false",
    "pack.threads": "1",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "commit.gpgSign": "false",
    "tag.gpgSign": "false",
    "log.showSignature": "false",
    "merge.verifySignatures": "false",
    "rerere.enabled": "false",
    "color.ui": "false",
    "core.quotePath": "false",
    "i18n.logOutputEncoding": "UTF-8",
    "i18n.commitEncoding": "UTF-8",
    "advice.detachedHead": "false",
    "diff.noprefix": "false",
    "diff.mnemonicPrefix": "false",
    "diff.relative": "false",
    "diff.renames": "true",
    "diff.submodule": "short",
    "diff.orderFile": "/dev/null",
    "core.whitespace": "-blank-at-eol,-blank-at-eof,-space-before-tab",
    "submodule.recurse": "false",
    "status.relativePaths": "false",
    "merge.autoStash": "false",
}


@dataclass(frozen=True)
class Step:
    """One call of git.

    Attributes:
        name: by which later steps and the caller speak of it.
        words: what follows ``git``; what `refer_to_output` gives stands for what an earlier step printed.
        may_fail: go on with the next step if it fails, or if it fails with one of these exit codes.
        stdin: what it reads.
        says: what it means when it fails with one of these exit codes, for whoever asked.
        blames: an earlier step whose words explain why it fails.
        when: an earlier step, and the exit codes of it after which this step runs.
    """

    name: str
    words: Sequence[str]
    may_fail: bool | tuple[int, ...] = False
    stdin: str = ""
    when: tuple[str, tuple[int, ...]] | None = None
    says: Mapping[int, str] = field(default_factory=dict)
    blames: str = ""

    def fails_with(self, code: int) -> bool:
        """Whether it is the end of all if this step ends with that exit code."""
        return code != 0 and self.may_fail is not True and code not in (self.may_fail or ())


def refer_to_output(step: str, rest: str = "") -> str:
    """A word of a later step: what `step` printed, without space around it, with `rest` behind it."""
    return f"\0{step}\0{rest}"


@dataclass(frozen=True)
class StepResult:
    """What a step said; `raw`: its bytes, of which those that are no UTF-8 are surrogates; `cut`: more was not kept."""

    code: int
    raw: str
    err: str
    cut: bool

    @property
    def data(self) -> bytes:
        """What it printed."""
        return self.raw.encode("utf-8", "surrogateescape")

    @cached_property
    def out(self) -> str:
        """What it printed, as text."""
        return decode_output(trim_cut(self.data) if self.cut else self.data)

    def fields(self) -> list[str]:
        """Names that it printed, parted by null bytes; bytes that are no UTF-8 are shown by their numbers.

        Raises:
            Problem: it is more than was kept.
        """
        return [field.decode("utf-8", "backslashreplace") for field in self._split_fields()]

    def texts(self) -> list[str]:
        """Texts that it printed, parted by null bytes, each in its own encoding.

        Raises:
            Problem: it is more than was kept.
        """
        return [decode_field(field) for field in self._split_fields()]

    def _split_fields(self) -> list[bytes]:
        if self.cut:
            raise Problem(f"git's output exceeds {OUTPUT_BYTES:,} bytes; give paths to narrow it")
        return self.data.split(b"\0")[:-1]


@dataclass(frozen=True)
class Author:
    """Who wrote a commit, where that is not the repository's own user."""

    name: str = ""
    email: str = ""

    def build_environment(self) -> dict[str, str]:
        given = {"GIT_AUTHOR_NAME": self.name, "GIT_AUTHOR_EMAIL": self.email}
        return {name: value for name, value in given.items() if value}


NOBODY = Author()
"""The repository's own user."""


@dataclass
class Session:
    """Calls of git on a repository.

    Attributes:
        author: of the commits that it makes.
        begins: the repository is made by it.
    """

    repository: Repository
    author: Author = NOBODY
    begins: bool = False

    def read(self, *steps: Step) -> dict[str, StepResult]:
        """Let git read; it cannot change anything.

        Raises:
            Problem: a step failed that may not, or took too long.
        """
        top = _ORIGINAL
        plan = self._build_plan(steps, git_dir=top if self.repository.bare else f"{top}/.git", files=top)
        plan["environment"]["GIT_OPTIONAL_LOCKS"] = "0"
        return self._run_plan(plan, steps, lambda *_: ([], []), copied=None)

    def change(self, *steps: Step, files: bool) -> dict[str, StepResult]:
        """Let git change the repository, all or nothing.

        With `files` it may change the files too.

        Raises:
            Problem: a step failed that may not, took too long, or the changes cannot be saved; nothing is changed.
        """
        repository = self.repository
        repository.require_files()
        git_dir = f"{_COPY}/.git" if files else _COPY
        plan = self._build_plan(steps, git_dir=git_dir, files=_COPY if files else _ORIGINAL)
        plan |= {"now": int(repository.world.now.timestamp()), "index": f"{git_dir}/index"}

        def keep(scratch: Scratch, exit_code: int) -> SavedAndRemoved:
            if exit_code:
                return [], []
            if not files:
                scratch.replace()
                return [repository.top / ".git"], []
            with repository.world.change_together():
                return scratch.settle(last=".git")

        with lock_file(repository.top / ".git", repository.world.locks):
            return self._run_plan(plan, steps, keep, copied="." if files else ".git", is_complete=files)

    def _build_plan(self, steps: Sequence[Step], *, git_dir: str, files: str) -> dict[str, Any]:
        places = (
            {"GIT_DIR": git_dir}
            if self.repository.bare or self.begins
            else {"GIT_DIR": git_dir, "GIT_WORK_TREE": files}
        )
        return {
            "git": find_git(),
            "settings": [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")],
            "identity": f"[user]\n\tname = {NAME}\n\temail = {EMAIL}\n",
            "folder": files,
            "environment": {**_ENVIRONMENT, **places, **self.author.build_environment()},
            "kept_bytes": OUTPUT_BYTES,
            "steps": [
                {"name": step.name, "words": list(step.words), "stdin": step.stdin, "when": step.when}
                | {"may_fail": step.may_fail}
                for step in steps
            ],
        }

    def _run_plan(
        self,
        plan: dict[str, Any],
        steps: Sequence[Step],
        keep: Callable[[Scratch, int], SavedAndRemoved],
        *,
        copied: str | None,
        is_complete: bool = False,
    ) -> dict[str, StepResult]:
        code = f"{_read_source()}\n\nmain({plan!a})\n"
        done = run_keeping(
            code, keep, workspace=self.repository.top, copied=copied, full_output=is_complete, limits=_LIMITS
        )
        results_by_step = _parse_results(done)
        for step in steps:
            step_result = results_by_step.get(step.name)
            if step_result and step.fails_with(step_result.code):
                blamed = results_by_step.get(step.blames, step_result)
                raise Problem(step.says.get(step_result.code) or explain_failure(step.blames or step.words[0], blamed))
        return results_by_step


def _parse_results(done: Completed) -> dict[str, StepResult]:
    try:
        raw_results = json.loads(done.stdout)
        return {name: StepResult(**result_data) for name, result_data in raw_results.items()}
    except (ValueError, TypeError, AttributeError):
        reason = done.stderr.strip()[-300:] or "it said nothing"
        raise Problem(f"git did not finish on this repository ({reason}); nothing was changed") from None


def explain_failure(command: str, result: StepResult) -> str:
    """What a step that failed says, without places within the walls."""
    words = (result.err.strip() or result.out.strip() or f"exit code {result.code}")[-2000:]
    for place in (f"{_ORIGINAL}/", f"{_COPY}/", _ORIGINAL, _COPY):
        words = words.replace(place, "" if place.endswith("/") else ".")
    return f"git {command} refuses: {words}"


@cache
def find_git() -> str:
    """The path of git.

    Raises:
        Unavailable: it is not installed where the walls show it.
    """
    git_path = shutil.which("git", path=f"{_ENVIRONMENT['PATH']}")
    if git_path is None:
        raise Unavailable("git is not installed; install it with `apt-get install git`")
    return git_path


@cache
def _read_source() -> str:
    return Path(inside.__file__).read_text("utf-8")
