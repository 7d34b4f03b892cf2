"""``python -m yardkit.sandbox.agents.bridge``: serve an episode at an HTTP address over stdio."""

import os
import sys
from typing import Any

from yardkit.sandbox.serving.fastmcp_settings import quiet_fastmcp

URL = "YARDKIT_MCP_URL"
TOKEN = "YARDKIT_MCP_TOKEN"  # noqa: S105 - the name of a variable


def main() -> int:
    """Answer over stdin and stdout until stdin closes."""
    quiet_fastmcp()
    if URL not in os.environ:
        print(f"yardkit: set {URL} and {TOKEN}; `yardkit run` does it for its agents", file=sys.stderr)  # noqa: T201
        return 2
    from fastmcp.server import create_proxy
    from fastmcp.server.providers.proxy import ProxyClient

    upstream: ProxyClient[Any] = ProxyClient(os.environ[URL], auth=os.environ.get(TOKEN))
    create_proxy(upstream, name="yardkit").run(transport="stdio", show_banner=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
