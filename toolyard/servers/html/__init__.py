"""Work on web pages: create, edit, check, look at them in a real browser."""
