"""The command line in this process, as the one that a user starts."""

from collections.abc import Callable
from subprocess import CompletedProcess

Run = Callable[..., CompletedProcess[str]]
"""Arguments, and settings of the environment by name."""
