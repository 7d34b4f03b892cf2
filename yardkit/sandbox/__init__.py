"""Where episodes run: tasks, episodes, gateway, agents, runs, proofs, reports, command line."""
