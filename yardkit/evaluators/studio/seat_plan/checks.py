"""Booked seats bear the colours of their groups, all numbers can be read, and the legend says who is who."""

from collections.abc import Iterator, Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, finding, group, leaf
from yardkit.evaluators.leaves import Lettering, observed
from yardkit.evaluators.readers.media.compositions import detail_left, read_shown
from yardkit.evaluators.readers.media.legibility import ink_contrast
from yardkit.evaluators.readers.media.tints import colored, tinted
from yardkit.evaluators.readers.pages.covers import measure_difference
from yardkit.evaluators.submission import Submission

MARKED = "plan_marked.png"
_MARKED, _FREE, _COLOR = 0.2, 0.05, 0.3
"""Which part of a seat has a colour if it is marked, which if it is free, and which has its group's."""
_KEPT, _CONTRAST = 0.35, 2.5
_OTHER, _SPOILED, _ROOM_PX = 48, 0.0008, 8


def _plans(submission: Submission, facts: Facts) -> tuple[Any, Any]:
    """The plan as it was, and as it was handed in, of the same size."""
    before, after = read_shown(submission.untouched, facts["plan"]), read_shown(submission, MARKED)
    if before.shape != after.shape:
        raise InvalidArtifact(f"{MARKED} is {after.shape[1]} x {after.shape[0]}, the plan another size")
    return before, after


def _booked(facts: Facts) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from ((name, seat) for name, seat in facts["seats"].items() if seat["group"])


def _seats(submission: Submission, facts: Facts) -> Finding:
    _, after = _plans(submission, facts)
    parts = {name: colored(after, seat["box"]) for name, seat in facts["seats"].items()}
    booked = {name for name, _ in _booked(facts)}
    lacking = [name for name in sorted(booked) if parts[name] < _MARKED]
    odd = [name for name in parts if name not in booked and parts[name] > _FREE]
    return finding(not lacking and not odd, f"{len(booked)} booked; not marked: {lacking}; marked though free: {odd}")


def _colors(submission: Submission, facts: Facts) -> Finding:
    _, after = _plans(submission, facts)
    wrong = [
        name for name, seat in _booked(facts) if tinted(after, seat["box"], facts["colors"][seat["group"]]) < _COLOR
    ]
    return finding(not wrong, f"seats without the colour of their group: {wrong or 'none'}")


def _numbers(submission: Submission, facts: Facts) -> Finding:
    """The number of each seat has its shape, dark on light or light on dark, and contrast."""
    before, after = _plans(submission, facts)
    faint = []
    for name, seat in facts["seats"].items():
        left, top, right, bottom = seat["box"]
        inner = (left + 7, top + 9, right - 7, bottom - 9)
        kept, clear = abs(detail_left(before, after, inner)), ink_contrast(after, inner)
        faint += [f"{name} ({kept:.2f}, {clear:.1f} to 1)"] if kept < _KEPT or clear < _CONTRAST else []
    return finding(not faint, f"numbers that cannot be read: {faint[:8] or 'none'}")


def _rest(submission: Submission, facts: Facts) -> Finding:
    before, after = _plans(submission, facts)
    changed = measure_difference(before, after) > _OTHER
    changed[facts["strip"][1] + _ROOM_PX :] = False
    for _, seat in _booked(facts):
        left, top, right, bottom = (round(side) for side in seat["box"])
        changed[top - _ROOM_PX : bottom + _ROOM_PX, left - _ROOM_PX : right + _ROOM_PX] = False
    return finding(changed.mean() <= _SPOILED, f"{changed.mean():.3%} of the rest looks different")


def _strip(facts: Facts) -> Any:
    return facts["strip"]


LEGEND = Lettering(MARKED, lambda facts: facts["legend"])
CHECKS = group(
    "seat_plan",
    "The stewards see each guest's seat",
    group(
        "marks",
        "The seats are marked",
        leaf("seats", "Just the booked seats are marked", _seats, observes=observed(MARKED), weight=3),
        leaf("colors", "Each has the colour of its group", _colors, observes=observed(MARKED), weight=2),
        leaf("numbers", "All numbers can be read", _numbers, observes=observed(MARKED), weight=2),
        leaf("rest", "The rest of the plan is as it was", _rest, observes=observed(MARKED)),
        weight=4,
    ),
    group(
        "legend",
        "The legend is there",
        LEGEND.high(
            "lines",
            "It has a line for each group, with the number of its seats",
            lambda facts: dict.fromkeys(facts["legend"], 14),
            weight=2,
        ),
        LEGEND.patched(
            "patches", "Each has a patch of its colour, below the hall", lambda facts: facts["colors"], _strip
        ),
        weight=2,
    ),
    leaves.answer_number("The answer counts the free seats", lambda facts: facts["free"]),
    leaves.inspected("The agent looked at the plan that it hands in", MARKED),
    leaves.nothing_else(MARKED),
)
