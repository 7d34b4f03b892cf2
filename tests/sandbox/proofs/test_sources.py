"""What code rests on, in a package of a few lines that stands in for ours."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from yardkit.sandbox.proofs import sources
from yardkit.sandbox.proofs.sources import rests_on

FILES = {
    "__init__.py": "",
    "room/__init__.py": "from yardkit.room.left import left\nfrom yardkit.room.right import right\n",
    "room/left.py": "def left():\n    return 1\n",
    "room/right.py": "import json\n\n\ndef right():\n    return json.dumps(2)\n",
    "tables.py": """
from yardkit import papers, pictures
from yardkit.papers import WIDTH

TAKE = {".docx": papers.take, ".png": pictures.take}


def taken(path):
    return TAKE[path](WIDTH)


def other():
    return 1
""",
    "papers.py": "WIDTH = 3\n\n\ndef take(width):\n    return width\n\n\ndef unused():\n    return WIDTH\n",
    "pictures.py": "def take(width):\n    import PIL.Image\n\n    return PIL.Image\n",
    "lazy.py": "def late():\n    from yardkit.papers import take\n\n    return take(1)\n",
    "handed.py": "from yardkit import papers\n\nROOMS = [papers]\n",
    "filled.py": "TABLE = {}\n\n\ndef read():\n    return TABLE\n\n\nTABLE['a'] = 1\n",
    "started.py": "HELPER = 'yardkit.papers'\n",
    "beside.py": """
from pathlib import Path

TEXT = (Path(__file__).parent / "words").read_text()
DRIVER = Path(__file__).with_name("papers.py")
""",
    "words/a.txt": "some words",
    "server.py": """
LIMIT = 3


@mcp.tool(description="Read a file.")
def read_file(path: Annotated[str, Field(description=f"At most {LIMIT} lines.", max_length=9)]):
    '''Read a file.'''
    return (path,  1)  # a pair


class Row:
    number: int
    '''Of the row.'''
""",
}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    monkeypatch.setattr(sources, "_ROOT", tmp_path)
    clear_caches()
    yield tmp_path
    clear_caches()


def clear_caches() -> None:
    sources.source_of.cache_clear()
    sources._path_of.cache_clear()


def list_changed(package: Path, name: str, old: str, new: str, root: tuple[str, str]) -> list[str]:
    """What `root` rests on that is not what it was after a change to a file."""
    before = rests_on([root])
    path = package / name
    assert old in path.read_text("utf-8")
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    clear_caches()
    after = rests_on([root])
    return [key for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key)]


def test_a_changed_function_voids_what_names_it_and_nothing_else(package: Path) -> None:
    taken = ("yardkit.tables", "taken")
    assert list_changed(package, "papers.py", "return width", "return 2 * width", taken) == ["yardkit.papers"]
    assert list_changed(package, "papers.py", "WIDTH = 3", "WIDTH = 4", taken) == ["yardkit.papers"]
    assert list_changed(package, "papers.py", "return WIDTH", "return -WIDTH", taken) == []
    assert list_changed(package, "tables.py", "return 1", "return 2", taken) == []
    assert list_changed(package, "tables.py", "def taken", "# why\n\n\ndef taken", taken) == []


def test_prose_and_formatting_do_not_count_and_everything_else_does(package: Path) -> None:
    read, row = ("yardkit.server", "read_file"), ("yardkit.server", "Row")
    for old, new, root in (
        ("Read a file.", "Read one file.", read),
        (" At most {LIMIT} lines.".strip(), "A name", read),
        ("(path,  1)  # a pair", "path, 1", read),
        ("Of the row", "From 1", row),
    ):
        assert list_changed(package, "server.py", old, new, root) == []
    assert list_changed(package, "server.py", "LIMIT = 3", "LIMIT = 4", read) == []
    for old, new, root in (("path, 1", "path, 2", read), ("max_length=9", "max_length=8", read), ("int", "str", row)):
        assert list_changed(package, "server.py", old, new, root) == ["yardkit.server"]


def test_an_import_within_a_function_counts(package: Path) -> None:
    late = ("yardkit.lazy", "late")
    assert list_changed(package, "papers.py", "return width", "return 0", late) == ["yardkit.papers"]
    assert "package PIL" in rests_on([("yardkit.pictures", "take")])


def test_a_package_leads_to_where_a_name_is_defined(package: Path) -> None:
    assert rests_on([("yardkit.room", "left")]).keys() == {"yardkit.room.left"}


def test_a_module_that_is_handed_on_counts_as_a_whole(package: Path) -> None:
    assert list_changed(package, "papers.py", "return WIDTH", "return 1", ("yardkit.handed", "ROOMS")) == [
        "yardkit.papers"
    ]
    assert list_changed(package, "papers.py", "return 1", "return 2", ("yardkit.started", "HELPER")) == [
        "yardkit.papers"
    ]


def test_what_a_module_does_when_it_is_loaded_counts(package: Path) -> None:
    assert list_changed(package, "filled.py", "= 1", "= 2", ("yardkit.filled", "read")) == ["yardkit.filled"]


def test_of_a_table_by_suffix_only_rows_of_files_that_there_are_count(package: Path) -> None:
    papers, pictures = (rests_on([("yardkit.tables", "taken")], {suffix}) for suffix in (".docx", ".png"))
    assert "yardkit.pictures" not in papers
    assert "package PIL" in pictures


def test_files_and_programs_beside_a_module_count(package: Path) -> None:
    assert list_changed(package, "words/a.txt", "some", "other", ("yardkit.beside", "TEXT")) == ["words"]
    changed_names = list_changed(package, "papers.py", "return WIDTH", "return 1", ("yardkit.beside", "DRIVER"))
    assert changed_names == ["yardkit.papers"]


def test_what_does_not_count_leads_nowhere(package: Path) -> None:
    dependencies = rests_on([("yardkit.tables", "taken")], counts=lambda module: module != "yardkit.pictures")
    assert dependencies.keys() == {"yardkit.tables", "yardkit.papers"}
