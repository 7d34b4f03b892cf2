r"""Letters that TeX writes with commands, as titles and names of arXiv have them: ``Schr\"odinger``, ``Erd\H{o}s``."""

import re
import unicodedata

_MARKS = dict(
    zip(
        "`'^~=u.\"rHvdckb",
        "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0323\u0327\u0328\u0331",
        strict=True,
    )
)
_LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł",
    "L": "Ł", "i": "\u0131", "j": "\u0237", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
}  # fmt: skip
_ACCENT = re.compile(
    r"\\(?:(?P<sign>[\"'`^~=.])\s*|(?P<word>[uvHckrdb])(?:\s+|(?=\{)))"
    r"(?:\{\s*(?P<braced>\\[ij]|[A-Za-z])\s*\}|(?P<bare>\\[ij](?![A-Za-z])\s?|[A-Za-z]))"
)
_LETTER = re.compile(rf"\\({'|'.join(sorted(_LETTERS, key=len, reverse=True))})(?:\{{\}}|(?![A-Za-z])\s?)")
_SIGN = re.compile(r"\\([&%#_])")
_BRACED = re.compile(r"\{([^\x00-\x7f])\}")
_FORMULA = re.compile(r"((?<!\\)\$[^$]*\$)")


def decode_accents(text: str) -> str:
    r"""A text with the letters themselves, and signs such as ``\&``; formulas between dollars stay as they are."""
    if "\\" not in text:
        return text
    return "".join(part if number % 2 else _decode_part(part) for number, part in enumerate(_FORMULA.split(text)))


def _decode_part(text: str) -> str:
    letters = _LETTER.sub(_get_letter, _ACCENT.sub(_accent_letter, text))
    return _SIGN.sub(r"\1", _BRACED.sub(r"\1", letters))


def _accent_letter(match: re.Match[str]) -> str:
    base = (match["braced"] or match["bare"]).strip().removeprefix("\\")
    return unicodedata.normalize("NFC", base + _MARKS[match["sign"] or match["word"]])


def _get_letter(match: re.Match[str]) -> str:
    return _LETTERS[match[1]]
