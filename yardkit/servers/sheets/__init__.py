"""Inspect, read and write Excel workbooks with computed values, sheets and formats; everything else is preserved."""

GROUP = "office"

PROGRAMS = {
    "bwrap": "the walls around the calculation and LibreOffice",
    "soffice": "functions that the embedded calculation lacks",
}
"""System programs that some tools call, and what does not work without each."""
