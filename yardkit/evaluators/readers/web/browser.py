"""Web pages rendered in a browser at some widths: their visible words and pictures.

A fault of the machine (no Chromium, or one that does not even show a line of text) is never the agent's fault:
`EnvironmentInvalid`.
"""

import base64
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from yardkit.evaluators.checkpoints import EnvironmentInvalid, InvalidArtifact
from yardkit.evaluators.readers.engines.time_limits import get_time_limit, shorten_time_limits
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission, build_manifest
from yardkit.programs.chromium import browser_command, browser_environment, browser_jail
from yardkit.programs.command import Ended, run_program
from yardkit.world import Unavailable

State = Literal["seen", "hidden", "cut", "covered"]
"""Whether all of something can be seen, none of it is shown, or a frame or something else takes part of it away.

Letters in nearly the colour of their ground are hidden, and pictures with round corners that take much away are cut."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in CSS pixels from the top left of the page."""

LIMIT_S = 60
"""Seconds that one page may take; a task whose checks browse needs a ``time_limit_s`` well above."""
_MAX_ANSWER_BYTES = 50_000_000
_DRIVER, _LOOK = (Path(__file__).with_name(name) for name in ("browser_driver.py", "page_layout.js"))
_SLACK_PX, _OVERLAP, _STRETCH = 1.5, 0.3, 0.04


@dataclass(frozen=True)
class Words:
    """A piece of text in one element; `boxes` are those of its lines, `size_px` is the font size."""

    text: str
    tag: str
    size_px: float
    state: State
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class PictureView:
    """A picture: its address, its box, its own width and height, and the displayed ones."""

    source: str
    box: Box
    size: tuple[float, float]
    displayed_size: tuple[float, float]
    fit: str
    state: State

    @property
    def loaded(self) -> bool:
        return min(self.size) > 0

    @property
    def stretched(self) -> bool:
        """Whether it is distorted or cropped."""
        if not self.loaded or min(self.displayed_size) <= 0 or self.fit in ("contain", "scale-down", "none"):
            return False
        ratio = self.displayed_size[0] / self.displayed_size[1] * self.size[1] / self.size[0]
        return (
            abs(ratio - 1) > _STRETCH
            and abs(self.displayed_size[0] * self.size[1] / self.size[0] - self.displayed_size[1]) > 2
        )


@dataclass(frozen=True)
class View:
    """A page at one width of the window.

    Attributes:
        content_width: larger than `width` if the page must be scrolled sideways.
        words: the words in the order of the source.
        missing: files of the workspace that it requested and that do not exist.
        outside: addresses of other sites that it requested; they are refused.
        picture: the complete page as PNG, if requested.
    """

    width: int
    content_width: int
    words: tuple[Words, ...]
    pictures: tuple[PictureView, ...]
    missing: tuple[str, ...]
    outside: tuple[str, ...]
    picture: bytes | None = field(default=None, repr=False)

    @property
    def text(self) -> str:
        """All visible text, in the order of the source."""
        return " ".join(word.text for word in self.words if word.state != "hidden")

    def list_misfits(self) -> list[str]:
        """List the layout faults in words: too wide, cut off, covered, overlapping, distorted, not loaded."""
        return list(self._find_misfits())

    def _find_misfits(self) -> Iterator[str]:
        if self.content_width > self.width + _SLACK_PX:
            yield f"the page is {self.content_width} px wide"
        for word in self.words:
            if word.state in ("cut", "covered"):
                yield f"{word.state}: {word.text[:40]!r}"
            elif word.state == "seen" and any(self._is_beyond(box) for box in word.boxes):
                yield f"over the edge: {word.text[:40]!r}"
        for first_text, other in self._find_overlapping():
            yield f"{first_text[:30]!r} is drawn over {other[:30]!r}"
        for picture in self.pictures:
            yield from self._misfits_of(picture)

    def _misfits_of(self, picture: PictureView) -> Iterator[str]:
        if picture.state == "hidden" and picture.loaded:
            return
        if not picture.loaded:
            yield f"picture {picture.source!r} does not load"
        elif picture.state != "seen" or self._is_beyond(picture.box):
            yield f"picture {picture.source!r} is {picture.state if picture.state != 'seen' else 'over the edge'}"
        elif picture.stretched:
            yield f"picture {picture.source!r} is stretched or cropped"

    def _is_beyond(self, box: Box) -> bool:
        return box[0] < -_SLACK_PX or box[2] > self.width + _SLACK_PX

    def _find_overlapping(self) -> Iterator[tuple[str, str]]:
        lines = [(box, number) for number, word in enumerate(self.words) if word.state == "seen" for box in word.boxes]
        lines.sort(key=lambda line: line[0][1])
        for index, (first_line, number) in enumerate(lines):
            for other, second in lines[index + 1 :]:
                if other[1] >= first_line[3]:
                    break
                if number != second and _compute_shared_part(first_line, other) > _OVERLAP:
                    yield self.words[number].text, self.words[second].text


def _compute_shared_part(first: Box, other: Box) -> float:
    wide, tall = min(first[2], other[2]) - max(first[0], other[0]), min(first[3], other[3]) - max(first[1], other[1])
    if wide <= 0 or tall <= 0:
        return 0.0
    return wide * tall / max(1.0, min((box[2] - box[0]) * (box[3] - box[1]) for box in (first, other)))


def browse_page(submission: Submission, relative: str, widths: Sequence[int], *, pictured: bool = False) -> list[View]:
    """Show a delivered page in a browser without network and scripts, at each of the widths (CSS pixels).

    `pictured` adds a picture of each view.

    Raises:
        InsufficientEvidence: nothing is there.
        InvalidArtifact: it is not a page, or cannot be shown although other pages can.
        EnvironmentInvalid: no page can be shown on this machine.
    """
    read_html(submission, relative)
    asked = json.dumps([relative, list(widths), pictured, build_manifest(submission.files)])
    # A short name: Chromium makes a socket below it, whose path may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="yardkit-browse-") as own:
        folder = (submission.scratch or Path(own)) / "browsed"
        folder.mkdir(parents=True, exist_ok=True)
        target = folder / f"{hashlib.sha256(asked.encode()).hexdigest()}.json"
        if not target.exists():
            draft = target.with_name(f"{target.name}.{os.getpid()}")
            draft.write_text(json.dumps(_run_browser(submission.files, relative, widths, pictured=pictured)), "utf-8")
            draft.rename(target)
        return [_make_view(load) for load in json.loads(target.read_text("utf-8"))]


def _make_view(view_data: dict[str, Any]) -> View:
    words = [
        Words(e["text"], e["tag"], e["size"], e["state"], tuple(map(tuple, e["boxes"]))) for e in view_data["words"]
    ]
    pictures = [
        PictureView(e["source"], tuple(e["box"]), tuple(e["size"]), tuple(e["displayed_size"]), e["fit"], e["state"])
        for e in view_data["pictures"]
    ]
    lists = (tuple(view_data["missing"]), tuple(view_data["outside"]))
    picture = base64.b64decode(view_data["picture"]) if "picture" in view_data else None
    return View(view_data["width"], view_data["content_width"], tuple(words), tuple(pictures), *lists, picture)


def _run_browser(files: Path, relative: str, widths: Sequence[int], *, pictured: bool) -> Any:
    job = {"root": str(files), "page": relative, "widths": list(widths), "pictured": pictured}
    ended = _run(job, get_time_limit(LIMIT_S))
    if not ended.stdout:
        if ended.timed_out:
            shorten_time_limits()
        # If even a line of text cannot be shown, the fault is the machine's.
        sample = _run({**job, "content": "<p>A line of text.</p>"}, LIMIT_S)
        if not sample.stdout:
            raise EnvironmentInvalid(f"Chromium cannot render on this machine: {sample.stderr[-300:]}")
        raise InvalidArtifact(f"{relative} cannot be shown in a browser: {ended.stderr[-300:] or 'it took too long'}")
    return json.loads(ended.stdout)


def _run(job: dict[str, Any], limit_s: float) -> Ended:
    """Run the driver, which sees only the folder of the page and no network; return its output and errors.

    Raises:
        EnvironmentInvalid: Chromium or bubblewrap is missing.
    """
    # A short name: Chromium makes a socket below it, whose path may have 107 characters.
    with tempfile.TemporaryDirectory(prefix="page-") as scratch:
        base = Path(scratch)
        try:
            command = browser_command(base, _DRIVER, _LOOK)
            walled = browser_jail(job["root"]).build_command(command, base)
        except Unavailable as problem:
            raise EnvironmentInvalid(str(problem)) from problem
        return run_program(
            walled,
            environment=browser_environment(base),
            limit_s=limit_s,
            given=json.dumps(job).encode(),
            max_output_bytes=_MAX_ANSWER_BYTES,
        )
