"""Checks and proof of studio/podcast_episode."""
