"""Options shared by the commands that serve tools."""

import argparse
import os
from typing import get_args

from yardkit.kit.result_settings import (
    PICTURES_VARIABLE,
    RESULTS_VARIABLE,
    Pictures,
    Results,
    ResultSettings,
    result_settings,
)

_VARIABLES = {"results": RESULTS_VARIABLE, "pictures": PICTURES_VARIABLE}


def add_results(parser: argparse.ArgumentParser) -> None:
    """Add ``--results text|structured|both`` and ``--pictures on|link|off``."""
    usual = ResultSettings()
    parser.add_argument(
        "--results",
        choices=get_args(Results),
        help=f"what results carry: text, structured content in its place, or both ({usual.results}; "
        f"or the environment variable {RESULTS_VARIABLE})",
    )
    parser.add_argument(
        "--pictures",
        choices=get_args(Pictures),
        help=f"pictures and sounds in results: as content, as links to their files, or not at all ({usual.pictures}; "
        f"or the environment variable {PICTURES_VARIABLE})",
    )


def use_results(arguments: argparse.Namespace) -> None:
    """Set the form of results for this process and all processes that it starts.

    Raises:
        Problem: a variable in the environment has an unknown value.
    """
    for option, variable in _VARIABLES.items():
        if getattr(arguments, option) is not None:
            os.environ[variable] = getattr(arguments, option)
    result_settings()


def tool_names(text: str) -> list[str]:
    """Parse the value of ``--tools``: names separated by commas."""
    return [name.strip() for name in text.split(",") if name.strip()]
