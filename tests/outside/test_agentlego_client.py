"""AgentLego's own client, as GTA's agents use it: its files lie in its folder, which is the workspace here."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from support.pictures import COFFEE
from support.processes import serve_http
from support.sounds import YOUNG_MAN

pytestmark = pytest.mark.drill

CALLS = [
    ("Calculator", {"expression": "3 * 43"}),
    ("DrawBox", {"image": "coffee.jpg", "bbox": "(10, 20, 200, 300)", "annotation": "cup"}),
    ("AddText", {"image": "$2", "text": "Hello", "position": "mt"}),
    ("DocxFileGenerator", {"filename": "note", "content": "# Hello", "render_markdown": True}),
    ("ReadDOCX", {"file": "$4"}),
    ("AudioClipTool", {"audio": "young_man.flac", "end_time": 1.5}),
    ("NoiseReduction", {"audio": "$6"}),
    ("CsvFileGenerator", {"filename": "t", "data_str": "none", "output_dir": "../out"}),
]


def test_its_remote_tools_call_ours_and_keep_what_is_delivered(agentlego_python: Path, tmp_path: Path) -> None:
    shutil.copy(COFFEE, tmp_path)
    shutil.copy(YOUNG_MAN, tmp_path)
    with serve_http("gta-workflow", "--agentlego", cwd=tmp_path) as (address, _):
        plan = json.dumps({"url": address.removesuffix("/mcp"), "calls": CALLS})
        script = Path(__file__).with_name("agentlego_client.py")
        command: list[str | Path] = [agentlego_python, script, plan]
        done = subprocess.run(command, capture_output=True, text=True, timeout=240, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    value, boxed, named, note, read, cut, clean, refused = report["results"]
    assert len(report["tools"]) == 37
    assert (value, read) == ("129", "Hello")
    assert [Path(path).suffix for path in (boxed, named, note, cut, clean)] == [".png", ".png", ".docx", ".wav", ".wav"]
    assert all(Path(path).stat().st_size > 1000 for path in (boxed, named, note, cut, clean))
    assert "because of Bad Request" in refused
    assert "outside the workspace" in refused
