"""What the results of tools carry over the wire, as the operator sets it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, get_args

from toolyard.world import Problem

Results = Literal["text", "structured", "both"]
Pictures = Literal["on", "link", "off"]
RESULTS_VARIABLE, PICTURES_VARIABLE = "TOOLYARD_RESULTS", "TOOLYARD_PICTURES"


@dataclass(frozen=True)
class ResultSettings:
    """What results carry.

    The default is what every client shows to its model. Of fifteen agent frameworks two show the structured content in
    place of the text, at two to three times the characters, and lose the pictures beside it; two show both; none needs
    it (docs/serving.md).

    Attributes:
        results: ``text``; ``structured`` content in its place; or ``both``.
        pictures: pictures and sounds ``on``, as a ``link`` to the file that holds them, or ``off``.
        beside_pictures: structured content stands beside pictures, too.
    """

    results: Results = "text"
    pictures: Pictures = "on"
    beside_pictures: bool = False


WHOLE = ResultSettings("both", beside_pictures=True)
"""All there is, for programs of ours."""
_settings: ContextVar[ResultSettings | None] = ContextVar("toolyard_result_settings", default=None)


def result_settings() -> ResultSettings:
    """What the results of this request carry: as set for it, else as the environment says.

    Raises:
        Problem: the environment says something that there is not.
    """
    return _settings.get() or ResultSettings(
        _chosen(RESULTS_VARIABLE, get_args(Results)), _chosen(PICTURES_VARIABLE, get_args(Pictures))
    )


@contextmanager
def use_result_settings(settings: ResultSettings) -> Iterator[None]:
    """Let the results of the body's requests carry what `settings` say."""
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)


def _chosen(variable: str, choices: tuple[Any, ...]) -> Any:
    value = os.environ.get(variable) or choices[0]
    if value not in choices:
        raise Problem(f"{variable} is {value!r}; set it to one of {', '.join(choices)}")
    return value
