"""Solutions and near misses of desk/interviews."""

import re
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.desk.interviews.interview_steps import Round, Slot, find_slots, read_round
from yardkit.evaluators.proof import Agent, Miss, Solved
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.shared_mails import taken_out_of_thread

TEXTS = {
    "English": (
        "Dear {name},\n\nwe look forward to meeting you on {day} February 2026 at {time:%H:%M}, in room {room}.",
        "Hello {name}, would you come to us on {day} February? We start at {time:%H:%M} in {room}.",
    ),
    "German": (
        "Guten Tag {name},\n\nwir freuen uns auf Sie am {day}. Februar 2026 um {time:%H:%M} Uhr, Raum {room}.",
        "Hallo {name}, kommen Sie bitte am {day}.2. zu uns? Wir beginnen um {time:%H.%M} Uhr, und zwar in {room}.",
    ),
    "French": (
        "Bonjour {name},\n\nnous serons heureux de vous voir le {day} février 2026 à {time:%H:%M}, en salle {room}.",
        "Bonjour {name}, venez chez nous le {day}/02 ! Nous on commence à {time:%H} h {time:%M}, salle {room}.",
    ),
    "Spanish": (
        "Hola {name}:\n\nle esperamos con gusto el {day} de febrero de 2026 a las {time:%H:%M}, en la sala {room}.",
        "Hola {name}, ¿puede venir a vernos el {day} de febrero? Empezamos a las {time:%H:%M} en la sala {room}.",
    ),
}
"""What each is told, and the same in other words."""


def solve(agent: Agent) -> str:
    """The first slot of the week that fits each, the one with fewest first; then events, mails, rows."""
    interview_round = read_round(agent)
    slots = find_slots(agent, interview_round, interview_round.candidates)
    for slot in slots:
        _invite_panel(agent, interview_round, slot, f"{slot.starts:%Y-%m-%dT%H:%M}")
        _answer_candidate(agent, slot)
        _enter_slot(agent, interview_round, slot)
    _enter_gone(agent, interview_round)
    return f"{len(slots)} interviews are arranged."


def alternative_late_in_the_week_in_other_words(agent: Agent, _files: Path) -> str:
    """The last slots of the week; mails in other words and first, rows next, events by the clock of UTC."""
    interview_round = read_round(agent)
    slots = find_slots(agent, interview_round, interview_round.candidates[::-1], last=True)
    for slot in slots:
        _answer_candidate(agent, slot, 1)
    _enter_gone(agent, interview_round)
    for slot in slots:
        _enter_slot(agent, interview_round, slot)
        _invite_panel(agent, interview_round, slot, slot.starts.isoformat())
    return ""


def alternative_moved_after_all(agent: Agent, _files: Path) -> str:
    """Events are made without guests, and get them, with the right room, once all are found."""
    interview_round = read_round(agent)
    for slot in find_slots(agent, interview_round, interview_round.candidates):
        starts = f"{slot.starts:%Y-%m-%dT%H:%M}"
        title = f"Interview {slot.candidate['name']}, {interview_round.number}"
        event_id = agent.call("create_event", title=title, starts=starts)["id"]
        agent.call("update_event", event_id=event_id, **_make_event_fields(interview_round, slot))
        _enter_slot(agent, interview_round, slot)
        _answer_candidate(agent, slot)
    _enter_gone(agent, interview_round)
    return "Done."


def _make_event_fields(interview_round: Round, slot: Slot) -> dict[str, Any]:
    """Place, guests and end of an event."""
    ends = (slot.starts + timedelta(minutes=interview_round.minutes)).isoformat()
    guests = [*slot.candidate["panel"].values(), interview_round.rooms[slot.room]]
    return {"ends": ends, "location": slot.room, "attendees": guests}


def _invite_panel(agent: Agent, interview_round: Round, slot: Slot, starts: str) -> None:
    title = f"Interview {slot.candidate['name']}, {interview_round.number}"
    agent.call("create_event", title=title, starts=starts, **_make_event_fields(interview_round, slot))


def _answer_candidate(agent: Agent, slot: Slot, words: int = 0) -> None:
    candidate, room = slot.candidate, slot.room.split()[1]
    text = TEXTS[candidate["language"]][words].format(
        name=candidate["name"], day=slot.starts.day, time=slot.starts, room=room
    )
    agent.call("reply_message", message_id=candidate["mail"], text=text)


def _enter_slot(agent: Agent, interview_round: Round, slot: Slot) -> None:
    values = {"Status": "Invited", "Panel": [*slot.candidate["panel"].values()], "Day": str(slot.starts.date())}
    values |= {"Starts": f"{slot.starts:%H:%M}", "Room": slot.room}
    agent.call("save_table_row", table_id=interview_round.table, row_id=slot.candidate["id"], values=values)


def _enter_gone(agent: Agent, interview_round: Round) -> None:
    for row in interview_round.gone:
        agent.call("save_table_row", table_id=interview_round.table, row_id=row["id"], values={"Status": "Withdrawn"})


def _change_event(change: Callable[[str, Solved], str], caught_by: str) -> Miss:
    """The event of the first candidate is another one."""

    def path(work: Solved) -> str:
        title = f"Interview {work.facts['candidates'][0]['name']}, {work.facts['number']}"
        return misses.event_file(work, title.replace(",", "\\,"))

    return misses.event_changed(path, change, caught_by=caught_by)


def _instead_of(text: str, work: Solved) -> str:
    return text.replace(work.facts["instead"], work.facts["away"])


def _in_glass_room(text: str, _work: Solved) -> str:
    return re.sub(r"room-3-\d\d@", "room-3-05@", text).replace("LOCATION:Room 3.1", "LOCATION:Room 3.0")


def _set_clock(clock: str) -> Callable[[str, Solved], str]:
    """By the clock of the file."""
    return lambda text, _work: re.sub(r"(DTSTART[^\n]*T)\d{6}", rf"\g<1>{clock}00", text)


def _match_letter(number: int) -> Callable[[Mail, Facts], bool]:
    return lambda mail, facts: mail.sender == facts["owner"] and facts["candidates"][number]["email"] in mail.to


def _to_foreign(mail: Mail, facts: Facts) -> bool:
    return mail.sender == facts["owner"] and facts["foreign"] in mail.to


def _to_namesake(message: EmailMessage, facts: Facts) -> None:
    message.replace_header("To", facts["unlisted"])


def _in_english(message: EmailMessage, _facts: Facts) -> None:
    message.set_content("We look forward to meeting you; it is on the day and at the time that the others of you have.")


def _change_row(change: str, where: str = "id = :gone", caught_by: str = "rows") -> Miss:
    statement = f'UPDATE pages SET "values" = json_set("values", {change}) WHERE {where}'  # noqa: S608 - our own
    return misses.change_records("notes", statement, caught_by=caught_by)


near_miss_whoever_is_away_in_the_panel = _change_event(_instead_of, caught_by="events")
near_miss_room_that_everybody_looks_into = _change_event(_in_glass_room, caught_by="events")
near_miss_before_the_candidate_can_come = _change_event(_set_clock("090000"), caught_by="feasible")
near_miss_in_the_lunch_break = _change_event(_set_clock("121500"), caught_by="feasible")
near_miss_mail_to_the_one_of_nearly_the_same_name = misses.mail_edited(_match_letter(0), _to_namesake, caught_by="sent")
near_miss_answered_in_english_only = misses.mail_edited(_to_foreign, _in_english, caught_by=("said", "languages"))
near_miss_mail_out_of_its_thread = misses.mail_edited(_match_letter(2), taken_out_of_thread, caught_by="threads")
near_miss_withdrawn_left_on_the_shortlist = _change_row("'$.Status', 'Shortlist'")
near_miss_withdrawn_shown_as_declined = _change_row("'$.Status', 'Declined'")
near_miss_row_without_room = _change_row("'$.Room', NULL", "id = :first_row")
near_miss_unlisted_one_entered = _change_row("'$.Status', 'Invited'", "id = :unlisted_row", caught_by="records")
