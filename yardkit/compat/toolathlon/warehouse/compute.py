"""The 9 tools for instances of Toolathlon's google-cloud server: a table of machines, whose operations end at once."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager

from yardkit.apps.warehouse import Instance, read_cloud
from yardkit.compat.toolathlon.warehouse.app import prefix_problem
from yardkit.servers.warehouse.engine import buckets
from yardkit.servers.warehouse.settings import is_allowed, require_allowed
from yardkit.world import Problem, current_world

ZONES = tuple(
    f"{region}-{letter}"
    for region in (
        "asia-east1",
        "asia-northeast1",
        "europe-west1",
        "europe-west3",
        "us-central1",
        "us-east1",
        "us-west1",
    )
    for letter in "abc"
)
"""The zones that there are."""


def compute_list_instances(zone: str = "") -> str:
    instances = [
        f"- {name}: {facts.status} in {facts.zone}"
        for name, facts in _list_named_instances(read_cloud(current_world()).instances)
        if zone in ("", facts.zone) and is_allowed("instances", name)
    ]
    return "\n".join([f"Found {len(instances)} instances:", *instances])


def compute_create_instance(instance_name: str, zone: str, machine_type: str = "e2-micro") -> str:
    require_allowed("instances", instance_name)
    with prefix_problem("Error creating Compute Engine instance"), buckets.changing_cloud(current_world()) as cloud:
        if zone not in ZONES:
            raise Problem(f"there is no zone {zone!r}; there are {', '.join(ZONES[:6])} ...")
        if f"{zone}/{instance_name}" in cloud.instances:
            raise Problem(f"the instance '{instance_name}' already exists in {zone}")
        digits = hashlib.sha256(f"{zone}/{instance_name}".encode()).digest()
        own = Instance(
            zone, machine_type, "RUNNING", current_world().now.isoformat(), f"10.128.{digits[0]}.{digits[1]}"
        )
        cloud.instances[f"{zone}/{instance_name}"] = own
    return f"Successfully initiated creation of instance '{instance_name}' in zone '{zone}'"


def compute_delete_instance(instance_name: str, zone: str) -> str:
    with _change_instances(instance_name, zone, "Error deleting Compute Engine instance") as instances:
        del instances[f"{zone}/{instance_name}"]
    return f"Successfully initiated deletion of instance '{instance_name}' in zone '{zone}'"


def compute_start_instance(instance_name: str, zone: str) -> str:
    with _change_instances(instance_name, zone, "Error starting Compute Engine instance") as instances:
        instances[f"{zone}/{instance_name}"].status = "RUNNING"
    return f"Successfully initiated start of instance '{instance_name}' in zone '{zone}'"


def compute_stop_instance(instance_name: str, zone: str) -> str:
    with _change_instances(instance_name, zone, "Error stopping Compute Engine instance") as instances:
        instances[f"{zone}/{instance_name}"].status = "TERMINATED"
    return f"Successfully initiated stop of instance '{instance_name}' in zone '{zone}'"


def compute_restart_instance(instance_name: str, zone: str) -> str:
    with _change_instances(instance_name, zone, "Error restarting Compute Engine instance") as instances:
        status = instances[f"{zone}/{instance_name}"].status
        if status not in ("RUNNING", "STOPPING"):
            raise Problem(
                f"Cannot restart instance '{instance_name}': current status is '{status}'. "
                "Instance must be RUNNING or STOPPING to restart."
            )
        instances[f"{zone}/{instance_name}"].status = "RUNNING"
    return f"Successfully initiated restart of instance '{instance_name}' in zone '{zone}'"


def compute_get_instance(instance_name: str, zone: str) -> str:
    require_allowed("instances", instance_name)
    with prefix_problem(f"Error getting instance info for '{instance_name}'"):
        facts = _require_instance(read_cloud(current_world()).instances, instance_name, zone)
    lines = [f"Instance Information for '{instance_name}':", f"Status: {facts.status}", f"Zone: {facts.zone}"]
    lines += [f"Machine Type: {facts.machine_type}", f"Created: {facts.created}", f"Internal IP: {facts.internal_ip}"]
    lines += [f"External IP: {facts.external_ip or 'None'}", f"Boot Disk: {facts.disk_gb} GB"]
    return "\n".join([*lines, f"Network Tags: {facts.tags}", f"Labels: {facts.labels}"])


def compute_list_zones() -> str:
    return "\n".join([f"Found {len(ZONES)} available zones:", *(f"- {zone}" for zone in ZONES)])


def compute_wait_for_operation(operation_name: str, zone: str, timeout_minutes: int = 5) -> str:
    del timeout_minutes
    if zone not in ZONES:
        raise Problem(f"Error waiting for operation '{operation_name}': there is no zone {zone!r}")
    return f"Operation '{operation_name}' completed successfully"


def _list_named_instances(instances: dict[str, Instance]) -> list[tuple[str, Instance]]:
    return [(key.partition("/")[2], facts) for key, facts in sorted(instances.items())]


def _require_instance(instances: dict[str, Instance], name: str, zone: str) -> Instance:
    if f"{zone}/{name}" not in instances:
        known = ", ".join(f"{own} in {facts.zone}" for own, facts in _list_named_instances(instances)[:8]) or "none"
        raise Problem(f"the instance '{name}' was not found in {zone}; there are {known}")
    return instances[f"{zone}/{name}"]


@contextmanager
def _change_instances(name: str, zone: str, what: str) -> Iterator[dict[str, Instance]]:
    require_allowed("instances", name)
    with buckets.changing_cloud(current_world()) as cloud:
        with prefix_problem(what):
            _require_instance(cloud.instances, name, zone)
        yield cloud.instances
