"""Steps of reference solutions that read a round of interviews from notes and mails, and find slots."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from yardkit.evaluators.letters import detect_language
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.calendar import free_starts
from yardkit.evaluators.solving.desk import read_mails, read_note, read_today

HALF, HOUR, DAY = timedelta(minutes=30), timedelta(hours=1), timedelta(days=1)
WEEKDAYS = (
    "monday tuesday wednesday thursday friday", "montag dienstag mittwoch donnerstag freitag",
    "lundi mardi mercredi jeudi vendredi", "lunes martes miércoles jueves viernes",
)  # fmt: skip
NEVER = r"on (\w+)s I cannot come|Am (\w+) kann ich leider nie|le (\w+) je ne suis jamais|los (\w+) no puedo nunca"
FROM = r"(?:come from|ab|partir de(?: las)?) (\d+)(?::00| Uhr| heures| horas)"
GONE = "signed elsewhere|anderswo unterschrieben|signé ailleurs|firmado en otra"


@dataclass(frozen=True)
class Round:
    """A round in the notes and mails: the remaining and the withdrawn candidates, and the rules for slots."""

    number: str
    minutes: int
    table: int
    rooms: Mapping[str, str]
    candidates: Sequence[Mapping[str, Any]]
    gone: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Slot:
    """The time and place of an interview."""

    candidate: Mapping[str, Any]
    starts: datetime
    room: str


def read_round(agent: Agent) -> Round:
    """Read the rules, roles, rooms and the table, then the thread of each candidate on the shortlist."""
    number = re.findall(r"shortlist for (\S+) stands", agent.prompt)[0]
    minutes = int(re.findall(r"takes (\d+) minutes", read_note(agent, "Interviews"))[0])
    seats = re.findall(r"(Room \S+): (\d+) seats, (.+?) \((\S+)\)", read_note(agent, "Rooms"))
    rooms = {name: address for name, free, about, address in seats if int(free) > 3 and "glass" not in about}
    table = next(
        notes_entry["id"] for notes_entry in agent.call("search_notes", query="Candidates", kind="table")["entries"]
    )
    conditions = [{"column": "Vacancy", "value": number}, {"column": "Status", "value": "Shortlist"}]
    listed = agent.call("query_table", table_id=table, matching=conditions)["rows"]
    panels = dict(_list_panels(agent, number))
    rows = [
        {"id": row["id"], "name": row["values"]["Candidate"], "panel": panels[row["values"]["Track"]]} for row in listed
    ]
    candidates = [row | _read_thread(agent, number, row["name"]) for row in rows]
    remaining_candidates = [candidate for candidate in candidates if not candidate["gone"]]
    return Round(
        number,
        minutes,
        table,
        rooms,
        remaining_candidates,
        [candidate for candidate in candidates if candidate["gone"]],
    )


def _list_panels(agent: Agent, number: str) -> Iterator[tuple[str, dict[str, str]]]:
    """List, for each track, the addresses of its panel by name; absent members named their deputies by mail."""
    pages = agent.call("search_notes", query=number, kind="page")["entries"]
    roles = re.findall(
        r"- (\w+): (.+)", read_note(agent, next(page["title"] for page in pages if number in page["title"]))
    )
    who = re.findall(r"- (.+?), (.+), (.+): (\S+)", read_note(agent, "Who is who"))
    holders, addresses = (
        {f"{title} ({city})": name for name, title, city, _ in who},
        {person[0]: person[3] for person in who},
    )
    mails = read_mails(agent, query=f"sits in for me {number}")
    instead = {mail["sender"].split(" <")[0]: re.findall(r"week\. (.+?) \(", mail["text"])[0] for mail in mails}
    for track, role_text in roles:
        names = [instead.get(holders[role], holders[role]) for role in role_text.split(" and ")]
        yield track, {name: addresses[name] for name in names}


def _read_thread(agent: Agent, number: str, name: str) -> dict[str, Any]:
    """Read a candidate's thread about the vacancy: the newest mail, the possible times, and whether they withdrew."""
    mails = [mail for mail in read_mails(agent, query=number, sender=name) if mail["sender"].startswith(f"{name} <")]
    first = next(mail for mail in mails if mail["subject"].startswith("Application"))
    text = "\n".join(mail["text"] for mail in mails)
    never = re.findall(NEVER, text)
    day = "".join(never[0]).casefold() if never else ""
    days = [week.split().index(day) for week in WEEKDAYS if day in week.split()]
    thread_facts = {
        "from": int((re.findall(FROM, text) or ["0"])[0]),
        "never": days,
        "gone": bool(re.search(GONE, text)),
    }
    return thread_facts | {"mail": first["id"], "language": detect_language(first["text"])}


def find_slots(
    agent: Agent, interview_round: Round, candidates: Sequence[Mapping[str, Any]], *, last: bool = False
) -> list[Slot]:
    """Find each candidate's slot, the first or last that leaves one for all; the least available goes first."""
    monday = read_today(agent) + (7 - read_today(agent).weekday()) * DAY
    span = str(monday), str(monday + 4 * DAY)
    away = agent.call("list_events", since=span[0], until=span[1], query="away", limit=200)["events"]
    slots_by_candidate = [
        [
            Slot(candidate, starts, room)
            for room, address in interview_round.rooms.items()
            for starts in free_starts(agent, [*candidate["panel"].values(), address], interview_round.minutes, *span)
            if _is_suitable(candidate, starts, interview_round.minutes, away)
        ]
        for candidate in sorted(candidates, key=lambda candidate: -candidate["from"])
    ]
    ordered = [sorted(slots, key=lambda slot: slot.starts, reverse=last) for slots in slots_by_candidate]
    return next(_arrange_slots(ordered, interview_round.minutes, ()))


def _arrange_slots(
    slot_lists: Sequence[Sequence[Slot]], minutes: int, before: tuple[Slot, ...]
) -> Iterator[list[Slot]]:
    """Choose one slot of each list, with breaks between them."""
    if len(before) == len(slot_lists):
        yield [*before]
        return
    for slot in slot_lists[len(before)]:
        if all(_is_separate(slot.starts, other, minutes) for other in before):
            yield from _arrange_slots(slot_lists, minutes, (*before, slot))


def _is_suitable(
    candidate: Mapping[str, Any], starts: datetime, minutes: int, away: Sequence[Mapping[str, Any]]
) -> bool:
    """Whether a slot is not at lunch, and the candidate and all of the panel can come."""
    ends, noon, day = starts + timedelta(minutes=minutes), starts.replace(hour=12, minute=0), str(starts.date())
    titles = [f"{name} away" for name in candidate["panel"]]
    gone = any(event["title"] in titles and event["starts"] <= day < event["ends"] for event in away)
    can = starts.hour >= candidate["from"] and starts.weekday() not in candidate["never"]
    return can and not gone and (ends <= noon or starts >= noon + HOUR)


def _is_separate(starts: datetime, slot: Slot, minutes: int) -> bool:
    return abs(starts - slot.starts) >= timedelta(minutes=minutes) + HALF
