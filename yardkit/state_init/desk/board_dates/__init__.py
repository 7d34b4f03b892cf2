"""Board dates of a year: by-laws, seven calendars of which one is private, public holidays, agendas."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

from yardkit.apps.calendar import Agenda, calendar_file, file_name
from yardkit.apps.mail import read_accounts, save_accounts
from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.contacts import fill_contacts
from yardkit.state_init.company.interviews import at_head_office
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.parcels import CALENDAR
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.desk.board_dates import boards
from yardkit.state_init.desk.board_dates.boards import DAY, Director, Quarter, Wishes
from yardkit.state_init.documents import Paper
from yardkit.state_init.material import take_out, typeset_markdown
from yardkit.state_init.names import MEN
from yardkit.world import World, save_bytes

WRITTEN = datetime(2025, 10, 1, 9, tzinfo=UTC)
POINTS = (
    "Minutes of the last meeting", "Report of the managing director", "Figures of the quarter", "Risks", "Dividend",
    "Lease of the warehouse", "Budget", "Report of the auditor", "Succession", "New products", "Any other business",
)  # fmt: skip


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Fill calendars, mailbox, address book and the folder of the board; the facts say which days suit everybody."""
    cast, now = at_head_office(cast_of(world)), world.now
    board = boards.make_board(rng, cast)
    notice = rng.choice((20, 21, 22))
    monday = date(2026, 6, 15) if rng.random() < 0.5 else date(2026, 6, 22)
    other = date(2026, 6, 22) if monday.day == 15 else date(2026, 6, 15)
    wishes = Wishes(board[-1], rng.randrange(5), monday, other)
    stories = make_stories(cast, get_stream(world, "stories"), now)
    taken = fill_calendar(world, cast, get_stream(world, "calendar"), stories, people=4)
    quarters = boards.choose_days(rng, board, taken, wishes, now.date() + (notice + 1) * DAY)
    _write_holidays(world, cast, quarters)
    boards.fill_directors(world, rng, board, quarters)
    fill_contacts(world, cast, get_stream(world, "contacts"))
    boards.add_cards(world, cast.owner.email, board, cast.colleagues[-1])
    _fill_mail(world, cast, board, wishes)
    _write_papers(world, rng, board, notice, quarters)
    return {
        "prompt": {"private": board[-1].name, "they": "he" if board[-1].first in MEN else "she"},
        "owner": cast.owner.email,
        "secretary": [cast.owner.name, cast.owner.time_zone],
        "directors": sorted(member.email for member in board),
        "zones": {member.email: [member.name, member.zone] for member in board},
        "earliest": str(now.date() + (notice + 1) * DAY),
        "quarters": [_list_allowed_days(quarter, wishes) for quarter in quarters],
        "private": board[-1].email,
        "away": str(monday + DAY),
        "former": cast.colleagues[-1].email,
        "early": str(quarters[0].early),
        "holiday": str(quarters[2].holiday),
        "unwished": str(quarters[3].unwished[0]),
        "old": board[4].email.replace("@", "@old."),
    }


def _list_allowed_days(quarter: Quarter, wishes: Wishes) -> dict[str, Any]:
    """The days of a quarter that the rules, the holidays and the wishes leave; the calendars say the rest."""
    closed = str(quarter.holiday), "2026-12-25"
    days = [str(day) for day in quarter.days if str(day) not in closed and not wishes.refuses(day)]

    agenda = f"board/agendas/agenda_{quarter.name.replace(' ', '_')}.docx"
    return {"title": f"Board meeting {quarter.name}", "days": days, "agenda": agenda}


def _write_holidays(world: World, cast: Cast, quarters: list[Quarter]) -> None:
    agenda = Agenda(world)
    for event in boards.list_holidays(quarters, cast.domain):
        agenda.save(cast.owner.email, CALENDAR, file_name(event.uid), calendar_file([event]))


def _fill_mail(world: World, cast: Cast, board: list[Director], wishes: Wishes) -> None:
    """The wishes among other mail."""
    stories = make_stories(cast, get_stream(world, "stories"), world.now)
    letters = wishes.write_letters(cast.owner, world.now)
    fill_mail(world, cast, get_stream(world, "mail"), count=240, stories=stories, more=[*letters])
    accounts = read_accounts(world)
    save_accounts(world, replace(accounts, names={**{member.email: member.name for member in board}, **accounts.names}))


def _write_papers(
    world: World, rng: random.Random, board: list[Director], notice: int, quarters: list[Quarter]
) -> None:
    """The by-laws as they are and as they were, and the agendas with their drafts."""
    text, author = take_out(world, "board/bylaws.md"), board[0].name
    for name, since, days in (("bylaws", "1 October 2025", notice), ("archive/bylaws_2019", "4 June 2019", notice - 7)):
        paper_text = text.format(since=since, notice=days)
        paper = typeset_markdown(
            paper_text, author=author, now=datetime.fromisoformat("2025-10-01T09:00:00+00:00"), header=["By-laws"]
        )
        save_bytes(world.files / f"board/{name}.docx", paper.bytes())
    for quarter in quarters:
        for kind in ("", "_draft"):
            name = f"agenda_{quarter.name.replace(' ', '_')}{kind}"
            paper = Paper(
                f"Agenda: board meeting {quarter.name}{' (draft)' if kind else ''}", author=author, now=world.now
            )
            paper.add_bullets(rng.sample(POINTS, 6))
            save_bytes(world.files / f"board/agendas/{name}.docx", paper.bytes())
