"""The task studio/bug_report."""
