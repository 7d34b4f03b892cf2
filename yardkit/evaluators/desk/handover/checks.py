"""Whoever waits for an answer has one mail, and what falls due stands in the deputy's calendar; nobody else is told."""

import re
from datetime import date

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.leaves import Mails
from yardkit.evaluators.letters import find_days
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.submission import Submission

MAILS = Mails(lambda facts: [{"to": [one["to"]], "says": list(map(str, one["orders"]))} for one in facts["mails"]])


def _threads(submission: Submission, facts: Facts) -> Finding:
    threads = {one["to"]: {*one["thread"]} for one in facts["mails"]}
    pairs, _ = MAILS.paired(submission, facts)
    odd = [want["to"] for want, mail in pairs if not mail or not threads[want["to"][0]] & {*mail.thread}]
    return finding(not odd, f"not where they asked last: {odd or 'none'}")


def _orders(submission: Submission, facts: Facts) -> Finding:
    """Subject and text name those that somebody asked about, and the text no others."""
    odd = []
    for want, mail in MAILS.paired(submission, facts)[0]:
        named, told = (set(re.findall(r"\b\d{5}\b", text)) for text in _texts(mail))
        odd += [] if {*want["says"]} <= named | told and told <= {*want["says"]} else [f"{want['to']} reads {told}"]
    return finding(not odd, "; ".join(odd) or "all orders are named")


def _texts(mail: Mail | None) -> tuple[str, str]:
    return (mail.subject, mail.own_text) if mail else ("", "")


def _back(submission: Submission, facts: Facts) -> Finding:
    """The mail names the day from which on the colleague is there again, and no other after the leave."""
    back, last, odd = date.fromisoformat(facts["back"]), date.fromisoformat(facts["last"]), []
    for want, mail in MAILS.paired(submission, facts)[0]:
        days = find_days(mail.own_text, back.year) if mail else set()
        odd += [] if {day for day in days if day > last} == {back} else [f"{want['to']} reads {sorted(map(str, days))}"]
    return finding(not odd, "; ".join(odd) or f"all know that it is {back}")


def _ours(facts: Facts) -> tuple[str, ...]:
    return tuple(f"calendar:{facts['owner']}/primary#{one['title']}" for one in facts["due"])


CHECKS = group(
    "handover",
    "Every waiting person is answered, and nothing is forgotten while a colleague is away",
    group(
        "mails",
        "Everyone who waits gets a mail",
        MAILS.sent("sent", "Each of them has one mail, and no one else has any", weight=3),
        leaf("threads", "It is in the thread in which they asked last", _threads, observes=("mail:Sent#thread",)),
        leaf("orders", "It names all orders that they asked about", _orders, observes=("mail:Sent#text",)),
        leaf("back", "It names the day on which the colleague is there again", _back, observes=("mail:Sent#text",)),
        weight=4,
    ),
    leaves.events(
        "due",
        "Each task is entered on its due day under its usual title, and nothing else is",
        lambda facts: (facts["since"], f"{facts['back']}T00:00:00+00:00"),
        lambda facts: [{**one, "calendar": "primary", "people": []} for one in facts["due"]],
        user=lambda facts: facts["owner"],
        where=lambda event, facts: event["title"].startswith(facts["prefix"]),
        weight=4,
    ),
    leaves.kept_records("mail:sent", "mail:answers", also=_ours),
    leaves.nothing_else(),
)
