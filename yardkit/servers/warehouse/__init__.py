"""Data warehouse of a company: query and change tables in SQL of Snowflake or BigQuery, buckets of objects, logs."""

GROUP = "apps"
