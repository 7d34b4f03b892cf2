"""The text of pages: it is written, changed in parts, and kept as it was before."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from yardkit.apps.notes import Block, Comment, Page, Person, Version
from yardkit.apps.store import Store
from yardkit.servers.notes.engine.context import find_actor, opened_notes, take_fitting, title_of, tree_of
from yardkit.servers.notes.engine.markdown_reading import describe_lost, drafts_of
from yardkit.servers.notes.engine.markdown_text import Draft, Tree
from yardkit.world import Problem, World

MAX_VERSIONS = 100
"""Of one page; then the oldest goes."""


@dataclass(frozen=True)
class Edit:
    """A text that stands once in the Markdown of a page, and what takes its place."""

    find: str
    text: str


@dataclass(frozen=True)
class Edited:
    """What came of a change. Of the blocks of the page itself so many are as they were, are new or say something else,
    and are gone. notes: what of the given text is not kept.
    """

    id: int
    title: str
    edited: str
    blocks_kept: int
    blocks_changed: int
    blocks_removed: int
    version_id: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class VersionLine:
    """How a page was until `saved`, when `author` changed it."""

    id: int
    saved: str
    author: str
    title: str
    characters: int


@dataclass(frozen=True)
class Versions:
    """The older versions of a page, the newest first."""

    versions: list[VersionLine]
    total: int
    next_offset: int | None = None


def edit_note_page(
    world: World,
    page_id: int,
    markdown: str | None = None,
    edits: Sequence[Edit] = (),
    title: str | None = None,
    icon: str | None = None,
    *,
    append: bool = False,
) -> Edited:
    """Give a page another text, or change parts of the one that it has; blocks that do not change stay.

    Raises:
        Problem: there is none, nothing is given, or a part does not stand there exactly once.
    """
    if markdown is None and not edits and title is None and icon is None:
        raise Problem("there is nothing to change; give markdown, edits, title or icon")
    if markdown is not None and edits:
        raise Problem("markdown replaces all the text and edits change parts of it; give one of them")
    with opened_notes(world, writes=True) as store:
        page = store.get(Page, page_id)
        text = tree_of(store, page_id).to_markdown()
        new = _apply_edits(text, edits) if edits else markdown
        if append and new is not None:
            new = f"{text}\n\n{new}" if text else new
        version = keep_version(store, page) if new is not None or title is not None else None
        counts = (
            _replace_blocks(store, page_id, drafts_of(new))
            if new is not None
            else (len(tree_of(store, page_id).list_children(None)), 0, 0)
        )
        page = touch_page(
            store,
            page,
            title=page.title if title is None else title_of(title),
            icon=page.icon if icon is None else icon,
        )
        lost = describe_lost("\n\n".join([markdown or "", *(edit.text for edit in edits)]))
        return Edited(page.id, page.title, page.edited, *counts, version.id if version else None, lost)


def touch_page(store: Store, page: Page, **values: object) -> Page:
    """A page with other fields, changed now by who acts."""
    return store.change(page, **values, edited=store.make_stamp(Page, "edited"), editor_id=find_actor(store))


def _apply_edits(text: str, edits: Sequence[Edit]) -> str:
    for edit in edits:
        count = text.count(edit.find) if edit.find else 0
        if count != 1:
            raise Problem(
                f"{edit.find[:80]!r} occurs {count} times in the page; give text that occurs once in its Markdown"
            )
        text = text.replace(edit.find, edit.text)
    return text


def keep_version(store: Store, page: Page) -> Version:
    """Keep a page as it is, before it changes."""
    older = store.find(Version, "page_id = ?", [page.id])
    for version in older[: max(0, len(older) - MAX_VERSIONS + 1)]:
        store.remove(version)
    number, stamp = store.next_id(Version), store.make_stamp(Page, "edited")
    text = tree_of(store, page.id).to_markdown()
    return store.put(Version(number, page.id, stamp, find_actor(store), page.title, text))


def _replace_blocks(store: Store, page_id: int, drafts: Sequence[Draft]) -> tuple[int, int, int]:
    """Put drafts in the place of blocks; those that say the same stay. How many stay, change, are gone."""
    tree = tree_of(store, page_id)
    old = tree.list_children(None)
    unchanged_blocks, changed = _match_drafts(tree, drafts)
    staying = {block.id for block in (*unchanged_blocks.values(), *changed.values())}
    for block in old:
        if block.id not in staying:
            remove_block(store, tree, block)
    for place, draft in enumerate(drafts):
        if place in unchanged_blocks:
            store.put(replace(unchanged_blocks[place], position=place + 1))
        elif place in changed:
            _rewrite_block(store, tree, changed[place], draft, place + 1)
        else:
            put_draft(store, page_id, None, draft, place + 1)
    return len(unchanged_blocks), len(drafts) - len(unchanged_blocks), len(old) - len(staying)


def _match_drafts(tree: Tree, drafts: Sequence[Draft]) -> tuple[dict[int, Block], dict[int, Block]]:
    """By the place of a draft the block that says the same, and the block of its kind whose place it takes."""
    old = tree.list_children(None)
    block_texts = [tree.format_tree(block) for block in old], [_format_draft(draft, tree) for draft in drafts]
    unchanged_blocks, changed = dict[int, Block](), dict[int, Block]()
    for tag, first, last, start, end in SequenceMatcher(None, *block_texts, autojunk=False).get_opcodes():
        pairs = list(zip(range(first, last), range(start, end), strict=False))
        if tag == "equal":
            unchanged_blocks |= {new: old[place] for place, new in pairs}
        elif tag == "replace":
            changed |= {new: old[place] for place, new in pairs if old[place].kind == drafts[new].kind}
    return unchanged_blocks, changed


def _rewrite_block(store: Store, tree: Tree, block: Block, draft: Draft, position: int) -> None:
    """A block that says something else from now on, with its number and what was said of it."""
    for child in tree.list_children(block.id):
        remove_block(store, tree, child)
    new = draft.block(block.id, block.page_id, None, position, store.now.isoformat())
    store.put(replace(new, created=block.created))
    put_drafts(store, block.page_id, block.id, draft.children)


def _format_draft(draft: Draft, tree: Tree) -> str:
    """A draft as the Markdown of a block."""
    if draft.existing_id is not None:
        matching_blocks = [block for block in tree.list_children(None) if block.id == draft.existing_id]
        return tree.format_tree(matching_blocks[0]) if matching_blocks else ""
    number = iter(range(-1, -1_000_000, -1))
    blocks: list[Block] = []

    def add(child_draft: Draft, parent: int | None, position: int) -> None:
        block = child_draft.block(next(number), 0, parent, position, "")
        blocks.append(block)
        for place, child in enumerate(child_draft.children):
            add(child, block.id, place)

    add(draft, None, 0)
    return Tree(blocks).format_tree(blocks[0])


def put_drafts(
    store: Store, page_id: int, parent_id: int | None, drafts: Sequence[Draft], first: int = 1
) -> list[Block]:
    """New blocks at the end of a page or of a block."""
    return [put_draft(store, page_id, parent_id, draft, first + place) for place, draft in enumerate(drafts)]


def put_draft(store: Store, page_id: int, parent_id: int | None, draft: Draft, position: int) -> Block:
    """A new block with what stands in it.

    Raises:
        Problem: it is one that Markdown cannot say.
    """
    if draft.existing_id is not None:
        raise Problem(
            f"block {draft.existing_id} ({draft.kind}) cannot be written in Markdown; leave its line unchanged"
        )
    block = store.put(draft.block(store.next_id(Block), page_id, parent_id, position, store.now.isoformat()))
    put_drafts(store, page_id, block.id, draft.children)
    return block


def remove_block(store: Store, tree: Tree, block: Block) -> None:
    """Take a block away with what stands in it; what was said of it stays with the page."""
    for child in tree.list_children(block.id):
        remove_block(store, tree, child)
    for comment in store.find(Comment, "block_id = ?", [block.id]):
        store.change(comment, block_id=None)
    store.remove(block)


def list_versions(world: World, page_id: int, offset: int = 0, limit: int = 50) -> Versions:
    """How a page was before each of its changes.

    Raises:
        Problem: there is no such page.
    """
    with opened_notes(world) as store:
        store.get(Page, page_id)
        page = store.read_page(Version, "page_id = ?", [page_id], order="saved DESC", offset=offset, limit=limit)
        names = {person.id: person.name for person in store.find(Person)}
        lines = [
            VersionLine(
                version.id, version.saved, names.get(version.author_id or 0, ""), version.title, len(version.text)
            )
            for version in page.items
        ]
        return Versions(*take_fitting(lines, page.total, offset))
