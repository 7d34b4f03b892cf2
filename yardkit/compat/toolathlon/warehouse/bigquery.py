"""The 8 tools for BigQuery of Toolathlon's google-cloud server, with its texts."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from yardkit.apps.warehouse import Schema, read_cloud
from yardkit.compat.toolathlon.warehouse.app import prefix_problem
from yardkit.servers.warehouse.engine import buckets
from yardkit.servers.warehouse.engine.names import find_schema, find_spelling, find_table
from yardkit.servers.warehouse.settings import get_warehouse, is_allowed, require_allowed
from yardkit.world import InFile, Problem, current_world

_DOLLARS_PER_BYTE = 6.25 / 2**40
_READS = re.compile(r"(\s|--[^\n]*\n|#[^\n]*\n|/\*.*?\*/|\()*(SELECT|WITH|FROM)\b", re.IGNORECASE | re.DOTALL)
_MODES = {"WRITE_TRUNCATE": "replace", "WRITE_APPEND": "append", "WRITE_EMPTY": "new"}


def bigquery_run_query(query: str, dry_run: bool = False, max_results: int = 1000) -> str:
    with prefix_problem("Error executing BigQuery query"):
        if not _READS.match(query):
            return _change_data(query, dry_run=dry_run)
        plan = get_warehouse().explain(query, "bigquery")
        if dry_run:
            return _format_validation(plan.size_bytes)
        rows = get_warehouse().query(query, "bigquery", 0, max_results, is_complete=True)
    lines = ["Query executed successfully.", f"Total rows: {rows.total}, Returned: {len(rows.rows)}"]
    lines += [f"Bytes processed: {plan.size_bytes}, Execution time: 0ms", ""]
    lines += [f"Sample results (first {len(rows.rows)} rows):"] if rows.rows else ["No results returned."]
    lines += [f"Row {number}: {dict(zip(rows.columns, row, strict=True))}" for number, row in enumerate(rows.rows, 1)]
    return "\n".join(lines)


def bigquery_list_datasets() -> str:
    datasets = [
        f"- {schema} (Project: {database})"
        for database, schemas in sorted(get_warehouse().catalog.databases.items())
        for schema in sorted(schemas)
        if is_allowed("datasets", schema)
    ]
    if not datasets:
        return "No datasets found or no access to allowed datasets"
    return "\n".join([f"Found {len(datasets)} datasets:", *datasets])


def bigquery_create_dataset(dataset_id: str, description: str = "", location: str = "US") -> str:
    require_allowed("datasets", dataset_id)
    with prefix_problem("Error creating BigQuery dataset"):
        project = get_warehouse().catalog.database or read_cloud(current_world()).project
        facts = Schema(current_world().now.isoformat(), description, location)
        get_warehouse().create_schema(project, dataset_id, facts)
    return f"Successfully created dataset '{dataset_id}' in location '{location}'"


def bigquery_get_dataset_info(dataset_id: str) -> str:
    require_allowed("datasets", dataset_id)
    with prefix_problem(f"Error getting dataset info for '{dataset_id}'"):
        catalog = get_warehouse().catalog
        database, name = find_schema(catalog, dataset_id.split("."))
    facts = catalog.databases[database][name]
    lines = [f"Dataset Information for '{dataset_id}':", f"Full Name: {database}:{name}", f"Location: {facts.location}"]
    lines += [f"Description: {facts.description or 'No description'}", f"Created: {facts.created}"]
    latest = max([facts.created, *(table.created for table in facts.tables.values())])
    lines += [f"Modified: {latest}", "Default Table Expiration: None ms", f"Labels: {facts.labels or 'None'}"]
    return "\n".join(lines)


def bigquery_load_csv_data(
    dataset_id: str, table_id: str, csv_file_path: InFile, skip_header: bool = True, write_mode: str = "WRITE_TRUNCATE"
) -> str:
    require_allowed("datasets", dataset_id)
    relative_path = current_world().to_relative(csv_file_path)
    with prefix_problem("Error loading CSV data to BigQuery"):
        _load_file(csv_file_path, f"{dataset_id}.{table_id}", _MODES[write_mode], header=skip_header)
    return f"Successfully loaded CSV data from '{relative_path}' to table '{dataset_id}.{table_id}'"


def bigquery_export_table(
    dataset_id: str, table_id: str, destination_bucket: str, destination_path: str, file_format: str = "CSV"
) -> str:
    require_allowed("datasets", dataset_id)
    require_allowed("buckets", destination_bucket)
    if file_format.upper() != "CSV":
        raise Problem(f"Export format '{file_format}' not yet supported. Currently only CSV is supported.")
    with prefix_problem("Error exporting BigQuery table"), TemporaryDirectory() as folder:
        name = find_table(get_warehouse().catalog, [*dataset_id.split("."), table_id])
        draft = Path(folder) / "export.csv"
        full_name = ".".join(f'"{part}"' for part in name)
        get_warehouse().export(f"SELECT * FROM {full_name}", "duckdb", draft)  # noqa: S608 - a table that is there
        buckets.save_object(current_world(), destination_bucket, destination_path, draft)
    return f"Successfully exported table '{dataset_id}.{table_id}' to 'gs://{destination_bucket}/{destination_path}'"


def bigquery_list_jobs(max_results: int = 50, state_filter: str = "") -> str:
    requested_state = state_filter.upper()
    jobs = sorted(read_cloud(current_world()).jobs.items(), key=lambda job: (job[1].created, job[0]), reverse=True)
    matching_jobs = [(name, job) for name, job in jobs if requested_state in ("", job.state)][:max_results]
    if not matching_jobs:
        return "No BigQuery jobs found"
    lines = [f"Found {len(matching_jobs)} BigQuery jobs:"]
    for name, job in matching_jobs:
        lines += [f"- {name}: {job.state} ({job.kind})", f"  Created: {job.created}"]
        lines += [f"  Error: {job.error}"] if job.error else []
    return "\n".join([*lines, ""])


def bigquery_cancel_job(job_id: str) -> str:
    with buckets.changing_cloud(current_world()) as cloud:
        job = cloud.jobs.get(job_id)
        if job is None:
            known = ", ".join(sorted(cloud.jobs)[:8]) or "none"
            raise Problem(f"Error cancelling BigQuery job '{job_id}': Not found; there are {known}")
        if job.state == "DONE":
            raise Problem(f"Could not cancel BigQuery job '{job_id}' (may already be completed)")
        job.state, job.error = "DONE", "Job was cancelled by the user"
    return f"Successfully cancelled BigQuery job '{job_id}'"


def _change_data(query: str, *, dry_run: bool) -> str:
    if dry_run:
        return _format_validation(0)
    changed = get_warehouse().change(query, "bigquery")
    affected = f"\nAffected rows: {changed.rows}" if changed.rows is not None else ""
    lines = ["Query executed successfully.", "Total rows: 0, Returned: 0", "Bytes processed: 0, Execution time: 0ms"]
    return "\n".join([*lines, "", "No results returned."]) + affected


def _format_validation(size: int) -> str:
    cost = size * _DOLLARS_PER_BYTE
    lines = ["Query validation successful.", f"Estimated bytes processed: {size}", f"Estimated cost: ${cost:.4f} USD"]
    return "\n".join(lines)


def _load_file(source: Path, name: str, mode: str, *, header: bool) -> None:
    catalog = get_warehouse().catalog
    database, schema = find_schema(catalog, name.split(".")[:-1])
    there = find_spelling(catalog.databases[database][schema].tables, name.rpartition(".")[2])
    full_name = f"{database}.{schema}.{there or name.rpartition('.')[2]}"
    get_warehouse().load(source, full_name, mode if there else "new", header=header)
