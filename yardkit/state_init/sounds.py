"""Sounds for seeded worlds: tones, gongs, music beds, noise, rooms, and how they are mixed and saved.

A sound is an array of float64 in [-1, 1] of shape (n,) or, in stereo, (n, 2). Chance comes from `rng` alone, and
the same content gives the same bytes. Sentences are those of `yardkit.state_init.speech`.
"""

import io
import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from yardkit.state_init.speech import SAMPLE_RATE_HZ, load_sentence
from yardkit.world import save_bytes

Samples = Any
_FORMATS = {
    ".wav": ("wav", "pcm_s16le", "s16"),
    ".flac": ("flac", "flac", "s16"),
    ".mp3": ("mp3", "libmp3lame", "s16p"),
}
_FRAME = 1152
_GONG_PARTS = ((1.0, 1.0), (2.01, 0.55), (2.76, 0.4), (5.4, 0.2))
"""Of a struck bar: how many times higher than the tone, and how strong."""
_SCALE = (0, 2, 4, 5, 7, 9, 11)
_PROGRESSIONS = ((0, 4, 5, 3), (0, 3, 4, 3), (5, 3, 0, 4), (0, 5, 1, 4))
"""Steps of the scale on which chords stand, four bars each."""


def load_speech(path: Path, rate_hz: int) -> Samples:
    """A recorded sentence at a sample rate."""
    import numpy as np

    return resample_sound(np.array(load_sentence(path), dtype=np.float64) / 32768, SAMPLE_RATE_HZ, rate_hz)


def resample_sound(samples: Samples, rate_hz: int, to_hz: int) -> Samples:
    """A sound at another sample rate."""
    import scipy.signal

    ratio = Fraction(to_hz, rate_hz)
    return scipy.signal.resample_poly(samples, ratio.numerator, ratio.denominator, axis=0)


def make_silence(seconds: float, rate_hz: int) -> Samples:
    """Nothing to be heard."""
    import numpy as np

    return np.zeros(round(seconds * rate_hz))


def make_tone(frequency_hz: float, seconds: float, rate_hz: int) -> Samples:
    """A sine at full level."""
    import numpy as np

    return np.sin(2 * math.pi * frequency_hz * np.arange(round(seconds * rate_hz)) / rate_hz)


def make_gong(frequency_hz: float, seconds: float, rate_hz: int) -> Samples:
    """A bar that is struck and dies away, at full level."""
    import numpy as np

    time = np.arange(round(seconds * rate_hz)) / rate_hz
    parts = [
        strength * np.sin(2 * math.pi * frequency_hz * height * time) * np.exp(-time * height * 2.2 / seconds)
        for height, strength in _GONG_PARTS
    ]
    struck = np.sum(parts, axis=0) * np.minimum(1, time / 0.004)
    return struck / abs(struck).max()


def music_bed(rng: random.Random, seconds: float, rate_hz: int, bar_s: float = 2.0) -> Samples:
    """Quiet chords with plucked notes above them, in stereo, with its peak at 0.5."""
    import numpy as np

    root_hz = 110 * 2 ** (rng.randrange(12) / 12)
    steps = rng.choice(_PROGRESSIONS)
    bed = np.zeros((round(seconds * rate_hz), 2))
    for bar in range(math.ceil(seconds / bar_s)):
        step = steps[bar % len(steps)]
        for third in (0, 2, 4):
            chord = _make_note(_compute_pitch(root_hz, step + third), 1.3 * bar_s, rate_hz, attack_s=0.3, falls=1.0)
            _add(bed, chord * 0.5, bar * bar_s, rate_hz, 0.35 + 0.15 * third / 2)
        for beat in range(4):
            pluck = _make_note(
                _compute_pitch(2 * root_hz, step + rng.choice((0, 2, 4, 7))),
                bar_s / 2,
                rate_hz,
                attack_s=0.006,
                falls=7.0,
            )
            _add(bed, pluck * 0.8, (bar + beat / 4) * bar_s, rate_hz, rng.uniform(0.2, 0.8))
    return bed / abs(bed).max() * 0.5


def _compute_pitch(root_hz: float, step: int) -> float:
    octave, note = divmod(step, len(_SCALE))
    return root_hz * 2 ** (octave + _SCALE[note] / 12)


def _make_note(frequency_hz: float, seconds: float, rate_hz: int, *, attack_s: float, falls: float) -> Samples:
    import numpy as np

    time = np.arange(round(seconds * rate_hz)) / rate_hz
    waves = sum(np.sin(2 * math.pi * frequency_hz * part * time) / part**2 for part in (1, 2, 3))
    level = np.minimum(1, time / attack_s) * np.exp(-falls * time) * np.minimum(1, (seconds - time) / 0.05)
    return waves * level


def _add(bed: Samples, sound: Samples, at_s: float, rate_hz: int, right: float) -> None:
    """Add a sound of one channel to a bed in place, so far right (0 to 1)."""
    start = round(at_s * rate_hz)
    part = sound[: max(0, len(bed) - start)]
    bed[start : start + len(part), 0] += part * (1 - right)
    bed[start : start + len(part), 1] += part * right


def white_noise(rng: random.Random, seconds: float, rate_hz: int) -> Samples:
    """Noise of all pitches, of the level 0 dBFS (root mean square 1; mix it with a gain)."""
    import numpy as np

    return np.random.default_rng(rng.getrandbits(64)).standard_normal(round(seconds * rate_hz))


def pink_noise(rng: random.Random, seconds: float, rate_hz: int) -> Samples:
    """Noise that is 3 dB softer with each octave, of the level 0 dBFS."""
    import numpy as np

    spectrum = np.fft.rfft(white_noise(rng, seconds, rate_hz))
    spectrum /= np.sqrt(np.maximum(1, np.arange(len(spectrum))))
    noise = np.fft.irfft(spectrum, round(seconds * rate_hz))
    return noise / np.sqrt(np.mean(noise**2))


def make_hum(seconds: float, rate_hz: int, mains_hz: float = 50.0) -> Samples:
    """The hum of mains and three of its overtones, of the level 0 dBFS."""
    import numpy as np

    waves = sum(make_tone(mains_hz * part, seconds, rate_hz) / part for part in (1, 2, 3, 4))
    return waves / np.sqrt(np.mean(waves**2))


def in_room(rng: random.Random, samples: Samples, rate_hz: int, decay_s: float = 0.3, level_db: float = -18) -> Samples:
    """A sound of one channel as it is heard in a room: as long as before, with its echo."""
    import numpy as np
    import scipy.signal

    echo = white_noise(rng, decay_s, rate_hz) * np.exp(-6.9 * np.arange(round(decay_s * rate_hz)) / decay_s / rate_hz)
    echo /= np.sqrt(np.sum(echo**2))
    return samples + scipy.signal.fftconvolve(samples, apply_gain(echo, level_db))[: len(samples)]


def over_phone(samples: Samples, rate_hz: int) -> Samples:
    """A sound of one channel as a telephone carries it: 300 to 3,400 Hz, in the 256 steps of the mu-law (G.711)."""
    import numpy as np
    import scipy.signal

    band = scipy.signal.butter(4, (300, 3400), "bandpass", fs=rate_hz, output="sos")
    narrow = np.clip(scipy.signal.sosfilt(band, samples), -1, 1)
    steps = np.round(np.sign(narrow) * np.log1p(255 * abs(narrow)) / np.log(256) * 127) / 127
    return np.sign(steps) * (256 ** abs(steps) - 1) / 255


def apply_gain(samples: Samples, gain_db: float) -> Samples:
    """Louder, or softer."""
    return samples * 10 ** (gain_db / 20)


def normalize_level(samples: Samples, rms_dbfs: float) -> Samples:
    """As loud as wanted, by the root mean square of what is not silent."""
    import numpy as np

    heard = samples[abs(samples) > 0.001]
    return apply_gain(samples, rms_dbfs - 10 * math.log10(float(np.mean(heard**2))))


def fade_sound(samples: Samples, rate_hz: int, in_s: float = 0.0, out_s: float = 0.0) -> Samples:
    """With a soft beginning and end."""
    import numpy as np

    level = np.ones(len(samples))
    for seconds, part in ((in_s, slice(None)), (out_s, slice(None, None, -1))):
        count = round(seconds * rate_hz)
        level[part][:count] *= np.sin(np.linspace(0, math.pi / 2, count))
    return samples * (level if samples.ndim == 1 else level[:, None])


def in_stereo(samples: Samples) -> Samples:
    """The same on both sides; a stereo sound as it is."""
    import numpy as np

    return samples if samples.ndim == 2 else np.column_stack([samples, samples])


def mix_sounds(parts: Sequence[tuple[float, Samples]], rate_hz: int) -> Samples:
    """Sounds together, each from a time in seconds on; in stereo if one of them is."""
    import numpy as np

    wide = any(sound.ndim == 2 for _, sound in parts)
    sounds = [(round(at_s * rate_hz), in_stereo(sound) if wide else sound) for at_s, sound in parts]
    total = max(start + len(sound) for start, sound in sounds)
    mix = np.zeros((total, 2) if wide else total)
    for start, sound in sounds:
        mix[start : start + len(sound)] += sound
    return mix


def join_sounds(parts: Sequence[Samples]) -> Samples:
    """Sounds one after the other, all mono or all stereo."""
    import numpy as np

    return np.concatenate(list(parts))


def join_speech(parts: Sequence[Path | float], rate_hz: int) -> tuple[Samples, list[tuple[float, float]]]:
    """Recorded sentences and pauses in seconds, one after the other; and when each sentence begins and ends."""
    sounds, times, at = [], [], 0
    for part in parts:
        sounds.append(load_speech(part, rate_hz) if isinstance(part, Path) else make_silence(part, rate_hz))
        end = at + len(sounds[-1])
        if isinstance(part, Path):
            times.append((round(at / rate_hz, 3), round(end / rate_hz, 3)))
        at = end
    return join_sounds(sounds), times


def save_sound(
    samples: Samples, path: Path, rate_hz: int, tags: Mapping[str, str] | None = None, bitrate_kbps: int = 96
) -> None:
    """Save as .wav (16 bits), .flac or .mp3, as the name ends; what is louder than 1 is clipped."""
    import av
    import numpy as np

    kind, codec, form = _FORMATS[path.suffix]
    pcm_samples = np.round(np.clip(in_stereo(samples) if samples.ndim == 2 else samples[:, None], -1, 1) * 32767)
    layout = "stereo" if pcm_samples.shape[1] == 2 else "mono"
    buffer = io.BytesIO()
    with av.open(buffer, "w", format=kind, options={"fflags": "+bitexact"}) as container:
        container.metadata.update(tags or {})
        stream = container.add_stream(codec, rate=rate_hz, layout=layout, format=form)
        stream.codec_context.options = {"flags": "+bitexact"}
        if codec == "libmp3lame":
            stream.bit_rate = bitrate_kbps * 1000
        for start in range(0, len(pcm_samples), _FRAME):
            block = pcm_samples[start : start + _FRAME].astype(np.int16)
            planes = block.T if form == "s16p" else block.reshape(1, -1)
            frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(planes), format=form, layout=layout)
            frame.sample_rate, frame.pts = rate_hz, start
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    save_bytes(path, buffer.getvalue())
