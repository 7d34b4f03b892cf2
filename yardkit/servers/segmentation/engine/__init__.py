"""The work of the segmentation server, without MCP."""

from yardkit.servers.segmentation.engine.segment import Segment, Target, segment_object

__all__ = ["Segment", "Target", "segment_object"]
