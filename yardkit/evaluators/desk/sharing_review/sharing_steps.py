"""Steps of reference solutions that review a shared drive, using only tool calls."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.desk import read_all, read_day, read_mails

Change = tuple[Mapping[str, Any], str, str, str]
"""An item, an address, the role before and after."""


@dataclass(frozen=True)
class Ground:
    """The information in the notes, the address book and the mails."""

    today: date
    domain: str
    barred: frozenset[str]
    finance: frozenset[str]
    folders: Mapping[str, str]
    auditors: Mapping[str, date]
    excepted: Mapping[tuple[str, str], date]

    def role(self, item: Mapping[str, Any], email: str, had: str) -> str:
        """The role that the rules allow."""
        inside = item["path"].split("/")[0] == "Finance"
        if email in self.barred or email.endswith("@webmail.example"):
            return "none"
        if self.excepted.get((email, item["name"]), date.min) >= self.today:
            return had
        if email in self.auditors:
            return "reader" if inside and self.auditors[email] >= self.today else "none"
        if email.endswith(self.domain):
            return "reader" if inside and email not in self.finance else had
        if self.folders.get(email, "-") not in item["path"].split("/"):
            return "none"
        return "commenter" if had == "writer" else had


def read_mandates(agent: Agent, by_name: Mapping[str, str]) -> Iterator[tuple[str, date]]:
    """Read the last day of each auditor, from the latest mail of the head of Finance."""
    for mail in read_mails(agent, query="mandate Head of Finance"):
        for name, day in re.findall(r"mandate of (.+?) (?:now )?end(?:s|ed) on (\d+ \w+ \d{4})", mail["text"]):
            yield by_name[name], read_day(day)


def read_exceptions(agent: Agent, by_name: Mapping[str, str]) -> Iterator[tuple[tuple[str, str], date]]:
    """Read the last day of each exception of the head of Legal, by address and file, without withdrawn ones."""
    for mail in read_mails(agent, query="Head of Legal", subject="Exception for"):
        name, file, exception_text = re.findall(r'([A-Z]\S+ [^ ]+) (?:keeps|for) .*?"(.+)",? (.+)', mail["text"])[0]
        days = re.findall(r"\d+ \w+ \d{4}", exception_text)
        yield (by_name[name], file), read_day(days[0]) if days else date.min


def find_changes(agent: Agent, ground: Ground) -> Iterator[Change]:
    """Find all changes that the rules require."""
    for item in read_all(agent, "search_drive", "items"):
        for share in item.get("shared_with") or []:
            now = ground.role(item, share["email"], share["role"])
            if now != share["role"]:
                yield item, share["email"], share["role"], now


def settle_changes(agent: Agent, changes: Iterable[Change]) -> None:
    """Make the changes that are allowed."""
    for item, email, _, now in changes:
        if item.get("can_write", True):
            agent.call("share_drive_file", item_id=item["id"], email=email, role=now)


def write_letters(agent: Agent, changes: Sequence[Change], form: str, *, separate: bool = True) -> None:
    """Write a letter to each other owner, in the form of the last review's letters; `form` is a line of it.

    apart: the owners' own tasks are below a line that says so; else each such line says it.
    """
    me = agent.call("list_mail_folders")["address"]
    old = read_mails(agent, subject="Sharing review", mailbox="Sent")[-1]
    quarter, year = re.findall(r"Q(\d) (\d+)", old["subject"])[0]
    subject = f"Sharing review Q{int(quarter) % 4 + 1} {int(year) + int(quarter) // 4}"
    for owner in sorted({item["owner"] for item, *_ in changes} - {me}):
        done, asked = list[str](), list[str]()
        for item, email, was, now in (change for change in changes if change[0]["owner"] == owner):
            line = form.format(name=item["name"], email=email, was=was, now=now)
            mine = item.get("can_write", True)
            (done if mine else asked).append(line if mine or separate else f"{line}: please see to it yourself.")
        parts = ["Hello,", *(["This is new:"] if done else []), *done]
        parts += [*(["Please do this yourself, as I may only read it:"] if asked and separate else []), *asked]
        agent.call("send_message", to=[owner], subject=subject, text="\n\n".join(parts))
