"""Streams that serve the file: fonts, pictures, CMaps, color profiles, functions; and what they may spell.

A stream is one of them only where it is referred to as one. Of CMaps, profiles and functions all is searched but the
words of their formats; what spells a term there is blanked in its place, which changes nothing that is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Literal, Protocol

from yardkit.servers.pdf.engine.content.encodings import parse_cmap

Kind = Literal["cmap", "calculator", "samples", "profile"]


class TermFinder(Protocol):
    """Finds what of a text is a term; among numbers, in which some stand by chance, not those."""

    def __call__(self, text: str, *, among_numbers: bool = False) -> Iterator[str]: ...


_PICTURE_FILTERS = ("/DCTDecode", "/JPXDecode", "/CCITTFaxDecode", "/JBIG2Decode")
_MAX_DEPTH = 60
_STREAM_ROLES = {
    **dict.fromkeys(("/ToUnicode", "/Encoding", "/UseCMap"), "cmap"),
    **dict.fromkeys(("/Function", "/Functions", "/TransferFunction"), "function"),
    **dict.fromkeys(("/TR", "/TR2", "/BG", "/BG2", "/UCR", "/UCR2"), "function"),
    **dict.fromkeys(("/FontFile", "/FontFile2", "/FontFile3"), "font"),
    **dict.fromkeys(("/SMask", "/Mask", "/Image", "/Thumb"), "picture"),
    "/DestOutputProfile": "profile",
    "/XObject": "objects",
    "/Shading": "shading",
}
"""As what a key refers to a stream."""
_WITHIN = {"objects": "picture", "shading": "shading"}
"""As what a resource of that kind refers to one."""
_IN_ARRAYS = {
    ("/ICCBased", 1): "profile",
    **dict.fromkeys((("/Separation", 3), ("/DeviceN", 3)), "function"),
    ("/Indexed", 3): "palette",
}
_WORDS = frozenset(
    b"""
    CIDInit ProcSet findresource begin dict begincmap endcmap usecmap CIDSystemInfo Registry Ordering Supplement dup def
    CMapName CMapVersion CMapType XUID UIDOffset WMode begincodespacerange endcodespacerange beginbfchar endbfchar
    beginbfrange endbfrange begincidchar endcidchar begincidrange endcidrange beginnotdefchar endnotdefchar
    beginnotdefrange endnotdefrange currentdict CMap defineresource pop end Adobe Identity Identity-H Identity-V UCS
    UCS2 Adobe-Identity-UCS Adobe-Identity-H Japan1 Japan2 GB1 CNS1 Korea1 KR Manga1
    abs add atan ceiling cos cvi cvr div exp floor idiv ln log mod mul neg round sin sqrt sub truncate and bitshift eq
    false ge gt le lt ne not or true xor if ifelse copy exch index roll
    """.split()
)
"""Words of CMaps (Adobe Technical Note 5014) and of calculator functions (ISO 32000-1, 7.10.5)."""
_CODES = frozenset(
    b"""
    acsp scnr mntr prtr link spac abst nmcl XYZ Lab Luv YCbr Yxy RGB GRAY HSV HLS CMYK CMY APPL MSFT ADBE lcms
    A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 bXYZ bTRC rXYZ rTRC gXYZ gTRC kTRC wtpt bkpt chad chrm cprt calt targ clro clrt desc
    dmnd dmdd gamt lumi meas ncl2 pre0 pre1 pre2 ps2s psd0 psd1 psd2 psd3 pseq resp tech vued view data dtim text mluc
    para curv mft1 mft2 mAB mBA sf32 uf32 ui08 ui16 ui32 ui64 sig scrn scrd ucmI ndin mmod vcgt aarg aabg aagg meta dict
    """.split()
)
"""Signatures in color profiles (ICC.1:2022), without the spaces that fill them up."""
_TEXT_TAGS = (b"desc", b"text", b"mluc", b"dict")
_TOKEN = re.compile(
    rb"(%[^\r\n]*|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\))|<[0-9A-Fa-f\s]*>|/?([^\s()<>\[\]{}/%]+)", re.DOTALL
)
_HEX = re.compile(rb"<([0-9A-Fa-f\s]+)>")
_SHORTEST = 3
"""Letters of a term that is looked for beside texts."""
_SHORTEST_AMONG_NUMBERS = 4


class Roles:
    """As what the streams of a document are referred to."""

    def __init__(self, pdf: Any) -> None:
        self._of = _map_roles(pdf)

    def refers_to(self, stream: Any) -> bool:
        """Whether anything does; what nothing refers to is not saved."""
        return stream.objgen in self._of

    def spells_nothing(self, stream: Any) -> bool:
        """Whether a stream is a picture, or the program of a font: nothing that is searched for terms."""
        roles = self._of.get(stream.objgen, set())
        return "font" in roles or (bool(roles & {"picture", "objects"}) and _is_picture(stream))

    def kind(self, stream: Any, data: bytes) -> Kind | None:
        """Which kind of resource a decoded stream is, by its look and by all that refers to it."""
        roles = self._of.get(stream.objgen, set())
        if roles == {"cmap"} and b"begincmap" in data and b"endcmap" in data:
            return "cmap"
        if roles == {"profile"} and data[36:40] == b"acsp":
            return "profile"
        if roles == {"function"} and "/FunctionType" in stream:
            return "calculator" if stream["/FunctionType"] == 4 else "samples"
        if roles == {"palette"}:
            return "samples"
        return "samples" if roles == {"shading"} and "/ShadingType" in stream else None


def _is_picture(stream: Any) -> bool:
    import pikepdf

    kind, filters = stream.get("/Subtype"), stream.get("/Filter")
    last = list(filters)[-1:] if isinstance(filters, pikepdf.Array) else [filters]
    return kind == "/Image" or (kind != "/Form" and any(str(name) in _PICTURE_FILTERS for name in last))


def _map_roles(pdf: Any) -> dict[Any, set[str]]:
    """By object number, in which roles it is referred to."""
    import pikepdf

    roles_by_object: dict[Any, set[str]] = {}
    waiting = [(pdf.trailer, "", 0)]
    while waiting:
        node, role, depth = waiting.pop()
        if node.is_indirect:
            known = roles_by_object.setdefault(node.objgen, set())
            if role in known:
                continue
            known.add(role)
            depth = 0
        if depth < _MAX_DEPTH:
            waiting += [
                (value, as_, depth + 1)
                for value, as_ in _list_contained_objects(node, role)
                if isinstance(value, pikepdf.Object)
            ]
    return roles_by_object


def _list_contained_objects(node: Any, role: str) -> list[tuple[Any, str]]:
    """What an object holds, and in which role."""
    import pikepdf

    if isinstance(node, pikepdf.Array):
        head = str(node[0]) if len(node) and isinstance(node[0], pikepdf.Name) else ""
        every = role if role == "function" else ""
        return [(value, _IN_ARRAYS.get((head, at), every)) for at, value in enumerate(node)]
    if isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
        every = "" if "/ShadingType" in node else _WITHIN.get(role, "")
        return [(value, every or _STREAM_ROLES.get(key, "")) for key, value in node.items()]
    return []


def is_palette(array: Any, at: int) -> bool:
    """Whether an entry of an array is the colors of a picture (ISO 32000-1, 8.6.6.3)."""
    return at == 3 and len(array) == 4 and array[0] == "/Indexed"


def is_own_word(key: str, text: str) -> bool:
    """Whether a string is the name of a system of characters, as fonts and CMaps state it."""
    return key in ("/Registry", "/Ordering") and text.encode() in _WORDS


def spells_term(kind: Kind, data: bytes, find_terms: TermFinder) -> bool:
    """Whether a resource spells a term."""
    return any(
        True for view, letters in _build_views(kind, data) for _ in _iter_spellings(view, letters, find_terms)
    ) or (kind == "cmap" and bool(_list_meant_texts(data, find_terms)))


def without_terms(kind: Kind, data: bytes, find_terms: TermFinder) -> bytes:
    """A resource without the terms that it spells: blanks in their place, and no meaning for codes that mean one."""
    out = bytearray(data)
    for view, letters in _build_views(kind, data):
        for term in set(_iter_spellings(view, letters, find_terms)):
            for hit in re.finditer(re.escape(term), view):
                for at in range(*hit.span()):
                    out[at] = out[at] if view[at] in b"\0\r\n" else 0x20
    if kind == "cmap":
        bad = _list_meant_texts(bytes(out), find_terms)
        return _HEX.sub(lambda match: b"<FFFD>" if bad.intersection(_iter_meanings(match[1])) else match[0], bytes(out))
    return bytes(out)


def _iter_spellings(view: bytes, letters: int, find_terms: TermFinder) -> Iterator[bytes]:
    """The bytes that are a term of so many letters."""
    for encoding, data in (("utf-8", view), ("utf-16-be", view), ("utf-16-be", view[1:])):
        text = data.decode(encoding, "replace").replace("\ufffd", "\0")  # what is left out would join what it divides
        for term in find_terms(text, among_numbers=letters == _SHORTEST_AMONG_NUMBERS):
            if not letters or _is_worded(term, letters):
                yield term.encode(encoding)


def _is_worded(term: str, letters: int = _SHORTEST) -> bool:
    """Whether a text has so many letters, which are no steps of a ramp."""
    term_letters = "".join(filter(str.isalpha, term))
    return len(term_letters.encode()) >= letters and any(ord(b) - ord(a) != 1 for a, b in pairwise(term))


def _build_views(kind: Kind, data: bytes) -> list[tuple[bytes, int]]:
    """What is searched, the rest zeros; and of how many letters a term is there, 0 where digits are, too."""
    if kind == "samples":
        return [(data, _SHORTEST_AMONG_NUMBERS)]
    text_view = bytearray(len(data))
    rest = bytearray(data)
    if kind == "profile":
        for start, end in _texts_of_profile(data):
            text_view[start:end] = data[start:end]
        for start, end in _iter_curves(data):
            rest[start:end] = bytes(end - start)
        for at in _iter_slots(data):
            if data[at : at + 4].rstrip() in _CODES:
                text_view[at : at + 4] = rest[at : at + 4] = bytes(len(rest[at : at + 4]))
    else:
        for token in _TOKEN.finditer(data):
            start, end = token.span()
            own = token[0].strip(b"()/") in _WORDS
            if token[1] and not own:
                text_view[start:end] = token[0]
            if token[1] or own or not token[2]:
                rest[start:end] = bytes(end - start)
    return [(bytes(text_view), 0), (bytes(rest), _SHORTEST_AMONG_NUMBERS if kind == "profile" else _SHORTEST)]


def _list_tags(data: bytes) -> list[tuple[int, int, int]]:
    """Of each tag of a profile: where it is named, where it begins and ends."""
    tags = []
    for at in range(132, min(132 + 12 * int.from_bytes(data[128:132], "big"), len(data) - 11, 4096), 12):
        start, size = (int.from_bytes(data[number : number + 4], "big") for number in (at + 4, at + 8))
        tags.append((at, start, start + size))
    return tags


def _iter_slots(data: bytes) -> Iterator[int]:
    """Where signatures stand."""
    yield from range(0, 128, 4)
    for named, start, _ in _list_tags(data):
        yield from (named, start)


def _texts_of_profile(data: bytes) -> list[tuple[int, int]]:
    return [(start, min(end, len(data))) for _, start, end in _list_tags(data) if data[start : start + 4] in _TEXT_TAGS]


def _iter_curves(data: bytes) -> Iterator[tuple[int, int]]:
    """Where tables of tones stand that only rise, as no text does (ICC.1:2022, 10.6)."""
    for _, start, _ in _list_tags(data):
        end = start + 12 + 2 * int.from_bytes(data[start + 8 : start + 12], "big")
        if data[start : start + 4] == b"curv" and end <= len(data):
            tones = [int.from_bytes(data[at : at + 2], "big") for at in range(start + 12, end, 2)]
            if tones == sorted(tones):
                yield start + 12, end


def _list_meant_texts(data: bytes, find_terms: TermFinder) -> set[str]:
    """The texts in a CMap that are a term, and those with which a range begins that comes to one."""
    texts = {text for token in _HEX.findall(data) for text in _iter_meanings(token)}
    counted = {text for text in parse_cmap(data)[0].values() if len(text) >= _SHORTEST} - texts
    bad = {text for text in texts | counted if any(map(_is_worded, find_terms(text)))}
    starts = {text[:-1] for text in bad & counted}
    return bad | {text for text in texts if text[:-1] in starts}


def _iter_meanings(digits: bytes) -> Iterator[str]:
    """How the bytes of a string of a CMap may be meant."""
    joined_digits = b"".join(digits.split())
    data = bytes.fromhex((joined_digits + b"0" * (len(joined_digits) % 2)).decode())
    yield from (text for text in (data.decode("utf-16-be", "ignore"), data.decode("latin-1")) if len(text) >= _SHORTEST)
