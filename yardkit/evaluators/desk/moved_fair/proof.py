"""Solutions and near misses of desk/moved_fair."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.solving import calendar as steps
from yardkit.evaluators.solving.desk import read_mails
from yardkit.evaluators.solving.solver import read_csv_records

TABLE, UNTIL = "fair/bookings.csv", "2026-10-01"
DONE = {"CANCEL": "cancelled", "CHANGE": "changed"}
ZONES = {"Chicago": "America/Chicago", "Boston": "America/New_York", "Toronto": "America/Toronto"}
ZONES |= {"Osaka": "Asia/Tokyo", "Singapore": "Asia/Singapore", "Pune": "Asia/Kolkata"}


def solve(agent: Agent) -> str:
    """Each coming meeting and the fair moved, one mail to all guests, bookings by their terms and the hotel's clock."""
    fair, days, by = _read_news(agent)
    meetings = steps.list_coming_events(agent, f"Prep {fair}", UNTIL)
    _inform_guests(agent, fair, days, steps.guests_of(agent, meetings))
    for meeting in meetings:
        starts = steps.shift_text(meeting["starts"], by)
        agent.call("update_event", event_id=meeting["id"], occurrence=meeting["occurrence"], starts=starts)
    agent.call("update_event", event_id=steps.list_coming_events(agent, fair, UNTIL)[0]["id"], starts=days[0])
    return _settle_bookings(agent, fair, by)


def alternative_meetings_made_anew(agent: Agent, files: Path) -> str:
    """Bookings first; each meeting and the fair is made anew, and the old one is cancelled."""
    fair, days, by = _read_news(agent)
    answer = _settle_bookings(agent, fair, by, backwards=True)
    (files / TABLE).write_bytes((files / TABLE).read_bytes().replace(b"\n", b"\r\n"))
    meetings, (old,) = (
        steps.list_coming_events(agent, f"Prep {fair}", UNTIL),
        steps.list_coming_events(agent, fair, UNTIL),
    )
    _inform_guests(agent, fair, days, steps.guests_of(agent, meetings))
    for meeting in meetings:
        times = {"starts": steps.shift_text(meeting["starts"], by), "ends": steps.shift_text(meeting["ends"], by)}
        agent.call(
            "create_event", title=meeting["title"], **times, **steps.copy_event_fields(steps.look_at(agent, meeting))
        )
        agent.call("cancel_event", event_id=meeting["id"], occurrence=meeting["occurrence"], comment="It moves.")
    agent.call(
        "create_event", title=fair, starts=days[0], ends=steps.shift_text(old["ends"], by), location=old["location"]
    )
    agent.call("cancel_event", event_id=old["id"])
    return answer


def alternative_another_series(agent: Agent, _files: Path) -> str:
    """The old series ends with what was held; another one begins, with a date left out and one moved."""
    fair, days, by = _read_news(agent)
    meetings = steps.list_coming_events(agent, f"Prep {fair}", UNTIL)
    _inform_guests(agent, fair, days, steps.guests_of(agent, meetings))
    first, expected_meetings = (
        steps.look_at(agent, meetings[0]),
        {steps.shift_text(meeting["occurrence"], by)[:16]: meeting for meeting in meetings},
    )
    series_fields = {"title": first["title"], "repeat": "FREQ=WEEKLY;COUNT=6", **steps.copy_event_fields(first)}
    series_id = agent.call("create_event", starts=steps.shift_text(first["starts"], by), **series_fields)["id"]
    for new in [
        meeting for meeting in steps.list_coming_events(agent, first["title"], UNTIL) if meeting["id"] == series_id
    ]:
        old, which = expected_meetings.get(new["starts"][:16]), {"event_id": series_id, "occurrence": new["occurrence"]}
        if old is None:
            agent.call("cancel_event", **which)
        elif old["starts"] != old["occurrence"]:
            moved = {
                "starts": steps.shift_text(old["starts"], by),
                **steps.copy_event_fields(steps.look_at(agent, old)),
            }
            agent.call("update_event", **which, **moved)
    for old in meetings:
        agent.call("cancel_event", event_id=old["id"], occurrence=old["occurrence"])
    agent.call("update_event", event_id=steps.list_coming_events(agent, fair, UNTIL)[0]["id"], starts=days[0])
    return _settle_bookings(agent, fair, by)


def _read_news(agent: Agent) -> tuple[str, list[str], timedelta]:
    """The fair, its days by the organiser's last word, and how much later that is than in the calendar."""
    fair = re.findall(r"\. (.+?) has been put off", agent.prompt)[0]
    mails = read_mails(agent, query=f"dates {fair}", sender="exhibitors@")
    text = next(mail["text"] for mail in reversed(mails) if fair in mail["subject"])
    begins, ends = re.findall(r"from (\d+ \w+) to (\d+ \w+ \d+)", text)[-1]
    first, last = steps.day_of(f"{begins} 2026"), steps.day_of(ends)
    return (
        fair,
        [str(first), str(last)],
        first - datetime.fromisoformat(steps.list_coming_events(agent, fair, UNTIL)[0]["starts"]).date(),
    )


def _inform_guests(agent: Agent, fair: str, days: Sequence[str], people: Sequence[str]) -> None:
    text = f"Hello,\n\n{fair} was put off: it is from {days[0]} to {days[1]}. Our meetings move with it."
    agent.call("send_message", to=list(people), subject=f"New dates of {fair}", text=text)


def _settle_bookings(agent: Agent, fair: str, by: timedelta, *, backwards: bool = False) -> str:
    """Cancel what is free by the hotel's clock, move the others, enter what the hotel answers."""
    zone = ZoneInfo(agent.call("list_calendars")["time_zone"])
    clock = re.findall(r"(\d\d:\d\d) here", agent.prompt)[0]
    now = datetime.fromisoformat(f"2026-03-16T{clock}").replace(tzinfo=zone)
    rows = read_csv_records(agent, TABLE)
    ours = [row for row in rows if row["for"].startswith(f"{fair},")]
    for row in reversed(ours) if backwards else ours:
        mails = read_mails(agent, query=row["booking"])
        ends = re.findall(r"(?:until|ends on) (\d+ \w+ \d+, \d\d:\d\d)", "\n".join(mail["text"] for mail in mails))[-1]
        word = "CANCEL" if now < steps.moment_of(ends, ZONES[row["hotel"].split()[-1]]) else "CHANGE"
        days = {name: steps.shift_text(row[name], by) for name in ("arrival", "departure")} if word == "CHANGE" else {}
        subject, text = f"{word} {row['booking']}", "\n".join(f"{name}: {day}" for name, day in days.items())
        agent.call("send_message", to=[mails[0]["sender"]], subject=subject, text=text or "Please cancel it.")
        answer = read_mails(agent, query=subject, sender="reservations")[-1]["text"]
        row |= {**days, "status": DONE[word], "reference": answer.split()[-1]}
    lines = (",".join(f'"{cell}"' if "," in cell else cell for cell in row.values()) for row in rows)
    agent.call("write_file", path=TABLE, content="\n".join([",".join(rows[0]), *lines]) + "\n")
    return "All of it has moved."


def _is_past_meeting(event: str, _facts: Facts) -> bool:
    return re.search(r"RECURRENCE-ID[^:\n]*:202603(?:0\d|1[0-5])", event) is not None


def _to_come(event: str, facts: Facts) -> bool:
    return "RECURRENCE-ID" in event and not _is_past_meeting(event, facts)


def _moved_by_hand(event: str, facts: Facts) -> bool:
    return facts["extra"] in event


near_miss_held_meeting_moved_too = steps.dates_moved("title", _is_past_meeting, timedelta(weeks=2), "meetings")
near_miss_hour_changed_with_the_clocks = steps.dates_moved("title", _to_come, timedelta(hours=1), "meetings")
near_miss_moved_one_back_in_line = steps.dates_moved(
    "title", _moved_by_hand, timedelta(hours=19, minutes=30), "meetings"
)
near_miss_other_fair_moved_too = steps.dates_moved("other", lambda *_: True, timedelta(weeks=2), "records")


def _to_guests(mail: Mail, facts: Facts) -> bool:
    return mail.subject == f"New dates of {facts['fair']}" and mail.sender == facts["owner"]


def _on_the_last_day(mail: Mail, facts: Facts) -> bool:
    return mail.sender == facts["owner"] and mail.subject.endswith(f" {facts['noon']}")


def _drop_recipient(message: EmailMessage, facts: Facts) -> None:
    message.replace_header("To", re.sub(rf",?\s*{re.escape(facts['extra'])}", "", str(message["To"])))


def _copy_to_curious(message: EmailMessage, facts: Facts) -> None:
    message["Cc"] = facts["curious"]


def _write_old_day(message: EmailMessage, facts: Facts) -> None:
    message.set_content(message.get_content().replace(facts["days"][0], facts["was"]))


def _by_our_clock(message: EmailMessage, _facts: Facts) -> None:
    """What the own clock says of the booking whose time ends today."""
    other = {"CANCEL": "CHANGE", "CHANGE": "CANCEL"}
    message.replace_header("Subject", re.sub("CANCEL|CHANGE", lambda word: other[word[0]], str(message["Subject"])))


near_miss_guest_of_one_meeting_forgotten = misses.mail_edited(_to_guests, _drop_recipient, caught_by="sent")
near_miss_curious_colleague_told = misses.mail_edited(_to_guests, _copy_to_curious, caught_by=("sent", "strangers"))
near_miss_invitation_to_a_namesake = misses.mail_edited(
    lambda mail, facts: mail.invites and mail.sender == facts["owner"], _copy_to_curious, caught_by="strangers"
)
near_miss_old_day_said = misses.mail_edited(_to_guests, _write_old_day, caught_by="says")
near_miss_deadline_by_our_own_clock = misses.mail_edited(_on_the_last_day, _by_our_clock, caught_by="says")
near_miss_visit_cancelled_too = misses.text_changed(
    TABLE, lambda text, _: re.sub(r"(Visit of customers.*),confirmed,", r"\1,cancelled,", text), caught_by="bookings"
)
