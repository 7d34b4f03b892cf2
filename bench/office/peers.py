"""The office servers that ours are measured against, each in an environment of its own at a fixed version.

.venv/bin/python bench/office/peers.py      # installs them below .tools/peers (PyPI only)
"""

import shutil
import subprocess
import sys
from pathlib import Path

from fastmcp.client.transports import StdioTransport

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".tools" / "peers"
PEERS = {
    "excel": (["excel-mcp-server==2.2.2"], ["excel-mcp-server", "stdio"]),
    "xlsxtools": (["xlsx-tools-mcp==0.3.2"], ["xlsx-tools-mcp"]),
    # Its packages name no upper bound; it does not start with mcp 2.
    "word": (["office-word-mcp-server==1.1.11", "mcp<2"], ["word_mcp_server"]),
}


def install_peers() -> None:
    """Install every peer that is not there yet."""
    uv = shutil.which("uv") or str(ROOT / ".tools" / "bin" / "uv")
    for name, (packages, _) in PEERS.items():
        if (FOLDER / name / "ready").exists():
            continue
        subprocess.run([uv, "venv", "-q", "--clear", FOLDER / name], check=True)
        subprocess.run(
            [uv, "pip", "install", "-q", "--python", FOLDER / name / "bin" / "python", *packages], check=True
        )
        (FOLDER / name / "ready").touch()


def start_peer(name: str, workspace: Path, **environment: str) -> StdioTransport:
    """How to start a peer in a folder."""
    program, *arguments = PEERS[name][1]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(workspace), **environment}
    return StdioTransport(str(FOLDER / name / "bin" / program), arguments, cwd=str(workspace), env=env)


def start_own_server(server: str, workspace: Path) -> StdioTransport:
    """How to start one of our servers on a folder."""
    arguments = ["-m", "yardkit", "serve", server, "--workspace", str(workspace)]
    return StdioTransport(sys.executable, arguments, cwd=str(ROOT))


if __name__ == "__main__":
    install_peers()
