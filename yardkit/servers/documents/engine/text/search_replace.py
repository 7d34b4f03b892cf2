"""Text found and replaced across runs, in all stories, text boxes included."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.kit.look_alikes import build_look_pattern
from yardkit.servers.documents.engine.markup import tracking
from yardkit.servers.documents.engine.markup.names import P
from yardkit.servers.documents.engine.markup.paragraph_text import outside_fallbacks, text_box_of, text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.servers.documents.engine.text.inline_content import checked_text
from yardkit.world import Problem

_AROUND = 60
_GROUP = re.compile(r"\\(\d)")


@dataclass(frozen=True)
class TextHit:
    """A place: `start` and `end` count the characters of the block."""

    anchor: str
    story: str
    start: int
    end: int
    text: str
    context: str


@dataclass(frozen=True)
class TextHitPage:
    """Places of a text; `next_offset` is set where more follow."""

    total: int
    hits: list[TextHit]
    next_offset: int | None = None


@dataclass(frozen=True)
class Query:
    """What is looked for; a text that is no regular expression is found in all that looks the same, too."""

    text: str
    regex: bool = False
    match_case: bool = True
    whole_word: bool = False

    def make_finder(self) -> Callable[[str], list[Any]]:
        """A function from a text to the matches in it, in order and apart.

        Raises:
            Problem: the regular expression is none.
        """
        import re2

        options = re2.Options()
        options.case_sensitive = self.match_case
        options.log_errors = False
        pattern = self.text if self.regex else build_look_pattern(self.text)
        if self.whole_word:
            pattern = rf"(?:^|[^\pL\pN_])({pattern})"
        try:
            compiled = re2.compile(pattern, options)
        except re2.error as error:
            reason = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else error
            raise Problem(f"{self.text!r} is not a valid RE2 expression ({reason})") from error
        return lambda text: _find_matches(compiled, text, whole_word=self.whole_word)


@dataclass(frozen=True)
class _Match:
    start: int
    end: int
    groups: tuple[str | None, ...]


def _find_matches(compiled: Any, text: str, *, whole_word: bool) -> list[_Match]:
    matches, at = [], 0
    while at <= len(text):
        match = compiled.search(text, at)
        if match is None:
            break
        group = 1 if whole_word else 0
        start, end = match.start(group), match.end(group)
        broken = whole_word and end < len(text) and (text[end].isalnum() or text[end] == "_")
        if end > start and not broken:
            first = 1 if whole_word else 0
            matches.append(_Match(start, end, (text[start:end], *match.groups()[first:])))
        at = max(end if not broken else start + 1, at + 1)
    return matches


def iter_paragraphs(document: Document, stories: list[str] | None) -> Iterator[tuple[str, Any]]:
    """(story, paragraph) of the named stories, of all without names."""
    for story in stories or document.map_stories():
        yield from ((story, paragraph) for paragraph in outside_fallbacks(document.get_story(story), P))


def search_text(document: Document, query: Query, stories: list[str] | None) -> list[TextHit]:
    """All places of a text, in the order of the stories."""
    finder, hits = query.make_finder(), []
    blocks = {}
    for story, paragraph in iter_paragraphs(document, stories):
        text = text_of(paragraph)
        for match in finder(text):
            if story not in blocks:
                blocks[story] = document.get_blocks(story)
            context = text[max(0, match.start - _AROUND) : match.end + _AROUND]
            anchor = blocks[story].anchor(paragraph)
            hits.append(TextHit(anchor, story, match.start, match.end, text[match.start : match.end], context))
    return hits


def search_page(document: Document, query: Query, stories: list[str] | None, offset: int, limit: int) -> TextHitPage:
    """A page of the places of a text."""
    hits = search_text(document, query, stories)
    following = offset + limit if offset + limit < len(hits) else None
    return TextHitPage(len(hits), hits[offset : offset + limit], following)


def replace_text(writer: Writer, query: Query, replacement: str, stories: list[str] | None) -> dict[str, int]:
    """Replace all places of a text; how many in each story.

    The new text takes the format of the first character that it replaces. Copies of text boxes for older programs are
    kept alike.
    """
    finder, counts = query.make_finder(), dict[str, int]()
    new = checked_text(replacement)
    for story, paragraph in list(iter_paragraphs(writer.document, stories)):
        count = _replace_in(writer, finder, paragraph, new, regex=query.regex)
        if count:
            counts[story] = counts.get(story, 0) + count
            writer.written.append(paragraph)
            if text_box_of(paragraph) is not None:
                _replace_in_copies(writer, finder, paragraph, new, regex=query.regex)
    return counts


def _replace_in(writer: Writer, finder: Callable[[str], list[Any]], paragraph: Any, new: str, *, regex: bool) -> int:
    matches = finder(text_of(paragraph))
    for match in reversed(matches):
        text = _expand_replacement(new, match) if regex else new
        tracking.replace_span(paragraph, match.start, match.end, text, writer.tracker)
    return len(matches)


def _replace_in_copies(
    writer: Writer, finder: Callable[[str], list[Any]], paragraph: Any, new: str, *, regex: bool
) -> None:
    """Do the same in the copy of a text box that older programs show."""
    from yardkit.servers.documents.engine.markup.names import find_element, qualify_name

    choice = next(paragraph.iterancestors(qualify_name("mc:AlternateContent")), None)
    for copied in (
        []
        if choice is None
        else []
        if find_element(choice, "mc:Fallback") is None
        else find_element(choice, "mc:Fallback").iter(P)
    ):
        _replace_in(writer, finder, copied, new, regex=regex)


def _expand_replacement(new: str, match: _Match) -> str:
    def group(group_match: re.Match[str]) -> str:
        number = int(group_match[1])
        if number >= len(match.groups):
            raise Problem(f"the replacement names group {number}; the expression has {len(match.groups) - 1}")
        return match.groups[number] or ""

    return _GROUP.sub(group, new)
