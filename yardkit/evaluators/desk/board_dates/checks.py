"""Four meetings that suit seven directors and the secretary, each with its notice, the approved agenda and guests."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from zoneinfo import ZoneInfo

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails
from yardkit.evaluators.letters import find_clock_times, find_days
from yardkit.evaluators.meetings import Span, find_clashes
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.events import SeenEvent, list_happenings, read_events
from yardkit.evaluators.submission import Submission

HOURS = time(8), time(19)
YEAR = datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC)
EVENTS = ("event:*",)
MAILS = Mails(lambda facts: [{"to": facts["directors"], "files": [quarter["agenda"]]} for quarter in facts["quarters"]])
Quarter = Facts


def _list_meetings(submission: Submission, facts: Facts) -> list[SeenEvent]:
    events = list_happenings(read_events(submission, facts["owner"]), *YEAR)
    return [event for event in events if simplify_text(event.title).startswith("board meeting")]


def _read_span(submission: Submission, facts: Facts, quarter: Quarter) -> Span | None:
    """From when to when the meeting of a quarter is; None for none."""
    for event in _list_meetings(submission, facts):
        timed = isinstance(event.starts, datetime) and isinstance(event.ends, datetime)
        if timed and simplify_text(event.title) == simplify_text(quarter["title"]):
            return event.starts.astimezone(UTC), event.ends.astimezone(UTC)  # type: ignore[union-attr]
    return None


def _check_entered(submission: Submission, facts: Facts) -> Finding:
    """One for each quarter with all directors, two hours long."""
    meetings = _list_meetings(submission, facts)
    problems = [f"{meeting.title} has {meeting.people}" for meeting in meetings if meeting.people != facts["directors"]]
    problems += [
        f"{meeting.title} in {meeting.calendar}"
        for meeting in meetings
        if meeting.calendar != "primary" or meeting.rule or not meeting.busy
    ]
    spans = [_read_span(submission, facts, quarter) for quarter in facts["quarters"]]
    problems += [f"it takes {span[1] - span[0]}" for span in spans if span and (span[1] - span[0]).seconds != 2 * 3_600]
    titles, expected_titles = (
        sorted(simplify_text(meeting.title) for meeting in meetings),
        [simplify_text(quarter["title"]) for quarter in facts["quarters"]],
    )
    return make_finding(
        titles == expected_titles and not problems, "; ".join(problems) or f"{titles}, expected {expected_titles}"
    )


def _check_feasible(submission: Submission, facts: Facts) -> Finding:
    problems = [text for quarter in facts["quarters"] for text in _list_problems(submission, facts, quarter)]
    return make_finding(not problems, "; ".join(problems[:8]) or "all four dates suit every director")


def _list_problems(submission: Submission, facts: Facts, quarter: Quarter) -> Iterator[str]:
    span = _read_span(submission, facts, quarter)
    if span is None:
        yield f"no {quarter['title']}"
        return
    if str(span[0].date()) not in quarter["days"]:
        yield f"{span[0]} is outside the quarter, a holiday, or an unwanted day"
    people = {address: tuple(zone_names) for address, zone_names in facts["zones"].items()}
    yield from find_clashes(submission, facts["owner"], span, people | {facts["owner"]: facts["secretary"]}, HOURS)


def _check_notice(submission: Submission, facts: Facts) -> Finding:
    days = [str(span[0].date()) for quarter in facts["quarters"] if (span := _read_span(submission, facts, quarter))]
    first = min(days, default="")
    return make_finding(
        bool(first) and first >= facts["earliest"], f"the first is on {first}, not before {facts['earliest']}"
    )


def _check_notice_text(submission: Submission, facts: Facts) -> Finding:
    """The notice of each meeting, told by its agenda, names its day, and no other to come, and its beginning in UTC."""
    problems = []
    for (_, mail), quarter in zip(MAILS.pair_mails(submission, facts)[0], facts["quarters"], strict=True):
        span = _read_span(submission, facts, quarter)
        if mail is None or span is None:
            problems.append(f"{quarter['title']} has no notice")
            continue
        # "2 h" is how long it takes.
        times = find_clock_times(mail.own_text) - {time(2)}
        zones = [ZoneInfo(zone) for zone in ("UTC", *(zone for _, zone in facts["zones"].values()))]
        known = {moment.astimezone(zone).time() for moment in span for zone in zones}
        now = min(date.fromisoformat(facts["earliest"]), span[0].date())
        days = {day for day in find_days(f"{mail.subject}\n{mail.own_text}", 2026) if day >= now}
        in_utc = re.search(r"\b(utc|gmt)\b", simplify_text(mail.own_text)) and span[0].time() in times
        if days != {span[0].date()} or not in_utc or not times <= known:
            problems.append(f"{quarter['title']}: {sorted(map(str, (*days, *times)))}, not {span[0]}")
    return make_finding(not problems, "; ".join(problems) or "all notices are right")


def _list_own_patterns(facts: Facts) -> tuple[str, ...]:
    return tuple(f"calendar:{facts['owner']}/*#{quarter['title']}" for quarter in facts["quarters"])


CHECKS = make_group(
    "board_dates",
    "The board is called to four meetings that suit every director",
    make_checkpoint(
        "entered",
        "Each meeting is entered, two hours long, with all directors",
        _check_entered,
        covers=EVENTS,
        weight=3,
    ),
    make_checkpoint(
        "feasible", "All can be there, by rules, calendars and wishes", _check_feasible, covers=EVENTS, weight=4
    ),
    make_checkpoint("notice", "The notice period is kept", _check_notice, covers=EVENTS, weight=2),
    make_group(
        "notices",
        "The directors have their notices",
        MAILS.check_sent("sent", "Each director has one mail per meeting, and no one else has any", weight=2),
        MAILS.check_files("agendas", "It has the approved agenda", weight=2),
        make_checkpoint(
            "said", "It names day and beginning", _check_notice_text, covers=("mail:Sent#text", *EVENTS), weight=2
        ),
        weight=4,
    ),
    leaves.check_unchanged_records("mail:sent", "mail:answers", also=_list_own_patterns),
    leaves.nothing_else(),
)
