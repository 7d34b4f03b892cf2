"""Pages: they are listed, read, made, moved, archived, and found by words."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from yardkit.apps.notes import Block, Comment, Page, Person, Table, Version
from yardkit.apps.store import Store
from yardkit.servers.notes.engine.context import (
    MAX_DEPTH,
    MAX_PAGE_CHARACTERS,
    find_actor,
    is_archived,
    opened_notes,
    pages_above,
    take_fitting,
    title_of,
    tree_of,
)
from yardkit.servers.notes.engine.editing import put_drafts
from yardkit.servers.notes.engine.markdown_reading import describe_lost, drafts_of
from yardkit.servers.notes.engine.rows import read_row_values
from yardkit.world import Problem, World
from yardkit.world.queries import fold_text, split_query

Kind = Literal["page", "table", "row"]


@dataclass(frozen=True)
class Line:
    """A page, table or row in a list. path: the titles of the pages in which it stands, from the top."""

    kind: Kind
    id: int
    title: str
    edited: str
    level: int = 0
    path: str = ""
    rows: int | None = None
    excerpt: str = ""
    archived: bool = False


@dataclass(frozen=True)
class Lines:
    """A page of a list. total: all that match; next_offset: where it goes on, null at its end."""

    entries: list[Line]
    total: int
    next_offset: int | None = None


@dataclass(frozen=True)
class Inside:
    """A page or table within a page."""

    id: int
    title: str


@dataclass(frozen=True)
class PageView:
    """A page.

    Attributes:
        path: the titles of the pages in which it stands, from the top.
        text: its text as Markdown; of a long one a part, and next_offset says where it goes on.
        values: of a row, by column.
        notes: what of a given text is not kept.
    """

    id: int
    title: str
    edited: str
    text: str
    path: str = ""
    parent_id: int | None = None
    table_id: int | None = None
    values: dict[str, Any] = field(default_factory=dict)
    icon: str = ""
    created: str = ""
    author: str = ""
    archived: bool = False
    pages: list[Inside] = field(default_factory=list)
    tables: list[Inside] = field(default_factory=list)
    comments: int = 0
    versions: int = 0
    next_offset: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Moved:
    """Where a page stands now, or that it is archived."""

    id: int
    title: str
    path: str
    archived: bool = False


def list_note_pages(
    world: World,
    parent_id: int | None = None,
    depth: int = 2,
    *,
    archived: bool = False,
    offset: int = 0,
    limit: int = 100,
) -> Lines:
    """Pages and tables in a page, or at the top, `depth` levels down, each behind the one in which it stands.

    With `archived` those that are archived instead, wherever they stand.

    Raises:
        Problem: there is no such page.
    """
    with opened_notes(world) as store:
        if parent_id is not None:
            store.get(Page, parent_id)
        if archived:
            archived_lines = [
                page_line(store, page) for page in store.find(Page, "archived IS NOT NULL", order="edited DESC")
            ]
        else:
            archived_lines = list(_iter_below(store, parent_id, depth, 0))
        return Lines(*take_fitting(archived_lines[offset : offset + limit], len(archived_lines), offset))


def _iter_below(store: Store, parent_id: int | None, depth: int, level: int) -> Iterator[Line]:
    where = "archived IS NULL AND parent_id IS ?"
    for page in store.find(Page, f"{where} AND table_id IS NULL", [parent_id], order="position"):
        yield Line("page", page.id, page.title, page.edited, level)
        if depth > 1:
            yield from _iter_below(store, page.id, depth - 1, level + 1)
    for table in store.find(Table, where, [parent_id], order="title"):
        rows = store.count(Page, "table_id = ? AND archived IS NULL", [table.id])
        yield Line("table", table.id, table.title, table.edited, level, rows=rows)


def path_of(store: Store, page: Page) -> str:
    """The titles of the pages in which a page stands, from the top."""
    return " / ".join(above.title for above in reversed(pages_above(store, page)))


def page_line(store: Store, page: Page, excerpt: str = "") -> Line:
    """A page as it stands in a list."""
    kind: Kind = "page" if page.table_id is None else "row"
    archived = page.archived is not None
    return Line(kind, page.id, page.title, page.edited, path=path_of(store, page), excerpt=excerpt, archived=archived)


def search_notes(
    world: World, query: str, kind: Kind | Literal["any"] = "any", offset: int = 0, limit: int = 20
) -> Lines:
    """Pages, rows and tables in whose title, values or text each word stands; first a title that is just this.

    Raises:
        Problem: there is no word.
    """
    words = split_query(query)
    if not words:
        raise Problem("the query is empty; give words, or use list_note_pages")
    with opened_notes(world) as store:
        pages = {page.id: page for page in store.find(Page, order="edited DESC")}
        places = {page.id: [page.title, *map(str, page.values.values())] for page in pages.values()}
        hits: dict[int, str] = {}
        for block in store.find(Block, " OR ".join(["has_words(?, text, data)"] * len(words)), words):
            if block.page_id in places:
                places[block.page_id].append(block.text or " ".join(map(str, block.data.get("cells", ()))))
                hits.setdefault(block.page_id, block.text)
        lines = [
            page_line(store, page, _cut_excerpt(hits.get(page.id, ""), words[0]))
            for page in pages.values()
            if kind in ("any", "page" if page.table_id is None else "row")
            and _contains_words(words, places[page.id])
            and not is_archived(store, page)
        ]
        tables = store.find(Table, "archived IS NULL") if kind in ("any", "table") else []
        lines += [
            Line("table", table.id, table.title, table.edited)
            for table in tables
            if _contains_words(words, [table.title, table.description])
        ]
        lines.sort(key=lambda line: (line.title.casefold().split() != words, not _contains_words(words, [line.title])))
        return Lines(*take_fitting(lines[offset : offset + limit], len(lines), offset))


def _contains_words(words: list[str], places: list[str]) -> bool:
    searched_text = fold_text("\n".join(places))
    return all(word in searched_text for word in words)


def _cut_excerpt(text: str, word: str) -> str:
    """What stands around a word."""
    at = text.casefold().find(word)
    return text if len(text) < 200 else f"{text[max(0, at - 80) : at + 100]}" if at >= 0 else ""


def read_note_page(world: World, page_id: int, version_id: int | None = None, offset: int = 0) -> PageView:
    """A page or row, as it is or was.

    Raises:
        Problem: there is none, it has no such version, or `offset` is beyond its end.
    """
    with opened_notes(world) as store:
        page = store.get(Page, page_id)
        text = tree_of(store, page_id).to_markdown()
        if version_id is not None:
            text = _find_version(store, page, version_id).text
        return view_of(store, page, text, offset)


def _find_version(store: Store, page: Page, version_id: int) -> Version:
    version = store.get(Version, version_id)
    if version.page_id != page.id:
        raise Problem(f"{version_id} is not a version of page {page.id}; list_note_page_versions lists them")
    return version


def view_of(store: Store, page: Page, text: str, offset: int = 0) -> PageView:
    """A page with a text."""
    if offset and offset >= len(text):
        raise Problem(f"offset {offset} is beyond the end: the text has {len(text):,} characters")
    end = offset + MAX_PAGE_CHARACTERS
    if end < len(text):
        end = text.rfind("\n", offset, end) + 1 or end
    children = store.find(Page, "parent_id = ? AND archived IS NULL", [page.id], order="position")
    tables = store.find(Table, "parent_id = ? AND archived IS NULL", [page.id], order="title")
    author = store.find(Person, "id = ?", [page.author_id])
    return PageView(
        page.id, page.title, page.edited, text[offset:end], path_of(store, page), page.parent_id, page.table_id,
        read_row_values(store, page), page.icon, page.created, author[0].name if author else "",
        is_archived(store, page), [Inside(child.id, child.title) for child in children],
        [Inside(table.id, table.title) for table in tables],
        store.count(Comment, "page_id = ?", [page.id]), store.count(Version, "page_id = ?", [page.id]),
        end if end < len(text) else None,
    )  # fmt: skip


def create_note_page(
    world: World, title: str, markdown: str = "", parent_id: int | None = None, icon: str = ""
) -> PageView:
    """A new page, the last in its parent or at the top.

    Raises:
        Problem: there is no such parent, or the text cannot be read.
    """
    with opened_notes(world, writes=True) as store:
        page = put_page(store, title, parent_id, icon)
        put_drafts(store, page.id, None, drafts_of(markdown))
        view = view_of(store, page, tree_of(store, page.id).to_markdown())
        return replace(view, notes=describe_lost(markdown))


def put_page(store: Store, title: str, parent_id: int | None, icon: str = "", cover: str = "") -> Page:
    """A new page without text, within a transaction."""
    if parent_id is not None:
        parent = store.get(Page, parent_id)
        if is_archived(store, parent):
            raise Problem(f"page {parent_id} ({parent.title!r}) is archived; restore it before adding pages to it")
        if len(pages_above(store, parent)) >= MAX_DEPTH - 1:
            raise Problem(f"page {parent_id} is {MAX_DEPTH} levels deep, the limit; put the new page higher up")
    number, stamp, who = store.next_id(Page), store.make_stamp(Page, "created"), find_actor(store)
    last = store.count(Page, "parent_id IS ? AND table_id IS NULL", [parent_id])
    return store.put(Page(number, title_of(title), stamp, stamp, parent_id, None, last + 1, icon, cover, who, who))


def move_note_page(world: World, page_id: int, parent_id: int | None) -> Moved:
    """Put a page into another one, behind those that are there, or to the top.

    Raises:
        Problem: there is none, it is a row, or it would stand in itself.
    """
    with opened_notes(world, writes=True) as store:
        page = store.get(Page, page_id)
        if page.table_id is not None:
            raise Problem(f"page {page_id} is a row of table {page.table_id} and cannot be moved")
        if parent_id is not None:
            parent = store.get(Page, parent_id)
            if page.id in (parent.id, *(above.id for above in pages_above(store, parent) if isinstance(above, Page))):
                raise Problem(f"page {page_id} cannot be moved into itself; choose another parent_id")
        last = store.count(Page, "parent_id IS ? AND table_id IS NULL", [parent_id])
        page = store.change(page, parent_id=parent_id, position=last + 1, edited=store.now.isoformat())
        return Moved(page.id, page.title, path_of(store, page), is_archived(store, page))


def archive_note_page(world: World, page_id: int, *, restore: bool = False) -> Moved:
    """Archive a page or row with the pages in it, or bring it back.

    Raises:
        Problem: there is none.
    """
    with opened_notes(world, writes=True) as store:
        page = store.get(Page, page_id)
        page = store.change(page, archived=None if restore else page.archived or store.now.isoformat())
        return Moved(page.id, page.title, path_of(store, page), is_archived(store, page))
