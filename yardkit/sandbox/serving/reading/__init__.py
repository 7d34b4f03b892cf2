"""The law of reading: tools that read a file show each of its words."""
