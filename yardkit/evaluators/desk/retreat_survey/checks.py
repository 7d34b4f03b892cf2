"""The survey is counted and closed, what the budget allows is booked, and just those who come along are asked."""

import re
from datetime import datetime

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, finding, group, leaf
from yardkit.evaluators.day_spans import find_span_days
from yardkit.evaluators.leaves import Exact, Number, Table, Text
from yardkit.evaluators.leaves.column_kinds import Kind
from yardkit.evaluators.leaves.live_formulas import Trial
from yardkit.evaluators.leaves.tables import Sheets
from yardkit.evaluators.new_forms import FORMS, MADE, find_new_form, questions
from yardkit.evaluators.readers.answers import fold
from yardkit.evaluators.readers.events import happenings, read_events
from yardkit.evaluators.shared_mails import SharedMails, refuses, tells
from yardkit.evaluators.submission import Submission

BOOK, YEAR, WORD, NUMBER = "retreat/2026.xlsx", 2026, Exact(), Number()
HEADS: dict[str, dict[str, Kind]] = {
    "Votes": {"Person": Text(), "Place": WORD, "Afternoon": WORD},
    "Places": {
        "Place": WORD, **dict.fromkeys(("Hire", "Per person", "People", "Cost", "Budget", "Votes"), NUMBER),
        "Within budget": Text(),
    },
    "Afternoons": {"Afternoon": WORD, "Votes": NUMBER},
}  # fmt: skip
VOTES, PLACES, AFTERNOONS = (
    Table(BOOK, name, head, (next(iter(head)),), lambda facts, name=name: facts["rows"][name])  # type: ignore[misc]
    for name, head in HEADS.items()
)


def _wanted(facts: Facts) -> list[dict[str, object]]:
    """The mails: one to all who come along, and one to each place."""
    people = {facts["won"]: [facts["people"]]}
    return [
        {"to": facts["staff"], "says": [facts["title"], facts["won"], facts["afternoon"]]},
        *({"to": [one["host"]], "says": [one["number"], *people.get(one["name"], [])]} for one in facts["places"]),
    ]


MAILS = SharedMails(_wanted)


def _trial(sheets: Sheets, facts: Facts) -> Trial:
    """Votes are dealt out anew, and all is dearer; what the budget allowed it does no more, and the other way round."""
    trial = Trial()
    counts = {head: {row[head]: 0 for row in facts["rows"][f"{head}s"]} for head in ("Place", "Afternoon")}
    for number, line in enumerate(line for line in VOTES.lines(sheets) if line.plain("Person")):
        for head, count in counts.items():
            chosen = [*count][number * number % len(count)]
            count[chosen] += 1
            trial.change(line, head, chosen)
    places = []
    for number, line in enumerate(line for line in PLACES.lines(sheets) if line.plain("Place")):
        told = {"Hire": 3_000 + 100 * number, "Per person": 90 + number, "People": 50 + number}
        cost, name = told["Hire"] + told["Per person"] * told["People"], line.plain("Place")
        was, votes = line.plain("Within budget") == "yes", counts["Place"].get(name, 0)
        for head, content in {**told, "Budget": cost - was}.items():
            trial.change(line, head, content)
        places.append({"Place": name, "Cost": cost, "Votes": votes, "Within budget": ("yes", "no")[was]})
    trial.expect(PLACES, places)
    trial.expect(AFTERNOONS, [{"Afternoon": name, "Votes": votes} for name, votes in counts["Afternoon"].items()])
    return trial


def _form(submission: Submission, facts: Facts) -> Finding:
    """It is called as last year's, open, and says where, when, and until when one answers."""
    form = find_new_form(submission)
    told, title = str(form.get("description", "")), str(form.get("title", ""))
    named = fold(title) == fold(f"{facts['title']}: travel and meals") and form["closed"] is None
    right = named and facts["won"] in told and find_span_days(told, YEAR) >= {*facts["days"], facts["reply_by"]}
    return finding(right, f"one new form: {title!r}, {told!r}")


def _event(submission: Submission, facts: Facts) -> Finding:
    """Two whole days at the place, to which just those are invited who come along."""
    since = datetime.fromisoformat(facts["now"])
    found = happenings(read_events(submission, facts["owner"]), since, since.replace(year=since.year + 1))
    ours = [one for one in found if "retreat" in fold(one.title)]
    people = [sorted({*one.people} - {facts["owner"]}) for one in ours]
    told = [(fold(one.title), one.calendar, str(one.starts), str(one.ends)) for one in ours]
    wanted = (fold(facts["title"]), "primary", facts["days"][0], facts["until"])
    right = told == [wanted] and facts["won"] in ours[0].location and people == [sorted(facts["staff"])]
    return finding(right, f"{told} at {[one.location for one in ours]} with {people}, expected {wanted}")


def _decided(submission: Submission, facts: Facts) -> Finding:
    """One place is booked, on its days; the others hear that we do not come. All in the threads of their offers."""
    odd = []
    for place, (_, mail) in zip(facts["places"], MAILS.paired(submission, facts)[0][1:], strict=True):
        text, head, thread = (mail.own_text, mail.subject, mail.thread) if mail else ("", "", ())
        said, own = f"{head}\n{text}", {*place["days"]}
        days = {day for day in find_span_days(said, YEAR) if "-06-" in day}
        right = days == own if place["name"] == facts["won"] else refuses(text) and days <= own | {*facts["days"]}
        right = right and {*re.findall(r"\b[A-Z]{2}-\d+", said)} == {place["number"]}
        if not right or not {*thread} & {*facts["threads"][place["number"]]}:
            odd.append(f"{place['name']} reads {text!r}, in answer to {thread}")
    return finding(not odd, "; ".join(odd) or "all places know")


def _told(submission: Submission, facts: Facts) -> Finding:
    """All who come along hear of the votes, when it is, and until when and where they answer."""
    mail = MAILS.paired(submission, facts)[0][0][1]
    text, link = mail.own_text if mail else "", f"forms.example/f/{find_new_form(submission).get('id')}"
    lacking = [place["name"] for place in facts["places"] if not tells(text, place["name"], place["votes"])]
    lacking += sorted({*facts["days"], facts["reply_by"]} - find_span_days(text, YEAR))
    lacking += [] if re.search(rf"{re.escape(link)}(?![\w/])", text) else [link]
    return finding(not lacking, f"not stated: {lacking or 'nothing'}")


CHECKS = group(
    "retreat_survey",
    "The retreat is decided and booked, and the participants are asked about travel and meals",
    group(
        "tally",
        "The survey is counted as last year's",
        leaves.just("votes", "The answers that count are there, one of each", VOTES, weight=3),
        leaves.just("places", "Each place has its cost for all who come along, and its votes", PLACES, weight=2),
        leaves.just("afternoons", "So have the afternoons", AFTERNOONS),
        leaves.live("live", "They follow by formulas", _trial, follows=(PLACES, AFTERNOONS), of=(VOTES,), weight=2),
        leaves.decimals("shown", "Amounts have two decimals", {PLACES: ("Hire", "Per person", "Cost", "Budget")}),
        leaves.records(
            "closed", "The survey takes no more answers", FORMS, lambda facts: [{"closed": facts["now"]}],
            where=lambda row, facts: row["id"] == facts["survey"],
        ),
        weight=4,
    ),
    leaf("event", "The calendar holds it, with all who come along", _event, observes=("event:*",), weight=3),
    group(
        "form",
        "There is a form about travel and meals",
        leaf("head", "It says where and when, and until when one answers", _form, observes=MADE),
        questions("questions", "It asks what is to be asked this year", lambda facts: facts["questions"], weight=2),
        weight=3,
    ),
    group(
        "mails",
        "All know",
        MAILS.sent("sent", "Each place, and all participants together, have one mail, and no one else any", weight=2),
        MAILS.says("said", "It names the offer with the people who come, or the place and the afternoon"),
        leaf("decided", "One place is booked, the others are not", _decided, observes=("mail:Sent#t*",)),
        leaf("told", "All hear of the votes, the days and the form", _told, observes=("mail:Sent#text",), weight=2),
        MAILS.carries("bare", "No file goes with it", weight=0.5),
        weight=4,
    ),
    leaves.kept_records(
        "mail:sent", "mail:answers", "forms:forms+", "forms:questions+",
        also=lambda facts: (f"forms:forms#{facts['survey']}.closed", f"calendar:{facts['owner']}/*#{facts['title']}"),
    ),
    leaves.nothing_else(BOOK),
)  # fmt: skip
