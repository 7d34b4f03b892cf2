"""Films for seeded worlds: frames drawn one by one, with sound. The same bytes for the same content and packages."""

import array
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolyard.world import saving

if TYPE_CHECKING:
    from PIL.Image import Image

SIZE_PX = (640, 360)
_QUALITY, _SPEED = "23", "veryfast"
_SOUND_BPS = 64_000


def save_film(
    path: Path,
    frames: "Iterable[Image]",
    fps: int,
    sound: "array.array[int] | None" = None,
    *,
    sample_rate_hz: int = 16_000,
    quality: str = _QUALITY,
) -> None:
    """Write frames, all of one even size, as an MP4 with H.264 and AAC whose index is in front.

    Args:
        path: where the film goes.
        frames: in RGB.
        fps: frames a second.
        sound: 16 bits, one channel; it is cut, or filled with silence, where the frames end.
        sample_rate_hz: of the sound.
        quality: of the pictures, H.264's constant rate factor: less is better and larger.
    """
    import av

    with saving(path) as draft, av.open(str(draft), "w", format="mp4", options={"movflags": "+faststart"}) as film:
        stream = film.add_stream("libx264", rate=fps)
        stream.pix_fmt, stream.codec_context.thread_count = "yuv420p", 1
        stream.options = {"crf": quality, "preset": _SPEED, "threads": "1", "g": str(2 * fps)}
        track = film.add_stream("aac", rate=sample_rate_hz, layout="mono", bit_rate=_SOUND_BPS) if sound else None
        count = 0
        for count, frame in enumerate(frames, 1):
            if count == 1:
                stream.width, stream.height = frame.size
            picture = av.VideoFrame.from_image(frame)
            picture.pts, picture.time_base = count - 1, Fraction(1, fps)
            film.mux(stream.encode(picture))
        film.mux(stream.encode(None))
        if track:
            _write_sound(film, track, _fitted(sound, round(count * sample_rate_hz / fps)), sample_rate_hz)


def _fitted(samples: Any, count: int) -> bytes:
    return array.array("h", [*samples[:count], *bytes(max(0, count - len(samples)))]).tobytes()


def _write_sound(film: Any, track: Any, samples: bytes, sample_rate_hz: int) -> None:
    import av
    import numpy as np

    frame = av.AudioFrame.from_ndarray(np.frombuffer(samples, np.int16)[None], format="s16", layout="mono")
    frame.sample_rate, frame.pts, frame.time_base = sample_rate_hz, 0, Fraction(1, sample_rate_hz)
    resampler = av.AudioResampler("fltp", "mono", sample_rate_hz, track.codec_context.frame_size or 1024)
    for block in (*resampler.resample(frame), *resampler.resample(None)):
        film.mux(track.encode(block))
    film.mux(track.encode(None))
