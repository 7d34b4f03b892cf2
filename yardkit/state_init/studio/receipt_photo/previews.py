"""JPEG files as cameras write them: with EXIF data that hold a preview, which is another picture within the file."""

import io
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_MODEL, _ORIENTATION, _TAKEN, _EXIF = 0x0110, 0x0112, 0x9003, 0x8769
_COMPRESSION, _START, _LENGTH = 0x0103, 0x0201, 0x0202
_TEXT, _SHORT, _LONG = 2, 3, 4
_JPEG = 6


def with_preview(image: "Image", taken: str, *, orientation: int, preview_px: int = 640, quality: int = 90) -> bytes:
    """A JPEG file of an upright picture, stored turned by `orientation`, with a preview so long on its longer side.

    `taken` is the time as EXIF has it, such as ``2026:03:14 10:20:30``. The data are laid out as in EXIF 2.32,
    section 4.5: the directory of the picture, that of the shot, that of the preview, and the preview.

    Raises:
        struct.error: the preview has over 64 kB, more than a segment of a JPEG file holds.
    """
    from PIL import Image as Images

    turn = {3: Images.Transpose.ROTATE_180, 6: Images.Transpose.ROTATE_90, 8: Images.Transpose.ROTATE_270}
    stored = image.transpose(turn[orientation]) if orientation in turn else image
    small = stored.copy()
    small.thumbnail((preview_px, preview_px), Images.Resampling.LANCZOS)
    segment = b"Exif\0\0" + _build_exif(taken.encode("ascii") + b"\0", orientation, _encode_jpeg(small, 78))
    full_jpeg = _encode_jpeg(stored, quality)
    return full_jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment + full_jpeg[2:]


def _encode_jpeg(image: "Image", quality: int) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return buffer.getvalue()


def _build_exif(taken: bytes, orientation: int, preview: bytes) -> bytes:
    model = b"Lumora C2\0"
    at_model = 8 + _compute_directory_size(3)
    at_shot = at_model + len(model)
    at_taken = at_shot + _compute_directory_size(1)
    at_preview = at_taken + len(taken)
    at_picture = at_preview + _compute_directory_size(3)
    first = [(_MODEL, _TEXT, len(model), at_model), (_ORIENTATION, _SHORT, 1, orientation), (_EXIF, _LONG, 1, at_shot)]
    shot = [(_TAKEN, _TEXT, len(taken), at_taken)]
    of_preview = [(_COMPRESSION, _SHORT, 1, _JPEG), (_START, _LONG, 1, at_picture), (_LENGTH, _LONG, 1, len(preview))]
    head = b"II*\0" + struct.pack("<I", 8)
    parts = (
        _build_directory(first, at_preview),
        model,
        _build_directory(shot),
        taken,
        _build_directory(of_preview),
        preview,
    )
    return head + b"".join(parts)


def _compute_directory_size(entries: int) -> int:
    return 2 + 12 * entries + 4


def _build_directory(entries: list[tuple[int, int, int, int]], next_at: int = 0) -> bytes:
    """Tag, type, count, and value or where it stands, of each entry; then where the next directory is."""
    body = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return struct.pack("<H", len(entries)) + body + struct.pack("<I", next_at)
