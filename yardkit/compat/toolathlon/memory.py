"""The memory in the dialect of Toolathlon: the nine tools of the reference memory server of MCP, with its texts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from typing_extensions import TypedDict

from yardkit.kit.dialect import Text
from yardkit.servers.memory import engine
from yardkit.servers.memory.engine import Entity, Graph, Removed

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


def create_entities(entities: list[Entity]) -> Text:
    return _format_json([vars(entity) for entity in engine.create_entities(entities)])


def create_relations(relations: list[Edge]) -> Text:
    return _format_json(
        [engine.to_file_record(relation) for relation in engine.create_relations(_to_relations(relations))]
    )


def add_observations(observations: list[Contents]) -> Text:
    added = engine.add_observations([(observation.entityName, observation.contents) for observation in observations])
    return _format_json(
        [{"entityName": added_entry.name, "addedObservations": added_entry.observations} for added_entry in added]
    )


def delete_entities(entityNames: list[str]) -> Text:
    done = engine.delete_entities(entityNames)
    return _report_removed("Entities", done, f" Not found: {', '.join(done.unknown)}")


def delete_observations(deletions: list[Deletion]) -> Text:
    done = engine.delete_observations([(deletion.entityName, deletion.observations) for deletion in deletions])
    return _report_removed(
        "Observations", done, f" Entities not found: {', '.join(done.unknown)}" if done.unknown else ""
    )


def delete_relations(relations: list[Edge]) -> Text:
    return _report_removed("Relations", engine.delete_relations(_to_relations(relations)), " The rest matched nothing.")


def read_graph() -> str:
    return _format_graph(engine.read_graph())


def search_nodes(query: str) -> str:
    return _format_graph(engine.search_nodes(query))


def open_nodes(names: list[str]) -> str:
    return _format_graph(engine.open_nodes(names))


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
