"""The sheets server, still without tools: server.py and objects.py put theirs in."""

from yardkit.kit.surface import make_server

mcp = make_server(
    "sheets",
    "Reads and changes Excel workbooks (.xlsx, .xlsm). Ranges are A1 references without the sheet's name; dates are "
    "ISO 8601 text; a text that begins with '=' is a formula. After each change the values of formulas are computed "
    "and stored in the file; parts that a change does not concern (charts, pictures, pivots ...) stay as they are.",
)
