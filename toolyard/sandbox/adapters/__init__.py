"""Toolyard's tasks in the words of other harnesses.

Each module needs the package of its harness, which is installed beside Toolyard (docs/frameworks.md names versions).
"""
