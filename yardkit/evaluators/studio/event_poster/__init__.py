"""The task studio/event_poster."""
