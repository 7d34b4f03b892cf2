"""Folders and files on a shared drive: find, copy, move and share them, and exchange them with the workspace."""

GROUP = "apps"
