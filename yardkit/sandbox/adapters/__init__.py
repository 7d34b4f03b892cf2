"""Yardkit's tasks in the formats of other evaluation harnesses.

Each module needs the package of its harness, which is installed beside Yardkit (docs/frameworks.md names versions).
"""
