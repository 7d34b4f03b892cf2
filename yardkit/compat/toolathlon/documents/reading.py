"""Texts and comments read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from yardkit.compat.toolathlon.documents.app import Doc, list_paragraphs, paragraph_at, style_of
from yardkit.servers.documents.engine.formatting.styles import Styles
from yardkit.servers.documents.engine.markup.grids import Grid
from yardkit.servers.documents.engine.markup.names import TBL, TC
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.review import comments
from yardkit.servers.documents.engine.text import search_replace
from yardkit.servers.documents.engine.text.search_replace import Query

AROUND = 50
EXCERPT_LENGTH = 200


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of the body."""

    index: int
    text: str
    style: str
    is_heading: bool


@dataclass(frozen=True)
class Occurrence:
    """A place of a text: in a paragraph with a number, or at a `location` that has none."""

    context: str
    position: int
    paragraph_index: int | None = None
    location: str = ""


@dataclass(frozen=True)
class Occurrences:
    """Where a text stands; `next_offset` is set where more places follow."""

    query: str
    match_case: bool
    whole_word: bool
    occurrences: list[Occurrence]
    total_count: int
    next_offset: int | None = None


@dataclass(frozen=True)
class Comment:
    """A comment, and the text that it is about; `in_reply_to` is the id of the comment that it answers."""

    id: str
    author: str
    date: str
    text: str
    reference_text: str
    paragraph_index: int | None
    resolved: bool = False
    in_reply_to: str = ""


@dataclass(frozen=True)
class Comments:
    """Comments of a document."""

    success: bool
    comments: list[Comment]
    total_comments: int
    author: str = ""
    paragraph_text: str = ""


def get_paragraph_text_from_document(filename: Doc, paragraph_index: int) -> Paragraph:
    document = Document.open(filename)
    paragraph_info = paragraph_at(document, paragraph_index)
    heading = Styles(document).heading_level(paragraph_info) > 0
    return Paragraph(paragraph_index, text_of(paragraph_info), style_of(document, paragraph_info), heading)


def find_text_in_document(
    filename: Doc, text_to_find: str, match_case: bool = True, whole_word: bool = False, offset: int = 0
) -> Occurrences:
    document = Document.open(filename)
    query = Query(text_to_find, match_case=match_case, whole_word=whole_word)
    occurrences = list(_iter_occurrences(document, query))
    last = offset + EXCERPT_LENGTH
    following = last if last < len(occurrences) else None
    return Occurrences(text_to_find, match_case, whole_word, occurrences[offset:last], len(occurrences), following)


def get_all_comments(filename: Doc) -> Comments:
    comments = _list_comments(Document.open(filename))
    return Comments(success=True, comments=comments, total_comments=len(comments))


def get_comments_by_author(filename: Doc, author: str) -> Comments:
    every = _list_comments(Document.open(filename))
    author_comments = [comment for comment in every if comment.author.casefold() == author.casefold()]
    return Comments(success=True, comments=author_comments, total_comments=len(author_comments), author=author)


def get_comments_for_paragraph(filename: Doc, paragraph_index: int) -> Comments:
    document = Document.open(filename)
    text = text_of(paragraph_at(document, paragraph_index))
    paragraph_comments = [comment for comment in _list_comments(document) if comment.paragraph_index == paragraph_index]
    return Comments(
        success=True, comments=paragraph_comments, total_comments=len(paragraph_comments), paragraph_text=text
    )


def _iter_occurrences(document: Document, query: Query) -> Iterator[Occurrence]:
    finder = query.make_finder()
    numbers = {element: number for number, element in enumerate(list_paragraphs(document))}
    for story, paragraph in search_replace.iter_paragraphs(document, None):
        text = text_of(paragraph)
        for match in finder(text):
            number = numbers.get(paragraph)
            context = text[max(0, match.start - AROUND) : match.end + AROUND]
            where = "" if number is not None else _describe_location(document, story, paragraph)
            yield Occurrence(context, match.start, number, where)


def _describe_location(document: Document, story: str, paragraph: Any) -> str:
    cell = next(paragraph.iterancestors(TC), None)
    table = None if cell is None else next(cell.iterancestors(TBL))
    tables = [block for block in document.body if block.tag == TBL]
    if table not in tables:
        return story
    place = next((candidate for row in Grid(table).cells for candidate in row if candidate.element is cell), None)
    where = "" if place is None else f", Row {place.row}, Column {place.column}"
    return f"Table {tables.index(table)}{where}"


def _list_comments(document: Document) -> list[Comment]:
    blocks = document.get_blocks()
    numbers = {blocks.anchor(paragraph): number for number, paragraph in enumerate(list_paragraphs(document))}
    return [
        Comment(
            comment.id, comment.author, comment.date, comment.comment, comment.on,
            numbers.get(comment.anchor), comment.resolved, comment.reply_to,
        )
        for comment in comments.read_comments(document)
    ]  # fmt: skip
