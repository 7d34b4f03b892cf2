"""MCP tool servers, one folder each, and the surface that they share."""
