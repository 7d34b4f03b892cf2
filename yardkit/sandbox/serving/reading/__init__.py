"""The law of reading: each word that a file holds comes out of the tools that read it."""
