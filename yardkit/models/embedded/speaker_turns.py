"""Speaker diarization: windows of speech, grouped by the similarity of their voices."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yardkit.models.embedded.speaker_vectors import RATE_HZ, piece_vectors, voice_vector
from yardkit.models.embedded.whisper_speech import speech_spans

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRELOAD = ("numpy", "onnxruntime", "faster_whisper")
"""What the process that runs it keeps loaded."""
_WINDOW_S, _HOP_S = 1.6, 0.8
_LEAST_LIKENESS = 0.66
"""Groups that are less alike, on average, are of two speakers."""
_LEAST_SHARE, _LEAST_WINDOWS = 0.04, 3
"""Smaller groups are no speakers, but windows with noise or two voices; each goes to the group it is most like."""


@dataclass(frozen=True)
class SpokenVoice:
    """A voice in a sound: its vector, its seconds of speech, and whether it has nothing above 4 kHz."""

    vector: "NDArray[np.float32]"
    seconds: float
    narrow: bool


@dataclass(frozen=True)
class SpeakerTurn:
    """A part of speech by one speaker, numbered from 1 in the order of their first words."""

    start_s: float
    end_s: float
    speaker: int


def spoken_voice(model: Path, samples: "NDArray[np.float32]") -> SpokenVoice | None:
    """Find the voice in a sound with one speaker; None without speech. Call it in `run_in_process`."""
    import numpy as np

    spans = speech_spans(samples)
    if not spans:
        return None
    speech = np.concatenate([samples[round(start * RATE_HZ) : round(end * RATE_HZ)] for start, end in spans])
    return SpokenVoice(voice_vector(model, speech), len(speech) / RATE_HZ, _is_narrow(speech))


def speaker_turns(model: Path, samples: "NDArray[np.float32]", speakers: int | None) -> list[SpeakerTurn]:
    """Find the turns of speakers. Call it in `run_in_process`.

    Args:
        model: the file of `speaker_vectors.MODEL`.
        samples: the samples at `RATE_HZ`.
        speakers: their number; None to estimate it.
    """
    spans = [span for span in speech_spans(samples) if span[1] > span[0]]
    if not spans:
        return []
    windows = [window for span in spans for window in _list_windows(span)]
    vectors = piece_vectors(model, [samples[round(start * RATE_HZ) : round(end * RATE_HZ)] for start, end in windows])
    return _list_turns(windows, _group_vectors(vectors, speakers), spans)


def _list_windows(span: tuple[float, float]) -> list[tuple[float, float]]:
    start, end = span
    count = max(1, round((end - start - _WINDOW_S) / _HOP_S) + 1)
    return [(at, min(end, at + _WINDOW_S)) for at in (start + number * _HOP_S for number in range(count))]


def _group_vectors(vectors: "NDArray[np.float32]", speakers: int | None) -> list[int]:
    """Cluster the windows by average linkage; return the number of each window's group."""
    import numpy as np

    groups = [[number] for number in range(len(vectors))]
    likeness = vectors @ vectors.T
    means = likeness.copy()
    np.fill_diagonal(means, -1)
    while len(groups) > (speakers or 1):
        first, other = sorted(divmod(int(means.argmax()), len(groups)))
        if speakers is None and means[first, other] < _LEAST_LIKENESS:
            break
        sizes = len(groups[first]), len(groups[other])
        merged = (means[first] * sizes[0] + means[other] * sizes[1]) / sum(sizes)
        groups[first] += groups.pop(other)
        means[first] = means[:, first] = merged
        means[first, first] = -1
        means = np.delete(np.delete(means, other, 0), other, 1)
    if speakers is None:
        groups = _without_small(groups, likeness)
    return [next(number for number, group in enumerate(groups) if window in group) for window in range(len(vectors))]


def _without_small(groups: list[list[int]], likeness: "NDArray[Any]") -> list[list[int]]:
    total = sum(map(len, groups))
    large = [group for group in groups if len(group) >= max(_LEAST_WINDOWS, _LEAST_SHARE * total)]
    if not large:
        return [[window for group in groups for window in group]]
    for window in (window for group in groups if group not in large for window in group):
        max(large, key=lambda group: likeness[window, group].mean()).append(window)
    return large


def _list_turns(
    windows: Sequence[tuple[float, float]], groups: Sequence[int], spans: Sequence[tuple[float, float]]
) -> list[SpeakerTurn]:
    """List the parts of each group; a change of groups is placed in the middle between windows."""
    order = list(dict.fromkeys(groups))
    turns: list[SpeakerTurn] = []
    for start, end in spans:
        inside = [place for place, window in enumerate(windows) if start <= window[0] < end]
        for place in inside:
            speaker = order.index(groups[place]) + 1
            begins = start if place == inside[0] else (windows[place][0] + windows[place - 1][1]) / 2
            ends = end if place == inside[-1] else (windows[place][1] + windows[place + 1][0]) / 2
            last = turns[-1] if turns else None
            if last and last.speaker == speaker:
                turns[-1] = SpeakerTurn(last.start_s, round(ends, 2), speaker)
            else:
                turns.append(SpeakerTurn(round(begins, 2), round(ends, 2), speaker))
    return turns


def _is_narrow(samples: "NDArray[np.float32]") -> bool:
    """Whether there is almost nothing above 4 kHz, as on a telephone, where voices are more similar."""
    import numpy as np

    power = np.abs(np.fft.rfft(samples[: 30 * RATE_HZ])) ** 2
    # From 4.25 of 8 kHz on: a margin for filters that end at 4 kHz.
    upper = power[len(power) * 17 // 32 :].sum()
    return bool(upper < 1e-4 * power.sum())
