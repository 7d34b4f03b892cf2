"""Where episodes run: tasks, ledger, gateway, agents, grading, reports, command line."""
