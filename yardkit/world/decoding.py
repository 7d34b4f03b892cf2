"""Text that other programs wrote: decoded by its byte order mark, its declared charset, UTF-8 or, at last, a guess."""

import codecs
import re
from dataclasses import dataclass

from yardkit.world.guard import add_notes
from yardkit.world.problem import Problem
from yardkit.world.wording import format_count

BOMS = (
    (b"\xff\xfe\x00\x00", "utf-32", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32", "utf-32-be"),
    (b"\xef\xbb\xbf", "utf-8-sig", "utf-8"),
    (b"\xff\xfe", "utf-16", "utf-16-le"),
    (b"\xfe\xff", "utf-16", "utf-16-be"),
)
"""Byte order marks, the codec that reads them, and the codec of what follows them."""
_WESTERN = ("cp1252", "latin-1", "iso8859-15")
_WIDE = ("utf-16", "utf-32")
"""Often declared by programs that wrote another one; any bytes are valid in them."""
_WIDER = {
    **dict.fromkeys(("iso8859-1", "latin-1"), "cp1252"),
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    "euc_kr": "cp949",
    "shift_jis": "cp932",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "big5": "cp950",
}
"""Codecs that mail programs and browsers use where a text declares the smaller charset (WHATWG Encoding)."""
_LABELS = {
    "ks_c_5601-1987": "cp949",
    "windows-31j": "cp932",
    "x-sjis": "cp932",
    "windows-874": "cp874",
    "x-mac-roman": "mac_roman",
    "x-mac-cyrillic": "mac_cyrillic",
    "unicode-1-1-utf-7": "utf-7",
    "iso-8859-8-i": "iso8859-8",
    "iso-8859-8-e": "iso8859-8",
    "x-gbk": "gb18030",
    "utf8mb4": "utf-8",
    "x-euc-jp": "euc_jp",
    "x-x-big5": "cp950",
    "unicode": "utf-16",
    "ansinew": "cp1252",
    "applemac": "mac_roman",
    "utf8x": "utf-8",
}
"""Names of charsets in mail, HTML and LaTeX that Python does not know."""
_NO_CHARSETS = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "ascii"}
"""Codecs that no text declares in earnest, or that say nothing about letters beyond ASCII."""
_LEGACY = ["cp1252", "cp1250", "cp1251", "koi8_r", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr"]
_UNKNOWN = ""
_SAMPLE_BYTES = 200_000
_HEAD_BYTES = 4_096
_CONTROL = re.compile(r"[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffe\uffff]")
"""In no text that is written in two bytes a character, and soon in anything else that is read as such."""
_CONTROL_BYTES = re.compile(rb"[\x01-\x08\x0e-\x19\x1c-\x1f]")
_META = re.compile(rb"<meta\b[^>]{0,500}?\bcharset\s*=\s*[\"']?\s*([\w.:-]{1,40})", re.IGNORECASE)
_JAPANESE = re.compile(rb"\x1b(\$[@B]|\([BJI])")
"""What begins letters of another set in ISO-2022-JP."""
_KANJI = re.compile(rb"\x1b(?:\$[@B]|\(I)")
_CSS = re.compile(rb'\A@charset\s+"([\w.:-]{1,40})"', re.IGNORECASE)
_XML = re.compile(rb"\A\s*<\?xml\b[^>]{0,200}?\bencoding\s*=\s*[\"']([\w.:-]{1,40})")


@dataclass(frozen=True)
class DecodedText:
    """A text.

    Attributes:
        encoding: Python's name of the codec by which it was decoded.
        lost: how many of its characters could not be read; they are U+FFFD in `text`.
        guessed: whether nothing but its letters told the encoding: no mark, no label, no UTF-8.
    """

    text: str
    encoding: str
    lost: int = 0
    guessed: bool = False

    @property
    def remark(self) -> str:
        """What a reader of the text should know of its encoding; empty for nothing."""
        if self.lost:
            return f"read as {self.encoding}; {format_count(self.lost, 'character')} could not be and became \ufffd"
        return f"read as {self.encoding}, a guess since the text does not state its encoding" if self.guessed else ""


def decode_bytes(data: bytes, declared: str = "", *, html: bool = False) -> DecodedText:
    """The text of bytes, whatever program wrote them; it never fails.

    `declared` is the charset that a header or a label states; it may be wrong, unknown or empty. With `html` a charset
    that the text itself states, as HTML, XML and CSS do, is believed, too.
    """
    encoding, guessed = _detect_encoding(data, declared, html=html)
    if encoding is not None and not (encoding == "utf-8" and data.isascii() and _KANJI.search(data)):
        return DecodedText(data.decode(encoding), encoding, guessed=guessed)
    if data.isascii() and _KANJI.search(data) and (japanese := _read_japanese(data)):
        return DecodedText(japanese, "iso2022_jp")
    wide = _find_wide(data)
    encoding = wide or _find_codec(declared) or "utf-8"
    if not wide and not _is_nearly(data, encoding):  # the label is wrong, not the text
        encoding = "utf-8" if _is_nearly(data, "utf-8") else "cp1252"
    text = data.decode(encoding, "replace")
    return DecodedText(text, encoding, text.count("\ufffd"), guessed=True)


def _read_japanese(data: bytes) -> str:
    """ISO-2022-JP with letters that Python's codecs lack and mails of Japan have, such as ①; empty for other texts."""
    pieces = _JAPANESE.split(data)
    for place in range(1, len(pieces), 2):
        if pieces[place].startswith(b"$"):
            pieces[place + 1] = re.sub(rb"[!-~]{2}", _to_shift_jis, pieces[place + 1])
        elif pieces[place] == b"(I":
            pieces[place + 1] = bytes(byte | 0x80 if byte > 0x20 else byte for byte in pieces[place + 1])
    text = b"".join([*pieces[:1], *pieces[2::2]])
    return text.decode("cp932") if can_decode(text, "cp932") else ""


def _to_shift_jis(match: "re.Match[bytes]") -> bytes:
    row, cell = match[0]
    lead = (row + 1) // 2 + (0x70 if row < 0x5F else 0xB0)
    return bytes((lead, cell + (0x7E if row % 2 == 0 else 0x20 if cell >= 0x60 else 0x1F)))


def decode_file(data: bytes, name: str, declared: str = "", *, html: bool = False) -> DecodedText:
    """The whole text of a file, for readers that must not work with gaps. Arguments as for `decode_bytes`.

    A guess is told with the result of the tool.

    Raises:
        Problem: it is binary, or some of its characters cannot be read.
    """
    if is_binary(data):
        raise Problem(f"{name!r} is binary, not text; give a text file, or use a tool for its format")
    decoded = decode_bytes(data, declared, html=html)
    if decoded.lost:
        lost = format_count(decoded.lost, "character")
        raise Problem(f"{lost} of {name!r} cannot be read as {decoded.encoding} text; save it as UTF-8")
    note_reading(name, decoded)
    return decoded


def note_reading(name: str, decoded: DecodedText) -> None:
    """Tell with the result of the tool what a reader of the file should know of its encoding, if anything."""
    if decoded.remark:
        add_notes([f"{name!r} was {decoded.remark}"])


def is_binary(data: bytes) -> bool:
    """Whether bytes are no text in any encoding.

    There are zeros among them, but not as in UTF-16 and UTF-32, or many other control characters in what is no UTF-8.
    """
    if any(data.startswith(mark) for mark, _, _ in BOMS):
        return False
    if b"\0" not in data:
        sample = data[:_SAMPLE_BYTES]
        return len(_CONTROL_BYTES.findall(sample)) * 100 > len(sample) and not can_decode(data, "utf-8")
    encoding = detect_encoding(data) or ""
    return not encoding.startswith("utf-16") or bool(_CONTROL.search(data[:_SAMPLE_BYTES].decode(encoding, "ignore")))


def trim_cut(data: bytes) -> bytes:
    """The beginning of a text that was cut off somewhere, without what may be a part of a character at its end."""
    if b"\0" in data or data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data[: len(data) // 4 * 4]
    return data.rstrip(bytes(range(0x80, 0x100)))


def detect_encoding(data: bytes, declared: str = "", *, html: bool = False) -> str | None:
    """The codec that decodes all of `data`; None where there is no good guess. Arguments as for `decode_bytes`."""
    return _detect_encoding(data, declared, html=html)[0]


def _detect_encoding(data: bytes, declared: str, *, html: bool) -> tuple[str | None, bool]:
    """The codec, and whether it is a guess."""
    codec = _read_encoding(data, declared, html=html)
    return (_guess_legacy(data), True) if codec == _UNKNOWN else (codec, False)


def _read_encoding(data: bytes, declared: str, *, html: bool) -> str | None:
    """The codec as far as marks, labels and UTF-8 tell it; `_UNKNOWN` where they do not, None where they are wrong."""
    for mark, encoding, _ in BOMS:
        if data.startswith(mark) and can_decode(data, encoding):
            return encoding
    if wide := _find_wide(data):
        return wide if can_decode(data, wide) else None
    stated = [declared, read_stated_charset(data) if html else ""]
    codec = next((known for label in stated if (known := _find_codec(label))), "")
    if b"\x1b$" in data[:_SAMPLE_BYTES] and can_decode(data, "iso2022_jp_2"):  # seven bits: valid UTF-8, too
        return codec if codec.startswith("iso2022") and can_decode(data, codec) else "iso2022_jp_2"
    if codec and codec not in _WESTERN and not codec.startswith(_WIDE) and can_decode(data, codec):
        return codec
    if can_decode(data, "utf-8"):
        # Where a western charset was declared, too: letters beyond ASCII make valid UTF-8 by chance next to never.
        return "utf-8"
    if codec and can_decode(data, codec):
        return codec
    return None if _is_nearly(data, codec or "utf-8") or _is_nearly(data, "utf-8") else _UNKNOWN


def read_stated_charset(data: bytes) -> str:
    """The charset that the beginning of an HTML, XML or CSS text states of itself; empty for none."""
    head = data[:_HEAD_BYTES]
    match = _XML.search(head) or _CSS.search(head) or _META.search(head)
    label = match[1].decode("ascii", "replace") if match else ""
    return "utf-8" if label.casefold().startswith("utf-16") else label  # which could not be read here


def _find_wide(data: bytes) -> str:
    """UTF-16 by its mark or its zero bytes, also of a text that is cut off; empty for other texts."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return _find_byte_order(data[:_SAMPLE_BYTES]) if b"\0" in data[:_SAMPLE_BYTES] else ""


def _find_byte_order(data: bytes) -> str:
    """UTF-16 by its zero bytes: in most languages each second byte of many is one; empty for other texts."""
    even_count, odd_count = data[::2].count(0), data[1::2].count(0)
    if len(data) > 2 and even_count + odd_count == 1:  # a stray one
        return ""
    if max(even_count, odd_count) * 5 < len(data) // 2 or min(even_count, odd_count) * 10 > max(even_count, odd_count):
        return ""
    return "utf-16-le" if odd_count > even_count else "utf-16-be"


def _find_codec(label: str) -> str:
    """Python's name for a charset that is declared; empty where it is none."""
    label = re.sub(r"[^\w.:-].*", "", label.strip().strip("\"'")).casefold()
    try:
        name = codecs.lookup(_LABELS.get(label, label)).name if label else ""
        "".encode(name or "utf-8")
    except (LookupError, ValueError):
        return ""
    return "" if name in _NO_CHARSETS else _WIDER.get(name, name)


def can_decode(data: bytes, encoding: str) -> bool:
    try:
        data.decode(encoding)
    except UnicodeError:
        return False
    return True


def _is_nearly(data: bytes, encoding: str) -> bool:
    """Whether a few bad bytes stand in text that otherwise is what it says, or its end is cut off."""
    text = data.decode(encoding, "replace")
    lost, beyond = text.count("\ufffd"), sum(character > "\x7f" for character in text)
    # Letters of several bytes make valid UTF-8 by chance next to never.
    share = 2 if encoding == "utf-8" else 10
    return lost * share <= beyond or (lost == 1 and beyond > 1 and text.endswith("\ufffd"))


def _guess_legacy(data: bytes) -> str | None:
    from charset_normalizer import from_bytes

    letters = re.findall(rb"[A-Za-z\xc0-\xff]", data[:_SAMPLE_BYTES])
    # Languages with Latin letters have most of them in ASCII, others next to none.
    is_latin = sum(letter < b"\xc0" for letter in letters) * 2 >= len(letters)
    candidates = _LEGACY if is_latin else _LEGACY[2:]
    guesses = [
        match for match in from_bytes(data[:_SAMPLE_BYTES], cp_isolation=candidates) if can_decode(data, match.encoding)
    ]
    # Short texts fit several encodings equally well: the most common one is the best guess.
    fitting = [
        match for match in guesses if match.chaos <= guesses[0].chaos and match.coherence >= guesses[0].coherence
    ]
    same_text = {name for match in fitting for name in (match.encoding, *match.could_be_from_charset)}
    return next((name for name in candidates if name in same_text and can_decode(data, name)), None)
