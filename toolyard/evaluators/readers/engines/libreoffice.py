"""LibreOffice as readers use it: a process of its own for each call, with a time limit and without a trace.

What is wrong with the machine (no LibreOffice, or one that cannot even render a line of text) is never the agent's
fault: `EnvironmentInvalid`.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from pathlib import Path

from toolyard.evaluators.checkpoints import EnvironmentInvalid
from toolyard.evaluators.readers.engines.time_limits import get_time_limit, shorten_time_limits
from toolyard.programs.command import run_program
from toolyard.world.fontconfig import write_config
from toolyard.world.printing import drop_comment_marks

LIMIT_S = 60
"""Seconds that one call may take; a task whose checks need LibreOffice has a ``time_limit_s`` well above."""
PROGRAMS = ("soffice", "libreoffice")

shared_converter: ContextVar[Callable[[Mapping[Path, Path], str], str] | None] = ContextVar(
    "toolyard_converter", default=None
)
"""What does the work of `convert_files` where several graders share a LibreOffice."""


def require_libreoffice(folder: Path) -> None:
    """A line of text can be rendered here, so that a failure is the fault of the file.

    Raises:
        EnvironmentInvalid: it cannot.
    """
    sample, target = folder / "sample.txt", folder / "sample.pdf"
    if not target.exists():
        sample.write_text("A line of text.\n", "utf-8")
        reason = convert_files_alone({sample: target}, limit_s=LIMIT_S)
        if reason:
            raise EnvironmentInvalid(f"LibreOffice renders nothing on this machine: {reason}")


def convert_files(pairs: Mapping[Path, Path], kind: str = "pdf") -> str:
    """Save files as `kind` at their targets; why it failed, or nothing.

    Raises:
        EnvironmentInvalid: there is no LibreOffice.
    """
    return (shared_converter.get() or convert_files_alone)(pairs, kind)


def convert_files_alone(pairs: Mapping[Path, Path], kind: str = "pdf", *, limit_s: float | None = None) -> str:
    """What `convert_files` does, in a LibreOffice of its own.

    Without `limit_s` it gets less time after files that took too long.
    """
    limit = get_time_limit(LIMIT_S) if limit_s is None else limit_s
    program = next((found for name in PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        raise EnvironmentInvalid("LibreOffice is missing: no soffice on the path; apt-get install libreoffice")
    with tempfile.TemporaryDirectory(prefix="toolyard-render-") as scratch:
        given, made = Path(scratch) / "given", Path(scratch) / "made"
        given.mkdir()
        sources = {given / f"source{n}{path.suffix.lower()}": path for n, path in enumerate(pairs)}
        for source, path in sources.items():
            shutil.copyfile(path, source)
            drop_comment_marks(source)
        command = [program, f"-env:UserInstallation=file://{scratch}/profile", "--headless", "--norestore"]
        command += ["--nolockcheck", "--convert-to", kind, "--outdir", str(made), *map(str, sources)]
        ended = run_program(command, environment=_environment(Path(scratch)), limit_s=limit)
        results = {made / f"{source.stem}.{kind}": pairs[path] for source, path in sources.items()}
        whole = {result: target for result, target in results.items() if result.is_file() and result.stat().st_size}
        if ended.timed_out:
            shorten_time_limits()
            return f"it took more than {limit:g} s"
        if len(whole) < len(results) and ended.exit_code < 0:
            return f"it crashed: {ended.stderr.strip()[-300:]}"
        for result, target in whole.items():
            draft = target.with_name(f"{target.name}.{os.getpid()}")
            shutil.copyfile(result, draft)
            draft.rename(target)
    return "" if len(whole) == len(results) else ended.stderr.strip()[-300:] or "it gave no pages"


def _environment(home: Path) -> dict[str, str]:
    # The fonts of the servers' LibreOffice, so that a page ends here where the agent saw it end.
    own = {"HOME": str(home), "FONTCONFIG_FILE": str(write_config(home))}
    return {**os.environ, **own, "SAL_USE_VCLPLUGIN": "svp", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
