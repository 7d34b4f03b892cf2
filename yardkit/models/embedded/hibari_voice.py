"""English speech by the voice `heart` of hibari, a small model distilled from Kokoro-82M.

The network predicts the components of a spectrum for each 12.5 ms, from which the sound is computed:
``exp(lh) e^(i pi tanh(theta)) STFT(pulses(f0)) + exp(ln) noise + exp(lr) e^(i phi)``, of 1200 points each 300.
"""

import gzip
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.running import infer_outputs
from yardkit.models.embedded.spoken_english.pronunciation import Pronouncer
from yardkit.models.embedded.spoken_english.sentences import English
from yardkit.models.embedded.spoken_english.spoken_text import reading_rules
from yardkit.world import Problem

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "hibari"
RATE_HZ = 24_000
PRELOAD = ("numpy", "onnxruntime")
"""What the process that runs it keeps loaded."""
_POINTS, _STEP = 1200, 300
_VOICED_HZ, _HIGHEST_HZ = 40.0, 11_000.0
"""Below this pitch a frame has no voice; harmonics above that are left out."""
_LOUDEST = 7.0
_LONGEST_WORD = 24


def speak_english(folder: Path, text: str, rate: float, seed: int) -> "NDArray[np.float32]":
    """Synthesize speech in one channel at `RATE_HZ`. Call it in `run_in_process`.

    Args:
        folder: the folder of `MODEL`.
        text: the English text.
        rate: the speed; 1 is normal.
        seed: the seed of the noise that is part of each voice.

    Raises:
        Problem: the text has words that an English voice cannot read.
    """
    import numpy as np

    if unread := load_english(folder).unread(text):
        raise Problem(f"the English voice cannot read {', '.join(unread[:5])}; give another language, or Latin letters")

    chance = np.random.default_rng(seed)
    parts = [_speak_sentence(folder, sounds, rate, chance) for sounds in load_english(folder).phonemes(text)]
    return np.concatenate(parts) if parts else np.zeros(0, np.float32)


@cache
def load_english(folder: Path) -> English:
    """Load the reader of English from the package's data."""
    table = _read_data(folder, "normalize.json")
    pronouncer = Pronouncer(
        _read_data(folder, "lexicon_us_gold.json.gz"),
        _read_data(folder, "lexicon_us_silver.json.gz"),
        lambda word: _guess_phonemes(folder, word),
    )
    return English(reading_rules(table), frozenset(table["titles"]), _read_data(folder, "tagger.json.gz"), pronouncer)


@cache
def _read_data(folder: Path, name: str) -> Any:
    data = (folder / name).read_bytes()
    return json.loads(gzip.decompress(data) if name.endswith(".gz") else data)


def _guess_phonemes(folder: Path, word: str) -> str:
    """Guess the phonemes of an unknown word; the network gives one or none per step, repeated while it lasts."""
    import numpy as np

    letters = {letter: number for number, letter in enumerate(_read_data(folder, "oov.json")["in"], start=1)}
    sounds = ["", *_read_data(folder, "oov.json")["out"]]
    ids = [letters[letter] for letter in word if letter in letters][:_LONGEST_WORD]
    if not ids:
        return ""
    steps = infer_outputs(folder / "oov.onnx", {"chars": np.array([ids], np.int64)})[0][0].tolist()
    return "".join(sounds[step] for step, before in zip(steps, [0, *steps], strict=False) if step != before)


def _speak_sentence(folder: Path, sounds: str, rate: float, chance: "np.random.Generator") -> "NDArray[np.float32]":
    import numpy as np

    numbers = _read_data(folder, "vocab.json")
    ids = [0, *(numbers[sound] for sound in sounds if sound in numbers), 0]
    inputs: dict[str, NDArray[Any]] = {"ids": np.array([ids], np.int64), "speed": np.array([rate], np.float32)}
    return _synthesize_sound([output[0] for output in infer_outputs(folder / "hibari.onnx", inputs)], chance)


def _synthesize_sound(
    network_outputs: "Sequence[NDArray[Any]]", chance: "np.random.Generator"
) -> "NDArray[np.float32]":
    """Make a waveform of the network's lh, theta, ln, lr, phi (601 frequencies, frames) and the pitch in Hz."""
    import numpy as np

    harmonic, theta, noise, rest, phi, pitch = network_outputs

    def loud(logarithm: "NDArray[Any]") -> "NDArray[Any]":
        return np.asarray(np.exp(np.minimum(logarithm, _LOUDEST)))

    frames = harmonic.shape[1]
    turn = np.exp(1j * np.pi * np.tanh(theta))
    drawn = chance.standard_normal((harmonic.shape[0], 2 * frames), np.float32).view(np.complex64)
    spectrum = _compute_spectrum(_make_pulses(pitch), frames) * turn * loud(harmonic)
    spectrum += drawn * loud(noise) + loud(rest) * np.exp(1j * phi)
    return _compute_wave(spectrum)


def _make_window() -> "NDArray[Any]":
    import numpy as np

    return np.asarray(0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_POINTS) / _POINTS))


def _make_pulses(pitch: "NDArray[Any]") -> "NDArray[Any]":
    """Make a band-limited pulse for each period of the voice: the sum of all harmonics."""
    import numpy as np

    frames = np.arange(len(pitch))
    places = (np.arange(len(pitch) * _STEP) + 0.5) / _STEP - 0.5
    hertz = np.interp(places, frames, pitch)
    voiced = hertz > _VOICED_HZ
    hertz = np.maximum(hertz, _VOICED_HZ)
    phase = 2 * np.pi * np.modf(np.cumsum(hertz) / RATE_HZ)[0]
    count = np.floor(_HIGHEST_HZ / hertz) + 0.5
    below = 2 * np.sin(phase / 2)
    near = np.abs(below) <= 2e-3  # where numerator and denominator are nearly 0
    summed = np.where(near, count, np.sin(count * phase) / np.where(near, 1, below)) - 0.5
    return np.asarray(np.where(voiced, summed, 0))


def _compute_spectrum(samples: "NDArray[Any]", frames: int) -> "NDArray[Any]":
    """Compute the spectrum (601 frequencies, frames), scaled so that a cosine of amplitude 1 peaks at 1."""
    import numpy as np

    padded = np.pad(samples, _POINTS // 2, mode="reflect")
    cut = np.lib.stride_tricks.sliding_window_view(padded, _POINTS)[::_STEP][:frames]
    return np.fft.rfft(cut * (_make_window() / (_POINTS / 4)), axis=1).T


def _compute_wave(spectrum: "NDArray[Any]") -> "NDArray[np.float32]":
    """Compute the waveform by overlap-add of windowed frames."""
    import numpy as np

    frames, window = spectrum.shape[1], _make_window()
    parts = np.fft.irfft(spectrum.T, _POINTS, axis=1) * window
    size = (frames - 1) * _STEP + _POINTS
    total, weight = np.zeros(size), np.zeros(size)
    for number, part in enumerate(parts):
        total[number * _STEP : number * _STEP + _POINTS] += part
        weight[number * _STEP : number * _STEP + _POINTS] += window**2
    half = _POINTS // 2
    waveform = (total / np.maximum(weight, 1e-11))[half : half + frames * _STEP]
    return waveform.astype(np.float32)
