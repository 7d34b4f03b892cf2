"""An example of every tool of the office servers: called by a test, and drawn for the eye by `make gallery`."""
