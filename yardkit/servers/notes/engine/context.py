"""What all work on the notes shares: records opened, who acts, where a page stands, what fits a result."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from yardkit.apps.notes import APP, RECORDS, Block, Page, Person, Table
from yardkit.apps.store import Store, open_store
from yardkit.servers.notes.engine.markdown_text import Tree
from yardkit.world import Problem, World

MAX_TITLE = 500
MAX_PAGE_CHARACTERS = 40_000
"""About so much comes on one page; what is more comes with the next."""
MAX_DEPTH = 20
"""Pages within pages."""

PageItem = TypeVar("PageItem")


@contextmanager
def opened_notes(world: World, *, writes: bool = False) -> Iterator[Store]:
    """All records of the notes, in one transaction."""
    with open_store(APP, *RECORDS, writes=writes, world=world) as store:
        yield store


def find_actor(store: Store) -> int | None:
    """Who acts: the owner."""
    persons = store.find(Person, "kind = 'person'")
    return persons[0].id if persons else None


def title_of(title: str) -> str:
    """A title without blanks around it.

    Raises:
        Problem: it is not valid.
    """
    clean_title = " ".join(title.split())
    if not 0 < len(clean_title) <= MAX_TITLE:
        raise Problem(f"a title must have 1 to {MAX_TITLE} characters, not {len(clean_title)}: {clean_title[:60]!r}")
    return clean_title


def tree_of(store: Store, page_id: int) -> Tree:
    """The blocks of a page."""
    return Tree(store.find(Block, "page_id = ?", [page_id]))


def pages_above(store: Store, page: Page) -> list[Page | Table]:
    """The pages and tables in which a page stands, the nearest first."""
    above: list[Page | Table] = []
    at: Page | Table | None = page
    while at is not None and len(above) < MAX_DEPTH:
        table_id = at.table_id if isinstance(at, Page) else None
        if table_id is not None:
            parent_tables: list[Page] | list[Table] = store.find(Table, "id = ?", [table_id])
        else:
            parent_tables = store.find(Page, "id = ?", [at.parent_id])
        at = parent_tables[0] if parent_tables else None
        above += [at] if at is not None else []
    return above


def is_archived(store: Store, page: Page) -> bool:
    """Whether a page, or one in which it stands, is archived."""
    return page.archived is not None or any(ancestor.archived is not None for ancestor in pages_above(store, page))


def take_fitting(items: Sequence[PageItem], total: int, offset: int) -> tuple[list[PageItem], int, int | None]:
    """As many items of a page as fit a result, but one at least; the total; where the list goes on."""
    size, fitting_items = 0, 0
    for entry in items:
        size += len(str(entry))
        if fitting_items and size > MAX_PAGE_CHARACTERS:
            break
        fitting_items += 1
    end = offset + fitting_items
    return list(items[:fitting_items]), total, end if fitting_items and end < total else None
