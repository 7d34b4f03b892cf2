"""Tracks of films and sounds at the times at which they are seen and heard."""

import struct
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

_GAP_S, _START_S, _LONGEST_S = 0.06, 0.001, 600.0
"""From which on missing sound is silence: within, where some formats round times, and at the beginning; up to when."""
_HDR = (16, 18)
"""Curves of high dynamic range, PQ and HLG, as ITU-T H.273 numbers them."""
_LATEST_START_S = 60.0
_WITH_TIMES = ("mov", "matroska", "ogg")
"""How the names of formats begin that keep the times of pieces of sound."""


def moving_pictures(container: Any) -> list[Any]:
    """Tracks of pictures that are no cover."""
    from av.stream import Disposition

    covers = Disposition.attached_pic | Disposition.timed_thumbnails | Disposition.still_image
    return [track for track in container.streams.video if not track.disposition & covers]


def find_origin(container: Any) -> float:
    """From when on times are told: the first picture; the beginning of an MP4 of sounds; else the first sound."""
    pictures = moving_pictures(container)
    if pictures:
        return start_of(pictures[0])
    start = min((start_of(track) for track in container.streams.audio), default=0.0)
    return 0.0 if container.format.name.startswith("mov") and 0 <= start < _LATEST_START_S else start


def start_of(track: Any) -> float:
    """When a track begins, as the file counts."""
    return float((track.start_time or 0) * track.time_base)


def timed_sound(container: Any, track: Any) -> Iterator[Any]:
    """Decoded frames of a sound from the origin of time on, with silence where there are none."""
    origin, at_s, begun = find_origin(container), 0.0, False
    timed = container.format.name.startswith(_WITH_TIMES)
    for frame in container.decode(track):
        late_s = frame.time - origin - at_s if timed and frame.time is not None else 0.0
        length_s = frame.samples / frame.sample_rate
        least_s = _GAP_S if begun else _START_S
        if least_s < late_s < _LONGEST_S:
            yield _change_length(frame, 0, round(late_s * frame.sample_rate))
            at_s += late_s
        elif not begun and -_LONGEST_S < late_s < -least_s:
            first = min(frame.samples, round(-late_s * frame.sample_rate))
            if first == frame.samples:
                continue
            yield _change_length(frame, first, 0)
            begun, at_s = True, at_s + length_s + late_s
            continue
        begun = True
        at_s += length_s
        yield frame


def _change_length(frame: Any, first: int, silent: int) -> Any:
    """A frame from a sample on; or so much silence of its kind."""
    import av
    import numpy as np

    samples = frame.to_ndarray()
    step = 1 if frame.format.is_planar else frame.layout.nb_channels
    if silent:
        rest = np.full((samples.shape[0], silent * step), 128 if samples.dtype == np.uint8 else 0, samples.dtype)
    else:
        rest = np.ascontiguousarray(samples[:, first * step :])
    changed = av.AudioFrame.from_ndarray(rest, format=frame.format.name, layout=frame.layout.name)
    changed.sample_rate = frame.sample_rate
    return changed


def pixel_aspect(track: Any) -> Fraction:
    """Width to height of a pixel as it is stored; 1 where what is said cannot be."""
    aspect = Fraction(track.sample_aspect_ratio or 1)
    return aspect if Fraction(1, 8) <= aspect <= 8 else Fraction(1)


def turn_upright(picture: Any, frame: Any) -> Any:
    """A picture turned and mirrored as its frame's matrix says (ISO/IEC 14496-12, 6.2.2)."""
    import numpy as np
    from av.sidedata.sidedata import Type

    data = frame.side_data.get(Type.DISPLAYMATRIX)
    if data is None:
        return picture
    a, b, _, c, d = struct.unpack("=5i", bytes(data)[:20])
    is_turned = abs(b) > abs(a)
    turned = np.swapaxes(picture, 0, 1) if is_turned else picture
    across, down = (c, b) if is_turned else (a, d)
    turned = turned[:, ::-1] if across < 0 else turned
    return np.ascontiguousarray(turned[::-1] if down < 0 else turned)


def standard_colors(frames: Iterator[Any]) -> Iterator[Any]:
    """Frames, those of high dynamic range in the colours of standard screens, as FFmpeg makes them."""
    import av

    graph: Any = None
    for frame in frames:
        if int(frame.color_trc) not in _HDR:
            yield frame
            continue
        if graph is None:
            graph = av.filter.Graph()
            base = frame.time_base
            source = graph.add(
                "buffer",
                f"video_size={frame.width}x{frame.height}:pix_fmt={frame.format.name}:time_base={base.numerator}/"
                f"{base.denominator}:pixel_aspect=1/1:colorspace={int(frame.colorspace)}:range={int(frame.color_range)}",
            )
            colors = "bt709:out_primaries=bt709:out_color_matrix=bt709:out_range=tv"
            scale, sink = graph.add("scale", f"out_transfer={colors}"), graph.add("buffersink")
            pixels = graph.add("format", "yuv420p")
            source.link_to(scale)
            scale.link_to(pixels)
            pixels.link_to(sink)
            graph.configure()
        graph.push(frame)
        yield graph.pull()
