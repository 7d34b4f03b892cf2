"""The web in the words of others."""
