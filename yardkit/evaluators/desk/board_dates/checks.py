"""Four meetings that suit seven directors and the secretary, each with its notice, the approved agenda and guests."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Mails
from yardkit.evaluators.letters import find_clock_times, find_days
from yardkit.evaluators.meetings import Span, find_clashes
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.events import SeenEvent, happenings, read_events
from yardkit.evaluators.submission import Submission

HOURS = time(8), time(19)
YEAR = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
EVENTS = ("event:*",)
MAILS = Mails(lambda facts: [{"to": facts["directors"], "files": [one["agenda"]]} for one in facts["quarters"]])
Quarter = Facts


def _meetings(submission: Submission, facts: Facts) -> list[SeenEvent]:
    found = happenings(read_events(submission, facts["owner"]), *YEAR)
    return [event for event in found if fold(event.title).startswith("board meeting")]


def _span(submission: Submission, facts: Facts, quarter: Quarter) -> Span | None:
    """From when to when the meeting of a quarter is; None for none."""
    for event in _meetings(submission, facts):
        timed = isinstance(event.starts, datetime) and isinstance(event.ends, datetime)
        if timed and fold(event.title) == fold(quarter["title"]):
            return event.starts.astimezone(UTC), event.ends.astimezone(UTC)  # type: ignore[union-attr]
    return None


def _entered(submission: Submission, facts: Facts) -> Finding:
    """One for each quarter with all directors, two hours long."""
    found = _meetings(submission, facts)
    odd = [f"{one.title} has {one.people}" for one in found if one.people != facts["directors"]]
    odd += [f"{one.title} in {one.calendar}" for one in found if one.calendar != "primary" or one.rule or not one.busy]
    spans = [_span(submission, facts, quarter) for quarter in facts["quarters"]]
    odd += [f"it takes {span[1] - span[0]}" for span in spans if span and (span[1] - span[0]).seconds != 2 * 3_600]
    titles, wanted = sorted(fold(one.title) for one in found), [fold(one["title"]) for one in facts["quarters"]]
    return finding(titles == wanted and not odd, "; ".join(odd) or f"{titles}, expected {wanted}")


def _feasible(submission: Submission, facts: Facts) -> Finding:
    odd = [text for quarter in facts["quarters"] for text in _wrong(submission, facts, quarter)]
    return finding(not odd, "; ".join(odd[:8]) or "all four dates suit every director")


def _wrong(submission: Submission, facts: Facts, quarter: Quarter) -> Iterator[str]:
    span = _span(submission, facts, quarter)
    if span is None:
        yield f"no {quarter['title']}"
        return
    if str(span[0].date()) not in quarter["days"]:
        yield f"{span[0]} is outside the quarter, a holiday, or an unwanted day"
    people = {address: tuple(told) for address, told in facts["zones"].items()}
    yield from find_clashes(submission, facts["owner"], span, people | {facts["owner"]: facts["secretary"]}, HOURS)


def _notice(submission: Submission, facts: Facts) -> Finding:
    days = [str(span[0].date()) for quarter in facts["quarters"] if (span := _span(submission, facts, quarter))]
    first = min(days, default="")
    return finding(
        bool(first) and first >= facts["earliest"], f"the first is on {first}, not before {facts['earliest']}"
    )


def _said(submission: Submission, facts: Facts) -> Finding:
    """The notice of each meeting, told by its agenda, names its day, and no other to come, and its beginning in UTC."""
    odd = []
    for (_, mail), quarter in zip(MAILS.paired(submission, facts)[0], facts["quarters"], strict=True):
        span = _span(submission, facts, quarter)
        if mail is None or span is None:
            odd.append(f"{quarter['title']} has no notice")
            continue
        # "2 h" is how long it takes.
        times = find_clock_times(mail.own_text) - {time(2)}
        zones = [ZoneInfo(zone) for zone in ("UTC", *(zone for _, zone in facts["zones"].values()))]
        known = {moment.astimezone(zone).time() for moment in span for zone in zones}
        now = min(date.fromisoformat(facts["earliest"]), span[0].date())
        days = {day for day in find_days(f"{mail.subject}\n{mail.own_text}", 2026) if day >= now}
        in_utc = re.search(r"\b(utc|gmt)\b", fold(mail.own_text)) and span[0].time() in times
        if days != {span[0].date()} or not in_utc or not times <= known:
            odd.append(f"{quarter['title']}: {sorted(map(str, (*days, *times)))}, not {span[0]}")
    return finding(not odd, "; ".join(odd) or "all notices are right")


def _ours(facts: Facts) -> tuple[str, ...]:
    return tuple(f"calendar:{facts['owner']}/*#{one['title']}" for one in facts["quarters"])


CHECKS = group(
    "board_dates",
    "The board is called to four meetings that suit every director",
    leaf("entered", "Each meeting is entered, two hours long, with all directors", _entered, observes=EVENTS, weight=3),
    leaf("feasible", "All can be there, by rules, calendars and wishes", _feasible, observes=EVENTS, weight=4),
    leaf("notice", "The notice period is kept", _notice, observes=EVENTS, weight=2),
    group(
        "notices",
        "The directors have their notices",
        MAILS.sent("sent", "Each director has one mail per meeting, and no one else has any", weight=2),
        MAILS.carries("agendas", "It has the approved agenda", weight=2),
        leaf("said", "It names day and beginning", _said, observes=("mail:Sent#text", *EVENTS), weight=2),
        weight=4,
    ),
    leaves.kept_records("mail:sent", "mail:answers", also=_ours),
    leaves.nothing_else(),
)
