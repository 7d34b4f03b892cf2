"""Changes of elements that a CSS selector names; everything else in the file stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from html.entities import html5
from typing import Any, Literal

from yardkit.servers.html.engine.source import Page, Splice, elements_of, tag_of, text_of, words_of
from yardkit.world import Problem

Op = Literal[
    "set_text",
    "set_html",
    "replace",
    "insert",
    "remove",
    "wrap",
    "unwrap",
    "set_attribute",
    "remove_attribute",
    "add_class",
    "remove_class",
    "replace_text",
]
Where = Literal["before", "after", "first", "last"]
Match = Literal["one", "first", "all"]
_ATTRIBUTE = re.compile(r"""([^\s"'<>/=]+)(\s*=\s*("[^"]*"|'[^']*'|[^\s"'=<>`]+))?""")
_NAME = re.compile(r"[A-Za-z_:][A-Za-z0-9_.:-]*")
_RAW_TEXT_TAGS = ("script", "style")
_OF_WORDS = ("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "span", "em", "strong", "label", "button")
"""Elements that hold phrasing content alone: https://html.spec.whatwg.org/#phrasing-content."""
_BLOCK = re.compile(
    r"\s*<(table|p|div|ul|ol|dl|h[1-6]|section|article|figure|blockquote|pre|form|main|header|footer|nav|aside)\b",
    re.IGNORECASE,
)
_OUTER_OPERATIONS = ("replace", "remove", "wrap", "unwrap", "set_text", "set_html")
"""Changes of an element with all in it: of elements in each other only the outer one is changed."""
_MAX_LISTED = 6


@dataclass(frozen=True)
class Edit:
    """One change; what it needs depends on `op`."""

    op: Op
    selector: str
    value: str = ""
    name: str = ""
    where: Where = "last"
    match: Match = "one"


@dataclass(frozen=True)
class Edited:
    """A changed page: how many elements each edit changed, and what the parser complains of since."""

    page: Page
    counts: list[int]
    new_errors: list[str]


def apply_edits(page: Page, edits: Sequence[Edit]) -> Edited:
    """All edits one after the other, or none.

    Raises:
        Problem: a selector matches nothing or too much, or a change cannot be made; says which edit.
    """
    before, counts = page, []
    for number, edit in enumerate(edits, start=1):
        try:
            page, count = _apply_edit(page, edit)
        except Problem as problem:
            raise Problem(f"edit {number} ({edit.op} {edit.selector!r}): {problem}; nothing was changed") from problem
        counts.append(count)
    _check_letters(page)
    return Edited(page, counts, _new_errors(before, page))


def _check_letters(page: Page) -> None:
    """Styles and scripts know no character references: what the encoding of the page lacks cannot stand in them."""
    for element in elements_of(page.root):
        if tag_of(element) in _RAW_TEXT_TAGS:
            try:
                (element.text or "").encode(page.encoding)
            except UnicodeEncodeError as error:
                letter = str(error.object)[error.start]
                way = (
                    f"\\{ord(letter):x} in CSS" if tag_of(element) == "style" else f"\\u{{{ord(letter):x}}} in a string"
                )
                raise Problem(
                    f"{letter!r} in the {tag_of(element)} cannot be written in the page's encoding, "
                    f"{page.encoding}; write {way}; nothing was changed"
                ) from error


def _new_errors(before: Page, after: Page) -> list[str]:
    known = [words for _, words in before.errors]
    new_errors = []
    for offset, words in after.errors:
        if words in known:
            known.remove(words)
        else:
            new_errors.append(f"line {after.line(offset)}: {words}")
    return new_errors[:10]


def _apply_edit(page: Page, edit: Edit) -> tuple[Page, int]:
    elements = choose_elements(page, edit.selector, edit.match)
    if edit.op in _OUTER_OPERATIONS:
        elements = _filter_outermost(elements)
    changes = [_EDIT_FUNCTIONS[edit.op](page, element, edit) for element in elements]
    splices = [splice for change in changes for splice in change]
    if edit.op == "replace_text" and not splices:
        raise Problem(f"the element does not contain the text {edit.name!r}")
    after = page.splice(splices)
    _verify_edit(page, after, elements, splices, edit)
    return after, len(splices) if edit.op == "replace_text" else len(elements)


def choose_elements(page: Page, selector: str, match: Match) -> list[Any]:
    """The elements that are meant.

    Raises:
        Problem: none, or several where one is meant; it names them.
    """
    matching_elements = page.select(selector)
    if not matching_elements:
        raise Problem(f"nothing on the page matches {selector!r}; use query_elements to list its elements")
    if match == "one" and len(matching_elements) > 1:
        element_summary = "; ".join(
            f"line {page.line_of(element)} <{tag_of(element)}> {words_of(element, 30)!r}"
            for element in matching_elements[:_MAX_LISTED]
        )
        raise Problem(
            f"{len(matching_elements)} elements match: {element_summary}. Narrow the selector, or set match to 'first'"
            " or 'all'"
        )
    return matching_elements[:1] if match == "first" else matching_elements


def _filter_outermost(elements: list[Any]) -> list[Any]:
    inside = {below for element in elements for below in element.iter() if below is not element}
    return [element for element in elements if element not in inside]


def _get_outer_range(page: Page, element: Any) -> tuple[int, int]:
    outer_range = page.place(element).outer
    if outer_range is None:
        raise Problem(
            f"the {tag_of(element)} element is not in the file (browsers add it); select an element inside it"
        )
    return outer_range


def _get_inner_range(page: Page, element: Any) -> tuple[int, int]:
    inner_range = page.place(element).inner
    if inner_range is None:
        _get_outer_range(page, element)
        raise Problem(f"the {tag_of(element)} element has no content; change its attributes or replace it")
    return inner_range


def _set_text(page: Page, element: Any, edit: Edit) -> list[Splice]:
    return [Splice(*_get_inner_range(page, element), _escape_text(element, edit.value))]


def _escape_text(element: Any, text: str) -> str:
    if tag_of(element) not in _RAW_TEXT_TAGS:
        return escape(text, quote=False)
    if re.search(rf"</{tag_of(element)}", text, re.IGNORECASE):
        raise Problem(f"the text of a {tag_of(element)} must not contain its own end tag")
    return text


def _set_html(page: Page, element: Any, edit: Edit) -> list[Splice]:
    return [Splice(*_get_inner_range(page, element), edit.value)]


def _replace_element(page: Page, element: Any, edit: Edit) -> list[Splice]:
    return [Splice(*_get_outer_range(page, element), edit.value)]


def _insert_content(page: Page, element: Any, edit: Edit) -> list[Splice]:
    if edit.where in ("before", "after"):
        at = _get_outer_range(page, element)[edit.where == "after"]
    else:
        if tag_of(element) in _OF_WORDS and (block := _BLOCK.match(edit.value)):
            raise Problem(
                f"<{tag_of(element)}> can contain only text, not {block[1].lower()}; insert it with "
                "where 'after' or 'before'"
            )
        at = _get_inner_range(page, element)[edit.where == "last"]
    return [Splice(at, at, edit.value)]


def _remove_element(page: Page, element: Any, edit: Edit) -> list[Splice]:
    del edit
    start, end = _get_outer_range(page, element)
    text = page.text
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    if not text[line:start].strip() and stop >= 0 and not text[end:stop].strip():
        return [Splice(line, stop + 1, "")]  # it has its lines for itself
    return [Splice(start, end, "")]


def _wrap_element(page: Page, element: Any, edit: Edit) -> list[Splice]:
    start, end = _get_outer_range(page, element)
    match = re.fullmatch(r"\s*(<([a-zA-Z][\w-]*)\b[^>]*>)\s*(?:</\2\s*>)?\s*", edit.value)
    if match is None:
        raise Problem(f"wrap needs one start tag in value, such as '<div class=\"box\">', not {edit.value[:60]!r}")
    return [Splice(start, start, match[1]), Splice(end, end, f"</{match[2]}>")]


def _unwrap_element(page: Page, element: Any, edit: Edit) -> list[Splice]:
    del edit
    (start, end), (first, last) = _get_outer_range(page, element), _get_inner_range(page, element)
    return [Splice(start, first, ""), Splice(last, end, "")]


def attribute_ranges(page: Page, element: Any) -> dict[str, tuple[int, int]]:
    """Where each attribute of an element is written, names in lower case."""
    _get_outer_range(page, element)
    place = page.place(element).start
    assert place is not None  # noqa: S101 - checked above
    start, end = place[0] + 1 + len(tag_of(element)), place[1] - 1
    ranges_by_name: dict[str, tuple[int, int]] = {}
    for match in _ATTRIBUTE.finditer(page.text, start, end):
        ranges_by_name.setdefault(match[1].lower(), match.span())
    return ranges_by_name


def _set_attribute(page: Page, element: Any, edit: Edit) -> list[Splice]:
    if not _NAME.fullmatch(edit.name):
        raise Problem(f"{edit.name!r} is not a valid attribute name; give one in name, such as 'href'")
    return [attribute_splice(page, element, edit.name, edit.value)]


def attribute_splice(page: Page, element: Any, name: str, value: str) -> Splice:
    """An attribute with a new value, in its quotes."""
    ranges = attribute_ranges(page, element)
    old = page.text[slice(*ranges[name.lower()])] if name.lower() in ranges else ""
    quote = "'" if old.rstrip().endswith("'") else '"'
    safe = value.replace("&", "&amp;").replace(quote, "&quot;" if quote == '"' else "&#39;")
    written = f"{old.partition('=')[0].rstrip() or name}={quote}{safe}{quote}"
    if old:
        return Splice(*ranges[name.lower()], written)
    place = page.place(element).start
    assert place is not None  # noqa: S101 - checked in attribute_ranges
    at = place[0] + 1 + len(tag_of(element))
    for start, end in ranges.values():
        at = max(at, end if start >= place[0] else at)
    return Splice(at, at, " " + written)


def _remove_attribute(page: Page, element: Any, edit: Edit) -> list[Splice]:
    ranges = attribute_ranges(page, element)
    if edit.name.lower() not in ranges:
        if edit.match == "all":
            return []
        raise Problem(f"the {tag_of(element)} has no attribute {edit.name!r}; it has {', '.join(ranges) or 'none'}")
    start, end = ranges[edit.name.lower()]
    while page.text[start - 1].isspace():
        start -= 1
    return [Splice(start, end, "")]


def _change_classes(page: Page, element: Any, edit: Edit) -> list[Splice]:
    names = (edit.value or edit.name).split()
    if not names:
        raise Problem("give the class in value")
    old = (element.get("class") or "").split()
    if edit.op == "add_class":
        new = [*old, *(name for name in names if name not in old)]
    else:
        new = [name for name in old if name not in names]
    return [attribute_splice(page, element, "class", " ".join(new))] if new != old else []


def _replace_text(page: Page, element: Any, edit: Edit) -> list[Splice]:
    """`name` becomes `value` wherever it stands in texts, also where the file writes it with character references."""
    if not edit.name:
        raise Problem("give the text to look for in name and the new one in value")
    text_pattern = "".join(map(_build_character_pattern, edit.name))
    new = escape(edit.value, quote=False)
    return [
        Splice(start + match.start(), start + match.end(), new)
        for start, end in _text_ranges(page, element)
        for match in re.finditer(text_pattern, page.text[start:end])
    ]


def _build_character_pattern(character: str) -> str:
    """A pattern of all ways to write a character in a text."""
    code = ord(character)
    escaped_character = r"&(?!#?\w+;)" if character == "&" else re.escape(character)
    named = [f"&{name}" for name in _map_references().get(character, ())]
    return f"(?:{'|'.join([*named, f'&#0*{code};', f'&#[xX]0*(?i:{code:x});', escaped_character])})"


@cache
def _map_references() -> dict[str, list[str]]:
    """Characters and the names that references give them."""
    names_by_character: dict[str, list[str]] = {}
    for name, character in html5.items():
        if name.endswith(";"):
            names_by_character.setdefault(character, []).append(name)
    return names_by_character


def _text_ranges(page: Page, element: Any) -> Iterator[tuple[int, int]]:
    """The ranges of the content of an element between tags, without scripts, styles and comments."""
    start, end = _get_inner_range(page, element)
    taken = sorted(
        range_
        for below in element.iter()
        if below is not element and isinstance(below.tag, str)
        for range_ in _tag_ranges(page, below)
    )
    taken += [
        match.span() for match in re.finditer(r"<!--.*?-->", page.text[:end], re.DOTALL) if match.start() >= start
    ]
    at = start
    for first, last in sorted(taken):
        if first > at:
            yield at, first
        at = max(at, last)
    if at < end:
        yield at, end


def _tag_ranges(page: Page, element: Any) -> Iterator[tuple[int, int]]:
    place = page.place(element)
    if place.start is None or place.outer is None:
        return
    if tag_of(element) in _RAW_TEXT_TAGS:
        yield place.outer
        return
    yield place.start
    if place.closed and place.inner_end is not None:
        yield place.inner_end, place.end


_EDIT_FUNCTIONS: dict[Op, Callable[[Page, Any, Edit], list[Splice]]] = {
    "set_text": _set_text,
    "set_html": _set_html,
    "replace": _replace_element,
    "insert": _insert_content,
    "remove": _remove_element,
    "wrap": _wrap_element,
    "unwrap": _unwrap_element,
    "set_attribute": _set_attribute,
    "remove_attribute": _remove_attribute,
    "add_class": _change_classes,
    "remove_class": _change_classes,
    "replace_text": _replace_text,
}


def _verify_edit(before: Page, after: Page, elements: list[Any], splices: list[Splice], edit: Edit) -> None:
    """Read the new page and make sure that the change is really there.

    Raises:
        Problem: a browser would read it otherwise.
    """
    if edit.op in ("set_text", "set_attribute"):
        starts = {_get_start(after, element): element for element in elements_of(after.root)}
        for element in elements:
            moved_element = starts.get(_move_offset(_get_start(before, element), splices))
            if moved_element is None or not _has_edit(moved_element, edit):
                raise Problem(
                    f"after the change the {tag_of(element)} would not contain it when a browser reads the page"
                )
    if edit.op in ("insert", "set_html", "replace") and re.search(r"<[a-zA-Z]", edit.value):
        gone = sum(len(elements_of(element)) - (edit.op == "set_html") for element in elements if edit.op != "insert")
        expected_count = len(elements_of(after.root)) - len(elements_of(before.root)) + gone
        if expected_count <= 0:
            raise Problem(
                f"a browser ignores {edit.value[:60]!r} here, like a td outside a table row; insert it in a "
                "suitable parent"
            )
    if edit.op == "set_html" or (edit.op == "insert" and edit.where in ("first", "last")):
        _verify_inside(before, after, elements, splices)


def _verify_inside(before: Page, after: Page, elements: list[Any], splices: list[Splice]) -> None:
    """Make sure that new content is in its element: a browser moves a p out of a table, a div out of a p."""
    starts = {_get_start(after, element): element for element in elements_of(after.root)}
    for element, splice in zip(elements, splices, strict=True):
        first = _move_offset(splice.start, splices)
        moved_element = (
            starts.get(_move_offset(_get_start(before, element), splices)) if before.place(element).start else None
        )
        inside = set(moved_element.iter()) if moved_element is not None else set()
        for start, new_element in starts.items():
            if moved_element is not None and first <= start < first + len(splice.new) and new_element not in inside:
                raise Problem(
                    f"a browser moves the {tag_of(new_element)} out of the {tag_of(element)}, which cannot "
                    "contain it; insert it with where 'before' or 'after', or replace the element"
                )


def _get_start(page: Page, element: Any) -> int:
    start = page.place(element).start
    return start[0] if start else -1


def _move_offset(offset: int, splices: list[Splice]) -> int:
    """Where what stood at `offset` is after the splices before it."""
    return offset + sum(len(splice.new) - (splice.end - splice.start) for splice in splices if splice.start < offset)


def _has_edit(element: Any, edit: Edit) -> bool:
    if edit.op == "set_attribute":
        return bool(element.get(edit.name.lower(), element.get(edit.name)) == edit.value.replace("\r\n", "\n"))
    text = (element.text or "") if tag_of(element) in _RAW_TEXT_TAGS else text_of(element)
    return text.split() == edit.value.split()
