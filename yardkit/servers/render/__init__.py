"""Render pages of office files, web pages and pictures, and convert them to PDF."""

GROUP = "office"

PROGRAMS = {
    "bwrap": "the walls around LibreOffice and Chromium",
    "chromium": "web pages and SVG as pictures",
    "soffice": "pages of office files, other formats",
}
"""System programs that some tools call, and what does not work without each."""
