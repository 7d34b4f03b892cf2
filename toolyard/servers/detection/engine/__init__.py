"""The work of the detection server, without MCP."""

from toolyard.servers.detection.engine.objects import FoundObject, FoundObjects, detect
from toolyard.servers.detection.engine.video import FrameObjects, VideoObjects, detect_in_video

__all__ = ["FoundObject", "FoundObjects", "FrameObjects", "VideoObjects", "detect", "detect_in_video"]
