"""The address book of the workspace's owner: find, save and delete people and companies."""

GROUP = "apps"
