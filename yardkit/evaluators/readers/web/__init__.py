"""Readers of web pages: their source, and how they look in a browser."""
