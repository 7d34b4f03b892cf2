"""Readers of deliverables, independent of the servers' engines and hardened against hostile files."""
