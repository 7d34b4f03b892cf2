"""How good the models are that the servers use, on data that a user has: `yardkit models eval`."""
