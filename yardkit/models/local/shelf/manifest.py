"""The manifest of a local model: a small file with its kind, the path of its weights, and its origin."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from yardkit.models.local.shelf.kinds import read_json
from yardkit.models.local.shelf.weights import FileMark
from yardkit.world import Problem, save_text

MANIFEST = "model.json"
WEIGHTS = "weights"


@dataclass(frozen=True)
class Manifest:
    """A local model.

    Attributes:
        name: its name in requests.
        capabilities: its uses.
        family: the file of `families` that runs it.
        folder: the folder of its weights; empty if they are beside the manifest.
        source: its origin: a directory, or ``hub:OWNER/NAME``.
        revision: the commit of the hub; empty for a directory.
        licence: the licence, or ``not stated``.
        bytes: the size of its weights.
        files: size and SHA-256 of each file of weights.
    """

    name: str
    capabilities: tuple[str, ...]
    family: str
    folder: str
    source: str
    revision: str
    licence: str
    bytes: int
    files: Mapping[str, FileMark] = field(default_factory=dict)


def write_manifest(manifest: Manifest, shelf: Path) -> None:
    """Write the manifest of a model into the registry."""
    save_text(shelf / manifest.name / MANIFEST, json.dumps(asdict(manifest), indent=2) + "\n")


def read_manifest(place: Path) -> Manifest:
    """Read the manifest of a model in the registry.

    Raises:
        Problem: it is damaged.
    """
    manifest_fields = dict(read_json(place / MANIFEST))
    try:
        manifest_fields["capabilities"] = tuple(manifest_fields["capabilities"])
        manifest_fields["files"] = {name: FileMark(**mark) for name, mark in manifest_fields["files"].items()}
        return Manifest(**manifest_fields)
    except (KeyError, TypeError, AttributeError) as error:
        raise Problem(
            f"the manifest of the local model {place.name!r} is damaged; `yardkit models remove {place.name}`, "
            "then add it again"
        ) from error
