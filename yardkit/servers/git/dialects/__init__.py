"""The git server under the names and formats of other suites."""
