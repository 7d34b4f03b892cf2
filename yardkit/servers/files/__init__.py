"""Files and folders of the workspace: list, read, write, edit, move, copy, delete, and search by name or content."""

GROUP = "office"
