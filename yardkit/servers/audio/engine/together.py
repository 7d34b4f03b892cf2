"""Several sounds in one: one after the other, or at the same time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.sound_streams import Blocks, Form, form_of, read_blocks, seconds_of, write_blocks
from yardkit.servers.audio.engine.changes import BITRATE_KBPS, ChangedSound, write_in_process
from yardkit.world import InFile, Problem

PRELOAD = ("numpy", "av")
"""What the process that works on sounds keeps loaded."""
_BLOCK_S = 0.5
_DUCK_HOLD_S, _DUCK_ATTACK_S, _DUCK_RELEASE_S, _SPEECH_DB = 0.3, 0.1, 0.6, -40.0


@dataclass(frozen=True)
class Track:
    """A sound of a mix.

    Attributes:
        path: of it.
        start_s: when it begins in the mix.
        gain_db: how much louder.
        loop: whether it begins again, until the others are over.
        duck_db: how much softer it is while the first track is heard.
    """

    path: InFile
    start_s: float = 0.0
    gain_db: float = 0.0
    loop: bool = False
    duck_db: float = 0.0


def join_sounds(paths: Sequence[Path], target: Path, gap_s: float, crossfade_s: float) -> ChangedSound:
    """Write sounds one after the other, in the form of the first.

    Args:
        paths: of the sounds.
        target: where the result goes.
        gap_s: of silence between two.
        crossfade_s: how long the end of one and the beginning of the next are heard together.

    Raises:
        Problem: both a gap and a crossfade are wanted, or a sound is shorter than the crossfade.
    """
    if gap_s and crossfade_s:
        raise Problem("give gap_s or crossfade_s, not both")
    return write_in_process(_join_draft, target, paths, tuple(paths), gap_s, crossfade_s)


def mix_sounds(tracks: Sequence[Track], target: Path) -> ChangedSound:
    """Write sounds at the same time, in the best form among them; where the sum would clip it is made softer.

    Raises:
        Problem: all of them loop.
    """
    if all(track.loop for track in tracks):
        raise Problem("every track loops, so the mix would never end; leave at least one track unlooped")
    return write_in_process(_mix_draft, target, [track.path for track in tracks], tuple(tracks))


def _join_draft(
    draft: Path, suffix: str, paths: Sequence[Path], gap_s: float, crossfade_s: float
) -> tuple[float, Form, str]:
    form = _choose_best_form([form_of(path) for path in paths])
    if crossfade_s:
        for path in paths:
            if (seconds := seconds_of(path)) < 2 * crossfade_s:
                raise Problem(f"{path.name!r} has {seconds:.2f} s, less than two crossfades of {crossfade_s:g} s")
    starts: list[float] = []
    blocks = _iter_joined_blocks(paths, form, gap_s, crossfade_s, starts)
    seconds = write_blocks(blocks, form, draft, suffix, BITRATE_KBPS)
    begins = ", ".join(f"{path.name} at {start:.2f} s" for path, start in zip(paths, starts, strict=True))
    return seconds, form, f"They begin: {begins}"


def _choose_best_form(forms: Sequence[Form]) -> Form:
    return Form(max(form.rate_hz for form in forms), max(form.channels for form in forms))


def _iter_joined_blocks(
    paths: Sequence[Path], form: Form, gap_s: float, crossfade_s: float, starts: list[float]
) -> Blocks:
    """The blocks of all; `starts` is filled with when each begins."""
    import numpy as np

    over = round(crossfade_s * form.rate_hz)
    rising = np.sin(np.linspace(0, math.pi / 2, over, endpoint=False), dtype=np.float32)
    pending_samples = np.zeros((form.channels, 0), np.float32)
    at = 0
    for number, path in enumerate(paths):
        if number and gap_s:
            gap = np.zeros((form.channels, round(gap_s * form.rate_hz)), np.float32)
            at += gap.shape[1]
            yield gap
        starts.append(at / form.rate_hz)
        begun = number == 0 or not over
        for block in read_blocks(path, form):
            pending_samples = np.concatenate([pending_samples, block], axis=1)
            if not begun:
                if pending_samples.shape[1] < 2 * over:
                    continue
                both = pending_samples[:, :over] * rising[::-1] + pending_samples[:, over : 2 * over] * rising
                pending_samples, begun = np.concatenate([both, pending_samples[:, 2 * over :]], axis=1), True
            if pending_samples.shape[1] > over:
                ready, pending_samples = (
                    pending_samples[:, : pending_samples.shape[1] - over],
                    pending_samples[:, pending_samples.shape[1] - over :],
                )
                at += ready.shape[1]
                yield ready
    if pending_samples.shape[1]:
        yield pending_samples


def _mix_draft(draft: Path, suffix: str, tracks: Sequence[Track]) -> tuple[float, Form, str]:
    form = _choose_best_form([form_of(track.path) for track in tracks])
    lengths = [seconds_of(track.path) for track in tracks]
    ends = [track.start_s + length for track, length in zip(tracks, lengths, strict=True) if not track.loop]
    total = round(max(ends) * form.rate_hz)
    peak = max((float(abs(block).max(initial=0.0)) for block in _iter_mixed_blocks(tracks, form, total)), default=0.0)
    gain = 0.98 / peak if peak > 0.999 else 1.0
    seconds = write_blocks(
        (block * gain for block in _iter_mixed_blocks(tracks, form, total)), form, draft, suffix, BITRATE_KBPS
    )
    note = "" if gain == 1.0 else f"The sum would have clipped, so the mix is {-20 * math.log10(gain):.1f} dB quieter."
    return seconds, form, note


def _iter_mixed_blocks(tracks: Sequence[Track], form: Form, total: int) -> Blocks:
    """The sum of tracks, block by block, up to `total` samples."""
    import numpy as np

    size = round(_BLOCK_S * form.rate_hz)
    sources = [_Source(track, form) for track in tracks]
    duck = _Duck(form)
    for at in range(0, total, size):
        count = min(size, total - at)
        parts = [source.take_samples(count) for source in sources]
        softer = duck.follow_speech(parts[0]) if any(track.duck_db for track in tracks[1:]) else None
        mixed = np.zeros((form.channels, count), np.float32)
        for track, part in zip(tracks, parts, strict=True):
            share = 1.0 if softer is None or not track.duck_db else 10 ** (-abs(track.duck_db) * softer / 20)
            mixed += part * (10 ** (track.gain_db / 20)) * share
        yield mixed.astype(np.float32)


class _Source:
    """A track that gives as many samples as it is asked for: silence before and behind it."""

    def __init__(self, track: Track, form: Form) -> None:
        import numpy as np

        self.track, self.form = track, form
        self.held = np.zeros((form.channels, round(track.start_s * form.rate_hz)), np.float32)
        self.blocks: Blocks | None = read_blocks(track.path, form)

    def take_samples(self, count: int) -> Any:
        import numpy as np

        while self.held.shape[1] < count:
            self.held = np.concatenate([self.held, self._read_more(count)], axis=1)
        part, self.held = self.held[:, :count], self.held[:, count:]
        return part

    def _read_more(self, count: int) -> Any:
        import numpy as np

        block = next(self.blocks, None) if self.blocks else None
        if block is None and self.track.loop:
            self.blocks = read_blocks(self.track.path, self.form)
            block = next(self.blocks, None)
        if block is None:
            self.blocks = None
            return np.zeros((self.form.channels, count), np.float32)
        return block


class _Duck:
    """How far (0 to 1) other tracks step back for a track: quickly when it is heard, slowly when it pauses."""

    def __init__(self, form: Form) -> None:
        self.form, self.level, self.quiet_s = form, 0.0, 10.0

    def follow_speech(self, block: Any) -> Any:
        import numpy as np

        hop = max(1, self.form.rate_hz // 100)
        mono = np.abs(block).mean(axis=0)
        followed = np.empty(block.shape[1], np.float32)
        for start in range(0, len(mono), hop):
            part = mono[start : start + hop]
            loud = float(np.sqrt(np.square(part).mean())) > 10 ** (_SPEECH_DB / 20)
            self.quiet_s = 0.0 if loud else self.quiet_s + len(part) / self.form.rate_hz
            goal = 1.0 if self.quiet_s < _DUCK_HOLD_S else 0.0
            seconds = len(part) / self.form.rate_hz / (_DUCK_ATTACK_S if goal else _DUCK_RELEASE_S)
            before, self.level = self.level, self.level + max(-seconds, min(seconds, goal - self.level))
            followed[start : start + len(part)] = np.linspace(before, self.level, len(part))
        return followed
