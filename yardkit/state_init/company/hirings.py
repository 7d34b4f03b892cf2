"""Vacancies: applications, interviews, one who withdraws; two of those who apply have nearly the same name."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import at_work, choose_later_moment, make_moment, to_workday
from yardkit.state_init.company.letters import Cell, File, Letter, Meeting, link_thread, write_note
from yardkit.state_init.company.persons import SPELLINGS, Colleague, Somebody, address_of, fresh_names
from yardkit.state_init.names import ascii_of

_LANGUAGES = ("English", "German", "French", "Spanish")


@dataclass(frozen=True)
class Candidate(Somebody):
    """Somebody who applies. interview: where there is to be one; withdrawn: when they took their application back."""

    language: str
    applied: datetime
    interview: Meeting | None = None
    withdrawn: datetime | None = None


@dataclass(frozen=True)
class Hiring:
    """A vacancy. number: such as ``V-26-03``; letters: those that were written until now."""

    number: str
    title: str
    lead: Colleague
    opened: date
    candidates: tuple[Candidate, ...]
    letters: tuple[Letter, ...] = ()

    @property
    def meetings(self) -> tuple[Meeting, ...]:
        return tuple(candidate.interview for candidate in self.candidates if candidate.interview)


def make_hiring(rng: random.Random, cast: Cast, number: int, day: date) -> Hiring:
    """A vacancy for which five people apply from a day on; three are invited, the last of them withdraws."""
    department = rng.choice(("Engineering", "Finance", "Marketing", "Sales"))
    lead, title = cast.find_head(department), f"{department} {rng.choice(('Analyst', 'Specialist', 'Coordinator'))}"
    hiring = Hiring(f"V-{day:%y}-{number:02d}", title, lead, day, ())
    names = fresh_names(rng, 5, cast.names)
    twins = rng.choice(SPELLINGS)
    names[:2] = [(names[0][0], last) for last in twins]
    rng.shuffle(names)
    hiring = replace(hiring, candidates=tuple(_make_candidate(rng, name, day, hiring) for name in names))
    invited = sorted(hiring.candidates, key=lambda candidate: candidate.last not in twins)[:3]
    met = {
        candidate.email: _invite_candidate(rng, cast, hiring, candidate, place)
        for place, candidate in enumerate(invited)
    }
    met[invited[2].email] = _withdraw_candidate(rng, met[invited[2].email])
    hiring = replace(hiring, candidates=tuple(met.get(candidate.email, candidate) for candidate in hiring.candidates))
    return replace(hiring, letters=_write_letters(rng, cast, hiring))


def _make_candidate(rng: random.Random, name: tuple[str, str], day: date, hiring: Hiring) -> Candidate:
    applied = at_work(rng, day + timedelta(days=rng.randint(2, 12)), hiring.lead.time_zone)
    return Candidate(*name, address_of(*name, "post.example"), rng.choice(_LANGUAGES), applied)


def _invite_candidate(rng: random.Random, cast: Cast, hiring: Hiring, candidate: Candidate, place: int) -> Candidate:
    day = to_workday(hiring.opened + timedelta(days=rng.randint(24, 30)))
    zone = hiring.lead.time_zone
    begins = make_moment(day, 9 + 2 * place, rng.choice((0, 30)), zone)
    meeting = Meeting(
        f"interview-{hiring.number}-{candidate.last.lower()}@{cast.domain}",
        *(f"Interview {candidate.name}, {hiring.number}", begins, begins + timedelta(minutes=45), zone),
        *(f"{hiring.lead.office}, room {rng.randint(101, 420)}", cast.owner.email),
        *((hiring.lead.email, cast.owner.email, candidate.email), hiring.number),
    )
    return replace(candidate, interview=meeting)


def _withdraw_candidate(rng: random.Random, candidate: Candidate) -> Candidate:
    assert candidate.interview  # noqa: S101 - was invited
    meeting = replace(candidate.interview, cancelled=True)
    return replace(candidate, interview=meeting, withdrawn=choose_later_moment(rng, candidate.applied, 9, "UTC"))


def _write_letters(rng: random.Random, cast: Cast, hiring: Hiring) -> tuple[Letter, ...]:
    return tuple(letter for candidate in hiring.candidates for letter in _write_thread(rng, cast, hiring, candidate))


def _write_thread(rng: random.Random, cast: Cast, hiring: Hiring, candidate: Candidate) -> tuple[Letter, ...]:
    name, ours = f"{hiring.number}/{candidate.email}", cast.owner
    application_text = (
        f"I apply for {hiring.title} ({hiring.number}). My papers are attached; I would be glad to talk to you."
    )
    stations: Iterator[tuple[Cell, ...]] = (
        (str(hiring.opened.year - back), rng.choice(cast.customers).name) for back in (9, 6, 2)
    )
    years = (("Year", "Where"), *stations)
    file = File(
        f"cv_{ascii_of(candidate.first)}_{ascii_of(candidate.last)}.pdf", f"Curriculum vitae: {candidate.name}", years
    )
    letters = [
        Letter(
            *(f"{name}/application", candidate.mailbox, (ours.mailbox,), f"Application {hiring.number}"),
            *(write_note(ours.first, application_text, candidate.name), candidate.applied),
            files=(file,),
        )
    ]
    if candidate.interview:
        begins = candidate.interview.begins
        text = f"we would like to meet you on {begins:%A, %d %B at %H:%M} ({candidate.interview.place})."
        invited = choose_later_moment(rng, candidate.applied, 4, ours.time_zone)
        letters.append(
            _write_answer(
                f"{name}/invited", ours.mailbox, candidate.mailbox, candidate.first, text, ours.first, invited
            )
        )
    if candidate.withdrawn:
        text = f"thank you, but I have signed elsewhere. Please take me off the list for {hiring.number}."
        at = max(candidate.withdrawn, letters[-1].sent + timedelta(hours=3))
        letters.append(
            _write_answer(f"{name}/withdrawn", candidate.mailbox, ours.mailbox, ours.first, text, candidate.name, at)
        )
    return link_thread(*letters)


def _write_answer(key: str, by: str, to: str, first: str, text: str, signed: str, sent: datetime) -> Letter:
    return Letter(key, by, (to,), "", write_note(first, text, signed), sent)
