"""What differs between calendars as they were and as they are, event by event.

- ``calendar:<user>/<calendar>/<uid>``: added or removed; ``calendar:<user>/<calendar>/<uid>.starts``: a field of it
  (those of `yardkit.evaluators.readers.events.SeenEvent`); an exception of a series goes by ``<uid>@<its start in
  UTC>``. Each also by its title, ``calendar:<user>/<calendar>#<title>`` (a new one has a UID that nobody knows), and
  by its areas ``calendar:<user>/<calendar>``, ``calendar:<user>`` and ``calendar``.

How often a file was written, and in which zone a moment is told, is no difference.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.events import SeenEvent, format_instant, read_file
from yardkit.evaluators.side_effects.inventory import Difference

_NAMES = ("user", "calendar", "uid", "occurrence")
"""Fields that name an event and say nothing of it."""


def event_differences(before: Path, after: Path, relative: str) -> Iterator[Difference]:
    """How the events of a file, named by its path relative to both, differ; it may lack in one.

    Raises:
        InvalidArtifact: it cannot be read.
    """
    old, new = (_by_key(apps, relative) for apps in (before, after))
    for key in dict.fromkeys([*old, *new]):
        was, now = old.get(key), new.get(key)
        event = was or now
        assert event is not None  # noqa: S101 - one of them named it
        place = f"calendar:{event.user}/{event.calendar}"
        areas = (f"{place}#{event.title}", place, f"calendar:{event.user}", "calendar")
        name = f"calendar:{key}"
        if was is None or now is None:
            yield Difference((name, *areas), "added" if was is None else "removed")
        else:
            yield from _of_event(name, areas, was, now)


def _of_event(name: str, areas: tuple[str, ...], was: SeenEvent, now: SeenEvent) -> Iterator[Difference]:
    for field in fields(was):
        before, after = (normalize_value(getattr(event, field.name)) for event in (was, now))
        if field.name not in _NAMES and before != after:
            yield Difference((f"{name}.{field.name}", name, *areas), "changed", str(before), str(after))


def _by_key(apps: Path, relative: str) -> dict[str, SeenEvent]:
    there = (apps / relative).exists() or (apps / relative).is_symlink()
    return {event.key: event for event in read_file(apps, relative)} if there else {}


def normalize_value(value: Any) -> Any:
    """Times by their moment, whatever zone they are told in; of several the order is free."""
    if isinstance(value, tuple) and value and not isinstance(value[0], tuple):
        return sorted(map(normalize_value, value))
    return format_instant(value) if hasattr(value, "isoformat") else value
