"""Pages of a task's own among the notes of a seeded company, such as a rule with its older versions."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from toolyard.apps.notes import APP, RECORDS, Block, Page, Person, Version
from toolyard.apps.store import Store, opened
from toolyard.state_init.company.cast import Cast, stream
from toolyard.state_init.company.notes import fill_notes
from toolyard.state_init.company.notes_texts import Part, part
from toolyard.world import World


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


def write_rule(
    world: World, cast: Cast, title: str, parts: Sequence[Part], older: Sequence[Part], draft: Sequence[Part]
) -> None:
    """The company's notes, and in their handbook a rule for courses: with an older version, and a draft beside it."""
    book, by, day = (
        fill_notes(world, cast, stream(world, "notes")).pages["Handbook"],
        cast.owner.email,
        timedelta(days=1),
    )
    with opened(APP, *RECORDS, writes=True, world=world) as store:
        made, changed = world.now - 500 * day, world.now - 70 * day
        first = [part("paragraph", f"How we look after the courses of {cast.school.name}.")]
        group = put_page(store, "Courses", first, made, by, parent=book)
        put_page(store, title, parts, made, by, parent=group, older=older, changed=changed)
        warned = [part("callout", "A proposal. It does not hold.", icon="🚧"), *draft]
        put_page(store, f"{title} (draft)", warned, world.now - 12 * day, by, parent=group)
        evening = [part("paragraph", "Evening courses give no grades, and nobody is counted there.")]
        put_page(store, f"{title} in evening courses", evening, made, by, parent=group)
