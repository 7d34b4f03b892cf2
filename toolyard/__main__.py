"""The command line: ``toolyard`` and ``python -m toolyard``."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; every foreseen failure is one line on stderr."""
    from toolyard.sandbox.cli import run_command

    return run_command(sys.argv[1:] if argv is None else list(argv))


if __name__ == "__main__":
    sys.exit(main())
