"""Presentations in the dialect of Toolathlon's pptx: 37 tools, by topic."""
