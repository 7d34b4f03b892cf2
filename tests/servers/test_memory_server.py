"""The server `memory`: a graph in a file of the workspace, and the same under the reference server's names."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.answers import make_caller, read_facts, read_text

from yardkit.sandbox.serving.registry import load_server
from yardkit.servers.memory.server import mcp
from yardkit.world import World, use_world

call, theirs = make_caller(mcp), make_caller(load_server("memory", "toolathlon"))
MIRA = {"name": "Mira Vance", "entityType": "person", "observations": ["likes tea", "speaks Übisch"]}
MUSEUM = {"name": "Harbour Museum", "entityType": "firm", "observations": []}
EDGE = {"from": "Mira Vance", "to": "Harbour Museum", "relationType": "works for"}
LINES = (
    '{"type":"entity","name":"Mira Vance","entityType":"person","observations":["likes tea","speaks Übisch"]}\n'
    '{"type":"entity","name":"Harbour Museum","entityType":"firm","observations":[]}\n'
    '{"type":"relation","from":"Mira Vance","to":"Harbour Museum","relationType":"works for"}\n'
)


@pytest.fixture(autouse=True)
def world(tmp_path: Path) -> Iterator[World]:
    new_world = World.create(tmp_path / "world", task="t", seed=1)
    with use_world(new_world):
        yield new_world


@pytest.fixture
def memory(world: World) -> Path:
    """A graph of two entities, as the reference server leaves it."""
    path = world.files / "memory" / "memory.json"
    path.parent.mkdir()
    path.write_text(LINES, "utf-8")
    return path


def add_bo() -> None:
    call("create_entities", entities=[{"name": "Bo", "entityType": "person", "observations": []}])


BO = b'{"type":"entity","name":"Bo","entityType":"person","observations":[]}'
FOREIGN_LINES = {
    "further fields": b'{"type": "entity", "name": "A", "entityType": "p", "observations": [], "createdAt": "2026"}',
    "no observations": b'{"type":"entity","name":"A","entityType":"p"}',
    "Latin-1": b'{"type":"entity","name":"K\xf6ln","entityType":"p","observations":["M\xfcnster"]}',
    "a bad byte": '{"type":"entity","name":"Grüße aus Köln, für Übisch","entityType":"'.encode()
    + b'\xff","observations":[]}',
    "another type": b'{"type":"_aim","source":"mcp-knowledge-graph"}',
    "duplicates": BO.replace(b"Bo", b"A") + b"\n" + BO.replace(b"Bo", b"A").replace(b"person", b"firm"),
}


@pytest.mark.parametrize("line", FOREIGN_LINES)
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_lines_of_other_programs_stay_as_they_are(memory: Path, line: str, end: bytes, mark: bytes) -> None:
    lines = mark + FOREIGN_LINES[line].replace(b"\n", end) + end
    for last in (end, b"") if end == b"\n" else (end,):
        memory.write_bytes(lines.removesuffix(end) + last)
        add_bo()
        assert memory.read_bytes() == lines + BO + last
        call("delete_entities", names=["Bo"])
        assert memory.read_bytes() == lines.removesuffix(end) + last


def test_a_changed_entity_keeps_its_further_fields(memory: Path) -> None:
    memory.write_bytes(FOREIGN_LINES["further fields"] + b"\n\n" + FOREIGN_LINES["Latin-1"])
    call("add_observations", observations=[{"name": "A", "observations": ["new"]}])
    changed_line, unchanged_line = memory.read_bytes().split(b"\n")
    assert json.loads(changed_line)["createdAt"] == "2026"
    assert json.loads(changed_line)["observations"] == ["new"]
    assert unchanged_line == FOREIGN_LINES["Latin-1"]
    graph = read_facts(call("read_graph"))
    assert graph["entities"][1]["name"] == "Köln"
    assert "line 2 of memory/memory.json" in str(graph["source_notes"])
    memory.write_bytes(FOREIGN_LINES["a bad byte"])
    name = read_facts(call("read_graph"))["entities"][0]["name"]
    refused = refuse_call("add_observations", observations=[{"name": name, "observations": ["new"]}])
    assert "would be lost" in refused


def refuse_call(tool: str, **arguments: Any) -> str:
    answer = call(tool, **arguments)
    assert answer.is_error, read_text(answer)
    return read_text(answer)


def test_the_file_is_as_the_reference_server_writes_it(world: World) -> None:
    for ours in (False, True):
        if ours:
            call("create_entities", entities=[MIRA, MUSEUM, MIRA])
            call(
                "create_relations", relations=[{"start": EDGE["from"], "end": EDGE["to"], "relationType": "works for"}]
            )
        else:
            theirs("create_entities", entities=[MIRA, MUSEUM, MIRA])
            theirs("create_relations", relations=[EDGE, EDGE])
        path = world.files / "memory" / "memory.json"
        assert path.read_text("utf-8") == LINES
        path.unlink()


def test_what_is_known_stays_once(memory: Path) -> None:
    assert read_facts(call("create_entities", entities=[{**MIRA, "observations": ["is new"]}]))["entities"] == []
    added = read_facts(
        call("add_observations", observations=[{"name": "Mira Vance", "observations": ["likes tea", "sails"]}])
    )
    assert added["observations"] == [{"name": "Mira Vance", "observations": ["sails"]}]
    assert added["file"]["path"] == "memory/memory.json"
    nodes = read_facts(call("open_nodes", names=["Mira Vance"]))
    assert nodes["entities"][0]["observations"] == ["likes tea", "speaks Übisch", "sails"]


def test_nodes_are_found_by_name_type_or_fact_with_their_relations(memory: Path) -> None:
    for query, names in [
        ("HARBOUR", ["Harbour Museum"]),
        ("person", ["Mira Vance"]),
        ("übisch", ["Mira Vance"]),
        ("zzz", []),
    ]:
        nodes = read_facts(call("search_nodes", query=query))
        assert [entity["name"] for entity in nodes["entities"]] == names
        assert len(nodes["relations"]) == len(names)


def test_a_graph_is_read_in_pages(memory: Path) -> None:
    first = read_facts(call("read_graph", limit=1))
    assert ([entity["name"] for entity in first["entities"]], first["total"], first["next_offset"]) == (
        ["Mira Vance"],
        2,
        1,
    )
    assert "next_offset" not in read_facts(call("read_graph", limit=1, offset=1))


def test_an_entity_goes_with_its_relations(memory: Path) -> None:
    done = read_facts(call("delete_entities", names=["Harbour Museum", "Nobody"]))
    assert (done["removed"], done["asked"], done["unknown"]) == (1, 2, ["Nobody"])
    assert memory.read_text("utf-8") == LINES.split("\n")[0] + "\n"


def test_a_relation_needs_entities_and_nothing_is_done_by_half(memory: Path) -> None:
    relations = [{"start": "Harbour Museum", "end": name, "relationType": "knows"} for name in ("Mira Vance", "Nobody")]
    assert "Entity with name Nobody not found" in refuse_call("create_relations", relations=relations)
    observations = [{"name": name, "observations": ["x"]} for name in ("Mira Vance", "Nobody")]
    assert "Entity with name Nobody not found" in refuse_call("add_observations", observations=observations)
    assert memory.read_text("utf-8") == LINES


@pytest.mark.parametrize(
    "line", ['{"type":"entity"', '{"type":"entity","name":"x"}', "[" * 5_000, '{"type":3}', "\udcff"]
)
def test_a_broken_line_is_named_and_nothing_is_lost(memory: Path, line: str) -> None:
    memory.write_bytes((LINES + line).encode("utf-8", "surrogateescape"))
    before = memory.read_bytes()
    for tool, arguments in (("read_graph", {}), ("create_entities", {"entities": [MUSEUM]})):
        assert "line 4 of memory/memory.json is not a valid entity or relation" in refuse_call(tool, **arguments)
    assert memory.read_bytes() == before


def test_a_memory_that_leads_elsewhere_is_not_followed(world: World, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text(LINES)
    (world.files / "memory").mkdir()
    (world.files / "memory" / "memory.json").symlink_to(tmp_path / "secret.json")
    assert "Mira" not in refuse_call("read_graph")


def test_the_reference_tools_answer_in_its_texts(memory: Path) -> None:
    graph = {"entities": [MIRA, MUSEUM], "relations": [EDGE]}
    assert read_text(theirs("read_graph")) == json.dumps(graph, indent=2, ensure_ascii=False)
    assert json.loads(read_text(theirs("search_nodes", query="tea"))) == {"entities": [MIRA], "relations": [EDGE]}
    assert json.loads(read_text(theirs("open_nodes", names=["Harbour Museum"])))["entities"] == [MUSEUM]
    added = read_text(theirs("add_observations", observations=[{"entityName": "Mira Vance", "contents": ["sails"]}]))
    assert json.loads(added) == [{"entityName": "Mira Vance", "addedObservations": ["sails"]}]
    assert read_text(theirs("create_entities", entities=[MUSEUM])) == "[]"
    assert (
        json.loads(read_text(theirs("create_relations", relations=[{**EDGE, "relationType": "owns"}])))[0]["from"]
        == "Mira Vance"
    )
    gone = [
        {"entityName": "Mira Vance", "observations": ["sails", "flies"]},
        {"entityName": "Nobody", "observations": ["x"]},
    ]
    assert read_text(theirs("delete_observations", deletions=gone[:1])) == "Deleted 1 of 2 observations."
    assert read_text(theirs("delete_observations", deletions=gone[1:])).endswith(
        "0 of 1 observations. Entities not found: Nobody"
    )
    assert read_text(theirs("delete_relations", relations=[EDGE])) == "Relations deleted successfully"
    assert (
        read_text(theirs("delete_relations", relations=[EDGE])) == "Deleted 0 of 1 relations. The rest matched nothing."
    )
    assert read_text(theirs("delete_entities", entityNames=["Mira Vance"])) == "Entities deleted successfully"
    assert read_text(theirs("delete_entities", entityNames=["Nobody"])) == "Deleted 0 of 1 entities. Not found: Nobody"
    assert (
        memory.read_text("utf-8") == '{"type":"entity","name":"Harbour Museum","entityType":"firm","observations":[]}\n'
    )
    failed = theirs("create_relations", relations=[EDGE])
    assert (failed.is_error, read_text(failed)[:38]) == (True, "Entity with name Mira Vance not found;")
