"""The report shows the fault both times, marked and legible, tells when it is there, and hides what is private."""

from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.readers.answers import find_numbers, simplify_text
from yardkit.evaluators.readers.media.films import frames_at, measure_likeness
from yardkit.evaluators.readers.pages.covers import measure_detail_left, measure_difference
from yardkit.evaluators.readers.pages.pictures import read_picture
from yardkit.evaluators.readers.web.html import read_html
from yardkit.evaluators.submission import Submission

PICTURES, PAGE, RECORDING = ("report/first.png", "report/again.png"), "report/report.html", "screen_recording.mp4"
IMAGES = tuple(f"{kind}:{path}" for path in PICTURES for kind in ("image", "file"))
TEXT = tuple(f"{kind}:{PAGE}" for kind in ("file", "text", "words", "rows"))
_NEAR_PX, _OTHER, _LEGIBLE, _LEFT = 30, 70, 0.8, 0.4
_SIDES = 0.6
"""Which part of each side of the total must have red beside it."""
_JUST_S = 0.25


def _match_frames(submission: Submission, facts: Facts) -> list[tuple[str, Any, Any, bool]]:
    """Each picture, the frame most like it of those with the wrong total, and whether that is one of its own time."""
    times = [
        (number, span["start_s"] + 0.05 + at / 10)
        for number, span in enumerate(facts["shown"])
        for at in range(round((span["end_s"] - span["start_s"]) * 10))
    ]
    frames = frames_at(submission.untouched, RECORDING, [time_s for _, time_s in times])
    matched_frames = []
    for number, path in enumerate(PICTURES):
        picture = read_picture(submission, path)
        if list(picture.shape[1::-1]) != facts["screen"]:
            raise InvalidArtifact(f"{path} has {picture.shape[1]} x {picture.shape[0]} pixels")
        off = [float((measure_difference(picture, frame) > _OTHER).mean()) for frame in frames]
        best = off.index(min(off))
        matched_frames.append((path, picture, frames[best], times[best][0] == number))
    return matched_frames


def _cut_box(picture: Any, box: Any, more: int = 0) -> Any:
    left, top, right, bottom = box
    return picture[max(0, top - more) : bottom + more, max(0, left - more) : right + more]


def _right_moments(submission: Submission, facts: Facts) -> Finding:
    """Each picture is such a frame: the wrong total is legible, and all else as it was but mark and cover."""
    faults = []
    for path, picture, frame, own in _match_frames(submission, facts):
        legible = measure_likeness(*(_cut_box(image, facts["total"], -5) for image in (picture, frame)))
        changed = measure_difference(picture, frame) > _OTHER
        for box in (facts["total"], facts["private"]):
            _cut_box(changed, box, _NEAR_PX)[:] = False
        part = float(changed.mean())
        faults += (
            [f"{path}: total {legible:.2f} alike, {part:.2%} of the rest changed, of its time: {own}"]
            if (legible < _LEGIBLE or part > 0.002 or not own)
            else []
        )
    return make_finding(not faults, f"{faults or 'both moments'}")


def _check_marks(submission: Submission, facts: Facts) -> Finding:
    """A red frame goes around the total."""
    sides = []
    for _, picture, frame, _ in _match_frames(submission, facts):
        red = (
            (picture[:, :, 0] > 150) & (picture[:, :, 1:].max(axis=2) < 120) & (measure_difference(picture, frame) > 60)
        )
        left, top, right, bottom = facts["total"]
        around, inner = _cut_box(red, facts["total"], _NEAR_PX), _NEAR_PX + 6
        across, down = slice(_NEAR_PX, _NEAR_PX + right - left), slice(_NEAR_PX, _NEAR_PX + bottom - top)
        parts = (around[:inner, across].any(0), around[-inner:, across].any(0),
                 around[down, :inner].any(1), around[down, -inner:].any(1))  # fmt: skip
        sides.append([round(float(part.mean()), 2) for part in parts])
    return make_finding(min(map(min, sides)) >= _SIDES, f"red above, below, left, right of the total: {sides}")


def _check_hidden(submission: Submission, facts: Facts) -> Finding:
    """Mail address and key can be read neither on the pictures nor in the report."""
    left = [
        round(measure_detail_left(*(_cut_box(image, facts["private"]) for image in (frame, picture))), 2)
        for _, picture, frame, _ in _match_frames(submission, facts)
    ]
    page = read_html(submission, PAGE)
    readable_secrets = [secret for secret in facts["secrets"] if simplify_text(secret) in simplify_text(page.text)]
    return make_finding(
        max(left) < _LEFT and not readable_secrets,
        f"detail left below the cover: {left}; in the report: {readable_secrets}",
    )


def _check_report_facts(submission: Submission, facts: Facts) -> Finding:
    """The report has the wrong and the right total, and from when on the wrong one is seen."""
    numbers = [abs(float(number)) for number in find_numbers(read_html(submission, PAGE).text)]
    totals = [float(facts[name]) for name in ("wrong", "right")]
    missing_totals = [total for total in totals if not any(abs(number - total) < 0.005 for number in numbers)]
    times = [span["start_s"] for span in facts["shown"]]
    missing_totals += [time for time in times if not any(abs(number - time) <= _JUST_S for number in numbers)]
    return make_finding(not missing_totals, f"lacking: {missing_totals}")


def _laid_out(submission: Submission, _facts: Facts) -> Finding:
    """Both headings, a numbered list of steps, and both pictures, each with an alternative text."""
    page = read_html(submission, PAGE)
    headings = [simplify_text(text) for _, text in page.headings]
    steps = [len(entry.findall("li")) for entry in page.tree.iter("ol")]
    described_pictures = {address.rsplit("/", 1)[-1] for address, alternative in page.pictures if alternative.strip()}
    right = all(name in headings for name in ("steps to reproduce", "what is wrong"))
    holds = right and max(steps, default=0) >= 3 and {"first.png", "again.png"} <= described_pictures
    return make_finding(holds, f"headings {headings}, steps {steps}, pictures {sorted(described_pictures)}")


CHECKS = make_group(
    "bug_report",
    "The fault is reported",
    make_checkpoint("right_moments", "The pictures show the wrong total", _right_moments, covers=IMAGES, weight=4),
    make_checkpoint("marked", "The wrong total is framed", _check_marks, covers=IMAGES, weight=2),
    make_checkpoint("hidden", "Nothing private can be read", _check_hidden, covers=(*IMAGES, *TEXT), weight=3),
    make_checkpoint("told", "The report has totals and times", _check_report_facts, covers=TEXT, weight=3),
    make_checkpoint("laid_out", "The report is laid out as asked", _laid_out, kind="format",
         covers=(*TEXT, f"headings:{PAGE}", f"pictures:{PAGE}", f"links:{PAGE}")),
    leaves.answer_number("The answer is when it begins", lambda facts: facts["shown"][0]["start_s"], _JUST_S),
    leaves.check_inspected("The agent looked at both pictures after their last change", *PICTURES),
    leaves.nothing_else("report/"),
)  # fmt: skip
