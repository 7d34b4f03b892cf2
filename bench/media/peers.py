"""The programs that the media servers are measured against, at fixed versions, in an environment of their own.

.venv/bin/python bench/media/peers.py      # installs them below .tools/peers/media (PyPI only)
"""

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".tools" / "peers" / "media"
PACKAGES = ("moviepy==2.2.1", "noisereduce==3.0.3", "pocketsphinx==5.1.1", "numpy==2.4.6")


def install_peers() -> Path:
    """Install the peers if they are not there yet; their Python."""
    uv = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
    python = FOLDER / "bin" / "python"
    if not (FOLDER / "ready").exists():
        subprocess.run([uv, "venv", "-q", "--clear", FOLDER], check=True)
        subprocess.run([uv, "pip", "install", "-q", "--python", python, *PACKAGES], check=True)
        (FOLDER / "ready").touch()
    return python


if __name__ == "__main__":
    install_peers()
