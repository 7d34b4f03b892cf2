"""The blocks of pages."""

from typing import Any

from yardkit.apps.notes import Block, Page, Table
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.notes.app import Data, find_number, format_results, make_validation_problem, number_of
from yardkit.compat.toolathlon.notes.objects import block_object, child_object, draft_of
from yardkit.servers.notes.engine.context import tree_of
from yardkit.servers.notes.engine.editing import keep_version, put_draft, remove_block, touch_page


def _resolve_block(store: Store, given: str) -> tuple[Page, Block | None]:
    """The page that an id is of, or the page and the block.

    Raises:
        Problem: it is of neither.
    """
    page_id = find_number(store, Page, given)
    if page_id is not None:
        return store.get(Page, page_id), None
    block = store.get(Block, number_of(store, Block, given, "block_id"))
    return store.get(Page, block.page_id), block


def API_get_block_children(store: Store, block_id: str, start_cursor: str = "", page_size: int = 100) -> Any:
    return format_results(_list_children(store, *_resolve_block(store, block_id)), "block", start_cursor, page_size)


def _list_children(store: Store, page: Page, block: Block | None) -> list[Data]:
    blocks = tree_of(store, page.id).list_children(block.id if block else None)
    child_objects = [block_object(store, child, page) for child in blocks]
    if block is not None:
        return child_objects
    pages = store.find(Page, "parent_id = ? AND archived IS NULL", [page.id], order="position")
    tables = store.find(Table, "parent_id = ? AND archived IS NULL", [page.id], order="title")
    children: list[Page | Table] = [*pages, *tables]
    return [*child_objects, *(child_object(store, child) for child in children)]


def API_patch_block_children(store: Store, block_id: str, children: list[Data], after: str = "") -> Any:
    page, block = _resolve_block(store, block_id)
    drafts = [draft_of(store, child, f"children[{place}]") for place, child in enumerate(children)]
    keep_version(store, page)
    parent_id = block.id if block else None
    siblings = tree_of(store, page.id).list_children(parent_id)
    at = len(siblings)
    if after:
        numbers = [sibling.id for sibling in siblings]
        previous_id = number_of(store, Block, after, "after")
        if previous_id not in numbers:
            raise make_validation_problem(f"Block {after} is not a child of {block_id}.")
        at = numbers.index(previous_id) + 1
    for place, sibling in enumerate(siblings[at:], at + 1 + len(drafts)):
        store.change(sibling, position=place)
    new_blocks = [put_draft(store, page.id, parent_id, draft, at + 1 + place) for place, draft in enumerate(drafts)]
    page = touch_page(store, page)
    return format_results([block_object(store, new_block, page) for new_block in new_blocks], "block")


def API_retrieve_a_block(store: Store, block_id: str) -> Any:
    page, block = _resolve_block(store, block_id)
    return block_object(store, block, page) if block else child_object(store, page)


def API_update_a_block(store: Store, block_id: str, type: Data | None = None, archived: bool = False) -> Any:
    page, block = _resolve_block(store, block_id)
    if archived:
        return _delete_block(store, page, block)
    if block is None or not type or block.kind not in type:
        kind = block.kind if block else "a page, which API-patch-page changes"
        raise make_validation_problem(
            f"body failed validation: body.type should have `{kind}`, instead was `{', '.join(type or ())}`."
        )
    keep_version(store, page)
    old = block_object(store, block, page)[block.kind]
    draft = draft_of(store, {block.kind: {**old, **type[block.kind], "children": []}}, "type")
    new = draft.block(block.id, page.id, block.parent_id, block.position, store.now.isoformat())
    changed = store.change(block, text=new.text, spans=new.spans, data=new.data, edited=new.edited)
    return block_object(store, changed, touch_page(store, page))


def API_delete_a_block(store: Store, block_id: str) -> Any:
    table_id = find_number(store, Table, block_id)
    if table_id is not None:
        table = store.get(Table, table_id)
        return child_object(store, store.change(table, archived=store.now.isoformat()))
    return _delete_block(store, *_resolve_block(store, block_id))


def _delete_block(store: Store, page: Page, block: Block | None) -> Data:
    if block is None:
        return child_object(store, store.change(page, archived=store.now.isoformat()))
    keep_version(store, page)
    block_data = block_object(store, block, page, gone=True)
    remove_block(store, tree_of(store, page.id), block)
    touch_page(store, page)
    return block_data
