"""Readers of Office files: documents, workbooks, presentations, and the charts in them."""
