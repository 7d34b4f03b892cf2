"""How long a WAV or MP3 says that it is where it is cut off; FFmpeg goes by the size of the file instead."""

import struct
from typing import BinaryIO

_FIRST_BYTES = 200_000
_UNKNOWN = (0, 0xFFFFFFFF)
"""Sizes that programs write which do not know yet how much will come."""
_HAS_FRAMES = 1
_LONG_FROM_HZ = 32_000
"""From which rate on a frame of MP3 has 1,152 samples, else 576."""


def read_stated_seconds(file: BinaryIO, format_name: str, rate_hz: int) -> float:
    """The length by the header of an MP3, or of a WAV that is shorter; else 0. The place in the file stays."""
    place = file.tell()
    total = file.seek(0, 2)
    file.seek(0)
    head = file.read(_FIRST_BYTES)
    file.seek(place)
    if format_name == "wav":
        return _read_wav(head, total)
    return _read_mp3(head, rate_hz) if format_name == "mp3" else 0.0


def _read_wav(head: bytes, total: int) -> float:
    byte_rate, at = 0, 12
    while at + 8 <= len(head):
        name, size = struct.unpack_from("<4sI", head, at)
        if name == b"fmt " and at + 20 <= len(head):
            (byte_rate,) = struct.unpack_from("<I", head, at + 16)
        if name == b"data":
            return size / byte_rate if byte_rate and size not in _UNKNOWN and at + size > total else 0.0
        at += 8 + size + size % 2
    return 0.0


def _read_mp3(head: bytes, rate_hz: int) -> float:
    """By the frame in front that holds no sound but its description (Xing, Info)."""
    offsets = [at for at in (head.find(b"Xing"), head.find(b"Info")) if at >= 0]
    if not offsets or min(offsets) + 12 > len(head) or not rate_hz:
        return 0.0
    flags, frames = struct.unpack_from(">II", head, min(offsets) + 4)
    return frames * (1152 if rate_hz >= _LONG_FROM_HZ else 576) / rate_hz if flags & _HAS_FRAMES else 0.0
