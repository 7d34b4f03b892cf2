"""Buckets and their objects: files in folders of the app."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from yardkit.apps.warehouse import (
    APP,
    CLOUD,
    Bucket,
    Cloud,
    bucket_folder,
    checked_bucket,
    locate_folder,
    read_cloud,
    save_cloud,
)
from yardkit.world import Problem, World, lock_file, save_atomically
from yardkit.world.decoding import decode_file
from yardkit.world.guard import before_change, note_changed
from yardkit.world.limits import check_bytes

MAX_OBJECT_BYTES = 50_000_000
MAX_DISPLAYED = 40_000
"""Characters of an object that one call shows."""


@dataclass(frozen=True)
class BucketLine:
    """A bucket with what is in it."""

    name: str
    location: str
    objects: int
    size_bytes: int


@dataclass(frozen=True)
class Buckets:
    """All buckets, by name."""

    buckets: list[BucketLine]


@dataclass(frozen=True)
class ObjectLine:
    """An object. name: with the prefix that other systems show as folders."""

    name: str
    size_bytes: int


@dataclass(frozen=True)
class Objects:
    """A page of the objects of a bucket, by name. total: all that match; next_offset: where the list goes on."""

    bucket: str
    objects: list[ObjectLine]
    total: int
    next_offset: int | None


@dataclass(frozen=True)
class ObjectText:
    """A part of the text of an object. next_offset: where it goes on, null at its end."""

    name: str
    size_bytes: int
    text: str
    next_offset: int | None


@dataclass(frozen=True)
class ObjectChanged:
    """What was done with an object."""

    done: str
    bucket: str
    name: str
    size_bytes: int


def list_buckets(world: World) -> Buckets:
    """The buckets with their numbers of objects and bytes."""
    lines = []
    for name, facts in sorted(read_cloud(world).buckets.items()):
        sizes = [path.stat().st_size for _, path in _walk_objects(world, name)]
        lines.append(BucketLine(name, facts.location, len(sizes), sum(sizes)))
    return Buckets(lines)


def list_objects(world: World, bucket: str, prefix: str = "", offset: int = 0, limit: int = 200) -> Objects:
    """The objects of a bucket whose names begin with `prefix`.

    Raises:
        Problem: there is no such bucket.
    """
    require_bucket(read_cloud(world), bucket)
    object_lines = [
        ObjectLine(name, path.stat().st_size) for name, path in _walk_objects(world, bucket) if name.startswith(prefix)
    ]
    end = offset + limit
    return Objects(bucket, object_lines[offset:end], len(object_lines), end if end < len(object_lines) else None)


def read_object(world: World, bucket: str, name: str, offset: int = 0) -> ObjectText:
    """A part of the text of an object.

    Raises:
        Problem: it is not there, or no text.
    """
    path = object_path(world, bucket, name)
    text = decode_file(path.read_bytes(), name).text
    if offset and offset >= len(text):
        raise Problem(f"offset {offset} is beyond the end: the text has {len(text):,} characters")
    end = offset + MAX_DISPLAYED
    return ObjectText(name, path.stat().st_size, text[offset:end], end if end < len(text) else None)


def create_bucket(world: World, bucket: str, facts: Bucket) -> None:
    """Make an empty bucket.

    Raises:
        Problem: it is there, or its name is not valid.
    """
    with changing_cloud(world) as cloud:
        if checked_bucket(bucket) in cloud.buckets:
            raise Problem(f"a bucket {bucket!r} already exists")
        cloud.buckets[bucket] = facts


def save_object(world: World, bucket: str, name: str, source: Path) -> ObjectChanged:
    """Put the content of a file into a bucket.

    Raises:
        Problem: there is no such bucket, or the file is too large.
    """
    check_bytes(source, MAX_OBJECT_BYTES)
    target = _locate_object(world, bucket, name)
    with lock_file(target, world.locks), save_atomically(target) as draft:
        shutil.copyfile(source, draft)
    return ObjectChanged("saved", bucket, name, target.stat().st_size)


def fetch_object(world: World, bucket: str, name: str, target: Path) -> ObjectChanged:
    """Copy an object to a file of the workspace."""
    path = object_path(world, bucket, name)
    with lock_file(target, world.locks), save_atomically(target) as draft:
        shutil.copyfile(path, draft)
    return ObjectChanged("fetched", bucket, name, target.stat().st_size)


def copy_object(world: World, bucket: str, name: str, other: str, new: str, *, move: bool = False) -> ObjectChanged:
    """Copy or move an object to another name, in the same bucket or another one.

    Raises:
        Problem: it is not there, or both names are one.
    """
    path, target = object_path(world, bucket, name), _locate_object(world, other, new)
    if path == target:
        raise Problem(f"{bucket}/{name} cannot be copied to itself; give another name")
    with world.change_together(), lock_file(target, world.locks):
        with save_atomically(target) as draft:
            shutil.copyfile(path, draft)
        if move:
            _remove_object(world, bucket, path)
    return ObjectChanged("moved" if move else "copied", other, new, target.stat().st_size)


def delete_object(world: World, bucket: str, name: str) -> ObjectChanged:
    """Delete an object.

    Raises:
        Problem: it is not there.
    """
    path = object_path(world, bucket, name)
    size = path.stat().st_size
    _remove_object(world, bucket, path)
    return ObjectChanged("deleted", bucket, name, size)


def require_bucket(cloud: Cloud, bucket: str) -> Bucket:
    """What is known of a bucket.

    Raises:
        Problem: there is none; those that there are are named.
    """
    if bucket not in cloud.buckets:
        raise Problem(f"there is no bucket {bucket!r}; there are: {', '.join(sorted(cloud.buckets)) or 'none'}")
    return cloud.buckets[bucket]


def object_path(world: World, bucket: str, name: str) -> Path:
    """The file of an object.

    Raises:
        Problem: it is not there.
    """
    path = _locate_object(world, bucket, name)
    if not path.is_file():
        near = [other for other, _ in _walk_objects(world, bucket)][:8]
        raise Problem(f"there is no object {name!r} in {bucket!r}; there are {', '.join(near) or 'none'}")
    return path


@contextmanager
def changing_cloud(world: World) -> Iterator[Cloud]:
    """The facts of the project within a turn; they are saved at the end, unless the body raises."""
    world.get_app_folder(APP)
    with lock_file(locate_folder(world) / CLOUD, world.locks):
        cloud = read_cloud(world)
        yield cloud
        save_cloud(world, cloud)


def _locate_object(world: World, bucket: str, name: str) -> Path:
    require_bucket(read_cloud(world), bucket)
    parts = name.split("/")
    wrong = any(part in ("", ".", "..") or "\\" in part or "\0" in part or len(part.encode()) > 200 for part in parts)
    if wrong or len(parts) > 30 or parts[-1].startswith(".yardkit"):
        raise Problem(f"{name[:100]!r} is not a valid object name; use one such as reports/2026/march.csv")
    return bucket_folder(world, bucket).joinpath(*parts)


def _walk_objects(world: World, bucket: str) -> Iterator[tuple[str, Path]]:
    root = bucket_folder(world, bucket)
    files = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    yield from sorted((path.relative_to(root).as_posix(), path) for path in files)


def _remove_object(world: World, bucket: str, path: Path) -> None:
    before_change(path)
    path.unlink()
    note_changed(path)
    root = bucket_folder(world, bucket)
    for parent in path.parents:
        if parent == root or any(parent.iterdir()):
            return
        before_change(parent)
        parent.rmdir()
