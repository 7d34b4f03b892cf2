"""The work of the faces server, without MCP."""

from yardkit.servers.faces.engine.compare import FaceComparison, compare_faces
from yardkit.servers.faces.engine.find import FoundFace, FoundFaces, find_faces

__all__ = ["FaceComparison", "FoundFace", "FoundFaces", "compare_faces", "find_faces"]
