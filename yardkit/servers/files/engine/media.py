"""Pictures and sound, recognised by their first bytes, whatever the name says."""

from dataclasses import dataclass
from pathlib import Path

from yardkit.world import Problem
from yardkit.world.limits import check_bytes

_SIGNATURES = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF8", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (0, b"BM", "image/bmp"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (8, b"WAVE", "audio/wav"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (0, b"\xff\xf3", "audio/mpeg"),
    (0, b"\xff\xf2", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "audio/ogg"),
    (4, b"ftypM4A", "audio/mp4"),
)


@dataclass(frozen=True)
class Medium:
    """A picture or sound: its type by content, such as ``image/png``, and its size."""

    media_type: str
    size_bytes: int


def recognise_medium(path: Path, max_audio_bytes: int) -> Medium:
    """The type of a picture or sound file.

    Raises:
        Problem: it is neither, or a sound too large to be handed over.
    """
    size = check_bytes(path)
    with path.open("rb") as handle:
        head = handle.read(16)
    media_type = next((kind for at, signature, kind in _SIGNATURES if head[at:].startswith(signature)), "")
    if not media_type:
        raise Problem(f"{path.name!r} is not a supported picture or sound; use read_file for text")
    if media_type.startswith("audio/") and size > max_audio_bytes:
        raise Problem(f"{path.name!r} has {size:,} bytes of sound; the limit is {max_audio_bytes:,}; cut it")
    return Medium(media_type, size)
