"""Shell commands on a copy of the workspace; what they wrote and removed is kept."""

import math
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from yardkit.programs.edits import edit_with
from yardkit.programs.runner import Completed, RunLimits, shorten_output
from yardkit.servers.terminal.frozen_date import write_date_script
from yardkit.world import Problem, World
from yardkit.world.wording import format_count

COMMANDS = (
    *("[", "awk", "b2sum", "base32", "base64", "basename", "bash", "bc", "bunzip2", "bzcat", "bzip2", "cat", "chmod"),
    *("cksum", "cmp", "column", "comm", "cp", "csplit", "cut", "date", "dd", "diff", "diff3", "dirname", "du"),
    *("echo", "egrep"),
    *("env", "expand", "expr", "factor", "false", "fgrep", "file", "find", "fmt", "fold", "grep", "gunzip"),
    *("gzip", "head", "hexdump", "iconv", "install", "join", "jq", "ln", "ls", "md5sum", "mkdir", "mv", "nl", "numfmt"),
    *("od", "paste", "patch", "pr", "printenv", "printf", "pwd", "readlink", "realpath", "rev", "rm", "rmdir", "sed"),
    *("sdiff", "seq", "sh", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "sleep", "sort", "split"),
    *("stat", "strings", "tac"),
    *("tail", "tar", "tee", "test", "timeout", "touch", "tr", "true", "truncate", "tsort", "unexpand", "uniq"),
    *("unlink", "unxz", "unzip", "wc", "which", "xargs", "xxd", "xz", "xzcat", "yes", "zcat", "zgrep", "zip"),
)
"""Programs, among them some that bash has built in, for `xargs` and `find`. None needs the network or chance.

`date` tells the world's time. That is no wall: any program of the machine's own /usr can be called by its path, and
bash itself knows the time.
"""
MAX_COMMAND = 20_000
MAX_OUTPUT = 20_000
"""Characters of output and of errors in a result."""
MAX_NAMED = 50
"""Paths that a result names of those that changed."""
COMMAND_MISSING = 127
"""What a shell ends with for a command that is not there."""
_NOT_FOUND = ": command not found"
_USE_OTHERS = "use list_commands to see the available programs; other tools run Python and git, and fetch web pages"
_FOLDERS = (Path("/usr/bin"), Path("/bin"))
_BIN = "/tmp/commands"  # noqa: S108 - a folder of the run's own
_SETTING_OUT = (
    f'mkdir {_BIN} && for path in "$@"; do ln -s "$path" {_BIN}; done; printf %s "$DATE" > {_BIN}/date; '
    f'chmod +x {_BIN}/date; unset DATE; export PATH={_BIN}; cd "$HERE" && '
)


@dataclass(frozen=True)
class Commands:
    """What can be called.

    Attributes:
        commands: programs, beside what only bash has built in.
        missing: of the usual programs those that this machine lacks.
    """

    commands: list[str]
    missing: list[str]

    def __str__(self) -> str:
        missing_note = f"\nnot on this machine: {', '.join(self.missing)}" if self.missing else ""
        return f"{', '.join(self.commands)}, and what bash has built in{missing_note}"


@dataclass(frozen=True)
class CommandRun:
    """What a command did.

    Attributes:
        exit_code: 0 as a rule when it did what it should; grep gives 1 when nothing matched.
        output: what it printed.
        errors: what it wrote on standard error.
        cut: it printed more than is shown; the middle is left out.
        saved, removed: paths of the workspace that it made or changed, and that it removed, at most 50 each.
        changed_in_all: how many paths it made, changed and removed.
        notes: what was not kept, and what is not shown as it is.
    """

    exit_code: int
    output: str
    errors: str
    cut: bool
    saved: list[str]
    removed: list[str]
    changed_in_all: int
    notes: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [self.output.rstrip("\n")] if self.output else []
        if self.errors.strip():
            lines.append(f"on standard error: {self.errors.strip()}")
        if self.exit_code or not lines:
            lines.append(f"exit code {self.exit_code}")
        if self.cut:
            lines.append(f"(of output and of errors at most {MAX_OUTPUT:,} characters are shown)")
        for word, paths in (("saved", self.saved), ("removed", self.removed)):
            lines += [f"{word}: {', '.join(paths)}"] if paths else []
        more = self.changed_in_all - len(self.saved) - len(self.removed)
        lines += [f"and {more} more"] if more else []
        return "\n".join([*lines, *(f"Note: {note}" for note in self.notes)])


def list_commands() -> Commands:
    """The programs that a command may call, as far as this machine has them."""
    there = [name for name in COMMANDS if _find_program(name)]
    return Commands(there, [name for name in COMMANDS if name not in there])


def run_command(world: World, command: str, folder: Path, seconds: float) -> CommandRun:
    """Run a command line of bash in a folder of the workspace.

    Raises:
        Problem: it is empty, is ended by a limit, or calls what is not there.
    """
    if not command.strip():
        raise Problem("the command is empty; give a line such as 'ls -l' or 'sort names.txt | uniq -c'")
    limits = RunLimits(cpu_s=math.ceil(seconds), wall_s=seconds, files=5_000, file_bytes=500_000_000)
    places = [place for name in list_commands().commands if name != "date" and (place := _find_program(name))]
    script = _SETTING_OUT + 'exec /bin/bash --noprofile --norc -c "$LINE"'
    shell = ["/bin/bash", "--noprofile", "--norc", "-c", script, "bash", *places]
    environment = {
        "LC_ALL": "C.UTF-8",
        "HERE": f"./{world.to_relative(folder)}",
        "LINE": command,
        "DATE": write_date_script(world.now),
    }
    done = edit_with(shell, world, environment, limits)
    if done.timed_out:
        reason = f"the command was stopped: {done.stderr.strip()[-500:]}; use a smaller task or a larger time_limit_s"
        raise Problem(reason + _describe_progress(world, done))
    if done.exit_code == COMMAND_MISSING:
        reason = f"{shorten_output(done.stderr.strip(), 1_000)}; {_USE_OTHERS}"
        raise Problem(reason + _describe_progress(world, done))
    return _describe_run(world, done)


def _describe_progress(world: World, done: Completed) -> str:
    """What a line had printed and changed before it failed."""
    lines = [f"It had printed: {shorten_output(done.stdout.strip(), 4_000)}"] if done.stdout.strip() else []
    changed = [world.to_relative(path) for path in [*done.files, *done.removed]]
    if changed:
        lines.append(f"{format_count(len(changed), 'path')} changed before, such as {', '.join(changed[:5])}")
    return "".join(f"\n{line}" for line in lines)


def _describe_run(world: World, done: Completed) -> CommandRun:
    saved, removed = ([world.to_relative(path) for path in paths] for paths in (done.files, done.removed))
    return CommandRun(
        done.exit_code,
        shorten_output(done.stdout, MAX_OUTPUT),
        shorten_output(done.stderr, MAX_OUTPUT),
        done.cut or max(len(done.stdout), len(done.stderr)) > MAX_OUTPUT,
        saved[:MAX_NAMED],
        removed[:MAX_NAMED],
        len(saved) + len(removed),
        _list_notes(world, done),
    )


def _list_notes(world: World, done: Completed) -> list[str]:
    """What the command's own output does not tell, or tells otherwise than it is."""
    links = ", ".join(sorted(path.relative_to(world.files).as_posix() for path in done.unkept)[:MAX_NAMED])
    notes = [f"links that are absolute or lead out of the workspace are not kept: {links}"] if links else []
    if "\ufffd" in done.stdout + done.stderr:
        notes.append("\ufffd stands for bytes that are not UTF-8; convert the text with iconv, or show it with xxd")
    if done.exit_code != COMMAND_MISSING and _NOT_FOUND in done.stderr:
        notes.append(_USE_OTHERS)
    return notes


def _find_program(name: str) -> str | None:
    return shutil.which(name, path=":".join(map(str, _FOLDERS)))
