"""Solutions and near misses of desk/retreat_survey."""

from collections.abc import Callable
from pathlib import Path

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.desk.retreat_survey import retreat_steps as steps
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.shared_mails import taken_out_of_thread, words_replaced
from yardkit.evaluators.solving.solver import write_book

BOOK, TITLE = "retreat/2026.xlsx", "Retreat 2026"
FORM, AMOUNTS = f"{TITLE}: travel and meals", ("B2:C9", "E2:F9")


def solve(agent: Agent) -> str:
    """Close and count; book and refuse; the days, the form, and one mail to all who come along."""
    ground = steps.read_ground(agent)
    agent.call("close_form", form_id=ground.survey)
    write_book(agent, BOOK, steps.tally_of(ground))
    _show_cents(agent)
    taken = "Hello,\n\nwe take your offer {number} for {days}. We are {people} people."
    steps.answer_places(agent, ground, taken, "Hello,\n\nthank you for {number}. This year we go to another place.")
    steps.enter_days(agent, ground, TITLE, location=ground.won.name, attendees=ground.staff)
    form = agent.call("create_form", title=FORM, description=ground.form_text, questions=steps.questions_of(ground))
    text = steps.result_text(ground, form["url"])
    agent.call("send_message", to=ground.staff, subject=f"{TITLE}: {ground.won.name}", text=text)
    return f"We go to {ground.won.name}."


def alternative_asked_first_and_with_hidden_addresses(agent: Agent, files: Path) -> str:
    """The form grows question by question; mails have other words, or were drafts; the book was saved elsewhere."""
    ground, me = steps.read_ground(agent), agent.call("list_mail_folders")["address"]
    won, day = ground.won, ground.won.first.day
    announcement = f"We go to {won.name}, on June {day}-{day + 1}. Answers until {ground.reply_by}, please."
    form = agent.call("create_form", title=FORM, description=announcement)
    for question in steps.questions_of(ground)[::-1]:
        agent.call("add_question", form_id=form["id"], **question, position=1)
    text = steps.result_text(ground, form["url"], "| {name} | {votes} |")
    draft = agent.call("save_draft", to=[me], bcc=ground.staff, subject=TITLE, text=text)
    agent.call("send_draft", message_id=draft["id"])
    sorry = "Sorry, others than {number} had more votes."
    steps.answer_places(agent, ground, "{people} of us come, {number} it is.", sorry, quoted=True)
    steps.enter_days(agent, ground, TITLE, location=f"{won.name}, Lakeside", attendees=[me, *ground.staff])
    write_book(agent, BOOK, dict([*steps.tally_of(ground).items()][::-1]))
    _show_cents(agent)
    with misses.open_edited(files / BOOK):
        pass
    agent.call("close_form", form_id=ground.survey)
    return ""


def alternative_on_the_last_workbook(agent: Agent, _files: Path) -> str:
    """Last year's book is copied and filled anew; questions get their choices later, and guests when all is done."""
    ground = steps.read_ground(agent)
    agent.call("copy_path", source="retreat/2025.xlsx", target=BOOK)
    for sheet, rows in steps.tally_of(ground).items():
        agent.call("write_cells", path=BOOK, sheet=sheet, rows=[*rows, *[[None] * len(rows[0])] * 50])
    _show_cents(agent)
    form = agent.call("create_form", title=FORM, description=ground.form_text)
    for question in steps.questions_of(ground):
        added_question = agent.call("add_question", form_id=form["id"], text=question["text"])
        agent.call("change_question", question_id=added_question["id"], **question)
    event = steps.enter_days(agent, ground, TITLE)
    refused = "We have to decline {number}, for which we thank you."
    steps.answer_places(agent, ground, "We book {number}: {days}, for {people}.", refused)
    text = steps.result_text(ground, form["url"], "{name} has {votes}")
    agent.call("send_message", to=[], cc=ground.staff, subject=f"{TITLE}: it is decided", text=text)
    agent.call("update_event", event_id=event, location=ground.won.name, attendees=ground.staff)
    agent.call("close_form", form_id=ground.survey)
    return "Done."


def _show_cents(agent: Agent) -> None:
    for cells in AMOUNTS:
        agent.call("format_cells", path=BOOK, sheet="Places", range=cells, number_format="#,##0.00")


VOTES, PLACES = misses.InSheet(BOOK, "Votes"), misses.InSheet(BOOK, "Places")


def _count_stale_answer(who: str) -> Miss:
    """The answer of somebody counts who has no vote, or gave it too late."""
    return VOTES.row_added(lambda work: [work.facts[who], work.facts["second"], "Archery"], caught_by="votes")


def _count_other_answer(who: str) -> Miss:
    """Another answer counts of somebody than the last one in time."""
    return VOTES.column(
        "Place",
        lambda old, row, work: work.facts["second"] if row["Person"] == work.facts[who] else old,
        caught_by="votes",
    )


def _in_event(change: Callable[[str, Facts], str]) -> Miss:
    return misses.event_changed(
        lambda work: misses.event_file(work, TITLE), lambda text, work: change(text, work.facts), caught_by="event"
    )


def _match_mail(host: str) -> Callable[[Mail, Facts], bool]:
    """The mail of the owner to somebody whom a fact names."""
    return lambda mail, facts: mail.sender == facts["owner"] and facts[host] in mail.people


def _to_all(mail: Mail, facts: Facts) -> bool:
    return mail.sender == facts["owner"] and mail.subject == f"{TITLE}: {facts['won']}"


def _change_question(change: str, place: str) -> Miss:
    """Some questions of the new form, by their place, are others."""
    there = f"(SELECT max(id) FROM forms) AND position {place}"  # noqa: S608 - our own words
    change = f"UPDATE questions SET {change} WHERE form_id = {there}"  # noqa: S608
    return misses.change_records("forms", change, caught_by="questions")


near_miss_contractor_counted, near_miss_leaver_counted, near_miss_late_one_counted = map(
    _count_stale_answer, ("contractor", "left", "late")
)
near_miss_first_answer_counted, near_miss_mind_changed_too_late = map(_count_other_answer, ("early", "late_voter"))
near_miss_only_voters_paid_for = PLACES.column(
    "People", lambda _old, _row, work: work.facts["voters"], caught_by="places"
)
near_miss_budget_of_the_first_word = PLACES.column(
    "Budget", lambda _old, _row, work: work.facts["before"], caught_by="places"
)
near_miss_votes_pasted_as_values = PLACES.frozen("Votes", caught_by="live")
near_miss_costs_shown_as_they_come = PLACES.number_format_lost("Cost", caught_by="shown")
near_miss_favourite_in_the_calendar = _in_event(lambda text, facts: text.replace(facts["won"], facts["favourite"]))
near_miss_contractor_invited = _in_event(lambda text, facts: text.replace(facts["staff"][0], facts["contractor"]))
near_miss_leaver_for_whom_came = _in_event(lambda text, facts: text.replace(facts["taken"], facts["left"]))
near_miss_survey_left_open = misses.change_records(
    "forms", "UPDATE forms SET closed = NULL WHERE id = :survey", caught_by="closed"
)
near_miss_coach_of_last_year = _change_question("choices = json_insert(choices, '$[#]', :coach)", "= 2")
near_miss_new_question_last = _change_question("position = CASE position WHEN 4 THEN 6 ELSE position - 1 END", "> 3")
near_miss_form_until_last_years_day = misses.change_records(
    "forms",
    "UPDATE forms SET description = replace(description, '15 May', '16 May') WHERE closed IS NULL",
    caught_by="head",
)
near_miss_list_that_reaches_contractors = misses.mail_edited(
    _to_all, lambda mail, facts: mail.replace_header("To", f"all@{facts['domain']}"), caught_by="sent"
)
near_miss_link_to_last_years_form = misses.mail_edited(
    _to_all, words_replaced("example/f/", "example/f/4?"), caught_by="told"
)
near_miss_place_never_hears = misses.mail_removed(_match_mail("favourite_host"), caught_by="sent")
near_miss_booked_for_voters = misses.mail_edited(
    _match_mail("won_host"), words_replaced("{people} p", "{voters} p"), caught_by="said"
)
near_miss_favourite_booked_too = misses.mail_edited(
    _match_mail("favourite_host"), words_replaced("another", "your"), caught_by="decided"
)
near_miss_booked_out_of_its_thread = misses.mail_edited(
    _match_mail("won_host"), taken_out_of_thread, caught_by="decided"
)
