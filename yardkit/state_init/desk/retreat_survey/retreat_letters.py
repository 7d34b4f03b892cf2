"""What is written about a retreat: offers, budgets, who works here, what is to be asked, what came of the survey."""

import random
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta

from yardkit.apps.forms import page_address
from yardkit.state_init.company.cast import Cast
from yardkit.state_init.company.hours import choose_later_moment
from yardkit.state_init.company.letters import Letter, format_money, join_paragraphs, link_thread, write_note
from yardkit.state_init.company.persons import Colleague, Somebody
from yardkit.state_init.desk.retreat_survey.retreat_forms import Asked, coach_of
from yardkit.state_init.desk.retreat_survey.retreats import DAY, Retreat


def write_offers(rng: random.Random, retreat: Retreat, owner: Colleague) -> Iterator[tuple[Letter, ...]]:
    """The threads in which the places make their offers."""
    start = retreat.ends - 32 * DAY
    for venue in retreat.places:
        text = (
            f"you are welcome at {venue.name} on {venue.days}. The hire of the house is"
            f" {format_money(100 * (venue.was or venue.hire))}, and room and meals are"
            f" {format_money(100 * venue.per_head)} per person, each for both days together. This is our offer"
            f" {venue.number}; we keep the days free until 30 April."
        )
        key, signed = f"retreat-{retreat.year}/{venue.number}", f"{venue.host.name}\n{venue.name}"
        sent = choose_later_moment(rng, start, rng.randint(0, 5), owner.time_zone)
        subject = f"Offer {venue.number}: {venue.name}, {venue.days}"
        letters = [_write_letter(key, venue.host, owner, subject, write_note(owner.first, text, signed), sent)]
        if venue.was:
            text = (
                f"I am sorry, there is a mistake in our offer {venue.number}: the hire is"
                f" {format_money(100 * venue.hire)} and not {format_money(100 * venue.was)}, since the house was"
                " renovated. All else stays as it is."
            )
            again = choose_later_moment(rng, sent, 6, owner.time_zone)
            letters.append(
                _write_letter(f"{key}/again", venue.host, owner, "", write_note(owner.first, text, signed), again)
            )
        yield link_thread(*letters)


def write_outcome(
    rng: random.Random, retreat: Retreat, owner: Colleague, offers: Sequence[Sequence[Letter]], form: int
) -> Iterator[Letter]:
    """What the owner wrote when the votes were counted: to the places, and to everybody who comes along."""
    after = choose_later_moment(rng, retreat.ends, 3, owner.time_zone)
    for venue, letters in zip(retreat.places, offers, strict=True):
        if venue == retreat.won:
            text = f"we take your offer {venue.number} for {venue.days}. We are {len(retreat.people)} people."
        else:
            text = f"thank you for your offer {venue.number}. This year we go to another place."
        text, key = write_note(venue.host.first, text, owner.first), f"{letters[0].key}/answer"
        after += timedelta(minutes=rng.randint(2, 6))
        reply = link_thread(*letters, _write_letter(key, owner, venue.host, "", text, after))[-1]
        yield reply
        if venue == retreat.won:
            text = f"thank you! {len(retreat.people)} people on {venue.days}, that is booked."
            text, at = (
                write_note(owner.first, text, f"{venue.host.name}\n{venue.name}"),
                choose_later_moment(rng, after, 1, owner.time_zone),
            )
            yield link_thread(*letters, reply, _write_letter(f"{key}/booked", venue.host, owner, "", text, at))[-1]
    ranks = sorted(retreat.places, key=lambda venue: -retreat.count_votes(venue.name))
    text = join_paragraphs(
        "Dear all,", f"{len(retreat.counted)} of us have voted:",
        "\n".join(f"- {venue.name}: {retreat.count_votes(venue.name)}" for venue in ranks),
        f"So we go to {retreat.won.name} on {retreat.won.days}. In the afternoon: {retreat.afternoon}.",
        f"Please tell us about travel and meals by {retreat.reply_text}: {page_address(form)}",
        f"See you there\n{owner.first}",
    )  # fmt: skip
    people = tuple(participant for participant in retreat.people if participant != owner.email)
    subject, sent = f"{retreat.title}: {retreat.won.name}", after + timedelta(minutes=50)
    yield Letter(f"retreat-{retreat.year}/result", owner.mailbox, people, subject, text, sent)


def write_survey(retreat: Retreat, owner: Colleague, form: int) -> Letter:
    """The call to vote, by the list that reaches everybody."""
    domain = owner.email.partition("@")[2]
    text = join_paragraphs(
        "Dear all,", f"where shall we go this year? Please vote by {retreat.until_text}: "
        f"{page_address(form)}", f"Thank you\n{owner.first}",
    )  # fmt: skip
    key, subject = f"retreat-{retreat.year}/survey", f"{retreat.title}: please vote"
    sent = retreat.ends - 18 * DAY + timedelta(minutes=20)
    return Letter(key, owner.mailbox, (f"Everybody <all@{domain}>",), subject, text, sent)


def write_to_owner(
    rng: random.Random, key: str, by: Colleague, owner: Colleague, subject: str, letter_text: str, day: date
) -> Letter:
    """What a colleague writes to the owner on a day."""
    sent = choose_later_moment(rng, datetime.combine(day, time(7), UTC), 0, by.time_zone)
    return _write_letter(key, by, owner, subject, write_note(owner.first, letter_text, f"{by.name}\n{by.title}"), sent)


def _write_letter(key: str, by: Somebody, to: Somebody, subject: str, text: str, sent: datetime) -> Letter:
    return Letter(key, by.mailbox, (to.mailbox,), subject, text, sent)


def write_notices(
    rng: random.Random, cast: Cast, years: tuple[Retreat, Retreat], more: int, added: Asked
) -> Iterator[Letter]:
    """Budgets, of which this year's was so much more at first, and what is to be asked about travel."""
    finance, hr, (old, new) = cast.find_head("Finance"), cast.find_head("Human Resources"), years
    for retreat, budget in ((old, old.budget), (new, new.budget + more)):
        subject, day = f"{retreat.title}: budget", retreat.ends.date() - 38 * DAY
        budget_text = f"for the retreat in June {retreat.year} you can spend {format_money(100 * budget)}, all in all."
        yield write_to_owner(rng, subject, finance, cast.owner, subject, budget_text, day)
    if more:
        budget_text = (
            f"we have to save. You can spend {format_money(100 * new.budget)} on the retreat in June, and not what I"
            " wrote before. I am sorry."
        )
        day = new.ends.date() - 9 * DAY
        yield write_to_owner(rng, "budget/cut", finance, cast.owner, "Less for the retreat", budget_text, day)
    several = ", who can tick several" if added[1] == "choices" else ""
    briefs = (
        f'please ask about travel and meals as in 2024, and offer "{coach_of(cast)}" as a third way to travel.',
        "please ask about travel and meals with the questions of last year. There is no coach this time, so leave out "
        f'"{coach_of(cast)}". And right after the meals please ask "{added[0]}", to be answered by everybody{several}, '
        f"with these answers: {'; '.join(added[2])}.",
    )
    for retreat, brief in zip(years, briefs, strict=True):
        day, subject = retreat.ends.date() + 2 * DAY, f"{retreat.title}: travel and meals"
        budget_text = f"{brief} We need all answers by {retreat.reply_text}."
        yield write_to_owner(rng, subject, hr, cast.owner, subject, budget_text, day)


def write_of_people(
    rng: random.Random, cast: Cast, taken: Sequence[Somebody], stays: Somebody, left: Somebody, day: date
) -> Iterator[Letter]:
    """What Human Resources wrote, before a day, of contractors who were taken on or stay, and of who left."""
    hr = cast.find_head("Human Resources")
    notices = [
        *(
            (43, colleague, f"{colleague.name}, a contractor until now, is employed here from 1 March 2026 on.")
            for colleague in taken
        ),
        (22, stays, f"{stays.name} stays until the end of the year: the contract as a contractor was prolonged."),
        (17, left, f"{left.name} leaves us. The last day is 31 March 2026."),
    ]
    for days, colleague, text in notices:
        yield write_to_owner(rng, f"people/{colleague.email}", hr, cast.owner, colleague.name, text, day - days * DAY)
