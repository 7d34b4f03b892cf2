"""Films for seeded worlds: frames drawn one by one, with sound. The same bytes for the same content and packages."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.state_init.sounds import Samples
from yardkit.world import save_atomically

if TYPE_CHECKING:
    from PIL.Image import Image

_SPEED = "veryfast"
_REPEATABLE = {"threads": "1", "x264-params": "mbtree=0"}
"""With its tree of macroblocks, x264 gives other bytes each time for the same frames."""
_SOUND_BPS = 96_000


def save_film(
    path: Path, frames: "Iterable[Image]", fps: int, sound: Samples = None, rate_hz: int = 16_000, quality: int = 23
) -> None:
    """Write frames, all of one even size, as an MP4 with H.264 and AAC whose index is in front.

    Args:
        path: where the film goes.
        frames: in RGB.
        fps: frames a second.
        sound: as `yardkit.state_init.sounds` makes it; it is cut, or filled with silence, where the frames end.
        rate_hz: of the sound.
        quality: of the pictures, H.264's constant rate factor: less is better and larger.
    """
    import av

    with (
        save_atomically(path) as draft,
        av.open(str(draft), "w", format="mp4", options={"movflags": "+faststart"}) as film,
    ):
        stream = film.add_stream("libx264", rate=fps)
        stream.pix_fmt, stream.codec_context.thread_count = "yuv420p", 1
        stream.options = {"crf": str(quality), "preset": _SPEED, "g": str(2 * fps), **_REPEATABLE}
        track = _add_track(film, sound, rate_hz) if sound is not None else None
        count = 0
        for count, frame in enumerate(frames, 1):
            if count == 1:
                stream.width, stream.height = frame.size
            picture = av.VideoFrame.from_image(frame)
            picture.pts, picture.time_base = count - 1, Fraction(1, fps)
            film.mux(stream.encode(picture))
        film.mux(stream.encode(None))
        if track:
            _write_sound(film, track, sound, round(count * rate_hz / fps))


def _add_track(film: Any, sound: Samples, rate_hz: int) -> Any:
    return film.add_stream("aac", rate=rate_hz, layout="mono" if sound.ndim == 1 else "stereo", bit_rate=_SOUND_BPS)


def _write_sound(film: Any, track: Any, sound: Samples, count: int) -> None:
    """Write just so many samples."""
    import av
    import numpy as np

    padded_sound = np.zeros((1 if sound.ndim == 1 else 2, count), np.float32)
    planes = sound.reshape(len(sound), -1).T[:, :count]
    padded_sound[:, : planes.shape[1]] = np.clip(planes, -1, 1)
    rate_hz, layout = track.codec_context.sample_rate, track.codec_context.layout.name
    frame = av.AudioFrame.from_ndarray(padded_sound, format="fltp", layout=layout)
    frame.sample_rate, frame.pts, frame.time_base = rate_hz, 0, Fraction(1, rate_hz)
    resampler = av.AudioResampler("fltp", layout, rate_hz, track.codec_context.frame_size or 1024)
    for block in (*resampler.resample(frame), *resampler.resample(None)):
        film.mux(track.encode(block))
    film.mux(track.encode(None))


def to_srt(cues: Sequence[tuple[float, float, str]]) -> str:
    """Subtitles, each from when until when in seconds and its words, as an SRT file."""
    blocks = (
        f"{number}\n{_format_time(start)} --> {_format_time(end)}\n{text}\n"
        for number, (start, end, text) in enumerate(cues, 1)
    )
    return "\n".join(blocks)


def _format_time(seconds: float) -> str:
    full_seconds, thousandths = divmod(round(seconds * 1000), 1000)
    return f"{full_seconds // 3600:02d}:{full_seconds // 60 % 60:02d}:{full_seconds % 60:02d},{thousandths:03d}"
