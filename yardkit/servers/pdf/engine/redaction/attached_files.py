"""Files attached to a document, searched for terms: as text, in packages, and as PDFs of their own."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from yardkit.kit.pages.raster import LOCK
from yardkit.servers.pdf.engine.content.searchable_text import (
    PACKED,
    Unsearchable,
    decode_stream,
    list_meanings,
    list_undecodable,
    values_of,
)
from yardkit.servers.pdf.engine.redaction.scrubber import MAX_STRING_DEPTH, Scrubber
from yardkit.servers.pdf.engine.redaction.terms import Terms
from yardkit.servers.pdf.engine.redaction.verification import TERM_REMAINS, search_objects, search_pages
from yardkit.world.limits import ARCHIVE_ERRORS

_ENCODINGS = ("latin-1", "utf-8", "utf-16-le", "utf-16-be")
_ZIP_SIGNATURES = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08", b"PK00PK")
_TAR, _TAR_AT = b"ustar", 257
_LOCKED_OFFICE = "EncryptedPackage".encode("utf-16-le")
_ENCODED_MAIL = re.compile(rb"^Content-Transfer-Encoding:\s*(?:base64|quoted-printable)", re.IGNORECASE | re.MULTILINE)
_RTF = b"{\\rtf"
_MAX_DEPTH = 4
_MAX_MEMBERS = 2_000
_MAX_UNPACKED = 200_000_000
_MAX_PAGES = 500
_WHERE_FILES_STAND = ("/EF", "/RF")
_MALFORMED_PDF = (AttributeError, TypeError, ValueError, KeyError, IndexError, OverflowError, RecursionError)
"""What a PDF that is made to confuse raises."""


@dataclass
class Dropped:
    """What happened to the attached files.

    Attributes:
        removed: how many went, since they hold a term or cannot be searched.
        warnings: which cannot be searched, and which stay although they may show text as a picture.
        unsearchable: why one of them cannot be searched.
        judged: object numbers of the streams of all of them.
        gone: of those that hold a term or cannot be searched.
    """

    removed: int = 0
    warnings: list[str] = field(default_factory=list)
    unsearchable: str = ""
    judged: set[Any] = field(default_factory=set)
    gone: set[Any] = field(default_factory=set)


def drop_attached(pdf: Any, terms: Terms, depth: int = 0) -> Dropped:
    """Remove attached files that hold a term, or may: they cannot be trusted to be editable."""
    done = Dropped()
    for name, spec in [(name, spec.obj) for name, spec in pdf.attachments.items()]:
        if not _may_stay(name, spec, terms, depth, done):
            _empty_specification(spec)
            del pdf.attachments[name]
    for spec in list(_iter_specifications(pdf)):  # such as of comments that carry a file
        name = str(spec.get("/UF", spec.get("/F", "without a name")))
        streams = {stream.objgen for stream in _list_streams(spec)}
        if streams & done.gone or not (streams <= done.judged or _may_stay(name, spec, terms, depth, done)):
            _empty_specification(spec)
    return done


def _empty_specification(spec: Any) -> None:
    for key in _WHERE_FILES_STAND:
        if key in spec:
            del spec[key]


def _may_stay(name: str, spec: Any, terms: Terms, depth: int, done: Dropped) -> bool:
    streams = {stream.objgen: stream for stream in _list_streams(spec)}
    stays = not terms.contains(name)
    try:
        files = [decode_stream(stream) for stream in streams.values()]
        has_terms = any(_contains_terms(data, terms, depth) for data in files)
    except (Unsearchable, MemoryError) as error:
        reason = str(error) or "it takes more memory than there is"
        done.warnings.append(f"the attached file {name!r} cannot be searched ({reason}); it was removed")
        done.unsearchable, has_terms = reason, True
    else:
        if stays and not has_terms and any(_is_binary(data) for data in files):
            done.warnings.append(f"the attached file {name!r} stays; only its text was searched, no pictures in it")
    done.judged |= streams.keys()
    done.gone |= streams.keys() if has_terms else set()
    done.removed += has_terms or not stays
    return stays and not has_terms


def _iter_specifications(pdf: Any) -> Iterator[Any]:
    """File specifications with a file in them, wherever they stand."""
    import pikepdf

    def within(node: Any, depth: int) -> Iterator[Any]:
        if isinstance(node, pikepdf.Dictionary) and any(key in node for key in _WHERE_FILES_STAND):
            yield node
        for value in values_of(node) if depth < MAX_STRING_DEPTH else ():
            if isinstance(value, pikepdf.Object) and not value.is_indirect:
                yield from within(value, depth + 1)

    for thing in list(pdf.objects):
        yield from within(thing, 0)


def _list_streams(spec: Any) -> list[Any]:
    """The files of a specification and those that belong to them (ISO 32000-1, 7.11.4)."""
    import pikepdf

    places = [value for key in _WHERE_FILES_STAND for value in values_of(spec.get(key))]
    places += [value for place in places if isinstance(place, pikepdf.Array) for value in place]
    return list({place.objgen: place for place in places if isinstance(place, pikepdf.Stream)}.values())


def _is_binary(data: bytes) -> bool:
    return b"\0" in data and not data.startswith((b"\xfe\xff", b"\xff\xfe"))


def _contains_terms(data: bytes, terms: Terms, depth: int) -> bool:
    if any(map(terms.contains, _iter_texts(data))):
        return True
    if reason := _explain_closed(data):
        raise Unsearchable(reason)
    if depth >= _MAX_DEPTH:
        raise Unsearchable("files are nested too deeply")
    has_terms = b"%PDF-" in data[:1024] and _pdf_holds(data, terms, depth)
    packed = data.startswith(_ZIP_SIGNATURES) or zipfile.is_zipfile(io.BytesIO(data))
    return has_terms or (packed and _package_holds(data, terms, depth))


def _iter_texts(data: bytes) -> Iterator[str]:
    """How the bytes may be meant; also without elements, over which Office splits words."""
    for encoding in _ENCODINGS:
        yield from list_meanings(data.decode(encoding, "ignore"))


def _explain_closed(data: bytes) -> str:
    """Why the text of a file does not stand in its bytes as it is; empty where it may."""
    if data.startswith(PACKED) or data[_TAR_AT : _TAR_AT + len(_TAR)] == _TAR:
        return "it is packed; only zip packages are looked into"
    if data.lstrip()[: len(_RTF)] == _RTF:
        return "it is RTF, which splits and escapes words"
    if _LOCKED_OFFICE in data:
        return "it is protected with a password"
    return "it is a mail with encoded parts" if _ENCODED_MAIL.search(data) else ""


def _package_holds(data: bytes, terms: Terms, depth: int) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = package.infolist()
            if len(members) > _MAX_MEMBERS or sum(member.file_size for member in members) > _MAX_UNPACKED:
                raise Unsearchable("it holds too much")
            names = (terms.contains(member.filename) for member in members)
            return any(names) or any(_contains_terms(package.read(member), terms, depth + 1) for member in members)
    except ARCHIVE_ERRORS as error:
        raise Unsearchable(str(error)) from error


def _pdf_holds(data: bytes, terms: Terms, depth: int) -> bool:
    import pikepdf
    import pypdfium2

    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            inner = drop_attached(pdf, terms, depth + 1)
            left = search_objects(pdf, terms)
            search_pages(pdf, list(range(1, len(pdf.pages) + 1)), terms, left)
            unread = [f"the content of page {number} cannot be decoded" for number in list_undecodable(pdf, None)]
            scrubber = Scrubber(pdf, terms)
            scrubber.document(inner.judged)
        pages = set(left.pages.values())
        has_terms = bool(left.elsewhere or TERM_REMAINS in pages or scrubber.cleaned.total()) or any(
            map(terms.contains, _page_texts(data))
        )
    except (pikepdf.PikepdfError, pypdfium2.PdfiumError, *_MALFORMED_PDF) as error:
        raise Unsearchable("it is a PDF that is damaged or encrypted") from error
    forms = [*left.forms.values(), *left.unsearchable]
    if reasons := [*filter(None, [inner.unsearchable]), *forms, *unread, *(pages - {TERM_REMAINS})]:
        raise Unsearchable(reasons[0])
    return has_terms or bool(inner.removed)


def _page_texts(data: bytes) -> Iterator[str]:
    import pypdfium2

    with LOCK, pypdfium2.PdfDocument(data) as document:
        if len(document) > _MAX_PAGES:
            raise Unsearchable(f"it has more than {_MAX_PAGES} pages")
        for page in document:
            yield page.get_textpage().get_text_range()
