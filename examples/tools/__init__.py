"""An example of every tool of the office, media and perception servers: run by a test, drawn by `make gallery`."""
