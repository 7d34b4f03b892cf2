"""Pages of a task's own among the notes of a seeded company, such as a rule with its older versions."""

from collections.abc import Sequence
from datetime import datetime

from toolyard.apps.notes import Block, Page, Person, Version
from toolyard.apps.store import Store
from toolyard.state_init.company.notes_texts import Part


def put_page(
    store: Store,
    title: str,
    parts: Sequence[Part],
    made: datetime,
    by: str,
    *,
    parent: int | None = None,
    older: Sequence[Part] = (),
    changed: datetime | None = None,
) -> int:
    """A page below another one, or at the top, and its number.

    Args:
        store: of the notes.
        title: of the page.
        parts: what it says.
        made: when it was made.
        by: the address of who wrote it.
        parent: the number of the page in which it stands.
        older: what it said until it was changed; it becomes a version.
        changed: when that was.
    """
    (author,) = store.find(Person, "email = ?", [by])
    beside = store.count(Page, "parent_id IS ? AND table_id IS NULL", [parent])
    number, at = store.next_id(Page), made.isoformat()
    edited = (changed or made).isoformat()
    page = Page(number, title, at, edited, parent, None, beside + 1, author_id=author.id, editor_id=author.id)
    store.put(page)
    for place, (kind, text, data) in enumerate(parts, 1):
        store.put(Block(store.next_id(Block), number, None, place, kind, text, [], data, at, edited))
    if older:
        text = "\n\n".join(f"- {text}" if kind == "bulleted_list_item" else text for kind, text, _ in older)
        store.put(Version(store.next_id(Version), number, edited, author.id, title, text))
    return number
