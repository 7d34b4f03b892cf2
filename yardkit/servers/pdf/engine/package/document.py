"""Opening and saving: one place that knows passwords, damage, limits and what a rewrite keeps."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from yardkit.kit.pages.raster import LOCK
from yardkit.servers.pdf.engine.package.permissions import Right, list_overridden
from yardkit.servers.pdf.engine.package.signatures import signatures_of
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

MAX_PAGES = 20_000
_HEADER_WITHIN = 1024


def check_pdf(path: Path) -> None:
    """Refuse what is too large or no PDF by its first bytes.

    Raises:
        Problem: see above.
    """
    check_bytes(path)
    with path.open("rb") as handle:
        head = handle.read(_HEADER_WITHIN)
    if b"%PDF-" not in head:
        kind = "is empty" if not head else "is not a PDF (it does not begin with %PDF-)"
        raise Problem(f"{path.name!r} {kind}; choose a PDF, or make one with create_pdf")


@contextmanager
def open_pdf(path: Path, password: str = "", *, strict: bool = False) -> Iterator[Any]:
    """The file as a ``pikepdf.Pdf``; what its libraries raise in the body becomes a `Problem`.

    Args:
        path: the file.
        password: of the user or the owner.
        strict: refuse a damaged file instead of reconstructing it: an edit must not lose what was not found.

    Raises:
        Problem: no PDF, a wrong or missing password, damaged, or too many pages.
    """
    import pikepdf

    check_pdf(path)
    options = {"password": password, "attempt_recovery": not strict, "suppress_warnings": True}
    with translate_errors(path, password), pikepdf.open(path, **options) as pdf:
        if not len(pdf.pages):
            raise _no_pages(path)
        if len(pdf.pages) > MAX_PAGES:
            raise Problem(f"{path.name!r} has {len(pdf.pages):,} pages; the limit is {MAX_PAGES:,}")
        yield pdf


@contextmanager
def translate_errors(
    path: Path, password: str = "", advice: str = "rewrite_pdf repairs what can be read"
) -> Iterator[None]:
    """Errors of pikepdf, qpdf and PDFium about the file as problems."""
    import pikepdf
    import pypdfium2

    try:
        yield
    except pikepdf.PasswordError as error:
        raise wrong_password(path, password) from error
    except (pikepdf.PikepdfError, pypdfium2.PdfiumError, pikepdf.QpdfRuntimeError) as error:
        raise Problem(f"{path.name!r} is damaged ({_format_reason(error, path)}); {advice}") from error
    except RecursionError as error:
        raise Problem(f"{path.name!r} has objects nested too deeply") from error


def wrong_password(path: Path, password: str) -> Problem:
    message = "the given password does not open it" if password else "no password was given"
    return Problem(f"{path.name!r} is encrypted and {message}; pass the right `password`")


def _no_pages(path: Path) -> Problem:
    return Problem(f"{path.name!r} has no pages; use create_pdf to make a new file")


def _format_reason(error: Exception, path: Path) -> str:
    text = str(error).replace(str(path), path.name).split("\n")[0]
    return text[:200]


@contextmanager
def render_pdf(path: Path, password: str = "") -> Iterator[Any]:
    """The file as a ``pypdfium2.PdfDocument`` with its forms, under the lock of PDFium.

    Raises:
        Problem: as `open_pdf`.
    """
    import pypdfium2

    check_pdf(path)
    with LOCK, translate_errors(path, password):
        try:
            document = pypdfium2.PdfDocument(path, password=password or None)
        except pypdfium2.PdfiumError as error:
            if "password" in str(error).lower():
                raise wrong_password(path, password) from error
            if "Success" in str(error):  # the file was read, but PDFium counts no page
                raise _no_pages(path) from error
            raise
        try:
            if len(document) > MAX_PAGES:
                raise Problem(f"{path.name!r} has {len(document):,} pages; the limit is {MAX_PAGES:,}")
            if document.get_formtype():
                document.init_forms()
            yield document
        finally:
            document.close()


def save_pdf(pdf: Any, target: Path, *, encryption: Any = None, shrink: bool = False) -> None:
    """Write the document; streams that nobody touched keep their bytes, encryption stays as it was.

    The identifier follows from the content, so equal work gives equal bytes; encrypted files hold random keys.
    """
    import pikepdf

    keep = pdf.is_encrypted if encryption is None else encryption
    options: dict[str, Any] = {"encryption": keep} if keep else {"deterministic_id": True}
    if shrink:
        options |= {"object_stream_mode": pikepdf.ObjectStreamMode.generate, "recompress_flate": True}
    elif not keep:
        # Without compression the streams that hold the objects would be stored plain as well, several times as large.
        options |= {
            "compress_streams": pdf.trailer.get("/Type") == "/XRef",
            "stream_decode_level": pikepdf.StreamDecodeLevel.none,
        }
    pdf.save(target, fix_metadata_version=False, **options)


def make_stream(pdf: Any, data: bytes, **entries: Any) -> Any:
    """A new compressed stream, indirect, with the entries of its dictionary (names without slash)."""
    import pikepdf

    new_stream = pikepdf.Stream(pdf, b"")
    new_stream.write(zlib.compress(data, 9), filter=pikepdf.Name.FlateDecode)
    for name, value in entries.items():
        new_stream["/" + name] = value
    return pdf.make_indirect(new_stream)


def warnings_of(pdf: Any, right: Right = "change") -> list[str]:
    """What a saved change means for the file: signatures that end, a right to it that was not given."""
    return signatures_ended(pdf) + list_overridden(pdf, right)


def signatures_ended(pdf: Any) -> list[str]:
    """Which signatures a change ends."""
    signed = [signature.field for signature in signatures_of(pdf, 0) if signature.signed]
    return [f"the signature in {', '.join(signed)} is no longer valid after this change"] if signed else []
