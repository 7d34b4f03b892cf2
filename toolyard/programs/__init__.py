"""Running other programs: the jail, workers and their keeper, bounded calls, the runner of an agent's code."""
