"""Markdown in the lines of an outline as what it means: bold, italic, code, links, headings and quotes.

Only marks that can hardly be meant as they stand are read: ``2*3*4``, ``snake_case`` and ``#1`` stay.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from yardkit.servers.slides.engine.inputs import Paragraph, Run
from yardkit.servers.slides.engine.text.paragraphs import parse_line

CODE_FONT = "Courier New"
_INLINE = re.compile(
    r"(?P<code>`+)(?P<in_code>[^`]+)(?P=code)"
    r"|!\[(?P<picture>[^\]]*)\]\([^()\s]+\)"
    r"|\[(?P<words>[^\[\]]+)\]\((?P<link>(?:https?://|mailto:|#\d)[^()\s]*)\)"
    r"|\*\*(?=\S)(?P<bold>(?:[^*]|\*(?!\*))+?)(?<=\S)\*\*"
    r"|(?<!\w)__(?=\S)(?P<bold_2>[^_]*\s[^_]*)(?<=\S)__(?!\w)"
    r"|~~(?=\S)(?P<struck>[^~]+?)(?<=\S)~~"
    r"|(?<![\w*])\*(?=[^\s*])(?P<italic>[^*]+?)(?<=\S)\*(?![\w*])"
    r"|(?<!\w)_(?=[^\s_])(?P<italic_2>[^_]+?)(?<=\S)_(?!\w)"
)
_HEADING = re.compile(r"(?P<tabs>\t*)#{1,6}\s+(?P<rest>.*?)(?:\s+#+)?$")
_QUOTE = re.compile(r"(?P<tabs>\t*)>\s+(?P<rest>.*)$")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w+-]*\s*$")
_TABLE_RULE = re.compile(r"\s*\|?\s*:?-{3,}:?\s*(?:\|\s*:?-{3,}:?\s*)+\|?\s*$")
_LEFT_OUT = {
    "picture": "a picture is shown by its words alone; place_slide_picture places it",
    "struck": "strikethrough is left out",
    "table": "a table stays text; add_slide_table makes one",
}
"""Marks whose meaning a line of text cannot show."""


@dataclass(frozen=True)
class MarkedText:
    """Paragraphs without their marks, and which marks they had."""

    paragraphs: list[Paragraph]
    marks: set[str] = field(default_factory=set)


def read_marks(lines: list[str]) -> MarkedText:
    """Lines of an outline, with tabs for their levels, as formatted paragraphs."""
    marks: set[str] = set()
    paragraphs, in_code = [], False
    fenced = sum(map(bool, map(_FENCE.match, lines))) > 1
    for line in lines:
        if fenced and _FENCE.match(line):
            in_code = not in_code
            marks.add("code")
        elif in_code:
            paragraph = parse_line(line)
            runs = [Run(paragraph.text, font=CODE_FONT)] if paragraph.text else []
            paragraphs.append(replace(paragraph, text="", runs=runs, bullet="none"))
        else:
            paragraphs.append(_read_line(line, marks))
    return MarkedText(paragraphs, marks)


def plain_text(line: str) -> str:
    """A line without its marks."""
    paragraph = _read_line(line, set())
    return "".join(run.text for run in paragraph.runs) or paragraph.text


def describe_marks(marks: set[str]) -> list[str]:
    """What became of marks, in words; empty where there were none."""
    formats = sorted(marks - _LEFT_OUT.keys())
    sentences = [f"Markdown became format: {', '.join(formats)}"] if formats else []
    return sentences + [words for mark, words in _LEFT_OUT.items() if mark in marks]


def _read_line(line: str, marks: set[str]) -> Paragraph:
    base = Run("")
    for pattern, mark, form in ((_HEADING, "heading", Run("", bold=True)), (_QUOTE, "quote", Run("", italic=True))):
        line_match = pattern.match(line)
        if line_match:
            marks.add(mark)
            line, base = line_match["tabs"] + line_match["rest"], form
    if _TABLE_RULE.match(line):
        marks.add("table")
    paragraph = parse_line(line)
    runs = _read_runs(paragraph.text, base, marks)
    if runs == [Run(paragraph.text)] or not runs:
        return paragraph
    return replace(paragraph, text="", runs=runs)


def _read_runs(text: str, base: Run, marks: set[str]) -> list[Run]:
    runs, end = [], 0
    for mark_match in _INLINE.finditer(text):
        runs += [replace(base, text=text[end : mark_match.start()])] if mark_match.start() > end else []
        end = mark_match.end()
        runs += _read_mark(mark_match, base, marks)
    return runs + ([replace(base, text=text[end:])] if end < len(text) else [])


def _read_mark(mark_match: re.Match[str], base: Run, marks: set[str]) -> list[Run]:
    kind = str(mark_match.lastgroup).removesuffix("_2")
    if kind == "in_code":
        marks.add("code")
        return [replace(base, text=mark_match["in_code"], font=CODE_FONT)]
    marks.add(kind)
    if kind == "picture":
        return [replace(base, text=mark_match["picture"])]
    if kind == "link":
        return _read_runs(mark_match["words"], replace(base, link=mark_match["link"]), marks)
    form = {"bold": replace(base, bold=True), "italic": replace(base, italic=True)}.get(kind, base)
    return _read_runs(mark_match[mark_match.lastgroup or 0], form, marks)
