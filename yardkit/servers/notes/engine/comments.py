"""Comments on pages and on parts of them."""

from dataclasses import dataclass

from yardkit.apps.notes import Block, Comment, Page, Person
from yardkit.apps.store import Store
from yardkit.servers.notes.engine.context import find_actor, opened_notes, take_fitting
from yardkit.world import Problem, World


@dataclass(frozen=True)
class CommentLine:
    """A comment. thread: the number of the first one that it goes on with; about: the text that it is about."""

    id: int
    page_id: int
    thread: int
    author: str
    created: str
    text: str
    about: str = ""


@dataclass(frozen=True)
class Comments:
    """A page of comments, oldest first. total: all that match; next_offset: where it goes on, null at its end."""

    comments: list[CommentLine]
    total: int
    next_offset: int | None = None


def add_comment(world: World, page_id: int, text: str, find: str = "", answers: int | None = None) -> CommentLine:
    """Say something of a page, of the one block of it in which `find` stands, or in answer to a comment.

    Raises:
        Problem: there is no such page or comment, it says nothing, or `find` stands in no block or in several.
    """
    with opened_notes(world, writes=True) as store:
        page = store.get(Page, page_id)
        block_id = _find_block(store, page, find).id if find else None
        if answers is not None:
            first = store.get(Comment, answers)
            if first.page_id != page_id:
                raise Problem(f"comment {answers} is on page {first.page_id}, not {page_id}")
            return line_of(store, put_comment(store, page_id, first.block_id, text, first.thread))
        return line_of(store, put_comment(store, page_id, block_id, text))


def put_comment(store: Store, page_id: int, block_id: int | None, text: str, thread: int | None = None) -> Comment:
    """A new comment, within a transaction."""
    if not text.strip():
        raise Problem("the comment is empty; give its text")
    number, stamp = store.next_id(Comment), store.make_stamp(Comment, "created")
    return store.put(Comment(number, page_id, block_id, thread or number, find_actor(store), stamp, text.strip()))


def list_comments(
    world: World, page_id: int | None = None, query: str = "", offset: int = 0, limit: int = 50
) -> Comments:
    """What was said of a page, or of all.

    Raises:
        Problem: there is no such page.
    """
    with opened_notes(world) as store:
        if page_id is not None:
            store.get(Page, page_id)
        where, values = ("page_id = ?", [page_id]) if page_id is not None else ("1", [])
        page = store.search(
            Comment, query, "text", where=where, values=values, order="created", offset=offset, limit=limit
        )
        return Comments(*take_fitting([line_of(store, comment) for comment in page.items], page.total, offset))


def line_of(store: Store, comment: Comment) -> CommentLine:
    """A comment as it stands in a list."""
    author = store.find(Person, "id = ?", [comment.author_id])
    about = store.find(Block, "id = ?", [comment.block_id])
    return CommentLine(
        comment.id, comment.page_id, comment.thread, author[0].name if author else "", comment.created, comment.text,
        about[0].text[:200] if about else "",
    )  # fmt: skip


def _find_block(store: Store, page: Page, find: str) -> Block:
    matching_blocks = [block for block in store.find(Block, "page_id = ?", [page.id]) if find in block.text]
    if len(matching_blocks) != 1:
        raise Problem(
            f"{find[:80]!r} occurs in {len(matching_blocks)} blocks of page {page.id}; give words that occur in one"
            " block"
        )
    return matching_blocks[0]
