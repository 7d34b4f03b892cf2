"""What a person reads out of the brief, the mails, the drafts and the events: what the newsletter must say."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.solver import read_mail_files


@dataclass(frozen=True)
class Plan:
    """What the page must say, as the brief and the mails have it."""

    title: str
    articles: Sequence[tuple[str, list[str], str]]
    alts: dict[str, str]
    events: Sequence[list[str]]

    @property
    def heads(self) -> list[str]:
        return [*(article[0] for article in self.articles), "Events in April"]


def plan_of(agent: Agent) -> Plan:
    """Read the brief, the mails after it, the drafts, and the events."""
    blocks = agent.call("read_document", path="brief/brief_2026-04.docx")["blocks"]
    tables = {block["rows"][0][1]: block["rows"][1:] for block in blocks if block["kind"] == "table"}
    title = next(
        re.findall(r'are "(.+)"', block["text"])[0] for block in blocks if "level 1 and" in block.get("text", "")
    )
    articles = [row[1:] for row in tables["Headline"]]
    for mail_text in _read_mails(agent):
        articles = _amend_articles(articles, mail_text)
    drafts = [path["path"] for path in agent.call("list_folder", path="drafts")["entries"]]
    texts = [
        _find_current_lines(agent, [path for path in drafts if path.startswith(f"drafts/{key}")])
        for _, key, _ in articles
    ]
    articles_with_text = [
        (headline, text, picture) for (headline, _, picture), text in zip(articles, texts, strict=True)
    ]
    return Plan(title, articles_with_text, dict(tables["Shows"]), _read_events(agent))


def _read_mails(agent: Agent) -> Iterator[str]:
    """What the editor has written after the brief, in order."""
    editor = re.findall(r"What (.+?), our editor", " ".join(agent.prompt.split()))[0]
    for mail in sorted(read_mail_files(agent, "mail"), key=lambda mail: mail["Date"].datetime):
        if str(mail["From"]).startswith(editor) and mail["Date"].datetime.day > 18:
            yield mail.get_content()


def _amend_articles(articles: list[list[str]], mail_text: str) -> list[list[str]]:
    """The list of articles with what a mail changes in it."""
    text = " ".join(mail_text.split())
    for old, new, key, picture in re.findall(
        r'leave out "(.+?)".*?taken by "(.+?)" \(draft: (\w+), picture: (.+?)\)', text
    ):
        articles = [[new, key, picture] if row[0] == old else row for row in articles]
    for first in re.findall(r'to the very top: "(.+?)"', text):
        articles = sorted(articles, key=lambda row: row[0] != first)
    for old, new in re.findall(r'The headline "(.+?)" becomes "(.+?)"', text):
        articles = [[new, *row[1:]] if row[0] == old else row for row in articles]
    return articles


def _find_current_lines(agent: Agent, paths: Sequence[str]) -> list[str]:
    """The lines of the highest cleared version."""
    read = [_read_draft(agent, path) for path in paths]
    cleared = [(int(head["Version"]), lines) for head, lines in read if head["Status"] == "cleared"]
    return max(cleared)[1]


def _read_draft(agent: Agent, path: str) -> tuple[dict[str, str], list[str]]:
    if path.endswith(".md"):
        top, *lines = agent.call("read_file", path=path)["content"].strip().split("\n\n")
        return dict(line.split(": ", 1) for line in top.splitlines()), lines
    table, *blocks = agent.call("read_document", path=path)["blocks"]
    marks = {"heading": "## "}
    return dict(table["rows"]), [marks.get(block["kind"], "") + block["text"] for block in blocks if block.get("text")]


def _read_events(agent: Agent) -> list[list[str]]:
    event_rows = []
    for sheet in ("Events", "Late entries"):
        for row in agent.call("read_records", path="events/events_2026.xlsx", sheet=sheet, limit=500)["records"]:
            day = _parse_day(str(row["Date"]))
            if row["Status"].strip().lower() == "confirmed" and day:
                hour, minute = re.findall(r"(\d+)[.:](\d+)", str(row["Start"]))[0]
                event_rows.append((day, f"{int(hour):02}:{minute}", row["Event"], row["Place"]))
    return [[f"{day} April", *rest] for day, *rest in sorted(event_rows)]


def _parse_day(text: str) -> int:
    """The day of April 2026, or 0."""
    for pattern in (r"2026-04-(\d+)", r"(\d+)\.04\.2026", r"(\d+) April 2026"):
        if match := re.search(pattern, text):
            return int(match[1])
    return 0
