"""Typed values: what JSON, Python and a cell make of numbers, dates, texts, booleans and errors."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, time, timedelta

from yardkit.world import Problem

Scalar = str | int | float | bool | None
"""A value as tools take and give it: dates are ISO 8601 text, formulas begin with "="."""

MAX_TEXT = 32_767
MAX_EXACT = 2**53
BLOCKED = "#SPILL!"
"""The value of a formula that fills several cells where one of them holds something else."""
ERRORS = ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", BLOCKED, "#CALC!", "#GETTING_DATA")
DATE_FORMAT = "yyyy-mm-dd"
DATETIME_FORMAT = "yyyy-mm-dd hh:mm:ss"
TIME_FORMAT = "hh:mm:ss"
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_ISO_DATETIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?")
_ISO_TIME = re.compile(r"\d{2}:\d{2}(:\d{2})?")
_QUOTED = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]', re.IGNORECASE)
_ILLEGAL = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_ENTITY = re.compile(rb"&(?:#(\d+)|#x([0-9A-Fa-f]+)|(\w+));")
_ENTITIES = {b"lt": b"<", b"gt": b">", b"amp": b"&", b"quot": b'"', b"apos": b"'"}
_EPOCH_1900 = datetime(1899, 12, 30)  # noqa: DTZ001 - serial dates have no zone
_EPOCH_1904 = datetime(1904, 1, 1)  # noqa: DTZ001 - serial dates have no zone
_FALSE_LEAP_DAY = 60

Stored = str | int | float | bool | date | datetime | time | None
"""A value as it goes into a cell."""


def to_stored_value(value: Scalar, *, dates: bool = True) -> Stored:
    """What a tool's value becomes in a cell: ISO dates become dates (unless `dates` is false), ``'x`` the text x.

    Raises:
        Problem: not finite, or a text over 32,767 characters.
    """
    if isinstance(value, float) and not math.isfinite(value):
        raise Problem(f"{value} cannot be stored in a cell; use a number or text")
    if not isinstance(value, str):
        return value
    if len(value) > MAX_TEXT:
        raise Problem(
            f"a text of {len(value):,} characters is too long for a cell; the limit is {MAX_TEXT:,}. Split it"
        )
    if value.startswith("'"):
        return value[1:]
    return _parse_date(value) if dates else value


def _parse_date(text: str) -> Stored:
    if not "0" <= text[:1] <= "9":
        return text
    try:
        if _ISO_DATE.fullmatch(text):
            date_value: Stored = date.fromisoformat(text)
        elif _ISO_DATETIME.fullmatch(text):
            date_value = datetime.fromisoformat(text)
        elif _ISO_TIME.fullmatch(text):
            return time.fromisoformat(text)
        else:
            return text
    except ValueError:
        return text
    return date_value if isinstance(date_value, date) and date_value.year >= 1900 else text


def to_serial(value: date | time, *, date1904: bool) -> float | int:
    """The number of days since the workbook's epoch (ECMA-376 part 1, 18.17.4.1);
    Excel counts a 29 February 1900 that never was.
    """
    if isinstance(value, time):
        return (value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6) / 86400
    moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)  # noqa: DTZ001
    distance = moment - (_EPOCH_1904 if date1904 else _EPOCH_1900)
    days = distance.days if date1904 or distance.days > _FALSE_LEAP_DAY else distance.days - 1
    fraction = (distance.seconds + distance.microseconds / 1e6) / 86400
    return days + fraction if fraction else days


def from_serial(serial: float, code: str, *, date1904: bool) -> str | float | int:
    """ISO 8601 text of a serial date by its number format; a span such as ``[h]:mm`` as ``36:30:00``."""
    if "[" in _QUOTED.sub("", code):
        return _format_span(serial)
    if not -1 < serial < 2_958_466:
        return serial
    days = serial if date1904 or serial >= _FALSE_LEAP_DAY + 1 else serial + 1
    micros = round(days * 86_400_000_000 / 1000) * 1000
    moment = (_EPOCH_1904 if date1904 else _EPOCH_1900) + timedelta(microseconds=micros)
    has_date, has_time = _detect_date_parts(code)
    if not has_date:
        return _format_clock(moment)
    if has_time or (moment.hour, moment.minute, moment.second, moment.microsecond) != (0, 0, 0, 0):
        return moment.isoformat(sep="T", timespec="milliseconds" if moment.microsecond else "seconds")
    return moment.date().isoformat()


def is_date_format(code: str) -> bool:
    """Whether a number format shows dates or times (ECMA-376 part 1, 18.8.31)."""
    if code.lower() == "general" or "@" in code:
        return False
    has_date, has_time = _detect_date_parts(code)
    return has_date or has_time


def _detect_date_parts(code: str) -> tuple[bool, bool]:
    """Whether a format shows a date, and a time of day; ``m`` beside hours or seconds means minutes."""
    letters = _QUOTED.sub("", code.split(";")[0].lower())
    if "general" in letters or "e+" in letters or "e-" in letters:
        return False, False
    has_time = "h" in letters or "s" in letters
    return "d" in letters or "y" in letters or ("m" in letters and not has_time), has_time


def _format_clock(moment: datetime) -> str:
    return moment.time().isoformat(timespec="milliseconds" if moment.microsecond else "seconds")


def _format_span(serial: float) -> str:
    seconds = round(abs(serial) * 86400)
    return f"{'-' if serial < 0 else ''}{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def parse_number(text: str) -> int | float:
    """The number that a cell's text stands for, an integer where it is one."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < MAX_EXACT else value


def is_exact(text: str) -> bool:
    """Whether a whole number in digits is kept by a cell with all of them; numbers of accounts and the like are not."""
    return not text.lstrip("+-").isdigit() or abs(int(text)) < MAX_EXACT


def number_text(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return repr(value) if isinstance(value, float) else str(value if abs(value) < MAX_EXACT else float(value))


def escape_text(text: str) -> str:
    """Text as XML can carry it: illegal characters as ``_xHHHH_`` (ECMA-376 part 1, 22.9.2.19, ST_Xstring)."""
    if "_x" in text:
        text = _ESCAPED.sub(lambda match: f"_x005F_x{match[1]}_", text)
    if text.isprintable():
        return text
    return _ILLEGAL.sub(lambda match: f"_x{ord(match[0]):04X}_", text)


def unescape_text(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


def decode_text(data: bytes) -> str:
    """The text that XML character data stands for."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if b"&" in data:
        data = _ENTITY.sub(_decode_character, data)
    return data.decode("utf-8")


def _decode_character(match: re.Match[bytes]) -> bytes:
    if match[3]:
        return _ENTITIES.get(match[3], match[0])
    return chr(int(match[1]) if match[1] else int(match[2], 16)).encode("utf-8", "replace")
