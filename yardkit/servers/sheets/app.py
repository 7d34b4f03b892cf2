"""The sheets server, still without tools: server.py and objects.py put theirs in."""

from yardkit.kit.surface import make_server

mcp = make_server(
    "sheets",
    "Read and edit Excel workbooks (.xlsx, .xlsm). Ranges are A1 references without the sheet's name; "
    "dates are ISO 8601 text; text that begins with '=' is a formula. After each change, formula values "
    "are computed and stored in the file; unaffected parts (charts, pictures, pivots ...) are preserved.",
)
