"""The memory in the dialect of Toolathlon: the nine tools of the reference memory server of MCP, with its texts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from yardkit.kit.dialect import Offset, Text, TextPage, cut_page
from yardkit.kit.surface import make_server, tool
from yardkit.servers.memory import engine
from yardkit.servers.memory.engine import Entity, Graph, Removed

mcp = make_server("memory", "Remembers entities, their observations and relations between them as a graph.")

Edge = TypedDict("Edge", {"from": str, "to": str, "relationType": str})
"""A relation; ``from`` is no name of Python."""


@dataclass(frozen=True)
class Contents:
    """What was observed of an entity."""

    entityName: str  # noqa: N815 - their names
    contents: list[str]


@dataclass(frozen=True)
class Deletion:
    """What is to be forgotten of an entity."""

    entityName: str  # noqa: N815
    observations: list[str]


Edges = Annotated[list[Edge], Field(description="from, to, relationType (active voice).", max_length=1_000)]


@tool(mcp, writes=True)
def create_entities(
    entities: Annotated[list[Entity], Field(description="name, entityType, observations.", max_length=1_000)],
) -> Text:
    """Create multiple new entities in the knowledge graph."""
    return _format_json([vars(entity) for entity in engine.create_entities(entities)])


@tool(mcp, writes=True)
def create_relations(relations: Edges) -> Text:
    """Create multiple new relations between entities in the knowledge graph."""
    return _format_json(
        [engine.to_file_record(relation) for relation in engine.create_relations(_to_relations(relations))]
    )


@tool(mcp, writes=True)
def add_observations(
    observations: Annotated[list[Contents], Field(description="entityName, contents.", max_length=1_000)],
) -> Text:
    """Add new observations to existing entities in the knowledge graph."""
    added = engine.add_observations([(observation.entityName, observation.contents) for observation in observations])
    return _format_json(
        [{"entityName": added_entry.name, "addedObservations": added_entry.observations} for added_entry in added]
    )


@tool(mcp, writes=True, destructive=True)
def delete_entities(
    entityNames: Annotated[list[str], Field(description="Names of entities.", max_length=1_000)],  # noqa: N803
) -> Text:
    """Delete multiple entities and their associated relations from the knowledge graph."""
    done = engine.delete_entities(entityNames)
    return _report_removed("Entities", done, f" Not found: {', '.join(done.unknown)}")


@tool(mcp, writes=True, destructive=True)
def delete_observations(
    deletions: Annotated[list[Deletion], Field(description="entityName, observations.", max_length=1_000)],
) -> Text:
    """Delete specific observations from entities in the knowledge graph."""
    done = engine.delete_observations([(deletion.entityName, deletion.observations) for deletion in deletions])
    return _report_removed(
        "Observations", done, f" Entities not found: {', '.join(done.unknown)}" if done.unknown else ""
    )


@tool(mcp, writes=True, destructive=True)
def delete_relations(relations: Edges) -> Text:
    """Delete multiple relations from the knowledge graph."""
    return _report_removed("Relations", engine.delete_relations(_to_relations(relations)), " The rest matched nothing.")


@tool(mcp)
def read_graph(offset: Offset = 0) -> TextPage:
    """Read the entire knowledge graph."""
    return cut_page(_format_graph(engine.read_graph()), offset)


@tool(mcp)
def search_nodes(
    query: Annotated[str, Field(description="What stands in a name, a type or an observation.", max_length=2_048)],
    offset: Offset = 0,
) -> TextPage:
    """Search for nodes in the knowledge graph based on a query."""
    return cut_page(_format_graph(engine.search_nodes(query)), offset)


@tool(mcp)
def open_nodes(
    names: Annotated[list[str], Field(description="Names of entities.", max_length=1_000)], offset: Offset = 0
) -> TextPage:
    """Open specific nodes in the knowledge graph by their names."""
    return cut_page(_format_graph(engine.open_nodes(names)), offset)


def _to_relations(edges: Sequence[Edge]) -> list[engine.Relation]:
    return [engine.Relation(edge["from"], edge["to"], edge["relationType"]) for edge in edges]


def _report_removed(what: str, done: Removed, rest: str) -> Text:
    if done.removed == done.asked:
        return Text(f"{what} deleted successfully")
    return Text(f"Deleted {done.removed} of {done.asked} {what.lower()}.{rest}")


def _format_json(facts: object) -> Text:
    return Text(json.dumps(facts, ensure_ascii=False, indent=2))


def _format_graph(graph: Graph) -> str:
    facts = {
        "entities": [vars(entity) for entity in graph.entities],
        "relations": [engine.to_file_record(relation) for relation in graph.relations],
    }
    return _format_json(facts).text
