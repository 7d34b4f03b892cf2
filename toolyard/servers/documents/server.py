"""MCP surface of the document server: the tools on text, tables, pictures, pages; `review` has the others."""

from toolyard.servers.documents.app import mcp as mcp
