"""Readers of what is looked at: pages of PDF files, Office files as they are printed, pictures."""
