"""Limits on untrusted input, checked before anything parses it."""

import io
import lzma
import struct
import zipfile
import zlib
from pathlib import Path

from yardkit.world.problem import Problem

MAX_FILE_BYTES = 200_000_000
MAX_PIXELS = 100_000_000
MAX_UNPACKED_BYTES = 1_000_000_000
MAX_ARCHIVE_RATIO = 200
MAX_ARCHIVE_MEMBERS = 10_000
_RATIO_FREE_BYTES = 10_000_000
_MARKUP = (".xml", ".rels", ".vml", ".html", ".xhtml", ".musicxml")
ARCHIVE_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(EOFError, OSError, ValueError, RuntimeError),
)
"""What `zipfile` raises for a damaged or encrypted package; an unknown compression is a RuntimeError, too."""


class TooManyPixels(Problem):
    """A picture is too large by its header; nothing of it was decoded."""


def check_bytes(path: Path, limit: int = MAX_FILE_BYTES) -> int:
    """Return the size of a file in bytes.

    Raises:
        Problem: it is over `limit`.
    """
    size = path.stat().st_size
    if size > limit:
        raise Problem(f"{path.name!r} has {size:,} bytes; at most {limit:,} can be read. Split it or make it smaller")
    return size


def check_pixels(width: int, height: int, name: str, limit: int = MAX_PIXELS) -> None:
    """Refuse an image by the size in its header, before a pixel is decoded.

    Raises:
        TooManyPixels: `width` x `height` is over `limit` or not positive.
    """
    if width <= 0 or height <= 0 or width * height > limit:
        size = f"{width:,} x {height:,} pixels"
        raise TooManyPixels(f"{name!r} is {size}; at most {limit:,} pixels can be read. Scale it down")


def check_archive(path: Path) -> None:
    """Refuse a zip package (xlsx, docx, zip ...) that is broken or would unpack to far more than its size.

    Raises:
        Problem: it is not a zip file, is encrypted, has too many members, or is a zip bomb according to its directory.
    """
    open_archive(path).close()


def open_archive(path: Path, data: bytes | None = None) -> zipfile.ZipFile:
    """Open the zip package at `path`, or in its bytes `data`, after the checks of `check_archive`.

    Raises:
        Problem: as `check_archive`.
    """
    check_bytes(path)
    try:
        archive = zipfile.ZipFile(path if data is None else io.BytesIO(data))
    except ARCHIVE_ERRORS as error:
        reason = getattr(error, "strerror", None) or error
        raise Problem(
            f"{path.name!r} is not a readable package ({reason}); it is damaged or of another type"
        ) from error
    try:
        _check_members(path.name, archive.infolist())
    except Problem:
        archive.close()
        raise
    return archive


def _check_members(name: str, members: list[zipfile.ZipInfo]) -> None:
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if len(members) > MAX_ARCHIVE_MEMBERS:
        raise Problem(f"{name!r} holds {len(members):,} members; at most {MAX_ARCHIVE_MEMBERS:,} can be read")
    if _is_bomb(unpacked, packed) or unpacked > MAX_UNPACKED_BYTES:
        raise Problem(f"{name!r} would unpack to {unpacked:,} bytes from {packed:,}; it is refused as a zip bomb")
    for member in members:
        # Beside much that does not shrink, all of it may look harmless. A blank picture shrinks as well.
        if member.filename.lower().endswith(_MARKUP) and _is_bomb(member.file_size, member.compress_size):
            raise Problem(
                f"{member.filename[:100]!r} in {name!r} would unpack to {member.file_size:,} bytes from "
                f"{member.compress_size:,}; it is refused as a zip bomb"
            )


def _is_bomb(unpacked: int, packed: int) -> bool:
    """Whether so much comes of so little; what is small may have any ratio, since unpacking it does no harm."""
    return unpacked > _RATIO_FREE_BYTES and unpacked > MAX_ARCHIVE_RATIO * max(packed, 1)
