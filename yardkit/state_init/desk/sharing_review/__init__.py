"""A shared drive before its review: rules in the handbook, exceptions and mandates in mails, letters of old reviews."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from yardkit.apps.contacts import Contact
from yardkit.apps.drive import FOLDER, ROOT, Grant, Item, Role, add_item, opened_drive
from yardkit.apps.store import Store
from yardkit.state_init.cast import Cast, cast_of, get_stream
from yardkit.state_init.company.contacts import add_card, fill_contacts
from yardkit.state_init.company.mail import fill_mail
from yardkit.state_init.company.note_pages import open_notebook, parts_of
from yardkit.state_init.company.notes import fill_notes
from yardkit.state_init.company.persons import Colleague, Somebody, address_of, fresh_names
from yardkit.state_init.company.stories import Stories, make_stories
from yardkit.state_init.desk.sharing_review import sharing
from yardkit.state_init.desk.sharing_review.drive import fill_drive
from yardkit.state_init.desk.sharing_review.projects import end_projects
from yardkit.state_init.desk.sharing_review.sharing import DAY, Change, Given, Rules
from yardkit.state_init.material import take_out
from yardkit.world import World

PLAN = {
    "left": "Sales:w Team/:r theirs:w bin:w", "left_too": "P1:w locked:c Purchasing:r", "twin_left": "Team:w theirs:r",
    "twin": "Team:w theirs:r", "leaving": "Sales:w P1/:w", "private": "Team:w locked:r", "archived": "Sales:c P1/:r",
    "running": "P1/:w Projects/:r Sales:r", "wrong_firm": "P1/:c P0/:c", "freelancer": "P1/:w P1:c",
    "just_ended": "P2/:c P2:w", "over": "P3/:r P3:w", "supplier": "Purchasing:r theirs:w bin:r",
    "excepted": "Purchasing:w", "expired": "Purchasing:r", "refused": "Sales:c", "second_word": "theirs:w",
    "auditor": "Finance/:w Finance:c Sales:r", "auditor_gone": "Finance/:r Finance:r",
    "Sales": "Finance/:w Finance:c P1:w", "Finance": "Finance/:w Finance:c",
}  # fmt: skip
"""Who may use what before the review: places with roles; one that ends in a slash is the folder, else a file in it."""
ROLES: Mapping[str, Role] = {"r": "reader", "c": "commenter", "w": "writer"}
FILES: Mapping[str, Sequence[str]] = {
    "Finance": ("Cash plan", "Fixed assets", "Cost centres"), "Sales": ("Key accounts", "Price talks", "Rebates asked"),
    "Purchasing": ("Supplier scores", "Call-offs", "Framework contracts"), "bin": ("Old shift plan", "Old price talks"),
    "Team": ("Shift plan", "Keys and badges", "First aid"), "locked": ("Forklift hours", "Returns", "Pallet stock"),
    "theirs": ("Fair stand costs", "Showroom ideas", "Packaging tests", "Delivery times"),
}  # fmt: skip
ALONE: Mapping[str, Role] = {"theirs": "writer", "locked": "reader"}
"""What the owner may do with the files of others that lie in no folder."""
LEFT = ("left", "left_too", "twin_left")


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Drive, handbook, address book and mailbox; the facts say who may use what in the end, and what owners hear."""
    low, days, high = (7 * weeks for weeks in sorted(rng.sample(range(2, 10), 3)))
    ends = rng.randint(-400, -300), rng.randint(40, 120), -rng.randint(low + 1, days), -rng.randint(days + 1, high)
    cast, again = end_projects(cast_of(world), rng, world.now.date(), ends), rng.random() < 0.5
    stories = make_stories(cast, get_stream(world, "stories"), world.now, sales=10)
    archived = [card for card in fill_contacts(world, cast, get_stream(world, "contacts")) if "archive" in card.groups]
    who = _assign_people(cast, rng, archived)
    for key in ("auditor", "auditor_gone"):
        add_card(world, cast, who[key], "Ledger Audit", "Auditor", "auditors")
    add_card(world, cast, who["freelancer"], who["running"].company, "Architect, freelance", "customers")
    fill_drive(world, cast, get_stream(world, "drive"), files=36)
    pool = [colleague for colleague in cast.colleagues[9:-4] if colleague not in who.values()]
    with opened_drive(world, writes=True) as store:
        places = _put_files(world, store, cast, rng, rng.sample(pool, 7))
        plan = [(name, *place.split(":")) for name, grant_keys in PLAN.items() for place in grant_keys.split()]
        given = {
            (name, at): sharing.grant_random_item(store, rng, who[name].email, places[at], ROLES[may])
            for name, at, may in plan
        }
        changes = list(
            sharing.find_changes(store, _make_rules(cast, who, archived, given, again=again), cast.owner.email)
        )
        letters = [*sharing.write_exceptions(store, rng, cast, who, given, again=again)]
        letters += sharing.write_mandates(cast, rng, world.now, who)
        letters += sharing.old_reviews(store, cast, rng, {"Q4 2025": 96, "Q3 2025": 187})
        grants = store.find(Grant)
    _fill_handbook(world, cast, stories, who, {"draft": low, "now": days, "old": high})
    fill_mail(world, cast, get_stream(world, "mail"), count=220 + len(letters), stories=stories, more=letters)
    return _build_truth(cast, grants, changes, who, given)


def _assign_people(cast: Cast, rng: random.Random, archived: Sequence[Contact]) -> dict[str, Any]:
    """Who stands in the plan."""
    leads = {project.lead for project in cast.projects}
    ordinary_colleagues = [colleague for colleague in cast.colleagues[9:-4] if colleague.email not in leads]
    left, left_too, leaving, private, *others = rng.sample(ordinary_colleagues, len(ordinary_colleagues))
    twins, old = rng.sample(cast.colleagues[-4:-2], 2), rng.choice(archived)
    first, last = old.name.split(" ", 1)
    suppliers = rng.sample([supplier.contacts[0] for supplier in cast.suppliers[2:]], 5)
    firms = [cast.customer(project.customer).contacts[0] for project in cast.projects]
    names, domains = fresh_names(rng, 3, cast.names), ("ledger-audit", "ledger-audit", "studio-line")
    outside = [Somebody(*name, address_of(*name, f"{at}.example")) for name, at in zip(names, domains, strict=True)]
    return {
        "left": left,
        "left_too": left_too,
        "leaving": leaving,
        "twin_left": twins[0],
        "twin": twins[1],
        "private": replace(private, email=address_of(private.first, private.last, "webmail.example")),
        "archived": Somebody(first, last, old.emails[0]),
        **dict(zip(("wrong_firm", "running", "just_ended", "over"), firms, strict=True)),
        **dict(zip(("auditor", "auditor_gone", "freelancer"), outside, strict=True)),
        **dict(zip(("supplier", "excepted", "expired", "refused", "second_word"), suppliers, strict=True)),
        **{
            team: next(colleague for colleague in others if colleague.department == team)
            for team in ("Sales", "Finance")
        },
    }


def _put_files(
    world: World, store: Store, cast: Cast, rng: random.Random, owners: Sequence[Colleague]
) -> dict[str, list[Item]]:
    """Folders of the projects, and files in all places: the owner's own ones and those of colleagues."""
    folders = {item.name: item for item in store.find(Item, "kind = ?", [FOLDER])}
    names = dict(FILES)
    for number, project in enumerate(cast.projects):
        title = f"{project.code} {project.name}"
        folders[f"P{number}"] = add_item(store, title, FOLDER, folders["Projects"].id)
        names[f"P{number}"] = [f"{project.name} {word}" for word in ("rooms", "offers", "open points")]
    places = {f"{name}/": [folder] for name, folder in folders.items()}
    for place, titles in names.items():
        role, folder = ALONE.get(place), folders.get(place, folders["Team"]).id
        for number, title in enumerate(titles):
            owner = rng.choice(owners).email if role or number else cast.owner.email
            item = sharing.add_book(world, store, rng, title, ROOT if role else folder, owner)
            places.setdefault(place, []).append(store.change(item, trashed=place == "bin"))
            if role:
                sharing.grant_random_item(store, rng, cast.owner.email, [item], role)
    return places


def _make_rules(
    cast: Cast, who: Mapping[str, Somebody], archived: Sequence[Contact], given: Given, *, again: bool
) -> Rules:
    """The rules as they hold; again: whether the second word about an exception prolongs it."""
    live = [(project, cast.customer(project.customer)) for project in cast.projects[1:3]]
    paths = {
        contact.email: f"Projects/{project.code} {project.name}/" for project, firm in live for contact in firm.contacts
    }
    valid_mandates = [given["excepted", "Purchasing"], *([given["second_word", "theirs"]] if again else [])]
    return Rules(
        cast.domain,
        frozenset(colleague.email for colleague in cast.staff if colleague.department in ("Finance", "Management")),
        frozenset([*(who[key].email for key in LEFT), *(card.emails[0] for card in archived)]),
        {who["auditor"].email: True, who["auditor_gone"].email: False},
        paths | {who["freelancer"].email: paths[who["running"].email]},
        frozenset((grant.email, grant.item_id) for grant in valid_mandates),
    )


def _fill_handbook(
    world: World, cast: Cast, stories: Stories, who: Mapping[str, Somebody], days: Mapping[str, int]
) -> None:
    """The rules with an older version and a draft, who has left, and who is who."""
    pages = fill_notes(world, cast, get_stream(world, "notes"), stories).pages
    text, changed = take_out(world, "sharing.md"), world.now - 50 * DAY
    rules = {which: parts_of(text.format(days=number)) for which, number in days.items()}
    past = {"left": 34, "twin_left": 12, "left_too": 1, "leaving": 0}
    left = {who[key].name: world.now.date() - back * DAY for key, back in past.items()}
    with open_notebook(world) as notes:
        group, by = pages["Security"], cast.find_head("Legal").email
        notes.add_older_page(
            notes.add_page("Sharing", group, world.now - 500 * DAY, by, rules["now"]), changed, by, rules["old"]
        )
        notes.add_draft("Sharing", group, changed + 20 * DAY, by, rules["draft"])
        sharing.write_staff(notes, cast, pages["People"], changed, left)


def _build_truth(
    cast: Cast, grants: Sequence[Grant], changes: Sequence[Change], who: Mapping[str, Somebody], given: Given
) -> dict[str, Any]:
    """What stands in the end, the letters, and who and what the near misses are about."""
    done = {change.grant.id: change.now for change in changes if not change.ask}
    owners = sorted({change.owner for change in changes} - {cast.owner.email})
    roles = ((grant, done.get(grant.id, grant.role)) for grant in grants)
    return {
        "owner": cast.owner.email,
        "subject": "Sharing review Q1 2026",
        "grants": [
            {"item_id": grant.item_id, "email": grant.email, "role": role} for grant, role in roles if role != "none"
        ],
        "letters": {owner: [change.line() for change in changes if change.owner == owner] for owner in owners},
        **{name: person.email for name, person in who.items()},
        **{f"{name}_{place}".replace("/", "_folder"): grant.item_id for (name, place), grant in given.items()},
    }
