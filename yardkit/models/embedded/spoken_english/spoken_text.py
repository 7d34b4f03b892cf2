"""Text as it is read aloud: numbers, money, dates, times, units, abbreviations and signs in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from yardkit.models.embedded.spoken_english.number_words import (
    spell_cardinal,
    spell_decimal,
    spell_digits,
    spell_ordinal,
    spell_year,
)

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
    """Rewrite a text without digits and signs, except the punctuation at which a voice pauses.

    Args:
        text: one or more sentences.
        rules: the rules from `reading_rules`.
    """
    text = " ".join(text.replace("\u2019", "'").replace("\u2018", "'").split())
    for pattern, words in rules:
        text = pattern.sub(words, text)
    return re.sub(r" +([,.;:!?])", r"\1", " ".join(text.split()))


def reading_rules(table: Table) -> Rules:
    """Return the replacements in order; for example, a date comes before the numbers in it."""
    full, unit, titles = table["months"], table["units"], table["titles"]
    abbreviations, symbols = table["abbreviations"], table["symbols"]
    chapters, kings = table["roman_cardinal"], table["roman_ordinal"]
    month = _build_alternatives([*full.values(), *(short.capitalize() for short in full), "Sept"])

    def name(month_word: str) -> str:
        return str(full[month_word.lower()[:3]])

    roman = r"(?=[IVXLC])(X{0,3}(?:IX|IV|V?I{0,3}))"
    rules: list[tuple[str, Words]] = [
        (r"\b(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?:\s?([AaPp])\.?[Mm]\b\.?)?(?!\d)", _read_time),
        (
            r"\b(\d{1,2})\s?([AaPp])\.?[Mm]\b\.?",
            lambda match: f"{spell_cardinal(int(match[1]))} {_read_noon(match[2])}",
        ),
        (r"\b(\d{4})-(\d{2})-(\d{2})\b", lambda match: _read_date(match, name, match[2], match[3], match[1])),
        (r"\b(\d{1,2})/(\d{1,2})/(\d{4})\b", lambda match: _read_date(match, name, match[1], match[2], match[3])),
        (
            rf"\b({month})\.? (\d{{1,2}})(?:st|nd|rd|th)?\b(?![:%,.]\d)",
            lambda match: f"{name(match[1])} {spell_ordinal(int(match[2]))}",
        ),
        (
            rf"\b(?:the )?(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({month})\b\.?",
            lambda match: f"the {spell_ordinal(int(match[1]))} of {name(match[2])}",
        ),
        (rf"([$£€])\s?({_NUMBER})(?:\s?({_BIG})\b|([kKmMbB])\b)?", _read_money),
        (
            rf"(?<![\w.])({_NUMBER})\s?({_build_alternatives(unit)})(?!\w)",
            lambda match: _read_measure(match[1], unit[match[2]]),
        ),
        (rf"(?<![\w.])({_NUMBER})\s?°\s?([CF]\b)?", _read_degrees),
        (rf"\b({_build_alternatives(titles)})\.? (?=[A-Z])", lambda match: f"{titles[match[1]]} "),
        (
            rf"(?<![\w.])({_build_alternatives(abbreviations)})(?!\w)",
            lambda match: _read_abbreviation(match, abbreviations),
        ),
        (
            rf"\b({_build_alternatives(chapters)}) {roman}\b",
            lambda match: f"{match[1]} {spell_cardinal(_parse_roman(match[2]))}",
        ),
        (
            rf"\b({_build_alternatives(kings)}) {roman}\b",
            lambda match: f"{match[1]} the {spell_ordinal(_parse_roman(match[2]))}",
        ),
        (r"#(?=\d)|\b[Nn]os?\. ?(?=\d)", lambda _: "number "),
        (r"(?<![\w.-])\+?\(?\d{1,4}\)?[ -]\d{3}-\d{4}(?![\w-])", lambda match: _spell_number(match[0])),
        (r"(?<![\w.-])\d{3}-\d{4}(?![\w-])", lambda match: _spell_number(match[0])),
        (r"(?<![\w./])(\d{1,2})/(\d{1,2})(?![\w/])", _read_fraction),
        (r"(?<=\d)\s?[-\u2013]\s?(?=\d)", lambda _: " to "),
        (r"\b(\d+)(?:st|nd|rd|th)\b", lambda match: spell_ordinal(int(match[1]))),
        (r"\b(1[1-9]|20)(\d\d)(s?)\b(?![,.]\d)", lambda match: _plural_year(int(match[1] + match[2]), match[3])),
        (r"(?<![\w.])-(?=\d)", lambda _: "minus "),
        (r"%", lambda _: " percent"),
        (r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])", lambda _: " "),
        (r"\b0\d+\b(?!\.\d)", lambda match: spell_digits(match[0])),
        (_NUMBER, lambda match: spell_decimal(match[0])),
        (r"&", lambda _: " and "),
        (r"\+", lambda _: " plus "),
        (r"@", lambda _: " at "),
        (rf"({_build_alternatives(symbols)})", lambda match: f" {symbols[match[1]]} "),
        (r"(?<=\w)/(?=\w)", lambda _: " slash "),
    ]
    return [(re.compile(pattern), words) for pattern, words in rules]


def _build_alternatives(words: Any) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


def _read_time(match: "re.Match[str]") -> str:
    hours, minutes = int(match[1]), int(match[2])
    if hours > 24:
        return match[0]
    words = [spell_cardinal(hours)]
    if minutes or not (match[3] or match[4]):
        words.append(
            f"oh {spell_cardinal(minutes)}" if 0 < minutes < 10 else spell_cardinal(minutes) if minutes else "o'clock"
        )
    if match[3]:
        words.append(f"and {_read_measure(match[3], ('second', 'seconds'))}")
    return " ".join([*words, *([_read_noon(match[4])] if match[4] else [])])


def _read_noon(letter: str) -> str:
    return f"{letter.upper()}.M."


def _read_date(match: "re.Match[str]", name: Callable[[str], str], month: str, day: str, of: str) -> str:
    shorts = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return match[0]
    return f"{name(shorts[int(month) - 1])} {spell_ordinal(int(day))}, {spell_year(int(of))}"


def _read_money(match: "re.Match[str]") -> str:
    main_unit, part = _MONEY[match[1]]
    if match[3] or match[4]:
        return f"{spell_decimal(match[2])} {match[3] or _LETTERS[match[4].lower()]} {main_unit}s"
    main_amount, _, cents = match[2].replace(",", "").partition(".")
    if len(cents) not in (0, 2):
        return f"{spell_decimal(match[2])} {main_unit}s"
    words = (
        [_read_measure(main_amount, (main_unit, f"{main_unit}s"))] if int(main_amount) or not int(cents or 0) else []
    )
    plural = _PLURALS.get(part, f"{part}s")
    words += [_read_measure(cents, (part, plural))] if int(cents or 0) else []
    return " and ".join(words)


def _read_measure(number: str, words: tuple[str, str]) -> str:
    return f"{spell_decimal(number)} {words[0] if number.strip('0') == '1' and '.' not in number else words[1]}"


def _read_degrees(match: "re.Match[str]") -> str:
    scale = {"C": " Celsius", "F": " Fahrenheit"}.get(match[2] or "", "")
    return _read_measure(match[1], ("degree", "degrees")) + scale


def _read_abbreviation(match: "re.Match[str]", words: Mapping[str, str]) -> str:
    ends = match.end() == len(match.string) and match[1].endswith(".")
    return words[match[1]] + ("." if ends else "")


def _parse_roman(text: str) -> int:
    values = [_ROMANS[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))


def _spell_number(number: str) -> str:
    return ", ".join(filter(None, (spell_digits(part) for part in re.split(r"\D+", number))))


def _read_fraction(match: "re.Match[str]") -> str:
    above, below = int(match[1]), int(match[2])
    if not 0 < above < below or below not in _FRACTIONS:
        return f"{spell_cardinal(above)} slash {spell_cardinal(below)}"
    word = _FRACTIONS[below]
    return f"{spell_cardinal(above)} {word if above == 1 else _PLURALS.get(word, f'{word}s')}"


def _plural_year(number: int, plural: str) -> str:
    words = spell_year(number)
    if not plural:
        return words
    return f"{words[:-1]}ies" if words.endswith("y") else f"{words}s"
