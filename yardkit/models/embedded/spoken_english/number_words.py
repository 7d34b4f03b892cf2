"""Numbers in English words, as they are read aloud."""

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SCALES = ("", "thousand", "million", "billion", "trillion")
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_MOST = 10 ** (3 * len(_SCALES))


def spell_cardinal(number: int) -> str:
    """``1250`` -> one thousand two hundred fifty; beyond trillions, digit by digit."""
    if number < 0:
        return f"minus {spell_cardinal(-number)}"
    if number >= _MOST:
        return spell_digits(str(number))
    groups = []
    for scale in _SCALES:
        number, group = divmod(number, 1000)
        if group:
            groups.append(f"{_below_thousand(group)} {scale}".strip())
    return " ".join(reversed(groups)) or _ONES[0]


def _below_thousand(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    words = [f"{_ONES[hundreds]} hundred"] if hundreds else []
    if rest >= 20:
        tens, ones = divmod(rest, 10)
        words.append(f"{_TENS[tens - 2]} {_ONES[ones]}" if ones else _TENS[tens - 2])
    elif rest:
        words.append(_ONES[rest])
    return " ".join(words)


def spell_ordinal(number: int) -> str:
    """``23`` -> twenty third."""
    head, _, last = spell_cardinal(number).rpartition(" ")
    word = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th")
    return f"{head} {word}".strip()


def spell_year(number: int) -> str:
    """``1905`` -> nineteen oh five; ``2024`` -> twenty twenty four; ``2005`` -> two thousand five."""
    century, rest = divmod(number, 100)
    if not 10 <= century < 100 or (century % 10 == 0 and rest < 10):
        return spell_cardinal(number)
    tail = "hundred" if not rest else f"oh {_ONES[rest]}" if rest < 10 else spell_cardinal(rest)
    return f"{spell_cardinal(century)} {tail}"


def spell_decimal(text: str) -> str:
    """``3.14`` -> three point one four; ``1,250`` -> one thousand two hundred fifty."""
    integer_part, _, fraction = text.replace(",", "").partition(".")
    if not fraction:
        return spell_cardinal(int(integer_part or 0))
    return f"{spell_cardinal(int(integer_part or 0))} point {spell_digits(fraction)}"


def spell_digits(text: str) -> str:
    """``0042`` -> zero zero four two."""
    return " ".join(_ONES[int(digit)] for digit in text if digit.isdecimal())
