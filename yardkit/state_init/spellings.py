"""Numbers, days and times as different people write them."""

import datetime
from decimal import Decimal


def format_english(number: float | Decimal, places: int = 2) -> str:
    """Such as 1,234.50."""
    return f"{number:,.{places}f}"


def format_german(number: float | Decimal, places: int = 2) -> str:
    """Such as 1.234,50."""
    return format_english(number, places).translate(str.maketrans(",.", ".,"))


def format_spaced(number: float | Decimal, places: int = 2) -> str:
    """Such as 1 234,50."""
    return format_english(number, places).translate(str.maketrans(",.", " ,"))


def format_clock(minutes: int) -> str:
    """Minutes from midnight, such as 07:05; of the next day from 1440 on."""
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def in_words(day: datetime.date) -> str:
    """Such as 5 March 2026."""
    return f"{day.day} {day:%B %Y}"
