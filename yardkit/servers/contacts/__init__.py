"""The address book of the workspace's owner: people and companies are found, kept and deleted."""

GROUP = "apps"
