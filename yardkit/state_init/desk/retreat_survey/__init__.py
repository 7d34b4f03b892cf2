"""A retreat whose survey is over: offers, a budget, answers that count and others, and how it all went last year."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from yardkit.apps.mail import read_accounts, save_accounts
from yardkit.state_init.cast import Cast, Somebody, address_of, cast_of, fresh_names, get_stream
from yardkit.state_init.company.calendar import fill_calendar
from yardkit.state_init.company.contacts import add_card, fill_with_all
from yardkit.state_init.company.hours import make_moment
from yardkit.state_init.company.letters import Letter
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.note_pages import open_notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.stories import make_stories
from yardkit.state_init.csv_files import save_csv
from yardkit.state_init.desk.retreat_survey import retreat_forms, retreat_letters, retreats
from yardkit.state_init.desk.retreat_survey.retreat_forms import Asked, coach_of, fill_forms, list_question_facts
from yardkit.state_init.desk.retreat_survey.retreats import DAY, Ballot, Retreat
from yardkit.state_init.material import take_out
from yardkit.world import World

OLD, NEW = date(2025, 4, 11), date(2026, 4, 10)
"""When the surveys end."""
MORE_AT_FIRST = 1_500
"""By how much the budget is cut, if it is, in whole EUR."""
JOBS = ("Designer", "Translator", "Photographer", "Web developer", "Accountant", "Trainer")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Forms, mailbox, calendar, address book, handbook, and last year's tally; the facts say what is right."""
    cast, cut, zone = cast_of(world), rng.random() < 0.5, cast_of(world).offices[0].time_zone
    names, titles = fresh_names(rng, 13, cast.names), rng.sample(retreats.NAMES, 7)
    hosts = [*zip(titles, names[6:], strict=True)]
    outside = [Somebody(*name, address_of(*name, cast.domain)) for name in names[:6]]
    taken, left, more = outside[: rng.choice((1, 2))], rng.choice(cast.colleagues[9:-4]), rng.choice(retreat_forms.MORE)
    before = [colleague for colleague in cast.staff if colleague == cast.owner or colleague.joined < OLD]
    people = [*(colleague for colleague in cast.staff if colleague != left), *taken]
    old = retreats.plan_within_budget(rng, before, dict(hosts[:3]), make_moment(OLD, 18, 0, zone))
    new = retreats.plan_too_dear(rng, people, dict(hosts[3:]), make_moment(NEW, 18, 0, zone), cut=cut)
    hasty = retreats.in_haste(rng, old, outside[2:4], 2), retreats.in_haste(rng, new, [*outside[2:], left], 3)
    forms = fill_forms(world, cast, rng, (old, new), hasty)
    _fill_book(world, cast, outside, (old, new))
    _fill_rules(world, cast)
    old.save(world.files / "retreat/2025.xlsx", cast.owner.name)
    save_csv(world.files / "retreat/2024.csv", [("place", "votes"), *zip(retreats.NAMES, (14, 11, 6), strict=False)])
    offers = [list(retreat_letters.write_offers(rng, retreat, cast.owner)) for retreat in (old, new)]
    letters = [letter for year in offers for thread in year for letter in thread]
    letters += retreat_letters.write_outcome(rng, old, cast.owner, offers[0], forms["travel"])
    letters += [retreat_letters.write_survey(retreat, cast.owner, forms[retreat.title]) for retreat in (old, new)]
    letters += retreat_letters.write_notices(rng, cast, (old, new), MORE_AT_FIRST * cut, more)
    letters += retreat_letters.write_of_people(rng, cast, taken, outside[2], left, NEW)
    ids = _fill_mail_and_calendar(world, cast, outside, (old, new), letters)
    threads = {
        venue.number: [ids[mail.key] for mail in thread] for venue, thread in zip(new.places, offers[1], strict=True)
    }
    asked = retreat_forms.travel_questions(retreat_forms.WAYS, new.afternoon, [more])
    return _build_truth(cast, new, hasty[1], asked) | {
        "now": world.now.isoformat(), "survey": forms[new.title], "threads": threads, "left": left.email,
        "contractor": outside[2].email, "taken": taken[-1].email, "before": new.budget + MORE_AT_FIRST,
    }  # fmt: skip


def _build_truth(cast: Cast, new: Retreat, hasty: Sequence[Ballot], asked: Sequence[Asked]) -> dict[str, Any]:
    """What stands in the end, and what the near misses are about."""
    return {
        "owner": cast.owner.email,
        "domain": cast.domain,
        "title": new.title,
        "people": len(new.people),
        "staff": [participant for participant in new.people if participant != cast.owner.email],
        "rows": new.rows(),
        "places": new.list_venue_facts(),
        "won": new.won.name,
        "days": [str(new.won.first), str(new.won.first + DAY)],
        "afternoon": new.afternoon,
        "until": str(new.won.first + 2 * DAY),
        "reply_by": str(new.reply_by),
        "questions": list_question_facts(asked),
        "favourite": new.favourite.name,
        "favourite_host": new.favourite.host.email,
        "won_host": new.won.host.email,
        "second": new.runner_up.name,
        "coach": coach_of(cast),
        "early": hasty[0].email,
        "late_voter": hasty[-2].email,
        "late": hasty[-1].email,
        "voters": len(new.counted),
    }


def _fill_book(world: World, cast: Cast, outside: Sequence[Somebody], years: Sequence[Retreat]) -> None:
    """Cards of all colleagues, of contractors, of those who let houses."""
    fill_with_all(world, cast, get_stream(world, "contacts"))
    for outsider, job in zip(outside, JOBS, strict=True):
        add_card(world, cast, outsider, f"{outsider.last} Services", f"{job}, freelance", "contractors")
    for place in (place for year in years for place in year.places):
        add_card(world, cast, place.host, place.name, "Bookings", "venues")


def _fill_rules(world: World, cast: Cast) -> None:
    """The page of the handbook, as it was, and a draft."""
    group = fill_notes(world, cast, get_stream(world, "notes")).pages["People"]
    text = take_out(world, "retreat.md")
    now, old = (text.format(domain=cast.domain, which=which) for which in ("last", "first"))
    draft = now.replace("have no vote and do not come along", "vote and come along, too")
    by, at = cast.find_head("Human Resources").email, world.now - 420 * DAY
    with open_notebook(world) as notes:
        notes.add_older_page(notes.add_page("Retreat", group, at, by, parts_of(now)), at + 5 * DAY, by, parts_of(old))
        notes.add_draft("Retreat", group, at + 20 * DAY, by, parts_of(draft))


def _fill_mail_and_calendar(
    world: World, cast: Cast, outside: Sequence[Somebody], years: Sequence[Retreat], letters: Sequence[Letter]
) -> Mapping[str, str]:
    """The Message-IDs by the keys of letters. Contractors, hosts and the list of all have mailboxes, too."""
    hosts = (place.host for year in years for place in year.places)
    known = {contact.email: contact.name for contact in (*cast.staff, *outside, *hosts)}
    stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=10)
    fill_calendar(world, cast, get_stream(world, "calendar"), stories, 6, [years[0].as_set(cast.owner, known)])
    filled = fill_mail(world, cast, get_stream(world, "mail"), count=250, stories=stories, more=letters)
    known |= read_accounts(world).names | {f"all@{cast.domain}": "Everybody"}
    save_accounts(world, replace(read_accounts(world), names=known))
    return filled.message_ids
