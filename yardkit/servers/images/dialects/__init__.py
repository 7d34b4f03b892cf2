"""The server under the names of other suites."""
