"""Reading delivered sounds: samples, loudness, peaks, silences, noise, and the place of a known piece."""

import io
import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from yardkit.evaluators.checkpoints import InvalidArtifact
from yardkit.evaluators.readers import files
from yardkit.evaluators.readers.media.tracks import timed_sound
from yardkit.evaluators.submission import Submission

MAX_SECONDS, MAX_VALUES = 900.0, 100_000_000
"""How long a sound may be that is read, and how many samples of all channels it may have."""
SILENCE_DB = -120.0
_MAX_CHANNELS, _RATES_HZ = 8, (4000, 192_000)
_FORMATS = "wav,mp3,flac,ogg,mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,aiff,aac"
"""As FFmpeg calls them: containers that hold sound themselves, and no lists of other files."""
_TECHNICAL = ("compatible_brands", "encoder", "handler_name", "language", "major_brand", "minor_version", "vendor_id")
COMPARED_HZ = 8000
"""At which sounds are compared."""
STEP_S = 0.02
"""How long a moment is."""
_SPEECH_HZ = (200, 3400)
_LOUDNESS_STEP_S, _STEPS = 0.1, 4
"""BS.1770-4: blocks of 0.4 s, one every 0.1 s."""
_ABSOLUTE_LUFS, _RELATIVE_LU = -70.0, -10.0


@dataclass(frozen=True)
class Chapter:
    """A part of a sound with a title; in seconds from the beginning."""

    start_s: float
    end_s: float
    title: str


@dataclass(frozen=True, eq=False)
class Sound:
    """The sound of a file.

    Attributes:
        samples: float32 of shape (n, channels), in [-1, 1].
        sample_rate_hz: the sample rate.
        codec: FFmpeg's name: pcm_s16le, mp3, flac, aac, opus.
        format: the format of the file, such as wav, mp3, "mov,mp4,m4a,3gp,3g2,mj2".
        tags: the tags of the file, by lower-case names: title, artist.
        chapters: the chapters in order.
    """

    samples: Any
    sample_rate_hz: int
    codec: str
    format: str
    tags: dict[str, str]
    chapters: tuple[Chapter, ...]

    @property
    def duration_s(self) -> float:
        """The length by its number of samples."""
        return len(self.samples) / self.sample_rate_hz

    @property
    def channels(self) -> int:
        """The number of channels."""
        return int(self.samples.shape[1])

    @property
    def mono(self) -> Any:
        """The mean of the channels, of shape (n,)."""
        return self.samples.mean(axis=1)

    @cached_property
    def narrow(self) -> Any:
        """One channel at 8,000 Hz between 200 and 3,400 Hz, of shape (n,), for comparing sounds."""
        import scipy.signal

        if not len(self.samples):
            return self.mono
        common = math.gcd(COMPARED_HZ, self.sample_rate_hz)
        samples = scipy.signal.resample_poly(self.mono, COMPARED_HZ // common, self.sample_rate_hz // common)
        band = scipy.signal.butter(4, _SPEECH_HZ, "bandpass", fs=COMPARED_HZ, output="sos")
        return scipy.signal.sosfilt(band, samples)

    @property
    def heard(self) -> "Sound":
        """The sound without silence (35 dB below its loudest moment) at both ends."""
        import numpy as np

        levels = levels_dbfs(self)
        loud = np.flatnonzero(levels > levels.max(initial=SILENCE_DB) - 35)
        return self.part(loud[0] * STEP_S, (loud[-1] + 1) * STEP_S) if len(loud) else self

    def part(self, start_s: float, end_s: float | None = None) -> "Sound":
        """A part of the sound, without tags and chapters."""
        end = None if end_s is None else max(0, round(end_s * self.sample_rate_hz))
        part = self.samples[max(0, round(start_s * self.sample_rate_hz)) : end]
        return Sound(part, self.sample_rate_hz, self.codec, self.format, {}, ())


@dataclass(frozen=True)
class Place:
    """The start and end of a piece in a sound, and its similarity: 1 is the same, 0.3 or less something else."""

    offset_s: float
    similarity: float
    end_s: float


def read_sound(submission: Submission, path: str) -> Sound:
    """A delivered sound, or the sound of a delivered film from its first picture on; silence where it has none.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it has no decodable sound, or too much of it.
    """
    return files.parse_file(submission, path, decode_sound, "sound")


def decode_sound(path: Path) -> Sound:
    """Decode the sound of a trusted file. Raises as `read_sound` does."""
    import av

    try:
        options = {"format_whitelist": _FORMATS}
        with av.open(io.BytesIO(path.read_bytes()), options=options, metadata_errors="replace") as container:
            return _read_sound(container, path.name)
    except (av.FFmpegError, ValueError, OverflowError, EOFError) as error:
        # The error's message contains a memory address, which would make the evidence differ each time.
        raise InvalidArtifact(f"{path.name} is not a readable sound ({type(error).__name__})") from error


def _read_sound(container: Any, name: str) -> Sound:
    import av
    import numpy as np

    stream = container.streams.best("audio")
    if stream is None:
        raise InvalidArtifact(f"{name} has no sound")
    if not 0 < (stream.channels or 0) <= _MAX_CHANNELS or not _RATES_HZ[0] <= (stream.rate or 0) <= _RATES_HZ[1]:
        raise InvalidArtifact(f"{name} says that it has {stream.channels} channels at {stream.rate} Hz")
    resampler = av.AudioResampler(format="fltp", layout=stream.layout, rate=stream.rate)
    blocks, count = list[Any](), 0
    for frame in timed_sound(container, stream):
        frame.pts = None
        for piece in resampler.resample(frame):
            blocks.append(piece.to_ndarray())
            count += piece.samples
        if count > MAX_SECONDS * stream.rate or count * stream.channels > MAX_VALUES:
            raise InvalidArtifact(f"{name} is longer than {MAX_SECONDS:g} s, or has over {MAX_VALUES:,} samples")
    if not count:
        raise InvalidArtifact(f"{name} holds no sound")
    samples = np.nan_to_num(np.concatenate(blocks, axis=1).T)
    tags = {
        key.lower(): value
        for key, value in {**stream.metadata, **container.metadata}.items()
        if key.lower() not in _TECHNICAL
    }
    chapters = tuple(_read_chapter(chapter) for chapter in container.chapters())
    return Sound(samples, stream.rate, stream.codec.canonical_name, container.format.name, tags, chapters)


def _read_chapter(chapter: Any) -> Chapter:
    base = float(chapter["time_base"])
    title = chapter["metadata"].get("title", "")
    return Chapter(chapter["start"] * base, chapter["end"] * base, title)


def to_decibels(amplitude: float) -> float:
    """Convert an amplitude, 1 at full scale, to dBFS, at least `SILENCE_DB`."""
    return max(SILENCE_DB, 20 * math.log10(max(amplitude, 1e-12)))


def rms_dbfs(samples: Any) -> float:
    """The root mean square of samples of any shape, in dBFS."""
    import numpy as np

    return to_decibels(math.sqrt(float(np.mean(np.square(samples, dtype=np.float64))))) if samples.size else SILENCE_DB


def loudness_lufs(sound: Sound) -> float:
    """Integrated loudness with both gates (ITU-R BS.1770-4) of one or two channels; `SILENCE_DB` for silence."""
    import numpy as np
    import scipy.signal

    step = round(_LOUDNESS_STEP_S * sound.sample_rate_hz)
    block_count = len(sound.samples) // step
    if block_count < _STEPS:
        return SILENCE_DB
    weighted = scipy.signal.sosfilt(_k_weighting(sound.sample_rate_hz), sound.samples[:, :2].astype(np.float64), axis=0)
    steps = (
        np.square(weighted[: block_count * step]).reshape(block_count, -1, weighted.shape[1]).mean(axis=1).sum(axis=1)
    )
    blocks = np.convolve(steps, np.ones(_STEPS) / _STEPS, mode="valid")
    loud = blocks[_to_lufs(blocks) > _ABSOLUTE_LUFS]
    if not len(loud):
        return SILENCE_DB
    loud_blocks = loud[_to_lufs(loud) > _to_lufs(loud.mean()) + _RELATIVE_LU]
    return float(_to_lufs(loud_blocks.mean()))


def _to_lufs(power: Any) -> Any:
    import numpy as np

    return -0.691 + 10 * np.log10(np.maximum(power, 1e-12))


def _k_weighting(rate_hz: int) -> Any:
    """The shelf and high-pass filters of BS.1770-4 at a rate, as second-order sections.

    The standard gives both for 48 kHz; they are converted to the analogue filters by the bilinear transform and back to
    digital filters at the rate.
    """
    import numpy as np

    shelf = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585))
    passes = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))
    sections = []
    for above, below in (shelf, passes):
        top, bottom = _at_rate(above, rate_hz), _at_rate(below, rate_hz)
        sections.append([*(top / bottom[0]), *(bottom / bottom[0])])
    return np.array(sections)


def _at_rate(coefficients: tuple[float, float, float], rate_hz: int) -> Any:
    """Convert a polynomial of z at 48 kHz to another rate, up to a factor that numerator and denominator share."""
    import numpy as np

    zero, first_coefficient, two = coefficients
    # With z = (1 + x) / (1 - x), x = s / (2 * rate): both rates see the same s.
    squared, linear, constant = zero - first_coefficient + two, 2 * (zero - two), zero + first_coefficient + two
    scale = rate_hz / 48_000
    squared, linear = squared * scale * scale, linear * scale
    return np.array([squared + linear + constant, 2 * (constant - squared), squared - linear + constant])


def true_peak_dbtp(sound: Sound) -> float:
    """The highest peak, including between samples, after fourfold oversampling (BS.1770-4, annex 2)."""
    import scipy.signal

    peak = 0.0
    size = 10 * sound.sample_rate_hz
    for start in range(0, len(sound.samples), size):
        # Blocks overlap, so that the resampling filter has no edges at their borders.
        block = sound.samples[max(0, start - 64) : start + size + 64]
        peak = max(peak, float(abs(scipy.signal.resample_poly(block, 4, 1, axis=0)).max(initial=0.0)))
    return to_decibels(max(peak, float(abs(sound.samples).max(initial=0.0))))


def count_clipped(sound: Sound) -> int:
    """Count clipped samples: runs of three or more equal samples at full scale."""
    import numpy as np

    level = abs(sound.samples)
    flat = (level >= 0.985) & (abs(np.diff(sound.samples, axis=0, prepend=0)) < 1e-4)
    runs = flat[2:] & flat[1:-1]
    return int(np.count_nonzero(runs))


def levels_dbfs(sound: Sound, step_s: float = STEP_S) -> Any:
    """The root mean square of each step over all channels, in dBFS, of shape (steps,)."""
    import numpy as np

    step = max(1, round(step_s * sound.sample_rate_hz))
    block_count = len(sound.samples) // step
    if not block_count:
        return np.zeros(0)
    power = np.square(sound.samples[: block_count * step], dtype=np.float64).reshape(block_count, -1).mean(axis=1)
    return 10 * np.log10(np.maximum(power, 10 ** (SILENCE_DB / 10)))


def find_silences(sound: Sound, below_dbfs: float = -50.0, at_least_s: float = 0.3) -> list[tuple[float, float]]:
    """Find the parts, in seconds, that are softer than a level."""
    import numpy as np

    quiet = np.concatenate([[False], levels_dbfs(sound) < below_dbfs, [False]]).astype(int)
    edges = np.flatnonzero(np.diff(quiet)).reshape(-1, 2) * STEP_S
    return [(float(start), float(end)) for start, end in edges if end - start >= at_least_s]


def noise_floor_dbfs(sound: Sound, share: float = 0.1) -> float:
    """The noise floor: the level that a tenth of the steps are below."""
    import numpy as np

    levels = levels_dbfs(sound, 0.05)
    return float(np.quantile(levels, share)) if len(levels) else SILENCE_DB


def find_in(sound: Sound, piece: Sound) -> Place:
    """Find the best match of a piece of speech or music at any level: cleaned, levelled, compressed, or below others.

    The similarity is the normalized correlation of both between 200 and 3,400 Hz.
    """
    import numpy as np
    import scipy.signal

    narrow_sound, narrow_piece = sound.narrow, piece.narrow
    if len(narrow_piece) > len(narrow_sound):
        narrow_sound = np.concatenate([narrow_sound, np.zeros(len(narrow_piece) - len(narrow_sound))])
    energy = np.concatenate([[0.0], np.cumsum(narrow_sound**2)])
    local = energy[len(narrow_piece) :] - energy[: len(energy) - len(narrow_piece)]
    norm = np.sqrt(np.maximum(local, energy[-1] * 1e-7) * np.sum(narrow_piece**2) + 1e-20)
    likeness = abs(scipy.signal.correlate(narrow_sound, narrow_piece, mode="valid", method="fft")) / norm
    best = int(likeness.argmax())
    return Place(best / COMPARED_HZ, float(likeness[best]), best / COMPARED_HZ + piece.duration_s)


def share_and_rest_dbfs(sound: Sound, piece: Sound, at_s: float) -> tuple[float, float]:
    """Measure the level of a known piece in a mix from a time on, and the level of everything else during it.

    Levels are in dBFS between 200 and 3,400 Hz, by least squares. Neighbouring samples are fitted, too, so that a mix
    at another sample rate does no harm.
    """
    import numpy as np

    start = max(0, round(at_s * COMPARED_HZ))
    mix = sound.narrow[start : start + len(piece.narrow)]
    if not len(mix):
        return SILENCE_DB, SILENCE_DB
    known = np.column_stack([_shift_samples(piece.narrow, move, len(mix)) for move in (-1, 0, 1)])
    part = known @ np.linalg.lstsq(known, mix, rcond=None)[0]
    return rms_dbfs(part), rms_dbfs(mix - part)


def _shift_samples(samples: Any, start: int, length: int) -> Any:
    """Shift samples to a place in silence."""
    import numpy as np

    stretch = np.zeros(length)
    part = samples[max(0, -start) : max(0, length - start)]
    stretch[max(0, start) : max(0, start) + len(part)] = part
    return stretch
