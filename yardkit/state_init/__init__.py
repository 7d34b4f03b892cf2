"""Scripts that seed worlds: what was there before the agent came. Never visible to an agent."""
