"""The arithmetic: plain functions of text and numbers, bounded in time and size."""
