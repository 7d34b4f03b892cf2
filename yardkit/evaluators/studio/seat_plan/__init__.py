"""The task studio/seat_plan."""
