"""The work of the faces server, without MCP."""

from yardkit.servers.faces.engine.compare import FaceComparison, compare_faces
from yardkit.servers.faces.engine.find import DetectedFace, DetectedFaces, find_faces

__all__ = ["DetectedFace", "DetectedFaces", "FaceComparison", "compare_faces", "find_faces"]
