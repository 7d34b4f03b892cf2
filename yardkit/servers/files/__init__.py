"""List, read, write, edit, move, copy and delete files of the workspace, and search them by name or content."""

GROUP = "office"
