"""Two trivial tools on plain FastMCP over stateless HTTP: what the gateway's speed is compared with."""

import socket
import sys

import uvicorn
from fastmcp import FastMCP

mcp = FastMCP("plain")


@mcp.tool
def list_folder(path: str) -> str:
    """List a folder."""
    return f"{path} is empty"


@mcp.tool
def write_file(path: str, content: str) -> str:
    """Write a file."""
    return f"saved {len(content)} bytes to {path}"


def main() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        print(f"plain at http://127.0.0.1:{listener.getsockname()[1]}", file=sys.stderr, flush=True)
        app = mcp.http_app(path="/mcp", stateless_http=True)
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on", ws="none")
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
