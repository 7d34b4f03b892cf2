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
from yardkit.servers.documents.engine.markup.names import TBL, P, q
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


def inspect(document: Document, topics: list[Topic]) -> Inspection:
    """Counts, and the lists of the topics."""
    wanted = set(topics)
    texts = [text_of(paragraph) for paragraph in outside_fallbacks(document.body, P)]
    headings = outline(document) if "outline" in wanted else []
    shown = headings[:MAX_HEADINGS]
    notes = [f"{len(headings) - len(shown)} more headings are left out"] if len(headings) > len(shown) else []
    with_styles = "styles" in wanted or "all_styles" in wanted
    return Inspection(
        stories={name: sum(1 for _ in document.story(name).iter(P)) for name in document.stories()},
        paragraphs=len(texts),
        words=sum(len(text.split()) for text in texts),
        tables=sum(1 for _ in document.body.iter(TBL)),
        images=len(list_images(document)),
        sections=len(list_sections(document)),
        footnotes=sum(1 for _ in document.body.iter(q("w:footnoteReference"), q("w:endnoteReference"))),
        comments=sum(1 for _ in document.body.iter(q("w:commentReference"))),
        tracked_changes=_changes(document),
        records_changes=document.tracks,
        outline=shown,
        section_list=list_sections(document) if "sections" in wanted else [],
        style_list=list_styles(document, only_used="all_styles" not in wanted) if with_styles else [],
        image_list=list_images(document) if "images" in wanted else [],
        field_list=list_fields(document) if "fields" in wanted else [],
        form_list=list_form(document) if "form" in wanted else [],
        bookmark_list=list_bookmarks(document) if "bookmarks" in wanted else [],
        properties=core_properties(document) if "properties" in wanted else {},
        custom_properties=custom_properties(document) if "properties" in wanted else {},
        notes=notes,
    )


def outline(document: Document) -> list[Heading]:
    """The headings of the body in order."""
    styles, blocks = Styles(document), document.blocks()
    labels = Numbering(document).labels(document.body)
    found = []
    for paragraph in outside_fallbacks(document.body, P):
        level = styles.heading_level(paragraph)
        if level and (text := text_of(paragraph)).strip():
            found.append(Heading(blocks.anchor(paragraph), level, text, labels.get(paragraph, "")))
    return found


def _changes(document: Document) -> int:
    names = ("w:ins", "w:del", "w:moveFrom", "w:moveTo", "w:rPrChange", "w:pPrChange")
    tags = [q(name) for name in names]
    return sum(1 for story in document.stories() for _ in document.story(story).iter(*tags))
