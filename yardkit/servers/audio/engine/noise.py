"""Noise taken out of a sound by a Wiener filter.

Its estimate of the signal follows decisions (Ephraim 1984); its estimate of the noise follows the chance that nothing
else is heard (Gerkmann 2012), from the past and from the future.

Speech is cleaned better by a model (server speech); this one needs none, keeps music and 44.1 kHz, and is 100 times
faster than the sound.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.media_labels import read_labels
from yardkit.kit.sound_streams import Blocks, Form, form_of, read_blocks
from yardkit.kit.sounds import Faults
from yardkit.servers.audio.engine.changes import BITRATE_KBPS, ChangedSound, write_in_process
from yardkit.servers.audio.engine.hum import find_hum, without_hum
from yardkit.servers.audio.engine.labels import write_labelled
from yardkit.servers.audio.engine.levels import to_decibels
from yardkit.world import Problem

PRELOAD = ("numpy", "av")
"""What the process that works on sounds keeps loaded."""
_WINDOW_S, _OVERLAP = 0.064, 4
_FOLLOW = 0.93
_QUIET_SHARE = 0.1
_NOISE_STAYS = 0.87
_SIGNAL_RATIO = 10**1.5
_MOST_CHANGE = 32.0
_BLOCK_FRAMES, _AHEAD_FRAMES = 512, 128
_SILENT = 1e-9


@dataclass(frozen=True)
class NoiseSpan:
    """A stretch that holds nothing but noise.

    Attributes:
        start_s, end_s: of it.
    """

    start_s: float
    end_s: float


def reduce_noise(
    path: Path,
    target: Path,
    noise_start_s: float | None,
    noise_end_s: float | None,
    strength: float,
    *,
    steady: bool,
) -> ChangedSound:
    """Write a sound with less noise.

    Args:
        path: of the sound.
        target: where the result goes.
        noise_start_s: where a stretch begins that holds nothing but noise; by default the quietest tenth of all is it.
        noise_end_s: where it ends.
        strength: how far the noise is pushed down, in (0, 1].
        steady: whether the noise is as loud all the time; else it is followed.

    Raises:
        Problem: the stretch is shorter than 0.1 s, or only one of its ends is given.
    """
    if (noise_start_s is None) != (noise_end_s is None):
        raise Problem("give both noise_start_s and noise_end_s, or neither")
    span = None
    if noise_start_s is not None and noise_end_s is not None:
        span = NoiseSpan(noise_start_s, noise_end_s)
        if span.end_s - span.start_s < 0.1:
            raise Problem(f"{span.start_s:g} to {span.end_s:g} s is too short; give at least 0.1 s of pure noise")
    return write_in_process(_clean_draft, target, [path], path, span, strength, steady)


def _clean_draft(
    draft: Path, suffix: str, path: Path, span: NoiseSpan | None, strength: float, steady: bool
) -> tuple[float, Form, str]:
    form, hum = form_of(path), find_hum(path)

    def sound(faults: Faults | None = None) -> Blocks:
        blocks = read_blocks(path, form, faults=faults)
        return without_hum(blocks, form, hum) if hum else blocks

    noise = _noise_power(sound, form, span, path.name)
    faults = Faults()
    blocks = without_noise(sound(faults), form, noise, strength, steady=steady)
    seconds, _, remark = write_labelled(blocks, form, draft, suffix, BITRATE_KBPS, read_labels(path), faults)
    where = "its quietest tenth" if span is None else f"{span.start_s:g} to {span.end_s:g} s"
    noise_note = f"The noise was taken from {where}, at about {_compute_level(noise, form):.0f} dBFS."
    return seconds, form, "\n".join([noise_note, *([str(hum)] if hum else []), *([remark] if remark else [])])


def _compute_level(noise: Any, form: Form) -> float:
    """The level of noise of a power by bins: the power of a frame is that of its samples times those of the window."""
    window = _make_window(form)
    power = 2 * noise.sum(axis=2).mean() / (len(window) * float((window**2).sum()))
    return to_decibels(float(power) ** 0.5)


def _make_window(form: Form) -> Any:
    import numpy as np

    size = 64 * max(1, round(_WINDOW_S * form.rate_hz / 64))
    return np.hanning(size + 1)[:-1].astype(np.float32)


def _iter_spectra(blocks: Blocks, form: Form) -> Blocks:
    """Spectra of overlapping windows, (channels, frames, bins), some hundred at a time; the ends are padded."""
    import numpy as np

    window = _make_window(form)
    size = len(window)
    hop = size // _OVERLAP
    pending_samples = np.zeros((form.channels, size - hop), np.float32)

    def cut(samples: Any) -> Any:
        frames = np.lib.stride_tricks.sliding_window_view(samples, size, axis=1)[:, ::hop]
        return np.fft.rfft(frames * window, axis=2)

    for block in blocks:
        pending_samples = np.concatenate([pending_samples, block], axis=1)
        if pending_samples.shape[1] >= _BLOCK_FRAMES * hop + size:
            frame_count = (pending_samples.shape[1] - size) // hop + 1
            yield cut(pending_samples[:, : (frame_count - 1) * hop + size])
            pending_samples = pending_samples[:, frame_count * hop :]
    yield cut(
        np.concatenate(
            [pending_samples, np.zeros((form.channels, size - pending_samples.shape[1] % hop), np.float32)], axis=1
        )
    )


def _compute_power(spectra: Any) -> Any:
    import numpy as np

    return np.square(spectra.real) + np.square(spectra.imag)


def _noise_power(sound: Callable[[], Blocks], form: Form, span: NoiseSpan | None, name: str) -> Any:
    """The mean power of noise by channel and bin, (channels, 1, bins): of a span, or of the quietest frames."""
    import numpy as np

    loudness = np.concatenate([_compute_power(spectra).sum(axis=(0, 2)) for spectra in _iter_spectra(sound(), form)])
    if span is None:
        heard = np.flatnonzero(loudness > _SILENT)
        count = max(8, round(_QUIET_SHARE * len(heard)))
        chosen = heard[np.argsort(loudness[heard])[:count]]
    else:
        hop_s = len(_make_window(form)) / _OVERLAP / form.rate_hz
        first, last = round(span.start_s / hop_s) + _OVERLAP - 1, round(span.end_s / hop_s)
        chosen = np.arange(first, max(last, first + 1))
        chosen = chosen[chosen < len(loudness)]
    if not len(chosen):
        raise Problem(f"{name!r} is silent" if span is None else f"{name!r} ends before {span.start_s:g} s")
    noise_frames = np.zeros(len(loudness), bool)
    noise_frames[chosen] = True
    total, at = 0.0, 0
    for spectra in _iter_spectra(sound(), form):
        total = total + _compute_power(spectra[:, noise_frames[at : at + spectra.shape[1]]]).sum(axis=1, keepdims=True)
        at += spectra.shape[1]
    return total / len(chosen) + _SILENT / 1000


def without_noise(blocks: Blocks, form: Form, noise: Any, strength: float, *, steady: bool) -> Blocks:
    """A stream without noise.

    Args:
        blocks: the stream.
        form: of it.
        noise: its power, (channels, 1, bins).
        strength: how far it is pushed down.
        steady: whether it stays as it is.
    """
    import numpy as np

    window = _make_window(form)
    hop = len(window) // _OVERLAP
    floor = (1 - strength) ** 2 + 0.05 * strength
    counted = _Counted(blocks)
    before, overlap = np.zeros((form.channels, noise.shape[2])), np.zeros((form.channels, len(window) - hop))
    skipped, given = len(window) - hop, 0
    for spectra, along in _noise_along(_iter_spectra(counted.count_blocks(), form), noise, steady=steady):
        gains, before = _compute_gains(_compute_power(spectra) / along, before, floor)
        frames = np.fft.irfft(spectra * gains, len(window), axis=2) * (window / 1.5)
        cleaned_samples = _overlap_frames(frames, overlap, hop)
        ready, overlap = cleaned_samples[:, : frames.shape[1] * hop], cleaned_samples[:, frames.shape[1] * hop :]
        ready, skipped = ready[:, skipped:], max(0, skipped - ready.shape[1])
        ready = ready[:, : max(0, counted.samples - given)]
        given += ready.shape[1]
        yield ready.astype(np.float32)


class _Counted:
    """A stream, and how many samples of it were taken."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self.samples = 0

    def count_blocks(self) -> Blocks:
        for block in self._blocks:
            self.samples += block.shape[1]
            yield block


def _overlap_frames(frames: Any, overlap: Any, hop: int) -> Any:
    """Frames (channels, count, size) added up at their places, on what was left of those before."""
    import numpy as np

    channels, count, _ = frames.shape
    summed_samples = np.zeros((channels, (count + _OVERLAP - 1) * hop))
    summed_samples[:, : overlap.shape[1]] += overlap
    for part in range(_OVERLAP):
        pieces = frames[:, :, part * hop : (part + 1) * hop].reshape(channels, -1)
        summed_samples[:, part * hop : part * hop + pieces.shape[1]] += pieces
    return summed_samples


def _compute_gains(ratios: Any, before: Any, floor: float) -> tuple[Any, Any]:
    """What each bin is multiplied by, from its power over that of the noise; and what the next frame goes on from."""
    import numpy as np

    gains = np.empty_like(ratios)
    for number in range(ratios.shape[1]):
        ratio = ratios[:, number]
        prior = _FOLLOW * before + (1 - _FOLLOW) * np.maximum(ratio - 1, 0)
        gains[:, number] = gain = np.maximum(prior / (1 + prior), floor)
        before = gain * gain * ratio
    return gains, before


def _noise_along(stream: Blocks, noise: Any, *, steady: bool) -> Iterator[tuple[Any, Any]]:
    """Spectra, and the power of the noise at each of them: the mean of what is followed forwards and backwards."""
    if steady:
        yield from ((spectra, noise) for spectra in stream)
        return
    top, last = noise * _MOST_CHANGE, noise
    noise_state: tuple[Any, Any, Any] | None = None
    for spectra in stream:
        powers = _compute_power(spectra)
        forwards = _follow_noise(powers, last, top)
        if noise_state is not None:
            yield (
                noise_state[0],
                _both_ways(noise_state[1], noise_state[2], powers[:, :_AHEAD_FRAMES], forwards[:, :_AHEAD_FRAMES], top),
            )
        noise_state, last = (spectra, powers, forwards), forwards[:, -1:]
    if noise_state is not None:
        yield (
            noise_state[0],
            _both_ways(noise_state[1], noise_state[2], noise_state[1][:, :0], noise_state[2][:, :0], top),
        )


def _both_ways(powers: Any, forwards: Any, next_powers: Any, next_forwards: Any, top: Any) -> Any:
    import numpy as np

    seen = np.concatenate([powers, next_powers], axis=1)[:, ::-1]
    begun = (next_forwards if next_forwards.shape[1] else forwards)[:, -1:]
    backwards = _follow_noise(seen, begun, top)[:, ::-1]
    return (forwards + backwards[:, : powers.shape[1]]) / 2


def _follow_noise(powers: Any, noise: Any, top: Any) -> Any:
    """The power of noise frame by frame: it goes to that of the frame as far as likely nothing else is in it."""
    import numpy as np

    followed, now, most = np.empty_like(powers), noise[:, 0], top[:, 0]
    slope = _SIGNAL_RATIO / (1 + _SIGNAL_RATIO)
    for number in range(powers.shape[1]):
        power = powers[:, number]
        signal = 1 / (1 + (1 + _SIGNAL_RATIO) * np.exp(-slope * np.minimum(power / now, 100)))
        heard = power + signal * (now - power)
        now = np.minimum(now + (1 - _NOISE_STAYS) * (heard - now), most)
        followed[:, number] = now
    return followed
