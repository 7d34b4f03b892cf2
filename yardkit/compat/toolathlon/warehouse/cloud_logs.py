"""The 9 tools for logs of Toolathlon's google-cloud server, with its texts."""

import json
from datetime import UTC, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from yardkit.apps.warehouse import LogBucket, Sink, log_file, read_cloud
from yardkit.compat.toolathlon.warehouse.app import prefix_problem
from yardkit.servers.warehouse.engine import buckets, logs
from yardkit.servers.warehouse.engine.names import find_schema, find_spelling
from yardkit.servers.warehouse.settings import get_warehouse, is_allowed, require_allowed
from yardkit.world import Problem, current_world
from yardkit.world.changes import note_changed


def logging_write_log(log_name: str, message: str, severity: str = "INFO") -> str:
    require_allowed("logs", log_name)
    with prefix_problem("Error writing log"):
        logs.write_entry(current_world(), log_name, message, severity.upper())
    return f"Successfully wrote log entry to '{log_name}' with severity '{severity}'"


def logging_read_logs(log_filter: str = "", max_entries: int = 50) -> str:
    with prefix_problem("Error reading logs"):
        matching_entries = logs.filter_entries(current_world(), log_filter, limit=1_000_000).entries
    entries = [line for line in matching_entries if is_allowed("logs", line.log)][:max_entries]
    if not entries:
        return "No log entries found matching the filter criteria"
    lines = [f"[{line.time}] {line.severity}: {line.message}" for line in entries]
    return "\n".join([f"Found {len(entries)} log entries:", *lines])


def logging_list_logs() -> str:
    world = current_world()
    project = read_cloud(world).project
    names = [f"projects/{project}/logs/{name}" for name in logs.log_names(world) if is_allowed("logs", name)]
    if not names:
        return "No logs found"
    return "\n".join([f"Found {len(names)} logs:", *(f"- {name}" for name in names)])


def logging_delete_log(log_name: str) -> str:
    require_allowed("logs", log_name)
    path = log_file(current_world(), log_name)
    if not path.exists():
        raise Problem(f"Log '{log_name}' not found or could not be deleted")
    path.unlink()
    note_changed(path)
    return f"Successfully deleted log '{log_name}'"


def logging_create_log_sink(sink_name: str, destination: str, log_filter: str = "") -> str:
    with buckets.changing_cloud(current_world()) as cloud:
        if sink_name in cloud.sinks:
            raise Problem(f"Error creating log sink '{sink_name}': it already exists")
        cloud.sinks[sink_name] = Sink(destination, log_filter)
    return f"Successfully created log sink '{sink_name}' to destination '{destination}'"


def logging_list_log_sinks() -> str:
    sinks = read_cloud(current_world()).sinks
    if not sinks:
        return "No log sinks found"
    lines = [f"Found {len(sinks)} log sinks:"]
    for name, sink in sorted(sinks.items()):
        lines += [f"- {name}", f"  Destination: {sink.destination}", f"  Filter: {sink.filter or 'None'}"]
    return "\n".join([*lines, ""])


def logging_delete_log_sink(sink_name: str) -> str:
    with buckets.changing_cloud(current_world()) as cloud:
        if cloud.sinks.pop(sink_name, None) is None:
            raise Problem(f"Log sink '{sink_name}' not found or could not be deleted")
    return f"Successfully deleted log sink '{sink_name}'"


def logging_export_logs_to_bigquery(dataset_id: str, table_id: str, log_filter: str = "", days_back: int = 1) -> str:
    require_allowed("datasets", dataset_id)
    with prefix_problem("Error exporting logs to BigQuery"):
        _export_logs(dataset_id, table_id, log_filter, days_back)
    return f"Successfully exported logs to BigQuery table '{dataset_id}.{table_id}'"


def logging_create_log_bucket(bucket_id: str, location: str = "global", retention_days: int = 30) -> str:
    require_allowed("logs", bucket_id)
    with buckets.changing_cloud(current_world()) as cloud:
        if bucket_id in cloud.log_buckets:
            raise Problem(f"Error creating log bucket '{bucket_id}': it already exists")
        cloud.log_buckets[bucket_id] = LogBucket(location, retention_days)
    return f"Successfully created log bucket '{bucket_id}' with {retention_days} days retention"


def _export_logs(dataset: str, table: str, text: str, days: int) -> None:
    world = current_world()
    since = f"{(world.now - timedelta(days=days)).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    recent_lines = [line for line in logs.filter_entries(world, text, limit=1_000_000).entries if line.time >= since]
    if not recent_lines:
        raise Problem(f"no entries match since {since}; widen the filter or days_back")
    catalog = get_warehouse().catalog
    database, schema = find_schema(catalog, dataset.split("."))
    there = find_spelling(catalog.databases[database][schema].tables, table)
    rows = [
        {"timestamp": line.time, "severity": line.severity, "log_name": line.log, "message": line.message}
        for line in reversed(recent_lines)
    ]
    with TemporaryDirectory() as folder:
        draft = Path(folder) / "logs.jsonl"
        draft.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
        get_warehouse().load(draft, f"{database}.{schema}.{there or table}", "append" if there else "new")
