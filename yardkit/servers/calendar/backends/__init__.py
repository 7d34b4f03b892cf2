"""Where calendars can be besides in a world."""
