"""Who is told of what was done to events, by mails; and what the one who did it gets to see."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from yardkit.apps.calendar import Answer, Attendee, Event, When, calendar_file
from yardkit.servers.calendar.engine.events import Series, zone_name
from yardkit.servers.calendar.engine.invitations import Letter, Method
from yardkit.servers.calendar.engine.places import Place, find_event
from yardkit.servers.calendar.engine.reading import EventView, read_event, shown

_SUBJECTS: dict[Method, str] = {"REQUEST": "Invitation", "CANCEL": "Cancelled", "REPLY": "Answer"}
_SAID: dict[Answer, str] = {"accepted": "Accepted", "declined": "Declined", "tentative": "Tentatively accepted"}
Mailed = tuple[list[str], list[str]]
"""To whom a mail went, and who of them nobody is."""


@dataclass(frozen=True)
class Done:
    """What was done to an event.

    Attributes:
        id: of the event; where a series was split, of the one that begins.
        mailed: to whom a mail about it went.
        undelivered: those of them that nobody has.
        note: why guests may not know of it.
    """

    done: str
    id: str
    title: str
    mailed: list[str] = field(default_factory=list)
    undelivered: list[str] = field(default_factory=list)
    event: EventView | None = None
    note: str = ""


def answered(place: Place, event: Event, answer: Answer, comment: str, done: str, *, following: bool = False) -> Done:
    """Tell who invites what the owner answers, to a date also for what follows it."""
    organizer = event.organizer
    if organizer is None or not place.sends:
        return Done(done, event.uid, event.title)
    own = tuple(
        replace(one, answer=answer) for one in event.attendees if one.address.casefold() == place.owner.casefold()
    )
    reply = replace(event, attendees=own, rule="", skipped=(), extra=(), status="confirmed")
    said = _SAID[answer]
    which = f", from {shown(event.occurrence)} on" if following else ""
    text = "\n".join(
        [f"{place.owner_name or place.owner} has answered: {said.lower()}{which}.", *([comment] if comment else [])]
    )
    data = calendar_file([reply], "REPLY")
    data = data.replace(b"\nRECURRENCE-ID", b"\nRECURRENCE-ID;RANGE=THISANDFUTURE") if following else data
    lost = place.post(Letter("REPLY", [organizer], f"{said}: {event.title}", text, data))
    return Done(done, event.uid, event.title, [organizer.address], lost)


def told(
    place: Place, done: str, event: Event, method: Method, people: Sequence[Attendee], occurrence: str = ""
) -> Done:
    """Tell people of an event, and show it; a file without its exceptions would take them from the guests."""
    exceptions = find_event(place, event.uid).series.exceptions if event.occurrence is None else ()
    mailed, lost = mail(place, event, method, people, exceptions=exceptions)
    view = read_event(place, event.uid, shown(event.occurrence) if occurrence else "")
    note = "" if place.sends or not _only(people, [Attendee(place.owner)]) else place.unsent
    return Done(done, event.uid, event.title, mailed, lost, view, note)


def told_changed(place: Place, old: Event, new: Event, occurrence: str = "") -> Done:
    """Tell of an event that was changed, also those who were invited before."""
    mailed = mail(place, new, "CANCEL", _only(old.attendees, new.attendees))
    return _joined(told(place, "changed", new, "REQUEST", new.attendees, occurrence), [mailed])


def told_ended(place: Place, before: Series, rest: Series, date: When, comment: str) -> Done:
    """Tell that a series ends before one of its dates."""
    mails = _ending(place, before, rest, f"From {shown(date)} on it is cancelled.", comment)
    return _joined(Done("cancelled", before.uid, before.head.title), mails)


def told_split(place: Place, before: Series, rest: Series, begun: Series, date: When) -> Done:
    """Tell that a series ends before one of its dates, and that another goes on in its place."""
    head = begun.head
    mails = _ending(place, before, rest, f"From {shown(date)} on another series takes its place: {head.title}.")
    mails.append(mail(place, head, "REQUEST", head.attendees, exceptions=begun.exceptions))
    mails += [mail(place, one, "REQUEST", _only(one.attendees, head.attendees)) for one in begun.exceptions]
    return _joined(Done("changed", head.uid, head.title, event=read_event(place, head.uid)), mails)


def _ending(place: Place, before: Series, rest: Series, *comments: str) -> list[Mailed]:
    """Tell the guests of a series, and those of single dates that are no more."""
    comment = "\n".join(filter(None, comments))
    main = before.main
    mails = [] if main is None else [mail(place, main, "REQUEST", main.attendees, comment, before.exceptions)]
    return mails + [
        mail(place, replace(one, sequence=one.sequence + 1, stamp=before.head.stamp), "CANCEL", guests, comment)
        for one in rest.exceptions
        if (guests := _only(one.attendees, main.attendees if main else ()))
    ]


def _only(some: Iterable[Attendee], others: Iterable[Attendee]) -> list[Attendee]:
    there = {one.address.casefold() for one in others}
    return [one for one in some if one.address.casefold() not in there]


def _joined(done: Done, mails: Sequence[Mailed]) -> Done:
    """With those to whom further mails went, each once."""
    mailed = dict.fromkeys([*done.mailed, *(address for to, _ in mails for address in to)])
    lost = dict.fromkeys([*done.undelivered, *(address for _, lost in mails for address in lost)])
    return replace(done, mailed=list(mailed), undelivered=list(lost))


def mail(
    place: Place,
    event: Event,
    method: Method,
    people: Sequence[Attendee],
    comment: str = "",
    exceptions: Sequence[Event] = (),
) -> Mailed:
    """Mail people about an event, with the exceptions of a series."""
    guests = [one for one in people if one.address.casefold() != place.owner.casefold()]
    if not guests or not place.sends:
        return [], []
    named = "Updated invitation" if method == "REQUEST" and event.sequence else _SUBJECTS[method]
    data = calendar_file([event, *exceptions], method)
    lost = place.post(Letter(method, guests, f"{named}: {event.title}", _text(event, comment), data))
    return [one.address for one in guests], lost


def _text(event: Event, comment: str) -> str:
    when = f"{shown(event.starts)} to {shown(event.ends)}"
    zone = zone_name(event.starts)
    lines = [event.title, f"When: {when}{f' ({zone})' if zone else ''}"]
    lines += [f"Repeats: {event.rule}"] if event.rule else []
    lines += [f"Where: {event.location}"] if event.location else []
    return "\n".join(
        [*lines, *(["", event.description] if event.description else []), *(["", comment] if comment else [])]
    )
