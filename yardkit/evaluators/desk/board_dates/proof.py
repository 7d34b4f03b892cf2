"""Solutions and near misses of desk/board_dates."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from zoneinfo import ZoneInfo

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss, Solved
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.solving import calendar as steps
from yardkit.evaluators.solving.desk import read_mails, read_today

DAY, LENGTH = timedelta(days=1), timedelta(hours=2)
QUARTERS = {f"2026 Q{number}": date(2026, 3 * number, 30 + (number in (1, 4))) for number in (1, 2, 3, 4)}
"""The last day of each."""


@dataclass(frozen=True)
class Board:
    """Who is to be called, and what stands in the way: notice, holidays, wishes."""

    directors: Sequence[str]
    shared: Sequence[str]
    earliest: date
    holidays: Sequence[str]
    weekday: str
    away: tuple[date, date]


def solve(agent: Agent) -> str:
    """The first beginning of each quarter that suits everybody; then event and notice of each."""
    board = _read_board(agent)
    for name, starts in _find_beginnings(agent, board).items():
        _enter_meeting(agent, board, name, starts)
        _send_notice(agent, board, name, f"The board meets on {starts:%d %B %Y} at {starts:%H:%M} UTC.")
    return "The four meetings are called."


def alternative_last_beginning_by_another_clock(agent: Agent, _files: Path) -> str:
    """The last beginnings; notices first, with the hours of two places; events by the clock of Boston."""
    board = _read_board(agent)
    beginnings = _find_beginnings(agent, board, last=True)
    for name, starts in reversed(beginnings.items()):
        ends = starts + LENGTH
        _send_notice(agent, board, name, f"{starts:%A, %B %d}: from {starts:%H:%M} to {ends:%H:%M} UTC, by video.")
    for name, starts in beginnings.items():
        _enter_meeting(agent, board, name, starts.astimezone(ZoneInfo("America/New_York")))
    return ""


def alternative_guests_come_later(agent: Agent, _files: Path) -> str:
    """Events are entered without guests at first, in UTC."""
    board = _read_board(agent)
    for name, starts in _find_beginnings(agent, board).items():
        title, ends = f"Board meeting {name}", (starts + LENGTH).isoformat()
        event_id = agent.call("create_event", title=title, starts=starts.isoformat(), ends=ends)["id"]
        agent.call("update_event", event_id=event_id, attendees=list(board.directors), location="Video")
        _send_notice(agent, board, name, f"Notice of the meeting on {starts:%Y-%m-%d}, {starts:%H:%M} UTC")
    return "Done."


def _read_board(agent: Agent) -> Board:
    """By-laws, address book, holidays, and the wishes with their correction."""
    blocks = agent.call("read_document", path="board/bylaws.docx", format="markdown")
    notice = int(re.findall(r"at least (\d+) full days", str(blocks))[0])
    cards = agent.call("find_contacts", query="board of directors", limit=200)["contacts"]
    directors = sorted(card["emails"][0] for card in cards if "board" in card.get("groups", ()))
    known = {*agent.call("list_calendars")["people"]}
    shared = [director for director in directors if director in known]
    events = agent.call("list_events", since="2026-03-01", until="2026-12-31", calendar="holidays", limit=200)["events"]
    text = "\n".join(mail["text"] for mail in read_mails(agent, query="dates of the board"))
    weekday = re.findall(r"never free on a (\w+)", text)[0]
    first, last = re.findall(r"away from (\d+ \w+) to (\d+ \w+)", text)[-1]
    away = steps.day_of(f"{first} 2026"), steps.day_of(f"{last} 2026")
    holidays = [event["starts"] for event in events]
    return Board(directors, shared, read_today(agent) + (notice + 1) * DAY, holidays, weekday, away)


def _find_beginnings(agent: Agent, board: Board, *, last: bool = False) -> dict[str, datetime]:
    """A beginning for each quarter, in UTC."""
    beginnings = {}
    for name, end in QUARTERS.items():
        since = max(board.earliest, end - 20 * DAY)
        hours = {"day_starts": "08:00", "day_ends": "19:00"}
        starts = steps.free_starts(agent, board.shared, 120, str(since), str(end), **hours)
        fit = [start.astimezone(UTC) for start in starts if _suits_board(board, start.date())]
        beginnings[name] = (max if last else min)(fit)
    return beginnings


def _suits_board(board: Board, day: date) -> bool:
    refused = f"{day:%A}" == board.weekday or board.away[0] <= day <= board.away[1]
    return not refused and str(day) not in board.holidays


def _enter_meeting(agent: Agent, board: Board, name: str, starts: datetime) -> None:
    ends, guests = (starts + LENGTH).isoformat(), list(board.directors)
    title = f"Board meeting {name}"
    agent.call("create_event", title=title, starts=starts.isoformat(), ends=ends, attendees=guests, location="Video")


def _send_notice(agent: Agent, board: Board, name: str, notice: str) -> None:
    agenda = f"board/agendas/agenda_{name.replace(' ', '_')}.docx"
    mail_arguments = {
        "to": list(board.directors),
        "subject": f"Board meeting {name}",
        "text": notice,
        "attachments": [agenda],
    }
    agent.call("send_message", **mail_arguments)


def _move_meeting(number: int, day: str, caught_by: str = "feasible") -> Miss:
    """The meeting of a quarter is on a day that a fact names, at the same time."""

    def change(text: str, work: Solved) -> str:
        new = work.facts[day].replace("-", "")
        return re.sub(r"(DT(?:START|END)[^\n]*:)\d{8}", rf"\g<1>{new}", text)

    return misses.event_changed(lambda work: _find_event_file(work, number), change, caught_by=caught_by)


def _find_event_file(work: Solved, number: int) -> str:
    return misses.event_file(work, work.facts["quarters"][number]["title"])


def _notice_of(number: int) -> Callable[[Mail, Facts], bool]:
    return lambda mail, facts: mail.subject == facts["quarters"][number]["title"] and not mail.invites


def _to_old_address(message: EmailMessage, facts: Facts) -> None:
    current = facts["old"].replace("@old.", "@")
    message.replace_header("To", str(message["To"]).replace(current, facts["old"]))


def _to_former(message: EmailMessage, facts: Facts) -> None:
    message["Cc"] = facts["former"]


def _without_agenda(message: EmailMessage, _facts: Facts) -> None:
    body = message.get_body(("plain",))
    text = body.get_content() if body else ""
    message.clear_content()
    message.set_content(text)


def _an_hour_off(message: EmailMessage, _facts: Facts) -> None:
    body = message.get_body(("plain",))
    assert body is not None  # noqa: S101 - it was sent with one
    body.set_content(re.sub(r"\d\d:\d\d UTC", "11:11 UTC", body.get_content()))


def _drop_private_guest(text: str, work: Solved) -> str:
    return re.sub(rf"(?m)^ATTENDEE[^\n]*:mailto:{re.escape(work.facts['private'])}\n", "", text)


near_miss_notice_a_day_too_short = _move_meeting(0, "early", caught_by="notice")
near_miss_on_a_public_holiday = _move_meeting(2, "holiday")
near_miss_on_a_day_that_is_not_wished = _move_meeting(3, "unwished")
near_miss_away_by_the_correction = _move_meeting(1, "away")
near_miss_private_one_not_invited = misses.event_changed(
    lambda work: _find_event_file(work, 1), _drop_private_guest, caught_by="entered"
)
near_miss_old_address_of_a_director = misses.mail_edited(_notice_of(1), _to_old_address, caught_by="sent")
near_miss_former_director_told = misses.mail_edited(_notice_of(2), _to_former, caught_by="sent")
near_miss_notice_without_agenda = misses.mail_edited(_notice_of(3), _without_agenda, caught_by="agendas")
near_miss_beginning_wrong = misses.mail_edited(_notice_of(0), _an_hour_off, caught_by="said")
near_miss_last_meeting_not_called = misses.mail_removed(_notice_of(3), caught_by="sent")
