"""The survey is counted and closed, what the budget allows is booked, and just those who come along are asked."""

import re
from datetime import datetime

from yardkit.evaluators import leaves
from yardkit.evaluators.checkpoints import Facts, Finding, make_checkpoint, make_finding, make_group
from yardkit.evaluators.desk.retreat_survey.day_spans import find_span_days
from yardkit.evaluators.desk.retreat_survey.new_forms import FORMS, NEW_FORM_TARGETS, check_questions, find_new_form
from yardkit.evaluators.leaves import Exact, Number, Table, Text
from yardkit.evaluators.leaves.column_kinds import Kind
from yardkit.evaluators.leaves.live_formulas import Trial
from yardkit.evaluators.leaves.tables import Sheets
from yardkit.evaluators.readers.answers import simplify_text
from yardkit.evaluators.readers.events import list_happenings, read_events
from yardkit.evaluators.shared_mails import SharedMails, is_refusal, states_number
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


def _list_expected_mails(facts: Facts) -> list[dict[str, object]]:
    """The mails: one to all who come along, and one to each place."""
    people = {facts["won"]: [facts["people"]]}
    return [
        {"to": facts["staff"], "says": [facts["title"], facts["won"], facts["afternoon"]]},
        *(
            {"to": [venue["host"]], "says": [venue["number"], *people.get(venue["name"], [])]}
            for venue in facts["places"]
        ),
    ]


MAILS = SharedMails(_list_expected_mails)


def _build_trial(sheets: Sheets, facts: Facts) -> Trial:
    """Votes are dealt out anew, and all is dearer; what the budget allowed it does no more, and the other way round."""
    trial = Trial()
    counts = {head: {row[head]: 0 for row in facts["rows"][f"{head}s"]} for head in ("Place", "Afternoon")}
    for number, line in enumerate(line for line in VOTES.list_lines(sheets) if line.normalize_cell("Person")):
        for head, count in counts.items():
            chosen = [*count][number * number % len(count)]
            count[chosen] += 1
            trial.change_cell(line, head, chosen)
    places = []
    for number, line in enumerate(line for line in PLACES.list_lines(sheets) if line.normalize_cell("Place")):
        venue = {"Hire": 3_000 + 100 * number, "Per person": 90 + number, "People": 50 + number}
        name, was = line.normalize_cell("Place"), line.normalize_cell("Within budget") == "yes"
        cost, votes = venue["Hire"] + venue["Per person"] * venue["People"], counts["Place"].get(name, 0)
        for head, content in {**venue, "Budget": cost - was}.items():
            trial.change_cell(line, head, content)
        places.append({"Place": name, "Cost": cost, "Votes": votes, "Within budget": ("yes", "no")[was]})
    trial.expect_rows(PLACES, places)
    trial.expect_rows(AFTERNOONS, [{"Afternoon": name, "Votes": votes} for name, votes in counts["Afternoon"].items()])
    return trial


def _check_form(submission: Submission, facts: Facts) -> Finding:
    """It is called as last year's, open, and says where, when, and until when one answers."""
    form = find_new_form(submission)
    form_text, title = str(form.get("description", "")), str(form.get("title", ""))
    named = simplify_text(title) == simplify_text(f"{facts['title']}: travel and meals") and form["closed"] is None
    right = (
        named and facts["won"] in form_text and find_span_days(form_text, YEAR) >= {*facts["days"], facts["reply_by"]}
    )
    return make_finding(right, f"one new form: {title!r}, {form_text!r}")


def _check_event(submission: Submission, facts: Facts) -> Finding:
    """Two whole days at the place, to which just those are invited who come along."""
    since = datetime.fromisoformat(facts["now"])
    events = list_happenings(read_events(submission, facts["owner"]), since, since.replace(year=since.year + 1))
    ours = [event for event in events if "retreat" in simplify_text(event.title)]
    people = [sorted({*event.people} - {facts["owner"]}) for event in ours]
    event_rows = [(simplify_text(event.title), event.calendar, str(event.starts), str(event.ends)) for event in ours]
    expected_event = (simplify_text(facts["title"]), "primary", facts["days"][0], facts["until"])
    right = event_rows == [expected_event] and facts["won"] in ours[0].location and people == [sorted(facts["staff"])]
    return make_finding(
        right, f"{event_rows} at {[event.location for event in ours]} with {people}, expected {expected_event}"
    )


def _check_decision_mails(submission: Submission, facts: Facts) -> Finding:
    """One place is booked, on its days; the others hear that we do not come. All in the threads of their offers."""
    problems = []
    for place, (_, mail) in zip(facts["places"], MAILS.pair_mails(submission, facts)[0][1:], strict=True):
        text, head, thread = (mail.own_text, mail.subject, mail.thread) if mail else ("", "", ())
        mail_text, own = f"{head}\n{text}", {*place["days"]}
        days = {day for day in find_span_days(mail_text, YEAR) if "-06-" in day}
        right = days == own if place["name"] == facts["won"] else is_refusal(text) and days <= own | {*facts["days"]}
        right = right and {*re.findall(r"\b[A-Z]{2}-\d+", mail_text)} == {place["number"]}
        if not right or not {*thread} & {*facts["threads"][place["number"]]}:
            problems.append(f"{place['name']} reads {text!r}, in answer to {thread}")
    return make_finding(not problems, "; ".join(problems) or "all places know")


def _check_announcement(submission: Submission, facts: Facts) -> Finding:
    """All who come along hear of the votes, when it is, and until when and where they answer."""
    mail = MAILS.pair_mails(submission, facts)[0][0][1]
    text, link = mail.own_text if mail else "", f"forms.example/f/{find_new_form(submission).get('id')}"
    missing_venues = [
        place["name"] for place in facts["places"] if not states_number(text, place["name"], place["votes"])
    ]
    missing_venues += sorted({*facts["days"], facts["reply_by"]} - find_span_days(text, YEAR))
    missing_venues += [] if re.search(rf"{re.escape(link)}(?![\w/])", text) else [link]
    return make_finding(not missing_venues, f"not stated: {missing_venues or 'nothing'}")


CHECKS = make_group(
    "retreat_survey",
    "The retreat is decided and booked, and the participants are asked about travel and meals",
    make_group(
        "tally",
        "The survey is counted as last year's",
        leaves.check_exact_rows("votes", "The answers that count are there, one of each", VOTES, weight=3),
        leaves.check_exact_rows(
            "places", "Each place has its cost for all who come along, and its votes", PLACES, weight=2
        ),
        leaves.check_exact_rows("afternoons", "So have the afternoons", AFTERNOONS),
        leaves.check_live_formulas(
            "live", "They follow by formulas", _build_trial, follows=(PLACES, AFTERNOONS), of=(VOTES,), weight=2
        ),
        leaves.check_decimals("shown", "Amounts have two decimals", {PLACES: ("Hire", "Per person", "Cost", "Budget")}),
        leaves.check_records(
            "closed",
            "The survey takes no more answers",
            FORMS,
            lambda facts: [{"closed": facts["now"]}],
            where=lambda row, facts: row["id"] == facts["survey"],
        ),
        weight=4,
    ),
    make_checkpoint(
        "event", "The calendar holds it, with all who come along", _check_event, covers=("event:*",), weight=3
    ),
    make_group(
        "form",
        "There is a form about travel and meals",
        make_checkpoint(
            "head", "It says where and when, and until when one answers", _check_form, covers=NEW_FORM_TARGETS
        ),
        check_questions(
            "questions", "It asks what is to be asked this year", lambda facts: facts["questions"], weight=2
        ),
        weight=3,
    ),
    make_group(
        "mails",
        "All know",
        MAILS.check_sent(
            "sent", "Each place, and all participants together, have one mail, and no one else any", weight=2
        ),
        MAILS.says("said", "It names the offer with the people who come, or the place and the afternoon"),
        make_checkpoint(
            "decided", "One place is booked, the others are not", _check_decision_mails, covers=("mail:Sent#t*",)
        ),
        make_checkpoint(
            "told",
            "All hear of the votes, the days and the form",
            _check_announcement,
            covers=("mail:Sent#text",),
            weight=2,
        ),
        MAILS.check_files("bare", "No file goes with it", weight=0.5),
        weight=4,
    ),
    leaves.check_unchanged_records(
        "mail:sent",
        "mail:answers",
        "forms:forms+",
        "forms:questions+",
        also=lambda facts: (f"forms:forms#{facts['survey']}.closed", f"calendar:{facts['owner']}/*#{facts['title']}"),
    ),
    leaves.nothing_else(BOOK),
)
