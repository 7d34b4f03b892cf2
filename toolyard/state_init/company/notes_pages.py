"""Pages that a task adds to the notes of a company: texts of simple Markdown, how they were, and drafts of them."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from toolyard.apps.notes import APP, RECORDS, Page
from toolyard.apps.store import opened
from toolyard.state_init.company.cast import Cast
from toolyard.state_init.company.notes_texts import Part, part
from toolyard.state_init.company.persons import Somebody
from toolyard.state_init.company.rule_pages import put_page
from toolyard.world import World

_DRAFT = part("callout", "A proposal. It does not hold.", icon="🚧")


def parts_of(text: str) -> list[Part]:
    """The blocks of a text: a line is an item where it begins with ``- ``, a heading with ``## ``, else a paragraph."""
    kinds = {"- ": "bulleted_list_item", "##": "heading_2"}
    lines = (line.strip() for line in text.splitlines() if line.strip())
    return [part(kinds.get(line[:2], "paragraph"), line.removeprefix("- ").removeprefix("## ")) for line in lines]


def add_rule(world: World, group: str, title: str, texts: Mapping[str, str], by: Somebody, changed: datetime) -> int:
    """A page of the handbook in a group of it, with its text ``now``, as it was (``old``), and a ``draft`` of it."""
    older = parts_of(texts.get("old", ""))
    with opened(APP, *RECORDS, writes=True, world=world) as store:
        parent = store.find(Page, "title = ? AND archived IS NULL AND parent_id IS NOT NULL", [group])[0].id
        page = put_page(store, title, parts_of(texts["now"]), changed, by.email, parent=parent, older=older)
        if "draft" in texts:
            parts, later = [_DRAFT, *parts_of(texts["draft"])], changed + timedelta(days=20)
            put_page(store, f"{title} (draft)", parts, later, by.email, parent=parent)
        return page


def add_staff(world: World, cast: Cast, left: Mapping[str, date], by: Somebody, changed: datetime) -> None:
    """Pages that say who leaves when (by name), and who works in which department."""
    leavers = [f"- {name}: last day {day:%-d %B %Y}" for name, day in left.items()]
    add_rule(world, "People", "Leavers", {"now": "\n".join(["Who leaves us, and when.", *leavers])}, by, changed)
    teams = {name: [one for one in cast.staff if one.department == name] for name in cast.departments}
    lines = [f"- {name}: {', '.join(f'{one.name} ({one.email})' for one in staff)}" for name, staff in teams.items()]
    add_rule(world, "People", "Who is who", {"now": "\n".join(["By department.", *lines])}, by, changed)
