"""Styled text, icons and covers as Notion has them."""

from typing import Any

from yardkit.apps.notes import Page, Person, Span
from yardkit.apps.store import Store
from yardkit.compat.toolathlon.notes.app import Data, make_validation_problem, number_of, uuid_of
from yardkit.servers.notes.engine.inline import merge_spans

MAX_CONTENT = 2_000
_STYLES = ("bold", "italic", "strikethrough", "underline", "code")


def build_rich_texts(spans: list[Span]) -> list[Data]:
    """Pieces of text as a list of rich text objects."""
    return [_build_rich_text(span) for span in spans]


def build_text(text: str) -> list[Data]:
    """A text without style."""
    return build_rich_texts([Span(text)]) if text else []


def _build_rich_text(span: Span) -> Data:
    style = {name: getattr(span, name) for name in _STYLES} | {"color": span.color or "default"}
    kind, _, number = span.link.partition(":")
    if kind in ("page", "person") and number.isdigit():
        target: Data = {"id": uuid_of(Page, int(number)) if kind == "page" else uuid_of(Person, int(number))}
        name = "page" if kind == "page" else "user"
        text_data = {
            "type": "mention",
            "mention": {"type": name, name: target if name == "page" else {"object": "user", **target}},
        }
        href = f"https://www.notion.so/{target['id'].replace('-', '')}" if name == "page" else None
        return {**text_data, "annotations": style, "plain_text": span.text, "href": href}
    link = {"url": span.link} if span.link else None
    return {
        "type": "text", "text": {"content": span.text, "link": link}, "annotations": style, "plain_text": span.text,
        "href": span.link or None,
    }  # fmt: skip


def spans_of(store: Store, given: Any, field: str) -> list[Span]:
    """Pieces of text of such a list.

    Raises:
        Problem: it is none, or a piece of it is too long.
    """
    if isinstance(given, dict):
        given = [given]
    if not isinstance(given, list) or not all(isinstance(text_object, dict) for text_object in given):
        raise make_validation_problem(
            f"body failed validation: body.{field} should be an array, instead was `{str(given)[:80]}`."
        )
    return merge_spans(
        [_parse_span(store, text_object, f"{field}[{place}]") for place, text_object in enumerate(given)]
    )


def read_bare_text(store: Store, given: Any, field: str) -> str:
    """The text of such a list, without style."""
    return "".join(span.text for span in spans_of(store, given, field))


def _parse_span(store: Store, given: Data, field: str) -> Span:
    style = {name: bool((given.get("annotations") or {}).get(name)) for name in _STYLES}
    color = (given.get("annotations") or {}).get("color") or "default"
    text, link = _read_text(store, given, field)
    if len(text) > MAX_CONTENT:
        where = f"body.{field}.text.content.length"
        raise make_validation_problem(
            f"body failed validation: {where} should be ≤ `{MAX_CONTENT}`, instead was `{len(text)}`."
        )
    return Span(text, **style, link=link, color="" if color == "default" else str(color))


def _read_text(store: Store, given: Data, field: str) -> tuple[str, str]:
    """What a rich text object says, and where it leads to."""
    if isinstance(given.get("text"), dict):
        return str(given["text"].get("content") or ""), str((given["text"].get("link") or {}).get("url") or "")
    if isinstance(given.get("mention"), dict):
        return _read_mention(store, given["mention"], given)
    if isinstance(given.get("equation"), dict):
        return str(given["equation"].get("expression") or ""), ""
    if "plain_text" in given:
        return str(given["plain_text"]), str(given.get("href") or "")
    raise make_validation_problem(
        f"body failed validation: body.{field}.text should be defined, instead was `undefined`."
    )


def _read_mention(store: Store, mention: Data, given: Data) -> tuple[str, str]:
    if isinstance(mention.get("page"), dict):
        number = number_of(store, Page, mention["page"].get("id"), "mention.page.id")
        return store.get(Page, number).title, f"page:{number}"
    if isinstance(mention.get("user"), dict):
        number = number_of(store, Person, mention["user"].get("id"), "mention.user.id")
        return f"@{store.get(Person, number).name}", f"person:{number}"
    if isinstance(mention.get("date"), dict):
        return str(mention["date"].get("start") or ""), ""
    return str(given.get("plain_text") or ""), ""


def build_icon(icon: str) -> Data | None:
    """An emoji, or a picture by its address."""
    if not icon:
        return None
    address = {"type": "external", "external": {"url": icon}}
    return address if icon.startswith("http") else {"type": "emoji", "emoji": icon}


def icon_of(given: Any) -> str:
    """The emoji or the address of such an object; a text is one by itself."""
    if not isinstance(given, dict):
        return str(given or "")
    return str(given.get("emoji") or (given.get("external") or {}).get("url") or "")
