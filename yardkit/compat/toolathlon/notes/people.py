"""Users and comments."""

from typing import Any

from yardkit.apps.notes import Block, Comment, Page, Person
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.notes.app import Data, find_number, format_results, number_of, uuid_of
from yardkit.compat.toolathlon.notes.objects import comment_object, user_object
from yardkit.compat.toolathlon.notes.rich_text import spans_of
from yardkit.servers.notes.engine import inline
from yardkit.servers.notes.engine.comments import put_comment


def API_get_user(store: Store, user_id: str) -> Any:
    return user_object(store.get(Person, number_of(store, Person, user_id, "user_id")))


def API_get_users(store: Store, start_cursor: str = "", page_size: int = 100) -> Any:
    return format_results([user_object(person) for person in store.find(Person)], "user", start_cursor, page_size)


def API_get_self(store: Store) -> Any:
    bots = store.find(Person, "kind = 'bot'")
    owners = store.find(Person, "kind = 'person'")
    if bots:
        return user_object(bots[0])
    bot = {"owner": {"type": "workspace", "workspace": True}, "workspace_name": owners[0].name if owners else ""}
    name = {"object": "user", "id": uuid_of(Person, 0), "name": "Integration", "avatar_url": None}
    return {**name, "type": "bot", "bot": bot}


def API_retrieve_a_comment(store: Store, block_id: str, start_cursor: str = "", page_size: int = 100) -> Any:
    page_id = find_number(store, Page, block_id)
    where, number = "page_id = ? AND block_id IS NULL", page_id
    if page_id is None:
        where, number = "block_id = ?", number_of(store, Block, block_id, "block_id")
    comments = store.find(Comment, where, [number], order="created")
    return format_results([comment_object(comment) for comment in comments], "comment", start_cursor, page_size)


def API_create_a_comment(store: Store, parent: Data, rich_text: list[Data]) -> Any:
    text = inline.markdown_of(spans_of(store, rich_text, "rich_text"))
    if parent.get("block_id"):
        block = store.get(Block, number_of(store, Block, parent["block_id"], "parent.block_id"))
        return comment_object(put_comment(store, block.page_id, block.id, text))
    page_id = number_of(store, Page, parent.get("page_id"), "parent.page_id")
    return comment_object(put_comment(store, page_id, None, text))
