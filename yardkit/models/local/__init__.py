"""The local tier: weights in directories of the user, run by a worker in a torch environment of its own."""
