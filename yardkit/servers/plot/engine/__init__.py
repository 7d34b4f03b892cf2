"""The work of the plot server: data, charts, functions, code. No MCP in here."""
