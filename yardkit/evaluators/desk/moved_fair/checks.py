"""The coming meetings and the fair are moved, those invited know, and each booking is cancelled or moved rightly."""

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.leaves import Exact, Mails, Table
from yardkit.evaluators.readers.mails import read_new, read_owner
from yardkit.evaluators.submission import Submission

COLUMNS = ("booking", "hotel", "for", "arrival", "departure", "rooms", "status", "reference")
BOOKINGS = Table("fair/bookings.csv", "", dict.fromkeys(COLUMNS, Exact()), ("booking",), lambda facts: facts["rows"])
MAILS = Mails(lambda facts: [{"to": facts["people"], "says": facts["days"]}, *facts["hotel_mails"]])
YEAR = ("2026-02-01T00:00:00+00:00", "2027-01-01T00:00:00+00:00")


def _check_recipients(submission: Submission, facts: Facts) -> Finding:
    owner, known = (
        read_owner(submission),
        {*facts["people"], *(to for hotel_mail in facts["hotel_mails"] for to in hotel_mail["to"])},
    )
    people = {person for mail in read_new(submission) if mail.sender == owner for person in mail.people}
    return make_finding(people <= known, f"mails, invitations too, went to others: {sorted(people - known)}")


def _list_own_patterns(facts: Facts) -> tuple[str, ...]:
    return tuple(f"calendar:{facts['owner']}/primary#{title}" for title in (facts["title"], facts["fair"]))


CHECKS = make_group(
    "moved_fair",
    "Everything that depends on the fair has moved with it",
    make_group(
        "calendar",
        "The calendar has the new days",
        leaves.check_events(
            "meetings",
            "Each coming meeting is later by as many days as the fair, with its guests; held ones are as they were",
            lambda _facts: YEAR,
            lambda facts: facts["meetings"],
            user=lambda facts: facts["owner"],
            where=lambda event, facts: event["title"] == facts["title"],
            weight=4,
        ),
        leaves.check_events(
            "fair",
            "The fair is on its new days",
            lambda _facts: YEAR,
            lambda facts: [{"starts": facts["days"][0], "ends": facts["until"], "calendar": "primary"}],
            user=lambda facts: facts["owner"],
            where=lambda event, facts: event["title"] == facts["fair"],
        ),
        weight=4,
    ),
    make_group(
        "mails",
        "Everyone concerned has a mail",
        MAILS.check_sent(
            "sent", "Each guest has one mail, the hotel one per booking, and no one else has any", weight=2
        ),
        MAILS.says("says", "They say the days; the hotel's say what it is to do", weight=2),
        weight=3,
    ),
    leaves.check_exact_rows("bookings", "Each booking has its status, days and reference", BOOKINGS, weight=3),
    make_checkpoint(
        "strangers", "No outsider received mail", _check_recipients, covers=("mail:Sent#people",), kind="guardrail"
    ),
    leaves.check_unchanged_records("mail:sent", "mail:answers", also=_list_own_patterns),
    leaves.nothing_else(BOOKINGS.path),
)
