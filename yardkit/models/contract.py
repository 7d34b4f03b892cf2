"""What every model backend keeps to, whatever it does: tiers, what a result says of its model, and what is missing."""

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
    """What a result says of the model that it comes from.

    Attributes:
        backend: the tier that did it.
        model: its name, with the revision where it has one.
        quality: ``full``, ``limited`` (right for easy input), or ``facts_only`` (measured, not understood).
    """

    backend: Tier
    model: str
    quality: Quality

    def __str__(self) -> str:
        return f"{self.model} ({self.backend}, {self.quality.replace('_', ' ')})"


@dataclass(frozen=True)
class Option:
    """A way to get what a capability needs.

    Attributes:
        tier: which tier it fills.
        command: what to run, such as ``yardkit models add ...``; empty where settings alone do.
        settings: environment variables and an example of the value of each.
        model: what it brings.
        disk_bytes: about how much it takes on the disk.
        gpu_bytes: about how much memory of a GPU it takes; 0 where none is needed.
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
    """No model for a capability is set up here. Nothing is guessed in its place.

    Attributes:
        capability: what was asked for, such as ``captions``.
        needs: the kind of model, in words.
        options: ways to get one, the simplest first.
        partial: which tool gives a part of the answer without a model; empty where none does.
    """

    def __init__(self, capability: str, needs: str, options: Sequence[Option], partial: str = "") -> None:
        self.capability, self.needs, self.options, self.partial = capability, needs, tuple(options), partial
        ways = "; or ".join(str(option) for option in options)
        rest = f". Without a model: {partial}" if partial else ""
        super().__init__(f"{capability} needs {needs}, and none is set up here; {ways}{rest}")


class Backend(Protocol):
    """One way to do what a capability is: a file ``backends/<name>.py`` of a server gives one."""

    @property
    def origin(self) -> Origin:
        """What its results say of it."""

    def missing(self) -> str:
        """Why it cannot be used here, in words; empty when it can. Nothing heavy is loaded to find out."""


Some = TypeVar("Some", bound=Backend)


def choose_backend(
    backends: Sequence[Some], requested_tier: Tier | Literal["auto"], unavailable: ModelUnavailable
) -> Some:
    """The backend that works: the one that is wanted, or with ``auto`` the first by tier that is set up.

    Args:
        backends: all that the capability has.
        requested_tier: a tier, or ``auto``.
        unavailable: what is raised where ``auto`` finds none.

    Raises:
        ModelUnavailable: none is set up.
        Problem: the wanted one is not, with the reason; or the capability has none of that tier.
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
