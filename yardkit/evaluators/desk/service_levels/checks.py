"""Minutes, credits, drafts and escalations follow from contracts, clocks and mails; nothing else changed."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, make_group
from yardkit.evaluators.leaves import Exact, Mails, Names, Number, Table, Text

CREDITS = Table(
    "service/credits_2026-04.docx",
    "",
    {"Contract": Exact(), "Customer": Text(), "Late tickets": Names(), "Percent": Number(), "Credit EUR": Number()},
    ("Contract",),
    lambda facts: facts["rows"],
)
DRAFTS = Mails(lambda facts: facts["drafts"], folder="Drafts", separate_mails=True)
ESCALATED = Mails(lambda facts: facts["mails"])


def _format_minutes(facts: Facts) -> str:
    return str(facts["minutes"])


CHECKS = make_group(
    "service_levels",
    "The service levels of April are worked out",
    leaves.warehouse_changes(
        "minutes",
        "Each ticket solved in April has its minutes, those of its contract, and whether it is late",
        _format_minutes,
        added=lambda facts: facts["changes"]["added"],
        weight=4,
    ),
    make_group(
        "document",
        "The credits have their document",
        leaves.check_texts(
            "title", "It says of which month they are", CREDITS.path, lambda _: ["Credits for April 2026"]
        ),
        leaves.check_rows("contracts", "Each contract with a credit has a row, then the total", CREDITS, ordered=True),
        leaves.check_exact_rows(
            "credits", "Customers, late tickets, percentages and credits are right", CREDITS, weight=3
        ),
        weight=3,
    ),
    make_group(
        "drafts",
        "Each of these customers has a draft",
        DRAFTS.check_sent("drafted", "One draft for each, to its contact, and no others", weight=2),
        DRAFTS.says("draft_says", "It names contract, late tickets and credit"),
        weight=2,
    ),
    make_group(
        "escalations",
        "Contracts at the most are escalated",
        ESCALATED.check_sent(
            "sent", "One mail for each, to account manager and head of Sales, and no others", weight=2
        ),
        ESCALATED.says("said", "It names contract, percentage and credit"),
        weight=2,
    ),
    leaves.check_unchanged_records(
        "mail:sent",
        "mail:answers",
        "mail:drafts",
        "warehouse:catalog.json",
        also=lambda facts: (f"warehouse:{_format_minutes(facts).replace('.', '/')}.parquet",),
    ),
    leaves.check_unchanged_tables(also=lambda facts: (_format_minutes(facts),)),
    leaves.nothing_else(CREDITS.path),
)
