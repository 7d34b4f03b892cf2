"""Presentations in the dialect of Toolathlon's pptx: 37 tools, by topic."""

from yardkit.servers.slides.dialects.toolathlon import content, design, files, objects, pictures, templates
from yardkit.servers.slides.dialects.toolathlon.app import mcp

__all__ = ["content", "design", "files", "mcp", "objects", "pictures", "templates"]
