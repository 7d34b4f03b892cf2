"""The servers: their list, their requirements, and serving them over the user's folder."""
