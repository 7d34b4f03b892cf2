"""Agents that work on episodes: ``reference``, ``scripted``, ``nop``, ``command:...``, ``openai:MODEL``."""

from collections.abc import Mapping

from yardkit.sandbox.agents.agent import (
    NO_ACTION,
    REFUSED_ARGUMENTS,
    Agent,
    Outcome,
    Particular,
    Review,
    Reviewed,
    Stop,
    Transcript,
    Usage,
)
from yardkit.world import Problem

__all__ = [
    "NO_ACTION",
    "REFUSED_ARGUMENTS",
    "Agent",
    "Outcome",
    "Particular",
    "Review",
    "Reviewed",
    "Stop",
    "Transcript",
    "Usage",
    "make_agent",
]

KINDS = 'reference, scripted, nop, command:"PROGRAM ARGUMENTS...", openai:MODEL'


def make_agent(spec: str, settings: Mapping[str, str] | None = None, repeat: int = 0) -> Agent:
    """Make the agent that `spec` describes, with its `settings` (name -> value as text).

    `repeat` is the number of the run among several of the same instance. Only ``scripted`` uses it: its slips come from
    a seed, so without it every repeat would make the same ones.

    Raises:
        Problem: there is no such agent or setting, a value is wrong, or the command cannot be found.
    """
    kind, _, rest = spec.partition(":")
    given = dict(settings or {})
    if kind == "command":
        from yardkit.sandbox.agents.command import CommandAgent

        return CommandAgent.from_settings(rest, given)
    if kind == "openai":
        from yardkit.sandbox.agents.chat import ChatAgent

        return ChatAgent.from_settings(rest, given)
    if spec == "scripted":
        from yardkit.sandbox.agents.scripted import ScriptedAgent

        return ScriptedAgent.from_settings(given, repeat)
    return _without_settings(spec, given)


def _without_settings(spec: str, given: dict[str, str]) -> Agent:
    if spec not in ("reference", "nop"):
        raise Problem(f"there is no agent {spec!r}; agents: {KINDS}")
    if given:
        raise Problem(f"the agent {spec!r} has no setting {next(iter(given))!r}; leave it out")
    if spec == "nop":
        from yardkit.sandbox.agents.nop import NopAgent

        return NopAgent()
    from yardkit.sandbox.agents.reference import ReferenceAgent

    return ReferenceAgent()
