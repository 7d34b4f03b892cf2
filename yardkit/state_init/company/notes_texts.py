"""What the notes of a seeded company say: rules of the handbook, tasks, decisions."""

from dataclasses import dataclass
from typing import Any

Part = tuple[str, str, dict[str, Any]]
"""Kind, text and data of a block."""


@dataclass(frozen=True)
class Policy:
    """A rule. says: its sentence, with a place for the number; numbers: those that it had; like: a title like it."""

    group: str
    department: str
    title: str
    says: str
    numbers: tuple[int, ...]
    rest: tuple[str, ...]
    like: str = ""


POLICIES = (
    Policy(
        *("Shop", "Sales", "Returns"),
        "Private customers may send goods back within {n} days.",
        (14, 21, 28, 30),
        (
            "The parcel back is paid by us.",
            "What was used is paid in part.",
        ),
        "Returns of companies",
    ),
    Policy(
        *("Shop", "Operations", "Late parcels"),
        "Who waited more than {n} working days longer than promised gets sorry5.",
        (2, 3, 5, 7),
        ("Partial deliveries count by the last.",),
        "Late suppliers",
    ),
    Policy(
        *("Shop", "Sales", "Prices"),
        "New prices hold from the {n}th of the month on and end in 90.",
        (1, 5, 10, 15),
        (
            "What is on sale keeps its sale price until the sale ends.",
            "Prices are without tax.",
        ),
        "Prices of services",
    ),
    Policy(
        *("Shop", "Operations", "Low stock"),
        "At {n} pieces above the reorder mark a product counts as low.",
        (0, 3, 5, 8),
        ("Differences in a count of more than 5 % go to the head of Operations.",),
    ),
    Policy(
        *("Shop", "Finance", "Held orders"),
        "Orders over {n} euros from new customers are held.",
        (800, 1000, 1500, 2500),
        (
            "Who released one writes a note to the order.",
            "Cancelled ones are refunded the same day.",
        ),
    ),
    Policy(
        *("Money", "Finance", "Refunds"),
        "Refunds over {n} euros need the head of Sales.",
        (150, 250, 400, 500),
        (
            "A refund names the order and the reason.",
            "Goods that came broken are not restocked.",
        ),
        "Refunds of expenses",
    ),
    Policy(
        *("Money", "Finance", "Expenses"),
        "A meal on a journey is paid up to {n} euros.",
        (28, 32, 36, 45),
        (
            "Receipts within a month.",
            "Tips are not paid.",
        ),
        "Expenses of guests",
    ),
    Policy(
        *("Money", "Finance", "Invoices"),
        "Invoices of suppliers are paid {n} days after they came.",
        (7, 10, 14, 21),
        ("Purchase order and delivery note must agree.",),
    ),
    Policy(
        *("People", "Operations", "Leave"),
        "Leave is asked for {n} days ahead.",
        (5, 10, 15, 20),
        ("A deputy is named, who answers mails.",),
        "Leave without pay",
    ),
    Policy(
        *("People", "Operations", "Interviews"),
        "An interview takes {n} minutes.",
        (45, 50, 60, 75),
        (
            "Two people are there, one from the department.",
            "Candidates hear from us within a week.",
        ),
    ),
    Policy(
        *("People", "Operations", "Trainings"),
        "{n} days of training a year are paid.",
        (3, 4, 5, 6),
        ("The owner of trainings enters exams into the calendar.",),
    ),
    Policy(
        *("Security", "Engineering", "Suspicious mail"),
        "Reports are answered within {n} hours.",
        (2, 4, 8, 24),
        (
            "What the bank sends comes from its own domain.",
            "Who clicked gets a ticket.",
        ),
        "Suspicious parcels",
    ),
    Policy(
        *("Security", "Engineering", "Keeping records"),
        "Mails with invoices are kept for {n} years.",
        (6, 8, 10, 12),
        (
            "Newsletters are not kept.",
            "Contracts are kept until five years after their end.",
        ),
    ),
    Policy(
        *("Security", "Engineering", "Passwords"),
        "A password has {n} characters.",
        (12, 14, 16, 20),
        ("It is changed when somebody else saw it.",),
    ),
)
TASKS = (
    *(
        "Measure the rooms",
        "Order samples",
        "Ask for three offers",
        "Draw the plan",
        "Call the carrier",
        "Test the lamps",
    ),
    *("Write the manual", "Check the lot numbers", "Translate the leaflet", "Count the shelf", "Photograph the chairs"),
    *("Book the fair", "Answer the audit", "Move the archive", "Label the boxes", "Train the new colleague"),
    *("Compare the tariffs", "Clean the address list", "Plan the delivery", "Review the contract"),
)
DECISIONS = (
    *("We take {number} more desks for the showroom.", "The newsletter goes out every {number} weeks."),
    *("Samples are free up to {number} euros.", "The warehouse closes {number} minutes earlier on Fridays."),
    *("We drop {number} products of the old catalogue.", "Support answers within {number} hours."),
    *("The fair gets a stand of {number} square metres.", "Prices of successors rise by {number} %."),
    *("Returns are checked by {number} people.", "The contract with the carrier is extended by {number} months."),
    *("A pilot with {number} customers begins next month.", "Travel is planned {number} days ahead."),
    *("We hire {number} helpers for December.", "The old archive boxes are sold {number} % cheaper."),
)


def make_part(kind: str, text: str, **data: Any) -> Part:
    """A block."""
    return kind, text, data


def policy_lines(policy: Policy, number: int, of: str = "") -> list[Part]:
    """The blocks of a rule with a number; `of`: for a page of another title."""
    first = f"This page is about {of.lower()}." if of else f"This holds for {policy.title.lower()}."
    policy_texts = (policy.says.format(n=number), *policy.rest)
    return [make_part("paragraph", first), *(make_part("bulleted_list_item", text) for text in policy_texts)]
