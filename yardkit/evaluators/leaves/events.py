"""Leaves about events: what happens between two times. The guardrail of other events is `kept_records`."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.events import SeenEvent, format_instant, list_happenings, read_events
from yardkit.evaluators.submission import Submission

_EVENT_TEXT_LENGTH = 300
ALL = ("event:*",)


def check_events(
    id: str,
    statement: str,
    span: Callable[[Facts], tuple[str, str]],
    expected: Callable[[Facts], Iterable[Mapping[str, Any]]],
    *,
    user: Callable[[Facts], str],
    where: Callable[[Mapping[str, Any], Facts], bool] = lambda _event, _facts: True,
    covers: tuple[str, ...] = ALL,
    weight: float = 1.0,
) -> Checkpoint:
    """What happens between two times (ISO 8601 with an offset), `where` it holds, is what is wanted, in any order.

    Each date of a series is one event: it is the same whether it comes by a rule or was made by hand. An event is told
    by its fields: `title`, `calendar`, `starts` and `ends` (in UTC, or days), `location`, `description`, `people`
    (addresses in order), `guests` (answers by address), `organizer`, `status`, `busy`. What a wanted one leaves out is
    free.

    Args:
        id: of the leaf.
        statement: what holds, for the report.
        span: since when and until when.
        expected: the events.
        user: whose calendars, by address.
        where: which of what happens is looked at, by its fields and the facts.
        covers: the targets of mutants.
        weight: of the leaf.
    """

    def check(submission: Submission, facts: Facts) -> Finding:
        since, until = (datetime.fromisoformat(text) for text in span(facts))
        seen = list_happenings(read_events(submission, user(facts)), since, until)
        left = [event for event in map(_describe_event, seen) if where(event, facts)]
        missing = []
        for want in expected(facts):
            fitting = next(
                (event for event in left if all(event.get(name) == value for name, value in want.items())), None
            )
            missing += [want] if fitting is None else []
            left = [event for event in left if event is not fitting]
        return make_finding(
            not left and not missing, f"missing: {_format_events(missing)}; odd: {_format_events(left)}"
        )

    return make_checkpoint(id, statement, check, covers=covers, weight=weight)


def _describe_event(event: SeenEvent) -> dict[str, Any]:
    return asdict(event) | {
        "starts": format_instant(event.starts),
        "ends": format_instant(event.ends),
        "guests": dict(event.guests),
        "people": event.people,
    }


def _format_events(events: Iterable[Mapping[str, Any]]) -> str:
    keys = ("title", "starts", "ends", "calendar", "location", "people")
    return (
        "; ".join(str({key: event[key] for key in keys if key in event})[:_EVENT_TEXT_LENGTH] for event in events)
        or "none"
    )
