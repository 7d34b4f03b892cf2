"""Whoever waits for an answer has one mail, and what falls due stands in the deputy's calendar; nobody else is told."""

import re
from datetime import date

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Mails
from yardkit.evaluators.letters import find_days
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.submission import Submission

MAILS = Mails(
    lambda facts: [
        {"to": [expected_mail["to"]], "says": list(map(str, expected_mail["orders"]))}
        for expected_mail in facts["mails"]
    ]
)


def _check_threads(submission: Submission, facts: Facts) -> Finding:
    threads = {expected_mail["to"]: {*expected_mail["thread"]} for expected_mail in facts["mails"]}
    pairs, _ = MAILS.pair_mails(submission, facts)
    problems = [want["to"] for want, mail in pairs if not mail or not threads[want["to"][0]] & {*mail.thread}]
    return make_finding(not problems, f"not where they asked last: {problems or 'none'}")


def _check_orders(submission: Submission, facts: Facts) -> Finding:
    """Subject and text name those that somebody asked about, and the text no others."""
    problems = []
    for want, mail in MAILS.pair_mails(submission, facts)[0]:
        named, text_orders = (set(re.findall(r"\b\d{5}\b", text)) for text in _read_texts(mail))
        problems += (
            []
            if {*want["says"]} <= named | text_orders and text_orders <= {*want["says"]}
            else [f"{want['to']} reads {text_orders}"]
        )
    return make_finding(not problems, "; ".join(problems) or "all orders are named")


def _read_texts(mail: Mail | None) -> tuple[str, str]:
    return (mail.subject, mail.own_text) if mail else ("", "")


def _check_return_day(submission: Submission, facts: Facts) -> Finding:
    """The mail names the day from which on the colleague is there again, and no other after the leave."""
    back, last, problems = date.fromisoformat(facts["back"]), date.fromisoformat(facts["last"]), []
    for want, mail in MAILS.pair_mails(submission, facts)[0]:
        days = find_days(mail.own_text, back.year) if mail else set()
        problems += (
            [] if {day for day in days if day > last} == {back} else [f"{want['to']} reads {sorted(map(str, days))}"]
        )
    return make_finding(not problems, "; ".join(problems) or f"all know that it is {back}")


def _list_own_patterns(facts: Facts) -> tuple[str, ...]:
    return tuple(f"calendar:{facts['owner']}/primary#{due_event['title']}" for due_event in facts["due"])


CHECKS = make_group(
    "handover",
    "Every waiting person is answered, and nothing is forgotten while a colleague is away",
    make_group(
        "mails",
        "Everyone who waits gets a mail",
        MAILS.check_sent("sent", "Each of them has one mail, and no one else has any", weight=3),
        make_checkpoint(
            "threads", "It is in the thread in which they asked last", _check_threads, covers=("mail:Sent#thread",)
        ),
        make_checkpoint(
            "orders", "It names all orders that they asked about", _check_orders, covers=("mail:Sent#text",)
        ),
        make_checkpoint(
            "back",
            "It names the day on which the colleague is there again",
            _check_return_day,
            covers=("mail:Sent#text",),
        ),
        weight=4,
    ),
    leaves.check_events(
        "due",
        "Each task is entered on its due day under its usual title, and nothing else is",
        lambda facts: (facts["since"], f"{facts['back']}T00:00:00+00:00"),
        lambda facts: [{**due_event, "calendar": "primary", "people": []} for due_event in facts["due"]],
        user=lambda facts: facts["owner"],
        where=lambda event, facts: event["title"].startswith(facts["prefix"]),
        weight=4,
    ),
    leaves.check_unchanged_records("mail:sent", "mail:answers", also=_list_own_patterns),
    leaves.nothing_else(),
)
