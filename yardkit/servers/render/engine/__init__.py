"""Files as pages: pictures, sizes, texts, differences, other formats."""

from yardkit.servers.render.engine.comparing import Comparison, compare_pages
from yardkit.servers.render.engine.converting import convert_file, export_pages, to_pdf
from yardkit.servers.render.engine.reading import check_pages, find_text, list_pages
from yardkit.servers.render.engine.showing import contact_sheet, render_pages, render_range

__all__ = [
    "Comparison",
    "check_pages",
    "compare_pages",
    "contact_sheet",
    "convert_file",
    "export_pages",
    "find_text",
    "list_pages",
    "render_pages",
    "render_range",
    "to_pdf",
]
