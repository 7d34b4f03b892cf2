"""Each candidate who is still in is met by the right panel in a fit room, and knows; the others are left alone."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import combinations
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.letters import detect_language, find_clock_times, find_days
from yardkit.evaluators.meetings import Span, find_clashes
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.events import SeenEvent, list_happenings, read_events
from yardkit.evaluators.submission import Submission

BREAK = timedelta(minutes=30)
ROWS, VERSIONS = Records("notes", "pages", ("values",)), Records("notes", "versions")
MAILS = Mails(lambda facts: [{"to": [candidate["email"]]} for candidate in facts["candidates"]])
EVENTS, VERSIONS_LEFT = ("event:*",), ("bystander:notes/versions",)
Candidate = Facts


def _format_title(facts: Facts, candidate: Candidate) -> str:
    return f"Interview {candidate['name']}, {facts['number']}"


def _compute_week(facts: Facts) -> Span:
    monday = date.fromisoformat(facts["monday"])
    starts = datetime.combine(monday, time.min, ZoneInfo(facts["zone"]))
    return starts, starts + timedelta(days=7)


def _map_appointments(submission: Submission, facts: Facts) -> dict[str, SeenEvent]:
    """By address, the first event of each candidate."""
    events = list_happenings(read_events(submission, facts["owner"]), *_compute_week(facts))
    titles = {simplify_text(_format_title(facts, candidate)): candidate["email"] for candidate in facts["candidates"]}
    return {
        titles[simplify_text(event.title)]: event for event in reversed(events) if simplify_text(event.title) in titles
    }


def _check_events(submission: Submission, facts: Facts) -> Finding:
    """One for each, and no other of this vacancy, with panel and room."""
    since = _compute_week(facts)[0] - timedelta(days=30)
    events = list_happenings(read_events(submission, facts["owner"]), since, since + timedelta(days=400))
    ours = [event for event in events if facts["number"] in event.title]
    candidates_by_title = {
        simplify_text(_format_title(facts, candidate)): candidate for candidate in facts["candidates"]
    }
    problems = [f"{event.title} is none" for event in ours if simplify_text(event.title) not in candidates_by_title]
    problems += [
        text
        for event in ours
        if simplify_text(event.title) in candidates_by_title
        for text in _list_problems(facts, candidates_by_title[simplify_text(event.title)], event)
    ]
    titles = sorted(simplify_text(event.title) for event in ours)
    return make_finding(
        not problems and titles == sorted(candidates_by_title),
        "; ".join(problems) or f"{titles}, expected {sorted(candidates_by_title)}",
    )


def _list_problems(facts: Facts, candidate: Candidate, event: SeenEvent) -> Iterator[str]:
    room = _find_room(facts, event)
    if event.people != sorted([*candidate["panel"], facts["rooms"].get(room, "")]):
        yield f"{event.title} has {event.people}, expected {candidate['panel']} and its room"
    span = _read_local_span(event, facts)
    if span is None or span[1] - span[0] != timedelta(minutes=facts["minutes"]):
        yield f"{event.title} is not as long as an interview"
    if event.calendar != "primary" or not event.busy or event.rule:
        yield f"{event.title} is in {event.calendar}, or takes no time, or is repeated"


def _read_local_span(event: SeenEvent | None, facts: Facts) -> Span | None:
    """From when to when it is by the clock of the owner; None for none, or for whole days."""
    if event is None or not isinstance(event.starts, datetime) or not isinstance(event.ends, datetime):
        return None
    zone = ZoneInfo(facts["zone"])
    return event.starts.astimezone(zone), event.ends.astimezone(zone)


def _find_room(facts: Facts, event: SeenEvent) -> str:
    return next((name for name in facts["rooms"] if name in event.location), "")


def _check_feasible(submission: Submission, facts: Facts) -> Finding:
    """Everybody is there and free, nobody twice without a break."""
    arranged = _map_appointments(submission, facts)
    problems = [
        text
        for candidate in facts["candidates"]
        for text in _list_clashes(submission, facts, candidate, arranged.get(candidate["email"]))
    ]
    spans = [span for event in arranged.values() if (span := _read_local_span(event, facts))]
    pauses = [max(other[0] - first_span[1], first_span[0] - other[1]) for first_span, other in combinations(spans, 2)]
    problems += [
        f"only {pause} between two" for pause in pauses if pause < BREAK
    ]  # whoever arranges the round is in both
    return make_finding(not problems, "; ".join(problems) or "all can be held")


def _list_clashes(submission: Submission, facts: Facts, candidate: Candidate, event: SeenEvent | None) -> Iterator[str]:
    span = _read_local_span(event, facts)
    if event is None or span is None:
        yield f"{candidate['name']} is not met"
        return
    here, room = span[0], facts["rooms"].get(_find_room(facts, event), "")
    people = {address: tuple(facts["people"][address]) for address in (facts["owner"], *candidate["panel"])}
    yield from find_clashes(submission, facts["owner"], span, people | {room: ("", facts["zone"])})
    noon = here.replace(hour=12, minute=0)
    if here < noon + timedelta(hours=1) and span[1] > noon:
        yield f"{event.title} is at lunch"
    if here.hour < candidate["from"] or here.weekday() == candidate["never"]:
        yield f"{candidate['name']} cannot come at {here}"


def _check_rows(submission: Submission, facts: Facts) -> Finding:
    """The table tells of each appointment, and of who is gone."""
    arranged, rows = _map_appointments(submission, facts), {row["id"]: row for row in ROWS.read_rows(submission)}
    problems = [
        candidate["name"]
        for candidate in facts["candidates"]
        if not _matches_row(rows, facts, candidate, arranged.get(candidate["email"]))
    ]
    before = {row["id"]: row for row in ROWS.read_rows(submission.untouched)}[facts["gone"]]["values"]
    gone = rows.get(facts["gone"], {"values": {}})["values"]
    gone = {name: value for name, value in gone.items() if value}
    problems += ["the withdrawn candidates"] * (gone != {**before, "Status": "Withdrawn"})
    return make_finding(not problems, f"rows that are wrong: {problems or 'none'}")


def _matches_row(rows: dict[Any, Any], facts: Facts, candidate: Candidate, event: SeenEvent | None) -> bool:
    values = rows.get(candidate["row"], {}).get("values", {})
    span = _read_local_span(event, facts)
    if event is None or span is None:
        return False
    here = span[0]
    starts = find_clock_times(str(values.get("Starts"))) == {here.time()}
    row_values = (values.get("Status"), values.get("Day"), values.get("Room"), sorted(values.get("Panel") or []))
    return starts and row_values == ("Invited", str(here.date()), f"Room {_find_room(facts, event)}", candidate["ids"])


def _check_versions(submission: Submission, facts: Facts) -> Finding:
    """The notes keep how a row was; of other pages nothing is new."""
    ours = {facts["gone"], *(candidate["row"] for candidate in facts["candidates"])}
    known = {row["id"] for row in VERSIONS.read_rows(submission.untouched)}
    new = [row["page_id"] for row in VERSIONS.read_rows(submission) if row["id"] not in known]
    unexpected_pages = [page for page in new if page not in ours]
    return make_finding(not unexpected_pages, f"other pages that were changed: {unexpected_pages or 'none'}")


def _check_threads(submission: Submission, facts: Facts) -> Finding:
    pairs, _ = MAILS.pair_mails(submission, facts)
    threads = {candidate["email"]: {*candidate["thread"]} for candidate in facts["candidates"]}
    problems = [want["to"] for want, mail in pairs if not mail or not threads[want["to"][0]] & {*mail.thread}]
    return make_finding(not problems, f"not in their threads: {problems or 'none'}")


def _check_letter_times(submission: Submission, facts: Facts) -> Finding:
    """Day, time and room as in the calendar, and no other day to come; its length or the wish may be said, too."""
    arranged, problems = _map_appointments(submission, facts), []
    wished = {candidate["email"]: time(candidate["from"]) for candidate in facts["candidates"]}
    lasts = time(*divmod(facts["minutes"], 60))
    for want, mail in MAILS.pair_mails(submission, facts)[0]:
        event = arranged.get(want["to"][0])
        span = _read_local_span(event, facts)
        if mail is None or event is None or span is None:
            problems.append(f"{want['to']} knows nothing")
            continue
        room = _find_room(facts, event)
        letter_text = mail.own_text.replace(room, "") if room else ""
        times, days = find_clock_times(letter_text), find_days(letter_text, span[0].year)
        days = {day for day in days if day >= date.fromisoformat(facts["monday"])}
        known = {moment.time() for moment in span} | {lasts, wished[want["to"][0]]}
        right = days == {span[0].date()} and {span[0].time()} <= times <= known
        if not right or room not in mail.own_text:
            problems.append(f"{want['to']} reads {sorted(map(str, (*days, *times)))}, not {span[0]}, room {room}")
    return make_finding(not problems, "; ".join(problems) or "all know day, time and room")


def _check_languages(submission: Submission, facts: Facts) -> Finding:
    languages = {candidate["email"]: candidate["language"] for candidate in facts["candidates"]}
    mail_languages = {
        want["to"][0]: detect_language(mail.own_text) if mail else ""
        for want, mail in MAILS.pair_mails(submission, facts)[0]
    }
    return make_finding(mail_languages == languages, f"{mail_languages}, expected {languages}")


def _list_allowed(facts: Facts) -> tuple[str, ...]:
    rows = [*(candidate["row"] for candidate in facts["candidates"]), facts["gone"]]
    fields = (f"notes:pages#{row}.{name}" for row in rows for name in ("values", "edited", "editor_id"))
    events = (f"calendar:{facts['owner']}/*#{_format_title(facts, candidate)}" for candidate in facts["candidates"])
    return (*fields, *events)


CHECKS = make_group(
    "interviews",
    "Whoever is still on the shortlist is met next week, as the rules want it",
    make_checkpoint(
        "events", "Each has one event of the right length, with panel and room", _check_events, covers=EVENTS, weight=4
    ),
    make_checkpoint(
        "feasible", "All are free and at work, with breaks, and can come", _check_feasible, covers=EVENTS, weight=4
    ),
    make_checkpoint(
        "rows", "The table has each interview and withdrawal", _check_rows, covers=(*ROWS.covers, *EVENTS), weight=3
    ),
    make_group(
        "mails",
        "The candidates know",
        MAILS.check_sent("sent", "Each of them gets one mail, and no one else gets any", weight=2),
        make_checkpoint("threads", "It is in their thread", _check_threads, covers=("mail:Sent#thread",)),
        make_checkpoint(
            "said", "It says day, time and room", _check_letter_times, covers=("mail:Sent#text", *EVENTS), weight=2
        ),
        make_checkpoint("languages", "It is in their language", _check_languages, covers=("mail:Sent#text",)),
        weight=3,
    ),
    make_checkpoint(
        "versions", "No other page of the notes was changed", _check_versions, covers=VERSIONS_LEFT, kind="guardrail"
    ),
    leaves.check_unchanged_records("mail:sent", "mail:answers", "notes:versions+", also=_list_allowed),
    leaves.nothing_else(),
)
