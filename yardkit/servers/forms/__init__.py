"""Questionnaires: make and change them, close them, read what people answered."""

GROUP = "apps"
