"""Opens the pages of a world's sites in a real browser: reads them, clicks, fills in forms, takes pictures."""

GROUP = "apps"
PROGRAMS = {"chromium": "no page can be opened"}
RUNS_CODE = True
"""Scripts that the agent gives it; never offered to distract."""
