"""What a deck says: read, replaced, compared and checked."""
