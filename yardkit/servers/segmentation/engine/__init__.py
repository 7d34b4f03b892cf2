"""The work of the segmentation server, without MCP."""

from yardkit.servers.segmentation.engine.segment import Segment, Wanted, segment_object

__all__ = ["Segment", "Wanted", "segment_object"]
