"""Search patterns that also match look-alikes: other spaces and quotes, invisible characters."""

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
    """Build the source of a regular expression (for `re` and RE2) for a text and everything that looks the same.

    Plain characters match non-breaking spaces, both kinds of quotes, non-breaking hyphens, soft hyphens, and composed
    or decomposed accents, and the other way round. A text without letters and digits matches only itself, since someone
    who searches for a sign means that one.
    """
    text = unicodedata.normalize("NFC", text)
    if not any(char.isalnum() for char in text):
        return re.escape(text)
    return f"[{_UNSEEN}]*".join(map(_match_sign, (char for char in text if char not in _UNSEEN)))


def _match_sign(char: str) -> str:
    decomposed = unicodedata.normalize("NFD", char)
    either = re.escape(char) if decomposed == char else f"(?:{re.escape(char)}|{re.escape(decomposed)})"
    return _CLASSES.get(char, either)
