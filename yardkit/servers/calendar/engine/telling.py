"""Who is told of what was done to events, by mails; and what the one who did it gets to see."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from yardkit.apps.calendar import Answer, Attendee, Event, When, calendar_file
from yardkit.servers.calendar.engine.events import Series, zone_name
from yardkit.servers.calendar.engine.invitations import Letter, Method
from yardkit.servers.calendar.engine.places import Place, find_event
from yardkit.servers.calendar.engine.reading import EventView, format_when, read_event

_SUBJECTS: dict[Method, str] = {"REQUEST": "Invitation", "CANCEL": "Cancelled", "REPLY": "Answer"}
_ANSWER_WORDS: dict[Answer, str] = {"accepted": "Accepted", "declined": "Declined", "tentative": "Tentatively accepted"}
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


def send_answer(
    place: Place, event: Event, answer: Answer, comment: str, done: str, *, following: bool = False
) -> Done:
    """Tell who invites what the owner answers, to a date also for what follows it."""
    organizer = event.organizer
    if organizer is None or not place.sends:
        return Done(done, event.uid, event.title)
    own = tuple(
        replace(attendee, answer=answer)
        for attendee in event.attendees
        if attendee.address.casefold() == place.owner.casefold()
    )
    reply = replace(event, attendees=own, rule="", skipped=(), extra=(), status="confirmed")
    answer_word = _ANSWER_WORDS[answer]
    which = f", from {format_when(event.occurrence)} on" if following else ""
    text = "\n".join(
        [
            f"{place.owner_name or place.owner} has answered: {answer_word.lower()}{which}.",
            *([comment] if comment else []),
        ]
    )
    data = calendar_file([reply], "REPLY")
    data = data.replace(b"\nRECURRENCE-ID", b"\nRECURRENCE-ID;RANGE=THISANDFUTURE") if following else data
    lost = place.post(Letter("REPLY", [organizer], f"{answer_word}: {event.title}", text, data))
    return Done(done, event.uid, event.title, [organizer.address], lost)


def notify_people(
    place: Place, done: str, event: Event, method: Method, people: Sequence[Attendee], occurrence: str = ""
) -> Done:
    """Tell people of an event, and show it; a file without its exceptions would take them from the guests."""
    exceptions = find_event(place, event.uid).series.exceptions if event.occurrence is None else ()
    mailed, lost = mail_people(place, event, method, people, exceptions=exceptions)
    view = read_event(place, event.uid, format_when(event.occurrence) if occurrence else "")
    note = "" if place.sends or not _exclude_attendees(people, [Attendee(place.owner)]) else place.unsent
    return Done(done, event.uid, event.title, mailed, lost, view, note)


def announce_change(place: Place, old: Event, new: Event, occurrence: str = "") -> Done:
    """Tell of an event that was changed, also those who were invited before."""
    mailed = mail_people(place, new, "CANCEL", _exclude_attendees(old.attendees, new.attendees))
    return _add_mails(notify_people(place, "changed", new, "REQUEST", new.attendees, occurrence), [mailed])


def announce_end(place: Place, before: Series, rest: Series, date: When, comment: str) -> Done:
    """Tell that a series ends before one of its dates."""
    mails = _send_endings(place, before, rest, f"From {format_when(date)} on it is cancelled.", comment)
    return _add_mails(Done("cancelled", before.uid, before.head.title), mails)


def announce_split(place: Place, before: Series, rest: Series, begun: Series, date: When) -> Done:
    """Tell that a series ends before one of its dates, and that another goes on in its place."""
    head = begun.head
    mails = _send_endings(
        place, before, rest, f"From {format_when(date)} on another series takes its place: {head.title}."
    )
    mails.append(mail_people(place, head, "REQUEST", head.attendees, exceptions=begun.exceptions))
    mails += [
        mail_people(place, series_exception, "REQUEST", _exclude_attendees(series_exception.attendees, head.attendees))
        for series_exception in begun.exceptions
    ]
    return _add_mails(Done("changed", head.uid, head.title, event=read_event(place, head.uid)), mails)


def _send_endings(place: Place, before: Series, rest: Series, *comments: str) -> list[Mailed]:
    """Tell the guests of a series, and those of single dates that are no more."""
    comment = "\n".join(filter(None, comments))
    main = before.main
    mails = [] if main is None else [mail_people(place, main, "REQUEST", main.attendees, comment, before.exceptions)]
    return mails + [
        mail_people(
            place,
            replace(series_exception, sequence=series_exception.sequence + 1, stamp=before.head.stamp),
            "CANCEL",
            guests,
            comment,
        )
        for series_exception in rest.exceptions
        if (guests := _exclude_attendees(series_exception.attendees, main.attendees if main else ()))
    ]


def _exclude_attendees(some: Iterable[Attendee], others: Iterable[Attendee]) -> list[Attendee]:
    there = {attendee.address.casefold() for attendee in others}
    return [attendee for attendee in some if attendee.address.casefold() not in there]


def _add_mails(done: Done, mails: Sequence[Mailed]) -> Done:
    """With those to whom further mails went, each once."""
    mailed = dict.fromkeys([*done.mailed, *(address for to, _ in mails for address in to)])
    lost = dict.fromkeys([*done.undelivered, *(address for _, lost in mails for address in lost)])
    return replace(done, mailed=list(mailed), undelivered=list(lost))


def mail_people(
    place: Place,
    event: Event,
    method: Method,
    people: Sequence[Attendee],
    comment: str = "",
    exceptions: Sequence[Event] = (),
) -> Mailed:
    """Mail people about an event, with the exceptions of a series."""
    guests = [attendee for attendee in people if attendee.address.casefold() != place.owner.casefold()]
    if not guests or not place.sends:
        return [], []
    named = "Updated invitation" if method == "REQUEST" and event.sequence else _SUBJECTS[method]
    data = calendar_file([event, *exceptions], method)
    lost = place.post(Letter(method, guests, f"{named}: {event.title}", _write_text(event, comment), data))
    return [attendee.address for attendee in guests], lost


def _write_text(event: Event, comment: str) -> str:
    when = f"{format_when(event.starts)} to {format_when(event.ends)}"
    zone = zone_name(event.starts)
    lines = [event.title, f"When: {when}{f' ({zone})' if zone else ''}"]
    lines += [f"Repeats: {event.rule}"] if event.rule else []
    lines += [f"Where: {event.location}"] if event.location else []
    return "\n".join(
        [*lines, *(["", event.description] if event.description else []), *(["", comment] if comment else [])]
    )
