"""Readers of delivered things, independent of the servers' engines, hardened against hostile files."""
