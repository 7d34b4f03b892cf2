"""The local models of this user: added from a directory, listed, found, checked and removed."""

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from yardkit.models.embedded.store import models_folder
from yardkit.models.local.shelf.kinds import family_of, read_kind
from yardkit.models.local.shelf.manifest import MANIFEST, WEIGHTS, Manifest, read_manifest, write_manifest
from yardkit.models.local.shelf.weights import check_files, check_marks, mark_files
from yardkit.models.service import Capability
from yardkit.world import Problem, save_atomically

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,79}")
_LICENCE = re.compile(r"^license(?:_name)?:\s*[\"']?([^\n\"']+)", re.MULTILINE)
_README_BYTES = 100_000


def shelf_folder() -> Path:
    """Return the folder of the manifests and of copied or fetched weights."""
    return models_folder() / "local"


def local_models() -> list[Manifest]:
    """Return all local models, by name.

    Raises:
        Problem: a manifest is damaged.
    """
    return [read_manifest(manifest.parent) for manifest in sorted(shelf_folder().glob(f"*/{MANIFEST}"))]


def usable_models() -> list[Manifest]:
    """Return the local models with readable manifests, by name; the others are reported on stderr."""
    usable = []
    for manifest in sorted(shelf_folder().glob(f"*/{MANIFEST}")):
        try:
            usable.append(read_manifest(manifest.parent))
        except Problem as problem:
            print(f"yardkit: {problem}", file=sys.stderr, flush=True)  # noqa: T201
    return usable


def is_local(name: str) -> bool:
    """Whether there is a local model with this name."""
    return bool(_NAME.fullmatch(name)) and (shelf_folder() / name / MANIFEST).is_file()


def local_model(name: str) -> Manifest:
    """Return a local model by its name.

    Raises:
        Problem: there is none, or its manifest is damaged.
    """
    if not is_local(name):
        names = ", ".join(model.name for model in local_models()) or "none yet"
        raise Problem(f"there is no local model {name!r}; there are: {names}")
    return read_manifest(shelf_folder() / name)


def weights_folder(model: Manifest) -> Path:
    """Return the folder of a model's weights."""
    return Path(model.folder) if model.folder else shelf_folder() / model.name / WEIGHTS


def add_directory(
    folder: Path, capabilities: Sequence[str], name: str = "", *, copy: bool = False, licence: str = ""
) -> Manifest:
    """Add a model in a directory of the user to the registry.

    Args:
        folder: the folder of a saved transformers or diffusers model.
        capabilities: its intended uses.
        name: its name in requests; by default the directory's.
        copy: copy its files; otherwise they are used in place.
        licence: the licence; by default the one in its README.

    Raises:
        Problem: it is not a model that may be loaded and has these capabilities, or the name is taken.
    """
    folder = folder.resolve()
    if not folder.is_dir():
        raise Problem(f"there is no directory {folder.name!r}; give the one that holds the model's config.json")
    name = free_name(name or folder.name)
    draft = describe_model(folder, check_capabilities(capabilities), name, str(folder), licence=licence)
    model = replace(draft, folder="" if copy else str(folder))
    if copy:
        with save_atomically(shelf_folder() / name / WEIGHTS) as place:
            shutil.copytree(folder, place)
    write_manifest(model, shelf_folder())
    return model


def describe_model(
    folder: Path, capabilities: tuple[str, ...], name: str, source: str, *, revision: str = "", licence: str = ""
) -> Manifest:
    """Check the files of a model in a directory and make its manifest.

    Raises:
        Problem: it is not a model that may be loaded and has these capabilities.
    """
    family = family_of(folder, capabilities)
    size = check_files(folder)
    licence = licence or stated_licence(folder)
    return Manifest(name, capabilities, family.name, "", source, revision, licence, size, mark_files(folder))


def check_model(model: Manifest, note: Callable[[str], None] = lambda _: None) -> str:
    """Check every file of a model and return a description.

    Raises:
        Problem: it may not be loaded, differs from the added one, or its directory no longer exists.
    """
    folder = weights_folder(model)
    if not folder.is_dir():
        raise Problem(f"the directory of {model.name!r} has gone; put it back, or `yardkit models remove {model.name}`")
    family_of(folder, model.capabilities)
    check_files(folder)
    note("the files are complete")
    check_marks(folder, model.files)
    return f"{read_kind(folder)}, {len(model.files)} files of weights are complete and unchanged"


def remove_local(name: str) -> None:
    """Remove a model from the registry. Copied or fetched weights are deleted; the user's own stay."""
    shutil.rmtree(shelf_folder() / name)


def check_capabilities(words: Sequence[str]) -> tuple[str, ...]:
    """Parse capabilities.

    Raises:
        Problem: a name is not a capability, or there are none.
    """
    known = get_args(Capability)
    wrong = next((word for word in words if word not in known), None)
    if wrong is not None or not words:
        problem_text = f"{wrong!r} is not a capability" if words else "say what the model is for"
        raise Problem(f"{problem_text}; capabilities: {', '.join(known)}")
    return tuple(dict.fromkeys(words))


def free_name(name: str) -> str:
    """Check that a name is valid and not taken, and return it.

    Raises:
        Problem: it is invalid or taken.
    """
    if not _NAME.fullmatch(name):
        raise Problem(f"{name!r} is not a valid name for a model; use letters, digits, dots and hyphens (--name)")
    if is_local(name):
        raise Problem(f"there is a local model {name!r} already; remove it, or give another --name")
    return name


def stated_licence(folder: Path) -> str:
    """Return the licence stated in the model's README."""
    readme = folder / "README.md"
    if not readme.is_file():
        return "not stated"
    with readme.open("rb") as file:
        licence_matches = _LICENCE.findall(file.read(_README_BYTES).decode("utf-8", "replace"))
    return str(licence_matches[-1]).strip()[:80] if licence_matches else "not stated"
