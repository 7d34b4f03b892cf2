"""Leaves about events: what happens between two times, and the guardrail that all other events are as they were."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, fields
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any

from toolyard.evaluators.checkpoints import Checkpoint, Facts, Finding, finding, leaf
from toolyard.evaluators.readers.events import SeenEvent, happenings, instant, read_events
from toolyard.evaluators.submission import Submission

_SHOWN = 300
_FREE = ("user", "calendar", "uid", "occurrence")
"""Fields that name an event and say nothing of it."""
ALL = ("event:*",)


def events(
    id: str,
    says: str,
    span: Callable[[Facts], tuple[str, str]],
    wanted: Callable[[Facts], Iterable[Mapping[str, Any]]],
    *,
    user: Callable[[Facts], str],
    where: Callable[[Mapping[str, Any], Facts], bool] = lambda _event, _facts: True,
    observes: tuple[str, ...] = ALL,
    weight: float = 1.0,
) -> Checkpoint:
    """What happens between two times (ISO 8601 with an offset), `where` it holds, is what is wanted, in any order.

    Each date of a series is one event: it is the same whether it comes by a rule or was made by hand. An event is told
    by its fields: `title`, `calendar`, `starts` and `ends` (in UTC, or days), `location`, `description`, `people`
    (addresses in order), `guests` (answers by address), `organizer`, `status`, `busy`. What a wanted one leaves out is
    free.

    Args:
        id: of the leaf.
        says: what holds, for the report.
        span: since when and until when.
        wanted: the events.
        user: whose calendars, by address.
        where: which of what happens is looked at, by its fields and the facts.
        observes: the targets of mutants.
        weight: of the leaf.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        since, until = (datetime.fromisoformat(text) for text in span(facts))
        seen = happenings(read_events(submission, user(facts)), since, until)
        left = [told for told in map(_told, seen) if where(told, facts)]
        missing = []
        for want in wanted(facts):
            fitting = next((one for one in left if all(one.get(name) == value for name, value in want.items())), None)
            missing += [want] if fitting is None else []
            left = [one for one in left if one is not fitting]
        return finding(not left and not missing, f"missing: {_listed(missing)}; odd: {_listed(left)}")

    return leaf(id, says, check, observes=observes, weight=weight)


def kept_events(
    *allowed: str,
    also: Callable[[Facts], tuple[str, ...]] = lambda _facts: (),
    free: Callable[[SeenEvent, Facts], bool] = lambda _event, _facts: False,
    says: str = "All other events are as they were",
    id: str = "events_kept",
    weight: float = 1.0,
) -> Checkpoint:
    """No event or series differs in meaning but those that a pattern allows: ``user/calendar/uid``.

    Exceptions of a series go by ``user/calendar/uid@`` and their start in UTC. `also` gives patterns from the facts;
    `free` events, which may be new ones, are looked at by other leaves.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        before, after = (_by_key(one, facts, free) for one in (submission.untouched, submission))
        changed = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
        patterns = (*allowed, *also(facts))
        odd = [name for name in changed if not any(fnmatchcase(name, pattern) for pattern in patterns)]
        return finding(not odd, f"also changed: {'; '.join(odd[:12])}" if odd else "no other event changed")

    return leaf(id, says, check, observes=("bystander:calendar/*",), kind="guardrail", weight=weight)


def _by_key(
    submission: Submission, facts: Facts, free: Callable[[SeenEvent, Facts], bool]
) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for event in (event for event in read_events(submission) if not free(event, facts)):
        found.setdefault(event.key, []).append(
            {field.name: _plain(getattr(event, field.name)) for field in fields(event) if field.name not in _FREE}
        )
    return found


def _told(event: SeenEvent) -> dict[str, Any]:
    return asdict(event) | {
        "starts": instant(event.starts),
        "ends": instant(event.ends),
        "guests": dict(event.guests),
        "people": event.people,
    }


def _plain(value: Any) -> Any:
    """Times by their moment, whatever zone they are told in; of several the order is free."""
    if isinstance(value, tuple) and value and not isinstance(value[0], tuple):
        return sorted(map(_plain, value))
    return instant(value) if hasattr(value, "isoformat") else value


def _listed(told: Iterable[Mapping[str, Any]]) -> str:
    keys = ("title", "starts", "ends", "calendar", "location", "people")
    return "; ".join(str({key: one[key] for key in keys if key in one})[:_SHOWN] for one in told) or "none"
