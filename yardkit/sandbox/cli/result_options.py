"""What the commands that serve tools share."""

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
    """``--results text|structured|both`` and ``--pictures on|link|off``."""
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
    """Let this process, and all that it starts, give results as the options say.

    Raises:
        Problem: the environment says something that there is not.
    """
    for option, variable in _VARIABLES.items():
        if getattr(arguments, option) is not None:
            os.environ[variable] = getattr(arguments, option)
    result_settings()


def tool_names(text: str) -> list[str]:
    """The value of ``--tools``: names with commas between them."""
    return [name.strip() for name in text.split(",") if name.strip()]
