"""What a person reads out of the mails: who takes part, with which wishes, and what the forms say then."""

import datetime
import re
from collections.abc import Mapping
from typing import Any

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import read_mail_files

ROOM = 50
"""Letters that a line of the form takes with certainty."""
TICKETS = {"single day": "One-day", "One day": "One-day", "one day": "One-day", "three days": "Three-day"}
Form = dict[str, Any]
Mail = tuple[datetime.datetime, str, str]


def _read_mails(agent: Agent) -> list[Mail]:
    """Date, sender and text of each mail, the oldest first; quoted lines left out."""
    mails = []
    for mail in read_mail_files(agent, "inbox"):
        body = mail.get_body(preferencelist=("plain",))
        text = "\n".join(line for line in str(body.get_content() if body else "").splitlines() if line[:1] != ">")
        mails.append((mail["Date"].datetime, mail["From"].addresses[0].addr_spec, text))
    return sorted(mails)


def forms_by_number(agent: Agent) -> dict[str, Form]:
    """The forms by number: registered in turn, corrected, withdrawn."""
    first = int(re.findall(r"FA-2026-(\d+)", agent.prompt)[0])
    entries: list[Form] = []
    for sent, sender, text in _read_mails(agent):
        if sent.year != 2026:
            continue
        own = [entry for entry in entries if entry["email"] == sender]
        if "withdraw" in text:
            own[0]["gone"] = True
        elif "correct" in text:
            own[0].update(_parse_day(text, "arrival", r"I arrive on"), **_parse_wishes(text, only_said=True))
        elif re.search(r"badge", text):
            entries += _list_registered(sent, sender, text)
    return {f"FA-2026-{n:03d}": entry for n, entry in enumerate(entries, first) if not entry.get("gone")}


def _list_registered(sent: datetime.datetime, sender: str, text: str) -> list[Form]:
    """The people that a mail registers."""
    received = {"received": sent.date().isoformat()}
    if re.search(r"^1\. ", text, re.MULTILINE):
        parts = re.findall(r"^\d\. (.+)\n((?:   .+\n)+)", text + "\n", re.MULTILINE)
        return [{"name": name.strip(), **received, **_parse_listing(lines)} for name, lines in parts]
    text = text.replace("\r", "")
    form = {"email": sender, "name": text.strip().split("\n")[-1].strip(), **received, **_parse_wishes(text)}
    form |= {**_parse_day(text, "arrival", "arrive on"), **_parse_day(text, "departure", "leave on")}
    for name, pattern in {
        "company": r"(?:work for|Company:|I am with) (.+?)(?:, (?=\d|phone)|\n|$)",
        "address": r"(?:work for .+?, |Address: |full address: )(.+?)(?:\. You|\.?\n)",
        "phone": r"(?:reach me under|Phone:|phone) (\+[\d ]+\d)",
    }.items():
        form[name] = " ".join(re.findall(pattern, text)[0].split())
    other = re.search(r"writing for (.+?) \((.+?)\)", " ".join(text.split()))
    if other:
        form["name"], form["email"] = other.groups()
    return [form]


def _parse_listing(lines: str) -> Form:
    listed_fields = dict(re.findall(r"^\s+(.+?): (.+)$", lines.replace("\r", ""), re.MULTILINE))
    days = [
        f"2026-{int(month):02d}-{int(day):02d}" for day, month in re.findall(r"(\d+)/(\d+)", listed_fields["From/to"])
    ]
    ticket = {"one day": "One-day", "three days": "Three-day", "exhibitor": "Exhibitor"}[listed_fields["Ticket"]]
    return {
        "company": listed_fields["Company"],
        "address": listed_fields["Address"],
        "phone": listed_fields["Phone"],
        "email": listed_fields["E-mail"],
        "arrival": days[0],
        "departure": days[1],
        "ticket": ticket,
        "parking": listed_fields["Car park"] == "yes",
        "vegetarian": listed_fields["Lunch"] == "vegetarian",
        "access": listed_fields["Wheelchair"] == "yes",
        "language": listed_fields["Language of badge"],
    }


def _parse_day(text: str, name: str, before: str) -> Form:
    lined = " ".join(text.split())
    written = re.search(rf"{before} \w+, (\d+) April", lined)
    if written:
        return {name: f"2026-04-{int(written[1]):02d}"}
    digits = re.search(rf"{before} (\d+)\.(\d+)\.2026", lined)
    return {name: f"2026-{digits[2]}-{digits[1]}"} if digits else {}


def _parse_wishes(text: str, *, only_said: bool = False) -> Form:
    lined = " ".join(text.split())
    ticket = "Exhibitor" if "exhibitor" in lined else next(TICKETS[name] for name in TICKETS if name in lined)
    wishes: Form = {"ticket": ticket, "parking": "need a parking space" in lined}
    if not only_said:
        language = re.findall(r"badge should be in (\w+)", lined)[0]
        wishes |= {"vegetarian": "No meat" in lined, "access": "wheelchair" in lined, "language": language}
    return wishes


def values_of(number: str, form: Form) -> Form:
    """The fields of a form; the address in lines that fit."""
    lines: list[str] = [""]
    for word in str(form["address"]).split():
        if len(lines[-1]) + len(word) + 1 > ROOM:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    address = {f"address{n}": lines[n - 1] if n <= len(lines) else None for n in (1, 2, 3)}
    names = ("received", "name", "company", "phone", "email", "arrival", "departure", "ticket")
    boxes = ("parking", "vegetarian", "access", "language")
    return {"reg_no": number, **address, **{name: form[name] for name in (*names, *boxes)}}


def rows_of(forms: Mapping[str, Form]) -> list[list[str]]:
    rows = [
        [number, *(str(form[name]) for name in ("name", "company", "arrival", "departure", "ticket")),
         "yes" if form["parking"] else "no"]
        for number, form in forms.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row[3], row[0]))
