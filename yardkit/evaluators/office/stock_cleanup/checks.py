"""Every line of the count either stays, cleaned, or is logged with its reason; lists and a warning colour that work."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import Code, Date, Exact, Number, Table, Text

BOOK = "stock_clean.xlsx"
BASE = ("kg", "l", "m", "pcs")
QUANTITY = Number(0.0006, typed=True)
FROM_ITEMS = ("Description", "Unit", "Reorder level")
VALUES = ("SKU", "Location", "Description", "Quantity", "Unit", "Counted", "Reorder level")
"""The columns of the stock in the order of the facts."""
STOCK = Table(
    BOOK,
    "Stock",
    {"SKU": Exact(), "Description": Text(), "Location": Exact(), "Quantity": QUANTITY, "Unit": Exact(),
     "Counted": Date(), "Reorder level": QUANTITY},
    ("SKU", "Location"),
    lambda facts: [dict(zip(VALUES, (*key.split(), *line), strict=True)) for key, line in facts["stock"].items()],
)  # fmt: skip
REMOVED = Table(
    BOOK,
    "Removed",
    {"Row": Code(), "SKU": Exact(), "Reason": Text()},
    ("Row",),
    lambda facts: [{"Row": row, "SKU": facts["written"][row], "Reason": why} for row, why in facts["removed"].items()],
)
LISTS = Table(BOOK, "Lists", {"Units": Exact(), "Locations": Exact()}, ("Units",), lambda _facts: [])

CHECKS = make_group(
    "stock_cleanup",
    "The count is clean",
    make_group(
        "stock",
        "The lines that stay are clean",
        leaves.check_rows("each_once", "Each item and place that stays has one row", STOCK, weight=2),
        leaves.check_cells("quantities", "Quantities are in the base unit", STOCK, "Quantity", weight=3),
        leaves.check_cells(
            "from_items", "Description, unit and reorder level are the item's", STOCK, *FROM_ITEMS, weight=2
        ),
        leaves.check_cells(
            "days", "The days of counting are real dates", STOCK, "Counted", covers=STOCK.formats, weight=2
        ),
        leaves.in_order("sorted", "The rows are in order", STOCK, "SKU", "Location"),
        weight=4,
    ),
    make_group(
        "removed",
        "The lines that do not stay are logged",
        leaves.all_of(
            "logged",
            "Just the lines that do not stay are logged",
            leaves.check_rows("", "", REMOVED),
            leaves.check_cells("", "", REMOVED, "SKU"),
            weight=2,
        ),
        leaves.check_cells("reasons", "Each has its reason", REMOVED, "Reason", weight=2),
        weight=3,
    ),
    make_group(
        "guards",
        "The sheet helps the next person who works on it",
        leaves.check_list_items(
            "lists",
            "Lists holds the units and places",
            LISTS,
            lambda facts: {"Units": BASE, "Locations": facts["locations"]},
        ),
        leaves.check_drop_downs(
            "drop_downs",
            "Unit and Location accept what is in the lists",
            STOCK,
            lambda facts: {"Unit": BASE, "Location": facts["locations"]},
            of=(LISTS,),
            weight=2,
        ),
        leaves.check_coloring(
            "warning", "Items below their reorder level are coloured", STOCK, "Quantity", "Reorder level", weight=2
        ),
        weight=3,
    ),
    leaves.check_headers("layout", "The sheets are laid out as asked", STOCK, REMOVED, LISTS, weight=0.5),
    leaves.answer_number("The answer counts the items below it", lambda facts: facts["below"]),
    leaves.nothing_else(BOOK),
)
