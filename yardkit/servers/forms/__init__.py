"""Questionnaires: create, change and close them, and read the responses."""

GROUP = "apps"
