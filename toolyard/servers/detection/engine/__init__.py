"""The work of the detection server, without MCP."""

from toolyard.servers.detection.engine.objects import FoundObject, FoundObjects, detect

__all__ = ["FoundObject", "FoundObjects", "detect"]
