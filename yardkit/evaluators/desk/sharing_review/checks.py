"""Each grant is what the rules leave of it, and each other owner has one letter that says what was changed."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.submission import Submission

GRANTS = leaves.records(
    "grants",
    "Only the right people can use folders and files, in their roles",
    Records("drive", "grants"),
    lambda facts: facts["grants"],
    weight=5,
)
MAILS = Mails(lambda facts: [{"to": [owner], "says": [facts["subject"]]} for owner in facts["letters"]])
Line = tuple[str, bool]
ROLES = r"\b(reader|commenter|writer|organizer|owner)\b"


def _told(submission: Submission, facts: Facts) -> Finding:
    odd = []
    for want, mail in MAILS.paired(submission, facts)[0]:
        owner = want["to"][0]
        left = list(_lines(mail.own_text)) if mail else []
        for change in sorted(facts["letters"][owner], key=lambda change: -len(change["name"])):
            line = next((line for line in left if _says(line, change)), None)
            odd += [f"{owner} does not learn of {change}"] if line is None else []
            left = [other for other in left if other is not line]
        odd += [f"{owner} hears of {line[0]!r}" for line in left]
    return finding(not odd, "; ".join(odd[:8]) or "each owner learns about their own files")


def _lines(text: str) -> Iterator[Line]:
    """The lines that name address and role, and whether their owner is to see to it: line or heading says so."""
    head = ""
    for line in text.splitlines():
        if "@" in line and re.search(ROLES, fold(line)):
            yield line, "yourself" in fold(f"{head} {line}")
        elif line.strip():
            head = line


def _says(line: Line, change: dict[str, Any]) -> bool:
    """Whether a line names file, address, and the roles before and after, in whatever words there are for none."""
    now = "(none|nothing|no access|removed)" if change["now"] == "none" else change["now"]
    told = fold(line[0])
    way = re.search(rf"\b{change['was']}\b\W+((is|now|to)\W+)*{now}\b", told)
    return all((fold(change["name"]) in told, change["email"] in told, way, line[1] == change["ask"]))


CHECKS = group(
    "sharing_review",
    "The drive is shared as the rules want it, and the owners know",
    replace(GRANTS, observes=(*GRANTS.observes, "bystander:drive/grants")),
    group(
        "letters",
        "The other owners know",
        MAILS.sent("sent", "Each of them has one letter, and no one else has any", weight=2),
        MAILS.says("subject", "It is about the review of this quarter"),
        leaf(
            "told",
            "It says what was changed, and what they are to do themselves, in the form of earlier letters",
            _told,
            observes=("mail:Sent#text",),
            weight=3,
        ),
        weight=4,
    ),
    leaves.kept_records("drive:grants", "mail:sent", "mail:answers"),
    leaves.nothing_else(),
)
