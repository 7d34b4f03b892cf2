"""Pages of a task's own among the notes of a seeded company."""

from collections.abc import Sequence
from datetime import datetime

from toolyard.apps.notes import APP, RECORDS, Block, Page, Person, Version
from toolyard.apps.store import opened
from toolyard.state_init.company.notes_texts import Part
from toolyard.state_init.company.persons import Colleague
from toolyard.world import World


def put_note_page(
    world: World,
    title: str,
    parts: Sequence[Part],
    *,
    parent: int | None,
    by: Colleague,
    made: datetime,
    was: tuple[str, datetime] | None = None,
) -> int:
    """A page in another one, in paragraphs, headings and lists; its number.

    was: what it said before, as Markdown, and when it was changed.
    """
    with opened(APP, *RECORDS, writes=True, world=world) as store:
        number, block, at = store.next_id(Page), store.next_id(Block), made.isoformat()
        who = store.find(Person, "email = ?", [by.email])[0].id
        place = len(store.find(Page, "parent_id = ?", [parent])) + 1 if parent else number
        edited = was[1].isoformat() if was else at
        store.put(Page(number, title, at, edited, parent, None, place, author_id=who, editor_id=who))
        for offset, (kind, said, data) in enumerate(parts):
            store.put(Block(block + offset, number, None, offset + 1, kind, said, [], data, at, edited))
        if was:
            store.put(Version(store.next_id(Version), number, edited, who, title, was[0]))
        return number
