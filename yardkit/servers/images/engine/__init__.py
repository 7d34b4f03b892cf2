"""The work of the images server, without MCP: each change is a function from a Pillow image to another."""
