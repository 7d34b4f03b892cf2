"""Moving pictures as a stream: read at a constant rate, and written with their sound. To be called apart.

A picture is uint8 of shape (height, width, 3), RGB, upright. A frame is the same as H.264 holds it, a frame of PyAV in
yuv420p: what changes no colours passes it on as it was decoded. Streams keep memory bounded however long a video is.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from yardkit.kit.sound_streams import LAYOUTS, Blocks, Form, form_of
from yardkit.kit.video_frames import opened_video
from yardkit.world import Problem

Pictures = Iterator[Any]
Frames = Iterator[Any]
PRELOAD = ("numpy", "av")
"""What the process that works on videos keeps loaded."""
MAX_SECONDS = 3600.0
MAX_SIDE = 4096
COPIED_PICTURES = ("h264", "hevc", "mpeg4", "av1", "vp9")
COPIED_SOUNDS = ("aac", "mp3", "opus", "ac3")
"""What an MP4 can hold as it is."""
_PLANES = "yuv420p"
_FULL, _LIMITED = 2, 1
"""Ranges of brightness, as FFmpeg numbers them."""
_RGB = 0
"""The matrix of what is no YUV, likewise."""
_THREADS = 4
"""The bytes depend on how many there are, which must not be a matter of the machine."""
_CODING = {"crf": "23", "preset": "veryfast"}
_REPEATABLE = "mbtree=0"
"""With its tree of macroblocks, x264 reads memory that it never wrote, and gives other bytes each time."""
_LOW_DELAY_OPTIONS = "bframes=2:rc-lookahead=2:sync-lookahead=0"
_LARGE_PIXELS = 4_000_000
"""From which on x264 holds few pictures, and slices of one are coded at once: 45 MB each for 3840 x 2160."""
_SOUND_KBPS = 160
_KEY_FRAMES_S = 2
"""Between key frames, from which players seek and copies begin."""
_FPS_LIMIT = 120
_SEEK_FROM_S, _SEEK_EARLIER_S = 2.0, 0.5
"""Files are sought in by when pictures are decoded, which is somewhat before they are seen."""


@dataclass(frozen=True)
class Shape:
    """How the pictures of a video are: as displayed.

    Attributes:
        width_px, height_px: of them.
        fps: pictures a second.
    """

    width_px: int
    height_px: int
    fps: Fraction

    @property
    def even(self) -> "Shape":
        """The next smaller one that H.264 can hold: its sides are even."""
        return Shape(max(2, self.width_px // 2 * 2), max(2, self.height_px // 2 * 2), self.fps)


@dataclass(frozen=True)
class Sound:
    """The sound that goes with pictures: its blocks and their form."""

    blocks: Blocks
    form: Form


def shape_of(path: Path) -> Shape:
    """The shape of a video.

    Raises:
        Problem: it is not a video.
    """
    with opened_video(path) as (container, stream):
        first = next(container.decode(stream), None)
        if first is None:
            raise Problem(f"{path.name!r} has no frame that can be decoded")
        rate = stream.average_rate or stream.guessed_rate or Fraction(25)
        fps = Fraction(rate).limit_denominator(1001)
        sides = (first.height, first.width) if first.rotation % 180 else (first.width, first.height)
        return Shape(*sides, min(fps, Fraction(_FPS_LIMIT)) if fps > 0 else Fraction(25))


def seconds_of(path: Path) -> float:
    """How long the pictures of a video last, by the times of its packets.

    Raises:
        Problem: it is not a video.
    """
    with opened_video(path) as (container, stream):
        start = stream.start_time or 0
        last = Fraction(0)
        for packet in container.demux(stream):
            if packet.pts is not None:
                end = packet.pts + (packet.duration or 0) - start
                last = max(last, end * stream.time_base)
        return float(last)


def has_sound(path: Path) -> bool:
    """Whether a video has a sound track that can be read."""
    try:
        form_of(path)
    except Problem:
        return False
    return True


def read_pictures(path: Path, fps: Fraction, start_s: float = 0.0, end_s: float | None = None) -> Pictures:
    """The pictures of a video at a constant rate, from a time on: at each time the last that was there.

    Raises:
        Problem: it is not a video, or over before `start_s`.
    """
    return _change_frames(_decode_frames(path, fps, start_s, end_s), _to_upright)


def read_frames(path: Path, shape: Shape, start_s: float = 0.0, end_s: float | None = None) -> Frames:
    """The frames of a video likewise, at the rate and the sides of an even shape.

    Raises:
        Problem: it is not a video, or over before `start_s`.
    """
    return _change_frames(_decode_frames(path, shape.fps, start_s, end_s), lambda frame: _to_planes(frame, shape))


def _decode_frames(path: Path, fps: Fraction, start_s: float, end_s: float | None) -> Frames:
    """Frames as they come out of the decoder; one is given several times where the video stands still."""
    given = 0
    before: Any = None
    last = None if end_s is None else round((end_s - start_s) * fps)
    with opened_video(path) as (container, stream):
        origin = float((stream.start_time or 0) * stream.time_base)
        end = 0.0
        for frame in _decoded_from(container, stream, origin + start_s):
            time_s = (frame.time if frame.time is not None else end) - origin - start_s
            end = (
                time_s
                + origin
                + start_s
                + (float(frame.duration * frame.time_base) if frame.duration else 1 / float(fps))
            )
            while before is not None and given / fps < time_s - 0.25 / float(fps):
                yield before
                given += 1
                if last is not None and given >= last:
                    return
            before = frame
        rest = max(0, round((end - origin - start_s) * fps) - given) if before is not None else 0
        if last is not None:
            rest = min(rest, last - given)
        for _ in range(max(rest, 1 if before is not None and not given and end > origin + start_s else 0)):
            yield before
            given += 1
    if not given:
        raise Problem(f"{path.name!r} ends at {max(0.0, end - origin):.2f} s; start before that, not at {start_s:g} s")


def _decoded_from(container: Any, stream: Any, time_s: float) -> Frames:
    """Frames from one before a time on; from the first where the file does not say where its key frames are."""
    import av

    if time_s < _SEEK_FROM_S or not container.format.name.startswith("mov"):
        return container.decode(stream)  # type: ignore[no-any-return]
    with suppress(av.FFmpegError):
        container.seek(int((time_s - _SEEK_EARLIER_S) / stream.time_base), stream=stream)
        frames = container.decode(stream)
        first = next(frames, None)
        if first is not None and first.time is not None and first.time <= time_s:
            return chain([first], frames)
    container.seek(stream.start_time or 0, stream=stream)
    return container.decode(stream)  # type: ignore[no-any-return]


def _change_frames(frames: Frames, change: Callable[[Any], Any]) -> Iterator[Any]:
    """Each frame changed, the same one only once."""
    before = new_frame = None
    for frame in frames:
        if frame is not before:
            before, new_frame = frame, change(frame)
        yield new_frame


def _to_upright(frame: Any) -> Any:
    import numpy as np

    picture = frame.to_ndarray(format="rgb24")
    turns = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(picture, turns)) if turns else picture


def _to_planes(frame: Any, shape: Shape) -> Any:
    """A decoded frame as H.264 holds it; without its last column or row where its sides are odd."""
    import av
    import numpy as np

    if round(frame.rotation / 90) % 4 or (frame.width, frame.height) != (shape.width_px, shape.height_px):
        picture = _to_upright(frame)[: shape.height_px, : shape.width_px]
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
    if frame.format.name == _PLANES and frame.color_range != _FULL:
        return frame
    matrix = "ITU601" if frame.colorspace == _RGB or frame.format.is_rgb else None
    return frame.reformat(format=_PLANES, dst_colorspace=matrix, dst_color_range="MPEG")


def write_video(pictures: Pictures | Frames, shape: Shape, sound: Sound | None, draft: Path) -> float:
    """Write pictures and sound as an MP4 that browsers play: H.264 in yuv420p, AAC, its index in front.

    The same pictures and sound make the same bytes each time.

    Args:
        pictures: or frames, each of `shape`, whose sides are even.
        shape: of them.
        sound: beside them; it is cut, or ends earlier, where the pictures end.
        draft: where it is written.

    Raises:
        Problem: there is no picture, or it would be longer than an hour.
    """
    import av

    count = 0
    with av.open(str(draft), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        stream = _add_stream(container, shape)
        track = _SoundTrack(container, sound) if sound else None
        for picture in pictures:
            frame = picture if isinstance(picture, av.VideoFrame) else _to_frame(picture)
            if not count:
                _declare_colors(stream.codec_context, frame)
            frame.pts, frame.time_base, frame.pict_type = count, 1 / shape.fps, 0
            container.mux(stream.encode(frame))
            count += 1
            if count > MAX_SECONDS * shape.fps:
                raise Problem(f"the result is longer than {MAX_SECONDS / 60:g} minutes; write it in parts")
            if track:
                track.write_up_to(float(count / shape.fps))
        if not count:
            raise Problem("there are no frames left to write; the selected section is empty")
        container.mux(stream.encode(None))
        if track:
            track.end(float(count / shape.fps))
    return float(count / shape.fps)


def _add_stream(container: Any, shape: Shape) -> Any:
    stream = container.add_stream("libx264", rate=shape.fps)
    stream.width, stream.height, stream.pix_fmt = shape.width_px, shape.height_px, _PLANES
    large = shape.width_px * shape.height_px > _LARGE_PIXELS
    stream.options = {**_CODING, "x264-params": f"{_REPEATABLE}:{_LOW_DELAY_OPTIONS}" if large else _REPEATABLE}
    stream.gop_size = max(1, round(_KEY_FRAMES_S * shape.fps))
    stream.thread_type, stream.thread_count = "SLICE" if large else "FRAME", _THREADS
    return stream


def _to_frame(picture: Any) -> Any:
    import av

    frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
    return frame.reformat(format=_PLANES, dst_colorspace="ITU601", dst_color_range="MPEG")


def _declare_colors(codec: Any, frame: Any) -> None:
    """Let a film say by which matrix its colours are kept, where its first frame does."""
    codec.colorspace, codec.color_range = frame.colorspace, _LIMITED
    codec.color_primaries, codec.color_trc = frame.color_primaries, frame.color_trc


class _SoundTrack:
    """Sound written beside pictures, never far ahead of them, and no longer than they are."""

    def __init__(self, container: Any, sound: Sound) -> None:
        import av

        self.container, self.sound = container, sound
        layout = LAYOUTS[sound.form.channels]
        self.stream = container.add_stream("aac", rate=sound.form.rate_hz, layout=layout)
        self.stream.bit_rate = _SOUND_KBPS * 1000
        size = self.stream.codec_context.frame_size or 1024
        self.resampler = av.AudioResampler(format="fltp", layout=layout, rate=sound.form.rate_hz, frame_size=size)
        self.given = self.clock = 0
        self.rest: Any = None

    def write_up_to(self, seconds: float) -> None:
        """Write what is heard before a time."""
        sample_count = round(seconds * self.sound.form.rate_hz)
        while self.given < sample_count:
            block = self.rest if self.rest is not None else next(self.sound.blocks, None)
            if block is None:
                return
            room = sample_count - self.given
            part, self.rest = (block, None) if block.shape[1] <= room else (block[:, :room], block[:, room:])
            self.given += part.shape[1]
            self._encode_frame(self._make_frame(part))

    def end(self, seconds: float) -> None:
        """Write the rest, up to a time."""
        self.write_up_to(seconds)
        self._encode_frame(None)
        self.container.mux(self.stream.encode(None))

    def _encode_frame(self, frame: Any) -> None:
        for piece in self.resampler.resample(frame):
            piece.pts, self.clock = self.clock, self.clock + piece.samples
            self.container.mux(self.stream.encode(piece))

    def _make_frame(self, part: Any) -> Any:
        import av
        import numpy as np

        samples = np.ascontiguousarray(np.clip(part, -1, 1), dtype=np.float32)
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout=LAYOUTS[self.sound.form.channels])
        frame.sample_rate = self.sound.form.rate_hz
        return frame
