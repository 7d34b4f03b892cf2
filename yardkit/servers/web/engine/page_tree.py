"""A web page as a tree, and the tree as Markdown that says what a reader of the page sees."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from yardkit.kit.hidden_styles import is_hidden, list_hiding_selectors
from yardkit.world import Problem

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_PROGRAMS = ("script", "style", "noscript", "template")
_LATE = ("data-src", "data-lazy-src", "data-original", "data-lazy", "data-original-src")
_LATE_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
"""Where the address of a picture is that a program loads when it is scrolled to."""
_CONTROLS = ("button", "datalist", "iframe", "input", "select", "svg", "textarea")
_LINES = re.compile(r"\n{3,}")
_UNSEEN_SIGNS = re.compile("[\u00ad\u200b\ufeff]")
"""Places where a word may be broken: they part words for who searches."""
_MAX_SPAN, _MAX_ADDED_CELLS = 1_000, 20_000
_HIGH = dict(zip("0123456789+-=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ", strict=True)) | {"\u2212": "⁻"}
_LOW = dict(zip("0123456789+-=()", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎", strict=True)) | {"\u2212": "₋"}
_ORDINALS = ("st", "nd", "rd", "th", "e", "er", "re", "o", "a", "º", "ª", "TM", "SM", "®", "™")


def parse_tree(source: str, url: str) -> BeautifulSoup:
    """The tree of a page, without its programs.

    Raises:
        Problem: it is nested too deep.
    """
    from bs4 import BeautifulSoup

    try:
        tree = BeautifulSoup(source, "lxml")
    except RecursionError as error:
        raise make_depth_problem(url) from error
    return tree


def make_depth_problem(url: str) -> Problem:
    """What is said of a page that cannot be walked through."""
    return Problem(f"the page {url} is nested too deeply to be read")


def drop_programs(tree: BeautifulSoup) -> None:
    """Leave out what is for programs, but for the pictures that one would load, and words that stand there alone."""
    for image in tree("img"):
        if address := _find_late_address(image):
            image["src"] = address
    if tree.body is not None:
        _show_fallbacks(tree.body)
    for element in tree(_PROGRAMS):
        element.decompose()


def _find_late_address(image: Tag) -> str:
    """The address of a picture that stands elsewhere than in its `src`; empty where `src` is right."""
    for name in _LATE:
        address = str(image.get(name, "")).strip()
        if address and not address.startswith(("data:", "{")):
            return address
    address = str(image.get("src", "")).strip()
    if address and not address.startswith("data:"):
        return ""
    picture = image.find_parent("picture")
    sources = picture.find_all("source") if picture is not None else []
    sets = [str(element.get(name, "")) for element in (image, *sources) for name in _LATE_SETS]
    return next(filter(None, map(_choose_largest, sets)), "")


def _choose_largest(address_set: str) -> str:
    """The largest picture of a `srcset`."""
    candidates = [candidate.split() for candidate in re.split(r",\s+", address_set.strip().rstrip(",")) if candidate]
    sized = [
        (float(size[0][:-1]) if size and re.fullmatch(r"\d+(\.\d+)?[wx]", size[0]) else 1.0, address)
        for address, *size in candidates
        if not address.startswith("data:")
    ]
    return max(sized, default=(0.0, ""), key=lambda candidate: candidate[0])[1]


def _show_fallbacks(body: Tag) -> None:
    """Show pictures for readers without programs that the page does not have otherwise; words only if it has none."""
    fallbacks = body("noscript")
    has_words = any(
        text.strip() and text.find_parent(_PROGRAMS) is None for text in body.find_all(string=True, recursive=True)
    )
    known = {image.get("src") for image in body("img") if image.find_parent("noscript") is None}
    for fallback in fallbacks:
        pictures = [image for image in fallback("img") if _is_seen(image) and image.get("src") not in known]
        before = fallback.find_previous_sibling()
        if pictures and before is not None and before.name == "img" and not before.get("src"):
            before.decompose()
        for image in pictures:
            fallback.insert_before(image.extract())
        if not has_words:
            fallback.insert_before(f"{fallback.get_text(' ', strip=True)}\n")


def _is_seen(image: Tag) -> bool:
    """Whether a picture is more than a dot that counts readers."""
    return not any(str(image.get(side, "")).strip().removesuffix("px") in ("0", "1") for side in ("width", "height"))


def drop_controls(tree: BeautifulSoup) -> None:
    """Leave out fields and buttons; a box that can be checked stays as a sign. What forms say besides is text.

    A page within the page becomes a link to it.
    """
    for element in tree(_CONTROLS):
        address = str(element.get("src") or element.get("data-src") or "") if element.name == "iframe" else ""
        if address and not address.startswith(("about:", "javascript:", "data:")) and _is_seen(element):
            element.name, element.attrs = "a", {"href": address, "title": str(element.get("title", ""))}
            element.string = f"embedded page{': ' if element['title'] else ''}{element.attrs.pop('title')}"
            continue
        kind = str(element.get("type", "")).lower() if element.name == "input" else ""
        if kind in ("checkbox", "radio"):
            gap = "" if str(element.next_sibling or " ")[0].isspace() else " "
            element.replace_with(f" [{'x' if element.has_attr('checked') else ' '}]{gap}")
        else:
            element.decompose()


def drop_hidden(tree: BeautifulSoup, sheets: Sequence[str] = ()) -> int:
    """Leave out what the page is_hidden by its own styles and by `sheets`; how many characters those are."""
    hidden = [
        *tree.select("[hidden], dialog:not([open])"),
        *(element for element in tree.select("[style]") if is_hidden(str(element["style"]))),
        *_find_hidden_by_rules(tree, sheets),
    ]
    count = 0
    for element in hidden:
        if element.name not in ("html", "body", None) and not element.decomposed:
            count += len(" ".join(element.get_text(" ").split()))
            element.decompose()
    return count


def _find_hidden_by_rules(tree: BeautifulSoup, sheets: Sequence[str]) -> list[Tag]:
    """What rules of the page's sheets hide."""
    from soupsieve import SelectorSyntaxError

    elements: list[Tag] = []
    for selector in list_hiding_selectors(*sheets, *(sheet.get_text() for sheet in tree.find_all("style"))):
        try:
            elements += tree.select(selector)
        except (SelectorSyntaxError, NotImplementedError):  # only browsers know it, such as ::before
            continue
    return elements


def resolve_links(tree: BeautifulSoup, url: str) -> None:
    """Make the addresses of links and pictures whole, from the page's own or the one that it names as its base."""
    base = tree.find("base", href=True)
    start = _join_address(url, str(base["href"])) if base else url
    for name, key in (("a", "href"), ("img", "src"), ("area", "href")):
        for element in tree.find_all(name, attrs={key: True}):
            address = str(element[key]).strip()
            if address and not address.startswith("#") and not address.startswith("data:"):
                element[key] = _join_address(start, address)


def find_next_address(tree: BeautifulSoup, url: str) -> str:
    """Where a page sends its readers on to by ``<meta http-equiv="refresh">``; empty where it does not."""
    meta = tree.find("meta", attrs={"http-equiv": re.compile("^refresh$", re.IGNORECASE)})
    match = re.search(r"url\s*=\s*[\"']?([^\"']+)", str(meta.get("content", "")), re.IGNORECASE) if meta else None
    return _join_address(url, match[1].strip()) if match else ""


def _join_address(base: str, address: str) -> str:
    try:
        return urljoin(base, address).replace(" ", "%20")  # Markdown ends an address at a blank
    except ValueError:  # such as http://[x
        return address


def to_markdown(tree: BeautifulSoup, url: str) -> str:
    """The page as Markdown.

    Raises:
        Problem: it is nested too deep.
    """
    try:
        _fill_spans(tree)
        _mark_scripts(tree)
        text = str(_make_converter().convert_soup(tree.body or tree))
    except RecursionError as error:
        raise make_depth_problem(url) from error
    return _LINES.sub("\n\n", _UNSEEN_SIGNS.sub("", text)).strip()


def _make_converter() -> Any:
    from markdownify import MarkdownConverter

    class PageConverter(MarkdownConverter):
        def convert_td(self, el: Any, text: str, parent_tags: Any) -> str:
            return str(super().convert_td(el, text.replace("|", "\\|"), parent_tags))  # type: ignore[misc]

        def convert_th(self, el: Any, text: str, parent_tags: Any) -> str:
            return str(super().convert_th(el, text.replace("|", "\\|"), parent_tags))  # type: ignore[misc]

    return PageConverter(heading_style="ATX", bullets="-")


def _mark_scripts(tree: BeautifulSoup) -> None:
    """Let powers, indexes, fractions and readings not run into what stands before them."""
    for element in tree.find_all(["sup", "sub"]):
        element.replace_with(_write_script(element))
    for element in tree.find_all(["msup", "msub", "mfrac"]):
        parts = element.find_all(recursive=False)
        if len(parts) == 2:
            between = {"msup": "^(", "msub": "_(", "mfrac": "/("}[element.name]
            parts[1].insert_before(between)
            parts[1].insert_after(")")
            if element.name == "mfrac":
                parts[0].insert_before("(")
                parts[0].insert_after(")")
    for element in tree.find_all("rt"):
        if element.parent is not None and element.parent.find("rp") is None:
            element.insert_before("(")
            element.insert_after(")")


def _write_script(element: Tag) -> Any:
    """A raised or lowered text in signs that say so; links and words in brackets stay as they are."""
    text = element.get_text().strip()
    signs, mark = (_HIGH, "^") if element.name == "sup" else (_LOW, "_")
    if not text or element.find("a") or text[0] in "[(" or (mark == "^" and text in _ORDINALS):
        element.name = "span"
        return copy.copy(element)
    if all(sign in signs for sign in text):
        return "".join(signs[sign] for sign in text)
    return f"{mark}{text}" if len(text) == 1 else f"{mark}({text})"


def _fill_spans(tree: BeautifulSoup) -> None:
    """Repeat cells that reach over several rows in each of them, so that the others keep their columns."""
    added = 0
    for table in tree.find_all("table"):
        open_cells: dict[int, tuple[int, Tag]] = {}
        for row in [row for row in table.find_all("tr") if row.find_parent("table") is table]:
            added += _fill_row(row, open_cells)
            if added > _MAX_ADDED_CELLS:
                return


def _fill_row(row: Tag, open_cells: dict[int, tuple[int, Tag]]) -> int:
    """Put the cells of rows above into a row; how many. open_cells: by column, for how many more rows, and the cell."""
    column, added = 0, 0
    cells = row.find_all(["td", "th"], recursive=False)
    for cell in [*cells, None]:
        while column in open_cells and (cell is not None or any(place >= column for place in open_cells)):
            left, above = open_cells.pop(column)
            repeated = copy.copy(above)
            repeated.attrs.pop("rowspan", None)
            width = _read_span(above, "colspan")
            row.append(repeated) if cell is None else cell.insert_before(repeated)
            if left > 1:
                open_cells[-column - 1] = (left - 1, above)  # for the next row
            column += width
            added += 1
        if cell is not None:
            rows = _read_span(cell, "rowspan")
            if rows > 1:
                open_cells[-column - 1] = (rows - 1, cell)
            column += _read_span(cell, "colspan")
    for place in [place for place in open_cells if place < 0]:
        open_cells[-place - 1] = open_cells.pop(place)
    return added


def _read_span(cell: Tag, name: str) -> int:
    words = str(cell.get(name, "1")).strip()
    return min(max(int(words), 1), _MAX_SPAN) if words.isdecimal() else 1
