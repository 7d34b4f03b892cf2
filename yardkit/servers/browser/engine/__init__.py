"""A browser whose state is a file of the world: tabs, cookies, storage, and what was done since a page was loaded."""
