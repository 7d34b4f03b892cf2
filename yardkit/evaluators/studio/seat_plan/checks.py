"""Booked seats bear the colours of their groups, all numbers can be read, and the legend says who is who."""

from collections.abc import Iterator, Mapping
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, InvalidArtifact, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Lettering, list_observed
from yardkit.evaluators.readers.media.compositions import detail_left, read_upright_picture
from yardkit.evaluators.readers.media.legibility import ink_contrast
from yardkit.evaluators.readers.media.tints import measure_color, measure_tint
from yardkit.evaluators.readers.pages.covers import measure_difference
from yardkit.evaluators.submission import Submission

MARKED = "plan_marked.png"
_MARKED, _FREE, _COLOR = 0.2, 0.05, 0.3
"""Which part of a seat has a colour if it is marked, which if it is free, and which has its group's."""
_MOST_DETAIL_CHANGE, _CONTRAST = 0.35, 2.5
_OTHER, _MOST_CHANGED, _ROOM_PX = 48, 0.0008, 8


def _read_plans(submission: Submission, facts: Facts) -> tuple[Any, Any]:
    """The plan as it was, and as it was handed in, of the same size."""
    before, after = read_upright_picture(submission.untouched, facts["plan"]), read_upright_picture(submission, MARKED)
    if before.shape != after.shape:
        raise InvalidArtifact(f"{MARKED} is {after.shape[1]} x {after.shape[0]}, the plan another size")
    return before, after


def _list_booked(facts: Facts) -> Iterator[tuple[str, Mapping[str, Any]]]:
    yield from ((name, seat) for name, seat in facts["seats"].items() if seat["group"])


def _check_seats(submission: Submission, facts: Facts) -> Finding:
    _, after = _read_plans(submission, facts)
    parts = {name: measure_color(after, seat["box"]) for name, seat in facts["seats"].items()}
    booked = {name for name, _ in _list_booked(facts)}
    unmarked = [name for name in sorted(booked) if parts[name] < _MARKED]
    wrongly_marked = [name for name in parts if name not in booked and parts[name] > _FREE]
    return make_finding(
        not unmarked and not wrongly_marked,
        f"{len(booked)} booked; not marked: {unmarked}; marked though free: {wrongly_marked}",
    )


def _check_colors(submission: Submission, facts: Facts) -> Finding:
    _, after = _read_plans(submission, facts)
    wrong = [
        name
        for name, seat in _list_booked(facts)
        if measure_tint(after, seat["box"], facts["colors"][seat["group"]]) < _COLOR
    ]
    return make_finding(not wrong, f"seats without the colour of their group: {wrong or 'none'}")


def _check_numbers(submission: Submission, facts: Facts) -> Finding:
    """The number of each seat has its shape, dark on light or light on dark, and contrast."""
    before, after = _read_plans(submission, facts)
    faint = []
    for name, seat in facts["seats"].items():
        left, top, right, bottom = seat["box"]
        inner = (left + 7, top + 9, right - 7, bottom - 9)
        detail_change, clear = abs(detail_left(before, after, inner)), ink_contrast(after, inner)
        faint += (
            [f"{name} ({detail_change:.2f}, {clear:.1f} to 1)"]
            if detail_change < _MOST_DETAIL_CHANGE or clear < _CONTRAST
            else []
        )
    return make_finding(not faint, f"numbers that cannot be read: {faint[:8] or 'none'}")


def _check_other_content(submission: Submission, facts: Facts) -> Finding:
    before, after = _read_plans(submission, facts)
    changed = measure_difference(before, after) > _OTHER
    changed[facts["strip"][1] + _ROOM_PX :] = False
    for _, seat in _list_booked(facts):
        left, top, right, bottom = (round(side) for side in seat["box"])
        changed[top - _ROOM_PX : bottom + _ROOM_PX, left - _ROOM_PX : right + _ROOM_PX] = False
    return make_finding(changed.mean() <= _MOST_CHANGED, f"{changed.mean():.3%} of the rest looks different")


def _get_strip(facts: Facts) -> Any:
    return facts["strip"]


LEGEND = Lettering(MARKED, lambda facts: facts["legend"])
CHECKS = make_group(
    "seat_plan",
    "The stewards see each guest's seat",
    make_group(
        "marks",
        "The seats are marked",
        make_checkpoint(
            "seats", "Just the booked seats are marked", _check_seats, covers=list_observed(MARKED), weight=3
        ),
        make_checkpoint(
            "colors", "Each has the colour of its group", _check_colors, covers=list_observed(MARKED), weight=2
        ),
        make_checkpoint("numbers", "All numbers can be read", _check_numbers, covers=list_observed(MARKED), weight=2),
        make_checkpoint(
            "rest", "The rest of the plan is as it was", _check_other_content, covers=list_observed(MARKED)
        ),
        weight=4,
    ),
    make_group(
        "legend",
        "The legend is there",
        LEGEND.check_heights(
            "lines",
            "It has a line for each group, with the number of its seats",
            lambda facts: dict.fromkeys(facts["legend"], 14),
            weight=2,
        ),
        LEGEND.check_patches(
            "patches", "Each has a patch of its colour, below the hall", lambda facts: facts["colors"], _get_strip
        ),
        weight=2,
    ),
    leaves.answer_number("The answer counts the free seats", lambda facts: facts["free"]),
    leaves.check_inspected("The agent looked at the plan that it hands in", MARKED),
    leaves.nothing_else(MARKED),
)
