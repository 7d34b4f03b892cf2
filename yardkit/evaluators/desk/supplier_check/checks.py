"""The row of the supplier holds what its check found, the portal has got its form once, and who asked knows."""

from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Check, Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.desk.supplier_check.web_form_leaves import filled_in, sent_once, squeeze_text
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.submission import Submission

ROWS = Records("notes", "pages", ("values",))
MAILS = Mails(lambda facts: [facts["mail"]])
TARGET = "https://supplier-portal.example/registered"
AMOUNTS = ("delivery_days", "least_order_eur", "references")
CHECKED_COLUMNS = (
    "Supplier",
    "Our number",
    "Register number",
    "Register entry",
    "Site",
    "City",
    "Director",
    "Tax number",
)
JUDGED = ("References", "Risk class", "Status", "Checked on", "Portal number")


def _read_row(submission: Submission, facts: Facts) -> dict[str, Any]:
    """The values of the row by column, with its title."""
    rows = (row for row in ROWS.read_rows(submission) if row["id"] == facts["row_id"])
    return next(({"Supplier": row["title"], **row["values"]} for row in rows), {})


def _check_values(*columns: str) -> Check:
    """That these columns hold what they should."""

    def check(submission: Submission, facts: Facts) -> Finding:
        row_values, expected_values = _read_row(submission, facts), facts["row"]
        problems = [
            f"{name}: {row_values.get(name)!r}, expected {expected_values[name]!r}"
            for name in columns
            if _normalize_value(row_values.get(name, "")) != _normalize_value(expected_values[name])
        ]
        return make_finding(not problems, "; ".join(problems) or f"{', '.join(columns)} are right")

    return check


def _normalize_value(value: Any) -> str:
    """A text without blanks and case; of an address without what does not matter."""
    text = squeeze_text(str(value)).removeprefix("https://").removeprefix("www.")
    return text.removesuffix("/").removesuffix(".html")


CHECKS = make_group(
    "supplier_check",
    "The supplier is checked and entered",
    make_group(
        "row",
        "Its row is complete",
        make_checkpoint(
            "found",
            "It holds what register and site say",
            _check_values(*CHECKED_COLUMNS),
            covers=ROWS.covers,
            weight=2,
        ),
        make_checkpoint(
            "judged",
            "It holds what follows",
            _check_values(*JUDGED),
            covers=ROWS.covers,
        ),
        weight=3,
    ),
    make_group(
        "portal",
        "The portal has the entry",
        sent_once("sent", "One form was sent, once", TARGET),
        filled_in(
            "form", "It holds what the check found", TARGET, lambda facts: facts["form"], numbers=AMOUNTS, weight=3
        ),
        weight=4,
    ),
    make_group(
        "mail",
        "The person who asked is informed",
        MAILS.check_sent("told", "They get one mail, and no one else gets any"),
        MAILS.says("says", "It says the number in the portal"),
        weight=2,
    ),
    leaves.check_unchanged_records(
        "browser",
        "mail:sent",
        "mail:answers",
        "notes:versions+",
        also=lambda facts: tuple(
            f"notes:pages#{facts['row_id']}.{name}" for name in ("title", "values", "edited", "editor_id")
        ),
    ),
    leaves.note_versions("versions", "No other has a new version", lambda facts: [facts["row_id"]]),
    leaves.nothing_else(),
)
