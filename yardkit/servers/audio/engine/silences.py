"""Where a sound is silent, and sounds cut there."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.kit.media_labels import read_labels
from yardkit.kit.sound_streams import Blocks, Form, form_of, read_blocks
from yardkit.kit.sounds import Faults
from yardkit.programs.bounded import run_bounded
from yardkit.servers.audio.engine.changes import (
    BITRATE_KBPS,
    LIMIT_BYTES,
    LIMIT_S,
    ChangedSound,
    clip_sound,
    write_in_process,
)
from yardkit.servers.audio.engine.labels import write_labelled
from yardkit.world import FileRef, Problem
from yardkit.world.wording import format_count

PRELOAD = ("numpy", "av")
"""What the process that works on sounds keeps loaded."""
MAX_PARTS = 200
_HOP_S = 0.01


@dataclass(frozen=True)
class Silence:
    """A silent stretch: seconds from the beginning of the file."""

    start_s: float
    end_s: float

    def __str__(self) -> str:
        return f"{self.start_s:.2f} to {self.end_s:.2f} s ({self.end_s - self.start_s:.2f} s)"


@dataclass(frozen=True)
class Silences:
    """Silent stretches of a sound.

    Attributes:
        silences: in order.
        duration_s: of the sound.
        below_dbfs: what counted as silent.
        note: what to know of the times of the sound.
    """

    silences: tuple[Silence, ...]
    duration_s: float
    below_dbfs: float
    note: str = ""

    def __str__(self) -> str:
        head = (
            f"{format_count(len(self.silences), 'silence')} below {self.below_dbfs:g} dBFS in {self.duration_s:.2f} s"
        )
        return "\n".join([head, *map(str, self.silences), *([self.note] if self.note else [])])


@dataclass(frozen=True)
class SoundParts:
    """The parts into which a sound was cut.

    Attributes:
        parts: files in order.
        starts_s, ends_s: of each in the sound.
        note: what to know of them.
    """

    parts: tuple[FileRef, ...]
    starts_s: tuple[float, ...]
    ends_s: tuple[float, ...]
    note: str = ""

    def __str__(self) -> str:
        rows = zip(self.parts, self.starts_s, self.ends_s, strict=True)
        lines = [f"{part.path}: {start:.2f} to {end:.2f} s" for part, start, end in rows]
        return "\n".join([*lines, *([self.note] if self.note else [])])


def find_silences(path: Path, below_dbfs: float, at_least_s: float) -> Silences:
    """Stretches of a sound in which every 10 ms are softer than `below_dbfs` (root mean square).

    Raises:
        Problem: it cannot be read.
    """
    silent_spans, seconds, note = run_bounded(
        _detect_silences, path, below_dbfs, at_least_s, seconds=LIMIT_S, memory_bytes=LIMIT_BYTES, stays=True
    )
    return Silences(tuple(Silence(start, end) for start, end in silent_spans), seconds, below_dbfs, note)


def trim_sound(
    path: Path, target: Path, below_dbfs: float, keep_s: float, longest_pause_s: float | None
) -> ChangedSound:
    """Write a sound without the silence before and behind it, and with shorter pauses if wanted.

    Args:
        path: of the sound.
        target: where the result goes.
        below_dbfs: what counts as silent.
        keep_s: of silence that stays at the beginning and the end.
        longest_pause_s: to which pauses within are cut; None leaves them.

    Raises:
        Problem: all of it is silent.
    """
    return write_in_process(_trim_draft, target, [path], path, below_dbfs, keep_s, longest_pause_s)


def split_sound(
    path: Path, folder: Path, suffix: str, cuts_s: list[float] | None, below_dbfs: float, at_least_s: float
) -> SoundParts:
    """Cut a sound at times, or in the middle of its pauses.

    Args:
        path: of the sound.
        folder: where the parts go, as NAME-01 and so on.
        suffix: of the parts.
        cuts_s: where it is cut; None cuts in pauses.
        below_dbfs: what counts as silent.
        at_least_s: how long a pause is.

    Raises:
        Problem: there is nothing to cut, or too many parts would come of it.
    """
    sound_silences = find_silences(path, below_dbfs, at_least_s)
    cuts = sorted(cuts_s) if cuts_s is not None else _find_middles(sound_silences)
    inner = [cut for cut in dict.fromkeys(cuts) if 0 < cut < sound_silences.duration_s]
    if not inner:
        raise Problem(
            f"{path.name!r} cannot be split: none of the times is within its {sound_silences.duration_s:.2f} s, or "
            f"it has no pause of {at_least_s:g} s below {below_dbfs:g} dBFS"
        )
    if len(inner) >= MAX_PARTS:
        raise Problem(f"this would make {len(inner) + 1} parts; the limit is {MAX_PARTS}. Require longer pauses")
    starts, ends = [0.0, *inner], [*inner, sound_silences.duration_s]
    width = max(2, len(str(len(starts))))
    parts = [
        clip_sound(
            path,
            folder / f"{path.stem}-{number:0{width}}{suffix}",
            start,
            None if end == sound_silences.duration_s else end,
        )
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=1)
    ]
    return SoundParts(tuple(part.sound for part in parts), tuple(starts), tuple(ends), parts[0].note)


def _find_middles(sound_silences: Silences) -> list[float]:
    """The middles of the pauses, those at the beginning and the end aside."""
    pauses = [
        pause
        for pause in sound_silences.silences
        if pause.start_s > 0.05 and pause.end_s < sound_silences.duration_s - 0.05
    ]
    return [(pause.start_s + pause.end_s) / 2 for pause in pauses]


def _detect_silences(path: Path, below_dbfs: float, at_least_s: float) -> tuple[list[tuple[float, float]], float, str]:
    import numpy as np

    form, faults = form_of(path), Faults()
    hop = max(1, round(_HOP_S * form.rate_hz))
    quiet, left, count = list[Any](), np.zeros((form.channels, 0)), 0
    for block in read_blocks(path, form, faults=faults):
        count += block.shape[1]
        left = np.concatenate([left, block], axis=1)
        hop_count = left.shape[1] // hop
        hops = left[:, : hop_count * hop].reshape(form.channels, hop_count, hop)
        quiet.append(np.sqrt(np.square(hops).mean(axis=(0, 2))) < 10 ** (below_dbfs / 20))
        left = left[:, hop_count * hop :]
    steps = np.concatenate([[False], *quiet, [False]]).astype(int)
    edges = np.flatnonzero(np.diff(steps))
    total = count / form.rate_hz
    spans = [(start * hop / form.rate_hz, end * hop / form.rate_hz) for start, end in edges.reshape(-1, 2).tolist()]
    spans = [(start, total if total - end < 2 * _HOP_S else end) for start, end in spans]
    return [span for span in spans if span[1] - span[0] >= at_least_s], total, str(faults)


def _trim_draft(
    draft: Path, suffix: str, path: Path, below_dbfs: float, keep_s: float, longest_pause_s: float | None
) -> tuple[float, Form, str]:
    spans, total, _ = _detect_silences(path, below_dbfs, _HOP_S)
    start = next((end for begin, end in spans if begin == 0.0), 0.0)
    end = next((begin for begin, finish in spans if finish == total), total)
    if start >= end:
        raise Problem(f"{path.name!r} is silent throughout, below {below_dbfs:g} dBFS; give a lower level")
    start, end = max(0.0, start - keep_s), min(total, end + keep_s)
    pauses = _shorten_pauses(spans, start, end, longest_pause_s)
    remaining_spans = list(
        zip([start, *(finish for _, finish in pauses)], [*(begin for begin, _ in pauses), end], strict=True)
    )
    form = form_of(path)
    faults = Faults()
    blocks = _iter_spans(path, form, remaining_spans, faults)
    labels = read_labels(path).of_part(start, end).move_times(lambda at_s: at_s - _sum_pauses(pauses, start + at_s))
    seconds, _, remark = write_labelled(blocks, form, draft, suffix, BITRATE_KBPS, labels, faults)
    shorter = f" and parts of {format_count(len(pauses), 'pause')}" if pauses else ""
    return seconds, form, f"Taken away: {start:.2f} s before, {total - end:.2f} s behind{shorter}. {remark}".strip()


def _iter_spans(path: Path, form: Form, remaining_spans: list[tuple[float, float]], faults: Faults) -> Blocks:
    """The sound of rising spans, one after the other, to the sample; the file is read once."""
    spans = [(round(begin * form.rate_hz), round(end * form.rate_hz)) for begin, end in remaining_spans]
    at = 0
    for block in read_blocks(path, form, 0.0, remaining_spans[-1][1], faults):
        end = at + block.shape[1]
        while spans and spans[0][1] <= end:
            begin, finish = spans.pop(0)
            yield block[:, max(0, begin - at) : finish - at]
        if spans and spans[0][0] < end:
            yield block[:, max(0, spans[0][0] - at) :]
        at = end


def _sum_pauses(pauses: list[tuple[float, float]], at_s: float) -> float:
    """How much of pauses lies before a time."""
    return sum(max(0.0, min(finish, at_s) - begin) for begin, finish in pauses)


def _shorten_pauses(
    spans: list[tuple[float, float]], start: float, end: float, longest_s: float | None
) -> list[tuple[float, float]]:
    """What is taken out of the middle of pauses, so that `longest_s` of each is left."""
    if longest_s is None:
        return []
    inner = [(begin, finish) for begin, finish in spans if begin > start and finish < end]
    half = longest_s / 2
    return [(begin + half, finish - half) for begin, finish in inner if finish - begin > longest_s]
