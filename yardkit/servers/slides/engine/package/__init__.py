"""A presentation file: its parts, its shapes and its theme, and slides copied with what hangs on them."""
