"""The parts of tools' results that are sent to clients, set by the operator."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Literal, get_args

from yardkit.world import Problem

Results = Literal["text", "structured", "both"]
Pictures = Literal["on", "link", "off"]
RESULTS_VARIABLE, PICTURES_VARIABLE = "YARDKIT_RESULTS", "YARDKIT_PICTURES"


@dataclass(frozen=True)
class ResultSettings:
    """The parts of results to send.

    By default a program gets data and a model gets text. If an agent framework shows the data to the model, instead of
    the text or in addition, ``text`` saves characters (docs/serving.md).

    Attributes:
        results: ``text``, ``structured`` content instead, or ``both``.
        pictures: pictures and sounds ``on``, as a ``link`` to their file, or ``off``.
        beside_pictures: whether structured content is sent together with pictures, too.
    """

    results: Results = "both"
    pictures: Pictures = "on"
    beside_pictures: bool = False


FULL_RESULTS = ResultSettings("both", beside_pictures=True)
"""All there is, for programs of ours."""
_settings: ContextVar[ResultSettings | None] = ContextVar("yardkit_result_settings", default=None)


def result_settings() -> ResultSettings:
    """Return the settings for this request: those set for it, else those of the environment.

    Raises:
        Problem: a variable in the environment has an unknown value.
    """
    usual = ResultSettings()
    return _settings.get() or ResultSettings(
        _read_setting(RESULTS_VARIABLE, get_args(Results), usual.results),
        _read_setting(PICTURES_VARIABLE, get_args(Pictures), usual.pictures),
    )


@contextmanager
def use_result_settings(settings: ResultSettings) -> Iterator[None]:
    """Use `settings` for the results of requests in the block."""
    token = _settings.set(settings)
    try:
        yield
    finally:
        _settings.reset(token)


def _read_setting(variable: str, choices: tuple[Any, ...], usual: str) -> Any:
    value = os.environ.get(variable) or usual
    if value not in choices:
        raise Problem(f"{variable} is {value!r}; set it to one of {', '.join(choices)}")
    return value
