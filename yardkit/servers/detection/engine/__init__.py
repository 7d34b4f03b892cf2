"""The work of the detection server, without MCP."""

from yardkit.servers.detection.engine.objects import FoundObject, FoundObjects, detect
from yardkit.servers.detection.engine.video import FrameObjects, VideoObjects, detect_in_video

__all__ = ["FoundObject", "FoundObjects", "FrameObjects", "VideoObjects", "detect", "detect_in_video"]
