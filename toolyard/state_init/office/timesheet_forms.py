"""The forms on which people write down their hours: five habits, five layouts."""

import datetime
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from toolyard.state_init.workbooks import Book, Styled

Form = Literal["clock", "decimal", "duration", "split", "grid"]
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_NIGHTS = ((0, 360), (1320, 1800), (2760, 3240))
_MERGED = {"bold": True, "align": "center"}
_FIRST = datetime.date(2026, 2, 1)
_ABSENT = ("holiday", "sick", "training")


@dataclass(frozen=True)
class Day:
    """Work of one day in minutes from its midnight; without times only `end` - `start` - `pause` means something."""

    date: datetime.date
    start: int
    end: int
    pause: int
    timed: bool = True

    @property
    def net(self) -> int:
        """Minutes without the break."""
        return self.end - self.start - self.pause

    @property
    def night(self) -> int:
        """Minutes between 22:00 and 06:00."""
        if not self.timed:
            return 0
        return sum(max(0, min(self.end, last) - max(self.start, first)) for first, last in _NIGHTS)

    def untimed(self) -> "Day":
        """The same work without times."""
        return replace(self, timed=False)


def save_form(
    path: Path, form: Form, name: str, number: int, days: Sequence[Day], total: int, now: datetime.datetime
) -> None:
    """Write a filled-in form; `total` is the sum in minutes that is stated on it."""
    book = Book(now, title=f"Timesheet {name}", author=name)
    _FORMS[form](book, name, number, days, total)
    book.save(path)


def blank_form(path: Path, now: datetime.datetime) -> None:
    """An empty form."""
    book = Book(now, title="Timesheet", author="Human Resources")
    _clock(book, "(name)", 0, [], 0)
    book.save(path)


def decimal_form(path: Path, name: str, now: datetime.datetime, rng: random.Random) -> None:
    """A form of January."""
    first = datetime.date(2026, 1, 1)
    days = [first + datetime.timedelta(days=n) for n in range(4, 30)]
    worked = [Day(day, 480, 960 + 15 * rng.randint(0, 3), 30) for day in days if day.weekday() < 5]
    save_form(path, "decimal", name, 0, worked, sum(day.net for day in worked), now)


def _time(minutes: int) -> datetime.time:
    return datetime.time(minutes // 60 % 24, minutes % 60)


def _clock(book: Book, name: str, number: int, days: Sequence[Day], total: int) -> None:
    """Real dates and times, the break in minutes, a group head over start and end, days off with a remark."""
    rows: list[list[Any]] = [["Date", "Start", "End", "Break (min)", "Remark"]]
    by_date = {day.date: day for day in days}
    dates = sorted({*by_date, *(_FIRST + datetime.timedelta(days=n) for n in range(28))})
    for date in dates:
        day = by_date.get(date)
        if day is not None:
            rows.append([date, _time(day.start), _time(day.end), day.pause, "to next day" if day.end > 1440 else None])
        else:
            remark = None if date.weekday() > 4 or not days else _ABSENT[date.day % 3]
            rows.append([date, None, None, None, remark])
    rows.append([Styled("Total hours", {"bold": True}), None, None, None, total / 60 if days else None])
    title = f"Timesheet February 2026: {name}, personnel no. {number or '____'}"
    groups = (("", 1), ("Working time", 2), ("", 2))
    formats = {0: "ddd dd/mm/yyyy", 1: "hh:mm", 2: "hh:mm", 4: "0.00"}
    book.sheet("Timesheet", rows, title=title, groups=groups, formats=formats, widths={0: 17, 1: 9, 2: 9, 4: 16})
    help_text = [
        ["How to fill in this form"],
        ["One line a day. Shifts over midnight: write them on the day they begin."],
    ]
    book.sheet("Help", help_text, accent="7F7F7F")


def _decimal(book: Book, name: str, _number: int, days: Sequence[Day], total: int) -> None:
    """Dates and hours as text with a decimal comma, in German; the month before stands on a sheet of its own."""

    def comma(minutes: int) -> str:
        return f"{minutes / 60:.2f}".replace(".", ",")

    month = days[0].date.month
    if month == 2:
        before = [
            Day(day.date - datetime.timedelta(days=28), 480, day.end - day.start + 465, day.pause) for day in days
        ]
        sheets = [("Januar", before), ("Februar", list(days))]
    else:
        sheets = [("Januar", list(days))]
    for sheet, worked in sheets:
        rows: list[list[Any]] = [["Datum", "Wochentag", "Stunden", "Bemerkung"]]
        rows += [[f"{day.date:%d.%m.%Y}", WEEKDAYS_DE[day.date.weekday()], comma(day.net), None] for day in worked]
        stated = total if worked[0].date.month == month else sum(day.net for day in worked)
        rows.append([Styled("Summe", {"bold": True}), None, comma(stated), None])
        book.sheet(sheet, rows, title=f"Stundenzettel {sheet} 2026 {name}", accent="375623")


WEEKDAYS_DE = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")


def _duration(book: Book, name: str, number: int, days: Sequence[Day], total: int) -> None:
    """US dates as text and hours and minutes as text such as 7:45, below a merged head."""
    rows: list[list[Any]] = [["Day", "Worked h:mm", "Project"]]
    rows += [[f"{day.date:%m/%d/%Y}", f"{day.net // 60}:{day.net % 60:02d}", "general"] for day in days]
    rows.append([Styled("Sum", {"bold": True}), f"{total // 60}:{total % 60:02d}", None])
    book.sheet("Feb 2026", rows, title=f"{name} / {number}", groups=(("Month of February", 3),), accent="7B2C2C")


def _split(book: Book, name: str, number: int, days: Sequence[Day], total: int) -> None:
    """Morning and afternoon, each from and to, as text; the break lies between them."""
    rows: list[list[Any]] = [["Day", "From", "To", "From", "To", "Signed"]]
    for day in days:
        noon = day.start + (day.end - day.start - day.pause) // 30 * 15
        clock = [f"{_time(index):%H:%M}" for index in (day.start, noon, noon + day.pause, day.end)]
        rows.append([f"{WEEKDAYS[day.date.weekday()]} {day.date.day:02d} Feb", *clock, name.split()[0][0]])
    rows.append([Styled("Hours in February", {"bold": True}), None, None, None, round(total / 60, 2), None])
    groups = (("", 1), ("Morning", 2), ("Afternoon", 2), ("", 1))
    title = f"Working times {name} (no. {number}), February 2026"
    book.sheet("Times", rows, title=title, groups=groups, widths={0: 20, 1: 9, 2: 9, 3: 9, 4: 9}, accent="4A3F6B")


def _grid(book: Book, name: str, number: int, days: Sequence[Day], total: int) -> None:
    """A line for each week from Monday, minutes by weekday; the first and the last week hold days of other months."""
    minutes = {day.date: day.net for day in days}
    rows: list[list[Any]] = [["Week from", *WEEKDAYS]]
    monday = datetime.date(2026, 1, 26)
    for week in range(5):
        first = monday + datetime.timedelta(days=7 * week)
        rows.append([first, *(minutes.get(first + datetime.timedelta(days=n)) for n in range(7))])
    rows.append([Styled("February, hours", {"bold": True}), round(total / 60, 2), *[None] * 6])
    title = f"Minutes worked: {name}, personnel number {number}"
    groups = (("", 1), ("Minutes", 7))
    book.sheet("Minutes", rows, title=title, groups=groups, widths=dict.fromkeys(range(1, 8), 8), accent="1F4E78")


_FORMS = {"clock": _clock, "decimal": _decimal, "duration": _duration, "split": _split, "grid": _grid}
