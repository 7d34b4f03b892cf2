"""Statements of SQL: which are allowed, and how DuckDB is told what another dialect means."""
