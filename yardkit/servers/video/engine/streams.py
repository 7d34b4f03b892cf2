"""Moving pictures as a stream: read at the rate of a shape, and written with their sound. To be called apart.

A picture is uint8 of shape (height, width, 3), RGB, upright. A frame is the same as H.264 holds it, a frame of PyAV in
yuv420p: what changes no colours passes it on as it was decoded. Streams keep memory bounded however long a video is.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.kit.films import Look, opened_film, read_look, read_timing, see_frames, timed_frames, to_picture
from yardkit.kit.media_labels import Labels, write_labels
from yardkit.kit.sound_streams import LAYOUTS, Blocks, Form, form_of
from yardkit.kit.sounds import Faults
from yardkit.world import Problem

Pictures = Iterator[Any]
Frames = Iterator[Any]
PRELOAD = ("numpy", "av")
"""What the process that works on videos keeps loaded."""
MAX_SECONDS = 3600.0
MAX_SIDE = 4096
COPIED_PICTURES = ("h264", "hevc", "mpeg4", "av1", "libdav1d", "vp9")
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
_TICK = Fraction(1, 90_000)
"""Of times of pictures whose rate is variable."""
_STEADY_FPS = (Fraction(10), Fraction(60))
"""Between which a constant rate is chosen for pictures that have none."""
_SMOOTH_FPS = 25
"""At which a picture that stands still is shown while something on it changes."""


@dataclass(frozen=True)
class Shape:
    """How the pictures of a video are: as displayed.

    Attributes:
        width_px, height_px: of them.
        fps: pictures a second; on average where their rate is variable.
        times_s: when each is seen, where the rate is variable; empty where it is constant.
        end_s: when the last of these ends.
    """

    width_px: int
    height_px: int
    fps: Fraction
    times_s: tuple[float, ...] = ()
    end_s: float = 0.0

    @property
    def even(self) -> "Shape":
        """The next smaller one that H.264 can hold: its sides are even."""
        return replace(self, width_px=max(2, self.width_px // 2 * 2), height_px=max(2, self.height_px // 2 * 2))

    def time_of(self, number: int) -> float:
        """When a picture is seen; behind the last one, when that ends."""
        if self.times_s:
            return self.times_s[number] if number < len(self.times_s) else self.end_s
        return float(number / self.fps)

    def of_part(self, start_s: float, end_s: float | None) -> "Shape":
        """That of a part, with times from its beginning."""
        if not self.times_s or start_s >= self.end_s:
            return self
        end = self.end_s if end_s is None else min(end_s, self.end_s)
        inside = [time_s - start_s for time_s in self.times_s if start_s < time_s < end]
        return self._at_times([0.0, *inside], end - start_s)

    def faster(self, speed: float) -> "Shape":
        """That of the same pictures, faster."""
        return self._at_times([time_s / speed for time_s in self.times_s], self.end_s / speed)

    def with_moments(self, moments: Iterable[float]) -> "Shape":
        """That of the same pictures, some seen again at moments at which something on them changes."""
        if not self.times_s:
            return self
        new = {round(moment, 4) for moment in moments if 0 < moment < self.end_s}
        return self._at_times(sorted({*(round(time_s, 4) for time_s in self.times_s), *new}), self.end_s)

    def with_change(self, start_s: float, end_s: float) -> "Shape":
        """That of the same pictures, seen often while something on them changes steadily."""
        count = round((end_s - start_s) * _SMOOTH_FPS) if self.times_s else 0
        return self.with_moments(start_s + number / _SMOOTH_FPS for number in range(count + 1))

    def steady(self) -> "Shape":
        """That of the same pictures at a constant rate, at which hardly any is left out."""
        if not self.times_s:
            return self
        steps = [after - before for before, after in zip(self.times_s, self.times_s[1:], strict=False)]
        fastest = Fraction(1 / sorted(steps)[len(steps) // 20]).limit_denominator(100)
        return Shape(self.width_px, self.height_px, min(max(fastest, _STEADY_FPS[0]), _STEADY_FPS[1]))

    def _at_times(self, times_s: list[float], end_s: float) -> "Shape":
        if not self.times_s:
            return self
        return replace(
            self, fps=Fraction(len(times_s) / end_s).limit_denominator(1001), times_s=tuple(times_s), end_s=end_s
        )


@dataclass(frozen=True)
class Sound:
    """The sound that goes with pictures: its blocks, their form, and what is found wrong as they are read."""

    blocks: Blocks
    form: Form
    faults: Faults = field(default_factory=Faults)


def shape_of(path: Path) -> Shape:
    """The shape of a video.

    Raises:
        Problem: it is not a video.
    """
    look, timing = read_look(path), read_timing(path)
    end_s = timing.end_s if timing.times_s else 0.0
    return Shape(look.width_px, look.height_px, timing.fps, timing.times_s, end_s)


def seconds_of(path: Path) -> float:
    """How long the pictures of a video last, by the times of its packets.

    Raises:
        Problem: it is not a video.
    """
    return read_timing(path).end_s


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
    look = read_look(path)
    return _change_frames(_decode_frames(path, fps, start_s, end_s), lambda frame: to_picture(frame, look))


def pictures_of(path: Path, shape: Shape, start_s: float = 0.0, speed: float = 1.0) -> Pictures:
    """The pictures of a video at the times of a shape, so much faster. Raises what `read_pictures` raises."""
    look = read_look(path)
    return _change_frames(_frames_of(path, shape, start_s, None, speed), lambda frame: to_picture(frame, look))


def read_frames(
    path: Path, shape: Shape, start_s: float = 0.0, end_s: float | None = None, speed: float = 1.0
) -> Frames:
    """The frames of a video, or of a part of it, at the times and of the sides of an even shape, so much faster.

    Raises:
        Problem: it is not a video, or over before `start_s`.
    """
    look = read_look(path)
    frames = _frames_of(path, shape, start_s, end_s, speed)
    return _change_frames(frames, lambda frame: _to_planes(frame, shape, look))


def _frames_of(path: Path, shape: Shape, start_s: float, end_s: float | None, speed: float) -> Frames:
    if not shape.times_s:
        yield from _decode_frames(path, shape.fps / Fraction(speed).limit_denominator(1000), start_s, end_s)
        return
    with opened_film(path) as (container, stream):
        count = 0
        frame: Any = None
        moments = [start_s + time_s * speed for time_s in shape.times_s]
        for _, frame in see_frames(container, stream, moments, shape.end_s):
            count += 1
            yield frame
    if frame is None:
        raise Problem(f"{path.name!r} has no frames from {start_s:g} s on; start before that")
    for _ in moments[count:]:  # what the last packets hold cannot be decoded
        yield frame


def _decode_frames(path: Path, fps: Fraction, start_s: float, end_s: float | None) -> Frames:
    """Frames as they come out of the decoder; one is given several times where the video stands still."""
    given = 0
    before: Any = None
    last = None if end_s is None else round((end_s - start_s) * fps)
    end = 0.0
    with opened_film(path) as (container, stream):
        for frame_start, frame_end, frame in timed_frames(container, stream, start_s):
            time_s, end = frame_start - start_s, frame_end
            while before is not None and given / fps < time_s - 0.25 / float(fps):
                yield before
                given += 1
                if last is not None and given >= last:
                    return
            before = frame
        rest = max(0, round((end - start_s) * fps) - given) if before is not None else 0
        if last is not None:
            rest = min(rest, last - given)
        for _ in range(max(rest, 1 if before is not None and not given and end > start_s else 0)):
            yield before
            given += 1
    if not given:
        raise Problem(f"{path.name!r} ends at {max(0.0, end):.2f} s; start before that, not at {start_s:g} s")


def _change_frames(frames: Frames, change: Callable[[Any], Any]) -> Iterator[Any]:
    """Each frame changed, the same one only once."""
    before = new_frame = None
    for frame in frames:
        if frame is not before:
            before, new_frame = frame, change(frame)
        yield new_frame


def _to_planes(frame: Any, shape: Shape, look: Look) -> Any:
    """A converted frame as H.264 holds it; without its last column or row where its sides are odd."""
    import av
    import numpy as np

    if look.is_turned or (frame.width, frame.height) != (shape.width_px, shape.height_px):
        picture = to_picture(frame, look)[: shape.height_px, : shape.width_px]
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
    if frame.format.name == _PLANES and frame.color_range != _FULL:
        return frame
    matrix = "ITU601" if frame.colorspace == _RGB or frame.format.is_rgb else None
    return frame.reformat(format=_PLANES, dst_colorspace=matrix, dst_color_range="MPEG")


def write_video(
    pictures: Pictures | Frames, shape: Shape, sound: Sound | None, draft: Path, labels: Labels | None = None
) -> float:
    """Write pictures and sound as an MP4 that browsers play: H.264 in yuv420p, AAC, its index in front.

    The same pictures and sound make the same bytes each time.

    Args:
        pictures: or frames, each of `shape`, whose sides are even.
        shape: of them.
        sound: beside them; it is cut, or ends earlier, where the pictures end.
        draft: where it is written.
        labels: tags and chapters that it gets.

    Raises:
        Problem: there is no picture, or it would be longer than an hour.
    """
    import av

    count = 0
    with av.open(str(draft), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        write_labels(container, labels or Labels(), ".mp4")
        stream = _add_stream(container, shape)
        track = _SoundTrack(container, sound) if sound else None
        for picture in pictures:
            frame = picture if isinstance(picture, av.VideoFrame) else _to_frame(picture)
            if not count:
                _declare_colors(stream.codec_context, frame)
            frame.pts, frame.time_base, frame.pict_type = *_stamp_time(shape, count), 0
            for packet in stream.encode(frame):
                container.mux(_set_duration(packet, shape))
            count += 1
            if (end_s := shape.time_of(count)) > MAX_SECONDS:
                raise Problem(f"the result is longer than {MAX_SECONDS / 60:g} minutes; write it in parts")
            if track:
                track.write_up_to(end_s)
        if not count:
            raise Problem("there are no frames left to write; the selected section is empty")
        for packet in stream.encode(None):
            container.mux(_set_duration(packet, shape))
        if track:
            track.end(shape.time_of(count))
    return shape.time_of(count)


def _stamp_time(shape: Shape, number: int) -> tuple[int, Fraction]:
    """The time of a picture, in units, and the unit."""
    return (round(shape.times_s[number] / _TICK), _TICK) if shape.times_s else (number, 1 / shape.fps)


def _set_duration(packet: Any, shape: Shape) -> Any:
    """Say how long a picture of a variable rate is seen, which is guessed of the last one otherwise."""
    if shape.times_s:
        time_s = float(packet.pts * packet.time_base)
        number = bisect_left(shape.times_s, time_s - float(_TICK))
        packet.duration = max(1, round((shape.time_of(number + 1) - time_s) / packet.time_base))
    return packet


def _add_stream(container: Any, shape: Shape) -> Any:
    stream = container.add_stream("libx264", rate=shape.fps)
    stream.width, stream.height, stream.pix_fmt = shape.width_px, shape.height_px, _PLANES
    if shape.times_s:
        stream.codec_context.time_base = _TICK
    # An MP4 says how long pictures are decoded, which is how long they are seen where none is moved.
    unmoved = ":bframes=0" if shape.times_s else ""
    large = shape.width_px * shape.height_px > _LARGE_PIXELS
    options = f"{_REPEATABLE}:{_LOW_DELAY_OPTIONS}" if large else _REPEATABLE
    stream.options = {**_CODING, "x264-params": f"{options}{unmoved}"}
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
