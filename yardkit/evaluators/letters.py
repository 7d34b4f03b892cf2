"""The days and times in letters in English, German, French and Spanish, and the language of a letter."""

import re
import unicodedata
from datetime import date, time

_MONTHS = (
    "january januar janvier enero jan",
    "february februar fevrier febrero feb",
    "march marz maerz mars marzo mar",
    "april avril abril apr",
    "may mai mayo",
    "june juni juin junio jun",
    "july juli juillet julio jul",
    "august aout agosto aug",
    "september septembre septiembre sep sept",
    "october oktober octobre octubre oct okt",
    "november novembre noviembre nov",
    "december dezember decembre diciembre dec dez",
)
_MONTHS_OF_A_YEAR = len(_MONTHS)
_MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_NAMES = "|".join(sorted(_MONTH, key=len, reverse=True))
_DAYS = (
    re.compile(r"(?<!\d)(?P<year>\d{4})-(?P<number>\d\d)-(?P<day>\d\d)(?!\d)"),
    re.compile(rf"(?<![\d.:])(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th|er|o)?\s+(?:de\s+|of\s+)?(?P<month>{_NAMES})\b"),
    re.compile(rf"\b(?P<month>{_NAMES})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[:h]\d)"),
    re.compile(r"(?<![\d.:/])(?P<day>\d{1,2})\.\s?(?P<number>\d{1,2})\.\s?(?P<year>\d{2,4})?(?!\d)"),
    re.compile(r"(?<![\d.:/])(?P<day>\d{1,2})/(?P<number>\d{1,2})(?:/(?P<year>\d{2,4}))?(?![\d/])"),
)
_TIME = re.compile(
    r"(?<![\d.,:])(?P<hour>\d{1,2})(?:(?:[:.]|\s?h\s?)(?P<minute>\d\d)(?!\d)"
    r"|(?=\s*(?:uhr|h\b|heures?\b|horas?\b|[ap]\.?m\b|o'clock)))"
    r"\s*(?P<half>[ap]\.?m\b)?"
)
_STOPS = {
    "English": "the and we you your to on at of for is are with will be it please dear regards forward talk meet "
    "would have our this from",
    "German": "der die das und wir sie ihnen ihr ihre am um uhr ist mit im in den dem ein eine freuen uns auf zum "
    "für bitte guten tag grüßen freundlichen",
    "French": "le la les et nous vous à votre pour de du des salle cordialement bonjour entretien avec une un à "
    "en au est serons merci heures",
    "Spanish": "el la los las y nos usted ustedes su para de del a sala saludo saludos hola entrevista con una un "
    "en le que por gracias horas tendremos",
}


def find_days(text: str, year: int) -> set[date]:
    """Find the days that a text names, in words or figures (the day before the month); `year` if it gives none."""
    days, rest = set(), _strip_accents(text)
    for pattern in _DAYS:
        for match in pattern.finditer(rest):
            date_parts = match.groupdict()
            month = _MONTH[date_parts["month"]] if date_parts.get("month") else int(date_parts["number"])
            days |= _make_day(_find_year(match, rest, year), month, int(date_parts["day"]))
        rest = pattern.sub(" ", rest)
    return days


def find_clock_times(text: str) -> set[time]:
    """Find the times of day that a text names, such as 14:30, 14.30 Uhr, 14 h 30 or 2:30 pm."""
    rest = _strip_accents(text)
    for pattern in (_DAYS[0], *_DAYS[3:]):
        rest = pattern.sub(lambda match: " " if 1 <= int(match["number"]) <= _MONTHS_OF_A_YEAR else match[0], rest)
    clock_times = set()
    for match in _TIME.finditer(rest):
        hour, minute = int(match["hour"]), int(match["minute"] or 0)
        if match["half"]:
            hour = hour % 12 + 12 * match["half"].startswith("p")
        if hour < 24 and minute < 60:
            clock_times.add(time(hour, minute))
    return clock_times


def detect_language(text: str) -> str:
    """Detect the language whose small words are most frequent in a text; empty if two are equally frequent."""
    words = re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", text).casefold())
    counts = {name: sum(word in stops.split() for word in words) for name, stops in _STOPS.items()}
    best, second = sorted(counts, key=lambda name: -counts[name])[:2]
    return best if counts[best] > counts[second] else ""


def _find_year(match: "re.Match[str]", text: str, otherwise: int) -> int:
    """Find the year in the match or after it."""
    stated_year = match.groupdict().get("year")
    if not stated_year:
        behind = re.match(r"[,.]?\s*(?:de\s+|of\s+)?(\d{4})(?!\d)", text[match.end() :])
        stated_year = behind[1] if behind else str(otherwise)
    return int(stated_year) + (2000 if len(stated_year) == len("26") else 0)


def _make_day(year: int, month: int, day: int) -> set[date]:
    try:
        return {date(year, month, day)}
    except ValueError:
        return set()


def _strip_accents(text: str) -> str:
    """Convert to lower case and remove accents."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))
