"""The manifest of a local model: a small file that says what it is, where its weights lie and where it comes from."""

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
        name: by which it is asked for.
        capabilities: what it is used for.
        family: the file of `families` that runs it.
        folder: where its weights lie; empty when they lie beside the manifest.
        source: where it comes from: a directory, or ``hub:OWNER/NAME``.
        revision: the commit of the hub; empty for a directory.
        licence: in words; ``not stated`` where nothing says.
        bytes: of its weights.
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
    """Write the manifest of a model into its place on the shelf."""
    save_text(shelf / manifest.name / MANIFEST, json.dumps(asdict(manifest), indent=2) + "\n")


def read_manifest(place: Path) -> Manifest:
    """The manifest in a model's place on the shelf.

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
