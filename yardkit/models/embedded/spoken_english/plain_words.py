"""Text as it is read aloud: numbers, money, dates, times, units, abbreviations and signs in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from yardkit.models.embedded.spoken_english.number_words import cardinal, decimal, digits, ordinal, year

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_BIG = r"hundred|thousand|million|billion|trillion"
_LETTERS = {"k": "thousand", "m": "million", "b": "billion"}
_MONEY = {"$": ("dollar", "cent"), "£": ("pound", "penny"), "€": ("euro", "cent")}
_FRACTIONS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 8: "eighth", 10: "tenth"}
_PLURALS = {"penny": "pence", "half": "halves"}
_ROMANS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
Table = Mapping[str, Any]
"""Months, titles, abbreviations, units, symbols, as the package lists them."""


Words = Callable[["re.Match[str]"], str]
Rules = Sequence[tuple["re.Pattern[str]", Words]]


def read_out(text: str, rules: Rules) -> str:
    """A text without digits and signs, but for the punctuation that a voice pauses at.

    Args:
        text: of a sentence or more.
        rules: from `reading_rules`.
    """
    text = " ".join(text.replace("\u2019", "'").replace("\u2018", "'").split())
    for pattern, words in rules:
        text = pattern.sub(words, text)
    return re.sub(r" +([,.;:!?])", r"\1", " ".join(text.split()))


def reading_rules(table: Table) -> Rules:
    """What is replaced, in this order: a date before the numbers in it."""
    full, unit, titles = table["months"], table["units"], table["titles"]
    abbreviations, symbols = table["abbreviations"], table["symbols"]
    chapters, kings = table["roman_cardinal"], table["roman_ordinal"]
    month = _any([*full.values(), *(short.capitalize() for short in full), "Sept"])

    def name(said: str) -> str:
        return str(full[said.lower()[:3]])

    roman = r"(?=[IVXLC])(X{0,3}(?:IX|IV|V?I{0,3}))"
    rules: list[tuple[str, Words]] = [
        (r"\b(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?:\s?([AaPp])\.?[Mm]\b\.?)?(?!\d)", _time),
        (r"\b(\d{1,2})\s?([AaPp])\.?[Mm]\b\.?", lambda found: f"{cardinal(int(found[1]))} {_noon(found[2])}"),
        (r"\b(\d{4})-(\d{2})-(\d{2})\b", lambda found: _date(found, name, found[2], found[3], found[1])),
        (r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", lambda found: _date(found, name, found[1], found[2], found[3])),
        (
            rf"\b({month})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?![:%,.]\d)",
            lambda found: f"{name(found[1])} {ordinal(int(found[2]))}",
        ),
        (
            rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({month})\b\.?",
            lambda found: f"the {ordinal(int(found[1]))} of {name(found[2])}",
        ),
        (rf"([$£€])\s?({_NUMBER})(?:\s?({_BIG})\b|([kKmMbB])\b)?", _money),
        (rf"(?<![\w.])({_NUMBER})\s?({_any(unit)})(?!\w)", lambda found: _measure(found[1], unit[found[2]])),
        (rf"(?<![\w.])({_NUMBER})\s?°\s?([CF]\b)?", _degrees),
        (rf"\b({_any(titles)})\.? (?=[A-Z])", lambda found: f"{titles[found[1]]} "),
        (rf"(?<![\w.])({_any(abbreviations)})(?!\w)", lambda found: _abbreviation(found, abbreviations)),
        (rf"\b({_any(chapters)}) {roman}\b", lambda found: f"{found[1]} {cardinal(_roman(found[2]))}"),
        (rf"\b({_any(kings)}) {roman}\b", lambda found: f"{found[1]} the {ordinal(_roman(found[2]))}"),
        (r"#(?=\d)|\b[Nn]os?\. ?(?=\d)", lambda _: "number "),
        (r"(?<![\w.-])\+?\(?\d{1,4}\)?[ -]\d{3}-\d{4}(?![\w-])", lambda found: _spelled(found[0])),
        (r"(?<![\w.-])\d{3}-\d{4}(?![\w-])", lambda found: _spelled(found[0])),
        (r"(?<![\w./])(\d{1,2})/(\d{1,2})(?![\w/])", _fraction),
        (r"(?<=\d)\s?[-\u2013]\s?(?=\d)", lambda _: " to "),
        (r"\b(\d+)(?:st|nd|rd|th)\b", lambda found: ordinal(int(found[1]))),
        (r"\b(1[1-9]|20)(\d\d)(s?)\b(?![,.]\d)", lambda found: _plural_year(int(found[1] + found[2]), found[3])),
        (r"(?<![\w.])-(?=\d)", lambda _: "minus "),
        (r"%", lambda _: " percent"),
        (r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])", lambda _: " "),
        (r"\b0\d+\b(?!\.\d)", lambda found: digits(found[0])),
        (_NUMBER, lambda found: decimal(found[0])),
        (r"&", lambda _: " and "),
        (r"\+", lambda _: " plus "),
        (r"@", lambda _: " at "),
        (rf"({_any(symbols)})", lambda found: f" {symbols[found[1]]} "),
        (r"(?<=\w)/(?=\w)", lambda _: " slash "),
    ]
    return [(re.compile(pattern), words) for pattern, words in rules]


def _any(words: Any) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _time(found: "re.Match[str]") -> str:
    hours, minutes = int(found[1]), int(found[2])
    if hours > 24:
        return found[0]
    words = [cardinal(hours)]
    if minutes or not (found[3] or found[4]):
        words.append(f"oh {cardinal(minutes)}" if 0 < minutes < 10 else cardinal(minutes) if minutes else "o'clock")
    if found[3]:
        words.append(f"and {_measure(found[3], ('second', 'seconds'))}")
    return " ".join([*words, *([_noon(found[4])] if found[4] else [])])


def _noon(letter: str) -> str:
    return f"{letter.upper()}.M."


def _date(found: "re.Match[str]", name: Callable[[str], str], month: str, day: str, of: str) -> str:
    shorts = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return found[0]
    return f"{name(shorts[int(month) - 1])} {ordinal(int(day))}, {year(int(of))}"


def _money(found: "re.Match[str]") -> str:
    one, part = _MONEY[found[1]]
    if found[3] or found[4]:
        return f"{decimal(found[2])} {found[3] or _LETTERS[found[4].lower()]} {one}s"
    whole, _, cents = found[2].replace(",", "").partition(".")
    if len(cents) not in (0, 2):
        return f"{decimal(found[2])} {one}s"
    words = [_measure(whole, (one, f"{one}s"))] if int(whole) or not int(cents or 0) else []
    plural = _PLURALS.get(part, f"{part}s")
    words += [_measure(cents, (part, plural))] if int(cents or 0) else []
    return " and ".join(words)


def _measure(number: str, words: tuple[str, str]) -> str:
    return f"{decimal(number)} {words[0] if number.strip('0') == '1' and '.' not in number else words[1]}"


def _degrees(found: "re.Match[str]") -> str:
    scale = {"C": " Celsius", "F": " Fahrenheit"}.get(found[2] or "", "")
    return _measure(found[1], ("degree", "degrees")) + scale


def _abbreviation(found: "re.Match[str]", words: Mapping[str, str]) -> str:
    ends = found.end() == len(found.string) and found[1].endswith(".")
    return words[found[1]] + ("." if ends else "")


def _roman(text: str) -> int:
    values = [_ROMANS[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _spelled(number: str) -> str:
    return ", ".join(filter(None, (digits(part) for part in re.split(r"\D+", number))))


def _fraction(found: "re.Match[str]") -> str:
    above, below = int(found[1]), int(found[2])
    if not 0 < above < below or below not in _FRACTIONS:
        return f"{cardinal(above)} slash {cardinal(below)}"
    word = _FRACTIONS[below]
    return f"{cardinal(above)} {word if above == 1 else _PLURALS.get(word, f'{word}s')}"


def _plural_year(number: int, plural: str) -> str:
    words = year(number)
    if not plural:
        return words
    return f"{words[:-1]}ies" if words.endswith("y") else f"{words}s"
