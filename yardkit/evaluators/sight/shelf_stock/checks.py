"""What stands on the shelves is counted, the differences follow, and just what is short is reordered."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Code, Number, Sheets, Table, Text, Trial

BOOK = "stock.xlsx"
COUNT = Number(0.001, typed=True)
STOCK = Table(
    BOOK,
    "Stock",
    {"EAN": Code(), "Product": Text(), "Size": Text(), "Book": COUNT, "Counted": COUNT, "Difference": COUNT},
    ("EAN",),
    lambda facts: [{**row, "Difference": row["Counted"] - row["Book"]} for row in facts["stock"]],
)
REORDER = Table(
    BOOK,
    "Reorder",
    {"EAN": Code(), "Product": Text(), "Size": Text(), "Missing": COUNT, "Cartons": COUNT},
    ("EAN",),
    lambda facts: [row for row in facts["stock"] if row["EAN"] in facts["reorder"]],
)


def _counted_again(sheets: Sheets, facts: Facts) -> Trial:
    """Of each product another number is counted, and another one should be there."""
    trial, rows = Trial(), {str(row["EAN"]): dict(row) for row in facts["stock"]}
    for line in STOCK.list_lines(sheets):
        row = rows.get(line.normalize_cell("EAN"))
        if row:
            row["Counted"], row["Book"] = row["Counted"] + 5, row["Book"] + 2
            row["Difference"] = row["Counted"] - row["Book"]
            trial.change_cell(line, "Counted", row["Counted"])
            trial.change_cell(line, "Book", row["Book"])
    trial.expect_rows(STOCK, rows.values())
    return trial


CHECKS = make_group(
    "shelf_stock",
    "The shelves are counted",
    make_group(
        "stock",
        "The list has the counted numbers",
        leaves.check_cells("counted", "The packs are counted", STOCK, "Counted", weight=4),
        leaves.check_cells("differences", "The differences are right", STOCK, "Difference", weight=2),
        leaves.check_live_formulas(
            "live", "They follow", _counted_again, follows=(STOCK,), weight=2,
            least=lambda facts: 2 * len(facts["stock"]),
        ),
        weight=5,
    ),
    make_group(
        "reorder",
        "Products in short supply are reordered",
        leaves.check_rows("products", "Only products below their minimum are listed", REORDER, weight=3),
        leaves.check_cells("missing", "The quantities missing to the target are right", REORDER, "Missing", weight=2),
        leaves.check_cells("cartons", "So are the cartons", REORDER, "Cartons", weight=2),
        leaves.check_cells("names", "Products and sizes belong to their numbers", REORDER, "Product", "Size"),
        leaves.check_headers("layout", "The sheet is laid out as asked", REORDER, weight=0.5),
        weight=4,
    ),
    leaves.answer_number("The answer counts the cartons", lambda facts: facts["cartons"]),
    leaves.check_unchanged(
        "rest", "Nothing else of the list changed", BOOK,
        "cells#Stock!E*", "cells#Stock!F*", "formats#Stock!E*", "formats#Stock!F*", "*#Reorder*", "layout#Stock!width*",
        covers=tuple(
            f"{kind}:{BOOK}#{sheet}{cells}"
            for sheet in ("Stock", "Suppliers")
            for kind, cells in (("cells", "!*"), ("rows", ""), ("sheet", ""), ("looks", ""), ("visibility", ""))
        ),
    ),
    leaves.nothing_else(BOOK),
)  # fmt: skip
