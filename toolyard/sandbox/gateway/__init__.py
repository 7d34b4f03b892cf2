"""The gateway: episodes over HTTP, for any agent that speaks MCP or plain JSON."""

from toolyard.sandbox.gateway.app import create_app
from toolyard.sandbox.gateway.settings import Settings

__all__ = ["Settings", "create_app"]
