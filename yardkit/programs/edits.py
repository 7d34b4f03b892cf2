"""System programs that change a workspace: they run on a copy in the sandbox for code, and their changes are saved."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from yardkit.programs.runner import Completed, RunLimits, run_python

_START = "import os\nos.environ.update({environment!r})\nos.execvp({program!r}, {command!r})\n"
_LIMITS = RunLimits()


def edit_with(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], limits: RunLimits = _LIMITS
) -> Completed:
    """Run a system program in a copy of `folder`, and apply its changes to `folder`.

    It sees that folder, the system's programs and this interpreter's packages; there is no network.

    Raises:
        Unavailable: bubblewrap is missing or may not make namespaces.
        Problem: its output exceeds the quota or the disk.
    """
    code = _START.format(environment=dict(environment), program=command[0], command=list(command))
    return run_python(code, workspace=folder, limits=limits)
