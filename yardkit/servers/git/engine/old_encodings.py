"""What git prints of files, messages and names that are not UTF-8: decoded line by line, and told."""

import re

from yardkit.world.decoding import DecodedText, can_decode, decode_bytes, detect_encoding
from yardkit.world.guard import add_notes

_FILE_OF_DIFF = re.compile(rb"^(?=diff --git )", re.MULTILINE)
_PATH_OF_DIFF = re.compile(rb"diff --git a/(.*) b/.*")
_QUERY_ENCODINGS = ("cp1252", "cp1250", "cp1251", "koi8_r", "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr")


def decode_output(data: bytes) -> str:
    """What git printed; of a diff each file in its own encoding."""
    if can_decode(data, "utf-8") and b"\x1b$" not in data:
        return data.decode("utf-8")
    return "".join(_decode_section(section) for section in _FILE_OF_DIFF.split(data))


def decode_lines(data: bytes, name: str = "") -> str:
    """Lines of which some may be UTF-8 and the others in one older encoding, as before and after a conversion.

    What is not UTF-8 is told, with the name of where it stands.
    """
    lines = data.splitlines(keepends=True)
    old_lines = [line for line in lines if not can_decode(line, "utf-8")]
    if not old_lines:
        decoded = decode_bytes(data)  # by escapes in seven bits
    else:
        encoding, lost = _choose_encoding(b"".join(old_lines))
        texts = [line.decode("utf-8" if can_decode(line, "utf-8") else encoding, "replace") for line in lines]
        decoded = DecodedText("".join(texts), encoding, lost, guessed=True)
    if decoded.remark:
        add_notes([f"{f'{name!r}' if name else 'What is not UTF-8'} was {decoded.remark}"])
    return decoded.text


def decode_field(data: bytes) -> str:
    """A name or a message of a commit that states no encoding, or a wrong one."""
    return data.decode("utf-8") if can_decode(data, "utf-8") else decode_lines(data)


def encode_query(query: str, *, ignore_case: bool) -> list[str]:
    """A query as it stands in files of older encodings, as arguments of a program take bytes."""
    if query.isascii():
        return []
    cases = [query, query.lower(), query.upper(), query.capitalize(), query.title()] if ignore_case else [query]
    spellings = {_encode_text(text, encoding): None for text in cases for encoding in _QUERY_ENCODINGS}
    return [spelling.decode("utf-8", "surrogateescape") for spelling in spellings if spelling]


def _encode_text(text: str, encoding: str) -> bytes:
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return b""


def _choose_encoding(data: bytes) -> tuple[str, int]:
    encoding = detect_encoding(data)
    if encoding is not None:
        return encoding, 0
    decoded = decode_bytes(data)
    return decoded.encoding, decoded.lost


def _decode_section(section: bytes) -> str:
    path = _PATH_OF_DIFF.match(section)
    return decode_lines(section, path[1].decode("utf-8", "backslashreplace") if path else "")
