"""The `files` server as a client sees it."""

import base64
import os
import unicodedata
import wave
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from fastmcp import Client
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from yardkit.servers.files.engine import texts
from yardkit.servers.files.engine.diffs import unified_diff
from yardkit.servers.files.engine.globs import make_matcher
from yardkit.servers.files.server import mcp
from yardkit.world import World, use_world


class Desk:
    def __init__(self, client: Client[Any], files: Path) -> None:
        self.client, self.files = client, files

    async def do(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, arguments)
        assert result.structured_content is not None
        return result.structured_content

    async def call_for_error(self, tool: str, **arguments: Any) -> str:
        result = await self.client.call_tool(tool, arguments, raise_on_error=False)
        assert result.is_error
        return str(result.content[0].text)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    (tmp_path / "ws").mkdir()
    world = World.open_user_folder(tmp_path / "ws")
    with use_world(world):
        async with Client(mcp) as client:
            yield Desk(client, world.files)


async def test_reading_in_pages_gives_the_whole_file(desk: Desk) -> None:
    text = "".join(f"line {n}\n" for n in range(100)) + "x" * 95_000 + "\nlast"
    (desk.files / "a.txt").write_text(text)
    parts, offset, column = [], 0, 0
    while offset is not None:
        part = await desk.do("read_file", path="a.txt", offset=offset, column=column or 0, limit=30)
        parts.append(part["content"])
        offset, column = part["next_offset"], part["next_column"]
    assert "".join(parts) == text
    assert (await desk.do("read_file", path="a.txt", offset=-1))["content"] == "last"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "gb18030"])
async def test_editing_and_appending_keep_encoding_mark_and_line_ends(desk: Desk, encoding: str) -> None:
    sample = "你好世界。这是一个简单的中文文本。" if encoding == "gb18030" else "Größe und Straße, schöne Grüße"
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    (desk.files / "a.txt").write_bytes(mark + f"{sample}\r\nold\r\nend\r\n".encode(encoding))
    await desk.do("edit_file", path="a.txt", edits=[{"old_text": "old\nend", "new_text": "new\nend"}])
    await desk.do("append_file", path="a.txt", content=f"{sample}\n")
    expected = mark + f"{sample}\r\nnew\r\nend\r\n{sample}\r\n".encode(encoding)
    assert (desk.files / "a.txt").read_bytes() == expected


@given(
    st.text("ab\n", max_size=30),
    st.integers(0, 20),
    st.integers(1, 8),
    st.text("xy\n", max_size=6),
    st.sampled_from(["\r\n", "\r"]),
)
def test_an_edit_is_the_same_whatever_ends_the_lines(before: str, start: int, size: int, new: str, end: str) -> None:
    old = before[start : start + size]
    if before.count("\n") and old and before.count(old) == 1:
        edit = texts.Edit(old, new)
        assert texts.replace_text(before.replace("\n", end), edit, 1, "a.txt") == (
            before.replace(old, new).replace("\n", end),
            1,
        )


async def test_in_a_file_of_several_line_ends_an_edit_keeps_each(desk: Desk) -> None:
    (desk.files / "a.txt").write_bytes(b"one\r\ntwo\nthree\r\nfour")
    edits = [
        {"old_text": "one\ntwo", "new_text": "1\n2"},
        {"old_text": "three", "new_text": "3\n3"},
        {"old_text": "four", "new_text": "4\n4"},
    ]
    await desk.do("edit_file", path="a.txt", edits=edits)
    assert (desk.files / "a.txt").read_bytes() == b"1\r\n2\n3\r\n3\r\n4\r\n4"
    await desk.do("edit_file", path="a.txt", edits=[{"old_text": "\r\n", "new_text": "\n", "replace_all": True}])
    assert (desk.files / "a.txt").read_bytes() == b"1\n2\n3\n3\n4\n4"


async def test_utf_16_without_a_mark_is_text_and_a_guess_is_said(desk: Desk) -> None:
    (desk.files / "a.txt").write_bytes("Grüße\n".encode("utf-16-le"))
    assert (await desk.do("read_file", path="a.txt"))["content"] == "Grüße\n"
    (desk.files / "a.txt").write_bytes("Grüße\n".encode("cp1252"))
    assert (await desk.do("read_file", path="a.txt"))["source_notes"] == [
        "'a.txt' was read as cp1252, a guess since the text does not state its encoding"
    ]


async def test_an_edit_that_is_not_unique_or_not_there_changes_nothing(desk: Desk) -> None:
    (desk.files / "a.txt").write_text("one one two")
    assert "2 times" in await desk.call_for_error(
        "edit_file", path="a.txt", edits=[{"old_text": "one", "new_text": "1"}]
    )
    edits = [{"old_text": "two", "new_text": "2"}, {"old_text": "three", "new_text": "3"}]
    assert "edit 2" in await desk.call_for_error("edit_file", path="a.txt", edits=edits)
    assert (desk.files / "a.txt").read_text() == "one one two"


async def test_a_dry_run_shows_the_diff_and_saves_nothing(desk: Desk) -> None:
    (desk.files / "a.txt").write_text("one\ntwo\n")
    diff_text = await desk.do("edit_file", path="a.txt", edits=[{"old_text": "two", "new_text": "2"}], dry_run=True)
    assert "-two\n+2\n" in diff_text["diff"]
    assert (desk.files / "a.txt").read_text() == "one\ntwo\n"


async def test_moving_and_copying_do_not_replace_unasked(desk: Desk) -> None:
    (desk.files / "a.txt").write_text("a")
    (desk.files / "b.txt").write_text("b")
    for tool in ("move_path", "copy_path"):
        assert "already exists" in await desk.call_for_error(tool, source="a.txt", target="b.txt")
    await desk.do("move_path", source="a.txt", target="b.txt", overwrite=True)
    assert (desk.files / "b.txt").read_text() == "a"
    assert not (desk.files / "a.txt").exists()


async def test_links_are_moved_copied_and_deleted_themselves(desk: Desk) -> None:
    (desk.files / "target").mkdir()
    (desk.files / "target" / "x.txt").write_text("x")
    (desk.files / "link").symlink_to("target")
    await desk.do("copy_path", source="link", target="second")
    await desk.do("move_path", source="link", target="third")
    await desk.do("delete_path", path="third")
    assert (desk.files / "second").is_symlink()
    assert (desk.files / "target" / "x.txt").read_text() == "x"


async def test_a_folder_is_copied_with_its_links_and_deleted_only_when_asked(desk: Desk) -> None:
    (desk.files / "a" / "b").mkdir(parents=True)
    (desk.files / "a" / "b" / "x.txt").write_text("x")
    (desk.files / "a" / "up").symlink_to("../..")
    assert "inside" in await desk.call_for_error("copy_path", source="a", target="a/c")
    await desk.do("copy_path", source="a", target="c")
    assert (desk.files / "c" / "up").readlink() == Path("../..")
    assert "not empty" in await desk.call_for_error("delete_path", path="a")
    assert (await desk.do("delete_path", path="a", recursive=True))["entries"] == 4
    assert sorted(os.listdir(desk.files)) == ["c"]


async def test_a_listing_is_sorted_and_paged(desk: Desk) -> None:
    for number in range(5):
        (desk.files / f"{number}.txt").write_text("x" * (10 - number))
    first = await desk.do("list_folder", sort_by="size", limit=3)
    rest = await desk.do("list_folder", sort_by="size", limit=3, offset=first["next_offset"])
    names = [entry["path"] for entry in first["entries"] + rest["entries"]]
    assert names == ["4.txt", "3.txt", "2.txt", "1.txt", "0.txt"]
    assert rest["next_offset"] is None


async def test_a_name_that_is_no_utf8_can_be_listed(desk: Desk) -> None:
    (desk.files / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    assert [entry["path"] for entry in (await desk.do("list_folder"))["entries"]] == ["caf\\xe9.txt"]


async def test_a_hostile_expression_does_not_hang(desk: Desk) -> None:
    (desk.files / "a.txt").write_text("a" * 200_000 + "b")
    assert (await desk.do("search_files", pattern="(a+)+$"))["hits"] == []
    assert "RE2" in await desk.call_for_error("search_files", pattern="(?=a)")
    assert len((await desk.do("search_files", pattern="a+b"))["hits"]) == 1


async def test_a_pattern_ends_where_the_line_does_whatever_ends_it(desk: Desk) -> None:
    (desk.files / "a.txt").write_bytes(b"total 3\r\n\r\nsum\r\n")
    assert [hit["line"] for hit in (await desk.do("search_files", pattern=r"\d$|^$|^sum$"))["hits"]] == [1, 2, 3]


async def test_content_search_names_what_it_skips(desk: Desk) -> None:
    (desk.files / "a.txt").write_text("needle\n")
    (desk.files / "b.bin").write_bytes(b"needle\0")
    search_reply = await desk.do("search_files", pattern="NEEDLE", ignore_case=True)
    assert [(hit["path"], hit["line"]) for hit in search_reply["hits"]] == [("a.txt", 1)]
    assert search_reply["skipped"][0].startswith("b.bin")


async def test_pictures_and_sound_come_as_content(desk: Desk) -> None:
    Image.new("RGB", (8, 8), "red").save(desk.files / "p.bmp")
    with wave.open(str(desk.files / "s.wav"), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(8000)
        sound.writeframes(bytes(1600))
    picture = (await desk.client.call_tool("read_media", {"path": "p.bmp"})).content
    heard = (await desk.client.call_tool("read_media", {"path": "s.wav"})).content
    assert [block.type for block in picture] == ["text", "image"]
    assert [block.type for block in heard] == ["text", "audio"]
    assert base64.b64decode(heard[1].data) == (desk.files / "s.wav").read_bytes()


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.csv", "a/b/x.csv", True),
        ("a/*.csv", "a/b/x.csv", False),
        ("a/**/*.csv", "a/x.csv", True),
        ("**/b/**", "a/b/x.csv", True),
        ("*.{csv,txt}", "x.txt", True),
        ("[a-c]?.txt", "b1.txt", True),
        ("report[1].pdf", "in/report[1].pdf", True),
        ("app/[slug]/*.tsx", "app/[slug]/page.tsx", True),
    ],
)
def test_globs_match_names_or_whole_paths(pattern: str, path: str, expected: bool) -> None:
    assert make_matcher([pattern])(path) is expected


def test_a_hostile_glob_does_not_hang() -> None:
    assert not make_matcher(["**/" * 40 + "*a" * 60 + "b"])("/".join(["a" * 200] * 20))


@given(st.text(alphabet="ab\n\ré", max_size=60), st.text(alphabet="ab\n\ré", max_size=5), st.text(max_size=5))
def test_lines_add_up_to_the_text(text: str, old: str, new: str) -> None:
    assert "".join(texts._split_lines(text)) == text
    after = text.replace(old, new) if old else text
    diff = unified_diff(texts._split_lines(text), texts._split_lines(after), "a", 10**6)
    assert (diff.count("@@ -") > 0) == (after != text)


async def test_a_link_tells_nothing_of_the_machine(desk: Desk, tmp_path: Path) -> None:
    (desk.files / "inside").symlink_to(desk.files / "a" / "b.txt")
    (desk.files / "outside").symlink_to(tmp_path / "elsewhere")
    entries = {entry["path"]: entry for entry in (await desk.do("list_folder"))["entries"]}
    assert entries["inside"]["target"] == "a/b.txt"
    assert entries["outside"]["target"] == "(a place outside the workspace)"


async def test_letters_with_marks_are_the_same_in_one_sign_or_two(desk: Desk) -> None:
    name, composed = (unicodedata.normalize(form, "Bericht f\u00fcr M\u00e4rz.txt") for form in ("NFD", "NFC"))
    (desk.files / name).write_text(f"{name}\n")
    assert [entry["path"] for entry in (await desk.do("find_files", pattern="*M\u00e4rz*"))["entries"]] == [name]
    assert [hit["column"] for hit in (await desk.do("search_files", pattern="f\u00fcr"))["hits"]] == [9]
    edits = [{"old_text": "f\u00fcr M\u00e4rz", "new_text": "f\u00fcr Mai"}]
    assert (await desk.do("edit_file", path=name, edits=edits))["replacements"] == 1
    assert (desk.files / name).read_text() == "Bericht f\u00fcr Mai.txt\n"
    await desk.do("write_file", path=composed, content="new\n")
    assert [path.name for path in desk.files.iterdir()] == [name]
