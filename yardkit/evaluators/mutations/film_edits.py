"""Encoding films again with PyAV, changed or not, for mutants, near misses and alternative solutions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

Repaint = Callable[[Any, float], Any]
"""The new picture of a frame, given its picture (Pillow) and its time in the source; None: that of the frame before."""
Resound = Callable[[Any, int], Any]
"""The new sound, float32 (channels, samples), given the old one and its rate in Hz."""
_ENCODERS = {
    ".webm": ("libvpx", "yuv420p", {"deadline": "realtime", "cpu-used": "8"}),
    ".gif": ("gif", "rgb8", {}),
}


@dataclass(frozen=True)
class FilmEdit:
    """How a film is encoded again.

    Attributes:
        start_s, end_s: the part of the source.
        without_s: start and end of a part without frames and sound.
        repaint: a change of its frames.
        resound: a change of its sound, in the part.
        options: the options of the H.264 encoder.
        pixels: the pixel format.
    """

    start_s: float = 0.0
    end_s: float = float("inf")
    without_s: tuple[float, float] = (0.0, 0.0)
    repaint: Repaint = lambda picture, _time_s: picture
    resound: Resound = lambda samples, _rate_hz: samples
    options: tuple[tuple[str, str], ...] = (("preset", "ultrafast"), ("crf", "20"))
    pixels: str = "yuv420p"


def rewrite_film(source: Path, target: Path, edit: FilmEdit) -> None:
    """Encode a film with its sound again; `target` may be the source."""
    import av

    draft = target.with_name(f"draft_{target.name}")
    container_options = {"movflags": "+faststart"} if target.suffix.lower() == ".mp4" else {}
    with av.open(str(source)) as film, av.open(str(draft), "w", options=container_options) as target_film:
        picture = film.streams.video[0]
        h264 = ("libx264", edit.pixels, dict(edit.options))
        name, pixels, options = _ENCODERS.get(target.suffix.lower(), h264)
        stream = target_film.add_stream(name, rate=picture.average_rate or 25)
        stream.pix_fmt, stream.options = pixels, options
        track = _add_track(target_film, film, target) if film.streams.audio else None
        for packet in _edit_pictures(film, picture, stream, edit):
            target_film.mux(packet)
        if track is not None:
            for packet in _edit_sound(source, track, edit):
                target_film.mux(packet)
    draft.replace(target)


def _edit_pictures(film: Any, picture: Any, stream: Any, edit: FilmEdit) -> Iterator[Any]:
    import av

    count, before = 0, None
    step = 1 / Fraction(picture.average_rate or 25)
    for frame in film.decode(picture):
        time_s = frame.time or 0.0
        # Times of frames are rounded to the container's time base, hence the tolerance of a millisecond.
        inside = edit.start_s - 1e-3 <= time_s < edit.end_s - 1e-3
        if not inside or edit.without_s[0] - 1e-3 <= time_s < edit.without_s[1] - 1e-3:
            continue
        before = edit.repaint(frame.to_image(), time_s) or before
        if before is None:
            continue
        if not count:
            stream.width, stream.height = before.size
        new = av.VideoFrame.from_image(before)
        new.pts, new.time_base = count, step
        count += 1
        yield from stream.encode(new)
    yield from stream.encode(None)


def _add_track(target_film: Any, film: Any, target: Path) -> Any:
    heard = film.streams.audio[0].codec_context
    codec, rate = ("libopus", 48_000) if target.suffix.lower() == ".webm" else ("aac", heard.sample_rate)
    return target_film.add_stream(codec, rate=rate, layout="mono" if heard.layout.nb_channels == 1 else "stereo")


def _edit_sound(source: Path, track: Any, edit: FilmEdit) -> Iterator[Any]:
    import av
    import numpy as np

    rate, layout = track.codec_context.sample_rate, track.codec_context.layout.name
    with av.open(str(source)) as film:
        resampler = av.AudioResampler("fltp", layout, rate)
        heard = [part for frame in film.decode(audio=0) for part in resampler.resample(frame)]
        samples = np.concatenate([part.to_ndarray() for part in heard], axis=1)
    end = None if edit.end_s == float("inf") else round(edit.end_s * rate)
    first, behind = (round(side * rate) for side in edit.without_s)
    cut_samples = np.concatenate([samples[:, round(edit.start_s * rate) : first], samples[:, behind:end]], axis=1)
    sound_samples = samples[:, round(edit.start_s * rate) : end] if first == behind else cut_samples
    samples = np.ascontiguousarray(edit.resound(sound_samples, rate), np.float32)
    frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout=layout)
    frame.sample_rate, frame.pts, frame.time_base = rate, 0, Fraction(1, rate)
    cut = av.AudioResampler("fltp", layout, rate, track.codec_context.frame_size or 1024)
    for block in (*cut.resample(frame), *cut.resample(None)):
        yield from track.encode(block)
    yield from track.encode(None)
