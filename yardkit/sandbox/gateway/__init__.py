"""The gateway: episodes over HTTP, for any agent that speaks MCP or plain JSON."""

from yardkit.sandbox.gateway.app import create_app
from yardkit.sandbox.gateway.settings import Settings

__all__ = ["Settings", "create_app"]
