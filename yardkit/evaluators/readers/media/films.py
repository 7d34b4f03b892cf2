"""Reading delivered films: the file's properties, frames, sound and subtitles, and when a picture is visible.

The content decides how a film is opened; playlists, which open other files, are refused. A file that crashes the reader
or exhausts its memory is an `InvalidArtifact`. Places are in pixels as displayed, times in seconds from the first
frame.
"""

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers.files import parse_file
from yardkit.evaluators.readers.media.tracks import (
    moving_pictures,
    pixel_aspect,
    standard_colors,
    start_of,
    timed_sound,
    turn_upright,
)
from yardkit.evaluators.submission import Submission

FORMATS = "mov,mp4,matroska,webm,gif"
SAMPLE_RATE_HZ = 16_000
SKETCH_PX = 160
MAX_SECONDS, MAX_FRAME_PIXELS, MAX_PIXELS = 300.0, 4096 * 2304, 3_000_000_000
"""How long a film may be, and how many pixels it may have in a frame and in all."""
_LEAST_LIKENESS = 0.9
_SMALLEST = 0.5
_JUST_S = 1e-3
_LOOKED_AT_EVERY_S = 0.8
"""How far the frames are apart in which a picture is looked for at all places."""


@dataclass(frozen=True)
class Cue:
    """A subtitle: its times, and its words in one line."""

    start_s: float
    end_s: float
    text: str


@dataclass(frozen=True)
class Span:
    """A stretch of time."""

    start_s: float
    end_s: float


@dataclass(frozen=True)
class Film:
    """A film.

    Attributes:
        duration_s: the duration of its pictures.
        width, height: the size of a frame as displayed.
        fps: frames a second, on average.
        video_codec, pixel_format: such as ``h264`` and ``yuv420p``.
        audio_codec: such as ``aac``; empty if there is no sound.
        faststart: whether an MP4 has its index at the beginning; True for other formats.
        times: the times of the frames.
        sketches: the frames in grey, uint8 (frames, height, width), the longest side `SKETCH_PX`.
        subtitles: the subtitles of each text track.
    """

    duration_s: float
    width: int
    height: int
    fps: float
    video_codec: str
    pixel_format: str
    audio_codec: str
    faststart: bool
    times: tuple[float, ...] = field(repr=False)
    sketches: Any = field(repr=False)
    subtitles: tuple[tuple[Cue, ...], ...] = ()

    @property
    def plays_anywhere(self) -> bool:
        """Whether browsers and phones play it: H.264 in 4:2:0 and 8 bits, AAC or no sound, the index first."""
        codecs = (self.video_codec, self.pixel_format, self.audio_codec or "aac")
        return codecs in (("h264", "yuv420p", "aac"), ("h264", "yuvj420p", "aac")) and self.faststart

    def sketch_at(self, time_s: float) -> Any:
        """Return the sketch of the frame shown at a time."""
        return self.sketches[_index_at(self.times, time_s)]


def read_film(submission: Submission, relative: str) -> Film:
    """Read a delivered film, MP4, MOV, MKV, WebM or GIF.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a film, is damaged, too long or too large.
    """
    return parse_file(submission, relative, _read_film, "film")


def read_track(submission: Submission, relative: str) -> Any:
    """Read the sound of a film: float32 from -1 to 1, one channel, `SAMPLE_RATE_HZ`, from the time of its first frame.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a film, or longer than `MAX_SECONDS`.
    """
    return parse_file(submission, relative, _read_samples, "film")


def frames_at(submission: Submission, relative: str, times_s: Sequence[float]) -> list[Any]:
    """Read the frames shown at some times, uint8 (height, width, 3), RGB, upright; after the end, the last frame.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a film.
    """
    frame_times = tuple(sorted({max(0.0, round(time_s, 3)) for time_s in times_s}))
    frames = parse_file(submission, relative, _Frames(frame_times), "film")
    return [frames[max(0.0, round(time_s, 3))] for time_s in times_s]


def find_picture_spans(
    film: Film, picture: Any, least: float = _LEAST_LIKENESS, smallest: float = _SMALLEST
) -> list[Span]:
    """Find when a picture is completely visible and undistorted in a film, at any place.

    Args:
        film: the film to search.
        picture: an array (height, width, 3), RGB.
        least: the minimum similarity, up to 1 (correlation of grey levels).
        smallest: the minimum size, relative to the largest size in which it is completely visible.
    """
    place = _find_place(film, picture, smallest)
    if place is None:
        return []
    small, (top, left) = place
    bottom, right = top + small.shape[0], left + small.shape[1]
    seen = [measure_likeness(sketch[top:bottom, left:right], small) >= least for sketch in film.sketches]
    spans: list[Span] = []
    ends = (*film.times[1:], film.duration_s)
    for number, (is_seen, start, end) in enumerate(zip(seen, film.times, ends, strict=True)):
        if is_seen and number and seen[number - 1]:
            spans[-1] = Span(spans[-1].start_s, end)
        elif is_seen:
            spans.append(Span(start, end))
    return spans


def measure_likeness(first_frame: Any, other: Any) -> float:
    """The correlation of two arrays of the same shape: 1 if they differ only in brightness and contrast."""
    import numpy as np

    first, second = (np.asarray(array, np.float64) - np.mean(array, dtype=np.float64) for array in (first_frame, other))
    norm = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float((first * second).sum()) / norm if norm > 1e-6 else 0.0


def find_sound(sound: Any, part: Any) -> tuple[float, float]:
    """Find where `part` is in a sound, in seconds from its beginning (may be negative), and the similarity there.

    Both are float, with one channel and `SAMPLE_RATE_HZ`. The similarity is the correlation of the overlap.
    """
    import numpy as np

    if not len(sound) or not len(part):
        return 0.0, 0.0
    size = 2 ** (len(sound) + len(part)).bit_length()
    products = np.fft.irfft(np.fft.rfft(sound, size) * np.fft.rfft(part, size).conj(), size)
    lag = int(np.argmax(products))
    lag -= size if lag >= len(sound) else 0
    start, end = max(0, lag), min(len(sound), lag + len(part))
    return lag / SAMPLE_RATE_HZ, measure_likeness(sound[start:end], part[start - lag : end - lag])


@dataclass(frozen=True)
class _Frames:
    """Reads the frames shown at some times, in order of time."""

    times_s: tuple[float, ...]

    def __call__(self, path: Path) -> dict[float, Any]:
        frames_by_time: dict[float, Any] = {}
        with open_film(path) as (container, stream):
            origin, aspect = start_of(stream), pixel_aspect(stream)
            container.seek(round((self.times_s[0] + origin) / stream.time_base), stream=stream)
            left, before = list(self.times_s), None
            for frame in standard_colors(container.decode(stream)):
                time_s = (frame.time or 0.0) - origin
                while left and before is not None and time_s > left[0] + _JUST_S:
                    frames_by_time[left.pop(0)] = _read_pixels(before, aspect)
                if not left:
                    break
                before = frame
            if before is None:
                raise InvalidArtifact(f"{path.name} holds no frame at {self.times_s[0]:g} s")
            return {**frames_by_time, **(dict.fromkeys(left, _read_pixels(before, aspect)) if left else {})}


def _read_pixels(frame: Any, aspect: Fraction) -> Any:
    wide = frame if aspect == 1 else frame.reformat(width=max(1, round(frame.width * aspect)), interpolation="BICUBIC")
    return turn_upright(wide.to_ndarray(format="rgb24"), frame)


def _index_at(times: Sequence[float], time_s: float) -> int:
    return max(0, sum(time <= time_s + _JUST_S for time in times) - 1)


@contextmanager
def open_film(path: Path) -> Iterator[tuple[Any, Any]]:
    """Open a film and its pictures.

    Raises:
        InvalidArtifact: it is not a film, or has larger frames than `MAX_FRAME_PIXELS`.
    """
    import av

    options = {"format_whitelist": FORMATS, "protocol_whitelist": "file", "max_pixels": str(MAX_FRAME_PIXELS)}
    try:
        with av.open(f"file:{path}", options=options, metadata_errors="replace") as container:
            tracks = moving_pictures(container)
            if not tracks:
                raise InvalidArtifact(f"{path.name} holds no pictures")
            stream = tracks[0]
            if stream.codec_context.width * stream.codec_context.height > MAX_FRAME_PIXELS:
                raise InvalidArtifact(f"{path.name} has frames of more than {MAX_FRAME_PIXELS:,} pixels")
            yield container, stream
    except (av.FFmpegError, ValueError, OverflowError, EOFError) as error:
        # The error's message contains a path on this machine, so only its type is shown.
        raise InvalidArtifact(f"{path.name} is not a readable video ({type(error).__name__})") from error


def _read_film(path: Path) -> Film:
    import numpy as np

    with open_film(path) as (container, stream):
        codec, rate = stream.codec_context, float(stream.average_rate or 0)
        times, sketches, end = _sketch_frames(container, stream, path.name)
        origin = times[0]
        turned = sketches[0].shape[0] > sketches[0].shape[1]
        sides = sorted((max(1, round(codec.width * pixel_aspect(stream))), codec.height), reverse=not turned)
        about = (codec.name, str(codec.pix_fmt))
        track = container.streams.best("audio")
        heard = track.codec_context.name if track is not None else ""
    return Film(
        duration_s=round(end - origin, 3),
        width=sides[0],
        height=sides[1],
        fps=rate,
        video_codec=about[0],
        pixel_format=about[1],
        audio_codec=heard,
        faststart=_index_in_front(path),
        times=tuple(round(time - origin, 4) for time in times),
        sketches=np.stack(sketches),
        subtitles=_read_subtitles(path, origin),
    )


def _sketch_frames(container: Any, stream: Any, name: str) -> tuple[list[float], list[Any], float]:
    """Read the times and sketches of all frames, and the end of the last one."""
    times: list[float] = []
    sketches: list[Any] = []
    pixels, end, aspect = 0, 0.0, pixel_aspect(stream)
    for frame in standard_colors(container.decode(stream)):
        times.append(frame.time if frame.time is not None else end)
        end = times[-1] + float((frame.duration or 0) * frame.time_base or 1 / float(stream.average_rate or 25))
        pixels += frame.width * frame.height
        if end - times[0] > MAX_SECONDS or pixels > MAX_PIXELS or times[-1] < times[0]:
            raise InvalidArtifact(f"{name} is longer than {MAX_SECONDS:g} s, or has more than {MAX_PIXELS:,} pixels")
        width = frame.width * aspect
        scale = SKETCH_PX / max(width, frame.height)
        sides = (max(2, round(width * scale)), max(2, round(frame.height * scale)))
        small = frame.reformat(*sides, format="gray", interpolation="AREA").to_ndarray()
        sketches.append(turn_upright(small, frame))
    if not sketches:
        raise InvalidArtifact(f"{name} holds no frame that can be decoded")
    return times, sketches, end


def _read_samples(path: Path) -> Any:
    import av
    import numpy as np

    with open_film(path) as (container, _):
        track = container.streams.best("audio")
        if track is None:
            return np.zeros(0, np.float32)
        resampler = av.AudioResampler("s16", "mono", SAMPLE_RATE_HZ)
        blocks: list[Any] = []
        count = 0
        for frame in timed_sound(container, track):
            count += frame.samples
            frame.pts = None
            blocks += [block.to_ndarray()[0] for block in resampler.resample(frame)]
            if count > MAX_SECONDS * (frame.sample_rate or 1):
                raise InvalidArtifact(f"{path.name} has a sound of more than {MAX_SECONDS:g} s")
        blocks += [block.to_ndarray()[0] for block in resampler.resample(None)] if count else []
        return (np.concatenate([np.zeros(0, np.int16), *blocks]) / 32768).astype(np.float32)


def _read_subtitles(path: Path, origin: float) -> tuple[tuple[Cue, ...], ...]:
    tracks: dict[int, list[Cue]] = {}
    with open_film(path) as (container, _):
        streams = container.streams.subtitles
        for stream in streams:
            tracks[stream.index] = []
        for packet in container.demux(*streams) if streams else ():
            words = " ".join(_read_words(part) for part in packet.decode() if hasattr(part, "dialogue"))
            if words.strip() and packet.pts is not None:
                start = float(packet.pts * packet.time_base) - origin
                end = start + float((packet.duration or 0) * packet.time_base)
                tracks[packet.stream.index].append(Cue(round(start, 3), round(end, 3), " ".join(words.split())))
    return tuple(map(tuple, tracks.values()))


def _read_words(part: Any) -> str:
    text = part.dialogue
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def _index_in_front(path: Path) -> bool:
    """Whether the box ``moov`` comes before ``mdat``, by ISO/IEC 14496-12; True if there are no such boxes."""
    size = path.stat().st_size
    with path.open("rb") as file:
        at = 0
        while at + 8 <= size:
            file.seek(at)
            length, kind = struct.unpack(">I4s", file.read(8))
            if kind in (b"moov", b"mdat"):
                return bool(kind == b"moov")
            if length == 1:
                length = struct.unpack(">Q", file.read(8).ljust(8, b"\0"))[0]
            if length < 8:
                break
            at += length
    return True


def _find_place(film: Film, picture: Any, smallest: float) -> tuple[Any, tuple[int, int]] | None:
    """Find the picture, in grey, in the size that matches the film best, and the place of its upper left corner."""
    import cv2
    import numpy as np

    grey = np.asarray(picture, np.float32).mean(axis=2)
    high, wide = film.sketches.shape[1:]
    fit = min(high / grey.shape[0], wide / grey.shape[1])
    best: tuple[float, Any, tuple[int, int]] | None = None
    step = max(1, round(film.fps * _LOOKED_AT_EVERY_S))
    for share in np.arange(1.0, smallest - 0.01, -0.05):
        sides = (max(2, round(grey.shape[1] * fit * share)), max(2, round(grey.shape[0] * fit * share)))
        small = cv2.resize(grey, sides, interpolation=cv2.INTER_AREA).astype(np.uint8)
        for sketch in film.sketches[step // 2 :: step]:
            _, score, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(sketch, small, cv2.TM_CCOEFF_NORMED))
            if np.isfinite(score) and score <= 1.001 and (best is None or score > best[0] + 1e-4):
                best = (score, small, (top, left))
    return None if best is None else (best[1], best[2])
