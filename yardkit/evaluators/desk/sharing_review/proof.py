"""Solutions and near misses of desk/sharing_review."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.desk.sharing_review import sharing_steps as steps
from yardkit.evaluators.proof import Agent, Miss
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.solving.desk import read_all, read_day, read_note, read_today
from yardkit.evaluators.solving.notes import find_note_rows


def solve(agent: Agent) -> str:
    """What the rules leave of each grant; the owners hear of it as last time."""
    changes = list(steps.find_changes(agent, _learn_ground(agent)))
    steps.settle_changes(agent, changes)
    steps.write_letters(agent, changes, "- {name}: {email}, {was} -> {now}")
    return "The review is done."


def alternative_letters_first_in_other_words(agent: Agent, _files: Path) -> str:
    """The letters come first, the last item at their top; roles are taken away and given anew."""
    changes = list(steps.find_changes(agent, _learn_ground(agent)))[::-1]
    steps.write_letters(agent, changes, "* {email} on “{name}”: from {was} to {now}")
    steps.settle_changes(agent, [(item, email, was, "none") for item, email, was, _ in changes])
    steps.settle_changes(agent, [change for change in changes if change[-1] != "none"])
    return ""


def alternative_asked_line_by_line(agent: Agent, _files: Path) -> str:
    """Person by person; each line says who is to do it."""
    changes = sorted(steps.find_changes(agent, _learn_ground(agent)), key=lambda change: change[1])
    steps.settle_changes(agent, changes)
    steps.write_letters(agent, changes, "{name} / {email} / {was} → {now}", separate=False)
    return ""


def _learn_ground(agent: Agent) -> steps.Ground:
    days = int(re.findall(r"for (\d+) days after", read_note(agent, "Sharing"))[0])
    cards = list(read_all(agent, "find_contacts", "contacts"))
    archived = [email for card in cards if "archive" in (card.get("groups") or []) for email in card["emails"]]
    by_name = {card["name"]: card["emails"][0] for card in cards if card["emails"][0] not in archived}
    domain, today = agent.call("list_mail_folders")["address"].partition("@")[2], read_today(agent)
    leavers, who = re.findall(r"- (.+): last day (.+)", read_note(agent, "Leavers")), read_note(agent, "Who is who")
    staff, teams = dict(re.findall(r"([^,:]+) \((\S+@\S+)\)", who)), dict(re.findall(r"- ([\w ]+): (.+)", who))
    return steps.Ground(
        today,
        f"@{domain}",
        frozenset([*(staff[f" {name}"] for name, last in leavers if read_day(last) < today), *archived]),
        frozenset(re.findall(r"\((\S+)\)", teams["Finance"] + teams["Management"])),
        dict(_list_folders(agent, cards, today - timedelta(days=days))),
        dict(steps.read_mandates(agent, by_name)),
        dict(steps.read_exceptions(agent, by_name)),
    )


def _list_folders(agent: Agent, cards: Sequence[Mapping[str, Any]], since: date) -> Iterator[tuple[str, str]]:
    """The folder of the project of each person from outside."""
    for row in find_note_rows(agent, "Projects")[1]:
        values, firm = row["values"], row["values"]["Customer"][0]["title"]
        if date.fromisoformat(values["Time"].partition("/")[2]) >= since:
            people = (card for card in cards if card["organization"] == firm)
            yield from ((card["emails"][0], f"{values['Code']} {values['Project']}") for card in people)


def _restore_grant(who: str, item: str, role: str) -> Miss:
    """Somebody has a grant again that a fact names."""
    grant = f"SELECT max(id) + 1, :{item}, :{who}, '{role}' FROM grants"  # noqa: S608 - names of our own
    return misses.change_records("drive", f"INSERT INTO grants (id, item_id, email, role) {grant}", caught_by="grants")


def _drop_grants(who: str) -> Miss:
    """Somebody may use nothing any more."""
    return misses.change_records("drive", f"DELETE FROM grants WHERE email = :{who}", caught_by="grants")  # noqa: S608 - as above


def _is_letter(mail: Mail, facts: Facts) -> bool:
    return mail.subject == facts["subject"] and any(change["ask"] for change in facts["letters"][min(mail.people)])


near_miss_auditor_gone_a_day_early = _drop_grants("auditor")
near_miss_auditor_of_the_first_mail_stays = _restore_grant("auditor_gone", "auditor_gone_Finance_folder", "reader")
near_miss_twin_taken_for_who_left = _drop_grants("twin")
near_miss_gone_on_the_last_day = _drop_grants("leaving")
near_miss_project_over_by_the_old_rule = _restore_grant("over", "over_P3_folder", "reader")
near_miss_project_over_by_the_draft = _drop_grants("just_ended")
near_miss_twin_firm_kept = _restore_grant("wrong_firm", "wrong_firm_P1_folder", "commenter")
near_miss_freelancer_taken_for_a_stranger = _drop_grants("freelancer")
near_miss_exception_by_the_wrong_head = _restore_grant("refused", "refused_Sales", "commenter")
near_miss_exception_overlooked = _drop_grants("excepted")
near_miss_seller_writes_in_finance = _restore_grant("Sales", "Sales_Finance_folder", "writer")
near_miss_bin_emptied_of_grants = misses.change_records(
    "drive", "DELETE FROM grants WHERE item_id = :left_bin", caught_by="grants"
)
near_miss_own_access_lost = _drop_grants("owner")
near_miss_owner_not_asked = misses.mail_edited(
    _is_letter, lambda mail, _: mail.set_content(mail.get_content().replace("yourself", "so")), caught_by="told"
)
near_miss_line_forgotten = misses.mail_edited(
    _is_letter, lambda mail, _: mail.set_content(re.sub(r"- .+", "", mail.get_content(), count=1)), caught_by="told"
)
near_miss_letter_of_last_quarter = misses.mail_edited(
    _is_letter, lambda mail, _: mail.replace_header("Subject", "Sharing review Q4 2025"), caught_by="subject"
)
