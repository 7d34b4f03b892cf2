"""The real type of a file, detected from its first bytes before anything opens it."""

import re
import zipfile
from pathlib import Path

from yardkit.world import Problem
from yardkit.world.limits import ARCHIVE_ERRORS, check_archive, check_bytes

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK\x03\x04"
_OOXML_SUFFIXES = {
    "wordprocessingml": (".docx", ".docm", ".dotx", ".dotm"),
    "spreadsheetml": (".xlsx", ".xlsm", ".xltx", ".xltm"),
    "ms-excel": (".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb"),
    "presentationml": (".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"),
    "ms-powerpoint": (".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm"),
    "ms-word": (".docx", ".docm", ".dotx", ".dotm"),
}
_MAIN_PART = re.compile(rb"application/vnd\.(?:openxmlformats-officedocument\.)?([a-z-]+)[^\"'<>]*\.main")
_ODF_SUFFIXES = {
    "text": (".odt", ".ott", ".fodt"),
    "spreadsheet": (".ods", ".ots"),
    "presentation": (".odp", ".otp"),
    "graphics": (".odg", ".otg"),
}
_OLE_KINDS = {".doc": b"WordDocument", ".xls": b"Workbook", ".ppt": b"PowerPoint Document"}
_MAGIC_SUFFIXES = {b"{\\rtf": ".rtf", b"%PDF": ".pdf", b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg", b"GIF8": ".gif"}
_KIND_NAMES = {
    ".docx": "a Word document", ".xlsx": "an Excel workbook", ".xlsb": "a binary Excel workbook (.xlsb)",
    ".pptx": "a PowerPoint presentation", ".odt": "an OpenDocument text", ".ods": "an OpenDocument spreadsheet",
    ".odp": "an OpenDocument presentation", ".odg": "an OpenDocument drawing", ".doc": "a Word 97-2003 document",
    ".xls": "an Excel 97-2003 workbook", ".ppt": "a PowerPoint 97-2003 presentation", ".rtf": "an RTF text",
    ".pdf": "a PDF", ".png": "a picture", ".jpg": "a picture", ".gif": "a picture",
}  # fmt: skip
_DOC_START, _XLS_START, _PPT_START = b"\xec\xa5", b"\x09\x08\x10\x00", b"\x00\x00\xf6\x0f"
_FILE_PASS, _PPT_ENCRYPTED = 0x2F, b"\xdf\xc4\xd1\xf3"
_MAX_HEAD = 4_000_000
_LOCKED = "{!r} is protected with a password; save it without one first"

OFFICE = tuple(suffix for family in (_OOXML_SUFFIXES, _ODF_SUFFIXES) for kinds in family.values() for suffix in kinds)
LEGACY = (".doc", ".dot", ".xls", ".xlt", ".ppt", ".pot", ".pps")
LOOSE = (".rtf", ".csv", ".tsv", ".txt", ".fodt", ".svg", ".html", ".htm")
"""Formats that LibreOffice reads without a container."""


def office_suffix(path: Path) -> str:
    """Return the suffix with which LibreOffice should open a file: its own, or the right one if the name is wrong.

    Raises:
        Problem: the file is damaged, has another type than its name, is password-protected, or a zip bomb.
    """
    check_bytes(path)
    suffix = path.suffix.lower()
    with path.open("rb") as handle:
        head = handle.read(16)
    if not head:
        raise Problem(f"{path.name!r} is empty; there is nothing to show")
    if head.startswith(_OLE):
        return _detect_legacy(path, suffix)
    if head.startswith(_ZIP):
        return _detect_package(path, suffix)
    if head.startswith(b"{\\rtf"):
        return ".rtf"
    if suffix in LOOSE and suffix != ".rtf":
        return suffix
    if suffix in (*OFFICE, *LEGACY, ".rtf"):
        raise Problem(
            f"{path.name!r} is not a valid {suffix} file: it is damaged, truncated or of another type. Create it again"
        )
    raise Problem(
        f"{path.name!r} is of a type that cannot be shown as pages ({suffix or 'no suffix'}); possible are docx, xlsx, "
        "pptx, odt, ods, odp, doc, xls, ppt, rtf, csv, txt"
    )


def true_suffix(path: Path) -> str | None:
    """Return the suffix for the content of a file, regardless of its name; None if it is damaged or of an unknown type.

    Raises:
        Problem: it is protected with a password.
    """
    with path.open("rb") as handle:
        head = handle.read(16)
    if head.startswith(_OLE):
        return _ole_suffix(path)
    if head.startswith(_ZIP):
        return _zip_suffix(path)
    return next((suffix for beginning, suffix in _MAGIC_SUFFIXES.items() if head.startswith(beginning)), None)


def explain_other_kind(path: Path, own: str, convertible: tuple[str, ...], how: str) -> Problem | None:
    """Explain why a file's content is not of the kind `own`; None if it is, or if it is damaged or unknown.

    Args:
        path: the file.
        own: the expected suffix, such as .docx.
        convertible: the kinds that can be converted to `own`.
        how: how to convert them.

    Raises:
        Problem: it is protected with a password.
    """
    suffix = true_suffix(path)
    if suffix is None or suffix == own:
        return None
    return Problem(f"{path.name!r} is {_KIND_NAMES[suffix]}; {how if suffix in convertible else f'name a {own} file'}")


def no_picture(path: Path, possible: str) -> Problem:
    """Explain why a file is not a picture for a document, and what to do."""
    if path.suffix.lower() == ".svg":
        return Problem(f"{path.name!r} is a drawing (SVG); convert_file of the render server makes a .png file of it")
    return Problem(f"{path.name!r} is not a readable picture; give {possible}")


def _zip_suffix(path: Path) -> str | None:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "[Content_Types].xml" in names:
                types = archive.read("[Content_Types].xml")
                return ".xlsb" if b"sheet.binary" in types else next(iter(_ooxml_kinds(types)), None)
            return next(iter(_odf_kinds(archive, path)), None) if "mimetype" in names else None
    except ARCHIVE_ERRORS as error:
        if _is_locked(error):
            raise Problem(_LOCKED.format(path.name)) from error
        return None


def _detect_legacy(path: Path, suffix: str) -> str:
    legacy_suffix = _ole_suffix(path)
    # LibreOffice would show the bytes of a zip without its directory as text.
    if (
        legacy_suffix is None
        and path.stat().st_size <= 2 * _MAX_HEAD
        and not any(map(_read_ends(path).__contains__, _OLD_KINDS))
    ):
        raise Problem(f"{path.name!r} cannot be opened; it is damaged or of another type")
    return suffix if suffix in LEGACY else legacy_suffix or ".doc"


def _read_ends(path: Path) -> bytes:
    with path.open("rb") as handle:
        data = handle.read(_MAX_HEAD)
        handle.seek(max(0, path.stat().st_size - _MAX_HEAD))
        return data + handle.read()


def _ole_suffix(path: Path) -> str | None:
    data = _read_ends(path)
    if _encode_utf16(b"EncryptedPackage") in data or _is_encrypted(data):
        raise Problem(_LOCKED.format(path.name))
    return next((kind for kind, stream in _OLE_KINDS.items() if _encode_utf16(stream) in data), None)


def _is_encrypted(data: bytes) -> bool:
    """Whether a .doc, .xls or .ppt is encrypted: a flag of the FIB ([MS-DOC] 2.5.2), the record FilePass ([MS-XLS]
    2.4.117), the token of CurrentUserAtom ([MS-PPT] 2.3.2). Streams begin at multiples of 64 bytes.
    """
    for start in range(0, len(data) - 64, 64):
        head = data[start : start + 4]
        if head[:2] == _DOC_START and data[start + 11] & 1:
            return True
        if head == _XLS_START and _FILE_PASS in _read_record_kinds(data, start):
            return True
        if head == _PPT_START and data[start + 12 : start + 16] == _PPT_ENCRYPTED:
            return True
    return False


def _read_record_kinds(data: bytes, at: int) -> set[int]:
    """Read the kinds of the first records in a workbook stream."""
    record_kinds = set()
    for _ in range(12):
        record_kinds.add(int.from_bytes(data[at : at + 2], "little"))
        at += 4 + int.from_bytes(data[at + 2 : at + 4], "little")
    return record_kinds


def _encode_utf16(text: bytes) -> bytes:
    return text.decode("ascii").encode("utf-16-le")


_OLD_KINDS = (_encode_utf16(b"Book"), _encode_utf16(b"PP40"), _encode_utf16(b"PP97"))
"""Streams of Excel 5 and PowerPoint 4 to 95."""


def _detect_package(path: Path, suffix: str) -> str:
    check_archive(path)
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "[Content_Types].xml" in names:
                return _choose_suffix(suffix, _ooxml_kinds(archive.read("[Content_Types].xml")), path)
            if "mimetype" in names:
                return _choose_suffix(suffix, _odf_kinds(archive, path), path)
    except ARCHIVE_ERRORS as error:
        words = _LOCKED.format(path.name) if _is_locked(error) else f"{path.name!r} is damaged ({error}); make it again"
        raise Problem(words) from error
    raise Problem(f"{path.name!r} is a zip archive without a document in it; it is damaged or of another type")


def _is_locked(error: Exception) -> bool:
    """Whether `zipfile` needs a password, which it reports by a plain RuntimeError."""
    return type(error) is RuntimeError


def _ooxml_kinds(types: bytes) -> tuple[str, ...]:
    main_parts = [match.group(1).decode() for match in _MAIN_PART.finditer(types)]
    return next((_OOXML_SUFFIXES[kind] for kind in main_parts if kind in _OOXML_SUFFIXES), ())


def _odf_kinds(archive: zipfile.ZipFile, path: Path) -> tuple[str, ...]:
    manifest = archive.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in archive.namelist() else b""
    if b"encryption-data" in manifest:
        raise Problem(_LOCKED.format(path.name))
    kind = archive.read("mimetype").decode("ascii", "replace").rpartition(".")[2]
    return _ODF_SUFFIXES.get(kind.removesuffix("-template"), ())


def _choose_suffix(suffix: str, kinds: tuple[str, ...], path: Path) -> str:
    if not kinds:
        raise Problem(f"{path.name!r} is a package of an unknown kind; it is damaged or of another type")
    return suffix if suffix in kinds else kinds[0]
