"""Leaves about events between two times. The guardrail for other events is `check_unchanged_records`."""

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
    """The events between two times (ISO 8601 with an offset) that match `where` are the expected ones, in any order.

    Each date of a series is one event, whether it comes from a rule or was made by hand. An event is described by its
    fields: `title`, `calendar`, `starts` and `ends` (in UTC, or days), `location`, `description`, `people` (addresses
        in
    order), `guests` (answers by address), `organizer`, `status`, `busy`. Fields that an expected event leaves out are
    free.

    Args:
        id: the id of the leaf.
        statement: the sentence for the report.
        span: the start and end.
        expected: the expected events.
        user: the address of the calendars' owner.
        where: selects the events to check, by their fields and the facts.
        covers: the targets of mutants that the leaf covers.
        weight: the weight of the leaf.
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
