"""Episodes: a seeded world, the calls of one agent on it, its states, its ledger and its grade."""
