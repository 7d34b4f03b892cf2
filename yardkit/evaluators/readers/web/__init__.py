"""Readers of web pages: their source and their rendering in a browser."""
