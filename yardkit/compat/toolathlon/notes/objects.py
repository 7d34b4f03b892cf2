"""Pages, databases, blocks, users and comments as the objects of Notion's API."""

from typing import Any

from yardkit.apps.notes import Block, Comment, Page, Person, Table
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.notes.app import Data, make_validation_problem, time_of, user_of, uuid_of
from yardkit.compat.toolathlon.notes.properties import list_values, schema_of
from yardkit.compat.toolathlon.notes.rich_text import build_icon, build_rich_texts, build_text, icon_of, spans_of
from yardkit.servers.notes.engine import inline
from yardkit.servers.notes.engine.context import is_archived
from yardkit.servers.notes.engine.markdown_text import Draft

TEXTS = (
    *("paragraph", "heading_1", "heading_2", "heading_3", "bulleted_list_item", "numbered_list_item", "to_do"),
    *("toggle", "quote", "callout", "code"),
)
OTHERS = (
    *("equation", "divider", "image", "bookmark", "table", "table_row", "embed", "video", "file", "pdf", "audio"),
    *("breadcrumb", "table_of_contents", "column_list", "column", "link_to_page", "synced_block", "template"),
)
_FILES = ("image", "video", "file", "pdf", "audio")


def page_object(store: Store, page: Page) -> Data:
    """A page or row."""
    table = store.find(Table, "id = ?", [page.table_id])
    title = {"title": {"id": "title", "type": "title", "title": build_text(page.title)}}
    archived = is_archived(store, page)
    number = uuid_of(Page, page.id)
    return {
        "object": "page",
        "id": number,
        "created_time": time_of(page.created),
        "last_edited_time": time_of(page.edited),
        "created_by": user_of(page.author_id),
        "last_edited_by": user_of(page.editor_id),
        "cover": build_icon(page.cover),
        "icon": build_icon(page.icon),
        "parent": parent_of(page.parent_id, page.table_id),
        "archived": archived,
        "in_trash": archived,
        "properties": list_values(store, table[0], page) if table else title,
        "url": f"https://www.notion.so/{number.replace('-', '')}",
        "public_url": None,
    }


def parent_of(page_id: int | None, table_id: int | None = None) -> Data:
    """Where a page or database stands."""
    if table_id is not None:
        return {"type": "database_id", "database_id": uuid_of(Table, table_id)}
    if page_id is not None:
        return {"type": "page_id", "page_id": uuid_of(Page, page_id)}
    return {"type": "workspace", "workspace": True}


def database_object(store: Store, table: Table) -> Data:
    """A table."""
    number, who = uuid_of(Table, table.id), store.find(Person)
    author = user_of(who[0].id if who else None)
    return {
        "object": "database",
        "id": number,
        "cover": None,
        "icon": build_icon(table.icon),
        "created_time": time_of(table.created),
        "created_by": author,
        "last_edited_by": author,
        "last_edited_time": time_of(table.edited),
        "title": build_text(table.title),
        "description": build_text(table.description),
        "is_inline": False,
        "properties": {column.name: schema_of(column) for column in table.columns},
        "parent": parent_of(table.parent_id),
        "url": f"https://www.notion.so/{number.replace('-', '')}",
        "public_url": None,
        "archived": table.archived is not None,
        "in_trash": table.archived is not None,
    }


def user_object(person: Person) -> Data:
    """Somebody, or the integration."""
    user_data: Data = {"object": "user", "id": uuid_of(Person, person.id), "name": person.name, "avatar_url": None}
    if person.kind == "bot":
        return {**user_data, "type": "bot", "bot": {}}
    return {**user_data, "type": "person", "person": {"email": person.email}}


def comment_object(comment: Comment) -> Data:
    """A comment on a page or a block."""
    parent = {"type": "page_id", "page_id": uuid_of(Page, comment.page_id)}
    if comment.block_id is not None:
        parent = {"type": "block_id", "block_id": uuid_of(Block, comment.block_id)}
    return {
        "object": "comment", "id": uuid_of(Comment, comment.id), "parent": parent,
        "discussion_id": uuid_of(Comment, -comment.thread), "created_time": time_of(comment.created),
        "last_edited_time": time_of(comment.created), "created_by": user_of(comment.author_id),
        "rich_text": build_rich_texts(inline.spans_of(comment.text)),
    }  # fmt: skip


def block_object(store: Store, block: Block, page: Page, *, gone: bool = False) -> Data:
    """A block of a page."""
    parent: Data = {"type": "page_id", "page_id": uuid_of(Page, block.page_id)}
    if block.parent_id is not None:
        parent = {"type": "block_id", "block_id": uuid_of(Block, block.parent_id)}
    return {
        "object": "block",
        "id": uuid_of(Block, block.id),
        "parent": parent,
        "created_time": time_of(block.created or page.created),
        "last_edited_time": time_of(block.edited or page.edited),
        "created_by": user_of(page.author_id),
        "last_edited_by": user_of(page.editor_id),
        "has_children": store.count(Block, "parent_id = ?", [block.id]) > 0,
        "archived": gone,
        "in_trash": gone,
        "type": block.kind,
        block.kind: _build_block_data(block),
    }


def child_object(store: Store, child: Page | Table) -> Data:
    """A page or table in a page, as a block of it."""
    page = child if isinstance(child, Page) else None
    name = "child_page" if page else "child_database"
    number = uuid_of(Page, child.id) if page else uuid_of(Table, child.id)
    author = user_of(page.author_id if page else None)
    full = page is not None and store.count(Block, "page_id = ?", [child.id]) > 0
    return {
        "object": "block", "id": number, "parent": parent_of(child.parent_id),
        "created_time": time_of(child.created), "last_edited_time": time_of(child.edited), "created_by": author,
        "last_edited_by": author, "has_children": full, "archived": child.archived is not None,
        "in_trash": child.archived is not None, "type": name, name: {"title": child.title},
    }  # fmt: skip


def _build_block_data(block: Block) -> Data:
    """What a block of its kind has."""
    kind, data = block.kind, block.data
    text = {"rich_text": build_rich_texts(block.rich)}
    color = {"color": data.get("color", "default")}
    if kind == "code":
        return {**text, "caption": [], "language": data.get("language", "plain text")}
    if kind == "callout":
        return {**text, "icon": build_icon(str(data.get("icon", "💡"))), **color}
    if kind == "to_do":
        return {**text, "checked": bool(data.get("checked")), **color}
    if kind.startswith("heading_"):
        return {**text, "is_toggleable": False, **color}
    if kind in TEXTS:
        return {**text, **color}
    if kind in _FILES:
        address = {"type": "external", "external": {"url": data.get("url", "")}}
        return {"caption": build_text(str(data.get("caption", ""))), **address}
    if kind == "bookmark":
        return {"caption": build_text(str(data.get("caption", ""))), "url": data.get("url", "")}
    if kind == "table":
        sides = {"has_column_header": bool(data.get("header")), "has_row_header": bool(data.get("row_header"))}
        return {"table_width": data.get("width", 1), **sides}
    if kind == "table_row":
        return {"cells": [build_rich_texts(inline.spans_of(cell)) for cell in data.get("cells", ())]}
    return dict(data)


def draft_of(store: Store, given: Any, field: str) -> Draft:
    """A block of such an object.

    Raises:
        Problem: it is none, or of a kind that there is not.
    """
    kinds = [kind for kind in (*TEXTS, *OTHERS) if isinstance(given, dict) and kind in given]
    if not kinds:
        there = ", ".join(given) if isinstance(given, dict) else str(given)[:80]
        known = ", ".join((*TEXTS, *OTHERS))
        raise make_validation_problem(
            f"body failed validation: body.{field} should have one of {known}, instead was `{there}`."
        )
    kind, block_data = kinds[0], given[kinds[0]]
    block_data = block_data if isinstance(block_data, dict) else {}
    inside = block_data.get("children") or given.get("children") or ()
    children = tuple(
        draft_of(store, child_data, f"{field}.children[{place}]") for place, child_data in enumerate(inside)
    )
    if kind in TEXTS:
        text = spans_of(store, block_data.get("rich_text", block_data.get("text", [])), f"{field}.{kind}.rich_text")
        return Draft(kind, text, _data_of(kind, block_data), children)
    if kind == "table_row":
        cells = [spans_of(store, cell, f"{field}.table_row.cells") for cell in block_data.get("cells") or ()]
        return Draft(kind, [], {"cells": [inline.markdown_of(cell) for cell in cells]}, children)
    return Draft(kind, [], _other_data(store, kind, block_data, field), children)


def _data_of(kind: str, block_data: Data) -> Data:
    """What a block with a text has besides."""
    color = {} if block_data.get("color", "default") == "default" else {"color": block_data["color"]}
    if kind == "to_do":
        return {"checked": bool(block_data.get("checked")), **color}
    if kind == "code":
        return {"language": str(block_data.get("language") or "plain text")}
    if kind == "callout":
        return {"icon": icon_of(block_data.get("icon")) or "💡", **color}
    return color


def _other_data(store: Store, kind: str, block_data: Data, field: str) -> Data:
    if kind in (*_FILES, "bookmark", "embed"):
        address = block_data.get("url") or (block_data.get("external") or {}).get("url") or ""
        caption = "".join(span.text for span in spans_of(store, block_data.get("caption") or [], f"{field}.caption"))
        return {"url": str(address), "caption": caption}
    if kind == "table":
        sides = {
            "header": bool(block_data.get("has_column_header")),
            "row_header": bool(block_data.get("has_row_header")),
        }
        return {"width": int(block_data.get("table_width") or 1), **sides}
    return {name: value for name, value in block_data.items() if name != "children"}
