"""Films as they are to be seen: upright, with square pixels, in the colours of standard screens, at their own times.

All servers read films by this. Times are in seconds from the first picture. To be called in a bounded process.
"""

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from yardkit.kit.containers import (
    FILM_FORMATS,
    TAG_ERRORS,
    find_origin,
    has_unsaid_order,
    moving_pictures,
    state_seconds,
)
from yardkit.kit.film_colors import Curve, find_curve, table_file
from yardkit.world import Problem
from yardkit.world.limits import check_bytes

MAX_BYTES = 2_000_000_000
MAX_PIXELS = 50_000_000
MAX_FPS = 120
_PIXEL_ASPECTS = (Fraction(1, 8), Fraction(8))
"""Other ones are mistakes of what wrote the file."""
_SEEK_FROM_S, _SEEK_EARLIER_S = 2.0, 0.5
"""Files are sought in by when pictures are decoded, which is somewhat before they are seen."""
_SEEK_STEP_S = 4.0
"""Between two moments from which what lies between is skipped."""
_SOUGHT = ("mov", "matroska")
"""Formats that say where their key frames are."""
_JUST_S = 1e-3
"""Times in files are rounded by up to so much."""
_LONGEST_STILL_S = 600.0
"""How long the last picture of a variable rate is seen at most."""
_COMPLETE_SHARE, _LONGEST_LAST_S = 0.95, 1.0
"""Share of what a file states that is there in a whole one, and how long its last picture usually is at most."""
_EVEN = 0.3
"""Share of a step by which pictures of a constant rate may be early or late."""
_UNSAID_OR_2020 = (2, 9, 10)
"""Matrices, as ITU-T H.273 numbers them."""
_DOLBY_TAGS = ("dvh1", "dvhe", "dav1", "dva1", "dvav")
_SCALED = "flags=bicubic+accurate_rnd"
_TABLE = "lut3d"


@dataclass(frozen=True)
class Look:
    """How a film's stored pictures are made into what is displayed.

    Attributes:
        width_px, height_px: as displayed.
        transposed: whether rows become columns, before they are mirrored.
        mirrored: whether left and right are swapped, and top and bottom.
        rotation: degrees anticlockwise by which pictures are stored turned.
        pixel_aspect: width to height of a stored pixel.
        curve: of high dynamic range or wide colours; empty for a standard film.
        interlaced: whether pictures are stored as two fields.
    """

    width_px: int
    height_px: int
    transposed: bool = False
    mirrored: tuple[bool, bool] = (False, False)
    rotation: int = 0
    pixel_aspect: Fraction = Fraction(1)
    curve: Curve = ""
    interlaced: bool = False

    @property
    def is_turned(self) -> bool:
        return self.transposed or any(self.mirrored)

    @property
    def is_mirrored(self) -> bool:
        """Whether turning alone does not make it right."""
        return self.transposed != (self.mirrored[0] != self.mirrored[1])

    @property
    def stored_size(self) -> tuple[int, int]:
        """Width and height before it is turned, with square pixels."""
        sides = (self.width_px, self.height_px)
        return sides[::-1] if self.transposed else sides

    def turn(self, picture: Any) -> Any:
        """A stored picture (height, width, ...) as it is displayed."""
        import numpy as np

        if not self.is_turned:
            return picture
        turned = picture.swapaxes(0, 1) if self.transposed else picture
        if self.mirrored[0]:
            turned = turned[:, ::-1]
        return np.ascontiguousarray(turned[::-1] if self.mirrored[1] else turned)


@dataclass(frozen=True)
class Timing:
    """When the pictures of a film are seen.

    Attributes:
        fps: pictures a second; on average where the rate is variable.
        end_s: when the last one ends.
        count: how many there are.
        times_s: of each, where the rate is variable; empty where it is constant.
        stated_s: how long the file says that it is, where it is cut off before; else 0.
    """

    fps: Fraction
    end_s: float
    count: int
    times_s: tuple[float, ...] = ()
    stated_s: float = 0.0

    @property
    def lost(self) -> str:
        """That the file is cut off; empty where it is whole."""
        if not self.stated_s:
            return ""
        return f"The file is cut off: of the {self.stated_s:.2f} s that it states, {self.end_s:.2f} s can be read."

    def number_at(self, time_s: float) -> int:
        """Which picture is seen at a time, from 0."""
        if self.times_s:
            return max(0, bisect_right(self.times_s, time_s + _JUST_S) - 1)
        return int((time_s + _JUST_S) * self.fps)


@contextmanager
def opened_film(path: Path) -> Iterator[tuple[Any, Any]]:
    """A container of PyAV and its track of moving pictures.

    Raises:
        Problem: it is no film of `FILM_FORMATS`, or damaged while it is read.
    """
    import av

    check_bytes(path, MAX_BYTES)
    options = {"format_whitelist": FILM_FORMATS, "protocol_whitelist": "file", "max_pixels": str(MAX_PIXELS)}
    try:
        with av.open(f"file:{path}", options=options, metadata_errors=TAG_ERRORS) as container:
            tracks = moving_pictures(container)
            if not tracks:
                raise Problem(f"{path.name!r} holds no pictures; give a video (MP4, MOV, MKV, WebM, AVI, GIF)")
            codec = tracks[0].codec_context
            if codec is None:
                raise Problem(f"the pictures of {path.name!r} have a codec that cannot be decoded; convert it to H.264")
            if codec.width * codec.height > MAX_PIXELS:
                raise Problem(
                    f"the frames of {path.name!r} have {codec.width:,} x {codec.height:,} px; "
                    f"at most {MAX_PIXELS:,} are read"
                )
            # A container may not say how large its pictures are; their decoder sees it.
            codec.options = {"max_pixels": str(MAX_PIXELS)}
            yield container, tracks[0]
    except (av.FFmpegError, ValueError, EOFError) as error:  # whose words may name folders of this machine
        raise Problem(
            f"{path.name!r} cannot be read as a video; give an undamaged MP4, MOV, MKV, WebM, AVI or GIF file"
        ) from error


def read_look(path: Path) -> Look:
    """How a film is displayed.

    Raises:
        Problem: it is no film.
    """
    with opened_film(path) as (container, stream):
        first = next(container.decode(stream), None)
        if first is None:
            raise Problem(f"{path.name!r} has no frame that can be decoded")
        _refuse_dolby_colors(first, stream, path.name)
        return find_look(first, stream)


def _refuse_dolby_colors(frame: Any, stream: Any, name: str) -> None:
    """Refuse Dolby Vision without a picture for other players (profile 5), whose colours come out green and purple."""
    from av.sidedata.sidedata import Type

    is_dolby = any(frame.side_data.get(kind) is not None for kind in (Type.DOVI_METADATA, Type.DOVI_RPU_BUFFER))
    is_dolby = is_dolby or stream.codec_context.codec_tag in _DOLBY_TAGS
    if is_dolby and not find_curve(frame, stream.codec_context):
        raise Problem(
            f"{name!r} is Dolby Vision of profile 5, whose colours cannot be read; convert it to HDR10 or SDR"
        )


def find_look(frame: Any, stream: Any) -> Look:
    """How the pictures of a track are displayed, by its first frame."""
    transposed, mirrored = _read_turn(frame)
    aspect = Fraction(stream.sample_aspect_ratio or 1)
    aspect = aspect if _PIXEL_ASPECTS[0] <= aspect <= _PIXEL_ASPECTS[1] else Fraction(1)
    sides = (max(1, round(frame.width * aspect)), frame.height)
    return Look(
        *(sides[::-1] if transposed else sides),
        transposed,
        mirrored,
        round(frame.rotation) % 360,
        aspect,
        find_curve(frame, stream.codec_context),
        bool(frame.interlaced_frame),
    )


def _read_turn(frame: Any) -> tuple[bool, tuple[bool, bool]]:
    """Whether a frame is displayed transposed, and then mirrored: by its matrix (ISO/IEC 14496-12, 6.2.2)."""
    import struct

    from av.sidedata.sidedata import Type

    data = frame.side_data.get(Type.DISPLAYMATRIX)
    if data is None:
        return False, (False, False)
    a, b, _, c, d = struct.unpack("=5i", bytes(data)[:20])
    if abs(b) > abs(a):
        return True, (c < 0, b < 0)
    return False, (a < 0, d < 0)


def read_timing(path: Path) -> Timing:
    """When the pictures of a film are seen, by its packets; nothing is decoded.

    Raises:
        Problem: it is no film.
    """
    with opened_film(path) as (container, stream):
        origin, base, is_unordered = find_origin(container), stream.time_base, has_unsaid_order(container, stream)
        rates = [Fraction(rate) for rate in (stream.average_rate, stream.guessed_rate, stream.base_rate) if rate]
        fps = _limit_rate(rates[0] if rates else Fraction(25))
        own_s, stated_s, stated_count = (
            float((stream.duration or 0) * base),
            state_seconds(container, stream),
            stream.frames,
        )
        spans: list[tuple[float, float]] = []
        count = 0
        for packet in container.demux(stream):
            if not packet.size or packet.is_discard:
                continue
            count += 1
            if packet.pts is not None:
                start = float(packet.pts * base) - origin
                spans.append((start, start + float(packet.duration * base if packet.duration else 1 / fps)))
    spans = sorted(span for span in spans if span[1] >= 0)
    end = max((end for _, end in spans), default=float(count / fps))
    is_short = end < stated_s * _COMPLETE_SHARE - (0 if stated_count else _LONGEST_LAST_S)
    lost_s = stated_s if is_short and count < (stated_count or math.inf) * _COMPLETE_SHARE else 0.0
    if is_unordered:
        return Timing(fps, float(count / fps), count, stated_s=lost_s)
    if len(spans) < max(2, count // 2):  # the file does not say when each is seen
        return Timing(fps, end, count, stated_s=lost_s)
    times = [max(0.0, start) for start, _ in spans]
    constant = next((rate for rate in rates if rate > 0 and _is_constant(times, rate)), None)
    if constant is not None:
        return Timing(_limit_rate(constant), end, count, stated_s=lost_s)
    # Packets say how long a picture is decoded, which is not how long it is seen.
    if not lost_s and times[-1] < own_s < times[-1] + _LONGEST_STILL_S:
        end = own_s
    return Timing(fps, end, count, tuple(_thin_times(times)), lost_s)


def _limit_rate(rate: Fraction) -> Fraction:
    rate = rate.limit_denominator(1001)
    return min(rate, Fraction(MAX_FPS)) if rate > 0 else Fraction(25)


def _is_constant(times: list[float], fps: Fraction) -> bool:
    step = 1 / float(fps)
    return all(abs(time - number * step) <= _EVEN * step + _JUST_S / 2 for number, time in enumerate(times))


def _thin_times(times: list[float]) -> Iterator[float]:
    """Times of which no two are nearer to one another than a film may be fast."""
    before = -1.0
    for time in times:
        if time - before >= 1 / MAX_FPS - _JUST_S:
            yield time
            before = time


def timed_frames(container: Any, stream: Any, start_s: float = 0.0) -> Iterator[tuple[float, float, Any]]:
    """Frames as `convert_frames` gives them, from that on which is seen at a time: beginning, end, frame."""
    origin, is_unordered = find_origin(container), has_unsaid_order(container, stream)
    step = 1 / float(_limit_rate(Fraction(stream.average_rate or stream.guessed_rate or 25)))
    end = 0.0
    for frame in convert_frames(_decode_from(container, stream, origin + start_s), stream):
        start = end if frame.time is None or is_unordered else frame.time - origin
        end = start + (float(frame.duration * frame.time_base) if frame.duration and not is_unordered else step)
        yield start, end, frame


def see_frames(container: Any, stream: Any, moments: Iterable[float], end_s: float) -> Iterator[tuple[float, Any]]:
    """Some rising moments, each with the frame that is seen then; it ends where the film ends, at `end_s` if not later.

    Before the first frame it is the first. What lies between moments that are far apart is not decoded where the file
    says where its key frames are.
    """
    current: _HeldFrame | None = None
    before = 0.0
    for moment in moments:
        if current is None or (moment - before >= _SEEK_STEP_S and can_seek(container)):
            current = _HeldFrame(timed_frames(container, stream, moment), end_s)
        frame = current.move_to(moment)
        if frame is None:
            return
        yield moment, frame
        before = moment


class _HeldFrame:
    """The frame that is seen at a moment, which only goes forward."""

    def __init__(self, frames: Iterator[tuple[float, float, Any]], end_s: float) -> None:
        self.frames, self.end_s = frames, end_s
        self.seen, self.following = next(frames, None), next(frames, None)

    def move_to(self, moment: float) -> Any:
        """The frame that is seen at a moment; None at the end."""
        while self.following is not None and self.following[0] <= moment + _JUST_S:
            self.seen, self.following = self.following, next(self.frames, None)
        if self.seen is None or (self.following is None and moment >= max(self.seen[1], self.end_s) - _JUST_S / 2):
            return None
        return self.seen[2]


def can_seek(container: Any) -> bool:
    """Whether a file says where its key frames are."""
    return bool(container.format.name.startswith(_SOUGHT))


def _decode_from(container: Any, stream: Any, time_s: float) -> Iterator[Any]:
    """Frames from one before a time on; from the first where the file does not say where its key frames are."""
    import av

    if time_s < _SEEK_FROM_S or not can_seek(container):
        return container.decode(stream)  # type: ignore[no-any-return]
    with suppress(av.FFmpegError):
        container.seek(int((time_s - _SEEK_EARLIER_S) / stream.time_base), stream=stream)
        frames = container.decode(stream)
        first = next(frames, None)
        if first is not None and first.time is not None and first.time <= time_s:
            return chain([first], frames)
    container.seek(stream.start_time or 0, stream=stream)
    return container.decode(stream)  # type: ignore[no-any-return]


def convert_frames(frames: Iterator[Any], stream: Any) -> Iterator[Any]:
    """Decoded frames with square pixels, in standard colours, without fields; all as large as the first, not turned.

    What needs no change is passed on as it was decoded.
    """
    look: Look | None = None
    graph: Any = None
    made_for: tuple[Any, ...] = ()
    for frame in frames:
        look = look or find_look(frame, stream)
        kind = (frame.width, frame.height, frame.format.name)
        filters = _list_filters(frame, look)
        if not filters:
            yield frame
            continue
        if kind != made_for:
            yield from _drain_graph(graph) if graph else ()
            graph, made_for = _make_graph(frame, filters, look.curve), kind
        graph.push(frame)
        yield from _pull_frames(graph)
    yield from _drain_graph(graph) if graph else ()


def _list_filters(frame: Any, look: Look) -> list[tuple[str, str]]:
    """What FFmpeg has to do to a frame; the file of a table of colours is put in later."""
    filters = [("bwdif", "mode=send_frame:deint=interlaced")] if look.interlaced else []
    if look.curve:
        matrix = "bt2020" if int(frame.colorspace) in _UNSAID_OR_2020 else "auto"
        filters += [
            ("scale", f"in_color_matrix={matrix}:{_SCALED}+full_chroma_int"),
            ("format", "gbrp10"),
            (_TABLE, "interp=tetrahedral"),
            ("scale", f"out_color_matrix=bt709:out_range=tv:{_SCALED}"),
            ("format", "yuv420p"),
            ("setparams", "color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv"),
        ]
    width, height = look.stored_size
    if (frame.width, frame.height) == (width, height):
        return filters
    if (round(frame.width * look.pixel_aspect), frame.height) == (width, height):
        return [*filters, ("scale", f"{width}:{height}:{_SCALED}"), ("setsar", "1")]
    # Recordings of calls change their size on the way.
    aspect = float(look.pixel_aspect)
    zoom = min(width / (frame.width * aspect), height / frame.height)
    inner = (max(1, round(frame.width * aspect * zoom)), max(1, round(frame.height * zoom)))
    return [
        *filters,
        ("scale", f"{inner[0]}:{inner[1]}:{_SCALED}"),
        ("pad", f"{width}:{height}:-1:-1"),
        ("setsar", "1"),
    ]


def _make_graph(frame: Any, filters: list[tuple[str, str]], curve: Curve) -> Any:
    import av

    graph = av.filter.Graph()
    base = frame.time_base
    place = (
        f"video_size={frame.width}x{frame.height}:pix_fmt={frame.format.name}:time_base={base.numerator}/"
        f"{base.denominator}:pixel_aspect=1/1:colorspace={int(frame.colorspace)}:range={int(frame.color_range)}"
    )
    last = graph.add("buffer", place)
    with table_file(curve) if curve else nullcontext() as table:
        for name, arguments in [*filters, ("buffersink", "")]:
            given = f"file={table}:{arguments}" if name == _TABLE else arguments
            node = graph.add(name, given) if given else graph.add(name)
            last.link_to(node)
            last = node
        graph.configure()
    return graph


def _drain_graph(graph: Any) -> Iterator[Any]:
    graph.push(None)
    yield from _pull_frames(graph)


def _pull_frames(graph: Any) -> Iterator[Any]:
    import av

    while True:
        try:
            yield graph.pull()
        except (av.error.BlockingIOError, av.error.EOFError):
            return


def to_picture(frame: Any, look: Look) -> Any:
    """A converted frame as it is displayed: uint8 of shape (height, width, 3), RGB."""
    return look.turn(frame.to_ndarray(format="rgb24"))
