"""System programs that change a workspace: they run on a copy of it in the walls for code; what they did is saved."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from yardkit.programs.runner import Completed, RunLimits, run_python

_START = "import os\nos.environ.update({environment!r})\nos.execvp({program!r}, {command!r})\n"
_LIMITS = RunLimits()


def edit_with(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], limits: RunLimits = _LIMITS
) -> Completed:
    """Run a program of the system in a copy of `folder`, and make `folder` what the copy became.

    It sees that folder, the system's programs and this interpreter's packages; there is no network.

    Raises:
        Unavailable: no bubblewrap, or no right to make namespaces.
        Problem: what it wrote has no room.
    """
    code = _START.format(environment=dict(environment), program=command[0], command=list(command))
    return run_python(code, workspace=folder, limits=limits)
