"""Pivot tables: added with their values, read, computed anew, deleted."""
