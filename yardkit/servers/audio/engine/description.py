"""What can be measured of how a sound sounds: level, brightness, tempo, key, pitch. No names of what is heard."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.sound_streams import form_of, read_blocks
from yardkit.kit.sounds import read_sound
from yardkit.programs.bounded import run_bounded
from yardkit.servers.audio.engine.changes import LIMIT_BYTES, LIMIT_S
from yardkit.servers.audio.engine.levels import Levels, measure_levels
from yardkit.servers.audio.engine.spectra import HOP, WINDOW, mel_cepstra, pitch_classes, power_spectra
from yardkit.world import Problem

PRELOAD = ("numpy", "av", "scipy.signal", "scipy.fft")
"""What the process that works on sounds keeps loaded."""
RATE_HZ = 22_050
MAX_S = 300.0
_ROLLOFF = 0.85
_NOTES = ("C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B")
_MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
_MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)
"""How well each tone fits a key (Krumhansl and Kessler 1982)."""
_MIN_TONES, _HEARD_SHARE = 3, 0.06
"""How many tones must each have this share of the sound for a key to be named."""
_SLOWEST, _FASTEST = 40.0, 240.0
_LOW_HZ, _HIGH_HZ = 60.0, 1000.0
_VOICED = 0.35


@dataclass(frozen=True)
class Spread:
    """The mean and the variance of a measure over windows of 93 ms."""

    mean: float
    var: float


@dataclass(frozen=True)
class SoundDescription:
    """Measures of a sound at 22,050 Hz in mono, of its first five minutes.

    Attributes:
        levels: of all of it, as it is.
        spectral_centroid_hz: where the middle of its spectrum lies: how bright it is.
        spectral_rolloff_hz: below which 85 % of the spectrum lie.
        zero_crossing_rate: the share of samples at which the sign changes.
        mfcc: 13 mel-frequency cepstral coefficients.
        tempo_bpm: beats a minute of a steady pulse; null where there is none.
        key: the likeliest key; null where no key stands out.
        pitch_hz: the median pitch of what has one, 60 to 1000 Hz; null where little has.
        measured_s: of the sound.
    """

    levels: Levels
    spectral_centroid_hz: Spread
    spectral_rolloff_hz: Spread
    zero_crossing_rate: Spread
    mfcc: tuple[Spread, ...]
    tempo_bpm: float | None
    key: str | None
    pitch_hz: float | None
    measured_s: float

    def __str__(self) -> str:
        tempo = "no steady pulse" if self.tempo_bpm is None else f"about {self.tempo_bpm:.0f} beats a minute"
        key = "no clear key" if self.key is None else f"probably {self.key}"
        pitch = "no clear pitch" if self.pitch_hz is None else f"median pitch {self.pitch_hz:.0f} Hz"
        shape = (
            f"centroid {self.spectral_centroid_hz.mean:.0f} Hz, roll-off {self.spectral_rolloff_hz.mean:.0f} Hz, "
            f"zero crossings {self.zero_crossing_rate.mean:.3f} a sample"
        )
        return f"{self.levels}\n{shape}\n{tempo}, {key}, {pitch}; measured of {self.measured_s:.1f} s"


def describe_sound(path: Path) -> SoundDescription:
    """Measures of a sound.

    Raises:
        Problem: it cannot be read, or is shorter than 0.1 s.
    """
    sound = read_sound(path, RATE_HZ, 0.0, MAX_S)
    if sound.seconds < 0.1:
        raise Problem(f"{path.name!r} has only {sound.seconds:.3f} s, too short to describe")
    return run_bounded(
        _measure_samples, path, sound.samples, sound.seconds, seconds=LIMIT_S, memory_bytes=LIMIT_BYTES, stays=True
    )


def _measure_samples(path: Path, samples: Any, seconds: float) -> SoundDescription:
    import numpy as np

    form = form_of(path)
    levels = measure_levels(read_blocks(path, form), form)
    power = power_spectra(samples)
    magnitude = np.sqrt(power)
    bins = np.fft.rfftfreq(WINDOW, 1 / RATE_HZ)
    total = np.maximum(magnitude.sum(axis=0), 1e-12)
    rolled = np.cumsum(magnitude, axis=0) >= _ROLLOFF * total
    return SoundDescription(
        levels,
        _measure_spread((bins[:, None] * magnitude).sum(axis=0) / total),
        _measure_spread(bins[np.argmax(rolled, axis=0)]),
        _measure_spread(_measure_crossings(samples)),
        tuple(_measure_spread(row) for row in mel_cepstra(power, RATE_HZ)),
        _estimate_tempo(power),
        _estimate_key(samples),
        _estimate_pitch(samples),
        seconds,
    )


def _measure_spread(values: Any) -> Spread:
    return Spread(float(values.mean()), float(values.var()))


def _measure_crossings(samples: Any) -> Any:
    import numpy as np

    padded = np.pad(samples, WINDOW // 2, mode="edge")
    changes = np.concatenate([[0], np.diff(np.signbit(padded)) != 0])
    frames = np.lib.stride_tricks.sliding_window_view(changes, WINDOW)[::HOP]
    return frames.mean(axis=1)


def _estimate_tempo(power: Any) -> float | None:
    """The period at which onsets come again, by autocorrelation, nearer 120 beats a minute where two fit alike."""
    import numpy as np

    level = np.log10(np.maximum(power, 1e-8))
    onsets = np.maximum(0, np.diff(level, axis=1)).mean(axis=0)
    if len(onsets) < 4 * 86:
        return None
    onsets = onsets - np.convolve(onsets, np.ones(86) / 86, mode="same")
    if not onsets.any():
        return None
    like = np.correlate(onsets, onsets, mode="full")[len(onsets) - 1 :]
    like = like / max(float(like[0]), 1e-12)
    rate = RATE_HZ / HOP * 60
    lags = np.arange(max(2, int(rate / _FASTEST)), min(len(like) - 2, int(rate / _SLOWEST)))
    preference = np.exp(-0.5 * (np.log2(rate / lags / 120) / 0.9) ** 2)
    best = int(lags[np.argmax(like[lags] * preference)])
    if like[best] < 0.12:
        return None
    before, at, after = like[best - 1], like[best], like[best + 1]
    bend = before - 2 * at + after
    exact = best + (0.5 * (before - after) / bend if bend else 0.0)
    return float(rate / exact)


def _estimate_key(samples: Any) -> str | None:
    """The key whose profile is likest to the pitch classes, if it stands out (Krumhansl and Schmuckler).

    One or two tones fit many keys.
    """
    import numpy as np

    shares = pitch_classes(samples, RATE_HZ)
    if shares.std() < 0.015 or int((shares > _HEARD_SHARE).sum()) < _MIN_TONES:
        return None
    likeness = {
        f"{_NOTES[tonic]} {name}": float(np.corrcoef(np.roll(profile, tonic), shares)[0, 1])
        for name, profile in (("major", _MAJOR), ("minor", _MINOR))
        for tonic in range(12)
    }
    best = max(likeness, key=lambda key: likeness[key])
    return best if likeness[best] > 0.6 else None


def _estimate_pitch(samples: Any) -> float | None:
    """The median pitch of windows whose autocorrelation has a clear peak."""
    import numpy as np

    size, hop = 2048, 1024
    if len(samples) < size:
        return None
    frames = np.lib.stride_tricks.sliding_window_view(samples, size)[::hop]
    loud = np.square(frames).mean(axis=1)
    frames = frames[loud > max(1e-6, float(loud.max()) * 0.01)][:2000]
    spectra = np.abs(np.fft.rfft(frames - frames.mean(axis=1, keepdims=True), 2 * size, axis=1)) ** 2
    like = np.fft.irfft(spectra, axis=1)[:, :size]
    like /= np.maximum(like[:, :1], 1e-12)
    like /= (1 - np.arange(size) / size).clip(0.1)
    shortest, longest = int(RATE_HZ / _HIGH_HZ), int(RATE_HZ / _LOW_HZ)
    pitches = [pitch for row in like if (pitch := _find_period(row[: longest + 2], shortest)) is not None]
    return float(np.median(pitches)) if len(pitches) >= max(3, 0.1 * len(like)) else None


def _find_period(like: Any, shortest: int) -> float | None:
    """The pitch of one window: the first peak that is nearly as high as the highest, so that no octave is lost."""
    import numpy as np

    inner = like[shortest:-1]
    peaks = np.flatnonzero((inner > like[shortest - 1 : -2]) & (inner >= like[shortest + 1 :])) + shortest
    if not len(peaks) or like[peaks].max() < _VOICED:
        return None
    lag = int(peaks[np.argmax(like[peaks] > 0.9 * like[peaks].max())])
    before, at, after = like[lag - 1], like[lag], like[lag + 1]
    bend = before - 2 * at + after
    return float(RATE_HZ / (lag + (0.5 * (before - after) / bend if bend else 0.0)))


def gta_facts(description: SoundDescription) -> dict[str, Any]:
    """The measures under the names of GTA's SoundCharacteristicExtraction."""
    return {
        "mfcc": {
            "mean": [spread.mean for spread in description.mfcc],
            "var": [spread.var for spread in description.mfcc],
        },
        "spectral_centroid": {
            "mean": description.spectral_centroid_hz.mean,
            "var": description.spectral_centroid_hz.var,
        },
        "spectral_rolloff": {"mean": description.spectral_rolloff_hz.mean, "var": description.spectral_rolloff_hz.var},
        "zero_crossing_rate": {"mean": description.zero_crossing_rate.mean, "var": description.zero_crossing_rate.var},
    }
