"""Opens the pages of a world's sites in a real browser: reads them, clicks, fills in forms, takes pictures."""

GROUP = "apps"
PROGRAMS = {"chromium": "no page can be opened"}
