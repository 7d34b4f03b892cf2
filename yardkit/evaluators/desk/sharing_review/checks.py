"""Each grant is what the rules leave of it, and each other owner has one letter that says what was changed."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails, Records
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.submission import Submission

GRANTS = leaves.check_records(
    "grants",
    "Only the right people can use folders and files, in their roles",
    Records("drive", "grants"),
    lambda facts: facts["grants"],
    weight=5,
)
MAILS = Mails(lambda facts: [{"to": [owner], "says": [facts["subject"]]} for owner in facts["letters"]])
Line = tuple[str, bool]
ROLES = r"\b(reader|commenter|writer|organizer|owner)\b"


def _check_letters(submission: Submission, facts: Facts) -> Finding:
    problems = []
    for want, mail in MAILS.pair_mails(submission, facts)[0]:
        owner = want["to"][0]
        left = list(_list_grant_lines(mail.own_text)) if mail else []
        for change in sorted(facts["letters"][owner], key=lambda change: -len(change["name"])):
            line = next((line for line in left if _states_change(line, change)), None)
            problems += [f"{owner} does not learn of {change}"] if line is None else []
            left = [other for other in left if other is not line]
        problems += [f"{owner} hears of {line[0]!r}" for line in left]
    return make_finding(not problems, "; ".join(problems[:8]) or "each owner learns about their own files")


def _list_grant_lines(text: str) -> Iterator[Line]:
    """The lines that name address and role, and whether their owner is to see to it: line or heading says so."""
    head = ""
    for line in text.splitlines():
        if "@" in line and re.search(ROLES, simplify_text(line)):
            yield line, "yourself" in simplify_text(f"{head} {line}")
        elif line.strip():
            head = line


def _states_change(line: Line, change: dict[str, Any]) -> bool:
    """Whether a line names file, address, and the roles before and after, in whatever words there are for none."""
    now = "(none|nothing|no access|removed)" if change["now"] == "none" else change["now"]
    line_text = simplify_text(line[0])
    way = re.search(rf"\b{change['was']}\b\W+((is|now|to)\W+)*{now}\b", line_text)
    return all(
        (simplify_text(change["name"]) in line_text, change["email"] in line_text, way, line[1] == change["ask"])
    )


CHECKS = make_group(
    "sharing_review",
    "The drive is shared as the rules want it, and the owners know",
    replace(GRANTS, covers=(*GRANTS.covers, "bystander:drive/grants")),
    make_group(
        "letters",
        "The other owners know",
        MAILS.check_sent("sent", "Each of them has one letter, and no one else has any", weight=2),
        MAILS.says("subject", "It is about the review of this quarter"),
        make_checkpoint(
            "told",
            "It says what was changed, and what they are to do themselves, in the form of earlier letters",
            _check_letters,
            covers=("mail:Sent#text",),
            weight=3,
        ),
        weight=4,
    ),
    leaves.check_unchanged_records("drive:grants", "mail:sent", "mail:answers"),
    leaves.nothing_else(),
)
