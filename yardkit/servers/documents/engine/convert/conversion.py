"""Documents to and from other formats: Markdown and HTML by ourselves, the rest by LibreOffice."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from yardkit.kit.pages.kinds import true_suffix
from yardkit.servers.documents.engine.blocks.new_documents import from_template, new_document
from yardkit.servers.documents.engine.convert import html_page, html_reader, html_writer, markdown, plain_text
from yardkit.servers.documents.engine.markup.names import SECT, make_element
from yardkit.servers.documents.engine.markup.paragraph_text import text_of
from yardkit.servers.documents.engine.package.document import Document
from yardkit.servers.documents.engine.package.writer import Writer
from yardkit.world import Problem, save_atomically
from yardkit.world.decoding import decode_file
from yardkit.world.limits import check_bytes

WORD = (".docx", ".docm", ".dotx", ".dotm")
TEXTS = (".md", ".markdown", ".html", ".htm")
READ = (*TEXTS, ".txt")
"""What we write ourselves: LibreOffice leaves text boxes out of plain text."""
OFFICE = (".doc", ".odt", ".rtf", ".txt", ".dot", ".fodt")
TARGETS = (".docx", *TEXTS, ".pdf", ".odt", ".doc", ".rtf", ".txt")
MAX_TEXT_BYTES = 20_000_000


@dataclass(frozen=True)
class Converted:
    """Blocks taken over (where we did it ourselves), and what to know."""

    blocks: int = 0
    notes: list[str] = field(default_factory=list)


def convert_document(
    source: Path, target: Path, template: Path | None, now: datetime, find_image: Callable[[str], Path]
) -> Converted:
    """Write `source` in the format that the suffix of `target` names.

    Raises:
        Problem: one of the formats is not possible, or the file cannot be read.
    """
    from_suffix, to_suffix = _detect_suffix(source), target.suffix.lower()
    if from_suffix not in (*WORD, *TEXTS, *OFFICE) or to_suffix not in TARGETS:
        wrong = to_suffix if from_suffix in (*WORD, *TEXTS, *OFFICE) else from_suffix
        raise Problem(
            f"{wrong!r} is not a supported format; convert from {', '.join((*WORD, *TEXTS, *OFFICE))} "
            f"to {', '.join(TARGETS)}"
        )
    if template is not None and from_suffix not in TEXTS:
        raise Problem(f"a template is for Markdown and HTML; {source.name!r} brings its own styles")
    if source == target:
        raise Problem("source and target are the same file; choose another name")
    with tempfile.TemporaryDirectory(prefix="yardkit-docx-") as folder:
        moved = Path(os.path.relpath(source.parent, target.parent)).as_posix()
        middle, facts = _as_word(source, Path(folder), template, now, find_image, "" if moved == "." else moved)
        if to_suffix in READ:
            text = _to_text(middle, target)
            return Converted(text.blocks, [*facts.notes, *text.notes])
        if to_suffix == ".docx":
            Document.open(middle).save(target)
            return facts
        from yardkit.kit.pages import libreoffice

        with save_atomically(target) as draft:
            converted_path = Path(folder) / f"made{to_suffix}"
            libreoffice.convert_file(middle, converted_path)
            draft.write_bytes(converted_path.read_bytes())
        if not facts.notes and to_suffix != ".pdf":
            facts.notes.append(f"LibreOffice wrote {target.name}; {libreoffice.describe_loss(middle)}")
        return facts


def _as_word(
    source: Path, folder: Path, template: Path | None, now: datetime, find_image: Callable[[str], Path], moved: str
) -> tuple[Path, Converted]:
    """The source as a docx, made in `folder` where it is none; `moved` is how the target's folder sees the source's."""
    suffix = _detect_suffix(source)
    middle = folder / f"{source.stem}.docx"
    if suffix in WORD:
        Document.open(source)
        return source, Converted()
    if suffix in TEXTS:
        document, facts = _from_text(source, template, now, find_image, moved)
        document.save(middle)
        return middle, facts
    from yardkit.kit.pages import libreoffice

    libreoffice.convert_file(source, middle)
    return middle, Converted(notes=[f"{source.name} went through LibreOffice; look at the result"])


def _detect_suffix(source: Path) -> str:
    """The suffix of a file by its content, where its name says another kind."""
    suffix, true = source.suffix.lower(), true_suffix(source)
    return suffix if true is None or (true == ".docx" and suffix in WORD) else true


def _from_text(
    source: Path, template: Path | None, now: datetime, find_image: Callable[[str], Path], moved: str
) -> tuple[Document, Converted]:
    """A document from a Markdown or HTML file."""
    check_bytes(source, MAX_TEXT_BYTES)
    is_html = source.suffix.lower() in (".html", ".htm")
    text = decode_file(source.read_bytes(), source.name, html=is_html).text.replace("\r\n", "\n").replace("\r", "\n")
    html, footnotes = (text, {}) if is_html else markdown.to_html(text)
    document = from_template(template) if template is not None else new_document(now)
    imported = html_reader.build_blocks(
        Writer(document, now), html if html.strip() else "<p></p>", footnotes, find_image, moved
    )
    body = document.body
    section = body.find(SECT)
    blocks = imported.blocks or [make_element("w:p")]
    for block in blocks:
        if section is None:
            body.append(block)
        else:
            section.addprevious(block)
    if blocks[-1].tag != make_element("w:p").tag:
        blocks[-1].addnext(make_element("w:p"))
    return document, Converted(len(blocks), imported.notes)


def _to_text(source: Path, target: Path) -> Converted:
    """Write a docx as HTML (one file), plain text, or as Markdown with its pictures in a folder beside it."""
    document = Document.open(source)
    if target.suffix.lower() in (".html", ".htm"):
        text, notes = html_page.build_page(document, _choose_title(document, source))
        conversion = Converted(len(document.body), notes)
    elif target.suffix.lower() == ".txt":
        tree = html_writer.to_tree(document)
        text, conversion = plain_text.from_tree(tree), Converted(len(tree))
    else:
        tree = html_writer.to_tree(document, _make_picture_saver(target))
        text, conversion = markdown.from_tree(tree), Converted(len(tree))
    with save_atomically(target) as draft:
        draft.write_text(text, "utf-8")
    return conversion


def _make_picture_saver(target: Path) -> Callable[[str, bytes], str]:
    def keep(name: str, data: bytes) -> str:
        path = target.parent / f"{target.stem}_media" / Path(name).name
        with save_atomically(path) as draft:
            draft.write_bytes(data)
        return f"{path.parent.name}/{path.name}"

    return keep


def _choose_title(document: Document, source: Path) -> str:
    first = next((text for block in document.body for text in [text_of(block).strip()] if text), "")
    return first[:120] or source.stem
