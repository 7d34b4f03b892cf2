"""Presentations in the dialect of Toolathlon's pptx: 37 tools, by topic."""

from toolyard.servers.slides.dialects.toolathlon import content, design, files, objects, pictures, templates
from toolyard.servers.slides.dialects.toolathlon.app import mcp

__all__ = ["content", "design", "files", "mcp", "objects", "pictures", "templates"]
