"""The state of apps in a world: the store of records, and the records of each app."""
