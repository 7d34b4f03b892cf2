"""The embedded models: their packages, with digests, and the files of each model."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib import resources
from typing import Any, Literal

from yardkit.world import Problem


@dataclass(frozen=True)
class Package:
    """An archive of a public registry.

    Attributes:
        registry: ``pypi`` or ``npm``.
        name: the name in the registry.
        version: the version that the digests belong to.
        file: the file name of the archive.
        sha256: the SHA-256 of the archive.
        bytes: the size of the archive.
        licence: the licence according to the package.
    """

    registry: Literal["pypi", "npm"]
    name: str
    version: str
    file: str
    sha256: str
    bytes: int
    licence: str


@dataclass(frozen=True)
class EmbeddedModel:
    """A model.

    Attributes:
        name: its name in `yardkit models`.
        package: the package that contains it.
        capability: its capability.
        does: a description.
        form: ``onnx``, or a format to convert: ``tfjs``, ``efficientnet``, ``ge2e``; ``files`` are kept in a folder.
        files: the members of the archive with their SHA-256.
        further: members of other packages' archives, likewise.
    """

    name: str
    package: Package
    capability: str
    does: str
    form: Literal["onnx", "tfjs", "efficientnet", "ge2e", "files"]
    files: Mapping[str, str]
    further: Mapping[Package, Mapping[str, str]] = field(default_factory=dict, hash=False)

    @property
    def sources(self) -> Mapping[Package, Mapping[str, str]]:
        """All files that it is made from."""
        return {self.package: self.files, **self.further}

    @property
    def fetched_bytes(self) -> int:
        """The size of the archives that contain it."""
        return sum(package.bytes for package in self.sources)


@cache
def embedded_models() -> Mapping[str, EmbeddedModel]:
    """Return all embedded models by name."""
    listed = tomllib.loads(resources.files(__package__).joinpath("catalog.toml").read_text("utf-8"))
    packages = {key: Package(**described) for key, described in listed["packages"].items()}
    return {name: _make_model(name, described, packages) for name, described in listed["models"].items()}


def _make_model(name: str, described: Mapping[str, Any], packages: Mapping[str, Package]) -> EmbeddedModel:
    further = {packages[key]: files for key, files in described.get("further", {}).items()}
    return EmbeddedModel(name, **{**described, "package": packages[described["package"]], "further": further})


def embedded_model(name: str) -> EmbeddedModel:
    """Return the model with a name.

    Raises:
        Problem: there is none.
    """
    models = embedded_models()
    if name not in models:
        near = get_close_matches(name, models, n=1)
        hint = f" Did you mean {near[0]!r}?" if near else ""
        raise Problem(f"there is no embedded model {name!r}.{hint} There are: {', '.join(models)}")
    return models[name]
