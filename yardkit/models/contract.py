"""The interface of all model backends: tiers, the origin of results, and missing models."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from yardkit.world import Problem, Unavailable

Tier = Literal["endpoint", "local", "embedded"]
Quality = Literal["full", "limited", "facts_only"]

TIERS: tuple[Tier, ...] = ("endpoint", "local", "embedded")
"""From what is asked first to what is always there: a service that the user runs, weights in a directory, weights that
ship in packages and work on the CPU."""


@dataclass(frozen=True)
class Origin:
    """The model that a result comes from.

    Attributes:
        backend: the tier of the backend.
        model: its name, with the revision if it has one.
        quality: ``full``, ``limited`` (right for easy input), or ``facts_only`` (measured, not understood).
    """

    backend: Tier
    model: str
    quality: Quality

    def __str__(self) -> str:
        return f"{self.model} ({self.backend}, {self.quality.replace('_', ' ')})"


@dataclass(frozen=True)
class Option:
    """A way to get a model for a capability.

    Attributes:
        tier: the tier of the model.
        command: the command to run, such as ``yardkit models add ...``; empty if settings are enough.
        settings: environment variables with example values.
        model: the model that it provides.
        disk_bytes: the approximate size on disk.
        gpu_bytes: the approximate GPU memory; 0 if none is needed.
    """

    tier: Tier
    command: str = ""
    settings: Mapping[str, str] = field(default_factory=dict)
    model: str = ""
    disk_bytes: int = 0
    gpu_bytes: int = 0

    def __str__(self) -> str:
        words = [f"`{self.command}`"] if self.command else []
        words += [f"{name}={value}" for name, value in self.settings.items()]
        return f"{self.tier}: {' '.join(words)}" + (f" for {self.model}" if self.model else "")


class ModelUnavailable(Unavailable):
    """No model for a capability is configured here. No guess is returned instead.

    Attributes:
        capability: the requested capability, such as ``captions``.
        needs: the kind of model, in words.
        options: ways to get one, the simplest first.
        partial: the tool that gives part of the answer without a model; empty if there is none.
    """

    def __init__(self, capability: str, needs: str, options: Sequence[Option], partial: str = "") -> None:
        self.capability, self.needs, self.options, self.partial = capability, needs, tuple(options), partial
        ways = "; or ".join(str(option) for option in options)
        rest = f". Without a model: {partial}" if partial else ""
        super().__init__(f"{capability} needs {needs}, and none is set up here; {ways}{rest}")


class Backend(Protocol):
    """An implementation of a capability, provided by a server's file ``backends/<name>.py``."""

    @property
    def origin(self) -> Origin:
        """The origin of its results."""

    def missing(self) -> str:
        """Why it cannot be used here; empty if it can. Checking loads nothing heavy."""


Some = TypeVar("Some", bound=Backend)


def choose_backend(
    backends: Sequence[Some], requested_tier: Tier | Literal["auto"], unavailable: ModelUnavailable
) -> Some:
    """Choose a working backend: the requested one, or with ``auto`` the first configured one by tier.

    Args:
        backends: all backends of the capability.
        requested_tier: a tier, or ``auto``.
        unavailable: the error to raise if ``auto`` finds none.

    Raises:
        ModelUnavailable: none is configured.
        Problem: the requested one is not configured, with the reason; or the capability has none of that tier.
    """
    if requested_tier == "auto":
        ordered = sorted(backends, key=lambda backend: TIERS.index(backend.origin.backend))
        ready_backend = next((backend for backend in ordered if not backend.missing()), None)
        if ready_backend is None:
            raise unavailable
        return ready_backend
    of_tier = [backend for backend in backends if backend.origin.backend == requested_tier]
    if not of_tier:
        tiers = ", ".join(sorted({backend.origin.backend for backend in backends})) or "none"
        raise Problem(f"{unavailable.capability} has no {requested_tier} backend; it has: {tiers}")
    reasons: dict[str, Any] = {backend.origin.model: backend.missing() for backend in of_tier}
    for backend in of_tier:
        if not reasons[backend.origin.model]:
            return backend
    raise Unavailable("; ".join(f"{model}: {reason}" for model, reason in reasons.items()))
