"""Files attached to a document, searched for terms: as text, in packages, and as PDFs of their own."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from toolyard.servers.pages.raster import LOCK
from toolyard.servers.pdf.engine.scrubbing import Scrubber, Terms
from toolyard.world.limits import ARCHIVE_ERRORS

_ENCODINGS = ("latin-1", "utf-8", "utf-16-le", "utf-16-be")
_TAG = re.compile(r"<[^<>]*>")
_PACKED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf\x27\x1c", b"Rar!", b"\x28\xb5\x2f\xfd", b"MSCF")
"""How gzip, bzip2, xz, 7z, rar, zstd and cab files begin."""
_MAX_DEPTH = 4
_MAX_MEMBERS = 2_000
_MAX_UNPACKED = 200_000_000
_MAX_PAGES = 500


@dataclass
class Dropped:
    """What happened to the attached files.

    Attributes:
        removed: how many went, since they hold a term or cannot be searched.
        warnings: which cannot be searched, and which stay although they may show text as a picture.
    """

    removed: int = 0
    warnings: list[str] = field(default_factory=list)


class _Unsearchable(Exception):
    """A file, or a part of it, cannot be looked into."""


def drop_attached(pdf: Any, terms: Terms, depth: int = 0) -> Dropped:
    """Remove attached files that hold a term, or may: they cannot be trusted to be editable."""
    done = Dropped()
    listed = {name: spec.obj for name, spec in pdf.attachments.items()}
    for name, spec in listed.items():
        if not _may_stay(name, spec, terms, depth, done):
            del pdf.attachments[name]
    known = {spec.objgen for spec in listed.values()}
    for spec in [each for each in _specs(pdf) if each.objgen == (0, 0) or each.objgen not in known]:
        name = str(spec.get("/UF", spec.get("/F", "without a name")))
        if not _may_stay(name, spec, terms, depth, done):
            del spec["/EF"]  # such as of the comment that carries the file
    return done


def _may_stay(name: str, spec: Any, terms: Terms, depth: int, done: Dropped) -> bool:
    try:
        files = [_bytes_of(stream) for stream in _streams(spec)]
        held = terms.within(name) or any(_holds(data, terms, depth) for data in files)
    except _Unsearchable as reason:
        done.warnings.append(f"the attached file {name!r} cannot be searched ({reason}); it was removed")
        held = True
    else:
        if not held and any(_is_binary(data) for data in files):
            done.warnings.append(f"the attached file {name!r} stays; only its text was searched, no pictures in it")
    done.removed += held
    return not held


def _specs(pdf: Any) -> Iterator[Any]:
    """File specifications with a file in them, wherever they stand."""
    import pikepdf

    def within(node: Any, depth: int) -> Iterator[Any]:
        if isinstance(node, pikepdf.Dictionary) and isinstance(node.get("/EF"), pikepdf.Dictionary):
            yield node
        for value in _values(node) if depth < _MAX_DEPTH else ():
            if isinstance(value, pikepdf.Object) and not value.is_indirect:
                yield from within(value, depth + 1)

    for each in list(pdf.objects):
        yield from within(each, 0)


def _values(node: Any) -> list[Any]:
    import pikepdf

    if isinstance(node, pikepdf.Array):
        return list(node)
    if isinstance(node, pikepdf.Dictionary):
        return [node.get(key) for key in node.keys()]  # noqa: SIM118 - no mapping of Python
    return []


def _streams(spec: Any) -> list[Any]:
    import pikepdf

    held = spec.get("/EF", {})
    found = {stream.objgen: stream for stream in _values(held) if isinstance(stream, pikepdf.Stream)}
    return list(found.values())


def _bytes_of(stream: Any) -> bytes:
    import pikepdf

    try:
        return bytes(stream.read_bytes())
    except pikepdf.PikepdfError as error:
        raise _Unsearchable("it is damaged") from error


def _is_binary(data: bytes) -> bool:
    return b"\0" in data and not data.startswith((b"\xfe\xff", b"\xff\xfe"))


def _holds(data: bytes, terms: Terms, depth: int) -> bool:
    texts = [data.decode(encoding, "ignore") for encoding in _ENCODINGS]
    if data.lstrip()[:1] == b"<":
        texts += [_TAG.sub("", text) for text in texts]  # Office splits words over elements
    if any(map(terms.within, texts)):
        return True
    if data.startswith(_PACKED):
        raise _Unsearchable("it is packed; only zip packages are looked into")
    if depth >= _MAX_DEPTH:
        raise _Unsearchable("files lie in files too deeply")
    if data.startswith(b"PK\x03\x04"):
        return _package_holds(data, terms, depth)
    return data.startswith(b"%PDF-") and _pdf_holds(data, terms, depth)


def _package_holds(data: bytes, terms: Terms, depth: int) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            members = package.infolist()
            if len(members) > _MAX_MEMBERS or sum(each.file_size for each in members) > _MAX_UNPACKED:
                raise _Unsearchable("it holds too much")
            names = (terms.within(each.filename) for each in members)
            return any(names) or any(_holds(package.read(each), terms, depth + 1) for each in members)
    except ARCHIVE_ERRORS as error:
        raise _Unsearchable(str(error)) from error


def _pdf_holds(data: bytes, terms: Terms, depth: int) -> bool:
    import pikepdf
    import pypdfium2

    try:
        with pikepdf.open(io.BytesIO(data)) as pdf:
            inner = drop_attached(pdf, terms, depth + 1)
            scrubber = Scrubber(pdf, terms)
            scrubber.document()
        return bool(inner.removed or scrubber.cleaned) or any(map(terms.within, _page_texts(data)))
    except (pikepdf.PikepdfError, pypdfium2.PdfiumError) as error:
        raise _Unsearchable("it is a PDF that is damaged or encrypted") from error


def _page_texts(data: bytes) -> Iterator[str]:
    import pypdfium2

    with LOCK, pypdfium2.PdfDocument(data) as document:
        if len(document) > _MAX_PAGES:
            raise _Unsearchable(f"it has more than {_MAX_PAGES} pages")
        for page in document:
            yield page.get_textpage().get_text_range()
