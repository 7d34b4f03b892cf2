"""Hostile paths at every file argument of every tool: none gets out, none crashes, nothing is half written."""

import asyncio
import base64
import os
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastmcp.exceptions import ToolError
from hypothesis import given, settings
from hypothesis import strategies as st
from support.scale import count_tries
from walking import PATH_VALIDATORS, SURFACES, FileArgument, file_arguments, make_minimal

from yardkit.world import Problem, World, use_world
from yardkit.world.hashing import TreeHasher
from yardkit.world.save import SAVE_PREFIX

SECRET = "canary-5f1d-must-never-be-seen"
COUNT = 2000
"""Paths for which the law of each path type is checked."""
PER_ARGUMENT = count_tries(300, 2)
"""Of these, what each argument of that type is called with: others for each argument."""
ACCEPTED_CALLS = count_tries(10, 1)
"""Calls per argument with paths that the type admits."""
ENTRIES = ("in_entry", "out_entry", "any_entry")


@dataclass(frozen=True)
class Yard:
    """A workspace full of traps, and what lies outside it."""

    world: World
    outside: Path

    def state(self) -> str:
        return TreeHasher().hash_tree(self.world.files)

    def outside_state(self) -> str:
        return TreeHasher().hash_tree(self.outside)


def make_yard(root: Path) -> Yard:
    files, outside = root / "ws", root / "outside"
    (files / "sub" / "deeper").mkdir(parents=True)
    (outside / "folder").mkdir(parents=True)
    (outside / "secret.txt").write_text(SECRET)
    (outside / "folder" / "more.txt").write_text(SECRET)
    (files / "notes.txt").write_text("x marks the spot\n")
    (files / "sub" / "more.txt").write_text("x\n")
    links: dict[str, str | Path] = {
        "secret": outside / "secret.txt",
        "out": outside,
        "up": "..",
        "far": "../outside/folder/more.txt",
        "inside": "sub",
        "loop": "loop",
        "ping": "pong",
        "pong": "ping",
        "zero": "/dev/zero",
        "environ": "/proc/self/environ",
        "dangling": outside / "not-there.txt",
        "sub/up2": "../../outside",
    }
    for name, target in links.items():
        (files / name).symlink_to(target)
    os.mkfifo(files / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(files)  # the path of a socket may have 107 bytes only
        server.bind("sock")
        os.chdir(here)
    return Yard(World.open_user_folder(files), outside)


def list_nasty_paths(yard: Yard) -> list[str]:
    """The classics, written down."""
    outside, files = str(yard.outside), str(yard.world.files)
    return [
        *(
            "",
            " ",
            ".",
            "..",
            "/",
            "//",
            "...",
            "../",
            "../..",
            "../outside/secret.txt",
            "sub/../../outside/secret.txt",
        ),
        *(
            "./../outside/secret.txt",
            "sub/./.././../outside",
            "..//outside//secret.txt",
            "out/secret.txt",
            "out/new.txt",
        ),
        *(
            "out",
            "out/",
            "out/.",
            "out/..",
            "out/folder/more.txt",
            "up/outside/secret.txt",
            "up/ws/up/outside/secret.txt",
        ),
        *("secret", "secret/", "far", "sub/up2/secret.txt", "inside/up2/secret.txt", "inside/../out/secret.txt"),
        *("loop", "loop/", "loop/a", "ping", "ping/x", "zero", "environ", "dangling", "dangling/x", "pipe", "pipe/x"),
        *(
            "sock",
            "notes.txt/",
            "notes.txt/..",
            "notes.txt/x",
            "notes.txt/../../outside/secret.txt",
            "not-there/../notes.txt",
        ),
        *(
            "/etc/passwd",
            "/proc/self/environ",
            "/proc/self/root/etc/passwd",
            "/proc/self/cwd",
            "/proc/self/fd/0",
            "/dev/zero",
        ),
        *(
            "/dev/stdin",
            "/dev/fd/0",
            "/tmp",
            outside,
            f"{outside}/secret.txt",
            f"{files}/../outside/secret.txt",
            files + "x",
        ),
        *(
            f"{files}/out/secret.txt",
            f"file://{outside}/secret.txt",
            "file:///etc/passwd",
            "~",
            "~/.ssh/id_rsa",
            "~root/x",
        ),
        *(
            "$HOME",
            "${HOME}/x",
            "`id`",
            "$(id)",
            "a;id",
            "-rf",
            "--help",
            "a|b",
            "a\0b",
            "\0",
            "notes.txt\0.png",
            "a\nb",
            "\n",
        ),
        *(
            "\r",
            "\t",
            "\x1b[31m",
            "\x7f",
            "\ud800",
            "\udcff",
            "a/\udc80",
            "\u202enotes.txt",
            "notes\u200b.txt",
            "\ufeffnotes.txt",
        ),
        *(
            "\uff4eotes.txt",
            "\uff0e\uff0e/outside",
            "%2e%2e/outside",
            "..%2foutside",
            "..\\outside\\secret.txt",
            "C:\\x",
            "\\\\host\\x",
        ),
        *(
            "CON",
            "x" * 255,
            "x" * 256,
            "x" * 300,
            "é" * 128,
            "a/" * 2500,
            "../" * 3000,
            "/".join(["sub"] * 900),
            "/" * 5000,
        ),
        *(
            ".yardkit-save-1-x",
            "sub/.yardkit-save-1",
            "*",
            "?",
            "[a]",
            "{a,b}",
            "https://example.org/x",
            "data:text/plain,x",
        ),
    ]


PIECES = [
    *(
        "..",
        "..",
        "..",
        ".",
        "",
        "~",
        "a",
        "notes.txt",
        "sub",
        "deeper",
        "out",
        "up",
        "up2",
        "secret",
        "far",
        "inside",
        "loop",
    ),
    *(
        "ping",
        "zero",
        "environ",
        "dangling",
        "pipe",
        "sock",
        "outside",
        "secret.txt",
        "folder",
        "more.txt",
        "ws",
        "proc",
        "self",
    ),
    *(
        "root",
        "etc",
        "passwd",
        "dev",
        "\0",
        "\ud800",
        "\u202e",
        "%2e%2e",
        "..\\",
        "...",
        " ",
        "\n",
        "x" * 300,
        "file:",
        "-rf",
    ),
]


def generate_hostile_paths(yard: Yard, count: int) -> Iterator[str]:
    """`count` paths: the classics, then combinations of all traps, the same in every run."""
    chance = random.Random(20260316)
    seen = dict.fromkeys(list_nasty_paths(yard))
    prefixes = [
        "",
        "",
        "",
        "/",
        "//",
        "./",
        "../",
        f"{yard.world.files}/",
        f"{yard.outside}/",
        "~/",
        "file://",
        "/proc/self/",
    ]
    while len(seen) < count:
        pieces = chance.choices(PIECES, k=chance.randint(1, 7))
        seen[chance.choice(prefixes) + chance.choice(["/", "/", "//", "/./"]).join(pieces)] = None
    return iter(seen)


def check_inside(yard: Yard, role: str, path: Path) -> None:
    """The law of a path type: what it admits lies in the workspace, whatever links are followed."""
    files = yard.world.files
    is_entry = role in ENTRIES and path != files
    followed = Path(os.path.realpath(path.parent)) / path.name if is_entry else Path(os.path.realpath(path))
    assert followed == path
    assert path.is_relative_to(files)
    assert path != files or role in ("in_path", "in_dir", "out_dir", "any_entry")


@pytest.mark.parametrize("role", sorted(PATH_VALIDATORS.values()))
def test_what_a_path_type_admits_lies_in_the_workspace(role: str, tmp_path: Path) -> None:
    yard = make_yard(tmp_path)
    validate = {name: function for function, name in PATH_VALIDATORS.items()}[role]
    admitted = 0
    with use_world(yard.world):
        for text in generate_hostile_paths(yard, COUNT):
            try:
                path = validate(text)
            except Problem:
                continue
            admitted += 1
            check_inside(yard, role, path)
    assert 0 < admitted < COUNT


@settings(max_examples=count_tries(400, 60))
@given(text=st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=8).map("/".join))
@pytest.mark.parametrize("role", sorted(PATH_VALIDATORS.values()))
def test_no_text_is_admitted_that_leaves_the_workspace(role: str, tmp_path_factory: Any, text: str) -> None:
    root = tmp_path_factory.getbasetemp() / "law"
    yard = Yard(World.open_user_folder(root / "ws"), root / "outside") if root.exists() else make_yard(root)
    validate = {name: function for function, name in PATH_VALIDATORS.items()}[role]
    with use_world(yard.world):
        try:
            path = validate(text)
        except Problem:
            return
    check_inside(yard, role, path)


def arguments_with(argument: FileArgument, text: str) -> dict[str, Any]:
    others = make_minimal({**argument.tool.parameters, "type": "object"})
    for other in file_arguments(argument.server):
        if other.tool.name == argument.tool.name and other.name in others:
            others[other.name] = ["notes.txt"] if other.is_list else "notes.txt"
    return {**others, argument.name: [text] if argument.is_list else text}


async def call_argument(argument: FileArgument, text: str) -> str:
    """Everything that a model gets to see from one call; a crash fails the test."""
    answer_text = await answer_to(argument, text)
    assert "failed unexpectedly" not in answer_text, (str(argument), text)
    return answer_text


async def answer_to(argument: FileArgument, text: str) -> str:
    try:
        result = await argument.tool.run(arguments_with(argument, text))
    except ToolError as error:
        return str(error)
    blobs = [base64.b64decode(block.data) for block in result.content if hasattr(block, "data")]
    texts = [getattr(block, "text", "") for block in result.content]
    return "\n".join([*texts, str(result.structured_content), *(blob.decode("latin-1") for blob in blobs)])


def drafts_in(folder: Path) -> list[str]:
    return [name for _, folders, names in os.walk(folder) for name in folders + names if name.startswith(SAVE_PREFIX)]


@pytest.fixture(scope="module")
def refusing(tmp_path_factory: pytest.TempPathFactory) -> tuple[Yard, list[str]]:
    """A yard that stays as it is, since all that is asked of it is refused, and the hostile paths into it."""
    yard = make_yard(tmp_path_factory.mktemp("refused"))
    return yard, list(generate_hostile_paths(yard, COUNT))


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("server", SURFACES)
def test_no_hostile_path_gets_out(
    server: str, refusing: tuple[Yard, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each argument. The tools are loaded here, since loading all of them takes seconds of every test process."""
    monkeypatch.setenv("YARDKIT_TEST_SECRET", SECRET)
    asyncio.run(call_with_all(file_arguments(server), *refusing, tmp_path))


async def call_with_all(arguments: list[FileArgument], yard: Yard, paths: list[str], scratch: Path) -> None:
    before, before_outside = yard.state(), yard.outside_state()
    admitted = [(argument, await call_with_hostile(argument, yard, paths)) for argument in arguments]
    assert yard.state() == before
    assert yard.outside_state() == before_outside
    for argument, texts in admitted:
        for number, text in enumerate(texts):
            await call_with_admitted(argument, text, yard, scratch / f"{argument.tool.name}-{argument.name}-{number}")


async def call_with_hostile(argument: FileArgument, yard: Yard, paths: list[str]) -> list[str]:
    """Paths that the type refuses change nothing and tell nothing; some of those that it admits."""
    validate = {name: function for function, name in PATH_VALIDATORS.items()}[argument.role]
    admitted = []
    chance = random.Random(str(argument))
    with use_world(yard.world):
        for text in chance.sample(paths, PER_ARGUMENT):
            try:
                validate(text)
            except Problem:
                assert SECRET not in await call_argument(argument, text), (str(argument), text)
            else:
                admitted.append(text)
    return chance.sample(admitted, min(ACCEPTED_CALLS, len(admitted)))


async def call_with_admitted(argument: FileArgument, text: str, yard: Yard, root: Path) -> None:
    """A path that the type admits does its work inside; a yard of its own, since tools write and delete."""
    fresh = make_yard(root)
    text = text.replace(str(yard.world.files), str(fresh.world.files))
    outside = fresh.outside_state()
    with use_world(fresh.world):
        assert SECRET not in await call_argument(argument, text), (str(argument), text)
    assert fresh.outside_state() == outside
    assert fresh.world.files.is_dir()
    assert drafts_in(root) == []


def test_every_tool_that_works_on_files_is_covered() -> None:
    arguments = file_arguments("files")
    assert {argument.tool.name for argument in arguments} >= {"read_file", "write_file", "move_path", "delete_path"}
    assert len({argument.name for argument in arguments if argument.tool.name == "move_path"}) == 2
