"""The task sight/meeting_minutes."""
