"""Twelve timesheets on five forms, with versions, corrections by mail, shifts over midnight and breaches of rules."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from yardkit.state_init.days import some_day, workdays_of
from yardkit.state_init.mails import send_mail
from yardkit.state_init.material import take_out, typeset_markdown
from yardkit.state_init.names import DEPARTMENTS, Person, ascii_of, make_people, near_duplicate
from yardkit.state_init.office.timesheets.timesheets import Day, Form, Timesheet, save_blank, sum_minutes
from yardkit.state_init.spellings import format_clock
from yardkit.state_init.workbooks import Book
from yardkit.world import World

MONTH = datetime.date(2026, 2, 1)
FORMS: tuple[Form, ...] = (
    *("clock", "clock", "clock", "clock", "decimal", "decimal", "duration", "duration", "split", "split"),
    *("grid", "grid"),
)
LONG_MIN, BREAK_AFTER_MIN, BREAK_MIN, REST_MIN = 600, 360, 30, 660
SHIFTS = ((330, 840), (840, 1350), (1320, 1815))
"""Early, late and night, in minutes from midnight."""
SINGLE_DAY = datetime.timedelta(days=1)


@dataclass
class Clerk:
    """Somebody who is paid by the hour; `rate` is in cents, `stated` the sum in minutes on the form handed in."""

    number: int
    person: Person
    rate: int
    handed: list[Day] = field(default_factory=list)
    stated: int = 0
    counted: list[Day] = field(default_factory=list)

    def sums(self, supplement: int) -> dict[str, float]:
        """Hours, night hours and pay of the month."""
        hours, night = sum_minutes(self.counted) / 60, sum(day.night for day in self.counted) / 60
        cents = hours * self.rate + night * self.rate * supplement / 100
        return {"hours": hours, "night": night, "pay": int(cents + 0.5) / 100}


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Write the timesheets, staff, rules and mails; the facts hold what counts after all corrections."""
    staff = _make_clerks(rng)
    payroll, manager = staff[:12], staff[13].person
    rng.shuffle(payroll)
    supplement = rng.choice((20, 25, 30))
    for index, (clerk, form) in enumerate(zip(payroll, FORMS, strict=True)):
        clerk.handed = _in_shifts(rng, index) if index < 2 else _make_month(rng, form)
        clerk.counted = _of_month(clerk.handed)
        clerk.stated = sum_minutes(clerk.counted)
    by_number = sorted(payroll, key=lambda clerk: clerk.number)
    for clerk in rng.sample(by_number, 2):
        clerk.stated += rng.choice((-30, 45, 60, 120))
    exceptions = [[str(clerk.number), "", "TOTAL"] for clerk in payroll if clerk.stated != sum_minutes(clerk.counted)]
    _write_forms(world, rng, payroll)
    _write_mails(world, rng, payroll[2:4], manager)
    _write_staff(world, rng, staff)
    _write_rules(world, supplement, manager)
    sums = {str(clerk.number): clerk.sums(supplement) for clerk in by_number}
    return {
        "prompt": {"manager": manager.name},
        "supplement": supplement / 100,
        "names": {str(clerk.number): clerk.person.name for clerk in payroll},
        "rates": {str(clerk.number): clerk.rate / 100 for clerk in payroll},
        "entries": {
            f"{clerk.number} {day.date.isoformat()}": [day.net / 60, day.night / 60]
            for clerk in payroll
            for day in clerk.counted
        },
        "sums": sums,
        "totals": {key: round(sum(of[key] for of in sums.values()), 2) for key in ("hours", "night", "pay")},
        "exceptions": sorted([*exceptions, *(breach for clerk in payroll for breach in _find_breaches(clerk))]),
    }


def _make_clerks(rng: random.Random) -> list[Clerk]:
    """Forty people; the last three are easily taken for the first three."""
    clerk_names = make_people(rng, 37)
    clerk_names += [replace(person, last=near_duplicate(rng, person.last)) for person in clerk_names[:3]]
    numbers = rng.sample(range(1001, 1999), len(clerk_names))
    return [
        Clerk(number, person, 5 * rng.randint(284, 640)) for number, person in zip(numbers, clerk_names, strict=True)
    ]


def _make_month(rng: random.Random, form: Form) -> list[Day]:
    """Days of office hours, among them a long one, one with a short break, and one of exactly ten hours."""
    days = workdays_of(MONTH)
    away = set(rng.sample(days, rng.randint(1, 4)))
    worked = [_office_day(rng, day) for day in days if day not in away]
    long, hurried, exact = rng.sample(range(len(worked)), 3)
    worked[long] = replace(worked[long], end=worked[long].start + 645 + worked[long].pause)
    worked[hurried] = replace(worked[hurried], pause=15)
    worked[exact] = replace(worked[exact], end=worked[exact].start + LONG_MIN + 30, pause=30)
    if form == "grid":
        worked = [_office_day(rng, MONTH - 3 * SINGLE_DAY), *worked, _office_day(rng, MONTH.replace(month=3))]
    return worked if form in ("clock", "split") else [day.strip_times() for day in worked]


def _office_day(rng: random.Random, date: datetime.date) -> Day:
    start, pause = 15 * rng.randint(26, 38), rng.choice((30, 30, 45, 60))
    return Day(date, start, start + 15 * rng.randint(29, 35) + pause, pause)


def _in_shifts(rng: random.Random, index: int) -> list[Day]:
    """Weeks of one shift each; a swap that leaves too little rest; nights that begin or end in another month."""
    shift_days = []
    weeks = [*rng.sample(range(3), 3), 2]
    if weeks[1] != 1:
        weeks[0], weeks[weeks.index(1, 0, 3)] = 1, weeks[0]
    for week, shift in enumerate(weeks):
        for weekday in range(5 if week < 3 else 6):
            start, end = SHIFTS[shift]
            end += 15 * rng.choice((0, 0, 1, 2))
            shift_days.append(Day(MONTH + (1 + 7 * week + weekday) * SINGLE_DAY, start, end, rng.choice((30, 30, 45))))
    late = [place for place, day in enumerate(shift_days[:-1]) if day.start == SHIFTS[1][0] and day.date.weekday() < 4]
    swapped = rng.choice(late) + 1
    shift_days[swapped] = Day(shift_days[swapped].date, *SHIFTS[0], 30)
    return shift_days if index else [Day(MONTH - SINGLE_DAY, *SHIFTS[2], 30), *shift_days]


def _of_month(days: Sequence[Day]) -> list[Day]:
    return [day for day in days if day.date.month == MONTH.month]


def _find_breaches(clerk: Clerk) -> list[list[str]]:
    """Number, ISO date and code."""
    breach_rows = []
    for before, day in zip([None, *clerk.counted], clerk.counted, strict=False):
        breaches = {
            "LONG": day.net > LONG_MIN,
            "BREAK": day.timed and day.net > BREAK_AFTER_MIN and day.pause < BREAK_MIN,
            "REST": before is not None and day.timed and day.rest_after(before) < REST_MIN,
        }
        breach_rows += [[str(clerk.number), day.date.isoformat(), code] for code, broken in breaches.items() if broken]
    return breach_rows


def _write_forms(world: World, rng: random.Random, payroll: Sequence[Clerk]) -> None:
    """The forms of the month, three of them in two versions, an empty form, and forms of January."""
    folder, twice = world.files / "timesheets", set(rng.sample(range(12), 3))
    for index, (clerk, form) in enumerate(zip(payroll, FORMS, strict=True)):
        filled = Timesheet(clerk.person.name, clerk.number, MONTH, clerk.handed, clerk.stated)
        path = folder / "2026-02" / _file_name(clerk, index)
        if index in twice:
            days = clerk.handed[:-2]
            days = [replace(day, end=day.end - 30) if place % 6 == 1 else day for place, day in enumerate(days)]
            older = replace(filled, days=days, stated=sum_minutes(_of_month(days)))
            older.save(path.with_name(f"{path.name}_v1.xlsx"), form, world.now)
            path = path.with_name(f"{path.name}_v2")
        filled.save(path.with_name(f"{path.name}.xlsx"), form, world.now)
    save_blank(folder / "blank_form.xlsx", MONTH, world.now)
    january = MONTH.replace(month=1)
    for clerk in payroll[4:7]:
        days = [Day(day, 480, 960 + 15 * rng.randint(0, 3), 30) for day in workdays_of(january) if 4 < day.day < 31]
        path = folder / "2026-01" / f"{ascii_of(clerk.person.last)}_2026-01.xlsx"
        Timesheet(clerk.person.name, 0, january, days, sum_minutes(days)).save(path, "decimal", world.now)


def _file_name(clerk: Clerk, index: int) -> str:
    first, last, initials = (ascii_of(name) for name in (clerk.person.first, clerk.person.last, clerk.person.initials))
    names = (f"{last}_2026-02", f"timesheet feb {first} {last}", f"{initials.upper()}-{clerk.number}-february")
    return names[index % 3]


def _write_mails(world: World, rng: random.Random, clerks: Sequence[Clerk], manager: Person) -> None:
    """Two corrections, one of them approved and so counted, and a mail about something else."""
    folder, sent = world.files / "mails", datetime.datetime(2026, 3, 2, 7, 40, tzinfo=datetime.UTC)
    replies = [("Approved.", True), ("No, the gate recorded the time that is on the sheet. It stays.", False)]
    rng.shuffle(replies)
    for number, (clerk, (reply, approved)) in enumerate(zip(clerks, replies, strict=True)):
        reported_day = rng.choice([day for day in clerk.handed if day.net < 540 and day.pause >= 30])
        later = replace(reported_day, end=reported_day.end + 75)
        if approved:
            clerk.counted = [later if day is reported_day else day for day in clerk.counted]
        date, when = f"{reported_day.date.day} February", sent + datetime.timedelta(minutes=47 * number)
        sender, subject = clerk.person, f"My timesheet, {date}"
        body = (
            f"Dear {manager.first},\n\non {date} I wrote {format_clock(reported_day.end)} as the end of my day. In fact"
            f" I left at {format_clock(later.end)}. Could you correct that, please?\n\nPersonnel no."
            f" {clerk.number}\n{sender.name}\n"
        )
        asked = send_mail(folder / f"2026-03-02_{2 * number + 1:02d}.eml", sender, manager, subject, body, when)
        path, text = folder / f"2026-03-02_{2 * number + 2:02d}.eml", f"{reply}\n\n{manager.name}\n"
        when, cc = when + datetime.timedelta(minutes=13), ["Payroll <payroll@example.com>"]
        send_mail(path, manager, sender, f"Re: {subject}", text, when, cc=cc, answers=asked)
    party = "The canteen is closed on 13 March. There will be sandwiches in the lobby.\n"
    send_mail(folder / "2026-03-02_05.eml", manager, "all@example.com", "Canteen", party, sent)


def _write_staff(world: World, rng: random.Random, staff: Sequence[Clerk]) -> None:
    head = ["Personnel no.", "Last name", "First name", "Department", "Rate EUR/h", "Since"]
    ordered = sorted(staff, key=lambda clerk: (clerk.person.last, clerk.person.first))
    since = [some_day(rng, datetime.date(2014, 1, 1), 3900) for _ in ordered]
    book = Book(world.now, title="Staff", author="Human Resources")
    for sheet, share in (("Rates 2025", 0.96), ("Rates 2026", 1.0)):
        rows: list[list[Any]] = [head]
        for clerk, day in zip(ordered, since, strict=True):
            person, rate = clerk.person, round(clerk.rate * share / 5) * 5 / 100
            rows.append([clerk.number, person.last, person.first, person.department or DEPARTMENTS[0], rate, day])
        book.sheet(sheet, rows, formats={4: "0.00"})
    book.save(world.files / "staff.xlsx")


def _write_rules(world: World, supplement: int, manager: Person) -> None:
    """The rules in force, and those of two years ago."""
    rules = take_out(world, "payroll_rules.md")
    for name, year, percent, limit in (("payroll_rules", 2026, supplement, 10), ("payroll_rules_2024", 2024, 15, 9)):
        text, header = rules.format(year=year, percent=percent, limit=limit), f"valid from 1 January {year}"
        paper = typeset_markdown(
            text, author=manager.name, now=world.now, header=("Payroll rules", "\t\t", header), widths_mm=[25, 135]
        )
        paper.save(world.files / f"{name}.docx")
