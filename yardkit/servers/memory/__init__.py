"""Stores knowledge about people and things as a graph of entities and relations, in a workspace file."""

GROUP = "apps"
