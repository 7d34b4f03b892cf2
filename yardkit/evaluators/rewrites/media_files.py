"""Pictures, sounds and films as phones, cameras and other programs write them."""

import io
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.media.sounds import decode_sound
from yardkit.world.pictures.color_profiles import build_profile

_TURNED, _ORIENTATION = 6, 0x0112
_BEST = {"quality": 97, "subsampling": 0}
_PCM = bytes.fromhex("0100000000001000800000aa00389b71")
"""The form of samples of the extensible header, behind its first two bytes the rest of a GUID."""
_LOUD = 0.003
_LATE_S, _LEAD_S = 0.05, 0.1
"""How late a sound begins that is not silent at first; how much silence stays before it."""
_SAME = 2
"""Levels by which pixels of frames differ that show the same."""


def wide_gamut(path: Path) -> None:
    """A picture in Display P3, as phones save it."""
    import PIL.Image
    import PIL.ImageCms
    import PIL.ImageOps

    with PIL.Image.open(path) as image:
        kind, upright = image.format, PIL.ImageOps.exif_transpose(image)
        alpha = upright.convert("RGBA").getchannel("A") if upright.has_transparency_data else None
    profile = build_profile("Display P3")
    srgb, wide = PIL.ImageCms.createProfile("sRGB"), PIL.ImageCms.getOpenProfile(io.BytesIO(profile))
    converted: Any = PIL.ImageCms.profileToProfile(upright.convert("RGB"), srgb, wide, outputMode="RGB")
    if alpha is not None:
        converted.putalpha(alpha)
    converted.save(path, kind, icc_profile=profile, **_BEST if kind == "JPEG" else {})


def turned_photo(path: Path) -> None:
    """A picture that lies on its side, with the note how to turn it, as cameras save it."""
    import PIL.Image
    import PIL.ImageOps

    with PIL.Image.open(path) as image:
        kind, upright = image.format, PIL.ImageOps.exif_transpose(image)
    exif = upright.getexif()
    exif[_ORIENTATION] = _TURNED
    given = {"exif": exif.tobytes(), "icc_profile": upright.info.get("icc_profile")}
    upright.transpose(PIL.Image.Transpose.ROTATE_90).save(path, kind, **given, **_BEST if kind == "JPEG" else {})


def chunked_wave(path: Path) -> None:
    """A WAV file with the extensible header, behind a filler, with notes at the end."""
    chunks = [
        (name, _extend_header(data) if name == b"fmt " else data) for name, data in _read_chunks(path.read_bytes())
    ]
    chunks = [(b"JUNK", bytes(28)), *chunks, (b"note", b"odd")]
    body = b"".join(name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2) for name, data in chunks)
    path.write_bytes(b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body)


def _read_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at + 8 <= len(data):
        size = struct.unpack_from("<I", data, at + 4)[0]
        yield data[at : at + 4], data[at + 8 : at + 8 + size]
        at += 8 + size + size % 2


def _extend_header(header: bytes) -> bytes:
    kind, channels, *_, bits = struct.unpack("<HHIIHH", header[:16])
    if kind != 1:
        return header
    return struct.pack("<H", 0xFFFE) + header[2:16] + struct.pack("<HHI", 22, bits, (1 << channels) - 1) + _PCM


def late_sound(path: Path) -> None:
    """A film whose sound begins after its pictures: an edit list in place of silence."""
    _copy_film(path, _start_late(decode_sound(path)) if _has_sound(path) else 0.0)


def variable_rate(path: Path) -> None:
    """A film of which frames that show the same are left out, as recordings of screens are."""
    _copy_film(path, 0.0, _encode_changes)


def _has_sound(path: Path) -> bool:
    import av

    with av.open(str(path)) as film:
        return bool(film.streams.audio)


def _start_late(sound: Any) -> float:
    loud = (abs(sound.samples) > _LOUD).any(axis=1)
    first_s = float(loud.argmax()) / sound.sample_rate_hz if loud.any() else 0.0
    return max(_LATE_S, first_s - _LEAD_S)


def _copy_film(path: Path, sound_from_s: float, encode: Callable[[Any, Any], Iterator[Any]] | None = None) -> None:
    """Copy the tracks of a film, with its sound from a time on, and its pictures encoded by `encode` if given."""
    import av

    draft = path.with_name(f"draft_{path.name}")
    options = {"movflags": "+faststart"} if path.suffix.lower() == ".mp4" else {}
    with av.open(str(path)) as film, av.open(str(draft), "w", options=options) as target:
        tracks = {}
        for track in film.streams:
            if encode is not None and track.type == "video":
                tracks[track.index] = _add_pictures(target, track)
            elif track.type in ("video", "audio", "subtitle"):
                tracks[track.index] = target.add_stream_from_template(track)
        if encode is not None:
            for packet in encode(film, tracks[film.streams.video[0].index]):
                target.mux(packet)
            film.seek(0)
        for packet in film.demux(*(track for track in film.streams if track.index in tracks)):
            is_new = encode is not None and packet.stream.type == "video"
            is_early = packet.stream.type == "audio" and packet.pts is not None and _start_of(packet) < sound_from_s
            if packet.dts is not None and not is_new and not is_early:
                packet.stream = tracks[packet.stream.index]
                target.mux(packet)
    draft.replace(path)


def _start_of(packet: Any) -> float:
    return float(packet.pts * packet.time_base)


def _add_pictures(target: Any, track: Any) -> Any:
    stream = target.add_stream("libx264", rate=track.average_rate or 25)
    stream.width, stream.height, stream.pix_fmt = track.width, track.height, "yuv420p"
    # No larger than it was, since a task may limit the size of a film.
    if track.bit_rate:
        stream.bit_rate = track.bit_rate
    stream.options = {"preset": "medium"} if track.bit_rate else {"preset": "medium", "crf": "14"}
    return stream


def _encode_changes(film: Any, stream: Any) -> Iterator[Any]:
    """Encode the frames that differ from the one before, and the last one, at their times."""
    import numpy as np

    last_pixels, waiting = None, None
    for frame in film.decode(video=0):
        pixels = frame.reformat(format="yuv420p").to_ndarray().astype(np.int16)
        if last_pixels is None or np.abs(pixels - last_pixels).max() > _SAME:
            yield from stream.encode(frame.reformat(format="yuv420p"))
            last_pixels, waiting = pixels, None
        else:
            waiting = frame
    if waiting is not None:
        yield from stream.encode(waiting.reformat(format="yuv420p"))
    yield from stream.encode(None)
