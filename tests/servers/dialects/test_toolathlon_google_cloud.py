"""The 39 tools of Toolathlon's google-cloud server, each in the words of its texts."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from support.speaking import Agent
from support.warehouses import write_parquet

from yardkit.apps.warehouse import (
    Bucket,
    Catalog,
    Cloud,
    Entry,
    Instance,
    Job,
    Schema,
    Table,
    bucket_folder,
    log_file,
    save_catalog,
    save_cloud,
    write_entries,
)
from yardkit.sandbox.serving.registry import load_server
from yardkit.world import World, save_bytes, save_text, use_world


@pytest.fixture
def agent(tmp_path: Path) -> Iterator[Agent]:
    world = World.create(tmp_path / "world", task="toolathlon", seed=1)
    sold = pa.table({"id": [1, 2, 3], "region": ["a", "b", "a"], "amount": [1.5, None, 4.0]})
    save_bytes(world.get_app_folder("warehouse") / "office-1" / "sales" / "orders.parquet", write_parquet(sold))
    schema = Schema(
        "2026-01-05T08:00:00+00:00", "Sold goods", "EU", tables={"orders": Table("2026-02-01T00:00:00+00:00")}
    )
    save_catalog(world, Catalog("office-1", {"office-1": {"sales": schema}}))
    instance = Instance("europe-west3-a", "e2-medium", "RUNNING", "2026-01-02T03:04:05Z", "10.0.0.2", tags=["web"])
    cloud = Cloud(
        "office-1",
        {"office-data": Bucket("2026-01-05T08:00:00Z", "EU", labels={"team": "data"})},
        instances={"europe-west3-a/web-1": instance},
        jobs={
            "job-7": Job("RUNNING", "query", "2026-03-16T08:00:00Z"),
            "job-6": Job("DONE", "load", "2026-03-15", "bad row"),
        },
    )
    save_cloud(world, cloud)
    save_text(bucket_folder(world, "office-data") / "in" / "a.csv", "id,region\n9,z\n")
    entries = [Entry("2026-03-15T10:00:00Z", "INFO", "started"), Entry("2026-03-16T08:00:00Z", "ERROR", "disk full")]
    write_entries(log_file(world, "app"), entries)
    with use_world(world):
        yield Agent(load_server("warehouse", "toolathlon"), world.files)


async def test_queries_tell_totals_and_rows(agent: Agent) -> None:
    query = "SELECT region, SUM(amount) AS total, COUNT(*) FROM `office-1.sales.orders` GROUP BY region ORDER BY region"
    lines = (await agent.says("bigquery_run_query", query=query)).splitlines()
    assert lines[:2] == ["Query executed successfully.", "Total rows: 2, Returned: 2"]
    assert lines[2].startswith("Bytes processed: ")
    assert lines[4:] == [
        "Sample results (first 2 rows):",
        "Row 1: {'region': 'a', 'total': 5.5, 'f0_': 2}",
        "Row 2: {'region': 'b', 'total': None, 'f0_': 1}",
    ]
    text = await agent.says("bigquery_run_query", query=query, dry_run=True)
    assert text.startswith("Query validation successful.\nEstimated bytes processed: ")
    assert text.endswith("Estimated cost: $0.0000 USD")
    text = await agent.says("bigquery_run_query", query="SELECT 1 FROM sales.orders WHERE FALSE")
    assert text.endswith("No results returned.")
    text = await agent.says("bigquery_run_query", query="SELECT id FROM sales.orders", max_results=1)
    assert "Total rows: 3, Returned: 1" in text


async def test_statements_of_bigquery_change_rows(agent: Agent) -> None:
    reply = await agent.says("bigquery_run_query", query="UPDATE sales.orders SET amount = 2 WHERE amount IS NULL")
    assert reply.startswith("Query executed successfully.")
    assert reply.endswith("Affected rows: 1")
    reply = await agent.call_for_error("bigquery_run_query", query="SELECT nope FROM sales.orders")
    assert reply.startswith("Error executing BigQuery query: ")


async def test_datasets_are_listed_made_and_told(agent: Agent) -> None:
    reply = await agent.says("bigquery_create_dataset", dataset_id="lab", description="Tests", location="EU")
    assert reply == "Successfully created dataset 'lab' in location 'EU'"
    reply = await agent.says("bigquery_list_datasets")
    assert reply == "Found 2 datasets:\n- lab (Project: office-1)\n- sales (Project: office-1)"
    assert (await agent.says("bigquery_get_dataset_info", dataset_id="sales")).splitlines() == [
        "Dataset Information for 'sales':",
        "Full Name: office-1:sales",
        "Location: EU",
        "Description: Sold goods",
        "Created: 2026-01-05T08:00:00+00:00",
        "Modified: 2026-02-01T00:00:00+00:00",
        "Default Table Expiration: None ms",
        "Labels: None",
    ]
    reply = await agent.call_for_error("bigquery_create_dataset", dataset_id="lab")
    assert reply == "Error creating BigQuery dataset: a schema office-1.lab already exists"
    reply = await agent.call_for_error("bigquery_get_dataset_info", dataset_id="nope")
    assert reply.startswith("Error getting dataset info for 'nope': ")


async def test_tables_are_loaded_and_exported(agent: Agent) -> None:
    (agent.files / "in.csv").write_text("id,region,amount\n8,c,1.0\n")
    place = {"dataset_id": "sales", "table_id": "orders"}
    for mode, rows in (("WRITE_APPEND", 4), ("WRITE_TRUNCATE", 1)):
        reply = await agent.says("bigquery_load_csv_data", **place, csv_file_path="in.csv", write_mode=mode)
        assert reply == "Successfully loaded CSV data from 'in.csv' to table 'sales.orders'"
        count_reply = await agent.says("bigquery_run_query", query="SELECT COUNT(*) AS n FROM sales.orders")
        assert f"Row 1: {{'n': {rows}}}" in count_reply
    reply = await agent.call_for_error(
        "bigquery_load_csv_data", **place, csv_file_path="in.csv", write_mode="WRITE_EMPTY"
    )
    assert reply.startswith("Error loading CSV data to BigQuery: ")
    export = {**place, "destination_bucket": "office-data", "destination_path": "out/orders.csv"}
    reply = await agent.says("bigquery_export_table", **export)
    assert reply == "Successfully exported table 'sales.orders' to 'gs://office-data/out/orders.csv'"
    assert (
        (agent.files.parent / "apps/warehouse/@buckets/office-data/out/orders.csv").read_text().startswith("id,region")
    )
    reply = await agent.call_for_error("bigquery_export_table", **export, file_format="AVRO")
    assert reply == "Export format 'AVRO' not yet supported. Currently only CSV is supported."


async def test_jobs_are_listed_and_cancelled(agent: Agent) -> None:
    assert (await agent.says("bigquery_list_jobs")).splitlines() == [
        "Found 2 BigQuery jobs:",
        "- job-7: RUNNING (query)",
        "  Created: 2026-03-16T08:00:00Z",
        "- job-6: DONE (load)",
        "  Created: 2026-03-15",
        "  Error: bad row",
    ]
    assert await agent.says("bigquery_list_jobs", state_filter="PENDING") == "No BigQuery jobs found"
    assert await agent.says("bigquery_cancel_job", job_id="job-7") == "Successfully cancelled BigQuery job 'job-7'"
    message = await agent.call_for_error("bigquery_cancel_job", job_id="job-7")
    assert message == "Could not cancel BigQuery job 'job-7' (may already be completed)"


async def test_buckets_and_objects_come_and_go(agent: Agent) -> None:
    assert await agent.says("storage_list_buckets") == "Found 1 buckets:\n- office-data: EU"
    reply = await agent.says("storage_create_bucket", bucket_name="spare", location="US")
    assert reply == "Successfully created bucket 'spare' in location 'US'"
    (agent.files / "note.txt").write_text("hello")
    up = {"bucket_name": "spare", "source_file_path": "note.txt", "destination_blob_name": "n/note.txt"}
    assert await agent.says("storage_upload_file", **up) == "Successfully uploaded 'note.txt' to 'spare/n/note.txt'"
    reply = await agent.says("storage_list_objects", bucket_name="spare", prefix="n/")
    assert reply == "Found 1 objects in bucket 'spare':\n- n/note.txt: 5 bytes"
    both = {"source_bucket": "spare", "source_blob": "n/note.txt", "dest_bucket": "office-data", "dest_blob": "b.txt"}
    assert (
        await agent.says("storage_copy_object", **both)
        == "Successfully copied 'spare/n/note.txt' to 'office-data/b.txt'"
    )
    reply = await agent.says("storage_move_object", **{**both, "dest_blob": "c.txt"})
    assert reply == "Successfully moved 'spare/n/note.txt' to 'office-data/c.txt'"
    down = {"bucket_name": "office-data", "source_blob_name": "c.txt", "destination_file_path": "back.txt"}
    reply = await agent.says("storage_download_file", **down)
    assert reply.startswith("Successfully downloaded 'office-data/c.txt' to 'back.txt'")
    assert (agent.files / "back.txt").read_text() == "hello"
    gone = {"bucket_name": "office-data", "blob_name": "c.txt"}
    assert await agent.says("storage_delete_object", **gone) == "Successfully deleted 'c.txt' from bucket 'office-data'"
    reply = await agent.call_for_error("storage_delete_object", **gone)
    assert reply.startswith("Object 'c.txt' not found in bucket 'office-data': ")
    for name in ("../x", "a//b", "/etc/passwd", "a/../../b"):
        assert "not a valid object name" in await agent.call_for_error(
            "storage_delete_object", bucket_name="spare", blob_name=name
        )


async def test_facts_of_buckets_are_told_and_set(agent: Agent) -> None:
    name = {"bucket_name": "office-data"}
    reply = await agent.says("storage_enable_versioning", **name)
    assert reply == "Successfully enabled versioning for bucket 'office-data'"
    reply = await agent.says("storage_set_bucket_lifecycle", **name, age_days=7)
    assert reply == "Successfully set lifecycle rule for bucket 'office-data': Delete objects after 7 days"
    assert (await agent.says("storage_get_bucket_info", **name)).splitlines() == [
        "Bucket Information for 'office-data':",
        "Location: EU",
        "Storage Class: STANDARD",
        "Created: 2026-01-05T08:00:00Z",
        "Versioning: Enabled",
        "Labels: {'team': 'data'}",
        "Lifecycle Rules: 1",
    ]
    assert (await agent.says("storage_get_bucket_size", **name)).splitlines() == [
        "Bucket Size Statistics for 'office-data':",
        "Total Objects: 1",
        "Total Size: 14 bytes",
        "Size (MB): 0.00 MB",
        "Size (GB): 0.00 GB",
    ]
    reply = await agent.says("storage_generate_signed_url", **name, blob_name="in/a.csv", expiration_minutes=5)
    assert reply.startswith(
        "Signed URL for 'office-data/in/a.csv' (expires in 5 minutes):\nhttps://storage.googleapis.com/"
    )
    assert "X-Goog-Expires=300" in reply
    reply = await agent.call_for_error("storage_get_bucket_info", bucket_name="nope")
    assert reply == "Error getting bucket info for 'nope': there is no bucket 'nope'; there are: office-data"


async def test_logs_are_written_read_and_deleted(agent: Agent) -> None:
    reply = await agent.says("logging_write_log", log_name="app", message="late", severity="WARNING")
    assert reply == "Successfully wrote log entry to 'app' with severity 'WARNING'"
    assert (await agent.says("logging_read_logs", log_filter="severity>=WARNING")).splitlines() == [
        "Found 2 log entries:",
        "[2026-03-16T09:00:00Z] WARNING: late",
        "[2026-03-16T08:00:00Z] ERROR: disk full",
    ]
    by_text = 'logName="projects/office-1/logs/app" AND textPayload:"disk" AND timestamp>="2026-03-16T00:00:00Z"'
    assert "Found 1 log entries" in await agent.says("logging_read_logs", log_filter=by_text)
    assert "Found 2 log" in await agent.says("logging_read_logs", log_filter='NOT "disk full"')
    reply = await agent.says("logging_read_logs", log_filter="severity=DEBUG")
    assert reply == "No log entries found matching the filter criteria"
    assert (await agent.call_for_error("logging_read_logs", log_filter="a OR b")).startswith(
        "Error reading logs: the filter"
    )
    assert await agent.says("logging_list_logs") == "Found 1 logs:\n- projects/office-1/logs/app"
    assert await agent.says("logging_delete_log", log_name="app") == "Successfully deleted log 'app'"
    assert await agent.says("logging_list_logs") == "No logs found"
    assert (
        await agent.call_for_error("logging_delete_log", log_name="app")
        == "Log 'app' not found or could not be deleted"
    )


async def test_sinks_log_buckets_and_exports(agent: Agent) -> None:
    assert await agent.says("logging_list_log_sinks") == "No log sinks found"
    sink = {"sink_name": "errors", "destination": "storage://office-data", "log_filter": "severity>=ERROR"}
    reply = await agent.says("logging_create_log_sink", **sink)
    assert reply == "Successfully created log sink 'errors' to destination 'storage://office-data'"
    reply = await agent.says("logging_list_log_sinks")
    assert reply.splitlines()[1:] == ["- errors", "  Destination: storage://office-data", "  Filter: severity>=ERROR"]
    assert await agent.says("logging_delete_log_sink", sink_name="errors") == "Successfully deleted log sink 'errors'"
    reply = await agent.call_for_error("logging_delete_log_sink", sink_name="errors")
    assert reply == "Log sink 'errors' not found or could not be deleted"
    reply = await agent.says("logging_create_log_bucket", bucket_id="long", retention_days=365)
    assert reply == "Successfully created log bucket 'long' with 365 days retention"
    reply = await agent.says("logging_export_logs_to_bigquery", dataset_id="sales", table_id="logs", days_back=1)
    assert reply == "Successfully exported logs to BigQuery table 'sales.logs'"
    query_reply = await agent.says(
        "bigquery_run_query", query="SELECT severity, message FROM sales.logs ORDER BY timestamp"
    )
    assert query_reply.endswith("Row 2: {'severity': 'ERROR', 'message': 'disk full'}")


async def test_instances_are_a_table(agent: Agent) -> None:
    web, lab = {"instance_name": "web-1", "zone": "europe-west3-a"}, {"instance_name": "lab", "zone": "us-east1-b"}
    reply = await agent.says("compute_create_instance", **lab)
    assert reply == "Successfully initiated creation of instance 'lab' in zone 'us-east1-b'"
    reply = await agent.says("compute_stop_instance", **web)
    assert reply == "Successfully initiated stop of instance 'web-1' in zone 'europe-west3-a'"
    reply = await agent.says("compute_list_instances")
    assert reply == "Found 2 instances:\n- web-1: TERMINATED in europe-west3-a\n- lab: RUNNING in us-east1-b"
    reply = await agent.call_for_error("compute_restart_instance", **web)
    assert reply == (
        "Cannot restart instance 'web-1': current status is 'TERMINATED'. "
        "Instance must be RUNNING or STOPPING to restart."
    )
    reply = await agent.says("compute_start_instance", **web)
    assert reply == "Successfully initiated start of instance 'web-1' in zone 'europe-west3-a'"
    reply = await agent.says("compute_restart_instance", **web)
    assert reply == "Successfully initiated restart of instance 'web-1' in zone 'europe-west3-a'"
    assert (await agent.says("compute_get_instance", **web)).splitlines() == [
        "Instance Information for 'web-1':",
        "Status: RUNNING",
        "Zone: europe-west3-a",
        "Machine Type: e2-medium",
        "Created: 2026-01-02T03:04:05Z",
        "Internal IP: 10.0.0.2",
        "External IP: None",
        "Boot Disk: 10 GB",
        "Network Tags: ['web']",
        "Labels: {}",
    ]
    reply = await agent.says("compute_delete_instance", **lab)
    assert reply == "Successfully initiated deletion of instance 'lab' in zone 'us-east1-b'"
    reply = await agent.call_for_error("compute_get_instance", **lab)
    assert reply.startswith("Error getting instance info for 'lab': the instance 'lab' was not found in us-east1-b; ")
    assert "- europe-west3-a" in await agent.says("compute_list_zones")
    reply = await agent.says("compute_wait_for_operation", operation_name="op-1", zone="us-east1-b")
    assert reply == "Operation 'op-1' completed successfully"


async def test_only_what_is_allowed_is_used(agent: Agent, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YARDKIT_WAREHOUSE_ALLOWED_BUCKETS", "spare, team-*")
    message = await agent.call_for_error("storage_list_objects", bucket_name="office-data")
    assert message == "Access denied: Bucket 'office-data' is not in allowed buckets list"
    assert await agent.says("storage_list_buckets") == "Found 0 buckets:"
    assert (await agent.says("storage_create_bucket", bucket_name="team-a")).startswith("Successfully created")
