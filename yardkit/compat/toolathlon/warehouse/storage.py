"""The 13 tools for buckets of Toolathlon's google-cloud server, with its texts."""

import hashlib
import hmac
from datetime import UTC, timedelta
from urllib.parse import quote, urlencode

from yardkit.apps.warehouse import Bucket, read_cloud
from yardkit.compat.toolathlon.warehouse.app import prefix_problem
from yardkit.kit.dialect import Saved
from yardkit.servers.warehouse.engine import buckets
from yardkit.servers.warehouse.settings import is_allowed, require_allowed
from yardkit.world import FileRef, InFile, OutFile, Problem, current_world

_MAX_LISTED = 1_000


def storage_list_buckets() -> str:
    bucket_lines = [line for line in buckets.list_buckets(current_world()).buckets if is_allowed("buckets", line.name)]
    return "\n".join(
        [f"Found {len(bucket_lines)} buckets:", *(f"- {line.name}: {line.location}" for line in bucket_lines)]
    )


def storage_create_bucket(bucket_name: str, location: str = "US") -> str:
    require_allowed("buckets", bucket_name)
    world = current_world()
    with prefix_problem("Error creating Cloud Storage bucket"):
        buckets.create_bucket(world, bucket_name, Bucket(world.now.isoformat(), location))
    return f"Successfully created bucket '{bucket_name}' in location '{location}'"


def storage_list_objects(bucket_name: str, prefix: str = "") -> str:
    require_allowed("buckets", bucket_name)
    with prefix_problem(f"Error listing objects in bucket '{bucket_name}'"):
        matching_objects = buckets.list_objects(current_world(), bucket_name, prefix, limit=_MAX_LISTED)
    lines = [f"- {line.name}: {line.size_bytes} bytes" for line in matching_objects.objects]
    more = "..." if matching_objects.next_offset else ""
    return f"Found {matching_objects.total} objects in bucket '{bucket_name}':\n" + "\n".join(lines) + more


def storage_upload_file(bucket_name: str, source_file_path: InFile, destination_blob_name: str) -> str:
    require_allowed("buckets", bucket_name)
    world = current_world()
    with prefix_problem(f"Error uploading file to bucket '{bucket_name}'"):
        buckets.save_object(world, bucket_name, destination_blob_name, source_file_path)
    relative_path = world.to_relative(source_file_path)
    return f"Successfully uploaded '{relative_path}' to '{bucket_name}/{destination_blob_name}'"


def storage_download_file(bucket_name: str, source_blob_name: str, destination_file_path: OutFile) -> Saved:
    require_allowed("buckets", bucket_name)
    world = current_world()
    with prefix_problem(f"Error downloading file from bucket '{bucket_name}'"):
        buckets.fetch_object(world, bucket_name, source_blob_name, destination_file_path)
    relative_path = world.to_relative(destination_file_path)
    message = f"Successfully downloaded '{bucket_name}/{source_blob_name}' to '{relative_path}'"
    return Saved(message, FileRef.from_path(destination_file_path))


def storage_delete_object(bucket_name: str, blob_name: str) -> str:
    require_allowed("buckets", bucket_name)
    with prefix_problem(f"Object '{blob_name}' not found in bucket '{bucket_name}'"):
        buckets.delete_object(current_world(), bucket_name, blob_name)
    return f"Successfully deleted '{blob_name}' from bucket '{bucket_name}'"


def storage_get_bucket_info(bucket_name: str) -> str:
    facts = _require_bucket(bucket_name, f"Error getting bucket info for '{bucket_name}'")
    lines = [f"Bucket Information for '{bucket_name}':", f"Location: {facts.location}"]
    lines += [f"Storage Class: {facts.storage_class}", f"Created: {facts.created}"]
    lines += [f"Versioning: {'Enabled' if facts.versioning else 'Disabled'}", f"Labels: {facts.labels}"]
    return "\n".join([*lines, f"Lifecycle Rules: {len(facts.lifecycle)}"])


def storage_generate_signed_url(
    bucket_name: str, blob_name: str, expiration_minutes: int = 60, method: str = "GET"
) -> str:
    _require_bucket(bucket_name, f"Error generating signed URL for '{bucket_name}/{blob_name}'")
    url = _sign_address(bucket_name, blob_name, expiration_minutes, method)
    return f"Signed URL for '{bucket_name}/{blob_name}' (expires in {expiration_minutes} minutes):\n{url}"


def storage_copy_object(source_bucket: str, source_blob: str, dest_bucket: str, dest_blob: str) -> str:
    _require_both(source_bucket, dest_bucket)
    with prefix_problem("Error copying object"):
        buckets.copy_object(current_world(), source_bucket, source_blob, dest_bucket, dest_blob)
    return f"Successfully copied '{source_bucket}/{source_blob}' to '{dest_bucket}/{dest_blob}'"


def storage_move_object(source_bucket: str, source_blob: str, dest_bucket: str, dest_blob: str) -> str:
    _require_both(source_bucket, dest_bucket)
    with prefix_problem("Error moving object"):
        buckets.copy_object(current_world(), source_bucket, source_blob, dest_bucket, dest_blob, move=True)
    return f"Successfully moved '{source_bucket}/{source_blob}' to '{dest_bucket}/{dest_blob}'"


def storage_enable_versioning(bucket_name: str, enabled: bool = True) -> str:
    error_prefix = f"Error updating versioning for bucket '{bucket_name}'"
    _require_bucket(bucket_name, error_prefix)
    with buckets.changing_cloud(current_world()) as cloud:
        cloud.buckets[bucket_name].versioning = enabled
    return f"Successfully {'enabled' if enabled else 'disabled'} versioning for bucket '{bucket_name}'"


def storage_get_bucket_size(bucket_name: str) -> str:
    _require_bucket(bucket_name, f"Error getting bucket size for '{bucket_name}'")
    line = next(line for line in buckets.list_buckets(current_world()).buckets if line.name == bucket_name)
    size = line.size_bytes
    lines = [f"Bucket Size Statistics for '{bucket_name}':", f"Total Objects: {line.objects}"]
    lines += [f"Total Size: {size} bytes", f"Size (MB): {size / 2**20:.2f} MB", f"Size (GB): {size / 2**30:.2f} GB"]
    return "\n".join(lines)


def storage_set_bucket_lifecycle(bucket_name: str, age_days: int = 30, action: str = "Delete") -> str:
    _require_bucket(bucket_name, f"Error setting lifecycle rules for bucket '{bucket_name}'")
    with buckets.changing_cloud(current_world()) as cloud:
        cloud.buckets[bucket_name].lifecycle = [{"action": action, "age_days": age_days}]
    return f"Successfully set lifecycle rule for bucket '{bucket_name}': {action} objects after {age_days} days"


def _require_bucket(name: str, what: str) -> Bucket:
    require_allowed("buckets", name)
    with prefix_problem(what):
        return buckets.require_bucket(read_cloud(current_world()), name)


def _require_both(source: str, target: str) -> None:
    for which, name in (("Source bucket", source), ("Destination bucket", target)):
        if not is_allowed("buckets", name):
            raise Problem(f"Access denied: {which} '{name}' is not in allowed buckets list")


def _sign_address(bucket: str, name: str, minutes: int, method: str) -> str:
    """An address as Google signs them (V4), with a signature of this world."""
    world = current_world()
    moment = world.now.astimezone(UTC)
    day, expires = f"{moment:%Y%m%d}", int(timedelta(minutes=minutes).total_seconds())
    account = f"service@{read_cloud(world).project}.iam.gserviceaccount.com/{day}/auto/storage/goog4_request"
    facts = {
        "X-Goog-Algorithm": "GOOG4-HMAC-SHA256",
        "X-Goog-Credential": account,
        "X-Goog-Date": f"{moment:%Y%m%dT%H%M%SZ}",
        "X-Goog-Expires": str(expires),
        "X-Goog-SignedHeaders": "host",
    }
    address = f"https://storage.googleapis.com/{bucket}/{quote(name)}?{urlencode(facts)}"
    key = f"{world.task}:{world.seed}".encode()
    return f"{address}&X-Goog-Signature={hmac.new(key, f'{method} {address}'.encode(), hashlib.sha256).hexdigest()}"
