"""Presentations in the dialect of Toolathlon's pptx: 37 tools, by topic."""

from toolyard.servers.slides.dialects.toolathlon import content, files, objects, pictures
from toolyard.servers.slides.dialects.toolathlon.app import mcp

__all__ = ["content", "files", "mcp", "objects", "pictures"]
