"""The task sight/floor_plan_seats."""
