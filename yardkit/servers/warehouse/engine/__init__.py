"""The work on the warehouse: SQL of several dialects on Parquet tables through DuckDB, buckets and logs."""
