"""The tools of the `memory` server."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from yardkit.kit.surface import make_server, tool
from yardkit.servers.memory import engine
from yardkit.servers.memory.engine import Added, Entity, Graph, Relation
from yardkit.servers.memory.graph_file import PLACE
from yardkit.world import FileRef, current_world

mcp = make_server(
    "memory",
    "Stores knowledge as a graph: entities (people, companies, projects) with observations, one "
    "fact each, and relations between them in active voice. It is saved in the workspace file "
    f"{PLACE}. Search before you create.",
)

Entities = Annotated[
    list[Entity], Field(description="name, entityType, observations (one fact each).", min_length=1, max_length=1_000)
]
Relations = Annotated[
    list[Relation],
    Field(
        description="start and end (entity names), relationType, such as works for.",
        min_length=1,
        max_length=1_000,
    ),
]
Names = Annotated[list[str], Field(description="Entity names.", min_length=1, max_length=1_000)]


@dataclass(frozen=True)
class Facts:
    """Observations of an entity."""

    name: str
    observations: list[str]


Observations = Annotated[
    list[Facts], Field(description="Entity name and its new observations.", min_length=1, max_length=1_000)
]


@dataclass(frozen=True)
class Created:
    """What was added; what was there before is left out."""

    entities: list[Entity] | None = None
    relations: list[Relation] | None = None
    observations: list[Added] | None = None
    file: FileRef | None = None


@dataclass(frozen=True)
class Deleted:
    """What was removed, of how much that was asked for. unknown: names that no entity has."""

    removed: int
    asked: int
    unknown: list[str]
    file: FileRef | None


@tool(mcp, bulk=True, writes=True)
def create_entities(entities: Entities) -> Created:
    """Add entities; existing names are left unchanged."""
    return Created(entities=engine.create_entities(entities), file=engine.memory_file(current_world()))


@tool(mcp, bulk=True, writes=True)
def create_relations(relations: Relations) -> Created:
    """Add relations between existing entities."""
    return Created(relations=engine.create_relations(relations), file=engine.memory_file(current_world()))


@tool(mcp, bulk=True, writes=True)
def add_observations(observations: Observations) -> Created:
    """Add facts to existing entities."""
    added = engine.add_observations([(facts.name, facts.observations) for facts in observations])
    return Created(observations=added, file=engine.memory_file(current_world()))


@tool(mcp, bulk=True, writes=True, destructive=True)
def delete_entities(names: Names) -> Deleted:
    """Delete entities and all their relations."""
    return _report_deleted(engine.delete_entities(names))


@tool(mcp, bulk=True, writes=True, destructive=True)
def delete_observations(observations: Observations) -> Deleted:
    """Delete facts of entities; each must match exactly."""
    return _report_deleted(engine.delete_observations([(facts.name, facts.observations) for facts in observations]))


@tool(mcp, bulk=True, writes=True, destructive=True)
def delete_relations(relations: Relations) -> Deleted:
    """Delete relations; each must match exactly."""
    return _report_deleted(engine.delete_relations(relations))


@tool(mcp, bulk=True)
def read_graph(
    offset: Annotated[int, Field(description="Entities to skip; use next_offset of the previous page.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Maximum number of entities.", ge=1, le=500)] = 100,
) -> Graph:
    """Read the graph with its relations, one page of entities at a time."""
    return engine.read_graph(offset, limit)


@tool(mcp, bulk=True)
def search_nodes(
    query: Annotated[str, Field(description="Part of a name, a type or a fact.", min_length=1, max_length=2_048)],
) -> Graph:
    """Search entities by name, type or facts, with their relations."""
    return engine.search_nodes(query)


@tool(mcp, bulk=True)
def open_nodes(names: Names) -> Graph:
    """Read entities by name, with their relations."""
    return engine.open_nodes(names)


def _report_deleted(removed: engine.Removed) -> Deleted:
    return Deleted(removed.removed, removed.asked, removed.unknown, engine.memory_file(current_world()))
