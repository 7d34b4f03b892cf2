"""What a document holds: its outline first, and lists of what it has on demand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from yardkit.servers.documents.engine.blocks.image_edits import ImageInfo, list_images
from yardkit.servers.documents.engine.blocks.page_layout import SectionInfo, list_sections
from yardkit.servers.documents.engine.fields.forms import FormField, list_form
from yardkit.servers.documents.engine.fields.references import BookmarkInfo, FieldInfo, list_bookmarks, list_fields
from yardkit.servers.documents.engine.formatting.numbering import Numbering
from yardkit.servers.documents.engine.formatting.styles import StyleInfo, Styles, list_styles
from yardkit.servers.documents.engine.markup.names import TBL, P, qualify_name
from yardkit.servers.documents.engine.markup.paragraph_text import outside_fallbacks, text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.properties import Value, core_properties, custom_properties

Topic = Literal["outline", "sections", "styles", "all_styles", "images", "fields", "form", "bookmarks", "properties"]
MAX_HEADINGS = 500


@dataclass(frozen=True)
class Heading:
    """A heading; `label` is its number where it is numbered."""

    anchor: str
    level: int
    text: str
    label: str = ""


@dataclass(frozen=True)
class Inspection:
    """What a document holds; only the lists that were asked for are filled."""

    stories: dict[str, int]
    paragraphs: int
    words: int
    tables: int = 0
    images: int = 0
    sections: int = 1
    footnotes: int = 0
    comments: int = 0
    tracked_changes: int = 0
    records_changes: bool = False
    outline: list[Heading] = field(default_factory=list)
    section_list: list[SectionInfo] = field(default_factory=list)
    style_list: list[StyleInfo] = field(default_factory=list)
    image_list: list[ImageInfo] = field(default_factory=list)
    field_list: list[FieldInfo] = field(default_factory=list)
    form_list: list[FormField] = field(default_factory=list)
    bookmark_list: list[BookmarkInfo] = field(default_factory=list)
    properties: dict[str, str] = field(default_factory=dict)
    custom_properties: dict[str, Value] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def inspect_document(document: Document, topics: list[Topic]) -> Inspection:
    """Counts, and the lists of the topics."""
    requested_topics = set(topics)
    texts = [text_of(paragraph) for paragraph in outside_fallbacks(document.body, P)]
    headings = list_headings(document) if "outline" in requested_topics else []
    listed_headings = headings[:MAX_HEADINGS]
    notes = (
        [f"{len(headings) - len(listed_headings)} more headings are left out"]
        if len(headings) > len(listed_headings)
        else []
    )
    with_styles = "styles" in requested_topics or "all_styles" in requested_topics
    return Inspection(
        stories={name: sum(1 for _ in document.get_story(name).iter(P)) for name in document.map_stories()},
        paragraphs=len(texts),
        words=sum(len(text.split()) for text in texts),
        tables=sum(1 for _ in document.body.iter(TBL)),
        images=len(list_images(document)),
        sections=len(list_sections(document)),
        footnotes=sum(
            1 for _ in document.body.iter(qualify_name("w:footnoteReference"), qualify_name("w:endnoteReference"))
        ),
        comments=sum(1 for _ in document.body.iter(qualify_name("w:commentReference"))),
        tracked_changes=_count_changes(document),
        records_changes=document.tracks,
        outline=listed_headings,
        section_list=list_sections(document) if "sections" in requested_topics else [],
        style_list=list_styles(document, only_used="all_styles" not in requested_topics) if with_styles else [],
        image_list=list_images(document) if "images" in requested_topics else [],
        field_list=list_fields(document) if "fields" in requested_topics else [],
        form_list=list_form(document) if "form" in requested_topics else [],
        bookmark_list=list_bookmarks(document) if "bookmarks" in requested_topics else [],
        properties=core_properties(document) if "properties" in requested_topics else {},
        custom_properties=custom_properties(document) if "properties" in requested_topics else {},
        notes=notes,
    )


def list_headings(document: Document) -> list[Heading]:
    """The headings of the body in order."""
    styles, blocks = Styles(document), document.get_blocks()
    labels = Numbering(document).labels(document.body)
    headings = []
    for paragraph in outside_fallbacks(document.body, P):
        level = styles.heading_level(paragraph)
        if level and (text := text_of(paragraph)).strip():
            headings.append(Heading(blocks.anchor(paragraph), level, text, labels.get(paragraph, "")))
    return headings


def _count_changes(document: Document) -> int:
    names = ("w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:rPrChange", "w:pPrChange")
    tags = [qualify_name(name) for name in names]
    return sum(1 for story in document.map_stories() for _ in document.get_story(story).iter(*tags))
