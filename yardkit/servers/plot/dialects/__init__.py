"""The tools of the server under other suites' names and text formats."""
