"""The command line: ``yardkit`` and ``python -m yardkit``."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every foreseen failure is one line on stderr.

    Without `argv` this is the whole process, whose temporary files have a folder of their own.
    """
    from yardkit.sandbox.cli import run_command

    if argv is not None:
        return run_command(list(argv))
    from yardkit.programs.temporary import own_temporary_folder

    own_temporary_folder()
    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
