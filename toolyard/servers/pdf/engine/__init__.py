"""The engine, without MCP."""
