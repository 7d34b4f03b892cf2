"""Steps of reference solutions that count the survey on a retreat and organize it, using only tool calls."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from yardkit.evaluators.proof import Agent
from yardkit.evaluators.solving.desk import read_all, read_day, read_mails, read_note, read_today
from yardkit.evaluators.solving.solver import read_full_sheet

Row = list[Any]
HOME = ZoneInfo("Europe/Vienna")
"""Head offices lie where clocks go so."""


@dataclass(frozen=True)
class Place:
    """The offer of a place. message: the number of its last mail; days: such as ``4 and 5 June 2026``."""

    name: str
    number: str
    days: str
    hire: float
    per_head: float
    message: int

    @property
    def first(self) -> date:
        return read_day(re.sub(r" and \d+", "", self.days))


@dataclass(frozen=True)
class Ground:
    """The information available when the survey is over.

    Attributes:
        votes: the person, place and afternoon of each valid answer.
        staff: the participants other than the owner.
        brief: the questions to ask, by author.
        form: last year's form about travel and meals.
    """

    survey: int
    votes: Sequence[Row]
    staff: Sequence[str]
    places: Sequence[Place]
    budget: float
    brief: str
    form: Mapping[str, Any]

    @property
    def people(self) -> int:
        return len(self.staff) + 1

    @property
    def won(self) -> Place:
        counts = Counter(row[1] for row in self.votes)
        within = (venue for venue in self.places if venue.hire + venue.per_head * self.people <= self.budget)
        return max(within, key=lambda venue: counts[venue.name])

    @property
    def afternoon(self) -> str:
        return str(Counter(row[2] for row in self.votes).most_common(1)[0][0])

    @property
    def reply_by(self) -> str:
        return str(re.findall(r"all answers by (\d+ \w+ \d{4})", self.brief)[0])

    @property
    def form_text(self) -> str:
        """The text below the title of the form about travel and meals."""
        return f"{self.won.name}, {self.won.days}. Please answer by {self.reply_by}."


def read_ground(agent: Agent) -> Ground:
    """Read all information: the rule, last year's procedure, forms, mails, contacts."""
    read_note(agent, "Retreat")
    last, year = list_last_year(agent), read_today(agent).year
    forms = {form["title"]: form["id"] for form in read_all(agent, "list_forms", "forms", query="Retreat")}
    survey = forms[f"Retreat {year}: where shall we go?"]
    staff, me = _list_staff(agent), str(agent.call("list_mail_folders")["address"])
    budget = read_mails(agent, query="can spend retreat June", since=f"{year}-01-01")[-1]["text"]
    brief = read_mails(agent, subject=f"Retreat {year}: travel and meals")[-1]["text"]
    return Ground(
        survey,
        _count_answers(agent, survey, {me, *staff}),
        staff,
        _read_places(agent, str(year)),
        _find_amounts(budget)[0],
        " ".join(brief.split()),
        agent.call("read_form", form_id=forms[last]),
    )


def list_last_year(agent: Agent) -> str:
    """Read last year's mails, event and workbook, and return the title of the form about travel and meals."""
    year = read_today(agent).year - 1
    read_mails(agent, query=f"June {year}", mailbox="Sent")
    for sheet in ("Votes", "Places", "Afternoons"):
        read_full_sheet(agent, f"retreat/{year}.xlsx", sheet)
    retreat_events = agent.call("list_events", since=f"{year}-05-01", until=f"{year}-08-01", query="Retreat")["events"]
    agent.call("read_event", event_id=retreat_events[0]["id"])
    return f"Retreat {year}: travel and meals"


def _list_staff(agent: Agent) -> list[str]:
    """List the colleagues in the address book, without those who left and with contractors who were hired."""
    cards = list(read_all(agent, "find_contacts", "contacts"))
    emails = {card["name"]: card["emails"][0] for card in cards if card["groups"] in (["contractors"],)}
    staff = {card["name"]: card["emails"][0] for card in cards if "colleagues" in card["groups"]}
    for mail in read_mails(agent, query="a contractor until now, is employed here"):
        name = mail["subject"]
        staff[name] = emails[name]
    for mail in read_mails(agent, query="leaves us. The last day is"):
        del staff[mail["subject"]]
    return sorted(staff.values())


def _count_answers(agent: Agent, survey: int, people: set[str]) -> list[Row]:
    """Count the last timely answer of each of these people."""
    description = agent.call("read_form", form_id=survey)["description"]
    ends = datetime.strptime(re.findall(r"(\d+ \w+ \d{4}, \d\d:\d\d)", description)[0], "%d %B %Y, %H:%M")  # noqa: DTZ007
    last: dict[str, Row] = {}
    for response in read_all(agent, "list_responses", "responses", form_id=survey):
        if response["respondent"] in people and datetime.fromisoformat(response["submitted"]) <= ends.replace(
            tzinfo=HOME
        ):
            last[response["respondent"]] = [response["respondent"], *[*response["answers"].values()][:2]]
    return sorted(last.values())


def _read_places(agent: Agent, year: str) -> list[Place]:
    """Read the offers with the corrections in later mails of their threads."""
    venues: dict[str, Place] = {}
    for mail in read_mails(agent, subject="Offer", query=f"June {year}", mailbox="INBOX"):
        text = " ".join(mail["text"].split())
        offer = re.fullmatch(rf"(Re: )?Offer (\S+): (.+), (\d+ and \d+ June {year})", mail["subject"])
        if offer:
            _, number, name, days = offer.groups()
            head = venues[number].per_head if number in venues else _find_amounts(text)[1]
            venues[number] = Place(name, number, days, _find_amounts(text)[0], head, mail["id"])
    return list(venues.values())


def _find_amounts(text: str) -> list[float]:
    return [float(number.replace(",", "")) for number in re.findall(r"EUR ([\d,]+\.\d\d)", text)]


def tally_of(ground: Ground) -> dict[str, list[Row]]:
    """Make the sheets of the workbook, with formulas."""
    last = len(ground.votes) + 1
    places: list[Row] = [
        [venue.name, venue.hire, venue.per_head, ground.people, f"=B{row}+C{row}*D{row}", ground.budget,
         f"=COUNTIF(Votes!B$2:B${last},A{row})", f'=IF(E{row}<=F{row},"yes","no")']
        for row, venue in enumerate(ground.places, 2)
    ]  # fmt: skip
    names = sorted({row[2] for row in ground.votes})
    afternoons: list[Row] = [[name, f"=COUNTIF(Votes!C$2:C${last},A{row})"] for row, name in enumerate(names, 2)]
    heads = ["Place", "Hire", "Per person", "People", "Cost", "Budget", "Votes", "Within budget"]
    return {
        "Votes": [["Person", "Place", "Afternoon"], *ground.votes],
        "Places": [heads, *places],
        "Afternoons": [["Afternoon", "Votes"], *afternoons],
    }


def questions_of(ground: Ground) -> list[dict[str, Any]]:
    """Return last year's questions with the changes of the brief."""
    (gone, new), listed = re.findall('"([^"]+)"', ground.brief), re.findall(r"these answers: (.+?)\. We", ground.brief)
    kind = "choices" if "tick several" in ground.brief else "choice"
    new_questions = []
    for asked in ground.form["questions"]:
        text = re.sub(r"\(.+\)", f"({ground.afternoon})", asked["text"])
        choices = [choice for choice in asked["choices"] if choice != gone]
        new_questions.append({"text": text, "kind": asked["kind"], "choices": choices, "required": asked["required"]})
    meals = next(place for place, asked in enumerate(new_questions) if "eat" in str(asked["text"]))
    more = {"text": new, "kind": kind, "choices": listed[0].split("; "), "required": True}
    return [*new_questions[: meals + 1], more, *new_questions[meals + 1 :]]


def result_text(ground: Ground, link: str, line: str = "- {name}: {votes}") -> str:
    """Write the text of the message to all participants."""
    counts = Counter(row[1] for row in ground.votes)
    lines = "\n".join(line.format(name=name, votes=votes) for name, votes in counts.most_common())
    return (
        f"Dear all,\n\n{len(ground.votes)} of us have voted:\n\n{lines}\n\nSo we go to {ground.won.name} on "
        f"{ground.won.days}. In the afternoon: {ground.afternoon}.\n\nPlease tell us about travel and meals by "
        f"{ground.reply_by}: {link}"
    )


def answer_places(agent: Agent, ground: Ground, taken: str, refused: str, *, quoted: bool = False) -> None:
    """Accept one offer and refuse the others; the texts may contain ``{number}``, ``{days}`` and ``{people}``."""
    for place in ground.places:
        text = (taken if place == ground.won else refused).format(
            number=place.number, days=place.days, people=ground.people
        )
        agent.call("reply_message", message_id=place.message, text=text, quoted=quoted)


def enter_days(agent: Agent, ground: Ground, title: str, **more: Any) -> str:
    """Enter the two days into the calendar; return the id of the event."""
    last = str(ground.won.first + timedelta(days=2))
    return str(agent.call("create_event", title=title, starts=str(ground.won.first), ends=last, **more)["id"])
