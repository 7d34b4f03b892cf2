"""Which warehouse the tools work on, and what of it is allowed, as the environment says."""

import os
from typing import Literal

from yardkit.servers.warehouse.engine.live import LiveWarehouse
from yardkit.servers.warehouse.engine.stored_warehouse import Warehouse
from yardkit.world import Problem, current_world

Kind = Literal["datasets", "buckets", "logs", "instances"]
_NOUNS: dict[Kind, tuple[str, str]] = {
    "datasets": ("Dataset", "datasets"),
    "buckets": ("Bucket", "buckets"),
    "logs": ("Log", "log buckets"),
    "instances": ("Instance", "instances"),
}


def get_warehouse() -> Warehouse | LiveWarehouse:
    """The warehouse of the current world; in a user's own folder a live one, if its address is set.

    Raises:
        Problem: the address is not that of a PostgreSQL database.
    """
    world = current_world()
    url = os.environ.get("YARDKIT_WAREHOUSE_URL", "")
    if not url or world.frozen_now:
        return Warehouse(world)
    scheme, mark, _ = url.partition("://")
    if scheme not in ("postgresql", "postgres"):
        begins = f"begins with {scheme}://" if mark else "has no scheme"
        raise Problem(f"YARDKIT_WAREHOUSE_URL {begins}; it must be a PostgreSQL URL such as postgresql://host/name")
    user, password = (os.environ.get(f"YARDKIT_WAREHOUSE_{name}", "") for name in ("USER", "PASSWORD"))
    return LiveWarehouse(world, url, user, password, writes=os.environ.get("YARDKIT_WAREHOUSE_WRITES") == "1")


def is_allowed(kind: Kind, name: str) -> bool:
    """Whether a name is in the list of what is allowed, ``..._ALLOWED_BUCKETS=a,b*``; without one it is."""
    listed = os.environ.get(f"YARDKIT_WAREHOUSE_ALLOWED_{kind.upper()}", "")
    patterns = [pattern.strip() for pattern in listed.split(",") if pattern.strip()]
    return not patterns or any(
        name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern for pattern in patterns
    )


def require_allowed(kind: Kind, name: str) -> None:
    """Let only what is allowed pass.

    Raises:
        Problem: it is not in the list.
    """
    if not is_allowed(kind, name):
        noun, several = _NOUNS[kind]
        raise Problem(f"Access denied: {noun} '{name}' is not in allowed {several} list")
