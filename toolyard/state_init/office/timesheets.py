"""Twelve timesheets on five forms, with versions, corrections by mail, shifts over midnight and breaches of rules."""

import datetime
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from toolyard.state_init.documents import FieldCode, Paper
from toolyard.state_init.mails import mail, message_id, save_mail
from toolyard.state_init.names import DEPARTMENTS, Person, ascii_of, near_duplicate, people
from toolyard.state_init.office.timesheet_forms import Day, Form, blank_form, decimal_form, save_form
from toolyard.world import World, save_text

MONTH = datetime.date(2026, 2, 1)
FORMS: tuple[Form, ...] = (
    *("clock", "clock", "clock", "clock", "decimal", "decimal", "duration", "duration", "split", "split"),
    *("grid", "grid"),
)
LONG_MIN, BREAK_AFTER_MIN, BREAK_MIN, REST_MIN = 600, 360, 30, 660
CODES = {
    "LONG": "More than {limit} hours net on one day.",
    "BREAK": "More than 6 hours net on one day with a break of less than 30 minutes. Only where times are given.",
    "REST": "Less than 11 hours between the end of a shift and the start of the next one. It is listed with the day of "
    "the later shift. Only where times are given.",
    "TOTAL": "The total that is stated on the timesheet differs from the sum of its days of the month, as handed in "
    "(corrections by mail do not count for this). It is listed without a date.",
}
SHIFTS = ((330, 840), (840, 1350), (1320, 1815))
"""Early, late and night, in minutes from midnight."""


@dataclass(frozen=True)
class Clerk:
    """Somebody who is paid by the hour; `rate` is in cents."""

    number: int
    person: Person
    rate: int


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the timesheets, staff, rules and mails; the facts hold what counts after all corrections."""
    staff = _staff(rng)
    payroll, manager = staff[:12], staff[13].person
    rng.shuffle(payroll)
    supplement = rng.choice((20, 25, 30))
    handed = {
        clerk.number: _month(rng, form, index) for index, (clerk, form) in enumerate(zip(payroll, FORMS, strict=True))
    }
    stated = {number: sum(day.net for day in _of_month(days)) for number, days in handed.items()}
    for number in rng.sample(sorted(stated), 2):
        stated[number] += rng.choice((-30, 45, 60, 120))
    _write_forms(world, rng, payroll, handed, stated)
    corrected = _write_mails(world, rng, payroll, handed, manager)
    _write_staff(world, rng, staff)
    _write_rules(world, supplement, manager)
    counted = {number: _of_month(days) for number, days in corrected.items()}
    sums = {number: _sum(counted[number], _clerk(staff, number).rate, supplement) for number in sorted(counted)}
    totals = {key: round(sum(total[key] for total in sums.values()), 2) for key in ("hours", "night", "pay")}
    return {
        "prompt": {"manager": manager.name},
        "supplement": supplement / 100,
        "names": {str(clerk.number): clerk.person.name for clerk in payroll},
        "rates": {str(clerk.number): clerk.rate / 100 for clerk in payroll},
        "entries": {
            f"{number} {day.date.isoformat()}": [day.net / 60, day.night / 60]
            for number, days in counted.items()
            for day in days
        },
        "sums": {str(number): total for number, total in sums.items()},
        "totals": totals,
        "exceptions": _exceptions(counted, handed, stated),
    }


def _staff(rng: random.Random) -> list[Clerk]:
    """Forty people; the last three are easily taken for the first three."""
    found = people(rng, 37)
    found += [replace(person, last=near_duplicate(rng, person.last)) for person in found[:3]]
    numbers = rng.sample(range(1001, 1999), len(found))
    return [Clerk(number, person, 5 * rng.randint(284, 640)) for number, person in zip(numbers, found, strict=True)]


def _clerk(staff: Sequence[Clerk], number: int) -> Clerk:
    return next(clerk for clerk in staff if clerk.number == number)


def _month(rng: random.Random, form: Form, index: int) -> list[Day]:
    if form == "clock" and index < 2:
        return _in_shifts(rng, index)
    days = [MONTH + datetime.timedelta(days=n) for n in range(28) if (MONTH + datetime.timedelta(days=n)).weekday() < 5]
    away = set(rng.sample(days, rng.randint(1, 4)))
    worked = [_timed(rng, day) for day in days if day not in away]
    for place, change in zip(rng.sample(range(len(worked)), 3), (_long, _hurried, _exactly), strict=True):
        worked[place] = change(worked[place])
    if form == "grid":
        worked = [_timed(rng, MONTH - datetime.timedelta(days=3)), *worked, _timed(rng, MONTH.replace(month=3))]
    return worked if form in ("clock", "split") else [day.untimed() for day in worked]


def _timed(rng: random.Random, date: datetime.date) -> Day:
    start, pause = 15 * rng.randint(26, 38), rng.choice((30, 30, 45, 60))
    return Day(date, start, start + 15 * rng.randint(29, 35) + pause, pause)


def _long(day: Day) -> Day:
    return replace(day, end=day.start + 645 + day.pause)


def _hurried(day: Day) -> Day:
    return replace(day, pause=15)


def _exactly(day: Day) -> Day:
    return replace(day, end=day.start + 600 + 30, pause=30)


def _in_shifts(rng: random.Random, index: int) -> list[Day]:
    """Weeks of one shift each; a swap that leaves too little rest; nights that begin or end in another month."""
    made = []
    weeks = [*rng.sample(range(3), 3), 2]
    if weeks[1] != 1:
        weeks[0], weeks[weeks.index(1, 0, 3)] = 1, weeks[0]
    for week, shift in enumerate(weeks):
        for weekday in range(5 if week < 3 else 6):
            date = MONTH + datetime.timedelta(days=1 + 7 * week + weekday)
            start, end = SHIFTS[shift]
            made.append(Day(date, start, end + 15 * rng.choice((0, 0, 1, 2)), rng.choice((30, 30, 45))))
    late = [place for place, day in enumerate(made[:-1]) if day.start == SHIFTS[1][0] and day.date.weekday() < 4]
    swapped = rng.choice(late) + 1
    made[swapped] = Day(made[swapped].date, *SHIFTS[0], 30)
    if index == 0:
        made.insert(0, Day(MONTH - datetime.timedelta(days=1), *SHIFTS[2], 30))
    return made


def _of_month(days: Sequence[Day]) -> list[Day]:
    return [day for day in days if day.date.month == MONTH.month]


def _sum(days: Sequence[Day], rate: int, supplement: int) -> dict[str, float]:
    hours, night = sum(day.net for day in days) / 60, sum(day.night for day in days) / 60
    cents = hours * rate + night * rate * supplement / 100
    return {"hours": hours, "night": night, "pay": int(cents + 0.5) / 100}


def _exceptions(counted: dict[int, list[Day]], handed: dict[int, list[Day]], stated: dict[int, int]) -> list[list[str]]:
    """Number, ISO date (empty for a total) and code, sorted."""
    found = []
    for number, days in counted.items():
        for before, day in zip([None, *days[:-1]], days, strict=True):
            breaches = {
                "LONG": day.net > LONG_MIN,
                "BREAK": day.timed and day.net > BREAK_AFTER_MIN and day.pause < BREAK_MIN,
                "REST": before is not None and day.timed and _rest(before, day) < REST_MIN,
            }
            found += [[str(number), day.date.isoformat(), code] for code, broken in breaches.items() if broken]
        if stated[number] != sum(day.net for day in _of_month(handed[number])):
            found.append([str(number), "", "TOTAL"])
    return sorted(found)


def _rest(before: Day, day: Day) -> int:
    return (day.date - before.date).days * 1440 + day.start - before.end


def _write_forms(
    world: World,
    rng: random.Random,
    payroll: Sequence[Clerk],
    handed: dict[int, list[Day]],
    stated: dict[int, int],
) -> None:
    """The forms of the month, three of them in two versions, an empty form, and forms of January."""
    folder, twice = world.files / "timesheets" / "2026-02", set(rng.sample(range(12), 3))
    for index, (clerk, form) in enumerate(zip(payroll, FORMS, strict=True)):
        title, days = f"{clerk.person.name}", handed[clerk.number]
        styles: tuple[Callable[[Clerk], str], ...] = (
            lambda one: f"{ascii_of(one.person.last)}_2026-02",
            lambda one: f"timesheet feb {ascii_of(one.person.first)} {ascii_of(one.person.last)}",
            lambda one: f"{ascii_of(one.person.initials).upper()}-{one.number}-february",
        )
        name = styles[index % 3](clerk)
        if index in twice:
            older = [replace(day, end=day.end - 30) if place % 6 == 1 else day for place, day in enumerate(days[:-2])]
            total = sum(day.net for day in _of_month(older))
            save_form(folder / f"{name}_v1.xlsx", form, title, clerk.number, older, total, world.now)
            name += "_v2"
        save_form(folder / f"{name}.xlsx", form, title, clerk.number, days, stated[clerk.number], world.now)
    blank_form(world.files / "timesheets" / "blank_form.xlsx", world.now)
    for clerk in payroll[4:7]:
        path = world.files / "timesheets" / "2026-01" / f"{ascii_of(clerk.person.last)}_2026-01.xlsx"
        decimal_form(path, clerk.person.name, world.now, rng)


def _write_mails(
    world: World, rng: random.Random, payroll: Sequence[Clerk], handed: dict[int, list[Day]], manager: Person
) -> dict[int, list[Day]]:
    """Two corrections, one of them approved; the days after it."""
    corrected, boss = dict(handed), f"{manager.name} <{manager.email}>"
    sent = datetime.datetime(2026, 3, 2, 7, 40, tzinfo=datetime.UTC)
    replies = [("Approved.", True), ("No, the gate recorded the time that is on the sheet. It stays.", False)]
    rng.shuffle(replies)
    for number, (clerk, (reply, approved)) in enumerate(zip(payroll[2:4], replies, strict=True)):
        days = handed[clerk.number]
        place = rng.choice([n for n, day in enumerate(days) if day.net < 540 and day.pause >= 30])
        later = replace(days[place], end=days[place].end + 75)
        day, when = later.date, sent + datetime.timedelta(minutes=47 * number)
        sender, subject = f"{clerk.person.name} <{clerk.person.email}>", f"My timesheet, {day.day} February"
        body = (
            f"Dear {manager.first},\n\non {day.day} February I wrote {_clock(days[place].end)} as the end of my day. "
            f"In fact I left at {_clock(later.end)}. Could you correct that, please?\n\nPersonnel no. {clerk.number}\n"
            f"{clerk.person.name}\n"
        )
        folder = world.files / "mails"
        ask = mail(sender=sender, to=[boss], subject=subject, body=body, sent=when)
        save_mail(folder / f"2026-03-02_{2 * number + 1:02d}.eml", ask)
        answer = mail(
            sender=boss,
            to=[sender],
            cc=["Payroll <payroll@example.com>"],
            subject=f"Re: {subject}",
            body=f"{reply}\n\n{manager.name}\n",
            sent=when + datetime.timedelta(minutes=13),
            answers=message_id(sender, subject, when),
        )
        save_mail(folder / f"2026-03-02_{2 * number + 2:02d}.eml", answer)
        if approved:
            corrected[clerk.number] = [later if n == place else other_day for n, other_day in enumerate(days)]
    party = "The canteen is closed on 13 March. There will be sandwiches in the lobby.\n"
    data = mail(sender=boss, to=["all@example.com"], subject="Canteen", body=party, sent=sent)
    save_mail(world.files / "mails" / "2026-03-02_05.eml", data)
    return corrected


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def _write_staff(world: World, rng: random.Random, staff: Sequence[Clerk]) -> None:
    from toolyard.state_init.workbooks import Book

    head = ["Personnel no.", "Last name", "First name", "Department", "Rate EUR/h", "Since"]
    ordered = sorted(staff, key=lambda member: (member.person.last, member.person.first))
    since = [datetime.date(2014, 1, 1) + datetime.timedelta(days=rng.randrange(3900)) for _ in ordered]
    book = Book(world.now, title="Staff", author="Human Resources")
    for sheet, share in (("Rates 2025", 0.96), ("Rates 2026", 1.0)):
        rows: list[list[Any]] = [head]
        for clerk, day in zip(ordered, since, strict=True):
            rate = clerk.rate / 100 if share == 1 else round(clerk.rate * share / 5) * 5 / 100
            person = clerk.person
            rows.append([clerk.number, person.last, person.first, person.department or DEPARTMENTS[0], rate, day])
        book.sheet(sheet, rows, formats={4: "0.00"})
    book.save(world.files / "staff.xlsx")


def _write_rules(world: World, supplement: int, manager: Person) -> None:
    """The rules in force, those of two years ago, and a note."""
    for name, year, percent, limit in (("payroll_rules", 2026, supplement, 10), ("payroll_rules_2024", 2024, 15, 9)):
        paper = Paper(f"Payroll rules {year}", author=manager.name, now=world.now)
        paper.header("Payroll rules", "\t\t", f"valid from 1 January {year}")
        paper.footer("Page ", FieldCode("PAGE"))
        paper.heading(f"Payroll rules {year}", 0)
        paper.heading("Hours")
        paper.bullets(
            [
                "Hours are paid net of breaks. They are never rounded; a quarter of an hour is 0.25.",
                "A shift that ends after midnight belongs, with all its hours, to the day on which it begins.",
                "Night hours are the hours between 22:00 and 06:00. Breaks are not taken off the night hours.",
                "Who hands in hours only, without times, has no night hours.",
            ]
        )
        paper.heading("Pay")
        text = f"Each hour is paid at the hourly rate. Each night hour is paid {percent} % of the rate on top of it."
        paper.paragraph(text, " The pay of a person for a month is rounded to full cents, once, at the end.")
        paper.heading("Exceptions")
        paper.paragraph("Payroll lists these with their code; it changes nothing because of them.")
        paper.table(
            [["Code", "Meaning"], *([code, says.format(limit=limit)] for code, says in CODES.items())],
            widths_mm=[25, 135],
        )
        paper.save(world.files / f"{name}.docx")
    lines = ["- order new key cards", "- February: payroll until the 6th", "- ask IT about the clock at the gate", ""]
    save_text(world.files / "notes.txt", "\n".join(lines))
