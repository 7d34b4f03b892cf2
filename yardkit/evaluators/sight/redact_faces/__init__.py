"""The task sight/redact_faces."""
