"""Moments of work: on workdays, in the hours of the zone in which somebody works."""

import random
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo


def to_workday(day: date) -> date:
    """The day, or the Monday after it."""
    return day + timedelta(days=max(0, 7 - day.weekday()) if day.weekday() > 4 else 0)


def at_work(rng: random.Random, day: date, time_zone: str) -> datetime:
    """A minute between 8:00 and 17:30 on the day, or on the Monday after it."""
    return datetime.combine(to_workday(day), time(8), ZoneInfo(time_zone)) + timedelta(minutes=rng.randrange(570))


def choose_later_moment(rng: random.Random, after: datetime, days: int, time_zone: str) -> datetime:
    """A moment of work so many days after another one, and later than that in any case."""
    moment = at_work(rng, after.astimezone(ZoneInfo(time_zone)).date() + timedelta(days=days), time_zone)
    return moment if moment > after else after.astimezone(ZoneInfo(time_zone)) + timedelta(minutes=rng.randint(4, 50))


def make_moment(day: date, hour: int, minute: int, time_zone: str) -> datetime:
    """A time of a day in a zone."""
    return datetime.combine(day, time(hour, minute), ZoneInfo(time_zone))
