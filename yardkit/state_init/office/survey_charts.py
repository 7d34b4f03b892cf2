"""A staff survey from the web and from paper: spellings, words for numbers, answers twice, tests, a codebook."""

import datetime
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypedDict

from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.documents import FieldCode, Paper
from yardkit.state_init.mails import mail_name, send_mail
from yardkit.state_init.names import make_people
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

FIRST, LAST = datetime.date(2026, 2, 2), datetime.date(2026, 2, 22)
SITES: Mapping[str, tuple[str, ...]] = {
    "Brno": ("BRQ", "Brünn"),
    "Cork": ("ORK", "Cork (Mahon)"),
    "Gdańsk": ("GDN", "Danzig", "Gdansk"),
    "Leipzig": ("LEJ", "Leipzig HQ"),
    "Porto": ("OPO", "Oporto"),
    "Tampere": ("TMP", "Tammerfors"),
}
DEPARTMENTS: Mapping[str, tuple[str, ...]] = {
    "Engineering": ("R&D", "Development"),
    "Finance": ("Accounting", "Controlling"),
    "Human Resources": ("HR", "Personnel"),
    "Operations": ("Production", "Ops"),
    "Procurement": ("Purchasing",),
    "Sales": ("Sales & Service", "Field force"),
}
LEVELS = ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied")
NONE = ("", "n/a", "99", "-")
COUNT = 1860


@dataclass(frozen=True)
class Reply:
    """What somebody answered; None where there is no valid answer."""

    code: str
    at: datetime.datetime
    channel: str
    site: str
    department: str
    satisfaction: int | None
    recommend: int | None


class SurveyChartsFacts(TypedDict):
    """The sites, the departments, the answers that count by respondent, and the department with the lowest score."""

    sites: list[str]
    departments: list[str]
    replies: dict[str, list[Any]]
    lowest: str


def seed(world: World, rng: random.Random) -> SurveyChartsFacts:
    """Write the answers, the codebook and what lies beside them; the facts hold the answers that count."""
    sites = sorted(rng.sample(sorted(SITES), 5))
    kind = {site: rng.uniform(-0.6, 0.6) for site in sites}
    kind |= dict(zip(sorted(DEPARTMENTS), rng.sample(MOODS, len(DEPARTMENTS)), strict=True))
    replies = [_make_reply(rng, code, sites, kind) for code in _make_codes(rng)]
    lines = [_write_line(rng, reply) for reply in replies] + _make_noise_lines(rng, replies, sites, kind)
    rng.shuffle(lines)
    folder = world.files / "survey"
    _save_lines(folder / "responses.csv", lines)
    _save_lines(folder / "responses_until_2026-02-13.csv", lines[: len(lines) // 2])
    _write_codebook(world, sites)
    _write_other_files(world, rng, sites)
    return {
        "sites": sites,
        "departments": sorted(DEPARTMENTS),
        "replies": {reply.code: [reply.at.date().isoformat(), *list(vars(reply).values())[2:]] for reply in replies},
        "lowest": min(sorted(DEPARTMENTS), key=lambda name: _compute_score(replies, name)),
    }


MOODS = (-1.6, -0.7, -0.2, 0.2, 0.6, 1.2)
"""Far enough apart for one department to be the last."""


def _compute_score(replies: Sequence[Reply], department: str) -> float:
    given = [reply.recommend for reply in replies if reply.department == department and reply.recommend is not None]
    return sum((number >= 9) - (number <= 6) for number in given) / len(given)


def _make_codes(rng: random.Random) -> list[str]:
    return [f"R{number:05d}" for number in sorted(rng.sample(range(10_000, 60_000), COUNT))]


def _make_reply(rng: random.Random, code: str, sites: Sequence[str], kind: Mapping[str, float]) -> Reply:
    site, department = rng.choice(sites), rng.choice(sorted(DEPARTMENTS))
    days = (LAST - FIRST).days
    at = datetime.datetime(FIRST.year, FIRST.month, FIRST.day, 6, 0) + datetime.timedelta(  # noqa: DTZ001
        days=rng.randint(0, days), minutes=rng.randrange(16 * 60)
    )
    level = min(5, max(1, round(rng.gauss(3.4 + kind[site], 1.1))))
    likely = min(10, max(0, round(rng.gauss(7.6 + kind[department], 2.2))))
    return Reply(
        code,
        at,
        rng.choice(("web", "web", "web", "paper")),
        site,
        department,
        None if rng.random() < 0.05 else level,
        None if rng.random() < 0.07 else likely,
    )


Line = list[str]


def _write_line(rng: random.Random, reply: Reply) -> Line:
    """The answer as it stands in the export."""
    web = reply.channel == "web"
    time_text = f"{reply.at:%Y-%m-%d %H:%M}" if web else f"{reply.at.day}.{reply.at.month}.{reply.at.year}"
    return [
        reply.code if rng.random() < 0.95 else f" {reply.code.lower()} ",
        time_text,
        reply.channel,
        _spell_name(rng, reply.site, SITES[reply.site]),
        _spell_name(rng, reply.department, DEPARTMENTS[reply.department]),
        _spell_satisfaction(rng, reply.satisfaction, web=web),
        _spell_likelihood(rng, reply.recommend),
        rng.choice(
            ("", "", "", "More bicycles", "Thank you, all good", "The canteen; the lifts", 'Say "no" more often')
        ),
    ]


def _spell_name(rng: random.Random, name: str, others: Sequence[str]) -> str:
    chance = rng.random()
    if chance < 0.7:
        return name
    if chance < 0.85:
        return rng.choice(list(others))
    return rng.choice((name.upper(), name.lower(), f" {name}", f"{name} "))


def _spell_satisfaction(rng: random.Random, level: int | None, *, web: bool) -> str:
    if level is None:
        return rng.choice((*NONE, "0", "6"))
    return str(level) if web or rng.random() < 0.4 else rng.choice((LEVELS[level - 1], LEVELS[level - 1].capitalize()))


def _spell_likelihood(rng: random.Random, likely: int | None) -> str:
    if likely is None:
        return rng.choice((*NONE, "11", "100"))
    if likely in (0, 10) and rng.random() < 0.4:
        return {0: "0 - never", 10: "10 - certainly"}[likely]
    return str(likely)


def _make_noise_lines(
    rng: random.Random, replies: Sequence[Reply], sites: Sequence[str], kind: Mapping[str, float]
) -> list[Line]:
    """Lines that do not count: earlier answers of people who answered again, tests, days before and after."""
    noise_lines = []
    for reply in rng.sample([reply for reply in replies if reply.at.date() > FIRST], 80):
        other = _make_reply(rng, reply.code, sites, kind)
        days = rng.randint(1, (reply.at.date() - FIRST).days)
        noise_lines.append(_write_line(rng, replace(other, at=reply.at - datetime.timedelta(days=days))))
    noise_lines += [_write_line(rng, _make_reply(rng, f"TEST{number:02d}", sites, kind)) for number in range(25)]
    used = {reply.code for reply in replies}
    codes = [code for code in _make_codes(rng) if code not in used][:35]
    for number, code in enumerate(codes):
        other, late = _make_reply(rng, code, sites, kind), number % 2
        at = datetime.datetime.combine(LAST if late else FIRST, datetime.time(12, 5))
        days = rng.randint(1, 6) * (1 if late else -1)
        noise_lines.append(_write_line(rng, replace(other, at=at + datetime.timedelta(days=days))))
    return noise_lines


def _save_lines(path: Path, lines: Sequence[Line]) -> None:
    head = ["respondent", "submitted", "channel", "site", "department", "q1 satisfaction", "q2 recommend", "comment"]
    save_csv(path, [head, *lines], delimiter=";", newline="\r\n", encoding="utf-8-sig")


def _write_codebook(world: World, sites: Sequence[str]) -> None:
    paper = Paper("Codebook of the staff survey", author="Survey team", now=world.now)
    paper.footer("Codebook, page ", FieldCode("PAGE"))
    paper.add_heading("Codebook of the staff survey", 0)
    paper.add_heading("Which answers count")
    paper.add_bullets(
        [
            f"Only answers submitted from {FIRST.day} to {LAST.day} February 2026, both days included.",
            "Respondents whose code begins with TEST are ours and do not count.",
            "Somebody who answered more than once counts once, with the last day on which they answered.",
        ]
    )
    paper.add_heading("Columns")
    rows = [
        ["Column", "What it holds"],
        ["respondent", "a code: R and five digits; typists write it in small letters sometimes"],
        ["submitted", "day and time on the web (2026-02-03 14:05), only the day on paper (3.2.2026)"],
        ["q1 satisfaction", "1 to 5, or in words: " + ", ".join(f"{n} = {text}" for n, text in enumerate(LEVELS, 1))],
        ["q2 recommend", "0 to 10; 0 and 10 may have words behind the number"],
    ]
    paper.table(rows, widths_mm=[35, 120])
    paper.add_paragraph("Whatever else stands in q1 and q2 (99, n/a, a dash, numbers out of range) is no valid answer.")
    for title, names in (("Sites", {site: SITES[site] for site in sites}), ("Departments", DEPARTMENTS)):
        paper.add_heading(title)
        paper.table(
            [["Name", "Also written"], *([name, "; ".join(ways)] for name, ways in names.items())], widths_mm=[55, 100]
        )
    paper.add_paragraph("Capitals and spaces at the ends do not matter in any column.")
    paper.save(world.files / "survey" / "codebook.docx")


def _write_other_files(world: World, rng: random.Random, sites: Sequence[str]) -> None:
    """Last year's results, the invitation, and mails."""
    rows: list[list[Any]] = [
        ["Site", "Answers", "Mean"],
        *([site, rng.randint(150, 300), rng.randint(30, 42) / 10] for site in sites),
    ]
    save_workbook(world.files / "archive" / "survey_results_2025.xlsx", {"Summary": rows}, world.now)
    staff = make_people(rng, 3)
    paper = Paper("Invitation", author=staff[0].name, now=world.now)
    paper.add_heading("Your opinion counts", 0)
    paper.add_paragraph(
        "From 2 to 22 February you can answer two questions on the web or on paper. Nobody sees your name."
    )
    paper.save(world.files / "archive" / "invitation.docx")
    save_text(world.files / "archive" / "headcount.csv", "".join(f"{site};{rng.randint(300, 600)}\n" for site in sites))
    texts = (
        ("Paper forms", "The typists are through. They type dates the German way, 3.2.2026.\n"),
        ("Board meeting", "The board wants one page, landscape, both charts beside or below the figures.\n"),
        ("Half-time export", "This was the state on 13 February, only for the newsletter.\n"),
    )
    for number, ((subject, body), sender) in enumerate(zip(texts, staff, strict=True), 1):
        sent = world.now - datetime.timedelta(days=5 - number)
        send_mail(world.files / "mails" / mail_name(number, subject), sender, "survey@example.com", subject, body, sent)
