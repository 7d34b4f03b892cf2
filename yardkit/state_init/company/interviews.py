"""Rounds of interviews: who applies in which language, what is written about it, the rooms, and how rounds are held."""

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.apps.calendar import PRIMARY, Agenda, Attendee, CalendarInfo, Event, calendar_file, file_name
from yardkit.apps.notes import APP as NOTES
from yardkit.apps.notes import RECORDS, Block
from yardkit.apps.store import open_store
from yardkit.state_init.company.calendar import TEAM, Set, fill_calendar, forget_leave
from yardkit.state_init.company.cast import Cast, get_stream
from yardkit.state_init.company.hirings import Candidate, Hiring
from yardkit.state_init.company.hours import at_work, choose_later_moment, make_moment
from yardkit.state_init.company.letters import File, Letter, Rows, join_paragraphs, link_thread
from yardkit.state_init.company.notes import NotesFilled, more_notes
from yardkit.state_init.company.notes_texts import Part, make_part
from yardkit.state_init.company.open_times import Span, meets_span
from yardkit.state_init.company.persons import SPELLINGS, Colleague, Somebody, address_of, fresh_names
from yardkit.state_init.names import ascii_of
from yardkit.world import World, skip_syncing

DAY = timedelta(days=1)
THIS, LAST, OTHER = "V-26-01", "V-25-04", "V-26-02"
"""A vacancy whose candidates are to be invited, the one before it, and one of another department."""
TRACKS = ("Export", "Retail")
"""The two parts that a vacancy has, each with a panel of its own."""


ROOMS: tuple[tuple[str, int, str], ...] = (
    ("3.05", 6, "glass wall to the corridor"),
    ("3.11", 5, "blinds"),
    ("3.17", 8, "at the end of the corridor, no window to it"),
    ("3.20", 2, "for telephone calls"),
)
RULES = (
    "How long an interview takes stands in [[Interviews]].",
    "They are between 9:00 and 17:00 by the clock of each colleague who is there; from 12:00 to 13:00 by the clock of "
    "the room we have lunch.",
    "There are the panel and whoever arranges the round. The panel stands on the page of the vacancy, by role; "
    "[[Who is who]] says who that is. Whoever is away names somebody instead.",
    "Between two interviews everybody has a break of at least 30 minutes.",
    "The room has a seat for everybody, the candidate too, and nobody can look in ([[Rooms]]).",
    "Panel and room are invited to the event. Its text is ours: candidates are no guests of it, but get a mail in "
    "their thread and in the language in which they wrote.",
    "Who is not on the shortlist hears from the department when the round is over. Who has withdrawn hears nothing.",
)
STATES = ("Applied", "Shortlist", "Invited", "Withdrawn", "Declined", "Hired")
WORK = ("Focus time", "Budget", "Supplier call", "Review", "Training")
ROOM = ("Team meeting", "Training", "Customers", "Workshop")


@dataclass(frozen=True)
class Words:
    """What is written in a language; texts with places for ``{day}``, ``{hour}`` and the like."""

    hello: str
    bye: str
    weekdays: str
    months: str
    day: str
    applies: str
    never_on: str
    only_from: str
    other_offer: str
    withdraws: str
    invited: str

    def name_day(self, day: date) -> str:
        """A day as it is written."""
        weekday, month = self.weekdays.split()[day.weekday()], self.months.split()[day.month - 1]
        return self.day.format(weekday=weekday, number=day.day, month=month, year=day.year)


LANGUAGES: Mapping[str, Words] = {
    "English": Words(
        "Dear {name},", "Kind regards",
        "Monday Tuesday Wednesday Thursday Friday",
        "January February March April May June July August September October November December",
        "{weekday}, {number} {month} {year}",
        "I apply for {title} ({number}), in {track}. My papers are attached; I would be glad to talk to you.",
        "For the interview: on {weekday}s I cannot come, on any other day I can.",
        "For the interview: I work in the mornings and can come from {hour}:00 on.",
        "You should know that I have another offer. But I would much rather come to you, and wait for your interview.",
        "Thank you, but I have signed elsewhere. Please take my name off the list.",
        "We look forward to talking to you on {day} at {time}, in room {room}.",
    ),
    "German": Words(
        "Guten Tag {name},", "Mit freundlichen Grüßen",
        "Montag Dienstag Mittwoch Donnerstag Freitag",
        "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
        "{weekday}, {number}. {month} {year}",
        "ich bewerbe mich als {title} ({number}), Bereich {track}. Meine Unterlagen hängen an; über ein Gespräch würde "
        "ich mich freuen.",
        "Zum Gespräch: Am {weekday} kann ich leider nie, sonst an jedem Tag.",
        "Zum Gespräch: Vormittags arbeite ich, ab {hour} Uhr kann ich kommen.",
        "Sie sollen wissen, dass ich noch ein anderes Angebot habe. Ich komme aber viel lieber zu Ihnen und warte auf "
        "Ihr Gespräch.",
        "vielen Dank, aber ich habe anderswo unterschrieben. Bitte nehmen Sie mich von der Liste.",
        "wir freuen uns auf das Gespräch mit Ihnen am {day} um {time} Uhr, in Raum {room}.",
    ),
    "French": Words(
        "Bonjour {name},", "Cordialement",
        "lundi mardi mercredi jeudi vendredi",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "{weekday} {number} {month} {year}",
        "je postule pour le poste de {title} ({number}), domaine {track}. Vous trouverez mon dossier ci-joint ; je "
        "serais heureux d'un entretien.",
        "Pour l'entretien : le {weekday} je ne suis jamais libre, tous les autres jours me conviennent.",
        "Pour l'entretien : je travaille le matin et peux venir à partir de {hour} heures.",
        "Sachez que j'ai une autre offre. Mais je préfère de loin venir chez vous et j'attends votre entretien.",
        "merci, mais j'ai signé ailleurs. Veuillez retirer mon nom de la liste.",
        "nous nous réjouissons de vous rencontrer le {day} à {time}, en salle {room}.",
    ),
    "Spanish": Words(
        "Hola {name}:", "Un cordial saludo",
        "lunes martes miércoles jueves viernes",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "{weekday} {number} de {month} de {year}",
        "solicito el puesto de {title} ({number}), área {track}. Adjunto mis documentos; me gustaría mucho hablar con "
        "ustedes.",
        "Para la entrevista: los {weekday} no puedo nunca, los demás días sí.",
        "Para la entrevista: por la mañana trabajo y puedo ir a partir de las {hour} horas.",
        "Quiero que sepan que tengo otra oferta. Pero prefiero mucho ir con ustedes y espero su entrevista.",
        "gracias, pero he firmado en otra empresa. Les ruego que quiten mi nombre de la lista.",
        "tendremos el gusto de hablar con usted el {day} a las {time}, en la sala {room}.",
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Applicant(Candidate):
    """Somebody who applies for a part (`track`) of a vacancy.

    Attributes:
        never_on: the weekday, from 0 on, on which they cannot come; None for none.
        only_from: the hour of a day from which they can.
        offered: whether they have another offer, and tell.
    """

    track: str = ""
    never_on: int | None = None
    only_from: int = 0
    offered: bool = False

    @property
    def words(self) -> Words:
        return LANGUAGES[self.language]


@dataclass(frozen=True)
class Room(Somebody):
    """A room that is invited like people; its name is ``Room 3.11``. seats: in it; about: what else the notes say."""

    seats: int = 4
    about: str = ""


@dataclass(frozen=True)
class Appointment:
    """An interview. panel: who talks to the applicant, without whom the calendar belongs to."""

    applicant: Applicant
    begins: datetime
    minutes: int
    panel: Sequence[Colleague]
    room: Room

    def as_set(self, number: str, host: Colleague) -> Set:
        """It in the calendar of whoever arranges the round."""
        guests = tuple(
            Attendee(participant.email, participant.name, "accepted") for participant in (*self.panel, self.room)
        )
        uid = f"interview-{number}-{self.applicant.email}"
        stamp, ends = self.begins - 9 * DAY, self.begins + timedelta(minutes=self.minutes)
        event = Event(uid, f"Interview {self.applicant.name}, {number}", self.begins, ends, stamp=stamp)
        return Set(replace(event, location=self.room.name, organizer=Attendee(host.email, host.name), attendees=guests))


Interviews = tuple[Mapping[Applicant, Appointment], Sequence[Appointment]]
"""Those of the last round, and those of another department."""
Entries = list[tuple[str, Applicant, str, Appointment | None]]
"""Number of the vacancy, who applies, how it stands, and when they were or are met."""


def make_applicants(rng: random.Random, cast: Cast, day: date, count: int) -> list[Applicant]:
    """People who apply from a day on; the first two have nearly one name, the languages and tracks go by turns."""
    names = fresh_names(rng, count, cast.names)
    names[:2] = [(names[0][0], last) for last in rng.choice(SPELLINGS)]
    languages = [*rng.sample([*LANGUAGES], len(LANGUAGES)), *rng.choices([*LANGUAGES], k=count)]
    new_applicants = []
    for place, (name, language) in enumerate(zip(names, languages, strict=False)):
        applied = at_work(rng, day + rng.randint(2, 12) * DAY, cast.owner.time_zone)
        email = address_of(*name, "post.example")
        new_applicants.append(Applicant(*name, email, language, applied, track=TRACKS[place % len(TRACKS)]))
    return new_applicants


def letters_of(
    rng: random.Random,
    cast: Cast,
    number: str,
    title: str,
    applicant: Applicant,
    appointment: Appointment | None = None,
) -> Iterator[Letter]:
    """The thread of an applicant: the application, another offer, being invited, taking it back."""
    words, owner, key = applicant.words, cast.owner, f"{number}/{applicant.email}"
    letter_texts = [words.applies.format(title=title, number=number, track=applicant.track)]
    if applicant.never_on is not None:
        letter_texts.append(words.never_on.format(weekday=words.weekdays.split()[applicant.never_on]))
    if applicant.only_from:
        letter_texts.append(words.only_from.format(hour=applicant.only_from))
    papers = _make_papers(rng, cast, applicant)
    letters = [
        Letter(
            f"{key}/application", applicant.mailbox, (owner.mailbox,), f"Application {number}",
            _write_text(words, owner.name, " ".join(letter_texts), applicant.name), applicant.applied, files=(papers,),
        )
    ]  # fmt: skip
    if applicant.offered:
        text, sent = (
            _write_text(words, owner.name, words.other_offer, applicant.name),
            choose_later_moment(rng, applicant.applied, 5, "UTC"),
        )
        letters.append(Letter(f"{key}/offer", applicant.mailbox, (owner.mailbox,), "", text, sent))
    if appointment:
        day, sent = (
            words.name_day(appointment.begins.date()),
            choose_later_moment(rng, appointment.begins - 9 * DAY, 0, owner.time_zone),
        )
        invitation_text = words.invited.format(day=day, time=f"{appointment.begins:%H:%M}", room=appointment.room.last)
        letters.append(
            Letter(
                f"{key}/invited",
                owner.mailbox,
                (applicant.mailbox,),
                "",
                _write_text(words, applicant.name, invitation_text, owner.name),
                sent,
            )
        )
    if applicant.withdrawn:
        text = _write_text(words, owner.name, words.withdraws, applicant.name)
        letters.append(Letter(f"{key}/withdrawn", applicant.mailbox, (owner.mailbox,), "", text, applicant.withdrawn))
    yield from link_thread(*letters)


def fill_week(
    world: World, rng: random.Random, person: Somebody, time_zone: str, monday: date, titles: Sequence[str], count: int,
    more: Sequence[Event] = (), left_open: Sequence[Span] = (),
) -> None:  # fmt: skip
    """Put so many hours of a week into the calendar of somebody or of a room, and a few of the week before."""
    agenda = Agenda(world)
    with skip_syncing():
        if not agenda.calendars(person.email):
            agenda.make_calendar(person.email, CalendarInfo(PRIMARY, person.name, time_zone))
        for place in range(count + 4):
            day = monday + (place % 5 - 7 * (place >= count)) * DAY
            begins = make_moment(day, rng.randint(8, 16), rng.choice((0, 30)), time_zone)
            ends, uid = begins + timedelta(minutes=rng.choice((30, 60, 60, 90))), f"week-{place}-{person.email}"
            event = Event(uid, rng.choice(titles), begins, ends, stamp=begins - 9 * DAY)
            if not meets_span(event, left_open):
                agenda.save(person.email, PRIMARY, file_name(uid), calendar_file([event]))
        for event in more:
            agenda.save(person.email, PRIMARY, file_name(event.uid), calendar_file([event]))


def at_head_office(cast: Cast) -> Cast:
    """The same company, whose owner of the workspace works at the head office."""
    office = cast.offices[0]
    return replace(cast, owner=replace(cast.owner, office=office.city, time_zone=office.time_zone))


def choose_panels(rng: random.Random, cast: Cast) -> tuple[list[Colleague], list[Colleague], Colleague]:
    """Two panels of three, and who sits in for the first of the first one, of their department if anybody is left.

    Of the first one two are of one department; each of them is the only one of a role in an office of Europe.
    """
    zones = {office.time_zone for office in cast.offices[:2]}
    near = [
        colleague
        for colleague in cast.colleagues[1:]
        if colleague.time_zone in zones and colleague.department != cast.owner.department
    ]
    count = Counter((colleague.title, colleague.office) for colleague in cast.staff)
    sole = [colleague for colleague in near if count[colleague.title, colleague.office] == 1]
    rng.shuffle(sole)
    within = Counter(colleague.department for colleague in sole)
    department = max(sorted(within), key=lambda name: within[name])
    ours = [colleague for colleague in sole if colleague.department == department][:2]
    others = [colleague for colleague in sole if colleague.department != department]
    left = [colleague for colleague in near if colleague not in (*ours, *others[:4])]
    instead = sorted(left, key=lambda colleague: colleague.department != department)
    return [*ours, others[0]], others[1:4], instead[0]


def write_hiring(
    rng: random.Random, cast: Cast, number: str, panel: Sequence[Colleague], people: Sequence[Applicant],
    appointments: Mapping[Applicant, Appointment],
) -> Hiring:  # fmt: skip
    """A vacancy with the letters of all who apply; `held`: who was met, and when."""
    title = title_of(panel)
    letters = (
        letter
        for applicant in people
        for letter in letters_of(rng, cast, number, title, applicant, appointments.get(applicant))
    )
    return Hiring(number, title, panel[0], people[0].applied.date(), tuple(people), tuple(letters))


def title_of(panel: Sequence[Colleague]) -> str:
    """What a vacancy is called, by the department that has it."""
    return f"{panel[0].department} Analyst"


def read_minutes(world: World, filled: NotesFilled) -> int:
    """How long an interview takes, by the rule that holds."""
    with open_store(NOTES, *RECORDS, world=world) as store:
        texts = [block.text for block in store.find(Block, "page_id = ?", [filled.pages["Interviews"]])]
    return int(re.findall(r"takes (\d+) minutes", " ".join(texts))[0])


def values_of(met: Appointment | None, people: Mapping[str, int]) -> dict[str, Any]:
    """What the table of candidates says of an interview; `people`: their numbers in the notes by address."""
    if met is None:
        return {}
    panel = [people[panel_member.email] for panel_member in met.panel]
    return {"Panel": panel, "Day": str(met.begins.date()), "Starts": f"{met.begins:%H:%M}", "Room": met.room.name}


def list_people(cast: Cast) -> list[Part]:
    """A page on who does what, by department."""
    parts: list[Part] = []
    for department in cast.departments:
        parts.append(make_part("heading_2", department))
        there = (colleague for colleague in cast.staff if colleague.department == department)
        parts += [
            make_part(
                "bulleted_list_item", f"{colleague.name}, {colleague.title}, {colleague.office}: {colleague.email}"
            )
            for colleague in there
        ]
    return parts


def list_panels(panel: Sequence[Colleague]) -> list[Part]:
    """The page of a vacancy: for each of its parts one of the department, and who is from outside, by role."""
    roles = [f"{panel_member.title} ({panel_member.office})" for panel_member in panel]
    lines = (f"{track}: {role} and {roles[2]}" for track, role in zip(TRACKS, roles, strict=False))
    how = make_part("paragraph", "How we do it: [[Rounds of interviews]]. Who applies stands in the table Candidates.")
    return [how, make_part("heading_2", "Panels"), *(make_part("bulleted_list_item", line) for line in lines)]


def write_notes(
    world: World, cast: Cast, rng: random.Random, filled: NotesFilled, rows: Entries, rooms: Sequence[Room],
    panels: tuple[Sequence[Colleague], Sequence[Colleague]],
) -> dict[str, int]:  # fmt: skip
    """The rules, who is who, the rooms, the vacancies, the table of candidates: numbers of rows by address."""
    with more_notes(world, cast, rng, filled) as notes:
        people, top = (
            filled.pages["People"],
            notes.add_page("Hiring", None, 700, [make_part("paragraph", "A page a vacancy.")]),
        )
        notes.add_page("Who is who", people, 90, list_people(cast))
        listed = (f"{room.name}: {room.seats} seats, {room.about} ({room.email})" for room in rooms)
        notes.add_page("Rooms", people, 200, [make_part("bulleted_list_item", text) for text in listed])
        notes.add_page("Rounds of interviews", people, 150, [make_part("bulleted_list_item", text) for text in RULES])
        options = {"Track": TRACKS, "Room": tuple(room.name for room in rooms)}
        columns: dict[str, Any] = {"Candidate": "title", "Vacancy": "text", "Track": ("select", options["Track"])}
        columns |= {"Status": ("status", STATES), "Panel": "people", "Day": "date", "Starts": "text"}
        ids = {"table": notes.table("Candidates", columns | {"Room": ("select", options["Room"])}, top)}
        for number, panel, days in ((LAST, panels[1], 140), (OTHER, panels[1], 40), (THIS, panels[0], 30)):
            notes.add_page(f"{number} {title_of(panel)}", top, days, list_panels(panel))
        for number, applicant, state, met in rows:
            values = {"Vacancy": number, "Track": applicant.track, "Status": state} | values_of(met, notes.people)
            ids[applicant.email] = notes.row(
                "Candidates", applicant.name, (world.now - applicant.applied).days + 0.5, values
            )
        return ids | {colleague.email: notes.people[colleague.email] for colleague in cast.staff}


def fill_calendars(
    world: World, cast: Cast, rng: random.Random, monday: date, interviews: Interviews,
    rooms: Sequence[Room],
    people: Sequence[Colleague],
    met: tuple[Sequence[Applicant], int],
) -> None:  # fmt: skip
    """The owner's with the last round and with who is away, those of the people, and those of the rooms.

    For each of those to be `met`, for so many minutes, there is a time at which all and the third room are free.
    """
    appointments, beside = interviews
    sets = [met.as_set(LAST, cast.owner) for met in appointments.values()]
    away = (people[0], monday, 5), (people[1], monday + rng.randrange(4) * DAY, 2)
    sets += [
        Set(_make_absence(cast, colleague, begins, begins + days * DAY), calendar=TEAM)
        for colleague, begins, days in away
    ]
    left_open = _find_open(get_stream(world, "open"), cast, met, people, away)
    fill_calendar(world, cast, get_stream(world, "calendar"), people=8, more=sets, left_open=left_open)
    for person in people:
        forget_leave(world, cast.owner.email, person)
        fill_week(world, rng, person, person.time_zone, monday, WORK, 5, left_open=left_open)
    for room in rooms:
        booked = [met.as_set(OTHER, cast.colleagues[0]).event for met in beside if met.room == room]
        fill_week(
            world, rng, room, cast.owner.time_zone, monday, ROOM, 8, booked, left_open if room == rooms[2] else ()
        )


def _find_open(
    rng: random.Random, cast: Cast, met: tuple[Sequence[Applicant], int], people: Sequence[Colleague],
    away: Sequence[tuple[Colleague, date, int]],
) -> list[Span]:  # fmt: skip
    """For each of those to be met a time within the hours of all, with breaks; `people`: a panel, who sits in."""
    (panel, instead), (applicants, minutes), open_spans = (people[:3], people[3]), met, list[Span]()
    for applicant in applicants:
        there = (cast.owner, instead if applicant.track == TRACKS[0] else panel[1], panel[2])
        off = {begins + number * DAY for who, begins, days in away if who in there for number in range(days)}
        spans = [
            (begins, begins + timedelta(minutes=minutes))
            for day in (away[0][1] + number * DAY for number in range(5))
            if day not in off and day.weekday() != applicant.never_on
            for begins in (
                make_moment(day, hour, half, cast.owner.time_zone) for hour in range(9, 17) for half in (0, 30)
            )
            if begins.hour >= applicant.only_from
        ]
        open_spans.append(rng.choice([span for span in spans if _is_suitable(span, there, open_spans)]))
    return open_spans


def _is_suitable(span: Span, people: Sequence[Colleague], others: Sequence[Span]) -> bool:
    """Whether all are at work then, nobody is at lunch where the room is, and it is not close to another one."""
    begins, ends = span
    locals_ = [
        (begins.astimezone(ZoneInfo(colleague.time_zone)), ends.astimezone(ZoneInfo(colleague.time_zone)))
        for colleague in people
    ]
    at_work_then = all(time(9) <= first.time() and last.time() <= time(17) for first, last in locals_)
    lunch = begins.time() < time(13) and ends.time() > time(12)
    pause = timedelta(minutes=30)
    return (
        at_work_then and not lunch and all(ends + pause <= since or until + pause <= begins for since, until in others)
    )


def _make_absence(cast: Cast, colleague: Colleague, begins: date, ends: date) -> Event:
    stamp = make_moment(begins - 20 * DAY, 9, 0, "UTC")
    return Event(
        f"leave-{colleague.number}@{cast.domain}", f"{colleague.name} away", begins, ends, stamp=stamp, busy=False
    )


def _make_papers(rng: random.Random, cast: Cast, applicant: Applicant) -> File:
    """A curriculum vitae."""
    stations: Rows = tuple((str(applicant.applied.year - back), rng.choice(cast.customers).name) for back in (9, 6, 2))
    name = f"cv_{ascii_of(applicant.first)}_{ascii_of(applicant.last)}.pdf"
    return File(name, f"Curriculum vitae: {applicant.name}", (("Year", "Where"), *stations))


def _write_text(words: Words, to: str, body_text: str, by: str) -> str:
    """A letter as it is written in a language: after the colon or the title a sentence may begin small."""
    return join_paragraphs(words.hello.format(name=to), body_text, f"{words.bye}\n{by}")
