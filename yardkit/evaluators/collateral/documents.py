"""What a Word document holds."""

from collections.abc import Hashable, Iterator

from yardkit.evaluators.collateral.inventory import Inventory, Item, name
from yardkit.evaluators.readers.office.documents import Document, Paragraph, Table, read_document
from yardkit.evaluators.submission import Submission

_COMPARED_STYLES = ("Normal", "Title", "Heading 1", "Heading 2", "Heading 3")


def take(submission: Submission, relative: str) -> Inventory:
    """The inventory of a document."""
    read = read_document(submission, relative)
    found = Inventory()
    found.ordered["body"] = list(_body(read))
    found.ordered["changes"] = [
        Item(
            (name("change", change.author), name("change", change.author, change.text)),
            (change.kind, change.author, change.text),
        )
        for change in read.changes
        if change.kind != "formatted"
    ]
    found.ordered["comments"] = [
        Item(
            (name("comment", comment.text), name("comment", comment.author, comment.text)),
            (comment.author, comment.text, comment.resolved),
        )
        for comment in read.comments
    ]
    found.ordered["notes"] = [Item((name("note", note.text),), (note.kind, _plain(note.text))) for note in read.notes]
    found.ordered["pictures"] = [
        Item((name("picture", picture.alt),), picture.digest, (picture.width_mm, picture.height_mm))
        for picture in read.pictures
    ]
    found.ordered["fields"] = [
        Item((name("field", field.code),), tuple(sorted(field.code.split())), fixed=True)
        for field in read.fields
        if field.part.endswith("document.xml")
    ]
    found.ordered["boxes"] = [Item((name("box", text),), _plain(text)) for text in read.text_boxes]
    _pages(read, found)
    for style in _COMPARED_STYLES:
        if style in read.style_looks:
            look = read.style_looks[style]
            found.key(name("style", style), (look.bold, look.italic, look.font, look.size_pt, look.color))
    for key in ("title", "creator", "subject", "keywords"):
        found.key(name("property", key), read.properties.get(key, ""))
    return found


def _pages(read: Document, found: Inventory) -> None:
    for number, section in enumerate(read.sections, 1):
        margins = (section.width_mm, section.height_mm, *section.margins_mm)
        found.key(name("section", number), (section.landscape, section.columns), measures=margins)
        for kind, texts in (("header", section.headers), ("footer", section.footers)):
            shown = texts if section.title_page else {key: text for key, text in texts.items() if key != "first"}
            for key, text in shown.items():
                if text.strip():
                    found.key(name(kind, key, number), _plain(text), name(kind, key), name(kind, number))


def _body(read: Document) -> Iterator[Item]:
    tables = 0
    for block in read.blocks:
        if isinstance(block, Table):
            tables += 1
            yield from _rows(block, tables)
        elif block.text.strip() or block.original.strip():
            names = (name("paragraph", block.text), name("paragraph", block.original))
            yield Item(tuple(dict.fromkeys(names)), _paragraph(block), areas=_under(block))


def _rows(table: Table, number: int) -> Iterator[Item]:
    for cells in table.cells:
        first = cells[0].text if cells else ""
        value = tuple((tuple(_paragraph(paragraph) for paragraph in cell.paragraphs), cell.span) for cell in cells)
        yield Item((name("row", number, first), name("table", number)), value, areas=_under(table))


def _under(block: Paragraph | Table) -> tuple[str, ...]:
    return tuple(name("under", heading) for heading in block.under)


def _paragraph(paragraph: Paragraph) -> Hashable:
    looks: list[tuple[str, tuple[Hashable, ...]]] = []
    for run in paragraph.runs:
        look, link = run.look, run.link.rstrip("/")
        letters = (look.bold, look.italic, look.underline, look.strike, look.hidden)
        seen = (*letters, look.size_pt, look.color, look.highlight, link)
        if run.tracked == "deleted" or not run.text.strip():
            continue
        if looks and looks[-1][1] == seen:
            looks[-1] = (looks[-1][0] + run.text, seen)
        else:
            looks.append((run.text, seen))
    formats = tuple(("".join(text.split()), seen) for text, seen in looks)  # Runs may end before or after a space.
    alike = (paragraph.level, paragraph.list_kind, paragraph.list_level, paragraph.alignment)
    return (_plain(paragraph.text), *alike, formats)


def _plain(text: str) -> str:
    return " ".join(text.split())
