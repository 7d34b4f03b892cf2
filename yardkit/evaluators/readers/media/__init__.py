"""Readers of pictures, films and sounds: composition, lettering, frames, levels."""
