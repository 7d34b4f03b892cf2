"""Keeps folders and files on a shared drive: finds, copies, moves, shares them, and brings them to the workspace."""

GROUP = "apps"
