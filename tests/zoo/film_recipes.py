"""Writing films of the zoo: tiny ones, as cameras, phones, recorders and broadcasters write them.

A picture has a red, a green and a blue corner, which show whether it is upright, and a grey one, bottom right, whose
level tells which picture it is. A beep of 0.2 s begins at each of `BEEPS_S`, as seen from the first picture.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

SIZE = (64, 48)
FPS = 10
SECONDS = 2.0
LEVELS = tuple(range(20, 220, 10))
"""Of the pictures, in their order; far enough from one another to be recognised."""
BEEPS_S = (0.5, 1.5)
CORNERS = ((200, 30, 30), (30, 160, 30), (30, 30, 200))
"""Colours of the corners: top left, top right, bottom left."""
_RATE_HZ = 48_000
_TICK = Fraction(1, 90_000)
PQ, HLG, WIDE = 16, 18, 14
_BT2020 = 9


@dataclass(frozen=True)
class Recipe:
    """How a film is written."""

    codec: str = "libx264"
    pixels: str = "yuv420p"
    sound_codec: str = "aac"
    options: tuple[tuple[str, str], ...] = (("preset", "ultrafast"), ("crf", "8"), ("bf", "0"))
    stored: tuple[int, int] = SIZE
    aspect: Fraction | None = None
    times_s: tuple[float, ...] = tuple(number / FPS for number in range(round(SECONDS * FPS)))
    first: int = 0
    fps: int = FPS
    begin_s: float = 0.0
    sound_s: tuple[float, float] | None = (0.0, SECONDS)
    gap_s: tuple[float, float] = (0.0, 0.0)
    turn: Callable[[Any], Any] = lambda picture: picture
    matrix: tuple[int, int, int, int] = (1, 0, 0, 1)
    curve: int = 0
    interlaced: bool = False
    full_range: bool = False
    container: tuple[tuple[str, str], ...] = ()


def draw_picture(level: int, size: tuple[int, int] = SIZE) -> Any:
    """A picture of the zoo, uint8 (height, width, 3), RGB."""
    width, height = size
    picture = np.zeros((height, width, 3), np.uint8)
    for color, rows, columns in zip(
        (*CORNERS, (level,) * 3),
        (slice(0, height // 2), slice(0, height // 2), slice(height // 2, None), slice(height // 2, None)),
        (slice(0, width // 2), slice(width // 2, None), slice(0, width // 2), slice(width // 2, None)),
        strict=True,
    ):
        picture[rows, columns] = color
    return picture


def read_level(picture: Any) -> int:
    """The level of the zoo that is nearest to that of a picture's grey corner."""
    height, width = picture.shape[:2]
    grey = float(picture[height * 5 // 8 : height * 7 // 8, width * 5 // 8 : width * 7 // 8].mean())
    return min(LEVELS, key=lambda level: abs(level - grey))


def is_upright(picture: Any) -> bool:
    """Whether red, green and blue are in their corners."""
    height, width = picture.shape[:2]
    places = ((height // 4, width // 4), (height // 4, width * 3 // 4), (height * 3 // 4, width // 4))
    return [int(np.argmax(picture[place])) for place in places] == [0, 1, 2]


def make_beeps(start_s: float, end_s: float) -> Any:
    """Samples from a time to another, in which beeps begin at `BEEPS_S`, over a very soft hum."""
    time_s = start_s + np.arange(round((end_s - start_s) * _RATE_HZ)) / _RATE_HZ
    samples = 0.0005 * np.sin(2 * np.pi * 200 * time_s)
    for beep_s in BEEPS_S:
        samples += np.where((time_s >= beep_s) & (time_s < beep_s + 0.2), 0.5 * np.sin(2 * np.pi * 1000 * time_s), 0)
    return samples.astype(np.float32)


def write_film(path: Path, recipe: Recipe) -> None:
    """Write a film."""
    with av.open(str(path), "w", container_options=dict(recipe.container)) as film:
        packets = [*_encode_pictures(film, recipe)]
        if recipe.sound_s is not None:
            packets += _encode_sound(film, recipe)
        for packet in sorted(packets, key=lambda packet: float((packet.dts or 0) * packet.time_base)):
            film.mux(packet)


def _encode_pictures(film: Any, recipe: Recipe) -> Iterable[Any]:
    stream: Any = film.add_stream(recipe.codec, rate=recipe.fps)
    stream.pix_fmt, stream.options = recipe.pixels, dict(recipe.options)
    stored = recipe.turn(np.zeros((recipe.stored[1], recipe.stored[0], 3))).shape
    stream.height, stream.width = stored[:2]
    codec = stream.codec_context
    if recipe.codec in ("libx264", "libx265", "libvpx"):
        codec.time_base = _TICK
    if recipe.aspect is not None:
        codec.sample_aspect_ratio = recipe.aspect
    if recipe.matrix != (1, 0, 0, 1):
        a, b, c, d = (value << 16 for value in recipe.matrix)
        stream.set_display_matrix((a, b, 0, c, d, 0, 0, 0, 1 << 30))
    if recipe.curve:
        codec.color_trc, codec.color_primaries, codec.colorspace, codec.color_range = recipe.curve, _BT2020, _BT2020, 1
    if recipe.full_range:
        codec.color_range = 2
    packets: list[Any] = []
    for time_s, level in zip(recipe.times_s, LEVELS[recipe.first :], strict=False):
        frame = _make_frame(recipe, level)
        at_s = Fraction(time_s).limit_denominator(1000) + Fraction(recipe.begin_s).limit_denominator(1000)
        frame.time_base = codec.time_base or Fraction(1, recipe.fps)
        frame.pts, frame.pict_type = round(at_s / frame.time_base), 0
        packets += stream.encode(frame)
    return [*packets, *stream.encode(None)]


def _make_frame(recipe: Recipe, level: int) -> Any:
    picture = np.ascontiguousarray(recipe.turn(draw_picture(level, recipe.stored)))
    if recipe.curve:
        return _make_bright_frame(picture, recipe)
    frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
    ranges = "JPEG" if recipe.full_range else "MPEG"
    return frame.reformat(format=recipe.pixels, dst_color_range=ranges) if recipe.full_range else frame


def _make_bright_frame(picture: Any, recipe: Recipe) -> Any:
    """A picture in colours of BT.2020: white of paper at 203 nits, or with the brightness of standard screens."""
    linear = np.power(picture / 255, 2.2)
    wide = linear @ np.array(((0.6274, 0.3293, 0.0433), (0.0691, 0.9195, 0.0114), (0.0164, 0.0880, 0.8956))).T
    coders = {PQ: _code_pq, HLG: _code_hlg, WIDE: lambda nits: np.power(np.clip(nits / 203, 0, 1), 1 / 2.2)}
    coded = coders[recipe.curve](203 * wide)
    grey = coded @ np.array((0.2627, 0.678, 0.0593))
    blue, red = (coded[:, :, 2] - grey) / 1.8814, (coded[:, :, 0] - grey) / 1.4746
    frame = av.VideoFrame(picture.shape[1], picture.shape[0], "yuv420p10le")
    halves = [side.reshape(side.shape[0] // 2, 2, side.shape[1] // 2, 2).mean(axis=(1, 3)) for side in (blue, red)]
    planes = (64 + 876 * grey, *(512 + 896 * half for half in halves))
    for plane, values in zip(frame.planes, planes, strict=True):
        rows = np.zeros((plane.height, plane.line_size // 2), "<u2")
        rows[:, : values.shape[1]] = np.round(values)
        plane.update(rows.tobytes())
    frame.color_trc, frame.color_primaries, frame.colorspace, frame.color_range = recipe.curve, _BT2020, _BT2020, 1
    return frame


def _code_pq(nits: Any) -> Any:
    power = np.power(np.maximum(nits, 0) / 10_000, 2610 / 16384)
    return np.power((3424 / 4096 + 2413 / 128 * power) / (1 + 2392 / 128 * power), 2523 / 32)


def _code_hlg(nits: Any) -> Any:
    display = np.maximum(nits, 1e-6) / 1000
    grey = (display @ np.array((0.2627, 0.678, 0.0593)))[:, :, None]
    scene = display * np.power(grey, 1 / 1.2 - 1)
    a, b, c = 0.17883277, 0.28466892, 0.55991073
    return np.where(scene <= 1 / 12, np.sqrt(3 * scene), a * np.log(np.maximum(12 * scene - b, 1e-6)) + c)


def _encode_sound(film: Any, recipe: Recipe) -> Iterable[Any]:
    start_s, end_s = recipe.sound_s or (0.0, 0.0)
    track: Any = film.add_stream(recipe.sound_codec, rate=_RATE_HZ, layout="mono")
    codec = track.codec_context
    codec.bit_rate = 128_000
    codec.open()
    size = codec.frame_size or 960
    samples = make_beeps(start_s, end_s)
    resampler = av.AudioResampler(format=codec.format.name, layout="mono", rate=_RATE_HZ)
    packets: list[Any] = []
    begin = round((start_s + recipe.begin_s) * _RATE_HZ)
    for at in range(0, len(samples), size):
        frame = av.AudioFrame.from_ndarray(samples[None, at : at + size], format="fltp", layout="mono")
        frame.sample_rate, frame.pts, frame.time_base = _RATE_HZ, None, Fraction(1, _RATE_HZ)
        for piece in resampler.resample(frame):
            piece.pts, piece.time_base = begin + at, Fraction(1, _RATE_HZ)
            packets += track.encode(piece)
    packets += track.encode(None)
    first, last = (at_s + recipe.begin_s for at_s in recipe.gap_s)
    return [packet for packet in packets if not first <= float(packet.pts * packet.time_base) < last]


def trim_by_edit_list(path: Path) -> None:
    """An editor of phones cuts half a second off the beginning by saying so, and leaves the packets."""
    write_film(path, Recipe(options=(*Recipe().options, ("g", "5"))))
    data = bytearray(path.read_bytes())
    at, scales = 0, {b"vide": 90_000, b"soun": _RATE_HZ}
    while (at := data.find(b"elst", at + 1)) > 0:
        handler = bytes(data[data.index(b"hdlr", at) + 12 :][:4])
        start = int.from_bytes(data[at + 16 : at + 20], "big") + scales[handler] // 2
        length = int.from_bytes(data[at + 12 : at + 16], "big") - 500
        data[at + 12 : at + 16], data[at + 16 : at + 20] = length.to_bytes(4, "big"), start.to_bytes(4, "big")
    path.write_bytes(data)


def write_rich_film(path: Path) -> None:
    """A film of a disc: two languages, two tracks of subtitles, chapters, tags, a font, a cover."""
    simple = path.with_name(f"plain-{path.name}")
    write_film(simple, Recipe())
    with av.open(str(simple)) as source, av.open(str(path), "w") as film:
        film.metadata.update({"title": "The zoo", "artist": "Code", "keeper": "Nobody"})
        film.set_chapters(
            [
                {
                    "id": number,
                    "start": start,
                    "end": start + 1000,
                    "time_base": Fraction(1, 1000),
                    "metadata": {"title": title},
                }
                for number, (start, title) in enumerate(((0, "First"), (1000, "Second")))
            ]
        )
        pictures, sound = source.streams.video[0], source.streams.audio[0]
        copies = {pictures.index: [film.add_stream_from_template(pictures)]}
        copies[sound.index] = [film.add_stream_from_template(sound), film.add_stream_from_template(sound)]
        subtitles = [_add_subtitles(film, language) for language in ("eng", "deu")]
        film.add_attachment("font.ttf", "font/ttf", b"no font at all")
        for track in subtitles:
            film.mux(_make_cue(track))
        for packet in source.demux(pictures, sound):
            for copy in copies[packet.stream.index] if packet.dts is not None else ():
                _mux_copy(film, packet, copy)
    simple.unlink()


def _add_subtitles(film: Any, language: str) -> Any:
    track = film.add_stream("subrip")
    track.codec_context.subtitle_header = b"[V4+ Styles]\nFormat: Name\nStyle: Default\n"
    track.metadata["language"] = language
    track.codec_context.open()
    return track


def _make_cue(track: Any) -> Any:
    cue = av.Packet(b"Hello")
    cue.stream, cue.time_base, cue.pts, cue.dts, cue.duration = track, Fraction(1, 1000), 200, 200, 800
    return cue


def _mux_copy(film: Any, packet: Any, stream: Any) -> None:
    copy = av.Packet(bytes(packet))
    copy.stream, copy.time_base, copy.pts, copy.dts = stream, packet.time_base, packet.pts, packet.dts
    copy.duration, copy.is_keyframe = packet.duration, packet.is_keyframe
    film.mux(copy)


def write_call(path: Path) -> None:
    """A call that goes over to smaller pictures when the network is slow: H.264 says its size anew on the way."""
    halves = [path.with_name(f"{part}-{path.name}") for part in ("first", "second")]
    times = Recipe().times_s
    write_film(halves[0], Recipe(times_s=times[:10], sound_s=None, container=()))
    small = Recipe(stored=(32, 24), sound_s=None, times_s=times[10:], first=10)
    write_film(halves[1], small)
    with av.open(str(path), "w", format="mpegts") as film:
        stream: Any = film.add_stream("libx264", rate=FPS)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for part in halves:
            with av.open(str(part)) as source:
                annex_b = av.BitStreamFilterContext("h264_mp4toannexb", source.streams.video[0], stream)
                for packet in source.demux(video=0):
                    if packet.dts is None:
                        continue
                    for copy in annex_b.filter(packet):
                        copy.stream = stream
                        film.mux(copy)
            part.unlink()
