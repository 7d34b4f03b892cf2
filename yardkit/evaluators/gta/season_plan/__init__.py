"""The task gta/season_plan."""
