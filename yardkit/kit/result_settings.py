"""What the results of tools carry over the wire, as the operator sets it."""

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
    """What results carry.

    By default a program finds data and a model finds text. An operator whose agent framework shows the data to the
    model, in place of the text or beside it, saves characters with ``text`` (docs/serving.md).

    Attributes:
        results: ``text``; ``structured`` content in its place; or ``both``.
        pictures: pictures and sounds ``on``, as a ``link`` to the file that holds them, or ``off``.
        beside_pictures: structured content stands beside pictures, too.
    """

    results: Results = "both"
    pictures: Pictures = "on"
    beside_pictures: bool = False


FULL_RESULTS = ResultSettings("both", beside_pictures=True)
"""All there is, for programs of ours."""
_settings: ContextVar[ResultSettings | None] = ContextVar("yardkit_result_settings", default=None)


def result_settings() -> ResultSettings:
    """What the results of this request carry: as set for it, else as the environment says.

    Raises:
        Problem: the environment says something that there is not.
    """
    usual = ResultSettings()
    return _settings.get() or ResultSettings(
        _read_setting(RESULTS_VARIABLE, get_args(Results), usual.results),
        _read_setting(PICTURES_VARIABLE, get_args(Pictures), usual.pictures),
    )


@contextmanager
def use_result_settings(settings: ResultSettings) -> Iterator[None]:
    """Let the results of the body's requests carry what `settings` say."""
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
