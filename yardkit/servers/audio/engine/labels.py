"""Tags and chapters of a sound set anew, and kept by changes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from yardkit.kit.media_labels import TICK, Chapter, Labels, write_labels
from yardkit.kit.sound_streams import Blocks, Form, write_blocks
from yardkit.kit.sounds import Faults
from yardkit.world import Problem


def relabel_sound(old: Labels, tags: Mapping[str, str], chapters: Sequence[Chapter] | None, seconds: float) -> Labels:
    """Labels with other tags, of which empty ones are taken out, and other chapters if there are any.

    Raises:
        Problem: a chapter has no title or begins behind the end, or two begin at once.
    """
    tag_texts = {name: text for name, text in {**old.tags, **tags}.items() if text}
    if chapters is None:
        return replace(old, tags=tag_texts)
    ordered = sorted(chapters, key=lambda chapter: chapter.start_s)
    for chapter in ordered:
        if not chapter.title.strip():
            raise Problem(f"the chapter at {chapter.start_s:g} s has no title; give one")
    for chapter, following in pairwise(ordered):
        if round(following.start_s / TICK) == round(chapter.start_s / TICK):
            raise Problem(f"two chapters start at {chapter.start_s:g} s: {chapter.title!r} and {following.title!r}")
    if ordered and ordered[-1].start_s >= seconds:
        last = ordered[-1]
        raise Problem(f"chapter {last.title!r} starts at {last.start_s:g} s, but the audio ends at {seconds:.2f} s")
    return Labels(tag_texts, tuple(ordered), seconds)


def write_labelled(
    blocks: Blocks, form: Form, draft: Path, suffix: str, bitrate_kbps: int, labels: Labels, faults: Faults
) -> tuple[float, Form, str]:
    """Write a stream as a sound file with labels; its seconds, its form, and what was found as it was read."""
    seconds = write_blocks(
        blocks, form, draft, suffix, bitrate_kbps, lambda draft_path: write_labels(draft_path, labels, suffix)
    )
    return seconds, form, str(faults)
