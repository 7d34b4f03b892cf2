"""Rooms that a seeded company has booked: confirmations with their terms, and a machine that cancels and moves them.

Free cancellation ends by the clock of the hotel, whose zone no mail names.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from yardkit.apps.mail import Rule
from yardkit.state_init.company.letters import Letter, join_paragraphs, link_thread
from yardkit.state_init.company.persons import Somebody

LISTED = ("booking", "hotel", "for", "arrival", "departure", "rooms", "status", "reference")
Word = Literal["CANCEL", "CHANGE"]
DONE: dict[Word, str] = {"CANCEL": "cancelled", "CHANGE": "changed"}
_TERMS = (
    "Free cancellation until {until}. After that the whole stay is charged, but it may still be moved to other days "
    "once, free of charge. All times are those of the hotel.",
    "To cancel, write to this address with the subject CANCEL {number}. To move your stay, write with the subject "
    "CHANGE {number} and the new days of arrival and departure in the text, such as 2026-01-31. One mail for each "
    "booking, please: a machine reads them, and answers at once.",
)


@dataclass(frozen=True)
class Booking:
    """Rooms at a hotel.

    Attributes:
        hotel: its name, which gives its address.
        purpose: what they are for.
        until: when free cancellation ends, as the hotel writes it.
        prolonged: until when it was prolonged later on; empty for never.
        reference: what the hotel's machine answered with, of one that was cancelled or moved.
    """

    number: str
    hotel: str
    purpose: str
    arrival: date
    departure: date
    rooms: int
    until: str
    prolonged: str = ""
    status: str = "confirmed"
    reference: str = ""

    @property
    def email(self) -> str:
        return f"reservations@{self.hotel.casefold().replace(' ', '-')}.example"

    @property
    def mailbox(self) -> str:
        return f"Reservations {self.hotel} <{self.email}>"

    @property
    def row(self) -> tuple[str, ...]:
        """It in a list with the headers `LISTED`."""
        days = str(self.arrival), str(self.departure)
        return (self.number, self.hotel, self.purpose, *days, str(self.rooms), self.status, self.reference)

    def move(self, days: timedelta) -> "Booking":
        """The same stay so much later."""
        return replace(self, arrival=self.arrival + days, departure=self.departure + days)

    def settle(self, word: Word, rng: random.Random) -> "Booking":
        """As it is once the machine was asked, with the number that it answers."""
        return replace(self, status=DONE[word], reference=f"{DONE[word][:2].upper()}-{rng.randint(10**5, 10**6 - 1)}")


def letters_of(booking: Booking, guest: Somebody, sent: datetime) -> Iterator[Letter]:
    """Confirmation, prolongation, and how it was cancelled or moved by a week."""
    key, number = f"booking/{booking.number}", booking.number
    was = booking.move(timedelta(days=-7)) if booking.status == "changed" else booking
    facts = f"Booking: {number}\nFor: {was.purpose}\nArrival: {was.arrival}\nDeparture: {was.departure}"
    terms = (text.format(number=number, until=booking.until) for text in _TERMS)
    text = join_paragraphs(f"Dear {guest.name},", "thank you for your booking.", f"{facts}\nRooms: {was.rooms}", *terms)
    first = Letter(key, booking.mailbox, (guest.mailbox,), f"Your booking {number}", text, sent)
    yield from link_thread(first, *(_write_prolongation(booking, guest, sent) if booking.prolonged else ()))
    word = next((word for word, done in DONE.items() if done == booking.status), None)
    if word:
        text = f"Arrival {booking.arrival}, departure {booking.departure}." if word == "CHANGE" else "Thank you."
        asked = Letter(
            *(f"{key}/{word}", guest.mailbox, (booking.mailbox,), f"{word} {number}", text, sent + timedelta(days=9)),
        )
        answer = replace(
            asked, key=f"{key}/done", sender=booking.mailbox, to=(guest.mailbox,), text=format_machine_answer(booking)
        )
        yield from link_thread(asked, replace(answer, sent=asked.sent + timedelta(minutes=2)))


def _write_prolongation(booking: Booking, guest: Somebody, sent: datetime) -> Iterator[Letter]:
    key, days = f"booking/{booking.number}", timedelta(days=20)
    ask = f"Dear team,\n\ncould you give us more time to cancel this one?\n\n{guest.first}"
    reply_text = f"gladly: for this booking free cancellation now ends on {booking.prolonged}. All other terms stay."
    yield Letter(f"{key}/asked", guest.mailbox, (booking.mailbox,), "", ask, sent + days)
    text = f"Dear {guest.name},\n\n{reply_text}"
    yield Letter(f"{key}/given", booking.mailbox, (guest.mailbox,), "", text, sent + days + timedelta(hours=5))


def format_machine_answer(booking: Booking) -> str:
    """What the machine writes of one that it has cancelled or moved."""
    return f"Booking {booking.number} is {booking.status}. Our reference: {booking.reference}"


def rule_of(booking: Booking, settled: Booking, word: Word) -> Rule:
    """The machine: what it answers to a mail that says such as ``CANCEL K40213``."""
    return Rule(booking.email, format_machine_answer(settled), [f"{word} {booking.number}"], minutes=2)
