"""The task studio/receipt_photo."""
