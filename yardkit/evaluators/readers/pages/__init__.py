"""Readers of visual deliverables: pages of PDF files, printed Office files, pictures."""
