"""Yardkit's tasks in the words of other harnesses.

Each module needs the package of its harness, which is installed beside Yardkit (docs/frameworks.md names versions).
"""
