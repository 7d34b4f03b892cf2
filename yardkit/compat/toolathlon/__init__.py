"""The servers of Toolathlon, by the names of our servers whose engines do the work."""
