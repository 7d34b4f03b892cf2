"""The credit note follows what was agreed last, and the customer gets it, in the thread, alone."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import make_group
from yardkit.evaluators.leaves import Exact, Mails, Number, Table

BOOK = "credit_note.xlsx"
LINES = Table(
    BOOK,
    "Lines",
    {"SKU": Exact(), "Pieces": Number(), "Percent": Number(), "Amount": Number()},
    ("SKU",),
    lambda facts: facts["lines"],
)
SUMS = Table(BOOK, "Sums", {"Part": Exact(), "EUR": Number(0.011)}, ("Part",), lambda facts: facts["sums"])
MAILS = Mails(lambda facts: facts["mails"])

CHECKS = make_group(
    "invoice_dispute",
    "The dispute is settled by what was agreed",
    make_group(
        "note",
        "The credit note is right",
        leaves.all_of(
            "lines",
            "Each line has the pieces and the percent that were agreed, by formulas as before",
            leaves.check_cells("", "", LINES, "Pieces", "Percent", known=True),
            leaves.check_formulas("", "", LINES, "Amount"),
            weight=3,
        ),
        leaves.all_of(
            "sums",
            "The sums follow from them",
            leaves.check_cells("", "", SUMS, "EUR"),
            leaves.check_formulas("", "", SUMS, "EUR"),
        ),
        weight=2,
    ),
    make_group(
        "mail",
        "The customer has an answer",
        MAILS.check_sent("sent", "The person who asked gets one mail, and no one else gets any", weight=2),
        MAILS.says("said", "It names the credit note and its total"),
        MAILS.check_files("carried", "The corrected credit note is attached, and nothing else", weight=2),
        MAILS.check_threads("answered", "It answers the last mail in its thread"),
        weight=2,
    ),
    leaves.answer_number("The answer is the total", lambda facts: facts["sums"][-1]["EUR"], 0.011, id="total"),
    leaves.check_unchanged(
        "kept",
        "Nothing else in the workbook changed",
        BOOK,
        "cells#Lines!C*",
        "cells#Lines!D*",
        covers=tuple(f"{kind}:{BOOK}*" for kind in ("cells", "rows", "sheet", "formats", "looks", "visibility")),
    ),
    leaves.check_unchanged_records("mail:sent"),
    leaves.nothing_else(BOOK, id="files"),
)
