"""Each held order is decided by the policy in force, noted, and asked about where it is to be; all others stay."""

import re

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.submission import Submission

ORDERS, LINES = Records("shop", "orders"), Records("shop", "order_lines")
PRODUCTS, NOTES = Records("shop", "products"), Records("shop", "order_notes")
PHONE = r"\b(tele)?phones?\b|\bmobile\b|\bcall(ed|ing)?\b"
MAILS = Mails(lambda facts: facts["mails"], separate_mails=True)


def _check_log(submission: Submission, facts: Facts) -> Finding:
    """What the shop itself noted leads from on hold to the decision, step by step, and nothing else was noted by it."""
    known = {row["id"] for row in NOTES.read_rows(submission.untouched)}
    new = [row for row in NOTES.read_rows(submission) if row["id"] not in known and row["author"] == "system"]
    inside = [row for row in new if not row["for_customer"]]
    logged_steps = [(row["order_id"], re.findall("from (.+) to (.+)\\.$", row["text"])) for row in inside]
    steps = [(order, *status_changes[0]) for order, status_changes in logged_steps if status_changes]
    problems = [] if len(steps) == len(new) else ["a note of the shop is another one"]
    for order in facts["orders"]:
        at = "on-hold"
        for _, before, after in (step for step in steps if step[0] == order["id"]):
            problems += [f"{order['id']} became {after} from {before}, but was {at}"] if before != at else []
            at = after
        problems += [f"{order['id']} was left as {at}"] if at != order["status"] else []
    problems += [
        f"{step[0]} was not held" for step in steps if step[0] not in {order["id"] for order in facts["orders"]}
    ]
    return make_finding(not problems, "; ".join(problems[:8]) or "all steps are noted")


def _check_asked(submission: Submission, facts: Facts) -> Finding:
    pairs, _ = MAILS.pair_mails(submission, facts)
    problems = [want["to"] for want, mail in pairs if not mail or not re.search(PHONE, simplify_text(mail.own_text))]
    return make_finding(not problems, f"not asked for a number: {problems or 'none'}")


def _may_change(facts: Facts) -> tuple[str, ...]:
    fields = [f"orders#{order['id']}.{field}" for order in facts["orders"] for field in ("status", "modified")]
    fields += [f"order_lines#{line['id']}.from_stock" for line in facts["lines"]]
    changed = ("stock", "stock_status", "modified")
    fields += [f"products#{product['id']}.{field}" for product in facts["stock"] for field in changed]
    return tuple(f"shop:{field}" for field in fields)


CHECKS = make_group(
    "fraud_review",
    "The held orders are decided by the policy in force",
    make_group(
        "decisions",
        "Each order became what the policy says",
        leaves.check_records(
            "status",
            "Released, cancelled or still on hold",
            ORDERS,
            lambda facts: facts["orders"],
            where=lambda row, facts: any(row["id"] == order["id"] for order in facts["orders"]),
            weight=3,
        ),
        leaves.check_records(
            "notes",
            "Each has the usual note with its rule",
            NOTES,
            lambda facts: [*facts["notes"]],
            where=lambda row, _facts: row["author"] != "system",
            added=True,
            weight=2,
        ),
        make_checkpoint("logged", "The shop noted the same", _check_log, covers=NOTES.covers),
        leaves.check_records(
            "stock",
            "Cancelled goods are in the stock again",
            PRODUCTS,
            lambda facts: facts["stock"],
            where=lambda row, facts: any(row["id"] == product["id"] for product in facts["stock"]),
        ),
        leaves.check_records(
            "lines",
            "All others keep theirs",
            LINES,
            lambda facts: facts["lines"],
            where=lambda row, facts: any(row["id"] == line["id"] for line in facts["lines"]),
        ),
        weight=3,
    ),
    make_group(
        "questions",
        "Everyone to be asked gets one mail",
        MAILS.check_sent("sent", "Just they get one, each at the right address", weight=2),
        MAILS.says("said", "It names all orders that are in question, and none of others"),
        make_checkpoint("asked", "It asks for a telephone number", _check_asked, covers=("mail:Sent#text",)),
        weight=2,
    ),
    leaves.answer_number("The answer is what the released orders come to", lambda facts: facts["total"], 0.005),
    leaves.check_unchanged_records("shop:order_notes+", "mail:sent", also=_may_change),
    leaves.nothing_else(id="files"),
)
