"""Keeps what is known about people and things as a graph of entities and relations, in a file of the workspace."""

GROUP = "apps"
