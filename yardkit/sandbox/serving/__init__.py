"""The servers: which there are, what they need, and serving them over a folder of the user."""
