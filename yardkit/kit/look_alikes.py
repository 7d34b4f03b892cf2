"""A text to look for as a pattern that also finds what looks the same: other spaces and quotes, signs nobody sees."""

import re
import unicodedata

_EQUAL_LOOKS = (
    " \u00a0\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    "'\u2018\u2019\u201a\u201b\u02bc",
    '"\u201c\u201d\u201e\u201f',
    "-\u2010\u2011",
)
_CLASSES = {sign: f"[{re.escape(signs)}]" for signs in _EQUAL_LOOKS for sign in signs}
_UNSEEN = "\u00ad\u200b\u200c\u200d\u2060\ufeff"


def build_look_pattern(text: str) -> str:
    """The source of a regular expression (of `re` and RE2) for a text and all that looks the same.

    No-break spaces, quotes of both kinds, hyphens that do not break, soft hyphens and accents put together or not are
    met by their plain signs and the other way round. A text without letters and digits is itself alone: who looks for
    a sign means that one.
    """
    text = unicodedata.normalize("NFC", text)
    if not any(char.isalnum() for char in text):
        return re.escape(text)
    return f"[{_UNSEEN}]*".join(map(_match_sign, (char for char in text if char not in _UNSEEN)))


def _match_sign(char: str) -> str:
    decomposed = unicodedata.normalize("NFD", char)
    either = re.escape(char) if decomposed == char else f"(?:{re.escape(char)}|{re.escape(decomposed)})"
    return _CLASSES.get(char, either)
