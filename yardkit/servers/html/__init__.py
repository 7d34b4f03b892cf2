"""Create, edit, check and render web pages in a real browser."""

GROUP = "office"

PROGRAMS = {"bwrap": "the walls around Chromium", "chromium": "show_page and the checks of a layout"}
"""System programs that some tools call, and what does not work without each."""
