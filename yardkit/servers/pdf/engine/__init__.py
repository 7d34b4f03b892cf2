"""PDF files: read, search, fill, mark, assemble, redact and protect, on plain paths, without MCP.

Each module holds one topic; an editing function reads `source` and writes `target`, which must be another path.
Boxes are ``[x0, y0, x1, y1]`` in points (1/72 inch) on the page as displayed, origin top left; pages count from 1.
"""
