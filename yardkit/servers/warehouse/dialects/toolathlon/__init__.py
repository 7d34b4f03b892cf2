"""The warehouse in the dialect of Toolathlon: the 14 tools of its snowflake and the 39 of its google-cloud server."""

from yardkit.servers.warehouse.dialects.toolathlon import bigquery, cloud_logs, compute, snowflake, storage
from yardkit.servers.warehouse.dialects.toolathlon.app import mcp

__all__ = ["bigquery", "cloud_logs", "compute", "mcp", "snowflake", "storage"]
