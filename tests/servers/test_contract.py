"""What docs/servers.md asks of every server, checked on whatever stands in yardkit/servers."""

import ast
import importlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport
from walking import NAMES, SERVERS, SURFACES, function_of, load_surface, role_of, tools_of

from yardkit.kit.arguments import Shape
from yardkit.world import FileRef
from yardkit.world.extras import read_extras

HEAVY = sorted({module for modules in read_extras().values() for module in modules} | {"pandas", "torch"})
"""Packages of the extras, and two that they bring along."""
MAX_TOKENS = 8000
MAX_TOKENS_OF_A_FOREIGN_TOOL = 250
"""Of a dialect, in which somebody else says how many tools there are."""
ALSO = {"pdf": ("ocr.engine",), "browser": ("shop.engine", "courses.engine")}
"""Public functions of another server's engine that a server may call."""
PATH_WORDS = {"path", "paths", "file", "files", "folder", "folders", "directory", "filepath"}
ENDS_OF_PATHS = {"source", "target"}
NO_PATHS = {
    ("git_diff", "target"),
    ("bigquery_export_table", "destination_path"),
    ("bigquery_export_table", "file_format"),
    ("get_paper_section", "section_path"),
}
"""Arguments that are called like a path by somebody else: a commit, an object of a bucket, a format, a section."""
MAIL_FOLDERS = {"folder", "folder_name", "target_folder"}
"""What Toolathlon calls folders of a mailbox, which are no files."""

each_server = pytest.mark.parametrize("server", NAMES)
each_surface = pytest.mark.parametrize("server", SURFACES)
"""The servers and their dialects."""


def modules_of(server: str, part: str = "") -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((SERVERS / server).rglob("*.py")):
        if part in (path.relative_to(SERVERS / server).parts[0], path.stem, ""):
            yield path, ast.parse(path.read_text("utf-8"))


def imported_by(module: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_the_suite_has_servers() -> None:
    assert {"calculator", "files"} <= set(NAMES)


def test_every_folder_is_a_server() -> None:
    folders = {path.name for path in SERVERS.iterdir() if (path / "__init__.py").is_file()}
    assert folders == set(NAMES)


@each_server
def test_a_server_has_its_parts(server: str) -> None:
    folder = SERVERS / server
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", server)
    assert (folder / "server.py").is_file()
    assert (folder / "engine.py").is_file() or (folder / "engine" / "__init__.py").is_file()
    readme = (folder / "README.md").read_text("utf-8")
    assert "<!-- tools -->" in readme
    assert "<!-- /tools -->" in readme
    assert re.search(r"^## .*configuration", readme, re.IGNORECASE | re.MULTILINE)
    assert re.search(r"^## .*example", readme, re.IGNORECASE | re.MULTILINE)


@each_server
def test_the_purpose_of_a_server_is_one_line(server: str) -> None:
    purpose = ast.get_docstring(ast.parse((SERVERS / server / "__init__.py").read_text("utf-8")))
    assert purpose
    assert "\n" not in purpose
    assert purpose.endswith(".")


@each_server
def test_a_server_says_in_one_word_to_which_group_it_belongs(server: str) -> None:
    group = importlib.import_module(f"yardkit.servers.{server}").GROUP
    assert group in {"office", "logic", "code", "apps", "perception", "media"}


@each_surface
def test_the_server_is_named_like_its_folder_and_says_how_to_use_it(server: str) -> None:
    assert load_surface(server).name == server.partition("/")[0]
    assert len((load_surface(server).instructions or "").split()) >= 5


@each_surface
def test_a_server_has_tools(server: str) -> None:
    assert tools_of(server)


def test_tool_names_are_verb_noun_and_unique_in_the_suite() -> None:
    names = Counter(tool.name for server in NAMES for tool in tools_of(server))
    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", name) or len(name) > 40] == []


@each_surface
def test_every_tool_and_every_argument_is_described(server: str) -> None:
    undescribed = []
    for tool in tools_of(server):
        arguments = tool.parameters.get("properties", {})
        undescribed += [f"{tool.name}.{name}" for name, schema in arguments.items() if not schema.get("description")]
        undescribed += [] if tool.description else [tool.name]
        assert tool.parameters.get("additionalProperties") is False, tool.name
    assert undescribed == []


@pytest.mark.parametrize(
    "path", sorted((SERVERS.parent / "compat").glob("*/schemas/*.json")), ids=lambda path: path.stem
)
def test_a_client_sees_the_list_of_another_suite_whatever_types_a_handler_declares(path: Path) -> None:
    listed, surface = json.loads(path.read_text("utf-8")), f"{path.stem}/{path.parts[-3]}"
    announced = [
        tool.to_mcp_tool().model_dump(by_alias=True, exclude_none=True, mode="json") for tool in tools_of(surface)
    ]
    assert load_surface(surface).instructions == listed["instructions"]
    assert [{name: entry[name] for name in listed["tools"][0]} for entry in announced] == listed["tools"]


def refused_numbers(schema: dict[str, Any], place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where, in the arguments of a tool, a number that is far too large is refused before the tool sees it."""
    variants = [schema, *schema.get("anyOf", [])]
    kinds = {variant.get("type") for variant in variants}
    if kinds & {"integer", "number"}:
        beyond = 10**16 if "number" not in kinds and "string" not in kinds else 10**400
        assert Shape(schema).bounds[1] < beyond, place
        yield place
    for variant in variants:
        for name, inner in variant.get("properties", {}).items():
            yield from refused_numbers(inner, (*place, name))
        inner = [variant.get("items"), variant.get("additionalProperties"), *variant.get("prefixItems", [])]
        for item in inner:
            yield from refused_numbers(item, (*place, "-")) if isinstance(item, dict) else ()


def test_no_number_of_any_tool_is_without_bounds() -> None:
    bounded = [place for name in SURFACES for tool in tools_of(name) for place in refused_numbers(tool.parameters)]
    assert len(bounded) > 500


@each_surface
def test_every_tool_states_what_it_does_to_the_world(server: str) -> None:
    for tool in tools_of(server):
        hints = tool.annotations
        assert hints is not None, tool.name
        stated = [hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint, hints.open_world_hint]
        assert None not in stated, tool.name
        assert not (hints.read_only_hint and hints.destructive_hint), tool.name


@each_surface
def test_a_tool_that_writes_files_does_not_claim_to_be_read_only(server: str) -> None:
    for tool in tools_of(server):
        hints = get_type_hints(function_of(tool), include_extras=True)
        roles = {role[0] for role in map(role_of, hints.values()) if role}
        if roles & {"out_file", "out_dir", "out_entry"}:
            assert tool.annotations
            assert tool.annotations.read_only_hint is False, tool.name


ADDS = {"append_file", "append_rows", "import_table"}
"""Tools that add to the file that they are given, and lose nothing of it."""


@each_server
def test_a_tool_that_can_replace_a_file_says_that_it_is_destructive(server: str) -> None:
    for tool in tools_of(server):
        hints = get_type_hints(function_of(tool), include_extras=True)
        if tool.name not in ADDS and any(role == ("out_file", False) for role in map(role_of, hints.values())):
            assert tool.annotations
            assert tool.annotations.destructive_hint is True, tool.name


@each_server
def test_a_tool_that_is_named_after_reading_only_reads(server: str) -> None:
    reading = re.compile(r"(read|find|list|search|view|inspect|compare|check|detect|count|describe|measure|get|show)_")
    writing = [tool.name for tool in tools_of(server) if not (tool.annotations and tool.annotations.read_only_hint)]
    assert [name for name in writing if reading.match(name)] == []


def dataclasses_in(annotation: Any) -> Iterator[Any]:
    if is_dataclass(annotation):
        yield annotation
        for hint in get_type_hints(annotation).values():
            yield from dataclasses_in(hint)
    for inner in get_args(annotation):
        yield from dataclasses_in(inner)


@each_surface
def test_results_are_frozen_dataclasses_that_a_person_can_read(server: str) -> None:
    for tool in tools_of(server):
        result = get_type_hints(function_of(tool))["return"]
        assert is_dataclass(result), tool.name
        assert "__str__" in vars(result) or tool.result_schema is None, f"{result} has no text of its own"
        assert fields(result), tool.name
        assert all(result_class.__dataclass_params__.frozen for result_class in dataclasses_in(result)), tool.name
        assert tool.result_schema is None or tool.result_schema.get("type") == "object", tool.name  # None: bulk


@each_surface
def test_arguments_that_name_files_are_path_types(server: str) -> None:
    for tool in tools_of(server):
        hints = get_type_hints(function_of(tool), include_extras=True)
        named = {name for name in hints if set(name.split("_")) & PATH_WORDS or name.split("_")[-1] in ENDS_OF_PATHS}
        named = {name for name in named if not name.endswith("_id")}
        named -= MAIL_FOLDERS if server == "mail/toolathlon" else set()
        strings = {name for name in named - {"return"} if "str" in str(get_type_hints(function_of(tool))[name])}
        untyped = {(tool.name, name) for name in strings if role_of(hints[name]) is None}
        assert untyped <= NO_PATHS, tool.name


@each_server
def test_the_engine_knows_neither_mcp_nor_the_environment(server: str) -> None:
    for path, module in modules_of(server, "engine"):
        foreign = {name for name in imported_by(module) if re.match(r"(fast)?mcp\b|yardkit\.kit\.surface", name)}
        assert foreign == set(), path
        attributes = {node.attr for node in ast.walk(module) if isinstance(node, ast.Attribute)}
        assert not attributes & {"environ", "getenv"}, path


@each_server
def test_a_server_imports_no_other_server(server: str) -> None:
    shared = ALSO.get(server, ())
    own = (f"yardkit.servers.{server}", *(f"yardkit.servers.{name}" for name in shared))
    for path, module in modules_of(server):
        others = {name for name in imported_by(module) if name.startswith("yardkit.servers.")}
        assert {name for name in others if not f"{name}.".startswith(tuple(f"{mine}." for mine in own))} == set(), path


@pytest.mark.parametrize("third", range(3))
def test_listing_all_tools_loads_nothing_heavy(third: int) -> None:
    program = (
        "import asyncio, sys\n"
        "from yardkit.sandbox.serving.registry import load_server\n"
        f"for name, dialect in {[(*name.split('/'), '')[:2] for name in SURFACES[third::3]]!r}:\n"
        "    assert asyncio.run(load_server(name, dialect).list_tools())\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"


@each_surface
async def test_the_tools_of_a_server_fit_into_a_prompt(server: str) -> None:
    async with Client(load_surface(server)) as client:
        listed = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in await client.list_tools()]
    tokens = len(json.dumps(listed, ensure_ascii=False)) / 4
    foreign = MAX_TOKENS_OF_A_FOREIGN_TOOL * len(listed) if "/" in server else 0
    assert tokens < max(MAX_TOKENS, foreign), f"{tokens:.0f} tokens"


@each_server
@pytest.mark.drill
async def test_a_server_starts_as_a_process(server: str, tmp_path: Path) -> None:
    command = ["-m", "yardkit", "serve", server, "--workspace", str(tmp_path)]
    expected = {tool.name for tool in await load_surface(server).list_tools()}
    async with Client(StdioTransport(sys.executable, command)) as client:
        assert {tool.name for tool in await client.list_tools()} == expected


def test_a_file_reference_is_readable() -> None:
    assert str(FileRef("a/b.txt", "text/plain", 1200)) == "a/b.txt (text/plain, 1,200 bytes)"
