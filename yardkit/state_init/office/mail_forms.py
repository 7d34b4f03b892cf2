"""Registrations for a fair that came by mail, to be entered into a PDF form: a correction, a withdrawal, old mails."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from yardkit.state_init.mails import build_mail, message_id
from yardkit.state_init.names import Company, Person, make_companies, make_people
from yardkit.state_init.pdfs import Blank, Sheet
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_bytes, save_text

TICKETS = {
    "One-day": ("One day is enough for me.", "I only need a ticket for a single day."),
    "Three-day": ("I want to be there on all three days.", "A ticket for all three days, please."),
    "Exhibitor": ("I work at our stand, so I need an exhibitor's ticket.", "I need the ticket for exhibitors."),
}
PARKING = {True: "I come by car and need a parking space.", False: "I come by train."}
FOOD = {True: "No meat for me at lunch, please.", False: "I eat everything."}
ACCESS = {True: "I use a wheelchair.", False: ""}
LANGUAGES = ("English", "German", "French")
HEAD = ["No.", "Name", "Company", "Arrival", "Departure", "Ticket", "Parking"]
Mails = list[tuple[datetime.datetime, bytes]]


@dataclass(frozen=True)
class Guest:
    """Somebody who registers; `second` is the part of a long address that does not fit into the first line."""

    person: Person
    company: Company
    address: str
    phone: str
    arrival: datetime.date
    departure: datetime.date
    ticket: str
    parking: bool
    vegetarian: bool
    access: bool
    language: str

    def fields(self, number: str, received: datetime.date) -> dict[str, str]:
        """What the form says; a box that is ticked is ``yes``."""
        return {
            "reg_no": number,
            "received": received.isoformat(),
            "name": self.person.name,
            "company": self.company.full,
            "address": self.address,
            "phone": self.phone,
            "email": self.person.email,
            "arrival": self.arrival.isoformat(),
            "departure": self.departure.isoformat(),
            "ticket": self.ticket,
            "parking": "yes" if self.parking else "",
            "vegetarian": "yes" if self.vegetarian else "",
            "access": "yes" if self.access else "",
            "language": self.language,
        }


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the mailbox, the forms, and the list of last year."""
    staff, firms = make_people(rng, 10), make_companies(rng, 8)
    first = rng.randint(11, 60)
    guests = _make_guests(rng, staff, firms)
    order = rng.sample(range(5), 5)  # Of the five mails that register somebody.
    mails: Mails = []
    numbers: dict[int, tuple[str, datetime.date]] = {}
    count = first
    begun = world.now
    for place, which in enumerate(order):
        sent = _get_moment(world, rng, 26 + 2 * place)
        begun = sent if which == 0 else begun
        mails.append((sent, _REGISTERING[which](guests, staff[6], sent)))
        for guest in {0: (0,), 1: (1,), 2: (2, 3), 3: (4,), 4: (5,)}[which]:
            numbers[guest] = (f"FA-2026-{count:03d}", sent.date())
            count += 1
    corrected = _correct_guest(rng, guests[0])
    mails.append(_write_correction(world, rng, guests[0], corrected, begun))
    mails.append(_write_withdrawal(world, rng, guests[5]))
    mails += _write_noise_mails(world, rng, guests, staff)
    final = [corrected, *guests[1:5]]
    forms = {numbers[n][0]: guest.fields(*numbers[n]) for n, guest in enumerate(final)}
    _save_mails(world, rng, mails, staff)
    rows = sorted(forms.values(), key=lambda answers: (answers["arrival"], answers["reg_no"]))
    return {
        "prompt": {"first": f"FA-2026-{first:03d}"},
        "forms": dict(sorted(forms.items())),
        "withdrawn": numbers[5][0],
        "long": numbers[4][0],
        "overview": [
            [row["reg_no"], row["name"], row["company"], row["arrival"], row["departure"], row["ticket"],
             row["parking"] or "no"] for row in rows
        ],
        "parking": sum(bool(row["parking"]) for row in rows),
    }  # fmt: skip


def _get_moment(world: World, rng: random.Random, day: int) -> datetime.datetime:
    """A moment so many days after the first of February of the year."""
    start = world.now.replace(month=2, day=1, hour=0)
    return start + datetime.timedelta(days=day, hours=rng.randint(7, 17), minutes=rng.randint(0, 59))


def _make_guests(rng: random.Random, staff: Sequence[Person], firms: Sequence[Company]) -> list[Guest]:
    new_guests = []
    for number in range(6):
        firm = firms[2] if number == 3 else firms[number]
        person = replace(staff[number], email=f"{staff[number].email.split('@')[0]}@{firm.domain}")
        arrival = datetime.date(2026, 4, rng.randint(13, 16))
        address = ", ".join((firm.street, f"{firm.postcode} {firm.city}"))
        if number == 4:
            building = f"Building {rng.randint(11, 48)}, entrance {rng.choice('ABC')}, level {rng.randint(2, 9)}"
            address = f"{firm.name} Campus, {building}, c/o {staff[9].name}, {address}, {firm.country}"
        new_guests.append(
            Guest(
                person,
                firm,
                address,
                _make_phone(rng, firm),
                arrival,
                datetime.date(2026, 4, rng.randint(17, 20)),
                rng.choice(list(TICKETS)),
                rng.random() < 0.5,
                rng.random() < 0.5,
                rng.random() < 0.3,
                rng.choice(LANGUAGES),
            )
        )
    return new_guests


def _make_phone(rng: random.Random, firm: Company) -> str:
    code = {"DE": "+49", "GB": "+44", "ES": "+34", "IE": "+353", "PL": "+48"}.get(firm.vat[:2], "+43")
    return f"{code} {rng.randint(20, 99)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}"


def _describe_wishes(guest: Guest, variant: int) -> str:
    """The wishes in prose."""
    texts = [
        TICKETS[guest.ticket][variant % 2],
        PARKING[guest.parking],
        FOOD[guest.vegetarian],
        ACCESS[guest.access],
        f"My badge should be in {guest.language}.",
    ]
    return " ".join(text for text in texts if text)


def _format_long_day(day: datetime.date) -> str:
    return f"{day:%A}, {day.day} {day:%B}"


def _write_simple_body(guest: Guest) -> str:
    return (
        f"Dear organisers,\n\nplease register me for the fair. I work for {guest.company.full}, {guest.address}. You"
        f" reach me under {guest.phone}. I arrive on {_format_long_day(guest.arrival)} and leave on"
        f" {_format_long_day(guest.departure)}. {_describe_wishes(guest, 0)}\n\nKind regards\n{guest.person.name}"
    )


def _write_simple_mail(guests: list[Guest], _assistant: Person, sent: datetime.datetime) -> bytes:
    return _build_mail(guests[0].person, "Registration", _write_simple_body(guests[0]), sent)


def _by_assistant(guests: list[Guest], assistant: Person, sent: datetime.datetime) -> bytes:
    """A mail of somebody else, whose own address must not get into the form."""
    guest = guests[1]
    assistant = replace(assistant, email=f"office@{guest.company.domain}")
    body = (
        f"Hello,\n\nI am writing for {guest.person.name} ({guest.person.email}), who asks me to pass on:\n\n"
        f'"I arrive on {guest.arrival:%d.%m.%Y} and leave on {guest.departure:%d.%m.%Y}.'
        f' {_describe_wishes(guest, 1)}"\n\n'
        f"Company: {guest.company.full}\nAddress: {guest.address}\nPhone: {guest.phone} (not my number below)\n\n"
        f"Best wishes\n{assistant.name}\nAssistant, phone {guest.phone[:-4]}0000"
    )
    return _build_mail(assistant, f"Registration of {guest.person.name}", body, sent)


def _write_double_mail(guests: list[Guest], _assistant: Person, sent: datetime.datetime) -> bytes:
    parts = [_format_entry(number, guest) for number, guest in enumerate(guests[2:4], 1)]
    body = f"Dear colleagues,\n\nthere are two of us this year:\n\n{''.join(parts)}Many thanks\n{guests[2].person.name}"
    return _build_mail(guests[2].person, "Two registrations for the fair", body, sent)


def _format_entry(number: int, guest: Guest) -> str:
    lines = {
        "Company": guest.company.full,
        "Address": guest.address,
        "Phone": guest.phone,
        "E-mail": guest.person.email,
        "From/to": f"{guest.arrival.day}/{guest.arrival.month} - {guest.departure.day}/{guest.departure.month}",
        "Ticket": {"One-day": "one day", "Three-day": "three days", "Exhibitor": "exhibitor"}[guest.ticket],
        "Car park": "yes" if guest.parking else "no",
        "Lunch": "vegetarian" if guest.vegetarian else "no wishes",
        "Wheelchair": "yes" if guest.access else "no",
        "Language of badge": guest.language,
    }
    listed = "".join(f"   {label}: {text}\n" for label, text in lines.items())
    return f"{number}. {guest.person.name}\n{listed}\n"


def _write_travel_mail(guests: list[Guest], _assistant: Person, sent: datetime.datetime) -> bytes:
    guest = guests[4]
    body = (
        f"Hello,\n\nhere is my registration. As our campus is large, please use the full address: {guest.address}.\n\nI"
        f" am with {guest.company.full}, phone {guest.phone}. I arrive on {_format_long_day(guest.arrival)} and leave"
        f" on {_format_long_day(guest.departure)}. {_describe_wishes(guest, 1)}\n\nSee you in"
        f" April\n{guest.person.name}"
    )
    return _build_mail(guest.person, "My registration", body, sent)


def _soon_gone(guests: list[Guest], _assistant: Person, sent: datetime.datetime) -> bytes:
    return _build_mail(guests[5].person, "Registration for the fair", _write_simple_body(guests[5]), sent)


_REGISTERING = (_write_simple_mail, _by_assistant, _write_double_mail, _write_travel_mail, _soon_gone)


def _correct_guest(rng: random.Random, guest: Guest) -> Guest:
    """Another day of arrival, another ticket, and parking the other way round."""
    days = [datetime.date(2026, 4, day) for day in range(13, 17)]
    return replace(
        guest,
        arrival=rng.choice([day for day in days if day != guest.arrival]),
        ticket=rng.choice([ticket for ticket in TICKETS if ticket != guest.ticket]),
        parking=not guest.parking,
    )


def _write_correction(
    world: World, rng: random.Random, old: Guest, new: Guest, begun: datetime.datetime
) -> tuple[datetime.datetime, bytes]:
    """The answer to the own mail, which it quotes."""
    sent = _get_moment(world, rng, 37)
    body = (
        f"Dear organisers,\n\nI am sorry, I must correct myself: I arrive on {_format_long_day(new.arrival)}, the "
        f"departure stays. {TICKETS[new.ticket][0]} {PARKING[new.parking]} All else is as I wrote.\n\nKind regards\n"
        f"{new.person.name}\n\nOn {begun:%d.%m.%Y} {old.person.name} wrote:\n"
        + "".join(f"> {line}\n" for line in _write_simple_body(old).split("\n"))
    )
    sender = _format_address(old.person)
    answers = message_id(sender, "Registration", begun)
    return sent, build_mail(
        sender=sender, to=[_DESK], subject="Re: Registration", body=body, sent=sent, answers=answers
    )  # fmt: skip


def _write_withdrawal(world: World, rng: random.Random, guest: Guest) -> tuple[datetime.datetime, bytes]:
    sent = _get_moment(world, rng, 38)
    body = (
        f"Hello,\n\nunfortunately I have to withdraw my registration. I hope to come next year.\n\n{guest.person.name}"
    )
    return sent, _build_mail(guest.person, "I cannot come", body, sent)


def _write_noise_mails(world: World, rng: random.Random, guests: list[Guest], staff: Sequence[Person]) -> Mails:
    """A registration for the fair of last year, and mails that register nobody."""
    far = replace(
        guests[4], address=guests[4].address.split(", c/o")[0], arrival=datetime.date(2025, 4, 8),
        departure=datetime.date(2025, 4, 10),
    )  # fmt: skip
    before = _get_moment(world, rng, 20).replace(year=2025)
    asks = f"Hello,\n\nwhat is the price of a stand of 12 square metres? I may come or not.\n\n{staff[7].name}"
    away = "I am out of office until 20 March and will answer your mail then."
    return [
        (before, _build_mail(far.person, "Registration for the fair 2025", _write_simple_body(far), before)),
        (when := _get_moment(world, rng, 30), _build_mail(staff[7], "A question", asks, when)),
        (when := _get_moment(world, rng, 33), _build_mail(staff[8], "Out of office: Fair", away, when)),
        (
            when := _get_moment(world, rng, 39),
            _build_mail(staff[8], "Offer: catering for fairs", "Our menus from 14 euros.", when),
        ),
    ]


_DESK = "Fair desk <fair@example.com>"


def _format_address(person: Person) -> str:
    return f"{person.name} <{person.email}>" if person.name.isascii() else person.email


def _build_mail(person: Person, subject: str, body: str, sent: datetime.datetime) -> bytes:
    return build_mail(sender=_format_address(person), to=[_DESK], subject=subject, body=body, sent=sent)


def _save_mails(world: World, rng: random.Random, mails: Mails, staff: Sequence[Person]) -> None:
    names = rng.sample(range(1000, 9999), len(mails))
    for name, (_, data) in zip(names, mails, strict=True):
        save_bytes(world.files / "inbox" / f"{name}.eml", data)
    build_form("2026").save(world.files / "forms" / "registration_2026.pdf")
    build_form("2024", language=False).save(world.files / "forms" / "old" / "registration_2024.pdf")
    rows: list[list[Any]] = [HEAD]
    rows += [
        [f"FA-2025-{n:03d}", staff[n].name, "", datetime.date(2025, 4, 8), datetime.date(2025, 4, 10), "One-day", "no"]
        for n in (6, 7)
    ]
    save_workbook(world.files / "registrations" / "2025" / "overview.xlsx", {"Participants": rows}, world.now)
    save_text(world.files / "forms" / "readme.md", "Use the form of the year. Forms stay fillable until the fair.\n")


def build_form(year: str, *, language: bool = True, values: Mapping[str, str] | None = None) -> Sheet:
    """The form; its fields are lines of 90 mm in 10 points."""
    field_values = values or {}
    sheet = Sheet(f"Registration form {year}", author="Fair desk")
    sheet.add_heading(f"Spring Fair {year}: registration", 0)
    sheet.text("One form for each participant. Dates as YYYY-MM-DD. Long addresses go on in the next line.")
    sheet.add_form(
        [
            Blank(name, label, value=field_values.get(name, ""))
            for name, label in (
                ("reg_no", "Registration no."), ("received", "Received on"), ("name", "Name"), ("company", "Company"),
                ("address1", "Address"), ("address2", "Address, continued"), ("address3", "Address, continued"),
                ("phone", "Phone"), ("email", "E-mail"), ("arrival", "Arrival"), ("departure", "Departure"),
            )
        ]
    )  # fmt: skip
    sheet.y += 4
    sheet.add_form([Blank("ticket", "Ticket", "radio", tuple(TICKETS))])
    sheet.y += 4
    boxes = {"parking": "Parking space", "vegetarian": "Vegetarian lunch", "access": "Step-free access"}
    sheet.add_form([Blank(name, label, "checkbox") for name, label in boxes.items()])
    if language:
        sheet.add_form([Blank("language", "Language of the badge", "choice", ("-", *LANGUAGES), width_mm=50)])
    return sheet
