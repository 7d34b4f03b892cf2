"""Excel workbooks: inspect, read, write with computed values, sheets, formats; all else stays as it is."""

GROUP = "office"

PROGRAMS = {
    "bwrap": "the walls around the calculation and LibreOffice",
    "soffice": "functions that the embedded calculation lacks",
}
"""System programs that some tools call, and what does not work without each."""
