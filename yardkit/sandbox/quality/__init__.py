"""Measuring the quality of the servers' models on the user's data: `yardkit models eval`."""
