"""What a page says: text, Markdown, tables, links, outline, elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from yardkit.servers.html.engine.browser_text import (
    DRAWN,
    drawn_text,
    get_accessible_name,
    raised_markdown,
    raised_text,
)
from yardkit.servers.html.engine.new_pages import base_folder, local_file
from yardkit.servers.html.engine.results import Element, Heading, Link, Table
from yardkit.servers.html.engine.source import Page, elements_of, pictures_of, read_page, tag_of, text_of, words_of

_NO_TEXT = {"script", "style", "template", ""}
_SILENT_TAGS = {
    "script",
    "style",
    "template",
    "head",
    "noscript",
    "object",
    "option",
    "video",
    "audio",
    "rp",
    "",
}
_CONTROL_TAGS = ("button", "textarea")
_BLOCK_TAGS = {
    *("address", "article", "aside", "blockquote", "body", "dd", "details", "dialog", "div", "dl", "dt", "fieldset"),
    *("figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "li"),
    *("center", "hgroup", "legend", "main", "menu", "nav", "ol", "p", "pre", "search", "section", "summary", "table"),
    *("tbody", "thead", "tfoot", "tr", "ul"),
}
_ADDRESS_ATTRIBUTES = {
    "a": "href",
    "area": "href",
    "link": "href",
    "img": "src",
    "script": "src",
    "iframe": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "embed": "src",
    "object": "data",
    "form": "action",
    "track": "src",
    "input": "src",
}
_SOURCE_SET_ATTRIBUTES = {"img": "srcset", "source": "srcset", "link": "imagesrcset", "video": "poster"}
"""Further addresses of elements: pictures of several sizes, and that of a film before it plays."""
_HEADING_TAGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_MAX_SPAN = 200
_BREAK = "\x1e"
"""Stands for the end of a line while text is put together; line ends of the source are only space."""
_PRESERVED_SPACES = {10: _BREAK, 32: "\0", 9: "\1"}
_SPACES = {0: " ", 1: "\t"}
"""What white space of code is while text is put together, and back."""
_NAMED_TAGS = ("a", "button", "textarea")
_AROUND = {"q": ("\u201c", "\u201d"), "rt": ("(", ")")}
"""What a browser writes around words, or shows by their place: how characters are read (ruby)."""
_SPACED_TAGS = ("td", "th", *_CONTROL_TAGS)
_MAX_HTML = 400


def markdown_of(element: Any) -> str:
    """The content as Markdown: headings, lists, tables, links, pictures, emphasis, code."""
    text = _format_block(element)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"[ \t]+\n", "\n", text)).strip() + "\n"


def _format_block(element: Any, href: str = "") -> str:
    """The blocks in an element; `href` is where a link around it leads."""
    parts: list[str] = []
    line = [_clean_text(element.text)]
    for child in element:
        tag = tag_of(child)
        if (tag in _BLOCK_TAGS or _holds_blocks(child)) and not _is_hidden(child):
            parts += [_format_link("".join(line), href), _block_text(child, tag, href)]
            line = [_clean_text(child.tail)]
        else:
            line += [_format_inline(child), _clean_text(child.tail)]
    parts.append(_format_link("".join(line), href))
    return "\n\n".join(part for part in parts if part)


def _holds_blocks(element: Any) -> bool:
    """Whether an element that stands in lines otherwise holds blocks, such as a link around a whole card."""
    return tag_of(element) not in _SILENT_TAGS and any(tag_of(child) in _BLOCK_TAGS for child in element.iter())


def _format_link(text: str, href: str) -> str:
    words = _normalize_spaces(text).strip()
    return f"[{words}]({href})" if words and href else words


def _normalize_spaces(text: str) -> str:
    """Words with one space between them, also where a field stands."""
    return re.sub(" {2,}", " ", text)


def _block_text(element: Any, tag: str, href: str = "") -> str:
    if tag in _SILENT_TAGS:
        return ""
    if tag == "a" and element.get("href"):
        return _link_text(element, element.get("href"))
    if tag in _HEADING_TAGS:
        return f"{'#' * int(tag[1])} {_format_link(_format_inside(element), href)}"
    if tag == "pre":
        return f"```{_code_language(element)}\n{text_of(element).strip(chr(10))}\n```"
    if tag == "hr":
        return "---"
    if tag in ("ul", "ol", "menu"):
        return _format_list(element, tag)
    if tag == "table":
        return _table_text(element)
    if tag == "blockquote":
        return "\n".join(f"> {line}".rstrip() for line in _format_block(element).splitlines())
    return _format_block(element, href)


def _code_language(element: Any) -> str:
    """The language of code as HTML's class says it, ``language-python``; or nothing."""
    classes = " ".join(part.get("class", "") for part in [element, *element.iter("code")]).split()
    return next((name.removeprefix("language-") for name in classes if name.startswith("language-")), "")


def _link_text(element: Any, href: str) -> str:
    """A link around blocks: their lines lead there, or where none can one of its own."""
    text = _format_block(element, href)
    return text if f"]({href})" in text else "\n\n".join([*([text] if text else []), f"[{href}]({href})"])


def _format_list(element: Any, tag: str) -> str:
    """The items; what stands in the list beside them as paragraphs, a list right in it as one of the item before."""
    step = -1 if element.get("reversed") is not None else 1
    number = _parse_number(element.get("start"), 1 if step > 0 else sum(tag_of(child) == "li" for child in element))
    mark, parts, bare = "", list[tuple[bool, str]](), [_clean_text(element.text)]
    for child in element:
        kind = tag_of(child)
        if kind not in _BLOCK_TAGS or _is_hidden(child):
            bare += [_format_inline(child), _clean_text(child.tail)]
            continue
        parts.append((False, "".join(bare).strip()))
        bare = [_clean_text(child.tail)]
        if kind == "li":
            number = _parse_number(child.get("value"), number)
            mark, number = f"{number}. " if tag == "ol" else "- ", number + step
            inner = re.sub(r"\n\n(?=\s*(?:- |\d+\. ))", "\n", _format_block(child))
            parts.append((True, mark + _indent_text(inner, mark)))
        elif kind in ("ul", "ol") and mark:
            parts.append((True, " " * len(mark) + _indent_text(_block_text(child, kind), mark)))
        else:
            parts.append((False, _block_text(child, kind)))
    parts.append((False, "".join(bare).strip()))
    return _join_items([part for part in parts if part[1].strip()])


def _parse_number(stated: str | None, otherwise: int) -> int:
    return int(stated) if stated and re.fullmatch(r"\s*[+-]?[0-9]{1,9}\s*", stated) else otherwise


def _indent_text(text: str, mark: str) -> str:
    return text.replace("\n", "\n" + " " * len(mark))


def _join_items(parts: list[tuple[bool, str]]) -> str:
    """Items one below the other, paragraphs apart."""
    text, item_before = "", True
    for is_item, words in parts:
        text += ("" if not text else "\n" if is_item and item_before else "\n\n") + words
        item_before = is_item
    return text


def _table_text(element: Any) -> str:
    rows = [
        [cell.replace("|", "\\|").replace("\n", "<br>") for cell in row] for row in _build_grid(element, markdown=True)
    ]
    if not rows:
        return ""
    head, *body = rows
    lines = [head, ["---"] * len(head), *body]
    caption = element.find("caption")
    words = [_format_inside(caption).strip() + "\n"] if caption is not None and not _is_hidden(caption) else []
    return "\n".join([*words, *(f"| {' | '.join(row)} |" for row in lines)])


def _format_inside(element: Any) -> str:
    return _clean_text(element.text) + "".join(_format_inline(child) + _clean_text(child.tail) for child in element)


def _format_inline(element: Any) -> str:
    tag = tag_of(element)
    if _is_hidden(element) or tag in _SILENT_TAGS:
        return ""
    if tag in DRAWN:
        return f" {drawn_text(element)} "
    if tag == "br":
        return "\n"
    if tag == "img":
        return _format_picture(element)
    inner = _format_inside(element)
    if tag in _NAMED_TAGS and not inner.strip():
        inner = get_accessible_name(element)
    marks = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`", "del": "~~", "s": "~~"}
    if tag in marks and inner.strip():
        return f"{marks[tag]}{inner.strip()}{marks[tag]}"
    if tag == "a" and element.get("href"):
        return f"[{inner.strip()}]({element.get('href')})"
    if tag in ("sup", "sub"):
        return raised_markdown(element, inner)
    if tag in _AROUND:
        return f"{_AROUND[tag][0]}{inner}{_AROUND[tag][1]}"
    return f" {inner.strip()} " if tag in _CONTROL_TAGS else inner


def _is_hidden(element: Any) -> bool:
    return element.get("hidden") is not None


def _format_picture(element: Any) -> str:
    """A picture; a formula as it is written; of one that the page holds itself only its kind."""
    alt, kinds = element.get("alt", ""), element.get("class", "").split()
    if "formula" in kinds and alt:
        return f"$${alt}$$" if "display" in kinds else f"${alt}$"
    return f"![{alt}]({shorten_address(element.get('src', ''))})"


def shorten_address(address: str) -> str:
    """An address; of one that holds data itself the kind of data, and how long it is."""
    kind = re.match(r"\s*(data:[^,;]*)[;,]", address)
    return f"{kind[1]},… {len(address):,} characters" if kind else address


def _clean_text(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def extract_text(element: Any, *, include_all: bool = True) -> str:
    """The text with a line for each block, cells of a row on one line, without what is never shown.

    `whole`: also what describes pictures, and choices of fields that are not taken.
    """
    parts: list[str] = []
    _collect_texts(element, parts, _SILENT_TAGS, visible_only=True, include_all=include_all)
    return _format_lines(parts) + "\n"


def _cell_markdown(cell: Any) -> str:
    """A cell as Markdown; of one that holds blocks the text of what is shown."""
    if _holds_blocks(cell):
        return _cell_text(cell, visible_only=True)
    return "\n".join(_normalize_spaces(line).strip() for line in _format_inside(cell).split("\n")).strip()


def _cell_text(cell: Any, *, visible_only: bool) -> str:
    """The text of a cell with a line for each block and each row of a table in it; of choices the one that is taken."""
    parts: list[str] = []
    _collect_texts(cell, parts, _NO_TEXT, visible_only=visible_only, include_all=visible_only)
    return _format_lines(parts)


def _format_lines(parts: list[str]) -> str:
    lines = (" ".join(line.split()) for line in "".join(parts).split(_BREAK))
    return "\n".join(line.translate(_SPACES).rstrip() for line in lines if line)


def _collect_texts(
    element: Any, parts: list[str], silent: Set[str], *, visible_only: bool, include_all: bool = True
) -> None:
    tag = tag_of(element)
    if tag in silent or (visible_only and _is_hidden(element)):
        return
    if tag in DRAWN or tag == "img":
        alt = element.get("alt", "") if include_all or not visible_only else ""
        parts.append(f" {drawn_text(element, include_all=include_all) if tag in DRAWN else alt} ")
        return
    if tag == "pre":
        parts += [_BREAK, text_of(element).strip("\n").translate(_PRESERVED_SPACES), _BREAK]
        return
    if raised := raised_text(element):
        parts.append(raised)
        return
    if include_all and tag in _NAMED_TAGS and not text_of(element).strip():
        parts.append(f" {get_accessible_name(element)} ")
    ends = _BREAK if tag in _BLOCK_TAGS or tag in ("br", "caption") else " " if tag in _SPACED_TAGS else ""
    before, after = _AROUND.get(tag, (ends if tag in _CONTROL_TAGS else ends.strip(" "), ends))
    parts += [before, element.text or ""]
    for child in element:
        _collect_texts(child, parts, silent, visible_only=visible_only, include_all=include_all)
        parts.append(child.tail or "")
    parts.append(after)


def tables_of(page: Page, selector: str) -> list[Table]:
    """The tables among the elements that a selector matches, and in them."""
    table_nodes = [table for element in page.select(selector) for table in element.iter("table")]
    tables = []
    for index, table in enumerate(dict.fromkeys(table_nodes)):
        caption, rows = table.find("caption"), list(_iter_rows(table))
        heads = 0
        for row in rows:
            if not row or any(tag_of(cell) != "th" for cell in row):
                break
            heads += 1
        words = words_of(caption, 200) if caption is not None else ""
        tables.append(Table(index, _build_grid(table), words, heads, page.line_of(table)))
    return tables


def _iter_rows(table: Any, *, visible_only: bool = False) -> Iterator[list[Any]]:
    """The cells of each row; `shown`: of those alone that are not hidden."""
    for part in _list_children(table, ("tr", "thead", "tbody", "tfoot"), visible_only=visible_only):
        for row in [part] if tag_of(part) == "tr" else _list_children(part, ("tr",), visible_only=visible_only):
            yield _list_children(row, ("td", "th"), visible_only=visible_only)


def _list_children(element: Any, tags: tuple[str, ...], *, visible_only: bool) -> list[Any]:
    return [child for child in element if tag_of(child) in tags and not (visible_only and _is_hidden(child))]


def _build_grid(table: Any, *, markdown: bool = False) -> list[list[str]]:
    """The texts of a table, spanning cells repeated; as Markdown without what is hidden."""
    cells: dict[tuple[int, int], str] = {}
    height = 0
    for number, row in enumerate(_iter_rows(table, visible_only=markdown)):
        height, column = number + 1, 0
        for cell in row:
            while (number, column) in cells:
                column += 1
            text = _cell_markdown(cell) if markdown else _cell_text(cell, visible_only=False)
            for down in range(_parse_span(cell, "rowspan")):
                for right in range(_parse_span(cell, "colspan")):
                    cells[number + down, column + right] = text
    width = 1 + max((column for _, column in cells), default=-1)
    return [[cells.get((row, column), "") for column in range(width)] for row in range(height)]


def _parse_span(cell: Any, name: str) -> int:
    value = cell.get(name, "1").strip()
    return max(1, min(_MAX_SPAN, int(value))) if value.isdecimal() else 1


def headings_of(page: Page) -> list[Heading]:
    heading_elements = (element for element in elements_of(page.root) if tag_of(element) in _HEADING_TAGS)
    return [Heading(int(tag_of(e)[1]), words_of(e, 120), page.line_of(e), e.get("id", "")) for e in heading_elements]


def links_of(page: Page, path: Path, root: Path) -> list[Link]:
    """All addresses on a page, each checked as far as that is possible without network."""
    page_links = []
    for element in elements_of(page.root):
        for address in dict.fromkeys(_iter_addresses(element)):
            status = link_status(address, page, path, root)
            page_links.append(
                Link(tag_of(element), shorten_address(address)[:300], status, words_of(element), page.line_of(element))
            )
    return page_links


def _iter_addresses(element: Any) -> Iterator[str]:
    kind = tag_of(element)
    address, pictures = (
        element.get(_ADDRESS_ATTRIBUTES.get(kind, "")),
        element.get(_SOURCE_SET_ATTRIBUTES.get(kind, "")),
    )
    if address is not None:
        yield address
    if pictures and kind == "video":
        yield pictures
    elif pictures:
        yield from (name for name, _ in pictures_of(pictures))


def link_status(address: str, page: Page, path: Path, root: Path) -> str:
    """Whether an address leads to something in the workspace."""
    try:
        url = urlsplit(address.strip())
    except ValueError:
        return "no valid address"
    if url.scheme in ("data", "mailto", "tel", "javascript", "blob"):
        return "ok"
    if url.scheme or url.netloc:
        return "external"
    target = page
    if url.path:
        file = local_file(address, base_folder(page, path, root), root)
        if file is None:
            return "outside workspace"
        if file.is_dir():
            file = file / "index.html"
        if not file.is_file():
            return "missing file"
        if not url.fragment or file.suffix.lower() not in (".html", ".htm", ".xhtml"):
            return "ok"
        target = read_page(file)
    return "ok" if _has_anchor(target, unquote(url.fragment)) else "missing anchor"


def _has_anchor(page: Page, name: str) -> bool:
    if name in ("", "top"):
        return True
    return any(
        element.get("id") == name or (tag_of(element) == "a" and element.get("name") == name)
        for element in elements_of(page.root)
    )


def element_of(page: Page, element: Any, *, html: bool) -> Element:
    """An element for a result."""
    outer = page.place(element).outer
    source = page.text[slice(*outer)] if outer and html else ""
    cut = source if len(source) <= _MAX_HTML else source[: _MAX_HTML - 3] + "..."
    attributes = {str(name): shorten_address(value)[:300] for name, value in element.attrib.items()}
    return Element(
        tag_of(element), page.line_of(element), attributes, words_of(element, 160), cut, path_of(page, element)
    )


def path_of(page: Page, element: Any) -> str:
    """A CSS selector that matches only this element."""
    parents = {child: parent for parent in page.root.iter() for child in parent}
    steps: list[str] = []
    while element is not None:
        tag, identity = tag_of(element), element.get("id", "")
        if identity and re.fullmatch(r"[A-Za-z][\w-]*", identity) and len(page.select(f"#{identity}")) == 1:
            steps.append(f"#{identity}")
            break
        parent = parents.get(element)
        twins = [child for child in parent if tag_of(child) == tag] if parent is not None else [element]
        steps.append(tag if len(twins) == 1 else f"{tag}:nth-of-type({twins.index(element) + 1})")
        element = parent
    return " > ".join(reversed(steps))
