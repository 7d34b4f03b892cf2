"""System programs that change a workspace: they run on a copy in the sandbox for code, and their changes are saved."""

from collections.abc import Mapping, Sequence

from yardkit.programs.runner import Completed, RunLimits, run_python
from yardkit.world import World

_START = "import os\nos.environ.update({environment!r})\nos.execvp({program!r}, {command!r})\n"
_LIMITS = RunLimits()


def edit_with(
    command: Sequence[str], world: World, environment: Mapping[str, str], limits: RunLimits = _LIMITS
) -> Completed:
    """Run a system program in a copy of the workspace, and apply its changes to the workspace, all or none.

    It sees the workspace, the system's programs and this interpreter's packages; there is no network.

    Raises:
        Unavailable: bubblewrap is missing or may not make namespaces.
        Problem: its output exceeds the quota or the disk.
    """
    code = _START.format(environment=dict(environment), program=command[0], command=list(command))
    return run_python(code, workspace=world.files, together=world.change_together, limits=limits)
