"""Redaction: what serves the file is left alone, only where it serves, and without the terms that it spells."""

import io
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from conftest_pdf import change_pdf, everything_decoded, text_of
from pikepdf import Array, Dictionary, Name
from PIL import ImageCms

Ok = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
Change = Callable[[pikepdf.Pdf], object]

CMAP = (
    b"%!PS-Adobe-3.0 Resource-CMap\n/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n"
    b"1 begincodespacerange <00> <FF> endcodespacerange\n3 beginbfchar "
    b"<01> <2022> <41> <0041> <42> <00660066> endbfchar\n"
    b"endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n"
)


def make_profile(copyright_said: bytes = b"Copyright Jane Roe", table: bytes = b"\0" * 40) -> bytes:
    """A color profile with a text and a table."""
    text_tag = b"text\0\0\0\0" + copyright_said + b"\0"
    text_offset = 132 + 24
    tags = struct.pack(
        ">I4sII4sII", 2, b"cprt", text_offset, len(text_tag), b"kTRC", text_offset + len(text_tag), len(table) + 8
    )
    head = bytearray(128)
    head[12:24], head[36:40] = b"mntrRGB XYZ ", b"acsp"
    return bytes(head) + tags + text_tag + b"curv\0\0\0\0" + table


def font_with(pdf: pikepdf.Pdf, cmap: bytes) -> Any:
    """A font that reads through this CMap."""
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, ToUnicode=pdf.make_stream(cmap))
    pdf.Root.Held = font
    return font


def add_color_space(pdf: pikepdf.Pdf, data: bytes) -> None:
    pdf.Root.Held = Array([Name.ICCBased, pdf.make_stream(data, N=3)])


def add_output_intent(pdf: pikepdf.Pdf, data: bytes) -> None:
    profile_stream = pdf.make_stream(data, N=3)
    pdf.Root.OutputIntents = Array(
        [Dictionary(Type=Name.OutputIntent, S=Name.GTS_PDFA1, DestOutputProfile=profile_stream)]
    )


def add_tint(pdf: pikepdf.Pdf, data: bytes, **entries: Any) -> None:
    tint = pdf.make_stream(data, Domain=[0, 1], Range=[0, 1], **entries)
    pdf.Root.Held = Array([Name.Separation, Name.Ink, Name.DeviceGray, tint])


def add_calculator(pdf: pikepdf.Pdf, data: bytes) -> None:
    add_tint(pdf, data, FunctionType=4)


def add_stitching(pdf: pikepdf.Pdf, data: bytes) -> None:
    part = pdf.make_stream(data, FunctionType=4, Domain=[0, 1], Range=[0, 1])
    function = Dictionary(FunctionType=3, Domain=[0, 1], Functions=[part], Bounds=[], Encode=[0, 1])
    pdf.Root.Held = Dictionary(TR=Array([pdf.make_indirect(function)] * 4))


def add_samples(pdf: pikepdf.Pdf, data: bytes) -> None:
    add_tint(pdf, data, FunctionType=0, Size=[len(data)], BitsPerSample=8)


SERVES: dict[str, Change] = {
    "cmap": lambda pdf: font_with(pdf, CMAP),
    "profile": lambda pdf: add_color_space(pdf, make_profile(b"sRGB", b"2022" * 10)),
    "intent": lambda pdf: add_output_intent(pdf, make_profile(b"sRGB")),
    "calculator": lambda pdf: add_calculator(pdf, b"{ 2022 mul dup add % sum\n }"),
    "part": lambda pdf: add_stitching(pdf, b"{ 2022 mul dup add }"),
    "ramp": lambda pdf: add_samples(pdf, bytes(range(256))),
}
ORDINARY = ["2022", "def", "begin", "end", "egin", "range", "desc", "text", "mul", "ABC", "Adobe", "UCS", "Identity"]


def read_first_stream(path: Path) -> bytes:
    """The stream that the catalog comes to first."""
    with pikepdf.open(path) as pdf:
        return bytes(next(thing.read_bytes() for thing in pdf.objects if isinstance(thing, pikepdf.Stream)))


@pytest.mark.parametrize("name", SERVES)
def test_what_serves_the_file_is_left_alone_by_ordinary_words(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, SERVES[name])
    before = read_first_stream(letter)
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe", *ORDINARY])
    assert read_first_stream(letter).replace(b"PS-     -", b"PS-Adobe-") == before


HIDDEN: dict[str, Change] = {
    "comment of a CMap": lambda pdf: font_with(pdf, CMAP.replace(b"begincmap", b"begincmap % by Jane Roe\n")),
    "text after a CMap": lambda pdf: font_with(pdf, CMAP + b"\nJane Roe, 2022"),
    "string in a CMap": lambda pdf: font_with(pdf, CMAP.replace(b"(UCS)", b"(Jane Roe)")),
    "name in a CMap": lambda pdf: font_with(pdf, CMAP.replace(b"/Adobe-Id", b"/Jane Roe")),
    "calculator": lambda pdf: add_calculator(pdf, b"{ dup mul } % Jane Roe"),
    "samples": lambda pdf: add_samples(pdf, b"\0\1\2Jane Roe\3\4"),
    "text of a profile": lambda pdf: add_color_space(pdf, make_profile()),
    "wide text of a profile": lambda pdf: add_color_space(pdf, make_profile("by Jane Roe".encode("utf-16-be"))),
    "table of a profile": lambda pdf: add_output_intent(pdf, make_profile(b"", b"1234Jane Roe5678")),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_serves_the_file_loses_the_terms_that_it_spells(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, HIDDEN[name])
    length = len(read_first_stream(letter))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["elsewhere"]["CMaps, color profiles and functions"] == 1
    data = everything_decoded(letter)
    assert b"Roe" not in data
    assert "Roe".encode("utf-16-be") not in data
    assert len(read_first_stream(letter)) == length


def test_digits_in_the_text_of_a_profile_go(ok: Ok, letter: Path) -> None:
    change_pdf(letter, lambda pdf: add_color_space(pdf, make_profile(b"Copyright 4711-22")))
    ok("redact_pdf", path="letter.pdf", patterns=[r"\d{4}-\d{2}"])
    assert b"4711" not in everything_decoded(letter)


@pytest.mark.parametrize(
    "block", [b"beginbfchar <43> <%s> endbfchar", b"beginbfrange <43> <46> [<0041> <%s>] endbfrange"]
)
def test_a_code_that_means_a_term_means_it_no_more(ok: Ok, letter: Path, block: bytes) -> None:
    spelled = "Jane Roe".encode("utf-16-be").hex().encode()
    change_pdf(letter, lambda pdf: font_with(pdf, CMAP.replace(b"endcmap", b"1 " + block % spelled + b"\nendcmap")))
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert spelled not in everything_decoded(letter)
    assert b"<42> <00660066>" in everything_decoded(letter)


def test_a_range_that_comes_to_a_term_does_so_no_more(ok: Ok, letter: Path) -> None:
    spelled = "Jane Roa".encode("utf-16-be").hex().encode()
    ranged = b"1 beginbfrange <43> <49> <%s> endbfrange\nendcmap" % spelled
    change_pdf(letter, lambda pdf: font_with(pdf, CMAP.replace(b"endcmap", ranged)))
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert spelled not in everything_decoded(letter)


def in_the_catalog(data: bytes, **entries: Any) -> Change:
    return lambda pdf: setattr(pdf.Root, "Held", pdf.make_stream(data, **entries))


def share_cmap(pdf: pikepdf.Pdf) -> None:
    pdf.Root.More = font_with(pdf, b"begincmap 2022 endcmap").ToUnicode


NONE_SUCH: dict[str, Change] = {
    "cmap": in_the_catalog(b"begincmap 2022 endcmap"),
    "profile": in_the_catalog(b" " * 36 + b"acsp 2022"),
    "function": in_the_catalog(b"{ 2022 mul }", FunctionType=4),
    "font": in_the_catalog(b"by 2022", Length1=7),
    "picture": in_the_catalog(b"by 2022", Subtype=Name.Image),
    "shared": share_cmap,
}


@pytest.mark.parametrize("name", NONE_SUCH)
def test_what_only_looks_as_if_it_served_the_file_is_searched(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, NONE_SUCH[name])
    done = ok("redact_pdf", path="letter.pdf", terms=["2022"])
    assert done["elsewhere"] == {"metadata, scripts and other streams": 1}
    assert b"2022" not in everything_decoded(letter)


UNREADABLE: dict[str, Change] = {
    "font": lambda pdf: setattr(
        pdf.Root, "Held", Dictionary(Type=Name.FontDescriptor, FontFile2=make_undecodable(pdf))
    ),
    "picture": lambda pdf: setattr(
        pdf.Root, "Held", Dictionary(XObject=Dictionary(Odd=make_undecodable(pdf, Subtype=Name.Image)))
    ),
    "mask": lambda pdf: setattr(pdf.Root, "Held", Dictionary(SMask=make_undecodable(pdf, Filter=Name.JPXDecode))),
}


def make_undecodable(pdf: pikepdf.Pdf, **entries: Any) -> Any:
    stream = pikepdf.Stream(pdf, b"")
    stream.write(b"no such picture", filter=Name.FlateDecode)
    for key, value in entries.items():
        stream["/" + key] = value
    return pdf.make_indirect(stream)


@pytest.mark.parametrize("name", UNREADABLE)
def test_pictures_and_fonts_keep_their_bytes(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, UNREADABLE[name])
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert "streams that cannot be searched" not in done["elsewhere"]
    with pikepdf.open(letter) as pdf:
        raw = [thing.read_raw_bytes() for thing in pdf.objects if isinstance(thing, pikepdf.Stream)]
    assert b"no such picture" in raw


@pytest.mark.parametrize("entries", [{"Length1": 9}, {"Subtype": Name.Image}, {"Filter": Name.DCTDecode}])
def test_what_cannot_be_decoded_and_is_no_picture_of_anything_goes(
    ok: Ok, letter: Path, entries: dict[str, Any]
) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", make_undecodable(pdf, **entries)))
    done = ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])
    assert done["elsewhere"]["streams that cannot be searched"] == 1
    with pikepdf.open(letter) as pdf:
        assert pdf.Root.Held.read_raw_bytes() == b""


STRINGS: dict[str, Any] = {
    "font": Dictionary(Type=Name.Font, Remark="by Jane Roe"),
    "system": Dictionary(Registry="Adobe", Ordering="UCS", Remark="by Jane Roe"),
    "registry": Dictionary(Registry="by Jane Roe", Ordering="UCS"),
}


@pytest.mark.parametrize("name", STRINGS)
def test_strings_of_what_is_about_fonts_are_searched(ok: Ok, letter: Path, name: str) -> None:
    change_pdf(letter, lambda pdf: setattr(pdf.Root, "Held", STRINGS[name]))
    assert ok("redact_pdf", path="letter.pdf", terms=["Jane Roe"])["elsewhere"]["other texts"] == 1
    assert b"Roe" not in everything_decoded(letter)


def test_a_real_profile_keeps_its_colors(ok: Ok, letter: Path) -> None:
    real = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    change_pdf(letter, lambda pdf: add_output_intent(pdf, real))
    ok("redact_pdf", path="letter.pdf", terms=["Jane Roe", "sRGB", "desc", "text"], patterns=[r"\d\d\d\d", "[a-z]{4,}"])
    left = read_first_stream(letter)
    assert "sRGB".encode("utf-16-be") not in left
    ImageCms.ImageCmsProfile(io.BytesIO(left))
    assert text_of(letter, 2)
