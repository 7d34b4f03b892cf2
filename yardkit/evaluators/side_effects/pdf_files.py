"""What a PDF file holds."""

from yardkit.evaluators.readers.pages.pdf import Page, draw_pdf_page, read_pdf
from yardkit.evaluators.side_effects.inventory import Inventory, Item, make_name
from yardkit.evaluators.submission import Submission

_GRID = 16
_LEVELS = 10.0
"""By how many of 255 levels the mean grey of a field of the page may be off."""
_WRITER_PROPERTIES = {"Producer", "Creator", "CreationDate", "ModDate", "Trapped"}


def take_inventory(submission: Submission, relative: str) -> Inventory:
    """The inventory of a PDF file; pages are compared by their words and by how they look from afar."""
    read = read_pdf(submission, relative)
    inventory = Inventory()
    inventory.ordered["pages"] = [_describe_page(submission, relative, page) for page in read.pages]
    for blank in read.blanks.values():
        inventory.key(make_name("field", blank.name), (blank.kind, blank.value), f"page#{blank.page}")
    inventory.ordered["annotations"] = [
        Item(
            (make_name("annotation", annotation.page, annotation.kind), f"page#{annotation.page}"),
            (annotation.page, annotation.kind, annotation.text),
            annotation.box,
            2,
        )
        for annotation in read.annotations
    ]
    inventory.ordered["bookmarks"] = [
        Item((make_name("bookmark", title),), (level, title, page)) for level, title, page in read.outline
    ]
    for key, text in read.properties.items():
        if key not in _WRITER_PROPERTIES:
            inventory.key(make_name("property", key), text)
    return inventory


def _describe_page(submission: Submission, relative: str, page: Page) -> Item:
    import numpy

    grey = draw_pdf_page(submission, relative, page.number, 0.5).mean(axis=2)
    fields = [part.mean() for rows in numpy.array_split(grey, _GRID) for part in numpy.array_split(rows, _GRID, axis=1)]
    return Item((f"page#{page.number}",), " ".join(page.text.split()), (*map(float, fields),), _LEVELS)
