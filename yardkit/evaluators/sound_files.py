"""Writing sounds: spoiled for a near miss or a mutant, or saved again with another encoder in `alternative_*`."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.evaluators.readers.media.sounds import Chapter, Sound

FORMATS = {
    ".wav": ("wav", "pcm_s16le", "s16"),
    ".flac": ("flac", "flac", "s16"),
    ".mp3": ("mp3", "libmp3lame", "fltp"),
    ".ogg": ("ogg", "libopus", "flt"),
    ".m4a": ("ipod", "aac", "fltp"),
}
"""By the ending of the name: container, codec and samples as FFmpeg calls them."""
_OPUS_RATES = (8000, 12_000, 16_000, 24_000, 48_000)


def save_sound(
    path: Path,
    samples: Any,
    rate_hz: int,
    *,
    tags: dict[str, str] | None = None,
    chapters: Sequence[Chapter] = (),
    bitrate_kbps: int = 160,
) -> None:
    """Save samples (n, channels), one or two channels, in [-1, 1], in the format of the name's suffix."""
    import av
    import numpy as np

    kind, codec, form = FORMATS[path.suffix.lower()]
    layout = "mono" if samples.shape[1] == 1 else "stereo"
    rate = (
        next((opus_rate for opus_rate in _OPUS_RATES if opus_rate >= rate_hz), 48_000)
        if codec == "libopus"
        else rate_hz
    )
    with av.open(str(path), "w", format=kind) as container:
        container.metadata.update(tags or {})
        container.set_chapters([_make_chapter(number, chapter) for number, chapter in enumerate(chapters)])
        stream = container.add_stream(codec, rate=rate, layout=layout, format=form)
        if codec not in ("pcm_s16le", "flac"):
            stream.bit_rate = bitrate_kbps * 1000
        planes = np.ascontiguousarray(np.clip(samples, -1, 1).T, dtype=np.float32)
        frame = av.AudioFrame.from_ndarray(planes, format="fltp", layout=layout)
        frame.sample_rate = rate_hz
        resampler = av.AudioResampler(
            format=form, layout=layout, rate=rate, frame_size=stream.codec_context.frame_size or 4096
        )
        clock = 0
        for piece in [*resampler.resample(frame), *resampler.resample(None)]:
            piece.pts, clock = clock, clock + piece.samples
            container.mux(stream.encode(piece))
        container.mux(stream.encode(None))


def save_again(path: Path, sound: Sound, samples: Any = None, **changed: Any) -> None:
    """Save a sound that was read, with other samples, tags or chapters if given."""
    given = {"tags": sound.tags, "chapters": sound.chapters, **changed}
    save_sound(path, sound.samples[:, :2] if samples is None else samples, sound.sample_rate_hz, **given)


def _make_chapter(number: int, chapter: Chapter) -> dict[str, Any]:
    return {
        "id": number,
        "start": round(chapter.start_s * 1000),
        "end": round(chapter.end_s * 1000),
        "time_base": Fraction(1, 1000),
        "metadata": {"title": chapter.title},
    }
