"""A receipt alone, straight and upright, without number and name; its amounts are in the list of expenses."""

from typing import Any

from toolyard.evaluators import leaves
from toolyard.evaluators.checkpoints import Check, Facts, Finding, InvalidArtifact, finding, group, leaf
from toolyard.evaluators.leaves import Date, FileName, Number, Table, Text
from toolyard.evaluators.readers.files import parse_file
from toolyard.evaluators.readers.media.compositions import (
    Placement,
    detail_left,
    flatten,
    inked_tiles,
    locate,
    most_left,
    read_shown,
)
from toolyard.evaluators.readers.media.inner_pictures import find_inner_pictures
from toolyard.evaluators.readers.media.writing import plain, read_lines
from toolyard.evaluators.submission import Submission

PICTURE, BOOK = "audit/receipt.jpg", "expenses.xlsx"
MONEY = Number(0.005, typed=True)
EXPENSES = Table(
    BOOK,
    "March",
    {"Date": Date(), "Merchant": Text(), "Photo": FileName(), "Net": MONEY, "VAT": MONEY, "Total": MONEY},
    ("Date", "Merchant"),
    lambda facts: facts["rows"],
)
_EDGE, _SHAPE, _WIDTH_PX = 0.02, 0.15, 600
"""How far the edges of the receipt may be from those of the picture, and its proportions from the true ones."""
_SEEN, _KEPT, _ALL = 0.3, 0.4, 0.97
"""How much detail of a secret may be left, how much a part that stays must keep, and how many such parts must."""
_PART, _RUN = (60, 30), 5


def _truth(submission: Submission, facts: Facts) -> Any:
    """The receipt as it is on the photo, made flat by its true corners."""
    return flatten(read_shown(submission.untouched, facts["photo"]), facts["corners"], facts["size"])


def _found(submission: Submission, facts: Facts) -> tuple[Any, Any, Placement]:
    """The receipt as it is, the delivered picture, and where that shows the receipt."""
    truth, made = _truth(submission, facts), read_shown(submission, PICTURE)
    place = locate(submission, truth, made)
    if place is None:
        raise InvalidArtifact(f"{PICTURE} does not show the receipt of {facts['photo']}")
    return truth, made, place


def _straight(submission: Submission, facts: Facts) -> Finding:
    _, made, place = _found(submission, facts)
    height, width = made.shape[:2]
    goals = ((0, 0), (width, 0), (width, height), (0, height))
    off = max(
        max(abs(x - goal[0]) / width, abs(y - goal[1]) / height)
        for (x, y), goal in zip(place.corners, goals, strict=True)
    )
    shape = width / height / (facts["size"][0] / facts["size"][1])
    holds = off <= _EDGE and abs(shape - 1) <= _SHAPE and width >= _WIDTH_PX
    return finding(holds, f"{width} x {height} px, corners off by {off:.1%}, proportions {shape:.2f} of the true ones")


def _gone(what: str) -> Check:
    """Whether the number or the name can neither be seen nor read."""

    def check(submission: Submission, facts: Facts) -> Finding:
        truth, made, place = _found(submission, facts)
        seen = most_left(truth, place.take_back(made), facts[what], *_PART)
        lines = [line.text for line in read_lines(submission, made)]
        read = [line for line in lines if _holds_secret(line, what, facts)]
        return finding(seen <= _SEEN and not read, f"detail left: {seen:.2f}; lines in which it is read: {len(read)}")

    return check


def _holds_secret(line: str, what: str, facts: Facts) -> bool:
    if what == "name":
        return any(plain(part) in line for part in facts["holder"])
    digits, card = "".join(letter for letter in line if letter.isdigit()), facts["card"]
    return any(card[at : at + _RUN] in digits for at in range(len(card) - _RUN + 1))


def _nothing_below(submission: Submission, facts: Facts) -> Finding:
    """No picture within the file shows what the picture itself hides."""
    truth = _truth(submission, facts)
    inner = parse_file(submission, PICTURE, find_inner_pictures, "picture")
    places = [(picture, locate(submission, truth, picture)) for picture in inner]
    secret = [*facts["number"], *facts["name"]]
    left = [most_left(truth, place.take_back(picture), secret, *_PART) for picture, place in places if place]
    return finding(max(left, default=1.0) <= _SEEN, f"{len(inner)} pictures in the file; detail left in them: {left}")


def _readable(submission: Submission, facts: Facts) -> Finding:
    """Parts with print look as before, but for the lines of what is secret; the total is read."""
    truth, made, place = _found(submission, facts)
    shown = place.take_back(made)
    secret = [(box[1] - 8, box[3] + 8) for what in ("number", "name") for box in facts[what]]
    parts = [
        part
        for part in inked_tiles(truth, *_PART)
        if not any(top < part[3] and part[1] < bottom for top, bottom in secret)
    ]
    kept = sum(detail_left(truth, shown, part) >= _KEPT for part in parts) / len(parts)
    read = any(plain(facts["paid"]) in line.text for line in read_lines(submission, made))
    return finding(kept >= _ALL and read, f"{kept:.1%} of {len(parts)} parts as before; the total is read: {read}")


OBSERVED = (f"file:{PICTURE}", f"image:{PICTURE}")
CHECKS = group(
    "receipt_photo",
    "The receipt may go to the auditors and is entered",
    group(
        "picture",
        "The picture shows the receipt and hides what is private",
        leaf("straight", "The receipt alone fills the picture, upright", _straight, observes=OBSERVED, weight=2),
        leaf("number", "The number of the card cannot be read", _gone("number"), observes=OBSERVED, weight=2),
        leaf("name", "Nor can the name", _gone("name"), observes=OBSERVED, weight=2),
        leaf("nothing_below", "Nor are they elsewhere in the file", _nothing_below, observes=OBSERVED, weight=2),
        leaf("readable", "All else can be read as before", _readable, observes=OBSERVED, weight=2),
        leaves.inspected("The agent looked at the picture that it hands in", PICTURE),
        weight=3,
    ),
    group(
        "sheet",
        "The dinner is entered",
        leaves.rows("entered", "It has one row, after the others", EXPENSES, ordered=True),
        leaves.cells("values", "All rows hold what they should", EXPENSES, weight=2),
        weight=2,
    ),
    leaves.answer_number("The answer is the total of March", lambda facts: facts["total"], 0.005),
    leaves.kept(
        "kept_rows",
        "Earlier rows and months are as before",
        BOOK,
        "cells#March!?9",
        "formats#March!?9",
        "layout#March!width*",
        observes=tuple(f"{kind}:{BOOK}#*" for kind in ("cells", "rows", "sheet", "formats", "looks", "visibility")),
    ),
    leaves.nothing_else(PICTURE, BOOK),
)
