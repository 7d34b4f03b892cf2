"""Leaves about delivered sounds: their form, length, levels and tags."""

from collections.abc import Callable, Mapping

from yardkit.evaluators.checkpoints import Checkpoint, Facts, Finding, make_checkpoint, make_finding
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.media import sounds
from yardkit.evaluators.readers.media.sounds import read_sound
from yardkit.evaluators.submission import Submission

SIDES_DB = 3.0
"""By which the sides of a stereo sound that is heard on both may differ."""
SLACK_DB = 0.1


def sound_targets(path: str, *details: str) -> tuple[str, ...]:
    """List the targets of a leaf about a sound: the file, and details named in `yardkit.evaluators.mutations`."""
    return (f"file:{path}", *(f"sound:{path}#{detail}" for detail in details))


def sound_form(
    id: str, statement: str, path: str, codec: str, sample_rate_hz: int | None, channels: int, *, weight: float = 1.0
) -> Checkpoint:
    """A sound has this codec (FFmpeg's name), sample rate and channels; a stereo sound can be heard on both sides."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        sound = read_sound(submission, path)
        actual_form = (sound.codec, sample_rate_hz and sound.sample_rate_hz, sound.channels)
        levels = [round(sounds.rms_dbfs(sound.samples[:, side]), 1) for side in range(sound.channels)]
        expected_form = (codec, sample_rate_hz, channels)
        holds = actual_form == expected_form and max(levels) - min(levels) < SIDES_DB
        return make_finding(holds, f"{actual_form} with sides at {levels} dBFS, expected {expected_form}")

    return make_checkpoint(id, statement, check, covers=sound_targets(path, "channels"), weight=weight)


def sound_length(
    id: str, statement: str, path: str, seconds: Callable[[Facts], float], within_s: float, *, weight: float = 1.0
) -> Checkpoint:
    """A sound has this length, give or take `within_s`."""

    def check(submission: Submission, facts: Facts) -> Finding:
        duration_s, expected_s = read_sound(submission, path).duration_s, seconds(facts)
        return make_finding(abs(duration_s - expected_s) <= within_s, f"{duration_s:.3f} s, expected {expected_s:g}")

    return make_checkpoint(id, statement, check, covers=sound_targets(path, "length", "speed"), weight=weight)


def sound_levels(
    id: str, statement: str, path: str, lufs: float, within_lu: float, peak_dbtp: float = -1.0, *, weight: float = 1.0
) -> Checkpoint:
    """A sound has this integrated loudness, no true peak above a limit, and no clipping."""

    def check(submission: Submission, _facts: Facts) -> Finding:
        sound = read_sound(submission, path)
        loudness, peak = sounds.loudness_lufs(sound), sounds.true_peak_dbtp(sound)
        clipped = sounds.count_clipped(sound)
        holds = abs(loudness - lufs) <= within_lu + SLACK_DB / 2 and peak <= peak_dbtp + SLACK_DB and not clipped
        return make_finding(holds, f"{loudness:.2f} LUFS, true peak {peak:.2f} dBTP, {clipped} samples cut off")

    return make_checkpoint(id, statement, check, covers=sound_targets(path, "loudness"), weight=weight)


def sound_tags(
    id: str, statement: str, path: str, expected: Callable[[Facts], Mapping[str, str]], *, weight: float = 1.0
) -> Checkpoint:
    """A sound has these tags, by lower-case names such as title; other tags are free."""

    def check(submission: Submission, facts: Facts) -> Finding:
        tags = read_sound(submission, path).tags
        wrong = {
            name: tags.get(name)
            for name, text in expected(facts).items()
            if simplify_text(tags.get(name, "")) != simplify_text(text)
        }
        return make_finding(not wrong, f"wrong tags: {wrong}, expected {dict(expected(facts))}")

    return make_checkpoint(id, statement, check, covers=sound_targets(path, "tags"), weight=weight)
