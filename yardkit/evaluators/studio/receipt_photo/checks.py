"""A receipt alone, straight and upright, without number and name; its amounts are in the list of expenses."""

from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Date, FileName, Number, RedactedPicture, Table, Text
from yardkit.evaluators.readers.media.compositions import flatten_corners, read_upright_picture
from yardkit.evaluators.submission import Submission

PICTURE, BOOK = "audit/receipt.jpg", "expenses.xlsx"
MONEY = Number(0.005, typed=True)
EXPENSES = Table(
    BOOK,
    "March",
    {"Date": Date(), "Merchant": Text(), "Photo": FileName(), "Net": MONEY, "VAT": MONEY, "Total": MONEY},
    ("Date", "Merchant"),
    lambda facts: facts["rows"],
)


def _flatten_truth(submission: Submission, facts: Facts) -> Any:
    """The receipt as it is on the photo, made flat by its true corners."""
    return flatten_corners(read_upright_picture(submission.untouched, facts["photo"]), facts["corners"], facts["size"])


def _list_secret_boxes(facts: Facts) -> list[Any]:
    return [*facts["number"], *facts["name"]]


RECEIPT = RedactedPicture(PICTURE, _flatten_truth)
CHECKS = make_group(
    "receipt_photo",
    "The receipt may go to the auditors and is entered",
    make_group(
        "picture",
        "The picture shows the receipt and hides what is private",
        RECEIPT.check_straight(
            "straight", "The receipt alone fills it, upright", edge=0.02, shape=0.15, width_px=600, weight=2
        ),
        RECEIPT.check_removed(
            "number", "The card's number cannot be read", lambda f: f["number"], lambda f: [f["card"]], weight=2
        ),
        RECEIPT.check_removed("name", "Nor can the name", lambda f: f["name"], lambda f: f["holder"], weight=2),
        RECEIPT.nothing_below("nothing_below", "Nor are they elsewhere in the file", _list_secret_boxes, weight=2),
        RECEIPT.check_readable(
            "readable", "All else can be read as before", _list_secret_boxes, lambda f: [f["paid"]], weight=2
        ),
        leaves.check_inspected("The agent looked at the picture that it hands in", PICTURE),
        weight=3,
    ),
    make_group(
        "sheet",
        "The dinner is entered",
        leaves.check_rows("entered", "It has one row, after the others", EXPENSES, ordered=True),
        leaves.check_cells("values", "All rows hold what they should", EXPENSES, weight=2),
        weight=2,
    ),
    leaves.answer_number("The answer is the total of March", lambda facts: facts["total"], 0.005),
    leaves.check_unchanged(
        "kept_rows",
        "Earlier rows and months are as before",
        BOOK,
        "cells#March!?9",
        "formats#March!?9",
        "layout#March!width*",
        covers=tuple(f"{kind}:{BOOK}#*" for kind in ("cells", "rows", "sheet", "formats", "looks", "visibility")),
    ),
    leaves.nothing_else(PICTURE, BOOK),
)
