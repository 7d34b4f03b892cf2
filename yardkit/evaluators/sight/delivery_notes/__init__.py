"""The task sight/delivery_notes."""
