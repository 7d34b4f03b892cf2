"""What a Word document holds."""

from collections.abc import Hashable, Iterator

from yardkit.evaluators.readers.office.documents import Document, Paragraph, Table, read_document
from yardkit.evaluators.side_effects.inventory import Inventory, Item, make_name
from yardkit.evaluators.submission import Submission

_COMPARED_STYLES = ("Normal", "Title", "Heading 1", "Heading 2", "Heading 3")


def take_inventory(submission: Submission, relative: str) -> Inventory:
    """The inventory of a document."""
    read = read_document(submission, relative)
    inventory = Inventory()
    inventory.ordered["body"] = list(_list_body_items(read))
    inventory.ordered["changes"] = [
        Item(
            (make_name("change", change.author), make_name("change", change.author, change.text)),
            (change.kind, change.author, change.text),
        )
        for change in read.changes
        if change.kind != "formatted"
    ]
    inventory.ordered["comments"] = [
        Item(
            (make_name("comment", comment.text), make_name("comment", comment.author, comment.text)),
            (comment.author, comment.text, comment.resolved),
        )
        for comment in read.comments
    ]
    inventory.ordered["notes"] = [
        Item((make_name("note", note.text),), (note.kind, _join_white_space(note.text))) for note in read.notes
    ]
    inventory.ordered["pictures"] = [
        Item((make_name("picture", picture.alt),), picture.digest, (picture.width_mm, picture.height_mm))
        for picture in read.pictures
    ]
    inventory.ordered["fields"] = [
        Item((make_name("field", field.code),), tuple(sorted(field.code.split())), fixed=True)
        for field in read.fields
        if field.part.endswith("document.xml")
    ]
    inventory.ordered["boxes"] = [Item((make_name("box", text),), _join_white_space(text)) for text in read.text_boxes]
    _add_pages(read, inventory)
    for style in _COMPARED_STYLES:
        if style in read.style_looks:
            look = read.style_looks[style]
            inventory.key(make_name("style", style), (look.bold, look.italic, look.font, look.size_pt, look.color))
    for key in ("title", "creator", "subject", "keywords"):
        inventory.key(make_name("property", key), read.properties.get(key, ""))
    return inventory


def _add_pages(read: Document, inventory: Inventory) -> None:
    for number, section in enumerate(read.sections, 1):
        margins = (section.width_mm, section.height_mm, *section.margins_mm)
        inventory.key(make_name("section", number), (section.landscape, section.columns), measures=margins)
        for kind, texts in (("header", section.headers), ("footer", section.footers)):
            visible_texts = (
                texts if section.title_page else {key: text for key, text in texts.items() if key != "first"}
            )
            for key, text in visible_texts.items():
                if text.strip():
                    inventory.key(
                        make_name(kind, key, number),
                        _join_white_space(text),
                        make_name(kind, key),
                        make_name(kind, number),
                    )


def _list_body_items(read: Document) -> Iterator[Item]:
    tables = 0
    for block in read.blocks:
        if isinstance(block, Table):
            tables += 1
            yield from _list_row_items(block, tables)
        elif block.text.strip() or block.original.strip():
            names = (make_name("paragraph", block.text), make_name("paragraph", block.original))
            yield Item(tuple(dict.fromkeys(names)), _describe_paragraph(block), areas=_name_headings(block))


def _list_row_items(table: Table, number: int) -> Iterator[Item]:
    for cells in table.cells:
        first = cells[0].text if cells else ""
        value = tuple(
            (tuple(_describe_paragraph(paragraph) for paragraph in cell.paragraphs), cell.span) for cell in cells
        )
        yield Item((make_name("row", number, first), make_name("table", number)), value, areas=_name_headings(table))


def _name_headings(block: Paragraph | Table) -> tuple[str, ...]:
    return tuple(make_name("under", heading) for heading in block.under)


def _describe_paragraph(paragraph: Paragraph) -> Hashable:
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
    paragraph_format = (paragraph.level, paragraph.list_kind, paragraph.list_level, paragraph.alignment)
    return (_join_white_space(paragraph.text), *paragraph_format, formats)


def _join_white_space(text: str) -> str:
    return " ".join(text.split())
