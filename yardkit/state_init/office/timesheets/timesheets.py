"""Days of work, and the forms on which people write them down: five habits, five layouts, any month."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from yardkit.state_init.days import days_of
from yardkit.state_init.spellings import format_clock
from yardkit.state_init.workbooks import Book, Styled

Form = Literal["clock", "decimal", "duration", "split", "grid"]
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_WEEKDAYS_DE = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
_MONTHS_DE = (
    *("Januar", "Februar", "März", "April", "Mai", "Juni"),
    *("Juli", "August", "September", "Oktober", "November", "Dezember"),
)
_NIGHTS = ((0, 360), (1320, 1800), (2760, 3240))
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

    def strip_times(self) -> "Day":
        """The same work without times."""
        return replace(self, timed=False)

    def rest_after(self, before: "Day") -> int:
        """Minutes between the end of an earlier day and the start of this one."""
        return (self.date - before.date).days * 1440 + self.start - before.end


def sum_minutes(days: Sequence[Day]) -> int:
    """Minutes without breaks."""
    return sum(day.net for day in days)


@dataclass(frozen=True)
class Timesheet:
    """What somebody hands in for a month (its first day); `stated` is the sum in minutes that is written below it."""

    name: str
    number: int
    month: datetime.date
    days: Sequence[Day]
    stated: int

    def save(self, path: Path, form: Form, now: datetime.datetime) -> None:
        """Write it on one of the forms."""
        book = Book(now, title=f"Timesheet {self.name}", author=self.name)
        _FORMS[form](book, self)
        book.save(path)


def save_blank(path: Path, month: datetime.date, now: datetime.datetime) -> None:
    """Write an empty form."""
    book = Book(now, title="Timesheet", author="Human Resources")
    _write_clock_layout(book, Timesheet("(name)", 0, month, [], 0))
    book.save(path)


def _write_clock_layout(book: Book, filled: Timesheet) -> None:
    """Real dates and times, the break in minutes, a group head over start and end, days off with a remark."""
    rows: list[list[Any]] = [["Date", "Start", "End", "Break (min)", "Remark"]]
    by_date = {day.date: day for day in filled.days}
    for date in sorted({*by_date, *days_of(filled.month)}):
        day = by_date.get(date)
        if day is not None:
            rows.append(
                [date, _to_time(day.start), _to_time(day.end), day.pause, "to next day" if day.end > 1440 else None]
            )
        else:
            remark = None if date.weekday() > 4 or not by_date else _ABSENT[date.day % 3]
            rows.append([date, None, None, None, remark])
    rows.append([_make_bold("Total hours"), None, None, None, filled.stated / 60 if by_date else None])
    title = f"Timesheet {filled.month:%B %Y}: {filled.name}, personnel no. {filled.number or '____'}"
    groups = (("", 1), ("Working time", 2), ("", 2))
    formats = {0: "ddd dd/mm/yyyy", 1: "hh:mm", 2: "hh:mm", 4: "0.00"}
    book.sheet("Timesheet", rows, title=title, groups=groups, formats=formats, widths={0: 17, 1: 9, 2: 9, 4: 16})
    rule = "One line a day. Shifts over midnight: write them on the day they begin."
    book.sheet("Help", [["How to fill in this form"], [rule]], accent="7F7F7F")


def _write_decimal_layout(book: Book, filled: Timesheet) -> None:
    """Dates and hours as text with a decimal comma, in German; the month before stands on a sheet of its own."""
    sheets = [(filled.month.month, list(filled.days), filled.stated)]
    if filled.month.month > 1:
        four_weeks = datetime.timedelta(days=28)
        before = [Day(day.date - four_weeks, 480, day.end - day.start + 465, day.pause) for day in filled.days]
        sheets.insert(0, (filled.month.month - 1, before, sum_minutes(before)))
    for month, days, stated in sheets:
        rows: list[list[Any]] = [["Datum", "Wochentag", "Stunden", "Bemerkung"]]
        rows += [
            [f"{day.date:%d.%m.%Y}", _WEEKDAYS_DE[day.date.weekday()], _format_decimal_comma(day.net), None]
            for day in days
        ]
        rows.append([_make_bold("Summe"), None, _format_decimal_comma(stated), None])
        name = _MONTHS_DE[month - 1]
        title = f"Stundenzettel {name} {filled.month.year} {filled.name}"
        book.sheet(name, rows, title=title, accent="375623")


def _write_duration_layout(book: Book, filled: Timesheet) -> None:
    """US dates as text and hours and minutes as text such as 7:45, below a merged head."""
    rows: list[list[Any]] = [["Day", "Worked h:mm", "Project"]]
    rows += [[f"{day.date:%m/%d/%Y}", _format_hours(day.net), "general"] for day in filled.days]
    rows.append([_make_bold("Sum"), _format_hours(filled.stated), None])
    groups = ((f"Month of {filled.month:%B}", 3),)
    title = f"{filled.name} / {filled.number}"
    book.sheet(f"{filled.month:%b %Y}", rows, title=title, groups=groups, accent="7B2C2C")


def _write_split_layout(book: Book, filled: Timesheet) -> None:
    """Morning and afternoon, each from and to, as text; the break lies between them."""
    rows: list[list[Any]] = [["Day", "From", "To", "From", "To", "Signed"]]
    for day in filled.days:
        noon = day.start + (day.end - day.start - day.pause) // 30 * 15
        times = [format_clock(minutes) for minutes in (day.start, noon, noon + day.pause, day.end)]
        rows.append([f"{WEEKDAYS[day.date.weekday()]} {day.date:%d %b}", *times, filled.name[0]])
    rows.append([_make_bold(f"Hours in {filled.month:%B}"), None, None, None, round(filled.stated / 60, 2), None])
    groups = (("", 1), ("Morning", 2), ("Afternoon", 2), ("", 1))
    title = f"Working times {filled.name} (no. {filled.number}), {filled.month:%B %Y}"
    book.sheet("Times", rows, title=title, groups=groups, widths={0: 20, 1: 9, 2: 9, 3: 9, 4: 9}, accent="4A3F6B")


def _write_grid_layout(book: Book, filled: Timesheet) -> None:
    """A line for each week from Monday, minutes by weekday; the first and the last week hold days of other months."""
    minutes = {day.date: day.net for day in filled.days}
    rows: list[list[Any]] = [["Week from", *WEEKDAYS]]
    first, last = days_of(filled.month)[0], days_of(filled.month)[-1]
    monday = first - datetime.timedelta(days=first.weekday())
    while monday <= last:
        week = [monday + datetime.timedelta(days=number) for number in range(7)]
        rows.append([monday, *(minutes.get(day) for day in week)])
        monday += datetime.timedelta(days=7)
    rows.append([_make_bold(f"{filled.month:%B}, hours"), round(filled.stated / 60, 2), *[None] * 6])
    title = f"Minutes worked: {filled.name}, personnel number {filled.number}"
    groups = (("", 1), ("Minutes", 7))
    book.sheet("Minutes", rows, title=title, groups=groups, widths=dict.fromkeys(range(1, 8), 8), accent="1F4E78")


_FORMS = {
    "clock": _write_clock_layout,
    "decimal": _write_decimal_layout,
    "duration": _write_duration_layout,
    "split": _write_split_layout,
    "grid": _write_grid_layout,
}


def _make_bold(text: str) -> Styled:
    return Styled(text, {"bold": True})


def _to_time(minutes: int) -> datetime.time:
    return datetime.time(minutes // 60 % 24, minutes % 60)


def _format_decimal_comma(minutes: int) -> str:
    return f"{minutes / 60:.2f}".replace(".", ",")


def _format_hours(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"
