"""Pages: they are read, made, changed and searched."""

from collections.abc import Mapping
from typing import Any

from yardkit.apps.notes import Column, Page, Table
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.notes.app import Data, format_results, make_validation_problem, number_of, parse_object
from yardkit.compat.toolathlon.notes.objects import database_object, draft_of, page_object
from yardkit.compat.toolathlon.notes.properties import build_property_value, items_of, property_id, values_of
from yardkit.compat.toolathlon.notes.rich_text import icon_of, read_bare_text
from yardkit.servers.notes.engine.context import is_archived, title_of
from yardkit.servers.notes.engine.editing import keep_version, put_drafts, touch_page
from yardkit.servers.notes.engine.pages import put_page
from yardkit.servers.notes.engine.rows import Reading, put_row


def API_retrieve_a_page(store: Store, page_id: str, filter_properties: str = "") -> Any:
    page_data = page_object(store, store.get(Page, number_of(store, Page, page_id, "page_id")))
    requested_properties = {part.strip() for part in filter_properties.split(",") if part.strip()}
    if requested_properties:
        property_values = page_data["properties"].items()
        page_data["properties"] = {
            name: property_value
            for name, property_value in property_values
            if {name, property_value["id"]} & requested_properties
        }
    return page_data


def API_post_page(
    store: Store,
    parent: Data | str,
    properties: Data,
    children: list[Data | str] | None = None,
    icon: Data | str | None = None,
    cover: Data | str | None = None,
) -> Any:
    place = parse_object(parent, "parent")
    pictures = {"icon": icon_of(_parse_icon(icon)), "cover": icon_of(_parse_icon(cover))}
    if isinstance(place, dict) and place.get("database_id"):
        table = store.get(Table, number_of(store, Table, place["database_id"], "parent.database_id"))
        row = put_row(store, table, None, values_of(store, table, properties), adds_options=True)
        page = store.change(row, **pictures)
    else:
        parent_id = _find_parent(store, place)
        page = put_page(store, _find_title(store, properties), parent_id, **pictures)
    blocks = [parse_object(child, "children") for child in children or ()]
    drafts = [draft_of(store, child, f"children[{number}]") for number, child in enumerate(blocks)]
    put_drafts(store, page.id, None, drafts)
    return page_object(store, page)


def _parse_icon(given: Any) -> Any:
    return parse_object(given, "icon") if isinstance(given, str) and given.startswith("{") else given


def _find_parent(store: Store, place: Any) -> int | None:
    if isinstance(place, dict) and place.get("page_id"):
        return number_of(store, Page, place["page_id"], "parent.page_id")
    if isinstance(place, dict) and (place.get("workspace") or place.get("type") == "workspace"):
        return None
    raise make_validation_problem(
        "body failed validation: body.parent.page_id should be defined, instead was `undefined`."
    )


def _find_title(store: Store, properties: Mapping[str, Any]) -> str:
    """The title that properties of a page in a page have."""
    wrong = [name for name in properties if name not in ("title", "Title", "Name")]
    if wrong or not properties:
        raise make_validation_problem(
            f"{wrong[0] if wrong else 'title'} is not a property that exists. A page in a page has a title."
        )
    title_value = next(iter(properties.values()))
    return read_bare_text(
        store,
        title_value.get("title") if isinstance(title_value, dict) and "title" in title_value else title_value,
        "properties.title",
    )


def API_patch_page(
    store: Store,
    page_id: str,
    properties: Data | None = None,
    in_trash: bool | None = None,
    archived: bool | None = None,
    icon: Data | str | None = None,
    cover: Data | str | None = None,
) -> Any:
    page = store.get(Page, number_of(store, Page, page_id, "page_id"))
    if properties and page.table_id is not None:
        table = store.get(Table, page.table_id)
        page = put_row(store, table, page, values_of(store, table, properties), adds_options=True)
    elif properties:
        keep_version(store, page)
        page = touch_page(store, page, title=title_of(_find_title(store, properties)))
    gone = archived if archived is not None else in_trash
    if gone is not None:
        page = store.change(page, archived=(page.archived or store.now.isoformat()) if gone else None)
    pictures = {"icon": icon, "cover": cover}
    changed = {
        name: icon_of(_parse_icon(picture_data)) for name, picture_data in pictures.items() if picture_data is not None
    }
    return page_object(store, touch_page(store, page, **changed) if changed else page)


def API_retrieve_a_page_property(
    store: Store, page_id: str, property_id: str, page_size: int = 100, start_cursor: str = ""
) -> Any:
    page = store.get(Page, number_of(store, Page, page_id, "page_id"))
    column, value = _find_property(store, page, property_id)
    items = items_of(column, value)
    if items is None:
        return {"object": "property_item", **build_property_value(column, value)}
    first = int(start_cursor) if start_cursor.isdigit() else 0
    page_items = items[first : first + page_size]
    end, kind = first + len(page_items), build_property_value(column, value)["type"]
    more = end < len(items)
    head = {"id": build_property_value(column, value)["id"], "next_url": None, "type": kind, kind: {}}
    return {
            "object": "list", "results": page_items, "next_cursor": str(end) if more else None, "has_more": more,
            "type": "property_item", "property_item": head,
        }  # fmt: skip


def _find_property(store: Store, page: Page, requested_property: str) -> tuple[Column, Any]:
    if page.table_id is None:
        if requested_property.casefold() != "title":
            raise make_validation_problem(f"Could not find property with name or id: {requested_property}")
        return Column("title", "title"), page.title
    table = store.get(Table, page.table_id)
    matching_columns = [column for column in table.columns if requested_property in (property_id(column), column.name)]
    if not matching_columns:
        raise make_validation_problem(f"Could not find property with name or id: {requested_property}")
    return matching_columns[0], Reading(store, table).value(matching_columns[0], page)


def API_post_search(
    store: Store,
    query: str = "",
    sort: Data | None = None,
    filter: Data | None = None,
    start_cursor: str = "",
    page_size: int = 100,
) -> Any:
    kind = (filter or {}).get("value")
    if kind not in (None, "page", "database"):
        raise make_validation_problem(
            f"body failed validation: body.filter.value should be `page` or `database`, instead was `{kind}`."
        )
    words = ["title"]
    pages = store.search(Page, query, *words, limit=1_000_000).items if kind != "database" else []
    tables = store.search(Table, query, *words, limit=1_000_000).items if kind != "page" else []
    matches: list[Page | Table] = [*(candidate for candidate in pages if not is_archived(store, candidate))]
    matches += [candidate for candidate in tables if candidate.archived is None]
    matches.sort(key=lambda match: (match.edited, match.id), reverse=(sort or {}).get("direction") != "ascending")
    match_objects = [
        page_object(store, match) if isinstance(match, Page) else database_object(store, match) for match in matches
    ]
    return format_results(match_objects, "page_or_database", start_cursor, page_size)
