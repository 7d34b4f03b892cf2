"""Changes of one sound: cut, faded, louder, levelled, faster, higher, equalised, converted."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from yardkit.kit.media_contents import OF_PICTURES, Part, describe_change
from yardkit.kit.media_labels import Labels, read_labels
from yardkit.kit.sound_streams import (
    Filter,
    Form,
    check_suffix,
    filter_blocks,
    form_of,
    read_blocks,
    seconds_of,
    speed_filters,
)
from yardkit.kit.sounds import Faults
from yardkit.programs.bounded import run_bounded
from yardkit.servers.audio.engine.labels import write_labelled
from yardkit.servers.audio.engine.levels import Levels, measure_levels
from yardkit.world import FileRef, Problem, save_atomically

PRELOAD = ("numpy", "av", "scipy.signal")
"""What the process that works on sounds keeps loaded."""
LIMIT_S, LIMIT_BYTES = 280.0, 1_500_000_000
BITRATE_KBPS = 160
Curve = Literal["linear", "smooth"]
_HEADROOM_HZ = 192_000
_NEAR_LU, _NEAR_DB = 0.3, 0.05
_TRIES = 3


@dataclass(frozen=True)
class ChangedSound:
    """A sound that was written.

    Attributes:
        sound: where it is.
        duration_s: how long it is.
        sample_rate_hz: of it.
        channels: of it.
        note: what to know of it.
    """

    sound: FileRef
    duration_s: float
    sample_rate_hz: int
    channels: int
    note: str = ""

    def __str__(self) -> str:
        kind = "mono" if self.channels == 1 else "stereo"
        head = f"Saved {self.sound}: {self.duration_s:.2f} s, {self.sample_rate_hz} Hz, {kind}"
        return "\n".join([head, *([self.note] if self.note else [])])


def write_in_process(
    work: Any, target: Path, sources: Sequence[Path], *args: object, dropped: Collection[Part] = ()
) -> ChangedSound:
    """Let a function of a module write a sound, in a process of its own; what is lost by it is said.

    Args:
        work: takes the place to write at, the suffix, and `args`; gives seconds, form and a note.
        target: where the sound goes.
        sources: what it is made of.
        args: further arguments.
        dropped: what is to be lost.

    Raises:
        Problem: the name is not that of a sound, or raised by the work.
    """
    check_suffix(target)
    with save_atomically(target) as draft:
        seconds, form, note = run_bounded(
            work, draft, target.suffix.lower(), *args, seconds=LIMIT_S, memory_bytes=LIMIT_BYTES, stays=True
        )
        content, lost = run_bounded(
            describe_change,
            tuple(sources),
            draft,
            {*dropped, *OF_PICTURES},
            seconds=LIMIT_S,
            memory_bytes=LIMIT_BYTES,
            stays=True,
        )
    rate_hz = content.rate_hz or form.rate_hz
    notes = "\n".join(filter(None, (note, lost)))
    return ChangedSound(FileRef.from_path(target), seconds, rate_hz, form.channels, notes)


def clip_sound(path: Path, target: Path, start_s: float, end_s: float | None) -> ChangedSound:
    """Write a part of a sound, exact to the sample.

    Raises:
        Problem: the part is empty or begins behind the end.
    """
    if end_s is not None and end_s <= start_s:
        raise Problem(f"end_s {end_s:g} is not after start_s {start_s:g}")
    return write_in_process(_filter_draft, target, [path], path, (), start_s, end_s)


def change_sound(path: Path, target: Path, filters: Sequence[Filter]) -> ChangedSound:
    """Write a sound that was sent through filters.

    Raises:
        Problem: it cannot be read or written.
    """
    return write_in_process(_filter_draft, target, [path], path, tuple(filters), 0.0, None)


def convert_sound(
    path: Path, target: Path, rate_hz: int | None, channels: int | None, bitrate_kbps: int
) -> ChangedSound:
    """Write a sound in another format, rate or number of channels.

    Raises:
        Problem: it cannot be read or written.
    """
    asked: set[Part] = set()
    if rate_hz:
        asked.add("rate")
    if channels:
        asked.add("channels")
    return write_in_process(_convert_draft, target, [path], path, rate_hz, channels, bitrate_kbps, dropped=asked)


def fade_sound(path: Path, target: Path, in_s: float, out_s: float, curve: Curve) -> ChangedSound:
    """Write a sound that begins and ends softly.

    Raises:
        Problem: the fades are longer than the sound.
    """
    return write_in_process(_fade_draft, target, [path], path, in_s, out_s, "tri" if curve == "linear" else "hsin")


def change_speed(path: Path, target: Path, factor: float) -> ChangedSound:
    """Write a sound that is faster or slower, at its pitch.

    Raises:
        Problem: it cannot be read or written.
    """
    return write_in_process(_change_speed, target, [path], path, factor)


def pitch_filters(semitones: float, rate_hz: int) -> list[Filter]:
    """Filters that make a sound higher and keep its length: played faster, and stretched again."""
    factor = 2 ** (semitones / 12)
    return [("asetrate", str(round(rate_hz * factor))), ("aresample", str(rate_hz)), *speed_filters(1 / factor)]


def shift_pitch(path: Path, target: Path, semitones: float) -> ChangedSound:
    """Write a sound that is higher by semitones, or lower, and as long.

    Raises:
        Problem: it cannot be read or written.
    """
    return write_in_process(_shift_pitch, target, [path], path, semitones)


def normalize_sound(path: Path, target: Path, loudness_lufs: float, true_peak_dbtp: float) -> ChangedSound:
    """Write a sound at a loudness; where its peaks would go over `true_peak_dbtp` they are limited.

    Raises:
        Problem: it is silent or too short to have a loudness.
    """
    return write_in_process(_normalize_draft, target, [path], path, loudness_lufs, true_peak_dbtp)


def _filter_draft(
    draft: Path,
    suffix: str,
    path: Path,
    filters: Sequence[Filter],
    start_s: float,
    end_s: float | None,
    labels: Labels | None = None,
) -> tuple[float, Form, str]:
    form = form_of(path)
    faults = Faults()
    blocks = read_blocks(path, form, start_s, end_s, faults)
    filtered_blocks = filter_blocks(blocks, form, filters) if filters else blocks
    labels = labels or read_labels(path).of_part(start_s, end_s)
    return write_labelled(filtered_blocks, form, draft, suffix, BITRATE_KBPS, labels, faults)


def _change_speed(draft: Path, suffix: str, path: Path, factor: float) -> tuple[float, Form, str]:
    labels = read_labels(path).move_times(lambda at_s: at_s / factor)
    return _filter_draft(draft, suffix, path, speed_filters(factor), 0.0, None, labels)


def _convert_draft(
    draft: Path, suffix: str, path: Path, rate_hz: int | None, channels: int | None, bitrate_kbps: int
) -> tuple[float, Form, str]:
    own = form_of(path)
    form = Form(rate_hz or own.rate_hz, channels or own.channels)
    faults = Faults()
    blocks = read_blocks(path, form, faults=faults)
    return write_labelled(blocks, form, draft, suffix, bitrate_kbps, read_labels(path), faults)


def _fade_draft(draft: Path, suffix: str, path: Path, in_s: float, out_s: float, curve: str) -> tuple[float, Form, str]:
    seconds = seconds_of(path)
    if in_s + out_s > seconds + 0.001:
        raise Problem(f"fades of {in_s:g} and {out_s:g} s are longer than the audio, {seconds:.2f} s")
    filters = [("afade", f"t=in:st=0:d={in_s}:curve={curve}")] if in_s else []
    if out_s:
        filters.append(("afade", f"t=out:st={seconds - out_s:.6f}:d={out_s}:curve={curve}"))
    return _filter_draft(draft, suffix, path, filters, 0.0, None)


def _shift_pitch(draft: Path, suffix: str, path: Path, semitones: float) -> tuple[float, Form, str]:
    form = form_of(path)
    return _filter_draft(draft, suffix, path, pitch_filters(semitones, form.rate_hz), 0.0, None)


def _normalize_draft(draft: Path, suffix: str, path: Path, goal: float, ceiling: float) -> tuple[float, Form, str]:
    form = form_of(path)
    before = measure_levels(read_blocks(path, form), form)
    loudness = before.loudness_lufs
    if loudness is None:
        raise Problem(f"{path.name!r} is silent or shorter than 0.4 s, so its loudness cannot be changed")
    below = ceiling
    for _ in range(_TRIES):
        filters = _make_levelling_filters(path, form, before, goal - loudness, below)
        seconds, _, remark = _filter_draft(draft, suffix, path, filters, 0.0, None)
        after = measure_levels(read_blocks(draft, form), form)
        over = after.true_peak_dbtp - ceiling
        if over <= _NEAR_DB:
            break
        below -= over  # what is packed with loss has other peaks
    level_note = _describe_levels(before, after, goal, limited=len(filters) > 1)
    return seconds, form, "\n".join(filter(None, [level_note, remark]))


def _make_levelling_filters(path: Path, form: Form, before: Levels, louder_lu: float, ceiling: float) -> list[Filter]:
    """Filters that make a sound so much louder; a limiter takes loudness away, too, and what is missing is added."""
    gain, goal = louder_lu, (before.loudness_lufs or 0.0) + louder_lu
    filters = _gain_filters(gain, ceiling, before, form)
    for _ in range(5):
        if len(filters) == 1:
            break
        new_levels = measure_levels(filter_blocks(read_blocks(path, form), form, filters), form)
        missing = goal - (new_levels.loudness_lufs if new_levels.loudness_lufs is not None else goal)
        if abs(missing) < _NEAR_LU:
            break
        gain += missing
        filters = _gain_filters(gain, ceiling, before, form)
    return filters


def _gain_filters(gain: float, ceiling: float, before: Levels, form: Form) -> list[Filter]:
    """A gain, and where peaks would be too high a limiter that sees between the samples."""
    louder: list[Filter] = [("volume", f"{gain:.4f}dB")]
    if before.true_peak_dbtp + gain <= ceiling:
        return louder
    limit = 10 ** ((ceiling - 0.1) / 20)
    limiter = ("alimiter", f"limit={limit:.6f}:attack=5:release=50:level=0:latency=1")
    return [*louder, ("aresample", str(_HEADROOM_HZ)), limiter, ("aresample", str(form.rate_hz))]


def _describe_levels(before: Levels, after: Levels, goal: float, *, limited: bool) -> str:
    how = "; peaks were limited" if limited else ""
    reached = after.loudness_lufs is not None and abs(after.loudness_lufs - goal) < 2 * _NEAR_LU
    missed = "" if reached else " The requested loudness was not reached: the peaks leave no headroom."
    return f"Before: {before}.\nAfter: {after}{how}.{missed}"
