"""Data warehouse of a company: query and change tables in Snowflake or BigQuery SQL, buckets of objects, logs."""

GROUP = "apps"
