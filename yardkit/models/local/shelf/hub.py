"""Fetching models from a hub, only on request: one commit, safetensors and configuration, no code."""

import re
from pathlib import Path
from typing import Any

from yardkit.models.local.shelf.manifest import WEIGHTS, Manifest, write_manifest
from yardkit.models.local.shelf.shelf import check_capabilities, describe_model, free_name, shelf_folder
from yardkit.models.local.shelf.weights import SAFE
from yardkit.world import Problem, Unavailable, save_atomically

_COMMIT = re.compile(r"[0-9a-f]{40}")
_REPO = re.compile(r"[\w.-]+/[\w.-]+")
_FETCHED_PATTERNS = (f"*{SAFE}", "*.json", "*.jinja", "*.txt", "*.model", "README.md", "LICENSE*")


def add_from_hub(
    repo: str, revision: str, capabilities: tuple[str, ...], name: str = "", licence: str = ""
) -> Manifest:
    """Fetch a model from the hub configured for huggingface_hub (HF_ENDPOINT), and add it to the registry.

    Args:
        repo: ``OWNER/NAME``.
        revision: its commit, 40 hexadecimal digits, since a branch can change.
        capabilities: its intended uses.
        name: its name in requests; by default the repository's.
        licence: the licence; by default the one in its README.

    Raises:
        Problem: it is not a model that may be loaded and has these capabilities.
        Unavailable: the hub is unreachable or does not provide it.
    """
    if not _REPO.fullmatch(repo):
        raise Problem(f"{repo!r} is not a repository name of a hub; write OWNER/NAME")
    if not _COMMIT.fullmatch(revision):
        raise Problem(
            f"the revision {revision!r} is not a commit; give all 40 digits of one (--revision), as the hub's page of "
            "the files shows it: a branch can change to other weights"
        )
    words, name = check_capabilities(capabilities), free_name(name or repo.partition("/")[2])
    with save_atomically(shelf_folder() / name / WEIGHTS) as draft:
        _fetch_files(repo, revision, draft)
        model = describe_model(draft, words, name, f"hub:{repo}", revision=revision, licence=licence)
    write_manifest(model, shelf_folder())
    return model


def _fetch_files(repo: str, revision: str, folder: Path) -> None:
    hub = _import_hub()
    from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, OfflineModeIsEnabled, RepositoryNotFoundError

    try:
        hub.snapshot_download(repo, revision=revision, local_dir=folder, allow_patterns=list(_FETCHED_PATTERNS))
    except GatedRepoError as error:
        raise Unavailable(
            f"{repo} is given only to those who accept its terms; do so on its page, then set HF_TOKEN"
        ) from error
    except RepositoryNotFoundError as error:
        raise Problem(f"the hub has no model {repo!r}, or it is private (HF_TOKEN)") from error
    except (HfHubHTTPError, OfflineModeIsEnabled, OSError, ValueError) as error:
        message = " ".join(str(error).split())[:200]
        raise Unavailable(
            f"{repo} at {revision[:12]} cannot be fetched ({type(error).__name__}: {message}); fetch it where the hub"
            " can be reached, then `yardkit models add ... --from DIR`"
        ) from error


def _import_hub() -> Any:
    try:
        import huggingface_hub
    except ModuleNotFoundError as error:
        raise Unavailable(
            "fetching from a hub needs the package huggingface-hub, which is in the environment of the worker "
            "(`yardkit models serve` says how to make one); or fetch the model yourself and give --from DIR"
        ) from error
    return huggingface_hub
