"""A graph of what is known: entities with observations, and relations between them, in a file of JSON lines.

The file is ``memory/memory.json`` of the workspace, line by line as the reference memory server of MCP writes it: first
the entities, then the relations, in the order in which they came.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from yardkit.servers.memory.graph_file import PLACE, GraphFile, read_graph_file
from yardkit.world import FileRef, Problem, World, lock_file
from yardkit.world.paths import out_file


@dataclass(frozen=True)
class Entity:
    """Somebody or something. name: its key; entityType: such as person; observations: what is known, oldest first."""

    name: str
    entityType: str  # noqa: N815 - the names of the file
    observations: list[str]


@dataclass(frozen=True)
class Relation:
    """That one entity is related to another. start, end: their names, ``from`` and ``to`` in the file."""

    start: str
    end: str
    relationType: str  # noqa: N815


@dataclass(frozen=True)
class Graph:
    """Entities and relations; of a page `total` counts all entities, and `next_offset` is where they go on."""

    entities: list[Entity]
    relations: list[Relation]
    total: int = 0
    next_offset: int | None = None


@dataclass(frozen=True)
class Added:
    """What was not known before."""

    name: str
    observations: list[str]


@dataclass(frozen=True)
class Removed:
    """What was removed, of how much that was asked for. unknown: names that no entity has."""

    removed: int
    asked: int
    unknown: list[str]


def create_entities(entities: Sequence[Entity]) -> list[Entity]:
    """Add those whose name none has yet; these come back."""
    with _edit_graph() as graph:
        known = {entity.name for entity in graph.entities}
        new = []
        for entity in entities:
            if entity.name not in known:
                new.append(replace(entity, observations=list(dict.fromkeys(entity.observations))))
                known.add(entity.name)
        graph.entities.extend(new)
    return new


def create_relations(relations: Sequence[Relation]) -> list[Relation]:
    """Add those that are not there yet; these come back.

    Raises:
        Problem: an entity that one names is not there.
    """
    with _edit_graph() as graph:
        for relation in relations:
            for name in (relation.start, relation.end):
                _find_entity(graph, name)
        new = [relation for relation in dict.fromkeys(relations) if relation not in graph.relations]
        graph.relations.extend(new)
    return new


def add_observations(observations: Sequence[tuple[str, list[str]]]) -> list[Added]:
    """Add what is not known yet of entities, given by their names.

    Raises:
        Problem: there is no such entity; nothing is added.
    """
    with _edit_graph() as graph:
        return [_add_observations(graph, name, contents) for name, contents in observations]


def delete_entities(names: Sequence[str]) -> Removed:
    """Remove entities, and all relations that begin or end at them."""
    with _edit_graph() as graph:
        there = {entity.name for entity in graph.entities}
        gone = there & set(names)
        graph.entities[:] = [entity for entity in graph.entities if entity.name not in gone]
        graph.relations[:] = [
            relation for relation in graph.relations if not {relation.start, relation.end} & set(names)
        ]
    return Removed(sum(name in gone for name in names), len(names), [name for name in names if name not in there])


def delete_observations(deletions: Sequence[tuple[str, list[str]]]) -> Removed:
    """Remove single observations of entities, given by their names."""
    removed, unknown = 0, []
    with _edit_graph() as graph:
        for name, contents in deletions:
            places = [place for place, entity in enumerate(graph.entities) if entity.name == name]
            unknown += [] if places else [name]
            for place in places:
                entity = graph.entities[place]
                remaining_texts = [text for text in entity.observations if text not in contents]
                removed += len(entity.observations) - len(remaining_texts)
                graph.entities[place] = replace(entity, observations=remaining_texts)
    return Removed(removed, sum(len(contents) for _, contents in deletions), unknown)


def delete_relations(relations: Sequence[Relation]) -> Removed:
    """Remove relations; each is given whole."""
    with _edit_graph() as graph:
        remaining_relations = [relation for relation in graph.relations if relation not in relations]
        removed = len(graph.relations) - len(remaining_relations)
        graph.relations[:] = remaining_relations
    return Removed(removed, len(relations), [])


def read_graph(offset: int = 0, limit: int | None = None) -> Graph:
    """Entities, a page of them, with the relations that begin or end at them.

    Raises:
        Problem: a line of the file is not a part of a graph.
    """
    graph = _load_graph(_get_path())
    end = len(graph.entities) if limit is None else offset + limit
    page_entities = graph.entities[offset:end]
    if limit is None:
        return Graph(page_entities, graph.relations, len(graph.entities))
    return _with_relations(graph, page_entities, end if end < len(graph.entities) else None)


def search_nodes(query: str) -> Graph:
    """Entities in whose name, type or observations the words stand as they are, whatever their case."""
    graph, search_text = _load_graph(_get_path()), query.lower()
    return _with_relations(graph, [entity for entity in graph.entities if search_text in _join_words(entity)])


def open_nodes(names: Sequence[str]) -> Graph:
    """Entities of these names, as far as there are any, with the relations that begin or end at them."""
    graph = _load_graph(_get_path())
    return _with_relations(graph, [entity for entity in graph.entities if entity.name in names])


def memory_file(world: World) -> FileRef | None:
    """The file as it is now, if there is one."""
    path = world.files / PLACE
    return FileRef(PLACE, "application/json", path.stat().st_size) if path.is_file() else None


def _join_words(entity: Entity) -> str:
    return "\0".join([entity.name, entity.entityType, *entity.observations]).lower()


def _with_relations(graph: Graph, entities: list[Entity], next_offset: int | None = None) -> Graph:
    names = {entity.name for entity in entities}
    relations = [relation for relation in graph.relations if {relation.start, relation.end} & names]
    return Graph(entities, relations, len(graph.entities), next_offset)


def _add_observations(graph: Graph, name: str, contents: list[str]) -> Added:
    place = _find_entity(graph, name)
    entity = graph.entities[place]
    new = [text for text in dict.fromkeys(contents) if text not in entity.observations]
    graph.entities[place] = replace(entity, observations=[*entity.observations, *new])
    return Added(name, new)


def _find_entity(graph: Graph, name: str) -> int:
    """The place of an entity in the graph."""
    for place, entity in enumerate(graph.entities):
        if entity.name == name:
            return place
    raise Problem(f"Entity with name {name} not found; create it first, or search for its name")


def _get_path() -> Path:
    return out_file(PLACE)


@contextmanager
def _edit_graph() -> Iterator[Graph]:
    """The graph, whose lists can be changed; it is saved whole if nothing is raised."""
    from yardkit.world import current_world

    path = _get_path()
    with lock_file(path, current_world().locks):
        file = read_graph_file(path)
        graph = _build_graph(file)
        yield graph
        entities = ({"type": "entity", **vars(entity)} for entity in graph.entities)
        relations = ({"type": "relation", **to_file_record(relation)} for relation in graph.relations)
        file.save(path, chain(entities, relations))


def to_file_record(relation: Relation) -> dict[str, str]:
    """A relation under the names of the file."""
    return {"from": relation.start, "to": relation.end, "relationType": relation.relationType}


def _load_graph(path: Path) -> Graph:
    return _build_graph(read_graph_file(path))


def _build_graph(file: GraphFile) -> Graph:
    graph = Graph([], [])
    for line in file.records:
        facts = line.facts
        if facts["type"] == "entity":
            graph.entities.append(Entity(facts["name"], facts["entityType"], list(facts["observations"])))
        else:
            graph.relations.append(Relation(facts["from"], facts["to"], facts["relationType"]))
    return graph
