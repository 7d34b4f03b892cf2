"""Chords of a sound, guessed from how strong each pitch class is in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.sounds import read_sound
from yardkit.programs.bounded import run_bounded
from yardkit.servers.music.engine.chords import name_chord
from yardkit.servers.music.engine.description import DetectedChord, DetectedChords
from yardkit.world import Problem

PRELOAD = ("numpy",)
MAX_S = 600.0
_RATE_HZ, _WINDOW, _HOP = 11_025, 8192, 2048
_SHORTEST_S = 0.4
_LOWEST_HZ, _HIGHEST_HZ = 100.0, 2000.0
_SECONDS, _MEMORY_BYTES = 120.0, 1_500_000_000
_WEAK, _FIFTH_HARMONIC = 0.1, 0.4
"""What is weaker than this share of the strongest does not count; and how strong the fifth harmonic of a tone is taken
to be, which sounds as its major third and would make minor chords major."""


@dataclass(frozen=True)
class _Chroma:
    start_s: float
    weights: dict[int, float]


def guess_chords(path: Path, every_s: float, offset: int, limit: int) -> DetectedChords:
    """A major or minor chord for each stretch of a sound, of its first ten minutes.

    Raises:
        Problem: it is not a sound, or is too short.
    """
    sound = read_sound(path, _RATE_HZ, 0.0, MAX_S)
    length_s = len(sound.samples) / _RATE_HZ
    if length_s < _SHORTEST_S:
        raise Problem(
            f"{path.name!r} lasts {length_s:.2f} s; chords are recognized in sounds of at least {_SHORTEST_S} s"
        )
    chromas: list[_Chroma] = run_bounded(
        _compute_chromas, sound.samples, every_s, seconds=_SECONDS, memory_bytes=_MEMORY_BYTES, stays=True
    )
    chords = []
    for chroma in chromas[offset : offset + limit]:
        name, share = name_chord(chroma.weights, is_simple=True)
        chords.append(DetectedChord(None, round(chroma.start_s, 3), name, share))
    following = offset + len(chords)
    return DetectedChords("an estimate from the audio", chords, following if following < len(chromas) else None)


def _compute_chromas(samples: Any, every_s: float) -> list[_Chroma]:
    """Strength of pitch classes in each stretch: peaks of the spectrum, each counted for its nearest pitch."""
    import numpy as np

    padded = np.pad(samples, (0, _WINDOW))
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::_HOP]
    frequencies = np.fft.rfftfreq(_WINDOW, 1 / _RATE_HZ)
    inside = np.flatnonzero((frequencies > _LOWEST_HZ) & (frequencies < _HIGHEST_HZ))
    classes = np.round(12 * np.log2(frequencies[inside] / 440.0) + 69).astype(int) % 12
    window = np.hanning(_WINDOW)
    spectra_by_stretch: dict[int, Any] = {}
    for index, frame in enumerate(frames):
        if index * _HOP >= len(samples):
            break
        spectrum = np.abs(np.fft.rfft(frame * window))
        middle = spectrum[inside]
        peaks = (middle > spectrum[inside - 1]) & (middle >= spectrum[inside + 1])
        strength = np.sqrt(np.bincount(classes[peaks], middle[peaks] ** 2, 12))
        place = int((index * _HOP + _WINDOW / 2) / _RATE_HZ / every_s)
        spectra_by_stretch[place] = spectra_by_stretch.get(place, 0) + strength
    chromas = []
    for place, raw in sorted(spectra_by_stretch.items()):
        strength = np.maximum(0.0, raw - _FIFTH_HARMONIC * np.roll(raw, 4))
        top = float(strength.max())
        strong_pitches = {
            index: float(value) for index, value in enumerate(strength) if top > 1e-3 and value > _WEAK * top
        }
        if place * every_s < len(samples) / _RATE_HZ:
            chromas.append(_Chroma(place * every_s, strong_pitches))
    return chromas
