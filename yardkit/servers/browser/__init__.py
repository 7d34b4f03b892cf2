"""Opens a world's sites in a real browser: reads pages, clicks, fills in forms, takes screenshots."""

GROUP = "apps"
PROGRAMS = {"chromium": "no page can be opened"}
RUNS_CODE = True
"""Scripts that the agent gives it; never offered to distract."""
