"""The local tier: weights in the user's directories, run by a worker in a separate torch environment."""
