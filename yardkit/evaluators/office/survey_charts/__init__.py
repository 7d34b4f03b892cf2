"""Checks and proof of office/survey_charts."""
