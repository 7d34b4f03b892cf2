"""LibreOffice for readers: a separate process for each call, with a time limit and temporary files only.

A fault of the machine (no LibreOffice, or one that cannot even render a line of text) is never the agent's fault:
`EnvironmentInvalid`.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path

from yardkit.evaluators.checkpoints import EnvironmentInvalid
from yardkit.evaluators.readers.engines.time_limits import get_time_limit, shorten_time_limits
from yardkit.programs.command import Ended, run_program
from yardkit.programs.office import find_office, office_environment, office_jail, prepare_office
from yardkit.world import Unavailable
from yardkit.world.printing import drop_comment_marks

LIMIT_S = 60
"""Seconds that one call may take; a task whose checks need LibreOffice has a ``time_limit_s`` well above."""

shared_converter: ContextVar[Callable[[Mapping[Path, Path], str], str] | None] = ContextVar(
    "yardkit_converter", default=None
)
"""What does the work of `convert_files` where several graders share a LibreOffice."""


def require_libreoffice(folder: Path) -> None:
    """Check that a line of text can be rendered here, so that a failure is the fault of the file.

    Raises:
        EnvironmentInvalid: it cannot.
    """
    sample, target = folder / "sample.txt", folder / "sample.pdf"
    if not target.exists():
        sample.write_text("A line of text.\n", "utf-8")
        reason = convert_files_alone({sample: target}, limit_s=LIMIT_S)
        if reason:
            raise EnvironmentInvalid(f"LibreOffice cannot render on this machine: {reason}")


def convert_files(pairs: Mapping[Path, Path], kind: str = "pdf") -> str:
    """Save files as `kind` at their targets; return why it failed, or nothing.

    Raises:
        EnvironmentInvalid: LibreOffice or bubblewrap is missing.
    """
    return (shared_converter.get() or convert_files_alone)(pairs, kind)


def convert_files_alone(pairs: Mapping[Path, Path], kind: str = "pdf", *, limit_s: float | None = None) -> str:
    """Do the same as `convert_files` in a separate LibreOffice.

    Without `limit_s` it gets less time after files that took too long.
    """
    limit = get_time_limit(LIMIT_S) if limit_s is None else limit_s
    with tempfile.TemporaryDirectory(prefix="yardkit-render-") as scratch:
        base = Path(scratch)
        given, output_folder = base / "given", base / "made"
        given.mkdir()
        sources = {given / f"source{n}{path.suffix.lower()}": path for n, path in enumerate(pairs)}
        for source, path in sources.items():
            shutil.copyfile(path, source)
            drop_comment_marks(source)
        ended = _run_conversion(base, kind, output_folder, list(sources), limit)
        results = {output_folder / f"{source.stem}.{kind}": pairs[path] for source, path in sources.items()}
        finished_files = {result: target for result, target in results.items() if _is_finished(result)}
        if ended.timed_out:
            shorten_time_limits()
            return f"it took more than {limit:g} s"
        if len(finished_files) < len(results) and ended.crashed:
            return f"it crashed: {ended.stderr.strip()[-300:]}"
        for result, target in finished_files.items():
            draft = target.with_name(f"{target.name}.{os.getpid()}")
            shutil.copyfile(result, draft)
            draft.rename(target)
    return "" if len(finished_files) == len(results) else ended.stderr.strip()[-300:] or "it produced no pages"


def _is_finished(result: Path) -> bool:
    # A link could lead out of the jail.
    return not result.is_symlink() and result.is_file() and result.stat().st_size > 0


def _run_conversion(base: Path, kind: str, output_folder: Path, sources: Sequence[Path], limit_s: float) -> Ended:
    """Run LibreOffice once in a sandbox, where it sees only its own directory `base` and no network."""
    # The fonts and safe settings of the servers' LibreOffice, so that pages break here where the agent saw them break.
    prepare_office(base)
    try:
        command = [find_office(), f"-env:UserInstallation={(base / 'profile').as_uri()}", "--headless", "--norestore"]
        command += ["--nolockcheck", "--convert-to", kind, "--outdir", str(output_folder), *map(str, sources)]
        walled = office_jail().build_command(command, base)
    except Unavailable as problem:
        raise EnvironmentInvalid(str(problem)) from problem
    return run_program(walled, environment=office_environment(base), limit_s=limit_s)
