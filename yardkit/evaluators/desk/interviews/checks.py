"""Each candidate who is still in is met by the right panel in a fit room, and knows; the others are left alone."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import combinations
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.letters import find_clock_times, find_days, tell_language
from yardkit.evaluators.meetings import Span, find_clashes
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.events import SeenEvent, happenings, read_events
from yardkit.evaluators.submission import Submission

BREAK = timedelta(minutes=30)
ROWS, VERSIONS = Records("notes", "pages", ("values",)), Records("notes", "versions")
MAILS = Mails(lambda facts: [{"to": [one["email"]]} for one in facts["candidates"]])
EVENTS, VERSIONS_LEFT = ("event:*",), ("bystander:notes/versions",)
Candidate = Facts


def _title(facts: Facts, candidate: Candidate) -> str:
    return f"Interview {candidate['name']}, {facts['number']}"


def _week(facts: Facts) -> Span:
    monday = date.fromisoformat(facts["monday"])
    starts = datetime.combine(monday, time.min, ZoneInfo(facts["zone"]))
    return starts, starts + timedelta(days=7)


def _arranged(submission: Submission, facts: Facts) -> dict[str, SeenEvent]:
    """By address, the first event of each candidate."""
    found = happenings(read_events(submission, facts["owner"]), *_week(facts))
    titles = {fold(_title(facts, one)): one["email"] for one in facts["candidates"]}
    return {titles[fold(one.title)]: one for one in reversed(found) if fold(one.title) in titles}


def _events(submission: Submission, facts: Facts) -> Finding:
    """One for each, and no other of this vacancy, with panel and room."""
    since = _week(facts)[0] - timedelta(days=30)
    found = happenings(read_events(submission, facts["owner"]), since, since + timedelta(days=400))
    ours = [one for one in found if facts["number"] in one.title]
    wanted = {fold(_title(facts, one)): one for one in facts["candidates"]}
    odd = [f"{one.title} is none" for one in ours if fold(one.title) not in wanted]
    odd += [text for one in ours if fold(one.title) in wanted for text in _wrong(facts, wanted[fold(one.title)], one)]
    titles = sorted(fold(one.title) for one in ours)
    return finding(not odd and titles == sorted(wanted), "; ".join(odd) or f"{titles}, expected {sorted(wanted)}")


def _wrong(facts: Facts, candidate: Candidate, event: SeenEvent) -> Iterator[str]:
    room = _room(facts, event)
    if event.people != sorted([*candidate["panel"], facts["rooms"].get(room, "")]):
        yield f"{event.title} has {event.people}, expected {candidate['panel']} and its room"
    span = _local(event, facts)
    if span is None or span[1] - span[0] != timedelta(minutes=facts["minutes"]):
        yield f"{event.title} is not as long as an interview"
    if event.calendar != "primary" or not event.busy or event.rule:
        yield f"{event.title} is in {event.calendar}, or takes no time, or is repeated"


def _local(event: SeenEvent | None, facts: Facts) -> Span | None:
    """From when to when it is by the clock of the owner; None for none, or for whole days."""
    if event is None or not isinstance(event.starts, datetime) or not isinstance(event.ends, datetime):
        return None
    zone = ZoneInfo(facts["zone"])
    return event.starts.astimezone(zone), event.ends.astimezone(zone)


def _room(facts: Facts, event: SeenEvent) -> str:
    return next((name for name in facts["rooms"] if name in event.location), "")


def _feasible(submission: Submission, facts: Facts) -> Finding:
    """Everybody is there and free, nobody twice without a break."""
    arranged = _arranged(submission, facts)
    odd = [text for one in facts["candidates"] for text in _clashes(submission, facts, one, arranged.get(one["email"]))]
    spans = [span for event in arranged.values() if (span := _local(event, facts))]
    pauses = [max(other[0] - one[1], one[0] - other[1]) for one, other in combinations(spans, 2)]
    odd += [f"only {pause} between two" for pause in pauses if pause < BREAK]  # whoever arranges the round is in both
    return finding(not odd, "; ".join(odd) or "all can be held")


def _clashes(submission: Submission, facts: Facts, candidate: Candidate, event: SeenEvent | None) -> Iterator[str]:
    span = _local(event, facts)
    if event is None or span is None:
        yield f"{candidate['name']} is not met"
        return
    here, room = span[0], facts["rooms"].get(_room(facts, event), "")
    people = {one: tuple(facts["people"][one]) for one in (facts["owner"], *candidate["panel"])}
    yield from find_clashes(submission, facts["owner"], span, people | {room: ("", facts["zone"])})
    noon = here.replace(hour=12, minute=0)
    if here < noon + timedelta(hours=1) and span[1] > noon:
        yield f"{event.title} is at lunch"
    if here.hour < candidate["from"] or here.weekday() == candidate["never"]:
        yield f"{candidate['name']} cannot come at {here}"


def _rows(submission: Submission, facts: Facts) -> Finding:
    """The table tells of each appointment, and of who is gone."""
    arranged, rows = _arranged(submission, facts), {row["id"]: row for row in ROWS.found(submission)}
    odd = [one["name"] for one in facts["candidates"] if not _tells(rows, facts, one, arranged.get(one["email"]))]
    before = {row["id"]: row for row in ROWS.found(submission.untouched)}[facts["gone"]]["values"]
    gone = rows.get(facts["gone"], {"values": {}})["values"]
    gone = {name: value for name, value in gone.items() if value}
    odd += ["the withdrawn candidates"] * (gone != {**before, "Status": "Withdrawn"})
    return finding(not odd, f"rows that are wrong: {odd or 'none'}")


def _tells(rows: dict[Any, Any], facts: Facts, candidate: Candidate, event: SeenEvent | None) -> bool:
    values = rows.get(candidate["row"], {}).get("values", {})
    span = _local(event, facts)
    if event is None or span is None:
        return False
    here = span[0]
    starts = find_clock_times(str(values.get("Starts"))) == {here.time()}
    told = (values.get("Status"), values.get("Day"), values.get("Room"), sorted(values.get("Panel") or []))
    return starts and told == ("Invited", str(here.date()), f"Room {_room(facts, event)}", candidate["ids"])


def _versions(submission: Submission, facts: Facts) -> Finding:
    """The notes keep how a row was; of other pages nothing is new."""
    ours = {facts["gone"], *(one["row"] for one in facts["candidates"])}
    known = {row["id"] for row in VERSIONS.found(submission.untouched)}
    new = [row["page_id"] for row in VERSIONS.found(submission) if row["id"] not in known]
    odd = [page for page in new if page not in ours]
    return finding(not odd, f"other pages that were changed: {odd or 'none'}")


def _threads(submission: Submission, facts: Facts) -> Finding:
    pairs, _ = MAILS.paired(submission, facts)
    threads = {one["email"]: {*one["thread"]} for one in facts["candidates"]}
    odd = [want["to"] for want, mail in pairs if not mail or not threads[want["to"][0]] & {*mail.thread}]
    return finding(not odd, f"not in their threads: {odd or 'none'}")


def _said(submission: Submission, facts: Facts) -> Finding:
    """Day, time and room as in the calendar, and no other day to come; its length or the wish may be said, too."""
    arranged, odd = _arranged(submission, facts), []
    wished = {one["email"]: time(one["from"]) for one in facts["candidates"]}
    lasts = time(*divmod(facts["minutes"], 60))
    for want, mail in MAILS.paired(submission, facts)[0]:
        event = arranged.get(want["to"][0])
        span = _local(event, facts)
        if mail is None or event is None or span is None:
            odd.append(f"{want['to']} knows nothing")
            continue
        room = _room(facts, event)
        said = mail.own_text.replace(room, "") if room else ""
        times, days = find_clock_times(said), find_days(said, span[0].year)
        days = {day for day in days if day >= date.fromisoformat(facts["monday"])}
        known = {one.time() for one in span} | {lasts, wished[want["to"][0]]}
        right = days == {span[0].date()} and {span[0].time()} <= times <= known
        if not right or room not in mail.own_text:
            odd.append(f"{want['to']} reads {sorted(map(str, (*days, *times)))}, not {span[0]}, room {room}")
    return finding(not odd, "; ".join(odd) or "all know day, time and room")


def _languages(submission: Submission, facts: Facts) -> Finding:
    languages = {one["email"]: one["language"] for one in facts["candidates"]}
    found = {
        want["to"][0]: tell_language(mail.own_text) if mail else "" for want, mail in MAILS.paired(submission, facts)[0]
    }
    return finding(found == languages, f"{found}, expected {languages}")


def _allowed(facts: Facts) -> tuple[str, ...]:
    rows = [*(one["row"] for one in facts["candidates"]), facts["gone"]]
    fields = (f"notes:pages#{row}.{name}" for row in rows for name in ("values", "edited", "editor_id"))
    events = (f"calendar:{facts['owner']}/*#{_title(facts, one)}" for one in facts["candidates"])
    return (*fields, *events)


CHECKS = group(
    "interviews",
    "Whoever is still on the shortlist is met next week, as the rules want it",
    leaf("events", "Each has one event of the right length, with panel and room", _events, observes=EVENTS, weight=4),
    leaf("feasible", "All are free and at work, with breaks, and can come", _feasible, observes=EVENTS, weight=4),
    leaf("rows", "The table has each interview and withdrawal", _rows, observes=(*ROWS.observes, *EVENTS), weight=3),
    group(
        "mails",
        "The candidates know",
        MAILS.sent("sent", "Each of them gets one mail, and no one else gets any", weight=2),
        leaf("threads", "It is in their thread", _threads, observes=("mail:Sent#thread",)),
        leaf("said", "It says day, time and room", _said, observes=("mail:Sent#text", *EVENTS), weight=2),
        leaf("languages", "It is in their language", _languages, observes=("mail:Sent#text",)),
        weight=3,
    ),
    leaf("versions", "No other page of the notes was changed", _versions, observes=VERSIONS_LEFT, kind="guardrail"),
    leaves.kept_records("mail:sent", "mail:answers", "notes:versions+", also=_allowed),
    leaves.nothing_else(),
)  # fmt: skip
