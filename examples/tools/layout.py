"""Examples of layout: a page of a report, as a picture, as a PDF and lying on its side; a receipt on a table."""

from tools.example import Example, Gallery
from tools.perception import ASIDE, BILL, PAGE, PAGE_PDF, prepare_files

GALLERY = Gallery(
    prepare_files,
    (
        Example("read_layout", {"path": PAGE}),
        Example("mark_regions", {"path": PAGE, "target": "regions.png"}, ("regions.png",)),
        Example("mark_regions", {"path": PAGE_PDF, "target": "regions_pdf.png"}, ("regions_pdf.png",)),
        Example("find_orientation", {"path": ASIDE}),
        Example("find_orientation", {"path": BILL}),
        Example("find_tables", {"path": PAGE}),
        Example("mark_tables", {"path": PAGE, "target": "tables.png"}, ("tables.png",)),
    ),
)
