import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import pytest
from pydantic import Field, TypeAdapter

from yardkit.world import InFile, Problem, World, use_world
from yardkit.world.paths import in_entry, in_file, in_path, out_dir, out_entry, out_file
from yardkit.world.tree import SAVE_PREFIX


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "ws" / "sub").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("secret")
    world = World.open_user_folder(tmp_path / "ws")
    (world.files / "a.txt").write_text("a")
    with use_world(world):
        yield world.files


def test_links_behind_a_circle_of_links_do_not_lead_out(files: Path) -> None:
    (files / "circle").symlink_to("circle")
    (files / "out").symlink_to("../outside")
    for check in (in_path, in_file, out_file, out_dir, in_entry, out_entry):
        with pytest.raises(Problem, match="circle"):
            check("circle/../out/secret.txt")


def test_links_that_stay_inside_are_followed(files: Path) -> None:
    (files / "here").symlink_to("sub/../a.txt")
    assert in_file("here") == files / "a.txt"
    assert in_file(str(files / "here")) == files / "a.txt"


def test_an_entry_is_the_link_and_not_its_target(files: Path) -> None:
    (files / "out").symlink_to("../outside")
    assert in_entry("out") == files / "out"
    assert in_entry("sub/../out/") == files / "out"
    with pytest.raises(Problem, match="outside the workspace"):
        in_entry("out/secret.txt")


@pytest.mark.parametrize("text", [".", "sub/..", "./"])
def test_the_workspace_itself_is_no_entry(files: Path, text: str) -> None:
    with pytest.raises(Problem, match="workspace itself"):
        in_entry(text)


def test_pipes_are_refused_by_every_reading_type(files: Path) -> None:
    os.mkfifo(files / "pipe")
    for check in (in_path, in_file, out_file):
        with pytest.raises(Problem, match="regular file"):
            check("pipe")


def test_a_path_that_is_too_long_below_the_workspace_is_a_problem(files: Path) -> None:
    with pytest.raises(Problem):
        out_file("/".join(["x" * 203] * 20))


def test_a_path_argument_keeps_its_description() -> None:
    schema = TypeAdapter(Annotated[InFile, Field(description="The text.")]).json_schema()
    assert schema == {"type": "string", "minLength": 1, "description": "The text."}


@pytest.mark.parametrize(
    ("path", "meant"),
    [
        ("A.txt", "did you mean 'a.txt'?"),
        ("sub/Reprot 2026.xlsx", "did you mean 'sub/Report 2026.xlsx'?"),
        ("sub/report 2026.xls", "did you mean 'sub/Report 2026.xlsx'?"),
        ("subs/Report 2026.xlsx", "list the folder"),
        ("quite another.pdf", "list the folder"),
        ("/a.txt", "outside the workspace"),
    ],
)
def test_a_path_that_does_not_exist_is_answered_with_those_that_are_nearly_so(
    files: Path, path: str, meant: str
) -> None:
    (files / "sub" / "Report 2026.xlsx").write_text("")
    for check in (in_path, in_file, in_entry):
        with pytest.raises(Problem) as caught:
            check(path)
        assert meant in str(caught.value)
        assert "outside/" not in str(caught.value)


@pytest.mark.parametrize("place", ["{name}", "./{name}", "{files}/{name}"])
def test_a_name_is_found_however_its_marks_are_spelled(files: Path, place: str) -> None:
    folder, name = (unicodedata.normalize("NFD", text) for text in ("\u30ac\u30a4\u30c9", "Pr\u00fcfbericht.txt"))
    (files / folder).mkdir()
    (files / folder / name).touch()
    composed = place.format(name=unicodedata.normalize("NFC", f"{folder}/{name}"), files=files)
    assert in_file(composed) == out_file(composed) == in_entry(composed) == files / folder / name
    assert out_file(f"{folder}/{name}2".replace("\u0308", "")) != files / folder / name


def test_of_two_names_that_look_alike_the_exact_one_is_taken(files: Path) -> None:
    form: Literal["NFC", "NFD"]
    for form in ("NFC", "NFD"):
        (files / unicodedata.normalize(form, "M\u00e4rz")).touch()
    for form in ("NFC", "NFD"):
        assert in_file(unicodedata.normalize(form, "M\u00e4rz")).name == unicodedata.normalize(form, "M\u00e4rz")


def test_names_of_a_saving_are_not_offered(files: Path) -> None:
    (files / f"{SAVE_PREFIX}report.txt").write_text("")
    with pytest.raises(Problem, match="list the folder"):
        in_file("yardkit-report.txt")
