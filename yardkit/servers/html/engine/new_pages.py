"""New pages: from Markdown, from HTML, from a template with values; tables as HTML."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from yardkit.kit.csv_rows import parse_csv_rows
from yardkit.kit.markdown import html_page
from yardkit.servers.html.engine.source import Page
from yardkit.world import Problem
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes

_TAG = re.compile(r"\{\{\s*([#/^&]?)\s*([\w.-]+)\s*\}\}")


def new_page(body: str, *, title: str, language: str, style: str | None) -> str:
    """A whole page around HTML; `style` is CSS, None stands for the plain printable look."""
    text = body if body.endswith("\n") else body + "\n"
    if re.match(r"\s*(<!doctype|<html)", body, re.IGNORECASE):
        raise Problem(
            "the HTML is already a complete page; give only the content of its body, or write the file directly"
        )
    return html_page.wrap_page(text, title=title, language=language, style=html_page.STYLE if style is None else style)


def from_markdown(text: str, *, title: str, language: str, style: str | None) -> tuple[str, list[str]]:
    """A page from Markdown, without `title` its first heading is the title; and what could not be set."""
    body, notes = html_page.body_of(text)
    page_title = title or html_page.markdown_title(text, "Untitled")
    return new_page(body, title=page_title, language=language, style=style), notes


def fill_template(template: str, values: dict[str, Any]) -> tuple[str, list[str]]:
    """A template with its values, and the names of values that were not used.

    ``{{name}}`` is a value as text, ``{{&name}}`` as HTML, ``{{#rows}} ... {{/rows}}`` is repeated for each item of a
    list (whose fields are values inside) or shown where the value is true, ``{{^name}} ... {{/name}}`` where it is not.

    Raises:
        Problem: a name of the template has no value, or a section is not closed.
    """
    used: set[str] = set()
    filled_text, rest = _fill_text(template, 0, "", [values], used)
    if rest != len(template):
        raise Problem(f"the template closes a section that is not open near {template[max(0, rest - 40) : rest]!r}")
    return filled_text, [name for name in values if name not in used]


def _fill_text(text: str, at: int, section: str, scopes: list[dict[str, Any]], used: set[str]) -> tuple[str, int]:
    parts = []
    while match := _TAG.search(text, at):
        parts.append(text[at : match.start()])
        kind, name, at = match[1], match[2], match.end()
        if kind == "/":
            if name != section:
                raise Problem(f"the template closes {name!r} where {section or 'nothing'!r} is open")
            return "".join(parts), at
        value = _lookup_value(name, scopes, used, optional=kind in "#^" and bool(kind))
        if kind in ("#", "^"):
            section_text, at = _fill_section(text, at, name, value, scopes, used, inverted=kind == "^")
            parts.append(section_text)
        else:
            parts.append(str(value) if kind == "&" else escape(_format_value(value)))
    if section:
        raise Problem(f"the section {section!r} of the template is not closed; add '{{{{/{section}}}}}'")
    return "".join([*parts, text[at:]]), len(text)


def _fill_section(
    text: str, at: int, name: str, value: Any, scopes: list[dict[str, Any]], used: set[str], *, inverted: bool
) -> tuple[str, int]:
    items = value if isinstance(value, list) else [value] if value else []
    if inverted:
        item_text, end = _fill_text(text, at, name, scopes, used if not items else set())
        return ("" if items else item_text), end
    if not items:
        return "", _end_of(text, at, name)
    parts, end = [], at
    for item in items:
        inner = item if isinstance(item, dict) else {"item": item}
        item_text, end = _fill_text(text, at, name, [*scopes, inner], used)
        parts.append(item_text)
    return "".join(parts), end


def _end_of(text: str, at: int, name: str) -> int:
    depth = 1
    for match in _TAG.finditer(text, at):
        if match[2] == name:
            depth += {"#": 1, "^": 1, "/": -1}.get(match[1], 0)
            if depth == 0:
                return match.end()
    raise Problem(f"the section {name!r} of the template is not closed; add '{{{{/{name}}}}}'")


def _lookup_value(name: str, scopes: list[dict[str, Any]], used: set[str], *, optional: bool) -> Any:
    for scope in reversed(scopes):
        value: Any = scope
        for part in [name] if name in scope else name.split("."):
            value = value.get(part, scopes) if isinstance(value, dict) else scopes
        if value is not scopes:
            used.add(name if name in scope else name.partition(".")[0])
            return value
    if optional:
        return None
    known = ", ".join(dict.fromkeys(key for scope in scopes for key in scope)) or "none"
    raise Problem(f"the template asks for {name!r}, which has no value; given: {known}")


def _format_value(value: Any) -> str:
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, bool | list | dict) else str(value)


def table_html(rows: Sequence[Sequence[Any]], *, header: bool, caption: str = "") -> str:
    """A table as HTML: columns of numbers are aligned to the right, and each header as what stands below it.

    Raises:
        Problem: no rows, or rows of different length.
    """
    if not rows or not rows[0]:
        raise Problem("the table has no cells; give rows or a CSV file")
    widths = {len(row) for row in rows}
    if len(widths) > 1:
        raise Problem(f"the rows have different lengths ({', '.join(map(str, sorted(widths)))}); pad them with ''")
    body = rows[1:] if header else rows
    columns = [[row[at] for row in body if _format_value(row[at]).strip()] for at in range(len(rows[0]))]
    right = [bool(column) and all(map(_is_number, column)) for column in columns]
    lines = ["<table>"]
    lines += [f"  <caption>{escape(caption)}</caption>"] if caption else []
    lines += ["  <thead>", _build_row(rows[0], "th", right), "  </thead>"] if header else []
    lines += ["  <tbody>", *(_build_row(row, "td", right) for row in body), "  </tbody>", "</table>"]
    return "\n".join(lines) + "\n"


def _build_row(cells: Sequence[Any], tag: str, right: list[bool]) -> str:
    # Browsers centre a header, which would stand beside the words of its column
    scope, left = (' scope="col"', ' style="text-align: left"') if tag == "th" else ("", "")
    styles = [' style="text-align: right"' if aligned else left for aligned in right]
    cell_tags = (
        f"<{tag}{scope}{style}>{escape(_format_value(cell), quote=False)}</{tag}>"
        for cell, style in zip(cells, styles, strict=True)
    )
    return f"    <tr>{''.join(cell_tags)}</tr>"


def _is_number(value: Any) -> bool:
    return re.fullmatch(r"[-+\u2212]?[\d.,\s]*\d\s*%?", str(value).strip()) is not None


def csv_rows(path: Path) -> list[list[str]]:
    """The rows of a CSV file; the delimiter and the encoding are found.

    Raises:
        Problem: too large, or not CSV.
    """
    check_bytes(path, 5_000_000)
    text = decode_file(path.read_bytes(), path.name).text
    first = text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    return [row for row in parse_csv_rows(text, path.name, delimiter=delimiter) if row]


def base_folder(page: Page, path: Path, root: Path) -> Path:
    """The folder from which a page's addresses count: its own, or what <base> says."""
    stated = next((base_element.get("href") for base_element in page.select("base[href]")), "")
    base = local_file(stated, path.parent, root) if stated else None
    if base is None:
        return path.parent
    return base if stated.endswith("/") or base.is_dir() else base.parent


def local_file(address: str, folder: Path, root: Path) -> Path | None:
    """The file of the workspace that an address on a page names; None for others and for what leads out of it."""
    try:
        url = urlsplit(address.strip())
    except ValueError:  # such as //[x
        return None
    if url.scheme or url.netloc or not url.path:
        return None
    base = root if url.path.startswith("/") else folder
    try:
        file_path = (base / unquote(url.path).lstrip("/")).resolve()
    except (OSError, ValueError):
        return None
    return file_path if file_path.is_relative_to(root.resolve()) else None
