"""Blocks of a document read, made and changed: paragraphs, tables, pictures, sections."""
