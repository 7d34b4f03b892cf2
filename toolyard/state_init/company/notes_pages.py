"""Pages that a task adds to the notes of a company: texts of simple Markdown, how they were, and drafts of them."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from toolyard.apps.notes import APP, RECORDS, Block, Page, Person, Version
from toolyard.apps.store import Store, opened
from toolyard.state_init.company.cast import Cast
from toolyard.state_init.company.notes_texts import Part, part
from toolyard.state_init.company.persons import Somebody
from toolyard.world import World

_DRAFT = part("callout", "A proposal. It does not hold.", icon="🚧")


def parts_of(text: str) -> list[Part]:
    """The blocks of a text: a line is an item where it begins with ``- ``, a heading with ``## ``, else a paragraph."""
    kinds = {"- ": "bulleted_list_item", "##": "heading_2"}
    lines = (line.strip() for line in text.splitlines() if line.strip())
    return [part(kinds.get(line[:2], "paragraph"), line.removeprefix("- ").removeprefix("## ")) for line in lines]


def add_rule(world: World, group: str, title: str, texts: Mapping[str, str], by: Somebody, changed: datetime) -> int:
    """A page of the handbook in a group of it, with its text ``now``, as it was (``old``), and a ``draft`` of it."""
    with opened(APP, *RECORDS, writes=True, world=world) as store:
        parent = store.find(Page, "title = ? AND archived IS NULL AND parent_id IS NOT NULL", [group])[0].id
        page = add_page(store, title, parts_of(texts["now"]), parent, changed, by)
        if "old" in texts:
            number = store.next_id(Version)
            store.put(Version(number, page.id, changed.isoformat(), page.author_id, title, texts["old"]))
        if "draft" in texts:
            add_page(
                store, f"{title} (draft)", [_DRAFT, *parts_of(texts["draft"])], parent, changed + timedelta(days=20), by
            )
        return page.id


def add_staff(world: World, cast: Cast, left: Mapping[str, date], by: Somebody, changed: datetime) -> None:
    """Pages that say who leaves when (by name), and who works in which department."""
    leavers = [f"- {name}: last day {day:%-d %B %Y}" for name, day in left.items()]
    add_rule(world, "People", "Leavers", {"now": "\n".join(["Who leaves us, and when.", *leavers])}, by, changed)
    teams = {name: [one for one in cast.staff if one.department == name] for name in cast.departments}
    lines = [f"- {name}: {', '.join(f'{one.name} ({one.email})' for one in staff)}" for name, staff in teams.items()]
    add_rule(world, "People", "Who is who", {"now": "\n".join(["By department.", *lines])}, by, changed)


def add_page(store: Store, title: str, parts: list[Part], parent: int | None, at: datetime, by: Somebody) -> Page:
    """A page in another one, or at the top, behind those that are there."""
    who = store.find(Person, "email = ?", [by.email])[0].id
    place = 1 + max((page.position for page in store.find(Page, "parent_id IS ?", [parent])), default=0)
    when, number = at.isoformat(), store.next_id(Page)
    page = store.put(Page(number, title, when, when, parent, None, place, author_id=who, editor_id=who))
    for position, (kind, text, data) in enumerate(parts, 1):
        block = Block(store.next_id(Block), page.id, None, position, kind, text, [], data, when, when)
        store.put(block)
    return page
