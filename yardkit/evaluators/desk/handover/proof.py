"""Solutions and near misses of desk/handover."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from yardkit.evaluators import misses
from yardkit.evaluators.calendar_steps import day_of
from yardkit.evaluators.checkpoints import Facts
from yardkit.evaluators.desk_steps import read_note, read_today
from yardkit.evaluators.proof import Agent, Miss, Solved
from yardkit.evaluators.readers.mails import Mail
from yardkit.evaluators.shared_mails import taken_out_of_thread

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
    found = _read(agent)
    for threads in found.waiting.values():
        orders = " and ".join(f"order {one.order}" for one in threads)
        _write(agent, threads, f"you asked about {orders}. We answer from {found.back} on, when my colleague is back.")
    for order, day in found.due.items():
        agent.call("create_event", title=found.title.format(order=order), starts=str(day), busy=False)
    return f"{len(found.waiting)} people know, {len(found.due)} days are entered."


def also_days_in_words_and_events_first(agent: Agent, _files: Path) -> str:
    """Events come first and take time; mails quote the question and name the day in words."""
    found = _read(agent)
    for order, day in sorted(found.due.items(), reverse=True):
        agent.call("create_event", title=found.title.format(order=order), starts=str(day), ends=str(day + DAY))
    for threads in found.waiting.values():
        orders = ", ".join(one.order for one in threads)
        back = f"on {found.back:%A, %d %B %Y} that is over, and your questions ({orders}) are looked at"
        told = f"My colleague is away until {found.last:%d %B}; {back}."
        _write(agent, threads, told, quoted=True)
    return ""


def also_entered_wrongly_at_first(agent: Agent, _files: Path) -> str:
    """Some days are entered with an hour at first, and mended; some mails are drafts before."""
    found = _read(agent)
    for order, day in found.due.items():
        made = agent.call("create_event", title=f"Order {order}", starts=f"{day}T09:00")["id"]
        title = found.title.format(order=order)
        agent.call("update_event", event_id=made, title=title, starts=str(day), ends=str(day + DAY))
    for asker, threads in found.waiting.items():
        orders = ", ".join(one.order for one in threads)
        text = f"Back at work: {found.back:%d %B}. Your questions: {orders}."
        said = {"to": [asker], "subject": "Your question", "text": text, "answers": threads[-1].message}
        agent.call("send_draft", message_id=agent.call("save_draft", **said)["id"])
    return ""


def _read(agent: Agent) -> Handover:
    """The page, the leave, how it was called, and all threads."""
    name = re.findall(r"\. (.+?) has been on leave", agent.prompt)[0]
    folder, page = re.findall(r"folder `(.+?)`", agent.prompt)[0], re.findall(r'what "(.+?)"', agent.prompt)[0]
    read_note(agent, page)
    today = read_today(agent)
    events = agent.call("list_events", since=str(today), query=f"{name} away")["events"]
    first, after = next((one["starts"], one["ends"]) for one in events if one["title"] == f"{name} away")
    before = agent.call("list_events", since=str(today - 120 * DAY), until=str(today), query="Due for")["events"]
    title = re.sub(r"\d{5}", "{order}", next(one["title"] for one in before if name.split()[0] in one["title"]))
    home = agent.call("list_calendars")["owner"].partition("@")[2]
    threads = list(_threads(agent, folder))
    waiting: dict[str, list[Open]] = {}
    for thread in threads:
        asks = _asks(thread, home, name)
        if asks and not _answered(agent, asks, home, name):
            waiting.setdefault(asks.asker, []).append(asks)
    span = date.fromisoformat(first), date.fromisoformat(after)
    return Handover(
        span[1] - DAY,
        _workday(span[1], 1),
        {asker: sorted(threads, key=lambda one: one.date) for asker, threads in waiting.items()},
        dict(_due(threads, span)),
        title,
    )


def _threads(agent: Agent, folder: str) -> Iterator[Sequence[Message]]:
    seen: set[int] = set()
    for line in agent.call("list_messages", mailbox=folder, newest_first=False, limit=200)["messages"]:
        if line["id"] not in seen:
            thread = agent.call("read_thread", message_id=line["id"])["messages"]
            seen |= {one["id"] for one in thread}
            yield thread


def _asks(thread: Sequence[Message], home: str, name: str) -> Open | None:
    """The last mail, if it comes from a person outside, is to the colleague and asks; automatic ones do not count."""
    last = [one for one in thread if not one["subject"].startswith("Automatic reply")][-1]
    ours = home in last["sender"] or "no-reply" in last["sender"]
    if ours or "?" not in last["text"] or name not in last["to"][0]:
        return None
    return Open(_address(last["sender"]), re.findall(r"\d{5}", last["subject"])[0], last["id"], last["date"])


def _answered(agent: Agent, asks: Open, home: str, name: str) -> bool:
    """By one of us from another address later, or on the telephone."""
    found = agent.call("search_messages", query=asks.order, recipient=asks.asker, since=asks.date)["messages"]
    if any(
        home in one["sender"] or one["sender"].startswith(f"{name} <")
        for one in found
        if "Automatic" not in one["subject"]
    ):
        return True
    row = agent.call("search_notes", query=f"Order {asks.order}", kind="row")["entries"][0]["id"]
    calls = agent.call("list_comments", page_id=row)["comments"]
    return any("all is answered" in one["text"] for one in calls)


def _due(threads: Sequence[Sequence[Message]], span: tuple[date, date]) -> Iterator[tuple[str, date]]:
    """What was promised or is needed by a day of the leave, and not sent yet."""
    for thread in threads:
        texts = [one["text"] for one in thread if not one["subject"].startswith("Automatic reply")]
        named = [day for text in texts for day in re.findall(rf"(?:by|good,.*?by) {NAMED}", text)]
        if named and "as promised" not in texts[-1].casefold():
            day = _workday(day_of(f"{named[-1].split(', ')[1]} {span[0].year}"), -1)
            if span[0] <= day < span[1]:
                yield re.findall(r"\d{5}", thread[0]["subject"])[0], day


def _workday(day: date, step: int) -> date:
    while day.weekday() > 4:
        day += step * DAY
    return day


def _address(person: str) -> str:
    return re.sub(r".*<|>.*", "", person)


def _write(agent: Agent, threads: Sequence[Open], told: str, **more: Any) -> None:
    agent.call("reply_message", message_id=threads[-1].message, text=f"Good morning,\n\n{told}", **more)


def _to(person: str) -> Callable[[Mail, Facts], bool]:
    """The answer of today to somebody whom a fact names."""

    def chosen(mail: Mail, facts: Facts) -> bool:
        return mail.sender == facts["owner"] and facts[person] in mail.to and "2026-03-17" in mail.date

    return chosen


def _event(order: str, change: Callable[[str, Facts], str], kills: str = "due") -> Miss:
    """The event of an order that a fact names is another one."""

    def path(work: Solved) -> str:
        title = next(one["title"] for one in work.facts["due"] if work.facts[order] in one["title"])
        return misses.event_file(work, title)

    return misses.event_changed(path, lambda text, work: change(text, work.facts), kills=kills)


def _on(day: str) -> Callable[[str, Facts], str]:
    def change(text: str, facts: Facts) -> str:
        first = date.fromisoformat(facts[day])
        text = re.sub(r"DTSTART([^\n]*):\d{8}", rf"DTSTART\g<1>:{first:%Y%m%d}", text)
        return re.sub(r"DTEND([^\n]*):\d{8}", rf"DTEND\g<1>:{first + DAY:%Y%m%d}", text)

    return change


def _for(order: str) -> Callable[[str, Facts], str]:
    return lambda text, facts: text.replace(facts["moved"], facts[order])


def _instead(person: str) -> Callable[[EmailMessage, Facts], None]:
    return lambda message, facts: message.replace_header("To", facts[person])


def _say(old: str, new: str) -> Callable[[EmailMessage, Facts], None]:
    return lambda message, facts: message.set_content(message.get_content().replace(str(facts[old]), str(facts[new])))


miss_written_to_who_was_answered_from_home = misses.mail_edited(_to("twice"), _instead("from_home_asker"), kills="sent")
miss_written_to_who_was_called = misses.mail_edited(_to("automatic_asker"), _instead("called_asker"), kills="sent")
miss_written_to_who_the_desk_answered = misses.mail_edited(_to("twice"), _instead("by_the_desk_asker"), kills="sent")
miss_nothing_after_the_automatic_reply = misses.mail_removed(_to("automatic_asker"), kills="sent")
miss_nothing_after_a_call_in_vain = misses.mail_removed(_to("called_in_vain_asker"), kills="sent")
miss_first_question_not_named = misses.mail_edited(_to("twice"), _say("first_order", "last_order"), kills="orders")
miss_last_day_of_leave_as_the_one_back = misses.mail_edited(_to("twice"), _say("back", "last"), kills="back")
miss_mail_out_of_its_thread = misses.mail_edited(_to("twice"), taken_out_of_thread, kills="threads")
miss_day_that_was_moved = _event("moved", _on("first"))
miss_on_the_saturday_itself = _event("saturday", _on("on_saturday"))
miss_what_falls_due_later_entered = _event("moved", _for("after_order"))
miss_what_was_sent_already_entered = _event("moved", _for("kept_order"))
