"""Archives of packages: fetched from a registry, checked by digest, and read. No code in them is run."""

import hashlib
import json
import os
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from yardkit.models.embedded.catalog import Package
from yardkit.world import Problem, Unavailable

ReportProgress = Callable[[int], None]
"""Hears how many bytes of an archive are there."""
_CHUNK = 1 << 20
_TIMEOUT_S = 60.0
_ANSWER_BYTES = 20_000_000
_SIMPLE = "application/vnd.pypi.simple.v1+json"
_NPM_VARIABLE = "npm_config_registry"
_INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL")


def fetch_archive(package: Package, folder: Path, report_progress: ReportProgress = lambda _: None) -> Path:
    """Return the archive of a package in `folder`: an existing one, or fetched; a partial download is resumed.

    Raises:
        Unavailable: the registry is unreachable or does not have it.
        Problem: the download does not match the digest.
    """
    archive = folder / package.file
    if archive.is_file() and _hash_file(archive) == package.sha256:
        return archive
    folder.mkdir(parents=True, exist_ok=True)
    part = folder / f"{package.file}.part"
    try:
        _download_file(_build_address(package), part, report_progress)
    except (OSError, HTTPException) as error:
        raise Unavailable(
            f"{package.name} {package.version} cannot be fetched from {package.registry} ({error}); connect, or put "
            f"{package.file} into {str(folder)!r}"
        ) from error
    digest = _hash_file(part)
    if digest != package.sha256:
        part.unlink()
        raise Problem(
            f"{package.file} has the SHA-256 {digest}, not {package.sha256}: it was changed on its way; try again"
        )
    part.replace(archive)
    return archive


def read_members(archive: Path, files: Mapping[str, str]) -> dict[str, bytes]:
    """Read members of an archive by name.

    Args:
        archive: a wheel, or a tar of npm.
        files: the names of members with their SHA-256.

    Raises:
        Problem: a member is missing or has another digest.
    """
    try:
        members = _zip_members(archive, files) if archive.suffix == ".whl" else _tar_members(archive, files)
    except (OSError, KeyError, tarfile.TarError, zipfile.BadZipFile) as error:
        raise Problem(f"{archive.name} cannot be read ({error}); delete it and add its models again") from error
    for name, digest in files.items():
        if hashlib.sha256(members[name]).hexdigest() != digest:
            raise Problem(f"{name} in {archive.name} is not the file that was checked; delete it and add it again")
    return members


def _zip_members(archive: Path, files: Mapping[str, str]) -> dict[str, bytes]:
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in files}


def _tar_members(archive: Path, files: Mapping[str, str]) -> dict[str, bytes]:
    members = {}
    with tarfile.open(archive, "r|gz") as opened:  # in one pass, since going back means inflating everything again
        for member in opened:
            if member.name in files and (file := opened.extractfile(member)) is not None:
                members[member.name] = file.read()
    if missing := sorted(set(files) - set(members)):
        raise KeyError(missing[0])
    return members


def _hash_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _build_address(package: Package) -> str:
    """Build the file's address in the registry; mirrors are configured as for pip, uv and npm."""
    if package.registry == "npm":
        registry = os.environ.get(_NPM_VARIABLE) or "https://registry.npmjs.org"
        return f"{registry.rstrip('/')}/{package.name}/-/{package.file}"
    index = next(filter(None, map(os.environ.get, _INDEX_VARIABLES)), "https://pypi.org/simple")
    request = Request(f"{index.rstrip('/')}/{package.name}/", headers={"Accept": _SIMPLE})  # noqa: S310 - the operator's
    with urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
        files: list[dict[str, Any]] = json.loads(answer.read(_ANSWER_BYTES))["files"]
    for file in files:
        if file["filename"] == package.file:
            return str(file["url"])
    raise FileNotFoundError(f"{index} does not list {package.file}")


def _download_file(address: str, part: Path, report_progress: ReportProgress) -> None:
    start = part.stat().st_size if part.is_file() else 0
    request = Request(address, headers={"Range": f"bytes={start}-"} if start else {})  # noqa: S310 - as above
    try:
        answer = urlopen(request, timeout=_TIMEOUT_S)  # noqa: S310
    except HTTPError as error:
        # Range not satisfiable: the partial download is already complete.
        if error.code != 416:
            raise
        return
    # 206: the server continues the partial download; otherwise it sends the file from the start.
    with answer, part.open("ab" if answer.status == 206 else "wb") as file:
        while chunk := answer.read(_CHUNK):
            file.write(chunk)
            report_progress(file.tell())
