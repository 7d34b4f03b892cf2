"""Text of other programs is decoded by its mark, its label, UTF-8 or a guess, and what is lost is counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yardkit.world.decoding import decode_bytes, read_stated_charset

WORDS = "Grüße aus Köln - 5 €"
RUSSIAN = "Встреча завтра в десять часов"
CASES = {
    "UTF-8 without a label": (WORDS, "utf-8", ""),
    "UTF-8 labelled as ASCII": (WORDS, "utf-8", "us-ascii"),
    "UTF-8 labelled as a western charset": (WORDS, "utf-8", "iso-8859-1"),
    "Windows without a label": (WORDS, "cp1252", ""),
    "Windows labelled as UTF-8": (WORDS, "cp1252", "utf-8"),
    "Windows labelled as ISO": (WORDS, "cp1252", "ISO-8859-1"),
    "a label in quotes": (RUSSIAN, "koi8-r", '"koi8-r"'),
    "a label that nobody knows": (RUSSIAN, "cp1251", "x-unknown"),
    "the larger charset of a label": ("朱镕基、鎔", "gb18030", "gb2312"),
    "Korean as Outlook labels it": ("똠방각하", "cp949", "ks_c_5601-1987"),
    "seven bits without a label": ("こんにちは、元気", "iso2022_jp", ""),
    "UTF-16 with its mark": (WORDS, "utf-16", ""),
    "UTF-16 without its mark": (WORDS, "utf-16-be", "utf-16"),
    "a label that says UTF-16 and is wrong": ("plain words!", "ascii", "utf-16"),
    "Cyrillic without a label": (RUSSIAN, "cp1251", ""),
}


@pytest.mark.parametrize("case", CASES)
def test_a_text_is_read_as_it_was_written(case: str) -> None:
    text, codec, declared = CASES[case]
    decoded = decode_bytes(text.encode(codec), declared)
    assert (decoded.text, decoded.lost) == (text, 0)


@pytest.mark.parametrize(
    "head",
    [
        b'<html><head><meta charset="windows-1252">',
        b'<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">',
        b'<?xml version="1.0" encoding="windows-1252"?>',
    ],
)
def test_html_is_read_by_the_charset_that_it_states(head: bytes) -> None:
    data = head + "<p>Où êtes-vous ?</p>".encode("cp1252")
    assert read_stated_charset(data) == "windows-1252"
    assert "Où êtes-vous" in decode_bytes(data, html=True).text


def test_a_few_bad_bytes_are_counted_and_spoil_nothing_else() -> None:
    text = "Grüße, Größe, Möwe, Übel, Öl, Ähre, süß, böse, für, wäre, hätte"
    decoded = decode_bytes(text.encode() + b"\xff", "utf-8")
    assert (decoded.text, decoded.lost) == (f"{text}\ufffd", 1)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_utf_16_text_that_is_cut_within_a_letter_stays_what_it_is(encoding: str) -> None:
    decoded = decode_bytes("Grüße aus Wien".encode(encoding)[:-1])
    assert (decoded.text, decoded.lost) == ("Grüße aus Wie\ufffd", 1)


@given(st.binary(max_size=200), st.sampled_from(["", "utf-8", "idna", "gb2312", "utf-7", "rot13", "\0", "utf-16"]))
def test_any_bytes_under_any_label_give_a_text(data: bytes, declared: str) -> None:
    decoded = decode_bytes(data, declared, html=True)
    assert decoded.lost <= decoded.text.count("\ufffd")


@given(st.text(max_size=200), st.sampled_from(["utf-8", "utf-16", "utf-8-sig", "utf-32"]))
def test_unicode_text_comes_back_as_it_was(text: str, codec: str) -> None:
    data = text.encode(codec, "replace")
    if b"\x1b" not in data:
        assert decode_bytes(data, codec).text == data.decode(codec)


def test_japanese_beyond_python_s_codecs_is_read_as_windows_writes_it() -> None:
    decoded = decode_bytes(b"\x1b$B$3-!|q\x1b(B \x1b(I1\x1b(B", "iso-2022-jp")
    assert (decoded.text, decoded.lost) == ("こ①ⅰ ｱ", 0)
    assert decode_bytes(b"reset \x1b(B\x1b[m").text == "reset \x1b(B\x1b[m"
