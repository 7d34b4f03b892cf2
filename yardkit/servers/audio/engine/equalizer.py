"""Some pitches made louder and others softer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from yardkit.kit.sound_streams import Filter
from yardkit.world import Problem

BandKind = Literal["peak", "low_shelf", "high_shelf", "low_cut", "high_cut"]


@dataclass(frozen=True)
class Band:
    """A band of an equalizer.

    Attributes:
        kind: a peak around a frequency; a shelf of all below or above it; a cut of all below (low_cut) or above it.
        frequency_hz: of it.
        gain_db: louder, or softer where negative; a cut has none.
        width_octaves: of a peak.
    """

    kind: BandKind
    frequency_hz: float
    gain_db: float = 0.0
    width_octaves: float = 1.0


def equalizer_filters(bands: Sequence[Band]) -> list[Filter]:
    """The filters of FFmpeg that do it.

    Raises:
        Problem: a number is out of range.
    """
    return [_make_filter(number, band) for number, band in enumerate(bands, start=1)]


def _make_filter(number: int, band: Band) -> Filter:
    if not (10 <= band.frequency_hz <= 24_000 and -40 <= band.gain_db <= 40 and 0.05 <= band.width_octaves <= 10):
        raise Problem(
            f"band {number} is out of range: use frequency_hz 10 to 24000, gain_db -40 to 40, width_octaves 0.05 to 10"
        )
    at, gain, width = f"{band.frequency_hz:.3f}", f"{band.gain_db:.3f}", f"{band.width_octaves:.3f}"
    return {
        "peak": ("equalizer", f"f={at}:t=o:w={width}:g={gain}"),
        "low_shelf": ("bass", f"f={at}:t=o:w=1:g={gain}"),
        "high_shelf": ("treble", f"f={at}:t=o:w=1:g={gain}"),
        "low_cut": ("highpass", f"f={at}:p=2"),
        "high_cut": ("lowpass", f"f={at}:p=2"),
    }[band.kind]
