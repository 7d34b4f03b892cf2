"""The work of the detection server, without MCP."""

from yardkit.servers.detection.engine.objects import DetectedObject, DetectedObjects, detect_objects
from yardkit.servers.detection.engine.video import FrameObjects, VideoObjects, detect_in_video

__all__ = ["DetectedObject", "DetectedObjects", "FrameObjects", "VideoObjects", "detect_in_video", "detect_objects"]
