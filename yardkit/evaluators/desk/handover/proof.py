"""Solutions and near misses of desk/handover."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.proof import Agent, Miss, Solved
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.shared_mails import taken_out_of_thread
from yardkit.evaluators.solving.calendar import day_of
from yardkit.evaluators.solving.desk import read_note, read_today

DAY = timedelta(days=1)
NAMED = r"(\w+day, \d+ \w+)"
Message = Mapping[str, Any]


@dataclass(frozen=True)
class Open:
    """A thread that nobody has answered. message: the number of the mail that asks."""

    asker: str
    order: str
    message: int
    date: str


@dataclass(frozen=True)
class Handover:
    """What is to be done: who waits, by address, and days by order."""

    last: date
    back: date
    waiting: Mapping[str, Sequence[Open]]
    due: Mapping[str, date]
    title: str


def solve(agent: Agent) -> str:
    """Every thread of the folder is read; of what looks open, other addresses and calls are looked up."""
    handover = _read_handover(agent)
    for threads in handover.waiting.values():
        orders = " and ".join(f"order {open_thread.order}" for open_thread in threads)
        _write_reply(
            agent, threads, f"you asked about {orders}. We answer from {handover.back} on, when my colleague is back."
        )
    for order, day in handover.due.items():
        agent.call("create_event", title=handover.title.format(order=order), starts=str(day), busy=False)
    return f"{len(handover.waiting)} people know, {len(handover.due)} days are entered."


def alternative_days_in_words_and_events_first(agent: Agent, _files: Path) -> str:
    """Events come first and take time; mails quote the question and name the day in words."""
    handover = _read_handover(agent)
    for order, day in sorted(handover.due.items(), reverse=True):
        agent.call("create_event", title=handover.title.format(order=order), starts=str(day), ends=str(day + DAY))
    for threads in handover.waiting.values():
        orders = ", ".join(open_thread.order for open_thread in threads)
        back = f"on {handover.back:%A, %d %B %Y} that is over, and your questions ({orders}) are looked at"
        message_text = f"My colleague is away until {handover.last:%d %B}; {back}."
        _write_reply(agent, threads, message_text, quoted=True)
    return ""


def alternative_entered_wrongly_at_first(agent: Agent, _files: Path) -> str:
    """Some days are entered with an hour at first, and mended; some mails are drafts before."""
    handover = _read_handover(agent)
    for order, day in handover.due.items():
        event_id = agent.call("create_event", title=f"Order {order}", starts=f"{day}T09:00")["id"]
        title = handover.title.format(order=order)
        agent.call("update_event", event_id=event_id, title=title, starts=str(day), ends=str(day + DAY))
    for asker, threads in handover.waiting.items():
        orders = ", ".join(open_thread.order for open_thread in threads)
        text = f"Back at work: {handover.back:%d %B}. Your questions: {orders}."
        mail_arguments = {"to": [asker], "subject": "Your question", "text": text, "answers": threads[-1].message}
        agent.call("send_draft", message_id=agent.call("save_draft", **mail_arguments)["id"])
    return ""


def _read_handover(agent: Agent) -> Handover:
    """The page, the leave, how it was called, and all threads."""
    name = re.findall(r"\. (.+?) has been on leave", agent.prompt)[0]
    folder, page = re.findall(r"folder `(.+?)`", agent.prompt)[0], re.findall(r'what "(.+?)"', agent.prompt)[0]
    read_note(agent, page)
    today = read_today(agent)
    events = agent.call("list_events", since=str(today), query=f"{name} away")["events"]
    first, after = next((event["starts"], event["ends"]) for event in events if event["title"] == f"{name} away")
    before = agent.call("list_events", since=str(today - 120 * DAY), until=str(today), query="Due for")["events"]
    title = re.sub(r"\d{5}", "{order}", next(event["title"] for event in before if name.split()[0] in event["title"]))
    home = agent.call("list_calendars")["owner"].partition("@")[2]
    threads = list(_list_threads(agent, folder))
    waiting: dict[str, list[Open]] = {}
    for thread in threads:
        asks = _find_question(thread, home, name)
        if asks and not _is_answered(agent, asks, home, name):
            waiting.setdefault(asks.asker, []).append(asks)
    span = date.fromisoformat(first), date.fromisoformat(after)
    return Handover(
        span[1] - DAY,
        _find_workday(span[1], 1),
        {asker: sorted(threads, key=lambda open_thread: open_thread.date) for asker, threads in waiting.items()},
        dict(_list_due(threads, span)),
        title,
    )


def _list_threads(agent: Agent, folder: str) -> Iterator[Sequence[Message]]:
    seen: set[int] = set()
    for line in agent.call("list_messages", mailbox=folder, newest_first=False, limit=200)["messages"]:
        if line["id"] not in seen:
            thread = agent.call("read_thread", message_id=line["id"])["messages"]
            seen |= {message["id"] for message in thread}
            yield thread


def _find_question(thread: Sequence[Message], home: str, name: str) -> Open | None:
    """The last mail, if it comes from a person outside, is to the colleague and asks; automatic ones do not count."""
    last = [message for message in thread if not message["subject"].startswith("Automatic reply")][-1]
    ours = home in last["sender"] or "no-reply" in last["sender"]
    if ours or "?" not in last["text"] or name not in last["to"][0]:
        return None
    return Open(_parse_address(last["sender"]), re.findall(r"\d{5}", last["subject"])[0], last["id"], last["date"])


def _is_answered(agent: Agent, asks: Open, home: str, name: str) -> bool:
    """By one of us from another address later, or on the telephone."""
    later_messages = agent.call("search_messages", query=asks.order, recipient=asks.asker, since=asks.date)["messages"]
    if any(
        home in message["sender"] or message["sender"].startswith(f"{name} <")
        for message in later_messages
        if "Automatic" not in message["subject"]
    ):
        return True
    row = agent.call("search_notes", query=f"Order {asks.order}", kind="row")["entries"][0]["id"]
    calls = agent.call("list_comments", page_id=row)["comments"]
    return any("all is answered" in call_note["text"] for call_note in calls)


def _list_due(threads: Sequence[Sequence[Message]], span: tuple[date, date]) -> Iterator[tuple[str, date]]:
    """What was promised or is needed by a day of the leave, and not sent yet."""
    for thread in threads:
        texts = [message["text"] for message in thread if not message["subject"].startswith("Automatic reply")]
        named = [day for text in texts for day in re.findall(rf"(?:by|good,.*?by) {NAMED}", text)]
        if named and "as promised" not in texts[-1].casefold():
            day = _find_workday(day_of(f"{named[-1].split(', ')[1]} {span[0].year}"), -1)
            if span[0] <= day < span[1]:
                yield re.findall(r"\d{5}", thread[0]["subject"])[0], day


def _find_workday(day: date, step: int) -> date:
    while day.weekday() > 4:
        day += step * DAY
    return day


def _parse_address(person: str) -> str:
    return re.sub(r".*<|>.*", "", person)


def _write_reply(agent: Agent, threads: Sequence[Open], message_text: str, **more: Any) -> None:
    agent.call("reply_message", message_id=threads[-1].message, text=f"Good morning,\n\n{message_text}", **more)


def _match_answer(person: str) -> Callable[[Mail, Facts], bool]:
    """The answer of today to somebody whom a fact names."""

    def chosen(mail: Mail, facts: Facts) -> bool:
        return mail.sender == facts["owner"] and facts[person] in mail.to and "2026-03-17" in mail.date

    return chosen


def _change_event(order: str, change: Callable[[str, Facts], str], caught_by: str = "due") -> Miss:
    """The event of an order that a fact names is another one."""

    def path(work: Solved) -> str:
        title = next(due_event["title"] for due_event in work.facts["due"] if work.facts[order] in due_event["title"])
        return misses.event_file(work, title)

    return misses.event_changed(path, lambda text, work: change(text, work.facts), caught_by=caught_by)


def _move_to_day(day: str) -> Callable[[str, Facts], str]:
    def change(text: str, facts: Facts) -> str:
        first = date.fromisoformat(facts[day])
        text = re.sub(r"DTSTART([^\n]*):\d{8}", rf"DTSTART\g<1>:{first:%Y%m%d}", text)
        return re.sub(r"DTEND([^\n]*):\d{8}", rf"DTEND\g<1>:{first + DAY:%Y%m%d}", text)

    return change


def _swap_order(order: str) -> Callable[[str, Facts], str]:
    return lambda text, facts: text.replace(facts["moved"], facts[order])


def _replace_recipient(person: str) -> Callable[[EmailMessage, Facts], None]:
    return lambda message, facts: message.replace_header("To", facts[person])


def _replace_words(old: str, new: str) -> Callable[[EmailMessage, Facts], None]:
    return lambda message, facts: message.set_content(message.get_content().replace(str(facts[old]), str(facts[new])))


near_miss_written_to_who_was_answered_from_home = misses.mail_edited(
    _match_answer("twice"), _replace_recipient("from_home_asker"), caught_by="sent"
)
near_miss_written_to_who_was_called = misses.mail_edited(
    _match_answer("automatic_asker"), _replace_recipient("called_asker"), caught_by="sent"
)
near_miss_written_to_who_the_desk_answered = misses.mail_edited(
    _match_answer("twice"), _replace_recipient("by_the_desk_asker"), caught_by="sent"
)
near_miss_nothing_after_the_automatic_reply = misses.mail_removed(_match_answer("automatic_asker"), caught_by="sent")
near_miss_nothing_after_a_call_in_vain = misses.mail_removed(_match_answer("called_in_vain_asker"), caught_by="sent")
near_miss_first_question_not_named = misses.mail_edited(
    _match_answer("twice"), _replace_words("first_order", "last_order"), caught_by="orders"
)
near_miss_last_day_of_leave_as_the_one_back = misses.mail_edited(
    _match_answer("twice"), _replace_words("back", "last"), caught_by="back"
)
near_miss_mail_out_of_its_thread = misses.mail_edited(_match_answer("twice"), taken_out_of_thread, caught_by="threads")
near_miss_day_that_was_moved = _change_event("moved", _move_to_day("first"))
near_miss_on_the_saturday_itself = _change_event("saturday", _move_to_day("on_saturday"))
near_miss_what_falls_due_later_entered = _change_event("moved", _swap_order("after_order"))
near_miss_what_was_sent_already_entered = _change_event("moved", _swap_order("kept_order"))
