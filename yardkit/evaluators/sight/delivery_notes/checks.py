"""Each note once, with its order and the day on its stamp; each article of which too much or too little came."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import Date, Exact, Number, Table, Text

BOOK = "delivery_check.xlsx"
COUNT = Number(0.0, typed=True)
NOTES = Table(
    BOOK,
    "Notes",
    {"Note": Exact(), "Order": Exact(), "Received": Date(), "Pieces": COUNT, "State": Text()},
    ("Note",),
    lambda facts: facts["notes"],
)
DISCREPANCIES = Table(
    BOOK,
    "Discrepancies",
    {"Order": Exact(), "Article": Exact(), "Ordered": COUNT, "Delivered": COUNT, "Difference": COUNT},
    ("Order", "Article"),
    lambda facts: facts["differing"],
)

CHECKS = make_group(
    "delivery_notes",
    "The deliveries are checked",
    make_group(
        "notes",
        "The notes are read",
        leaves.check_rows("each_note", "Each note has one row", NOTES, weight=2),
        leaves.check_cells("orders", "Each has its order", NOTES, "Order", weight=2),
        leaves.check_cells("received", "Each has the day on its stamp", NOTES, "Received", covers=NOTES.formats),
        leaves.check_cells("pieces", "The pieces are added up", NOTES, "Pieces"),
        leaves.check_cells("states", "The one that is already booked is named", NOTES, "State"),
        weight=3,
    ),
    make_group(
        "discrepancies",
        "Differences are found",
        leaves.check_rows(
            "each_article", "Each article that differs has one row, and no other", DISCREPANCIES, weight=3
        ),
        leaves.check_cells("amounts", "They are right", DISCREPANCIES, "Ordered", "Delivered", "Difference", weight=2),
        weight=4,
    ),
    leaves.check_headers("layout", "The sheets are laid out as asked", NOTES, DISCREPANCIES, weight=0.5),
    leaves.answer_number("The answer is the missing amount", lambda facts: facts["missing"], weight=2),
    leaves.nothing_else(BOOK),
)
