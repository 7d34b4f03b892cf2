"""Markdown (CommonMark, tables, strikethrough, footnotes, $formulas$) to HTML, and a document's tree to Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from yardkit.kit.markdown.dollar_signs import formula_at
from yardkit.kit.markdown.front_matter import without_front_matter
from yardkit.kit.markdown.heading_anchors import add_anchors, new_slug
from yardkit.kit.markdown.task_lists import BOXES, add_tasks

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_NOTE_TEXT = re.compile(r"^\[\^([^\]\s]+)\]:\s?(.*)$")
_NOTE_MARK = re.compile(r"\[\^([^\]\s]+)\]")
_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_ESCAPED = re.compile(r"[\\`*\[\]<$]|(?<!\w)_")
_BLOCK_TAGS = ("p", "pre", "ul", "ol", "div", "table", "blockquote")
_DEFAULT_LABEL = re.compile(r"\(?(?:\d+|[^\W\d_]|[ivxlc]+|[IVXLC]+)[.)]?")
"""Labels that the number of an item of Markdown stands for."""
_LINE_START = re.compile(r"^(\s*)([#>+-]|\d+[.)])(?=\s|$)", re.MULTILINE)


def to_html(text: str) -> tuple[str, dict[str, str]]:
    """HTML of a Markdown text, and its footnotes (name -> HTML). What stands before the text, as YAML, is left out.

    Formulas are ``span.math``, marks of footnotes ``sup.footnote`` with data-id.
    """
    parser = _make_parser()
    body, footnotes = _without_notes(without_front_matter(text))
    return parser.render(body), {name: parser.renderInline(note) for name, note in footnotes.items()}


def _make_parser() -> Any:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "math", _math_rule)
    parser.inline.ruler.before("link", "footnote", _footnote_rule)
    add_tasks(parser)
    add_anchors(parser)
    parser.add_render_rule("math", _render_math)
    parser.add_render_rule("footnote", _render_footnote)
    return parser


def _without_notes(text: str) -> tuple[str, dict[str, str]]:
    """The text without the lines that hold footnotes, and those; lines in code fences stay."""
    remaining_lines: list[str] = []
    footnotes: dict[str, str] = {}
    fence = ""
    current: str | None = None
    for line in text.splitlines():
        mark = _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark.group(1)
        match = None if fence else _NOTE_TEXT.match(line)
        if match:
            current = match.group(1)
            footnotes[current] = match.group(2)
        elif current is not None and line.startswith(("    ", "\t")) and line.strip():
            footnotes[current] += "\n" + line.strip()
        else:
            current = None if line.strip() else current
            remaining_lines.append(line)
    return "\n".join(remaining_lines), footnotes


def _math_rule(state: Any, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    display = _DISPLAY.match(state.src, state.pos, state.posMax)
    match = display or formula_at(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("math", "span", 0)
        token.content, token.info = match.group(1).strip(), "display" if display else "inline"
    state.pos = match.end()
    return True


def _footnote_rule(state: Any, silent: bool) -> bool:
    match = _NOTE_MARK.match(state.src, state.pos)
    if not match:
        return False
    if not silent:
        state.push("footnote", "sup", 0).content = match.group(1)
    state.pos = match.end()
    return True


def _render_math(_self: Any, tokens: Any, at: int, _options: Any, _env: Any) -> str:
    from html import escape

    return f'<span class="math {tokens[at].info}">{escape(tokens[at].content)}</span>'


def _render_footnote(_self: Any, tokens: Any, at: int, _options: Any, _env: Any) -> str:
    from html import escape

    return f'<sup class="footnote" data-id="{escape(tokens[at].content)}"></sup>'


def from_tree(article: Any) -> str:
    """Markdown of the tree that `html_writer.to_tree` makes."""
    _lead_to_headings(article)
    return "\n\n".join(block for block in _write_blocks(article) if block) + "\n"


def _lead_to_headings(article: Any) -> None:
    """Let links to headings name them as readers of Markdown do, by their words."""
    taken: set[str] = set()
    names: dict[str, str] = {}
    for heading in article.iter("h1", "h2", "h3", "h4", "h5", "h6"):
        slug = new_slug("".join(heading.itertext()), taken)
        for mark in [span for span in heading.iter("span") if span.get("id") and slug]:
            names[mark.attrib.pop("id")] = slug
    for link in article.iter("a"):
        name = link.get("href", "")[1:]
        if name in names:
            link.set("href", f"#{names[name]}")


def _write_blocks(parent: Any) -> list[str]:
    return [_write_block(child) for child in parent]


def _write_block(node: Any) -> str:
    tag = node.tag
    if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
        return f"{'#' * int(tag[1])} {_write_inline(node)}"
    if tag in ("ul", "ol"):
        return "\n".join(_write_items(node, ")" if _follows_list(node) else "."))
    if tag == "table":
        return _write_table(node)
    if tag == "pre":
        return _write_code(node)
    if tag == "div":
        return "\n\n".join(block for block in _write_blocks(node) if block)
    if tag == "blockquote":
        return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(_write_blocks(node)).split("\n"))
    if tag == "hr":
        return "---"
    if tag == "section":
        return "\n".join(f"[^{item.get('value')}]: {_write_footnote(item)}" for item in node.iter("li"))
    return _LINE_START.sub(r"\1\\\2", _write_inline(node)) if tag == "p" else _write_inline(node)


def _write_footnote(item: Any) -> str:
    return _escape_text(item.text or "").replace("\n", "\n    ")


def _follows_list(node: Any) -> bool:
    """Whether a list stands right behind another with numbers, which only another sign parts it from."""
    before, between = node.getprevious(), 0
    while before is not None and before.tag == node.tag == "ol":
        before, between = before.getprevious(), between + 1
    return between % 2 == 1


def _write_items(node: Any, sign: str = ".") -> list[str]:
    lines = []
    first = node.get("start", "1")
    for number, item in enumerate(node, start=int(first) if first.isdigit() else 1):
        label = item.get("data-label", "")
        worded = f"{_escape_text(label)} " if label and not _DEFAULT_LABEL.fullmatch(label) else ""
        mark = f"{number}{sign} " if node.tag == "ol" and not worded else "- "
        lines.append(mark + worded + _mark_task(_write_inline(item, skip=_BLOCK_TAGS)))
        for inner in item.iterchildren(*_BLOCK_TAGS):
            lines += [f"{' ' * len(mark)}{line}" if line else "" for line in _inside_item(inner)]
    return lines


def _inside_item(node: Any) -> list[str]:
    """The lines of a block that stands in an item; only a list from 1 on may follow words without a gap."""
    if node.tag in ("p", "div", "table"):
        return ["", *_write_block(node).split("\n")]
    gap = [""] if node.tag == "ol" and node.get("start", "1") != "1" else []
    return _write_code(node).split("\n") if node.tag == "pre" else [*gap, *_write_items(node)]


def _mark_task(text: str) -> str:
    return next((mark + text[2:] for mark, box in BOXES.items() if text.startswith(box)), text)


def _write_code(node: Any) -> str:
    text = "".join(node.itertext()).rstrip("\n")
    fence = "```"
    while fence in text:
        fence += "`"
    language = next((element.get("class", "").removeprefix("language-") for element in node.iterchildren("code")), "")
    return f"{fence}{language}\n{text}\n{fence}"


def _write_table(node: Any) -> str:
    rows = [[_write_cell(cell) for cell in row] for row in grid_of(node)]
    width = max((len(row) for row in rows), default=0)
    lines = ["| " + " | ".join([*row, *([""] * (width - len(row)))]) + " |" for row in rows]
    return "\n".join([*lines[:1], "|" + " --- |" * width, *lines[1:]])


def grid_of(table: Any) -> Iterator[list[Any]]:
    """The cells of each row; None where a merged one goes on."""
    covered: dict[int, int] = {}  # column -> rows to come that a cell above reaches into
    for row in table.findall("tr"):
        cells: list[Any] = []
        for cell in [*row, None]:
            while covered.get(len(cells)):
                covered[len(cells)] -= 1
                cells.append(None)
            if cell is not None:
                wide, high = (int(cell.get(name, "1")) for name in ("colspan", "rowspan"))
                covered |= dict.fromkeys(range(len(cells), len(cells) + wide), high - 1)
                cells += [cell, *[None] * (wide - 1)]
        yield cells


def _write_cell(cell: Any) -> str:
    if cell is None:
        return ""
    blocks = any(child.tag in _BLOCK_TAGS for child in cell)
    text = "<br>".join(line for child in cell for line in _cell_lines(child)) if blocks else _write_inline(cell)
    return text.replace("|", "\\|").replace("\\\n", "<br>").replace("\n", " ")


def _cell_lines(node: Any) -> Iterator[str]:
    """The lines of a block that stands in a cell; a row of a table in it is one."""
    if node.tag == "table":
        for row in grid_of(node):
            yield " | ".join(_write_cell(cell) for cell in row)
    elif node.tag in ("div", "blockquote"):
        for child in node:
            yield from _cell_lines(child)
    elif node.tag in ("ul", "ol"):
        yield from _write_items(node)
    else:
        yield _write_inline(node)


def _escape_text(text: str) -> str:
    """Text whose signs have no meaning; dollar signs of prices have none."""

    def sign(match: re.Match[str]) -> str:
        price = match[0] == "$" and formula_at(text, match.start(), len(text)) is None
        return match[0] if price else f"\\{match[0]}"

    return _ESCAPED.sub(sign, text)


def _write_inline(node: Any, skip: tuple[str, ...] = ()) -> str:
    inline_text = _escape_text(node.text or "")
    for child in node:
        inline_text += ("" if child.tag in skip else _write_span(child)) + _escape_text(child.tail or "")
    return inline_text.strip() if node.tag in ("p", "li", "td", "th") or node.tag[0] == "h" else inline_text


def _write_span(node: Any) -> str:
    writer = {"strong": "**", "em": "*", "del": "~~"}.get(node.tag)
    if writer:
        return _surround_text(writer, _write_inline(node))
    if node.tag == "code":
        text = "".join(node.itertext())
        return f"`` {text} ``" if "`" in text else f"`{text}`"
    if node.tag == "img":
        return f"![{_escape_text(node.get('alt', ''))}]({_format_address(node.get('src', ''))})"
    if node.tag == "a":
        return f"[{_write_inline(node)}]({_format_address(node.get('href', ''))})"
    if node.tag == "span" and "math" in node.get("class", ""):
        mark = "$$" if "display" in node.get("class", "") else "$"
        return f"{mark}{node.text or ''}{mark}"
    if node.tag == "sup" and node.get("class") == "footnote":
        return f"[^{''.join(node.itertext())}]"
    if node.tag == "span" and node.get("id"):
        return f'<a id="{node.get("id")}"></a>'
    before, after = {"br": ("\\\n", ""), "rt": ("(", ")")}.get(node.tag, ("", ""))
    if node.tag in ("sup", "sub", "u"):
        before, after = f"<{node.tag}>", f"</{node.tag}>"
    return f"{before}{_write_inline(node)}{after}"


def _surround_text(mark: str, text: str) -> str:
    """Emphasis: the spaces at the ends stand outside of the marks, or they would not count."""
    inner = text.strip()
    if not inner:
        return text
    start, end = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return f"{start}{mark}{inner}{mark}{end}"


def _format_address(url: str) -> str:
    return f"<{url}>" if re.search(r"[\s()]", url) else url
