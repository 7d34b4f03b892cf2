"""Days for seeded worlds: one of many, and all of a month."""

import calendar
import datetime
import random


def some_day(rng: random.Random, first: datetime.date, days: int) -> datetime.date:
    """One of so many days from `first` on."""
    return first + datetime.timedelta(days=rng.randrange(days))


def days_of(month: datetime.date) -> list[datetime.date]:
    """All days of a month, from its first."""
    return [month.replace(day=number) for number in range(1, calendar.monthrange(month.year, month.month)[1] + 1)]


def workdays_of(month: datetime.date) -> list[datetime.date]:
    """The days of a month from Monday to Friday."""
    return [day for day in days_of(month) if day.weekday() < 5]
