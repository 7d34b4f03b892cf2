"""The record of an episode: what is kept of each call, how much in all, and what forks share."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.gateways import TASK

from yardkit.sandbox.episodes.episode import Episode, open_new, reopen_episode
from yardkit.sandbox.episodes.ledger import encode_canonical
from yardkit.sandbox.episodes.recorded_arguments import MAX_RECORDED_ARGUMENTS, shorten_arguments

_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.just("long " * 20_000),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.just(["x"] * 9_000),
    max_leaves=20,
)


@pytest.fixture
def episode(tmp_path: Path) -> Episode:
    return open_new(TASK, 1, tmp_path / "runs")


@settings(max_examples=15)
@given(st.dictionaries(st.text(), _JSON))
def test_shortened_arguments_are_within_their_room(arguments: dict[str, Any]) -> None:
    recorded = shorten_arguments(arguments, encode_canonical(arguments))
    assert len(encode_canonical(recorded)) < 4 * MAX_RECORDED_ARGUMENTS


def test_short_arguments_are_recorded_as_they_came(episode: Episode) -> None:
    arguments = {"path": "a.txt", "content": "x" * (MAX_RECORDED_ARGUMENTS // 2)}
    episode.call("write_file", **arguments)
    assert episode.ledger.calls[-1].arguments == arguments


@pytest.mark.parametrize(
    "arguments",
    [{"path": "a.txt", "content": "x" * 900_000}, {"y" * 900_000: 1}, {"cells": [{"value": "x" * 90}] * 9_000}],
    ids=["a text", "a name", "a list"],
)
def test_long_arguments_are_recorded_by_their_beginning_and_a_digest(
    episode: Episode, arguments: dict[str, Any]
) -> None:
    episode.call("write_file", **arguments)
    episode.call("no_such_tool" * 90_000, **arguments)
    for call in episode.ledger.calls:
        assert "SHA-256" in call.arguments["…"]
        assert call.bytes_in > 800_000
    assert episode.ledger.path.stat().st_size < 200_000
    assert [call.tool[:12] for call in reopen_episode(episode.directory).ledger.calls] == ["write_file", "no_such_tool"]


def test_paths_in_long_arguments_stay(episode: Episode) -> None:
    arguments = {"content": "x" * 900_000, "path": "deep/er/a.txt"}
    assert shorten_arguments(arguments, encode_canonical(arguments))["path"] == "deep/er/a.txt"


def test_a_full_record_refuses_calls_in_words_and_can_be_graded(episode: Episode) -> None:
    episode.ledger.max_bytes = 1
    assert not episode.call("list_folder").is_error
    reply = episode.call("write_file", path="a.txt", content="x")
    assert "takes no more calls: the record of its calls has reached 1 bytes" in reply.text
    assert len(episode.ledger.calls) == 1
    assert not (episode.world.files / "a.txt").exists()
    assert episode.grade().valid


def test_media_of_results_have_a_bound(episode: Episode) -> None:
    episode.ledger.max_media_bytes = 0
    assert "pictures and sounds of its results" in episode.call("list_folder").text


def list_paths(episode: Episode) -> list[Any]:
    return [call.arguments.get("path") for call in episode.ledger.calls]


def test_forks_share_what_they_took_over_and_go_on_alone(episode: Episode) -> None:
    for name in ("a", "b", "c"):
        episode.call("write_file", path=name, content="x")
    (episode.directory / "media").mkdir()
    (episode.directory / "media" / "picture.png").write_bytes(b"x")
    first, second = episode.fork(), episode.fork(at_call=2)
    grandchild = second.fork()
    second.call("write_file", path="d", content="x")
    later = second.fork()
    episode.call("write_file", path="e", content="x")
    expected = {
        "e": ["a", "b", "c", "e"],
        "1": ["a", "b", "c"],
        "2": ["a", "b", "d"],
        "g": ["a", "b"],
        "l": ["a", "b", "d"],
    }
    episodes = dict(zip(expected, (episode, first, second, grandchild, later), strict=True))
    assert {name: list_paths(member) for name, member in episodes.items()} == expected
    assert {name: list_paths(reopen_episode(member.directory)) for name, member in episodes.items()} == expected
    assert (later.directory / "media" / "picture.png").stat().st_nlink == 5
    assert (
        len({path.stat().st_ino for member in episodes.values() for path in member.directory.glob("ledger-0001-*")})
        == 1
    )


def test_the_ledger_of_a_graded_fork_holds_all_calls(episode: Episode) -> None:
    episode.call("list_folder")
    fork = episode.fork()
    fork.call("write_file", path="b", content="x")
    fork.grade()
    lines = [json.loads(line) for line in fork.ledger.path.read_text("utf-8").splitlines()]
    assert [(line["number"], line["tool"]) for line in lines] == [(1, "list_folder"), (2, "write_file")]
    assert [call.number for call in reopen_episode(fork.directory).ledger.calls] == [1, 2]
    assert list_paths(episode.fork()) == [None], "the parent's part is still there"
