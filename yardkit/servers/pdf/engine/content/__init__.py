"""Content streams and what they rest on, glyph by glyph: encodings, fonts, pictures, the text that they show."""
